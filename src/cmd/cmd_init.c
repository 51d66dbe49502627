// SPDX-License-Identifier: MIT
// vpsml init: cluster.yaml for a first control plane, and that host brought up.
#include "cmd/commands.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "boot/upstream.h"
#include "cmd/converge.h"
#include "cmd/new_hosts.h"

enum { FILE_MAX_BYTES = 1 << 20 };

struct init_options {
	struct cmd_converge_options all;
	char *name, *node_name, *kubernetes, *endpoint, *advertised, *plugin, *pods, *services;
	bool is_file_only;
};

static const struct cli_option rows[] = {
	{.name = "name",
     .kind = CLI_STRING,
     .offset = offsetof(struct init_options, name),
     .metavar = "NAME",
     .help = "of the cluster (default: vpsml)"},
	{.name = "node-name",
     .kind = CLI_STRING,
     .offset = offsetof(struct init_options, node_name),
     .metavar = "NAME",
     .help = "of the host (default: the first part of HOST, or vps1)"},
	{.name = "kubernetes-version",
     .kind = CLI_STRING,
     .offset = offsetof(struct init_options, kubernetes),
     .metavar = "VERSION",
     .help = "exactly (default: " BOOT_UPSTREAM_KUBERNETES ")"},
	{.name = "control-plane-endpoint",
     .kind = CLI_STRING,
     .offset = offsetof(struct init_options, endpoint),
     .metavar = "HOST[:PORT]",
     .help = "where the API server is reached; needed for more control planes"},
	{.name = "apiserver-advertise-address",
     .kind = CLI_STRING,
     .offset = offsetof(struct init_options, advertised),
     .metavar = "ADDRESS",
     .help = "the host's own, for the other nodes (default: the one that SSH came in at)"},
	{.name = "network",
     .kind = CLI_STRING,
     .offset = offsetof(struct init_options, plugin),
     .metavar = "PLUGIN",
     .completion = CLI_COMPLETE_FILE,
     .help = "flannel, calico, none, or a manifest's path (default: flannel)"},
	{.name = "pod-network-cidr",
     .kind = CLI_STRING,
     .offset = offsetof(struct init_options, pods),
     .metavar = "CIDR",
     .help = "the pods' network (default: 10.244.0.0/16; calico: 10.233.64.0/18)"},
	{.name = "service-cidr",
     .kind = CLI_STRING,
     .offset = offsetof(struct init_options, services),
     .metavar = "CIDR",
     .help = "the services' network (default: 10.96.0.0/12)"},
	{.name = "file-only",
     .kind = CLI_FLAG,
     .offset = offsetof(struct init_options, is_file_only),
     .help = "write the file, and leave the host alone"},
};
static const struct cli_group group = {"Cluster", rows, COUNT_OF(rows)};

static void init(void *data)
{
	cmd_converge_options_init(&((struct init_options *)data)->all);
}

static void release(void *data)
{
	struct init_options *options = data;

	cmd_converge_options_release(&options->all);
	mem_free(options->name);
	mem_free(options->node_name);
	mem_free(options->kubernetes);
	mem_free(options->endpoint);
	mem_free(options->advertised);
	mem_free(options->plugin);
	mem_free(options->pods);
	mem_free(options->services);
}

static void check_value(struct faults *faults, const char *option, bool is_ok, struct err *err)
{
	if (is_ok)
		return;
	err_wrap(err, "%s", option);
	faults_take(faults, err);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	const struct init_options *options = data;
	_cleanup_err_ struct err err = ERR_INIT;
	struct boot_version version;
	struct boot_cidr cidr;
	struct boot_ip ip;

	if (context->words.count != 1)
		faults_add(faults, "which host? [USER@]HOST[:PORT]");
	if (options->all.file.file && !strcmp(options->all.file.file, "-"))
		faults_add(faults, "--file: is written to: a file's name, not -");
	if (options->kubernetes)
		check_value(faults, "--kubernetes-version",
		            boot_version_parse(options->kubernetes, &version, &err), &err);
	if (options->pods)
		check_value(faults, "--pod-network-cidr", boot_cidr_parse(options->pods, &cidr, &err),
		            &err);
	if (options->services)
		check_value(faults, "--service-cidr", boot_cidr_parse(options->services, &cidr, &err),
		            &err);
	if (options->advertised)
		check_value(faults, "--apiserver-advertise-address",
		            boot_ip_parse(options->advertised, &ip, &err), &err);
}

static bool has_settings(const struct init_options *options)
{
	return options->name || options->kubernetes || options->endpoint || options->advertised ||
	       options->plugin || options->pods || options->services;
}

// The file is there: if the host is its control plane, an earlier run goes on.
static bool check_old(struct cli_context *context, const struct init_options *options,
                      const char *path, struct err *err)
{
	_cleanup_boot_inventory_ struct boot_inventory inventory = {0};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FILE_MAX_BYTES);
	const struct boot_host *host;

	if (!boot_inventory_load(path, &inventory, err) ||
	    !cmd_new_host_find(context->words.items[0], &options->all.hosts, &inventory, &host, err))
		return false;
	if (!host || !host->is_control_plane) {
		err_set(err, ERR_USAGE, "%s is there already, for cluster \"%s\"", path, inventory.name);
		return err_hint(err, "vpsml join adds a host to it; -f names another file");
	}
	strbuf_addf(&text, "%s is there already and is kept%s", path,
	            has_settings(options) ? "; change the settings there" : "");
	cli_show_note(context, strbuf_get(&text));
	return true;
}

static bool write_new(struct cli_context *context, const struct init_options *options,
                      const char *path, struct err *err)
{
	_cleanup_cmd_new_host_ struct cmd_new_host host = {.name = NULL};
	_cleanup_boot_inventory_ struct boot_inventory inventory = {0};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FILE_MAX_BYTES), note = STRBUF_INIT(8192);
	struct boot_new_cluster cluster = {
		.name = options->name ? options->name : "vpsml",
		.kubernetes = options->kubernetes ? options->kubernetes : BOOT_UPSTREAM_KUBERNETES,
		.endpoint = options->endpoint,
		.plugin = options->plugin,
		.pod_cidr = options->pods,
		.service_cidr = options->services,
	};

	if (!cmd_new_host_make(context->words.items[0], options->node_name, &options->all.hosts, NULL,
	                       &host, err))
		return false;
	cluster.host = host.entry;
	cluster.host.role = "control-plane+worker";
	cluster.host.node_ip = options->advertised;
	boot_edit_new(&cluster, &text);
	if (!strbuf_ok(&text, err) ||
	    !boot_inventory_parse(path, NULL, strbuf_get(&text), text.len, &inventory, err))
		return false;
	if (!file_write(path, strbuf_get(&text), text.len, err))
		return false;
	strbuf_addf(&note, "%s written: cluster \"%s\" with host %s", path, cluster.name, host.name);
	cli_show_note(context, strbuf_get(&note));
	return true;
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	const struct init_options *options = data;
	const char *path = cmd_file_path(&options->all.file);
	bool is_there = !access(path, F_OK);

	if (!(is_there ? check_old : write_new)(context, options, path, err))
		return false;
	return options->is_file_only || cmd_converge(context, &options->all, err);
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_converge_group, offsetof(struct init_options, all)},
	{&cmd_file_group, offsetof(struct init_options, all.file)},
	{&cmd_hosts_group, offsetof(struct init_options, all.hosts)},
};

static const struct cli_example examples[] = {
	{"a cluster of one host", "vpsml init root@203.0.113.10"},
	{"look first: write the file, then show what would be done",
     "vpsml init root@203.0.113.10 --name lab --file-only && vpsml plan"},
	{"with a name that more control planes can share later",
     "vpsml init ops@vps1.example.org --control-plane-endpoint api.example.org"},
};

const struct cli_command cmd_init = {
	.name = "init",
	.page = "vpsml-init",
	.section = "Cluster",
	.args = "[USER@]HOST[:PORT]",
	.summary = "make a cluster of a first host",
	.about =
		"Writes cluster.yaml and makes the host a control plane that also runs jobs. Run again "
		"after a failure, it goes on where it was.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_max = 1,
	.options_size = sizeof(struct init_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
