// SPDX-License-Identifier: MIT
// vpsml status: the hosts of cluster.yaml as they are.
#include "cmd/commands.h"

#include <string.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cmd/cluster_plan.h"
#include "yaml/yaml.h"

enum { OUT_MAX_BYTES = 16 << 20, CELL_MAX_BYTES = 4096, DAY_S = 86400 };

struct status_options {
	struct cmd_file_options file;
	struct cmd_hosts_options ssh;
	const char *format;
};

static const char *const formats[] = {"table", "wide", "json", "yaml", "csv", NULL};

static const struct cli_option rows[] = {
	{.name = "output",
     .letter = 'o',
     .kind = CLI_WORD,
     .offset = offsetof(struct status_options, format),
     .metavar = "FORMAT",
     .words = formats,
     .help = "table, wide, json, yaml or csv (default: table)"},
};
static const struct cli_group group = {"Status", rows, COUNT_OF(rows)};

static void init(void *data)
{
	struct status_options *options = data;

	options->format = formats[0];
	cmd_hosts_options_init(&options->ssh);
}

static void release(void *data)
{
	struct status_options *options = data;

	cmd_file_options_release(&options->file);
	cmd_hosts_options_release(&options->ssh);
}

// A host in words

static void write_state(struct strbuf *out, const struct cmd_plan *plan, size_t index)
{
	const struct boot_facts *facts = plan->facts[index];
	const char *server;

	if (!facts) {
		strbuf_add(out, "no answer");
		return;
	}
	switch (cmd_plan_membership(plan, index, &server)) {
	case BOOT_CLEAN:
		strbuf_add(out, "bare");
		break;
	case BOOT_MEMBER:
		strbuf_add(out, "joined");
		break;
	case BOOT_PARTIAL:
		strbuf_addf(out, "stopped at %s", facts->mark.step ? facts->mark.step : "?");
		break;
	case BOOT_FOREIGN:
		strbuf_addf(out, "of another cluster");
		break;
	}
	if (facts->busy)
		strbuf_addf(out, ", at work on %s", *facts->busy ? facts->busy : "?");
}

static void write_version(struct strbuf *out, const struct boot_version *version)
{
	if (version->major)
		strbuf_addf(out, "%d.%d.%d", version->major, version->minor, version->patch);
}

// Days that the certificate which ends first has left; false: there is none.
static bool days_left(const struct boot_facts *facts, int64_t now_s, int64_t *ret_days)
{
	int64_t first_s = INT64_MAX;

	for (size_t i = 0; i < facts->certificate_count; i++)
		if (facts->certificates[i].ends_s < first_s)
			first_s = facts->certificates[i].ends_s;
	if (first_s == INT64_MAX)
		return false;
	*ret_days = first_s < now_s ? -1 : (first_s - now_s) / DAY_S;
	return true;
}

static void write_certificates(struct strbuf *out, const struct boot_facts *facts, int64_t now_s)
{
	int64_t days;

	if (!facts || !days_left(facts, now_s, &days))
		return;
	if (days < 0)
		strbuf_add(out, "expired");
	else
		strbuf_addf(out, "%lldd", (long long)days);
}

// What is due on a host that has joined is where it has left the file; on others it is just due.
static void write_drift(struct strbuf *out, const struct cmd_plan *plan, size_t index)
{
	const struct boot_steps *steps = &plan->steps[index];
	const char *server;

	if (!plan->facts[index] || !steps->count)
		return;
	if (cmd_plan_membership(plan, index, &server) != BOOT_MEMBER) {
		strbuf_addf(out, "%zu steps", steps->count);
		return;
	}
	for (size_t i = 0; i < steps->count; i++)
		strbuf_addf(out, "%s%s", i ? "," : "", steps->items[i].name);
}

static void write_gpus(struct strbuf *out, const struct boot_facts *facts)
{
	if (facts && facts->gpu_count)
		strbuf_addf(out, "%zu, driver %s", facts->gpu_count,
		            facts->driver ? facts->driver : "not loaded");
}

// The table

static const struct cli_column columns[] = {
	{.title = "HOST"},
	{.title = "ROLE"},
	{.title = "STATE"},
	{.title = "KUBELET"},
	{.title = "CONTAINERD"},
	{.title = "CERTIFICATES", .is_right = true},
	{.title = "DUE"},
	{.title = "ADDRESS", .is_wide = true},
	{.title = "SYSTEM", .is_wide = true},
	{.title = "KERNEL", .is_wide = true},
	{.title = "GPUS", .is_wide = true},
};

static bool add_cell(struct cli_table *table, struct strbuf *cell, struct err *err)
{
	bool is_ok = strbuf_ok(cell, err) && cli_table_add(table, strbuf_get(cell), err);

	strbuf_clear(cell);
	return is_ok;
}

static bool add_wide(struct cli_table *table, const struct cmd_plan *plan, size_t index,
                     struct err *err)
{
	const struct boot_facts *facts = plan->facts[index];
	const struct boot_ip *ip = &plan->inventory.hosts[index].node_ip;
	_cleanup_strbuf_ struct strbuf cell = STRBUF_INIT(CELL_MAX_BYTES);

	if (ip->is_set)
		boot_ip_write(&cell, ip);
	if (!add_cell(table, &cell, err) || !cli_table_add(table, facts ? facts->os_name : NULL, err) ||
	    !cli_table_add(table, facts ? facts->kernel : NULL, err))
		return false;
	write_gpus(&cell, facts);
	return add_cell(table, &cell, err);
}

static bool add_row(struct cli_table *table, const struct cmd_plan *plan, size_t index,
                    int64_t now_s, struct err *err)
{
	const struct boot_facts *facts = plan->facts[index];
	const struct boot_host *host = &plan->inventory.hosts[index];
	_cleanup_strbuf_ struct strbuf cell = STRBUF_INIT(CELL_MAX_BYTES);

	if (!cli_table_add(table, host->name, err) || !cli_table_add(table, cmd_plan_role(host), err))
		return false;
	write_state(&cell, plan, index);
	if (!add_cell(table, &cell, err))
		return false;
	if (facts)
		write_version(&cell, &facts->kubelet);
	if (!add_cell(table, &cell, err))
		return false;
	if (facts)
		write_version(&cell, &facts->containerd);
	if (!add_cell(table, &cell, err))
		return false;
	write_certificates(&cell, facts, now_s);
	if (!add_cell(table, &cell, err))
		return false;
	write_drift(&cell, plan, index);
	return add_cell(table, &cell, err) && add_wide(table, plan, index, err);
}

static bool write_table(struct strbuf *out, const struct cmd_plan *plan,
                        const struct status_options *options, int64_t now_s, struct err *err)
{
	_cleanup_cli_table_ struct cli_table table = CLI_TABLE_INIT(columns);

	for (size_t i = 0; i < plan->inventory.host_count; i++)
		if (cmd_file_wants(&options->file, &plan->inventory.hosts[i]) &&
		    !add_row(&table, plan, i, now_s, err))
			return false;
	if (!strcmp(options->format, "csv"))
		cli_table_write_csv(out, &table);
	else
		cli_table_write(out, &table, !strcmp(options->format, "wide"));
	return true;
}

// The tree

static void put(struct json_build *b, const char *name, struct strbuf *text)
{
	if (text->len)
		json_put_text(b, name, text);
	strbuf_clear(text);
}

static void put_certificates(struct json_build *b, const struct boot_facts *facts, int64_t now_s)
{
	json_build_open_array(b, "certificates");
	for (size_t i = 0; i < facts->certificate_count; i++) {
		int64_t left_s = facts->certificates[i].ends_s - now_s;

		json_build_open_object(b, NULL);
		json_put_string(b, "path", facts->certificates[i].path);
		json_put_i64(b, "daysLeft", left_s < 0 ? -1 : left_s / DAY_S);
		json_build_close(b);
	}
	json_build_close(b);
}

static void put_facts(struct json_build *b, const struct cmd_plan *plan, size_t index,
                      int64_t now_s)
{
	const struct boot_facts *facts = plan->facts[index];
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(CELL_MAX_BYTES);

	write_version(&text, &facts->kubelet);
	put(b, "kubelet", &text);
	write_version(&text, &facts->containerd);
	put(b, "containerd", &text);
	strbuf_add(&text, facts->os_name ? facts->os_name : "");
	put(b, "system", &text);
	strbuf_add(&text, facts->kernel ? facts->kernel : "");
	put(b, "kernel", &text);
	json_put_i64(b, "gpus", (int64_t)facts->gpu_count);
	strbuf_add(&text, facts->driver ? facts->driver : "");
	put(b, "gpuDriver", &text);
	put_certificates(b, facts, now_s);
	json_build_open_array(b, "due");
	for (size_t i = 0; i < plan->steps[index].count; i++)
		json_put_string(b, NULL, plan->steps[index].items[i].name);
	json_build_close(b);
}

static void put_host(struct json_build *b, const struct cmd_plan *plan, size_t index, int64_t now_s)
{
	const struct boot_host *host = &plan->inventory.hosts[index];
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(CELL_MAX_BYTES);

	json_build_open_object(b, NULL);
	json_put_string(b, "name", host->name);
	json_put_string(b, "role", cmd_plan_role(host));
	json_put_bool(b, "answered", plan->facts[index] != NULL);
	write_state(&text, plan, index);
	put(b, "state", &text);
	if (host->node_ip.is_set)
		boot_ip_write(&text, &host->node_ip);
	put(b, "address", &text);
	if (plan->facts[index])
		put_facts(b, plan, index, now_s);
	json_build_close(b);
}

static bool write_tree(struct strbuf *out, const struct cmd_plan *plan,
                       const struct status_options *options, int64_t now_s, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "cluster", plan->inventory.name);
	json_build_open_array(&b, "hosts");
	for (size_t i = 0; i < plan->inventory.host_count; i++)
		if (cmd_file_wants(&options->file, &plan->inventory.hosts[i]))
			put_host(&b, plan, i, now_s);
	json_build_close(&b);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (!tree)
		return false;
	if (!strcmp(options->format, "yaml"))
		return yaml_write(out, tree, err);
	json_write_pretty(out, tree);
	return true;
}

// Faults that would stop `up` are only shown: the state is what was asked for.
static void show_faults(struct cli_context *context, struct faults *faults)
{
	_cleanup_faults_ struct faults shown = FAULTS_INIT;

	for (size_t i = 0; i < faults->errors.count; i++)
		faults_warn(&shown, "%s", faults->errors.items[i]);
	cli_show_warnings(context, &shown);
	cli_show_warnings(context, faults);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	const struct status_options *options = data;
	_cleanup_cmd_plan_ struct cmd_plan plan = {.faults = FAULTS_INIT};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(OUT_MAX_BYTES);
	int64_t now_s = context->clock->wall_ms(context->clock->context) / 1000;
	bool is_tree = !strcmp(options->format, "json") || !strcmp(options->format, "yaml");

	if (!cmd_plan_make(context, &options->file, &options->ssh, &plan, err))
		return false;
	show_faults(context, &plan.faults);
	if (!(is_tree ? write_tree : write_table)(&out, &plan, options, now_s, err) ||
	    !cli_write_out(context, &out, err))
		return false;
	return boot_gather_failures(&plan.inventory, plan.gathered, err);
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_file_group, offsetof(struct status_options, file)},
	{&cmd_hosts_group, offsetof(struct status_options, ssh)},
};

static const struct cli_example examples[] = {
	{"all hosts, with addresses and systems", "vpsml status -o wide"},
	{"what is due on a host, for a script",
     "vpsml status --limit gpu1 -o json | jq -r '.hosts[].due[]'"},
};

const struct cli_command cmd_status = {
	.name = "status",
	.page = "vpsml-status",
	.section = "Cluster",
	.summary = "show how far each host is",
	.about =
		"Asks every host of the file how far it is: bare, joined, stopped half-way or of another "
		"cluster; its versions, how long its certificates last, and what is due there before it "
		"is as the file says. Nothing is changed.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.options_size = sizeof(struct status_options),
	.init = init,
	.release = release,
	.run = run,
};
