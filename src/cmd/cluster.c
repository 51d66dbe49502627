// SPDX-License-Identifier: MIT
#include "cmd/cluster.h"

#include <stdarg.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/progress.h"

enum { TICK_MS = 1000, TEXT_MAX_BYTES = 4096, LINE_MAX_BYTES = 64 * 1024 };

#define FIELD(member) .offset = offsetof(struct cmd_cluster_options, member)

static const struct cli_option rows[] = {
	{.name = "namespace",
     .letter = 'n',
     .kind = CLI_STRING,
     .completion = CLI_COMPLETE_NAMESPACE,
     FIELD(namespace),
     .metavar = "NAMESPACE",
     .help = "namespace to work in (default: the context's)"},
	{.name = "context",
     .kind = CLI_STRING,
     .completion = CLI_COMPLETE_CONTEXT,
     FIELD(context),
     .metavar = "NAME",
     .help = "context of the kubeconfig (default: its current one)"},
	{.name = "kubeconfig",
     .kind = CLI_STRING,
     .completion = CLI_COMPLETE_FILE,
     FIELD(kubeconfig),
     .metavar = "FILE",
     .help = "kubeconfig (default: $KUBECONFIG, else ~/.kube/config)"},
	{.name = "as", .kind = CLI_STRING, FIELD(as), .metavar = "USER", .help = "act as this user"},
	{.name = "as-group",
     .kind = CLI_LIST,
     FIELD(as_groups),
     .metavar = "GROUP",
     .help = "act as a member of this group"},
	{.name = "as-uid",
     .kind = CLI_STRING,
     FIELD(as_uid),
     .metavar = "UID",
     .help = "act as the user with this uid"},
	{.name = "request-timeout",
     .kind = CLI_DURATION,
     .min = 1,
     FIELD(timeout_s),
     .metavar = "DURATION",
     .help = "give up a request after this time (default: 30s, lists 1m)"},
	{.name = "allow-http",
     .kind = CLI_FLAG,
     FIELD(allows_http),
     .help = "send credentials to a server that is not https"},
};
const struct cli_group cmd_cluster_group = {"Cluster", rows, COUNT_OF(rows)};

struct cmd_cluster {
	struct cli_context *context;
	struct kube_access access;
	struct http *http;
	struct loop *loop;
	struct kube_client *client;
	struct loop_timer tick;
	struct strbuf waits_for; // "": for the server
	int64_t waits_since_ms;  // monotonic
};

void cmd_cluster_options_release(struct cmd_cluster_options *options)
{
	mem_free(options->kubeconfig);
	mem_free(options->context);
	mem_free(options->namespace);
	mem_free(options->as);
	mem_free(options->as_uid);
	strv_release(&options->as_groups);
	*options = (struct cmd_cluster_options){NULL};
}

static void warn(void *data, const char *text)
{
	struct cmd_cluster *cluster = data;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	faults_warn(&faults, "server: %s", text);
	cli_show_warnings(cluster->context, &faults);
}

// What -v shows

static void on_log(void *data, int level, const char *line)
{
	const struct cmd_cluster *cluster = data;

	cli_show_log(cluster->context, level, line);
}

static void before_program(void *data, const char *command)
{
	const struct cmd_cluster *cluster = data;
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(LINE_MAX_BYTES);

	cli_progress_clear(cluster->context);
	strbuf_addf(&line, "credential program: %s", command);
	cli_show_log(cluster->context, 1, strbuf_get(&line));
}

static void log_access(const struct cmd_cluster *cluster)
{
	const struct kube_access *access = &cluster->access;
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(LINE_MAX_BYTES);

	strbuf_addf(&line, "context \"%s\": cluster \"%s\" at ", access->context, access->cluster);
	http_url_add(&line, &access->server);
	strbuf_addf(&line, ", user \"%s\", namespace \"%s\"", access->user, access->namespace_);
	cli_show_log(cluster->context, 1, strbuf_get(&line));
}

// What a terminal shows meanwhile

static void show_wait(struct cmd_cluster *cluster)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);
	int64_t waits_ms = kube_client_waits_ms(cluster->client);

	if (cluster->waits_for.len) {
		waits_ms = loop_now_ms(cluster->loop) - cluster->waits_since_ms;
		strbuf_add(&text, strbuf_get(&cluster->waits_for));
	} else {
		strbuf_add(&text, "waiting for ");
		http_url_add_authority(&text, &cluster->access.server);
	}
	if (waits_ms >= TICK_MS)
		cli_progress_show(cluster->context, strbuf_get(&text), waits_ms / 1000);
	else
		cli_progress_clear(cluster->context);
}

static void on_tick(void *data)
{
	struct cmd_cluster *cluster = data;

	show_wait(cluster);
	loop_timer_set(cluster->loop, &cluster->tick, TICK_MS, on_tick, cluster);
}

void cmd_cluster_waits_for(struct cmd_cluster *cluster, const char *format, ...)
{
	va_list args;

	strbuf_clear(&cluster->waits_for);
	cluster->waits_since_ms = loop_now_ms(cluster->loop);
	if (!format)
		return;
	va_start(args, format);
	strbuf_vaddf(&cluster->waits_for, format, args);
	va_end(args);
}

static bool open_access(struct cmd_cluster *cluster, const struct cmd_cluster_options *options,
                        struct err *err)
{
	struct cli_context *context = cluster->context;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	struct kube_access_options access = {
		.kubeconfig = options->kubeconfig,
		.context = options->context,
		.namespace_ = options->namespace,
		.as = options->as,
		.as_uid = options->as_uid,
		.as_groups = &options->as_groups,
		.may_be_plain = options->allows_http,
		.exec = {.has_terminal = isatty(STDIN_FILENO),
	             .limit_ms = options->program_limit_ms,
	             .before = before_program,
	             .context = cluster},
		.getenv_fn = context->getenv,
		.clock = context->clock,
	};

	if (!kube_access_open(&cluster->access, &access, &faults, err))
		return false;
	cli_show_warnings(context, &faults);
	log_access(cluster);
	return true;
}

static bool open_client(struct cmd_cluster *cluster, const struct cmd_cluster_options *options,
                        struct err *err)
{
	struct http_options http = {.clock = cluster->context->clock,
	                            .log = cluster->context->general.verbosity ? on_log : NULL,
	                            .log_context = cluster};
	struct kube_client_options client = {.access = &cluster->access,
	                                     .timeout_ms = options->timeout_s * 1000,
	                                     .warn = warn,
	                                     .context = cluster};

	cluster->http = http_new(&http, err);
	cluster->loop = cluster->http ? loop_new(cluster->context->clock, err) : NULL;
	if (!cluster->loop)
		return false;
	client.http = cluster->http;
	client.loop = cluster->loop;
	cluster->client = kube_client_new(&client, err);
	if (!cluster->client)
		return false;
	loop_timer_set(cluster->loop, &cluster->tick, TICK_MS, on_tick, cluster);
	return true;
}

struct cmd_cluster *cmd_cluster_open(struct cli_context *context,
                                     const struct cmd_cluster_options *options, struct err *err)
{
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster = mem_alloc(sizeof(*cluster));

	if (!cluster) {
		err_memory(err);
		return NULL;
	}
	cluster->context = context;
	cluster->waits_for = (struct strbuf)STRBUF_INIT(TEXT_MAX_BYTES);
	if (!open_access(cluster, options, err) || !open_client(cluster, options, err))
		return NULL;
	return TAKE(cluster);
}

void cmd_cluster_close(struct cmd_cluster *cluster)
{
	if (!cluster)
		return;
	cli_progress_clear(cluster->context);
	loop_timer_stop(&cluster->tick);
	strbuf_release(&cluster->waits_for);
	kube_client_free(cluster->client);
	loop_free(cluster->loop);
	http_free(cluster->http);
	kube_access_release(&cluster->access);
	mem_free(cluster);
}

void cmd_cluster_closep(struct cmd_cluster **cluster)
{
	cmd_cluster_close(*cluster);
}

struct kube_client *cmd_cluster_client(struct cmd_cluster *cluster)
{
	return cluster->client;
}

const char *cmd_cluster_namespace(const struct cmd_cluster *cluster)
{
	return cluster->access.namespace_;
}
