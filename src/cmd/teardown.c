// SPDX-License-Identifier: MIT
#include "cmd/teardown.h"

#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "boot/inventory_edit.h"
#include "boot/run.h"
#include "cli/prompt.h"
#include "cmd/cluster_access.h"
#include "cmd/converge.h"
#include "cmd/run_view.h"
#include "kube/create.h"
#include "kube/drain.h"
#include "kube/job_info.h"
#include "kube/list.h"

enum { DRAIN_LIMIT_S = 300, FILE_MAX_BYTES = 1 << 20, JOBS_SHOWN = 20 };

static const char *const output_words[] = {"text", "json", NULL};

static const struct cli_option rows[] = {
	{.name = "file",
     .letter = 'f',
     .kind = CLI_STRING,
     .offset = offsetof(struct cmd_teardown_options, file.file),
     .metavar = "FILE",
     .completion = CLI_COMPLETE_FILE,
     .help = "the file that describes the cluster (default: cluster.yaml)"},
	{.name = "yes",
     .kind = CLI_FLAG,
     .offset = offsetof(struct cmd_teardown_options, is_sure),
     .help = "do not ask; needs --cluster"},
	{.name = "cluster",
     .kind = CLI_STRING,
     .offset = offsetof(struct cmd_teardown_options, cluster),
     .metavar = "NAME",
     .help = "with --yes: the cluster's name, which must be the file's"},
	{.name = "output",
     .letter = 'o',
     .kind = CLI_WORD,
     .offset = offsetof(struct cmd_teardown_options, output),
     .metavar = "FORMAT",
     .words = output_words,
     .help = "text, or json: an object a line for each event (default: text)"},
};
const struct cli_group cmd_teardown_group = {"Run", rows, COUNT_OF(rows)};

static const struct cli_option drain_rows[] = {
	{.name = "force",
     .kind = CLI_FLAG,
     .offset = offsetof(struct cmd_teardown_options, is_forced),
     .help = "take it out too where it is not reached or its pods do not go"},
	{.name = "timeout",
     .kind = CLI_DURATION,
     .min = 1,
     .offset = offsetof(struct cmd_teardown_options, drain_limit_s),
     .metavar = "DURATION",
     .help = "wait at most so long for its pods to go (default: 5m)"},
};
const struct cli_group cmd_teardown_drain_group = {"Remove", drain_rows, COUNT_OF(drain_rows)};

void cmd_teardown_options_init(struct cmd_teardown_options *options)
{
	cmd_hosts_options_init(&options->hosts);
	options->drain_limit_s = DRAIN_LIMIT_S;
}

void cmd_teardown_options_release(struct cmd_teardown_options *options)
{
	cmd_file_options_release(&options->file);
	cmd_hosts_options_release(&options->hosts);
	mem_free(options->cluster);
}

void cmd_teardown_check(const struct cmd_teardown_options *options, struct faults *faults)
{
	if (options->is_sure && !options->cluster)
		faults_add(faults, "--yes: say which cluster is meant: --cluster NAME");
}

struct teardown {
	struct cli_context *context;
	const struct cmd_teardown_options *options;
	const struct strv *names;
	struct boot_inventory inventory;
	struct cmd_hosts *hosts;
	struct boot_gathered *gathered;
	const struct boot_facts **facts;
	struct err *failures;
	bool *wanted;
	size_t count, first;
	bool is_whole; // the cluster ends
	char id[9];
	char *folder;
	struct run_view view;
	struct secret admin_conf;
	struct boot_api *api; // NULL: not reached
	struct boot_run *run;
	int64_t began_ms;
};

static void teardown_release(struct teardown *all)
{
	boot_run_free(all->run);
	boot_api_close(all->api);
	cmd_hosts_close(all->hosts);
	run_view_release(&all->view);
	secret_release(&all->admin_conf);
	if (all->gathered)
		boot_gathered_release(all->gathered, all->count);
	for (size_t i = 0; all->failures && i < all->count; i++)
		err_clear(&all->failures[i]);
	mem_free(all->gathered);
	mem_free(all->facts);
	mem_free(all->failures);
	mem_free(all->wanted);
	mem_free(all->folder);
	boot_inventory_release(&all->inventory);
}

// Which hosts are meant.
static bool choose(struct teardown *all, struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	size_t planes = 0;

	for (size_t i = 0; i < all->names->count; i++)
		if (!boot_inventory_host(&all->inventory, all->names->items[i]))
			faults_add(&faults, "%s has no host \"%s\"", all->inventory.file, all->names->items[i]);
	for (size_t i = 0; i < all->count; i++) {
		const struct boot_host *host = &all->inventory.hosts[i];

		all->wanted[i] = all->is_whole || strv_contains(all->names, host->name);
		planes += host->is_control_plane && !all->wanted[i];
	}
	if (!all->is_whole && !planes)
		faults_add(&faults, "no control plane would be left: `vpsml down` ends the cluster");
	if (!all->is_whole && all->wanted[all->first] && planes)
		faults_add(
			&faults,
			"%s is the first control plane, by which the others are reached: move another one "
			"before it in %s",
			all->inventory.hosts[all->first].name, all->inventory.file);
	return faults_none(&faults, err);
}

// Has anybody answered who is needed: any host, or the one by which the cluster is reached?
static bool has_answers(const struct teardown *all)
{
	bool has_any = false;

	for (size_t i = 0; i < all->count; i++)
		has_any |= all->facts[i] != NULL;
	return has_any && (all->is_whole || all->facts[all->first]);
}

// Before any host is asked.
static bool may_go_on(const struct teardown *all, struct err *err)
{
	const struct cmd_teardown_options *options = all->options;
	const char *name = all->inventory.name;

	if (options->is_sure && strcmp(options->cluster, name) != 0)
		return err_set(err, ERR_USAGE, "--cluster: %s describes \"%s\", not \"%s\"",
		               all->inventory.file, name, options->cluster);
	if (options->is_sure || cli_can_ask())
		return true;
	err_set(err, ERR_USAGE, "nobody is there to be asked");
	return err_hint(err, "--yes --cluster %s", name);
}

static bool prepare(struct teardown *all, struct err *err)
{
	if (!cmd_file_load(all->context, &all->options->file, &all->inventory, err))
		return false;
	all->count = all->inventory.host_count;
	all->first = boot_inventory_first(&all->inventory);
	all->gathered = mem_alloc(all->count * sizeof(*all->gathered));
	all->facts = mem_alloc(all->count * sizeof(*all->facts));
	all->failures = mem_alloc(all->count * sizeof(*all->failures));
	all->wanted = mem_alloc(all->count * sizeof(*all->wanted));
	if (!all->gathered || !all->facts || !all->failures || !all->wanted)
		return err_memory(err);
	if (!choose(all, err) || !may_go_on(all, err) || !cmd_make_run_id(all->id, err))
		return false;
	all->hosts = cmd_hosts_open_inventory(all->context, &all->options->hosts, &all->inventory, err);
	if (!all->hosts ||
	    !cmd_file_gather(all->context, all->hosts, &all->inventory, all->gathered, err))
		return false;
	for (size_t i = 0; i < all->count; i++) {
		all->facts[i] = all->gathered[i].is_known ? &all->gathered[i].facts : NULL;
		if (!all->facts[i])
			err_copy(&all->failures[i], &all->gathered[i].failure);
	}
	boot_inventory_complete(&all->inventory, all->facts);
	return has_answers(all) || boot_gather_failures(&all->inventory, all->gathered, err);
}

// What is lost: shown before the question

struct running {
	struct strbuf names;
	size_t count;
};

static bool on_job(void *data, enum kube_record_change change, void *record, struct err *err)
{
	struct running *running = data;
	const struct kube_job_info *job = record;

	(void)change;
	(void)err;
	if (!job->active)
		return true;
	if (running->count++ < JOBS_SHOWN) {
		strbuf_addf(&running->names, "%s", running->names.len ? ", " : "");
		text_sanitize(&running->names, job->namespace, strlen(job->namespace), TEXT_ONE_LINE);
		strbuf_add_char(&running->names, '/');
		text_sanitize(&running->names, job->name, strlen(job->name), TEXT_ONE_LINE);
	}
	return true;
}

static void add_jobs(struct teardown *all, struct strbuf *out)
{
	struct running running = {STRBUF_INIT(16384), 0};
	_cleanup_err_ struct err err = ERR_INIT;
	const struct kube_list_options list = {
		.collection = &kube_jobs,
		.kind = &kube_job_record,
		.on_record = on_job,
		.context = &running,
	};

	if (!all->api || !kube_list_all(boot_api_client(all->api), &list, 1, &err))
		strbuf_add(out, "which jobs run is not known: the API server is not reached\n");
	else if (running.count)
		strbuf_addf(out, "%zu job%s run%s: %s%s\n", running.count, running.count == 1 ? "" : "s",
		            running.count == 1 ? "s" : "", strbuf_get(&running.names),
		            running.count > JOBS_SHOWN ? ", ..." : "");
	else
		strbuf_add(out, "no job runs\n");
	strbuf_release(&running.names);
}

static bool ask(struct teardown *all, struct err *err)
{
	const struct cmd_teardown_options *options = all->options;
	const char *name = all->inventory.name;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(256 << 10);
	_cleanup_secret_ struct secret answer = SECRET_INIT;

	if (options->is_sure)
		return true;
	strbuf_addf(&text,
	            all->is_whole ? "cluster %s ends, with everything in it, on:\n"
	                          : "these hosts leave cluster %s:\n",
	            name);
	for (size_t i = 0; i < all->count; i++)
		if (all->wanted[i])
			strbuf_addf(&text, "  %s%s\n", all->inventory.hosts[i].name,
			            all->facts[i] ? "" : " (not reached)");
	add_jobs(all, &text);
	strbuf_addf(&text, "the cluster's name, to go on: ");
	if (!strbuf_ok(&text, err) || !cli_ask(strbuf_get(&text), true, &answer, err))
		return false;
	return !strcmp(answer.data, name) || err_set(err, ERR_FAILED, "nothing was changed");
}

// Some hosts: their pods go elsewhere first, and their nodes are deleted in the end.

static bool is_missing(struct err *err)
{
	bool is_it = err->kind == ERR_REFUSED;

	if (is_it)
		err_clear(err);
	return is_it;
}

static bool empty_node(struct teardown *all, const char *name, struct err *err)
{
	struct kube_client *client = boot_api_client(all->api);
	_cleanup_kube_drain_ struct kube_drain drain = {.client = client};
	bool is_changed;

	if (!kube_cordon(client, name, true, &is_changed, err))
		return is_missing(err); // it never joined, or is gone already
	run_view_say(&all->view, name, "its pods go elsewhere");
	if (kube_drain_add(&drain, name, err) &&
	    kube_drain_run(&drain, all->options->drain_limit_s * 1000, err))
		return true;
	if (!all->options->is_forced) {
		err_wrap(err, "%s", name);
		return err_hint(err, "--force takes it out with its pods");
	}
	err_clear(err);
	return true;
}

static bool empty_nodes(struct teardown *all, struct err *err)
{
	if (!all->api) {
		err_set(err, ERR_UNREACHABLE, "the API server is not reached, so no node can be emptied");
		return err_hint(err, "`vpsml status` shows the hosts");
	}
	for (size_t i = 0; i < all->count; i++) {
		const char *name = all->inventory.hosts[i].name;

		if (!all->wanted[i])
			continue;
		if (!all->facts[i] && !all->options->is_forced) {
			err_copy(err, &all->failures[i]);
			err_wrap(err, "%s", name);
			return err_hint(err, "--force takes it out of the cluster all the same");
		}
		if (!empty_node(all, name, err))
			return false;
	}
	return true;
}

static bool delete_nodes(struct teardown *all, struct err *err)
{
	for (size_t i = 0; i < all->count; i++) {
		bool is_gone = false;

		if (!all->wanted[i])
			continue;
		if (!kube_delete(boot_api_client(all->api), &kube_nodes, NULL, all->inventory.hosts[i].name,
		                 &is_gone, err) &&
		    !(is_gone && is_missing(err)))
			return err_wrap(err, "%s", all->inventory.hosts[i].name);
	}
	return true;
}

static bool edit_file(struct teardown *all, struct err *err)
{
	const char *path = cmd_file_path(&all->options->file);
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FILE_MAX_BYTES);

	if (!file_read(path, &text, err))
		return false;
	for (size_t i = 0; i < all->names->count; i++) {
		_cleanup_strbuf_ struct strbuf next = STRBUF_INIT(FILE_MAX_BYTES);

		if (!boot_edit_remove_host(path, strbuf_get(&text), text.len, all->names->items[i], &next,
		                           err))
			return false;
		strbuf_clear(&text);
		strbuf_add_n(&text, strbuf_get(&next), next.len);
	}
	return strbuf_ok(&text, err) && file_write(path, strbuf_get(&text), text.len, err);
}

// Reset

static bool reset(struct teardown *all, struct err *err)
{
	struct boot_run_options options = {
		.mode = BOOT_MODE_RESET,
		.loop = cmd_hosts_loop(all->hosts),
		.inventory = &all->inventory,
		.links = cmd_hosts_links(all->hosts),
		.facts = all->facts,
		.failures = all->failures,
		.wanted = all->wanted,
		.id = all->id,
		.event = run_view_event,
		.context = &all->view,
	};

	all->folder = cmd_run_folder(all->context, all->inventory.name, all->id, err);
	if (!all->folder)
		return false;
	for (size_t i = 0; i < all->count; i++)
		if (!all->facts[i] && all->options->is_forced)
			all->wanted[i] = false; // it cannot be reset; what the cluster has of it goes
	options.folder = all->folder;
	all->run = boot_run_new(&options, err);
	if (!all->run)
		return false;
	while (!boot_run_is_over(all->run))
		if (!loop_run(cmd_hosts_loop(all->hosts), -1, err))
			return false;
	return boot_run_conclude(all->run, err);
}

static void sum_up(struct teardown *all)
{
	const struct clock *clock = all->context->clock;
	struct boot_run_summary summary;

	if (!all->run)
		return;
	boot_run_sum(all->run, &summary);
	run_view_summary(&all->view, &summary, 0, clock->monotonic_ms(clock->context) - all->began_ms,
	                 summary.changed > 0);
}

static bool drop_kubeconfig(struct teardown *all, struct err *err)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_kube_config_saved_ struct kube_config_saved saved = {0};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	if (!all->admin_conf.data)
		return true;
	path = kube_config_target(NULL, all->context->getenv, err);
	if (!path || !kube_config_drop(path, all->admin_conf.data, all->admin_conf.len,
	                               all->context->clock, &saved, err))
		return false;
	if (saved.is_changed) {
		strbuf_addf(&text, "kubeconfig %s: the cluster is taken out", saved.path);
		run_view_say(&all->view, NULL, strbuf_get(&text));
	}
	return true;
}

// The API is of use, but a cluster that is broken can be ended all the same.
static void reach_api(struct teardown *all)
{
	_cleanup_err_ struct err ignored = ERR_INIT;
	const struct boot_facts *first = all->facts[all->first];

	if (first && first->is_api_ready)
		all->api =
			cmd_access_open(all->context, all->hosts, &all->inventory, &all->admin_conf, &ignored);
}

static bool run_all(struct teardown *all, struct err *err)
{
	const struct clock *clock = all->context->clock;
	const char *output = all->options->output;

	if (!prepare(all, err))
		return false;
	reach_api(all);
	if (!ask(all, err))
		return false;
	all->began_ms = clock->monotonic_ms(clock->context);
	run_view_init(&all->view, all->context, &all->inventory,
	              output && !strcmp(output, output_words[1]));
	if (all->is_whole)
		return reset(all, err) && drop_kubeconfig(all, err);
	return empty_nodes(all, err) && reset(all, err) && delete_nodes(all, err) &&
	       edit_file(all, err);
}

bool cmd_teardown(struct cli_context *context, const struct cmd_teardown_options *options,
                  const struct strv *names, struct err *err)
{
	struct teardown all = {
		.context = context,
		.options = options,
		.names = names,
		.is_whole = !names->count,
	};
	bool is_ok = run_all(&all, err);

	sum_up(&all);
	teardown_release(&all);
	return is_ok;
}
