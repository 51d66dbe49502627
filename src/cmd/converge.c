// SPDX-License-Identifier: MIT
#include "cmd/converge.h"

#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/mem.h"
#include "base/secret.h"
#include "boot/finish.h"
#include "boot/run.h"
#include "cmd/cluster_access.h"
#include "cmd/fetch_url.h"
#include "cmd/run_view.h"

enum { NODE_MS = 300000 };

static const char *const output_words[] = {"text", "json", NULL};

static const struct cli_option rows[] = {
	{.name = "output",
     .letter = 'o',
     .kind = CLI_WORD,
     .offset = offsetof(struct cmd_converge_options, output),
     .metavar = "FORMAT",
     .words = output_words,
     .help = "text, or json: an object a line for each event (default: text)"},
	{.name = "kubeconfig",
     .kind = CLI_STRING,
     .offset = offsetof(struct cmd_converge_options, kubeconfig),
     .metavar = "FILE",
     .completion = CLI_COMPLETE_FILE,
     .help = "the kubeconfig that gets the cluster (default: $KUBECONFIG, else ~/.kube/config)"},
	{.name = "no-kubeconfig",
     .kind = CLI_FLAG,
     .offset = offsetof(struct cmd_converge_options, has_no_kubeconfig),
     .help = "leave the kubeconfig alone"},
};
const struct cli_group cmd_converge_group = {"Run", rows, COUNT_OF(rows)};

void cmd_converge_options_init(struct cmd_converge_options *options)
{
	cmd_hosts_options_init(&options->hosts);
}

void cmd_converge_options_release(struct cmd_converge_options *options)
{
	cmd_file_options_release(&options->file);
	cmd_hosts_options_release(&options->hosts);
	mem_free(options->kubeconfig);
}

// Names of a run

bool cmd_make_run_id(char ret[9], struct err *err)
{
	unsigned char random[4];
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8);

	if (!secret_random(random, sizeof(random), err))
		return false;
	digest_add_hex(&text, random, sizeof(random));
	memcpy(ret, strbuf_get(&text), 9);
	return true;
}

void cmd_add_holder(struct strbuf *out, const char *run_id)
{
	const struct passwd *user = getpwuid(getuid());
	char name[256] = "";

	if (gethostname(name, sizeof(name) - 1))
		name[0] = '\0';
	strbuf_addf(out, "%s at %s, run %s", user ? user->pw_name : "somebody", name, run_id);
}

char *cmd_run_folder(struct cli_context *context, const char *cluster, const char *run_id,
                     struct err *err)
{
	_cleanup_free_ char *state = xdg_folder(XDG_STATE, context->getenv, err);
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(4096);

	if (!state)
		return NULL;
	strbuf_addf(&path, "%s/logs/%s/%s", state, cluster, run_id);
	return strbuf_take(&path, err);
}

// The whole of it

struct converge {
	struct cli_context *context;
	const struct cmd_converge_options *options;
	struct boot_inventory inventory;
	struct boot_texts texts;
	struct cmd_hosts *hosts;
	struct boot_gathered *gathered;
	const struct boot_facts **facts;
	struct err *failures;
	bool *wanted, *joined;
	size_t count, first;
	char id[9];
	char *folder;
	struct run_view view;
	struct boot_lock *lock;
	struct boot_run *run;
	struct secret admin_conf;
	struct boot_api *api;
	int64_t began_ms, wait_ms;
	bool is_changed;
};

static void converge_release(struct converge *all)
{
	boot_api_close(all->api);
	boot_run_free(all->run);
	boot_lock_free(all->lock);
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
	mem_free(all->joined);
	mem_free(all->folder);
	boot_texts_release(&all->texts);
	boot_inventory_release(&all->inventory);
}

static bool make_room(struct converge *all, struct err *err)
{
	all->count = all->inventory.host_count;
	all->first = boot_inventory_first(&all->inventory);
	all->gathered = mem_alloc(all->count * sizeof(*all->gathered));
	all->facts = mem_alloc(all->count * sizeof(*all->facts));
	all->failures = mem_alloc(all->count * sizeof(*all->failures));
	all->wanted = mem_alloc(all->count * sizeof(*all->wanted));
	all->joined = mem_alloc(all->count * sizeof(*all->joined));
	if (!all->gathered || !all->facts || !all->failures || !all->wanted || !all->joined)
		return err_memory(err);
	return true;
}

// What the hosts are, and what is wrong with them.
static bool look(struct converge *all, struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	if (!cmd_file_gather(all->context, all->hosts, &all->inventory, all->gathered, err))
		return false;
	for (size_t i = 0; i < all->count; i++) {
		all->facts[i] = all->gathered[i].is_known ? &all->gathered[i].facts : NULL;
		all->wanted[i] = cmd_file_wants(&all->options->file, &all->inventory.hosts[i]);
		all->gathered[i].is_left_alone = !all->wanted[i];
		if (!all->facts[i])
			err_copy(&all->failures[i], &all->gathered[i].failure);
	}
	boot_gather_check(&all->inventory, all->gathered, &faults);
	cli_show_warnings(all->context, &faults);
	if (!faults_none(&faults, err))
		return false;
	if (all->facts[all->first])
		return true;
	// without it nobody can be let in, and nothing can be locked
	return boot_gather_failures(&all->inventory, all->gathered, err);
}

static bool take_lock(struct converge *all, struct err *err)
{
	_cleanup_strbuf_ struct strbuf holder = STRBUF_INIT(1024);

	cmd_add_holder(&holder, all->id);
	all->lock = boot_lock_take(cmd_hosts_loop(all->hosts), cmd_hosts_link(all->hosts, all->first),
	                           strbuf_get(&holder), err);
	return all->lock;
}

static bool start(struct converge *all, struct err *err)
{
	struct boot_run_options options = {
		.mode = BOOT_MODE_UP,
		.loop = cmd_hosts_loop(all->hosts),
		.inventory = &all->inventory,
		.links = cmd_hosts_links(all->hosts),
		.facts = all->facts,
		.failures = all->failures,
		.wanted = all->wanted,
		.texts = &all->texts,
		.id = all->id,
		.event = run_view_event,
		.context = &all->view,
	};

	all->folder = cmd_run_folder(all->context, all->inventory.name, all->id, err);
	if (!all->folder)
		return false;
	options.folder = all->folder;
	all->run = boot_run_new(&options, err);
	return all->run;
}

static bool run_until(struct converge *all, bool (*is_reached)(const struct boot_run *run),
                      struct err *err)
{
	while (!is_reached(all->run))
		if (!loop_run(cmd_hosts_loop(all->hosts), -1, err))
			return false;
	return true;
}

// The cluster's API

static void on_say(void *data, const char *what)
{
	run_view_say(data, NULL, what);
}

static bool open_api(struct converge *all, struct err *err)
{
	const struct secret *sent = boot_run_admin_conf(all->run);

	if (sent->data && !secret_set(&all->admin_conf, sent->data, sent->len, err))
		return false;
	all->api = cmd_access_open(all->context, all->hosts, &all->inventory, &all->admin_conf, err);
	return all->api;
}

static struct boot_finish make_finish(struct converge *all)
{
	return (struct boot_finish){
		.client = boot_api_client(all->api),
		.loop = cmd_hosts_loop(all->hosts),
		.inventory = &all->inventory,
		.facts = all->facts,
		.joined = all->joined,
		.fetch = cmd_fetch_url,
		.fetch_context = all->context,
		.say = on_say,
		.context = &all->view,
	};
}

static bool finish_network(struct converge *all, struct err *err)
{
	struct boot_finish finish = make_finish(all);
	bool is_ok = boot_finish_network(&finish, err);

	all->is_changed |= finish.is_changed;
	return is_ok;
}

// Every host that has joined must be a node that is Ready; those that are not are told.
static bool finish_nodes(struct converge *all, struct faults *faults)
{
	struct boot_finish finish = make_finish(all);
	struct loop *loop = cmd_hosts_loop(all->hosts);
	int64_t until = loop_now_ms(loop) + NODE_MS;
	bool is_ok = true;

	for (size_t i = 0; i < all->count; i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		int64_t left = until - loop_now_ms(loop);

		all->joined[i] = all->wanted[i] && boot_run_host_is_done(all->run, i);
		if (!all->joined[i] || boot_finish_node(&finish, i, left > 1000 ? left : 1000, &err))
			continue;
		all->joined[i] = is_ok = false;
		err_wrap(&err, "%s", all->inventory.hosts[i].name);
		faults_take(faults, &err);
	}
	return is_ok;
}

static bool finish(struct converge *all, struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	int64_t since = loop_now_ms(cmd_hosts_loop(all->hosts));
	bool is_ok = finish_nodes(all, &faults);
	struct boot_finish finish = make_finish(all);

	if (!faults_none(&faults, err))
		err->kind = ERR_HOSTS;
	is_ok = is_ok && boot_finish_rest(&finish, &faults, err);
	cli_show_warnings(all->context, &faults);
	all->is_changed |= finish.is_changed;
	all->wait_ms = loop_now_ms(cmd_hosts_loop(all->hosts)) - since;
	return is_ok;
}

static bool save_kubeconfig(struct converge *all, struct err *err)
{
	_cleanup_kube_config_saved_ struct kube_config_saved saved = {0};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	if (all->options->has_no_kubeconfig)
		return true;
	if (!cmd_access_save(all->context, &all->inventory, &all->admin_conf, all->options->kubeconfig,
	                     &saved, err))
		return false;
	if (!saved.is_changed)
		return true;
	strbuf_addf(&text, "kubeconfig %s: context %s%s%s", saved.path, saved.context,
	            saved.backup ? "; the old one is kept as " : "", saved.backup ? saved.backup : "");
	run_view_say(&all->view, NULL, strbuf_get(&text));
	return true;
}

// In order

// Work that the API server does goes on in the loop beside the hosts that still join.
static bool work(struct converge *all, struct err *err)
{
	_cleanup_err_ struct err first = ERR_INIT; // what failed first; the hosts go on
	bool is_ok = run_until(all, boot_run_is_decided, err), has_cluster;

	if (!is_ok)
		return false;
	has_cluster = boot_run_has_cluster(all->run);
	is_ok = !has_cluster || (open_api(all, &first) && finish_network(all, &first));
	if (!run_until(all, boot_run_is_over, err))
		return false;
	is_ok = is_ok && (!has_cluster || (finish(all, &first) && save_kubeconfig(all, &first)));
	if (!boot_run_conclude(all->run, err))
		return false;
	return is_ok || err_copy(err, &first);
}

static void sum_up(struct converge *all)
{
	struct boot_run_summary summary;
	const struct clock *clock = all->context->clock;

	boot_run_sum(all->run, &summary);
	all->is_changed |= summary.changed > 0;
	run_view_summary(&all->view, &summary, all->wait_ms,
	                 clock->monotonic_ms(clock->context) - all->began_ms, all->is_changed);
}

static bool run_all(struct converge *all, struct err *err)
{
	const struct clock *clock = all->context->clock;
	const char *output = all->options->output;
	bool is_ok;

	all->began_ms = clock->monotonic_ms(clock->context);
	if (!cmd_file_load(all->context, &all->options->file, &all->inventory, err) ||
	    !boot_texts_load(&all->inventory, &all->texts, err) || !make_room(all, err) ||
	    !cmd_make_run_id(all->id, err))
		return false;
	all->hosts = cmd_hosts_open_inventory(all->context, &all->options->hosts, &all->inventory, err);
	if (!all->hosts || !look(all, err) || !take_lock(all, err))
		return false;
	run_view_init(&all->view, all->context, &all->inventory,
	              output && !strcmp(output, output_words[1]));
	if (!start(all, err))
		return false;
	is_ok = work(all, err);
	sum_up(all);
	return is_ok;
}

bool cmd_converge(struct cli_context *context, const struct cmd_converge_options *options,
                  struct err *err)
{
	struct converge all = {.context = context, .options = options};
	bool is_ok = run_all(&all, err);

	converge_release(&all);
	return is_ok;
}
