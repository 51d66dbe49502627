// SPDX-License-Identifier: MIT
// The driver's commands that talk to an API server, named by $KUBECONFIG or by a URL:
//     driver pods [--once] [URL]       list them; --once: a list cannot start over
//     driver poll TIMES URL            list them TIMES times, and print how much memory was held at call
//                                      10 and at the last one, in kB
//     driver watch COUNT [URL [LIMIT]] pods as they change, until COUNT lines were printed; LIMIT: seconds
//                                      after which a silent server is given up
//     driver watches COUNT URL         COUNT watches of pods, until each has told of one behind its list
//     driver create NAME ID [URL]      a ConfigMap with a request id
//     driver get PATH [URL]            whatever is there
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_build.h"
#include "base/parse.h"
#include "driver.h"
#include "kube/create.h"
#include "kube/list.h"
#include "kube/object_info.h"
#include "kube/watch.h"

// Everything that stands between a command and the server.
struct stack {
	struct kube_access access;
	struct http *http;
	struct loop *loop;
	struct kube_client *client;
	int64_t left; // lines to print
	bool has_failed;
};

static void warn(void *context, const char *text)
{
	(void)context;
	printf("warning: %s\n", text);
}

static void close_stack(struct stack *stack)
{
	kube_client_free(stack->client);
	http_free(stack->http);
	loop_free(stack->loop);
	kube_access_release(&stack->access);
}

static bool write_kubeconfig(const char *url, struct err *err)
{
	FILE *file = fopen("driver.conf", "w");

	if (!file)
		return err_errno(err, "driver.conf");
	fprintf(file,
	        "clusters: [{name: c, cluster: {server: '%s'}}]\n"
	        "contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n",
	        url);
	return fclose(file) == 0 || err_errno(err, "driver.conf");
}

static bool open_stack(struct stack *stack, const char *url, struct err *err)
{
	struct kube_access_options access = {.getenv_fn = getenv, .clock = &clock_system};
	struct kube_client_options client = {.access = &stack->access, .warn = warn};
	struct http_options http = {0};
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	if (url && !write_kubeconfig(url, err))
		return false;
	access.kubeconfig = url ? "driver.conf" : NULL;
	if (!kube_access_open(&stack->access, &access, &faults, err))
		return false;
	for (size_t i = 0; i < faults.warnings.count; i++)
		warn(NULL, faults.warnings.items[i]);
	stack->http = http_new(&http, err);
	stack->loop = stack->http ? loop_new(NULL, err) : NULL;
	client.http = stack->http;
	client.loop = stack->loop;
	stack->client = stack->loop ? kube_client_new(&client, err) : NULL;
	return stack->client != NULL;
}

static bool print_object(void *context, enum kube_record_change change, void *record,
                         struct err *err)
{
	static const char *const words[] = {"added", "modified", "deleted", "bookmark", "error"};
	const struct kube_object_info *object = record;
	struct stack *stack = context;

	(void)err;
	printf("%s %s\n", words[change], object->name);
	stack->left--;
	return true;
}

static void print_restart(void *context)
{
	(void)context;
	printf("from the start\n");
}

static bool list_pods(struct stack *stack, bool is_once, struct err *err)
{
	struct kube_list_options options = {.collection = &kube_pods,
	                                    .kind = &kube_object_record,
	                                    .namespace = kube_client_namespace(stack->client),
	                                    .on_record = print_object,
	                                    .on_restart = is_once ? NULL : print_restart,
	                                    .context = stack};

	return kube_list_all(stack->client, &options, 1, err);
}

bool driver_pods(char **argv, struct err *err)
{
	bool is_once = argv[0] && !strcmp(argv[0], "--once");
	struct stack stack = {0};
	bool is_ok = open_stack(&stack, argv[is_once ? 1 : 0], err) && list_pods(&stack, is_once, err);

	close_stack(&stack);
	return is_ok;
}

static bool count_object(void *context, enum kube_record_change change, void *record,
                         struct err *err)
{
	(void)change;
	(void)record;
	(void)err;
	++*(int64_t *)context;
	return true;
}

// What /proc says of our memory; 0 where there is no such file.
static long resident_kb(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long size = 0, resident = 0;

	if (file && fscanf(file, "%ld %ld", &size, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static bool poll_pods(struct stack *stack, int64_t times, struct err *err)
{
	int64_t seen = 0;
	struct kube_list_options options = {.collection = &kube_pods,
	                                    .kind = &kube_object_record,
	                                    .namespace = kube_client_namespace(stack->client),
	                                    .on_record = count_object,
	                                    .context = &seen};

	for (int64_t i = 1; i <= times; i++) {
		if (!kube_list_all(stack->client, &options, 1, err))
			return false;
		if (i == 10 || i == times)
			printf("%lld %lld %ld\n", (long long)i, (long long)seen, resident_kb());
	}
	return true;
}

bool driver_poll(char **argv, struct err *err)
{
	struct stack stack = {0};
	int64_t times;
	bool is_ok = argv[0] && parse_i64(argv[0], 10, 1000000, &times, err) &&
	             open_stack(&stack, argv[1], err) && poll_pods(&stack, times, err);

	close_stack(&stack);
	return is_ok;
}

static void print_synced(void *context)
{
	(void)context;
	printf("synced\n");
}

static void print_trouble(void *context, const struct err *failure, int64_t pause_ms)
{
	(void)context;
	(void)pause_ms;
	printf("trouble: %s\n", err_message(failure));
}

static bool watch_pods(struct stack *stack, int64_t limit_s, struct err *err)
{
	struct kube_watch_options options = {.collection = &kube_pods,
	                                     .kind = &kube_object_record,
	                                     .namespace = kube_client_namespace(stack->client),
	                                     .seed = 7,
	                                     .server_limit_s = limit_s,
	                                     .grace_s = limit_s ? 1 : 0,
	                                     .on_record = print_object,
	                                     .on_list = print_restart,
	                                     .on_synced = print_synced,
	                                     .on_trouble = print_trouble,
	                                     .context = stack};
	struct kube_watch *watch = kube_watch_start(stack->client, &options, err);
	bool is_ok = watch != NULL;

	while (is_ok && stack->left > 0)
		is_ok = loop_run(stack->loop, -1, err);
	kube_watch_free(watch);
	return is_ok;
}

bool driver_watch(char **argv, struct err *err)
{
	struct stack stack = {0};
	int64_t limit_s = 0;
	bool is_ok = argv[0] && parse_i64(argv[0], 1, 1000000, &stack.left, err) &&
	             (!argv[1] || !argv[2] || parse_i64(argv[2], 1, 1000, &limit_s, err)) &&
	             open_stack(&stack, argv[1], err) && watch_pods(&stack, limit_s, err);

	close_stack(&stack);
	return is_ok;
}

// One of several watches.
struct one {
	struct kube_watch *watch;
	int64_t *left; // of all
	bool is_synced, is_back;
};

static bool on_one(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct one *one = context;

	(void)change;
	(void)record;
	(void)err;
	if (one->is_synced && !one->is_back) {
		one->is_back = true;
		--*one->left;
	}
	return true;
}

static void on_one_list(void *context)
{
	((struct one *)context)->is_synced = false;
}

static void on_one_synced(void *context)
{
	((struct one *)context)->is_synced = true;
}

static bool run_watches(struct stack *stack, struct one *all, int64_t count, struct err *err)
{
	struct kube_watch_options options = {.collection = &kube_pods,
	                                     .kind = &kube_object_record,
	                                     .namespace = kube_client_namespace(stack->client),
	                                     .on_record = on_one,
	                                     .on_list = on_one_list,
	                                     .on_synced = on_one_synced};
	bool is_ok = true;

	stack->left = count;
	for (int64_t i = 0; is_ok && i < count; i++) {
		options.seed = (uint32_t)i * 77 + 1;
		options.context = &all[i];
		all[i].left = &stack->left;
		all[i].watch = kube_watch_start(stack->client, &options, err);
		is_ok = all[i].watch != NULL;
	}
	while (is_ok && stack->left > 0)
		is_ok = loop_run(stack->loop, -1, err);
	for (int64_t i = 0; i < count; i++)
		kube_watch_free(all[i].watch);
	return is_ok;
}

bool driver_watches(char **argv, struct err *err)
{
	enum { MAX = 64 };
	struct one all[MAX] = {{NULL}};
	struct stack stack = {0};
	int64_t count;
	bool is_ok = argv[0] && parse_i64(argv[0], 1, MAX, &count, err) &&
	             open_stack(&stack, argv[1], err) && run_watches(&stack, all, count, err);

	if (is_ok)
		printf("all are back\n");
	close_stack(&stack);
	return is_ok;
}

static struct json *make_object(const char *name, const char *id, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "v1");
	json_put_string(&b, "kind", "ConfigMap");
	json_build_open_object(&b, "metadata");
	json_put_string(&b, "name", name);
	json_build_open_object(&b, "annotations");
	json_put_string(&b, "vpsml.dev/request-id", id);
	json_build_close(&b);
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

bool driver_create(char **argv, struct err *err)
{
	static const char *const words[] = {"failed", "created", "exists"};
	struct stack stack = {0};
	_cleanup_json_ struct json *object = make_object(argv[0], argv[1], err);
	struct kube_create_options options = {.request_id = argv[1]};
	enum kube_create_outcome outcome = KUBE_CREATE_FAILED;

	if (object && open_stack(&stack, argv[2], err)) {
		outcome = kube_create(stack.client, &kube_config_maps, kube_client_namespace(stack.client),
		                      object, &options, NULL, NULL, err);
		printf("%s\n", words[outcome]);
	}
	close_stack(&stack);
	return outcome == KUBE_CREATE_DONE;
}

bool driver_get(char **argv, struct err *err)
{
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	struct stack stack = {0};
	bool is_ok = open_stack(&stack, argv[1], err) &&
	             kube_client_call(stack.client, "GET", argv[0], NULL, NULL, NULL, &reply, err);

	if (is_ok)
		printf("%s\n", reply.body);
	close_stack(&stack);
	return is_ok;
}
