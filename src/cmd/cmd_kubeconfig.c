// SPDX-License-Identifier: MIT
// vpsml kubeconfig: fetch the access to the cluster of cluster.yaml.
#include "cmd/commands.h"

#include "base/mem.h"
#include "base/text.h"
#include "boot/run.h"
#include "cli/output.h"
#include "cmd/cluster_access.h"
#include "cmd/cluster_file.h"

enum { TEXT_MAX_BYTES = 1 << 20 };

struct kubeconfig_options {
	struct cmd_file_options file;
	struct cmd_hosts_options hosts;
	char *out;
	bool is_printed;
};

static const struct cli_option rows[] = {
	{.name = "print",
     .kind = CLI_FLAG,
     .offset = offsetof(struct kubeconfig_options, is_printed),
     .help = "write it to standard output, and change no file"},
	{.name = "out",
     .kind = CLI_STRING,
     .offset = offsetof(struct kubeconfig_options, out),
     .metavar = "FILE",
     .completion = CLI_COMPLETE_FILE,
     .help = "merge it into this file (default: $KUBECONFIG, else ~/.kube/config)"},
};
static const struct cli_group group = {"Kubeconfig", rows, COUNT_OF(rows)};

static void init(void *data)
{
	cmd_hosts_options_init(&((struct kubeconfig_options *)data)->hosts);
}

static void release(void *data)
{
	struct kubeconfig_options *options = data;

	cmd_file_options_release(&options->file);
	cmd_hosts_options_release(&options->hosts);
	mem_free(options->out);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	const struct kubeconfig_options *options = data;

	(void)context;
	if (options->is_printed && options->out)
		faults_add(faults, "--print: writes no file; leave out --out");
}

static bool print(struct cli_context *context, const struct boot_inventory *inventory,
                  const struct secret *admin_conf, struct err *err)
{
	struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf server = STRBUF_INIT(512);
	_cleanup_free_ char *name = NULL;
	struct kube_config_addition addition = {
		.fresh = admin_conf->data,
		.fresh_len = admin_conf->len,
		.name = inventory->name,
	};
	bool is_ok;

	cmd_access_add_server(inventory, &server);
	if (server.len)
		addition.server = strbuf_get(&server);
	is_ok = kube_config_merge("", "", 0, &addition, &text, &name, err) &&
	        cli_write_out(context, &text, err);
	secret_strbuf_release(&text);
	return is_ok;
}

static bool save(struct cli_context *context, const struct kubeconfig_options *options,
                 const struct boot_inventory *inventory, const struct secret *admin_conf,
                 struct err *err)
{
	_cleanup_kube_config_saved_ struct kube_config_saved saved = {0};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);

	if (!cmd_access_save(context, inventory, admin_conf, options->out, &saved, err))
		return false;
	if (context->general.is_quiet)
		return true;
	strbuf_add(&text, saved.path);
	strbuf_addf(&text, ": context %s%s\n", saved.context, saved.is_changed ? "" : " unchanged");
	if (saved.backup)
		strbuf_addf(&text, "the old one is kept as %s\n", saved.backup);
	return cli_write_out(context, &text, err);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	const struct kubeconfig_options *options = data;
	_cleanup_boot_inventory_ struct boot_inventory inventory = {0};
	_cleanup_secret_ struct secret admin_conf = SECRET_INIT;
	_cleanup_cmd_hosts_ struct cmd_hosts *hosts = NULL;

	if (!cmd_file_load(context, &options->file, &inventory, err))
		return false;
	hosts = cmd_hosts_open_inventory(context, &options->hosts, &inventory, err);
	if (!hosts || !boot_fetch_file(cmd_hosts_loop(hosts),
	                               cmd_hosts_link(hosts, boot_inventory_first(&inventory)),
	                               "/etc/kubernetes/admin.conf", &admin_conf, err))
		return false;
	return options->is_printed ? print(context, &inventory, &admin_conf, err)
	                           : save(context, options, &inventory, &admin_conf, err);
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_file_group, offsetof(struct kubeconfig_options, file)},
	{&cmd_hosts_group, offsetof(struct kubeconfig_options, hosts)},
};

static const struct cli_example examples[] = {
	{"into the kubeconfig that kubectl uses", "vpsml kubeconfig"},
	{"for somebody else", "vpsml kubeconfig --out lab.kubeconfig"},
};

const struct cli_command cmd_kubeconfig = {
	.name = "kubeconfig",
	.page = "vpsml-kubeconfig",
	.section = "Cluster",
	.summary = "fetch the administrator's access to the cluster",
	.about = "Fetches admin.conf from the first control plane of cluster.yaml and merges it into a "
			 "kubeconfig, under the cluster's name and with an address that is reached from here.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.options_size = sizeof(struct kubeconfig_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
