// SPDX-License-Identifier: MIT
#include "cmd/plan_view.h"

#include <stdint.h>
#include <string.h>

#include "base/json_build.h"
#include "base/text.h"
#include "boot/check.h"
#include "boot/diff.h"

enum { PLAN_MAX_BYTES = 64 << 20, LINE_MAX_BYTES = 1 << 16 };

static bool is_shown(const struct cmd_plan_view *view, size_t index)
{
	return view->plan->facts[index] &&
	       cmd_file_wants(view->file, &view->plan->inventory.hosts[index]);
}

static bool has_cluster_steps(const struct cmd_plan_view *view)
{
	return !view->file->limit.count && view->plan->cluster.count;
}

size_t cmd_plan_count(const struct cmd_plan_view *view, size_t *ret_hosts)
{
	size_t count = has_cluster_steps(view) ? view->plan->cluster.count : 0;

	*ret_hosts = 0;
	for (size_t i = 0; i < view->plan->inventory.host_count; i++) {
		if (!is_shown(view, i))
			continue;
		count += view->plan->steps[i].count;
		*ret_hosts += view->plan->steps[i].count > 0;
	}
	return count;
}

// Text

static void write_head(struct strbuf *out, const struct boot_inventory *inventory)
{
	const struct boot_version *version = &inventory->kubernetes;

	strbuf_addf(out, "cluster %s: Kubernetes v%d.%d.%d", inventory->name, version->major,
	            version->minor, version->patch);
	strbuf_add(out, ", pods ");
	boot_cidr_write(out, &inventory->network.pod_cidr);
	strbuf_add(out, ", services ");
	boot_cidr_write(out, &inventory->network.svc_cidr);
	strbuf_add_char(out, '\n');
}

static void write_host(struct strbuf *out, const struct boot_host *host,
                       const struct boot_facts *facts)
{
	strbuf_addf(out, "\n%s  %s  ", host->name, cmd_plan_role(host));
	if (host->node_ip.is_set)
		boot_ip_write(out, &host->node_ip);
	strbuf_addf(out, "  %s, %lld CPUs, %.1f GiB", facts->os_name ? facts->os_name : "?",
	            (long long)facts->cpus, (double)facts->memory_kib / (1 << 20));
	if (facts->gpu_count)
		strbuf_addf(out, ", %zu GPU%s", facts->gpu_count, facts->gpu_count == 1 ? "" : "s");
	strbuf_add_char(out, '\n');
}

// Each line of TEXT behind BEFORE.
static void write_lines(struct strbuf *out, const char *before, const char *text)
{
	while (text && *text) {
		size_t len = strcspn(text, "\n");

		strbuf_add(out, before);
		strbuf_add_n(out, text, len);
		strbuf_add_char(out, '\n');
		text += len + (text[len] == '\n');
	}
}

static bool add_diff(struct strbuf *out, const struct boot_facts *facts,
                     const struct boot_file *file, struct err *err)
{
	const struct boot_file_fact *old = boot_facts_file(facts, file->path);

	if (file->is_secret || (old && !old->text)) {
		strbuf_addf(out, "+++ %s (%s)\n", file->path,
		            file->is_secret ? "secret, not shown" : "what is there is not text");
		return true;
	}
	return boot_diff(out, file->path, old ? old->text : NULL, file->content, err);
}

static bool write_details(struct strbuf *out, const struct boot_facts *facts,
                          const struct boot_step *step, int verbosity, struct err *err)
{
	if (!verbosity)
		return true;
	for (size_t i = 0; i < step->file_count; i++) {
		_cleanup_strbuf_ struct strbuf diff = STRBUF_INIT(PLAN_MAX_BYTES);

		if (!add_diff(&diff, facts, &step->files[i], err) || !strbuf_ok(&diff, err))
			return false;
		write_lines(out, "      ", strbuf_get(&diff));
	}
	if (verbosity > 1)
		write_lines(out, "      unless: ", step->check);
	write_lines(out, "      $ ", step->act);
	if (verbosity > 1)
		write_lines(out, "      then: ", step->verify);
	return true;
}

static bool write_steps(struct strbuf *out, const struct cmd_plan_view *view, size_t index,
                        struct err *err)
{
	const struct boot_steps *steps = &view->plan->steps[index];
	const struct boot_facts *facts = view->plan->facts[index];

	write_host(out, &view->plan->inventory.hosts[index], facts);
	if (!steps->count)
		strbuf_add(out, "  nothing to do\n");
	for (size_t i = 0; i < steps->count; i++) {
		const struct boot_step *step = &steps->items[i];

		strbuf_addf(out, "  %-9s  %s", boot_phase_word(step->phase), step->title);
		if (step->why)
			strbuf_addf(out, " (%s)", step->why);
		strbuf_add_char(out, '\n');
		if (!write_details(out, facts, step, view->verbosity, err))
			return false;
	}
	return true;
}

static void write_cluster(struct strbuf *out, const struct cmd_plan_view *view)
{
	const struct boot_cluster_steps *cluster = &view->plan->cluster;

	if (!has_cluster_steps(view))
		return;
	strbuf_add(out, "\nin the cluster\n");
	for (size_t i = 0; i < cluster->count; i++)
		strbuf_addf(out, "  %-13s  %s\n", cluster->items[i].name, cluster->items[i].title);
}

static void write_sum(struct strbuf *out, const struct cmd_plan_view *view)
{
	size_t hosts, count = cmd_plan_count(view, &hosts);

	if (count)
		strbuf_addf(out, "\n%zu step%s, on %zu of %zu hosts%s; nothing was changed\n", count,
		            count == 1 ? "" : "s", hosts, view->plan->inventory.host_count,
		            has_cluster_steps(view) ? " and in the cluster" : "");
	else
		strbuf_add(out, "\nnothing to do\n");
}

bool cmd_plan_write(struct strbuf *out, const struct cmd_plan_view *view, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(PLAN_MAX_BYTES);

	write_head(&text, &view->plan->inventory);
	for (size_t i = 0; i < view->plan->inventory.host_count; i++)
		if (is_shown(view, i) && !write_steps(&text, view, i, err))
			return false;
	write_cluster(&text, view);
	write_sum(&text, view);
	if (!strbuf_ok(&text, err))
		return false;
	text_sanitize(out, strbuf_get(&text), text.len, TEXT_KEEP_LINES);
	return strbuf_ok(out, err);
}

// Trees

static bool put_file(struct json_build *b, const struct boot_facts *facts,
                     const struct boot_file *file, struct err *err)
{
	_cleanup_strbuf_ struct strbuf diff = STRBUF_INIT(PLAN_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf mode = STRBUF_INIT(16);

	strbuf_addf(&mode, "%04o", file->mode);
	json_build_open_object(b, NULL);
	json_put_string(b, "path", file->path);
	json_put_text(b, "mode", &mode);
	json_put_bool(b, "secret", file->is_secret);
	if (!file->is_secret) {
		if (!add_diff(&diff, facts, file, err))
			return false;
		json_put_text(b, "diff", &diff);
	}
	json_build_close(b);
	return true;
}

static void put_optional(struct json_build *b, const char *name, const char *text)
{
	if (text)
		json_put_string(b, name, text);
}

static bool put_step(struct json_build *b, const struct boot_facts *facts,
                     const struct boot_step *step, struct err *err)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "name", step->name);
	json_put_string(b, "phase", boot_phase_word(step->phase));
	put_optional(b, "title", step->title);
	put_optional(b, "why", step->why);
	json_build_open_array(b, "files");
	for (size_t i = 0; i < step->file_count; i++)
		if (!put_file(b, facts, &step->files[i], err))
			return false;
	json_build_close(b);
	put_optional(b, "commands", step->act);
	json_build_close(b);
	return true;
}

static bool put_host(struct json_build *b, const struct cmd_plan_view *view, size_t index,
                     struct err *err)
{
	const struct boot_host *host = &view->plan->inventory.hosts[index];
	const struct boot_facts *facts = view->plan->facts[index];

	json_build_open_object(b, NULL);
	json_put_string(b, "name", host->name);
	json_put_string(b, "role", cmd_plan_role(host));
	json_put_bool(b, "answered", facts != NULL);
	json_build_open_array(b, "steps");
	for (size_t i = 0; facts && i < view->plan->steps[index].count; i++)
		if (!put_step(b, facts, &view->plan->steps[index].items[i], err))
			return false;
	json_build_close(b);
	json_build_close(b);
	return true;
}

static void put_cluster(struct json_build *b, const struct cmd_plan_view *view)
{
	json_build_open_array(b, "clusterSteps");
	for (size_t i = 0; has_cluster_steps(view) && i < view->plan->cluster.count; i++) {
		json_build_open_object(b, NULL);
		json_put_string(b, "name", view->plan->cluster.items[i].name);
		json_put_string(b, "title", view->plan->cluster.items[i].title);
		json_build_close(b);
	}
	json_build_close(b);
}

static void put_warnings(struct json_build *b, const struct strv *warnings)
{
	json_build_open_array(b, "warnings");
	for (size_t i = 0; i < warnings->count; i++)
		json_put_string(b, NULL, warnings->items[i]);
	json_build_close(b);
}

struct json *cmd_plan_tree(const struct cmd_plan_view *view, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	size_t hosts, count = cmd_plan_count(view, &hosts);

	json_build_open_object(&b, NULL);
	json_put_string(&b, "cluster", view->plan->inventory.name);
	json_put_i64(&b, "steps", (int64_t)count);
	json_build_open_array(&b, "hosts");
	for (size_t i = 0; i < view->plan->inventory.host_count; i++)
		if (cmd_file_wants(view->file, &view->plan->inventory.hosts[i]) &&
		    !put_host(&b, view, i, err))
			return NULL;
	json_build_close(&b);
	put_cluster(&b, view);
	put_warnings(&b, &view->plan->faults.warnings);
	json_build_close(&b);
	return json_build_take(&b, err);
}
