// SPDX-License-Identifier: MIT
#include "cmd/cluster.h"

#include "base/mem.h"

#define FIELD(member) .offset = offsetof(struct cmd_cluster_options, member)

static const struct cli_option rows[] = {
	{.name = "namespace",
     .letter = 'n',
     .kind = CLI_STRING,
     FIELD(namespace),
     .metavar = "NAMESPACE",
     .help = "namespace to work in (default: the context's)"},
	{.name = "context",
     .kind = CLI_STRING,
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
	const struct cli_context *context;
	struct kube_access access;
	struct http *http;
	struct loop *loop;
	struct kube_client *client;
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

static bool open_access(struct cmd_cluster *cluster, const struct cmd_cluster_options *options,
                        struct err *err)
{
	const struct cli_context *context = cluster->context;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	struct kube_access_options access = {
		.kubeconfig = options->kubeconfig,
		.context = options->context,
		.namespace_ = options->namespace,
		.as = options->as,
		.as_uid = options->as_uid,
		.as_groups = &options->as_groups,
		.may_be_plain = options->allows_http,
		.getenv_fn = context->getenv,
		.clock = context->clock,
	};

	if (!kube_access_open(&cluster->access, &access, &faults, err))
		return false;
	cli_show_warnings(context, &faults);
	return true;
}

static bool open_client(struct cmd_cluster *cluster, const struct cmd_cluster_options *options,
                        struct err *err)
{
	struct http_options http = {.clock = cluster->context->clock};
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
	return cluster->client;
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
	if (!open_access(cluster, options, err) || !open_client(cluster, options, err))
		return NULL;
	return TAKE(cluster);
}

void cmd_cluster_close(struct cmd_cluster *cluster)
{
	if (!cluster)
		return;
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
