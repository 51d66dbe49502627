// SPDX-License-Identifier: MIT
// vpsml join: more hosts in cluster.yaml, and joined.
#include "cmd/commands.h"

#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "cmd/converge.h"
#include "cmd/new_hosts.h"

enum { FILE_MAX_BYTES = 1 << 20 };

struct join_options {
	struct cmd_converge_options all;
	bool is_control_plane, is_file_only;
	char *node_name;
};

static const struct cli_option rows[] = {
	{.name = "control-plane",
     .kind = CLI_FLAG,
     .offset = offsetof(struct join_options, is_control_plane),
     .help = "as control planes; the cluster needs an endpoint"},
	{.name = "node-name",
     .kind = CLI_STRING,
     .offset = offsetof(struct join_options, node_name),
     .metavar = "NAME",
     .help = "of a single host (default: the first part of HOST, or the next of vps1, vps2, ...)"},
	{.name = "file-only",
     .kind = CLI_FLAG,
     .offset = offsetof(struct join_options, is_file_only),
     .help = "change the file, and leave the hosts alone"},
};
static const struct cli_group group = {"Hosts", rows, COUNT_OF(rows)};

static void init(void *data)
{
	cmd_converge_options_init(&((struct join_options *)data)->all);
}

static void release(void *data)
{
	struct join_options *options = data;

	cmd_converge_options_release(&options->all);
	mem_free(options->node_name);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	const struct join_options *options = data;

	if (!context->words.count)
		faults_add(faults, "which hosts? [USER@]HOST[:PORT]...");
	if (options->node_name && context->words.count > 1)
		faults_add(faults, "--node-name: is for a single host");
	if (options->all.file.file && !strcmp(options->all.file.file, "-"))
		faults_add(faults, "--file: is written to: a file's name, not -");
}

static bool load(const char *path, struct strbuf *text, struct err *err)
{
	if (file_read(path, text, err))
		return true;
	return err_hint(err, "vpsml init USER@HOST makes a cluster; -f names its file");
}

static void say_it_is_there(struct cli_context *context, const char *path, const char *name)
{
	_cleanup_strbuf_ struct strbuf note = STRBUF_INIT(FILE_MAX_BYTES);

	strbuf_addf(&note, "%s: %s is there already and stays as it is", path, name);
	cli_show_note(context, strbuf_get(&note));
}

// Adds the host that WORD means to TEXT, if it is not there, and its name to ADDED.
static bool add(struct cli_context *context, const struct join_options *options, const char *path,
                const char *word, struct strbuf *text, struct strbuf *added, struct err *err)
{
	_cleanup_boot_inventory_ struct boot_inventory inventory = {0};
	_cleanup_cmd_new_host_ struct cmd_new_host host = {.name = NULL};
	_cleanup_strbuf_ struct strbuf longer = STRBUF_INIT(FILE_MAX_BYTES);
	const struct boot_host *old;

	if (!boot_inventory_parse(path, NULL, strbuf_get(text), text->len, &inventory, err) ||
	    !cmd_new_host_find(word, &options->all.hosts, &inventory, &old, err))
		return false;
	if (old) {
		say_it_is_there(context, path, old->name);
		return true;
	}
	if (!cmd_new_host_make(word, options->node_name, &options->all.hosts, &inventory, &host, err))
		return false;
	host.entry.role = options->is_control_plane ? "control-plane" : "worker";
	if (!boot_edit_add_host(path, strbuf_get(text), text->len, &host.entry, &longer, err))
		return false;
	strbuf_clear(text);
	strbuf_add_n(text, strbuf_get(&longer), longer.len);
	strbuf_addf(added, "%s%s", added->len ? ", " : "", host.name);
	return strbuf_ok(text, err);
}

// Nothing is written before the file would be right with all of them.
static bool edit(struct cli_context *context, const struct join_options *options, const char *path,
                 struct err *err)
{
	_cleanup_boot_inventory_ struct boot_inventory inventory = {0};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf added = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf note = STRBUF_INIT(FILE_MAX_BYTES);

	if (!load(path, &text, err))
		return false;
	for (size_t i = 0; i < context->words.count; i++)
		if (!add(context, options, path, context->words.items[i], &text, &added, err))
			return false;
	if (!added.len)
		return true;
	if (!boot_inventory_parse(path, NULL, strbuf_get(&text), text.len, &inventory, err))
		return err_wrap(err, "with the new hosts");
	if (!file_write(path, strbuf_get(&text), text.len, err))
		return false;
	strbuf_addf(&note, "%s: added %s", path, strbuf_get(&added));
	cli_show_note(context, strbuf_get(&note));
	return true;
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	const struct join_options *options = data;

	if (!edit(context, options, cmd_file_path(&options->all.file), err))
		return false;
	return options->is_file_only || cmd_converge(context, &options->all, err);
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_converge_group, offsetof(struct join_options, all)},
	{&cmd_file_group, offsetof(struct join_options, all.file)},
	{&cmd_hosts_group, offsetof(struct join_options, all.hosts)},
};

static const struct cli_example examples[] = {
	{"two workers, one with a GPU", "vpsml join root@203.0.113.11 root@203.0.113.12"},
	{"a control plane", "vpsml join root@203.0.113.13 --control-plane"},
};

const struct cli_command cmd_join = {
	.name = "join",
	.page = "vpsml-join",
	.section = "Cluster",
	.args = "[USER@]HOST[:PORT]...",
	.summary = "add hosts to the cluster",
	.about =
		"Adds the hosts to cluster.yaml, where comments and layout stay as they are, and joins "
		"them. "
		"Hosts that are there already stay; run again after a failure, it goes on where it was.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_max = BOOT_HOSTS_MAX,
	.options_size = sizeof(struct join_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
