// SPDX-License-Identifier: MIT
// The driver's commands that talk to an API server, named by $KUBECONFIG or by a URL:
//     driver pods [--once] [URL]       list them; --once: a list cannot start over
//     driver watch COUNT [URL]         pods as they change, until COUNT lines were printed
//     driver create NAME ID [URL]      a ConfigMap with a request id
//     driver get PATH [URL]            whatever is there
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool watch_pods(struct stack *stack, struct err *err)
{
	struct kube_watch_options options = {.collection = &kube_pods,
	                                     .kind = &kube_object_record,
	                                     .namespace = kube_client_namespace(stack->client),
	                                     .seed = 7,
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
	bool is_ok = argv[0] && parse_i64(argv[0], 1, 1000000, &stack.left, err) &&
	             open_stack(&stack, argv[1], err) && watch_pods(&stack, err);

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
