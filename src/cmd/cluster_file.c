// SPDX-License-Identifier: MIT
#include "cmd/cluster_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/progress.h"

static const struct cli_option rows[] = {
	{.name = "file",
     .letter = 'f',
     .kind = CLI_STRING,
     .offset = offsetof(struct cmd_file_options, file),
     .metavar = "FILE",
     .completion = CLI_COMPLETE_FILE,
     .help = "the file that describes the cluster (default: cluster.yaml)"},
	{.name = "limit",
     .kind = CLI_LIST,
     .offset = offsetof(struct cmd_file_options, limit),
     .metavar = "HOST",
     .help = "only this host of the file"},
};
const struct cli_group cmd_file_group = {"Cluster file", rows, COUNT_OF(rows)};

void cmd_file_options_release(struct cmd_file_options *options)
{
	mem_free(options->file);
	strv_release(&options->limit);
}

const char *cmd_file_path(const struct cmd_file_options *options)
{
	return options->file ? options->file : "cluster.yaml";
}

static bool check_limit(const struct cmd_file_options *options,
                        const struct boot_inventory *inventory, struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_free_ const char **names = mem_alloc((inventory->host_count + 1) * sizeof(*names));

	if (!names)
		return err_memory(err);
	for (size_t i = 0; i < inventory->host_count; i++)
		names[i] = inventory->hosts[i].name;
	for (size_t i = 0; i < options->limit.count; i++) {
		const char *name = options->limit.items[i], *nearest;

		if (boot_inventory_host(inventory, name))
			continue;
		nearest = text_nearest(name, names, inventory->host_count);
		faults_add(&faults, "--limit: %s has no host \"%s\"%s%s%s", inventory->file, name,
		           nearest ? ": \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
	}
	return faults_none(&faults, err);
}

static void show_warnings(struct cli_context *context, const struct boot_inventory *inventory)
{
	const struct faults faults = {.warnings = inventory->warnings};

	cli_show_warnings(context, &faults);
}

bool cmd_file_load(struct cli_context *context, const struct cmd_file_options *options,
                   struct boot_inventory *ret, struct err *err)
{
	const char *path = cmd_file_path(options);

	if (!options->file && access(path, F_OK) && errno == ENOENT) {
		err_set(err, ERR_USAGE, "there is no %s here", path);
		return err_hint(err, "vpsml init USER@HOST writes one; -f names another");
	}
	if (!boot_inventory_load(path, ret, err))
		return false;
	show_warnings(context, ret);
	if (check_limit(options, ret, err))
		return true;
	boot_inventory_release(ret);
	return false;
}

bool cmd_file_wants(const struct cmd_file_options *options, const struct boot_host *host)
{
	return !options->limit.count || strv_contains(&options->limit, host->name);
}

struct progress {
	struct cli_context *context;
	int64_t started_ms;
};

static int64_t now_ms(const struct cli_context *context)
{
	return context->clock->monotonic_ms(context->clock->context);
}

static void on_progress(void *data, size_t index, size_t done, size_t total)
{
	const struct progress *progress = data;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(128);

	(void)index;
	strbuf_addf(&text, "%zu of %zu hosts have answered", done, total);
	cli_progress_show(progress->context, strbuf_get(&text),
	                  (now_ms(progress->context) - progress->started_ms) / 1000);
}

bool cmd_file_gather(struct cli_context *context, const struct cmd_hosts *hosts,
                     const struct boot_inventory *inventory, struct boot_gathered *ret,
                     struct err *err)
{
	struct progress progress = {context, now_ms(context)};
	const struct boot_gather gather = {
		.loop = cmd_hosts_loop(hosts),
		.clock = context->clock,
		.links = cmd_hosts_links(hosts),
		.count = inventory->host_count,
		.endpoint = inventory->endpoint,
		.progress = on_progress,
		.context = &progress,
	};
	bool is_ok = boot_gather(&gather, ret, err);

	cli_progress_clear(context);
	return is_ok;
}
