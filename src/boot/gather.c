// SPDX-License-Identifier: MIT
#include "boot/gather.h"

#include <string.h>

#include "base/mem.h"
#include "boot/plan.h"

enum { TIMEOUT_DEFAULT_MS = 60 * 1000, FAILURES_MAX_BYTES = 1 << 20 };

struct job;

struct query {
	struct job *job;
	size_t index;
};

struct job {
	const struct boot_gather *gather;
	struct boot_gathered *results;
	struct query *queries;
	size_t total, done;
};

static int64_t wall_ms(const struct job *job)
{
	const struct clock *clock = job->gather->clock;

	return clock->wall_ms(clock->context);
}

static void finish(struct query *query)
{
	struct job *job = query->job;

	job->results[query->index].answered_ms = wall_ms(job);
	job->done++;
	if (job->gather->progress)
		job->gather->progress(job->gather->context, query->index, job->done, job->total);
}

static void fail(struct query *query, const struct err *failure)
{
	struct boot_gathered *result = &query->job->results[query->index];

	err_copy(&result->failure, failure);
	finish(query);
}

static void on_answer(void *context, const struct ssh_result *result, const struct err *failure)
{
	struct query *query = context;
	struct boot_gathered *gathered = &query->job->results[query->index];
	_cleanup_err_ struct err err = ERR_INIT;

	if (failure) {
		fail(query, failure);
		return;
	}
	gathered->is_known = boot_facts_parse(result->out, result->out_len, &gathered->facts, &err);
	if (gathered->is_known)
		finish(query);
	else
		fail(query, &err);
}

// The question is asked only now, so that the time of connecting is not taken for a wrong clock.
static void on_connected(void *context, const struct err *failure)
{
	struct query *query = context;
	const struct boot_gather *gather = query->job->gather;
	const char *endpoint = gather->endpoint ? gather->endpoint : "";
	const char *const argv[] = {"/bin/sh", "-s", endpoint, NULL};
	const struct ssh_exec exec = {
		.argv = argv,
		.as_root = true,
		.input = boot_facts_script,
		.input_len = strlen(boot_facts_script),
		.timeout_ms = gather->timeout_ms ? gather->timeout_ms : TIMEOUT_DEFAULT_MS,
		.max_output_bytes = BOOT_FACTS_MAX_BYTES,
		.done = on_answer,
		.context = query,
	};
	_cleanup_err_ struct err err = ERR_INIT;
	uint64_t unused;

	query->job->results[query->index].asked_ms = wall_ms(query->job);
	if (failure)
		fail(query, failure);
	else if (!ssh_exec(gather->links[query->index], &exec, &unused, &err))
		fail(query, &err);
}

static void start(struct query *query)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!ssh_connect(query->job->gather->links[query->index], on_connected, query, &err))
		fail(query, &err);
}

bool boot_gather(const struct boot_gather *gather, struct boot_gathered *ret, struct err *err)
{
	_cleanup_free_ struct query *queries = mem_alloc((gather->count + 1) * sizeof(*queries));
	struct job job = {.gather = gather, .results = ret, .queries = queries};

	if (!queries)
		return err_memory(err);
	for (size_t i = 0; i < gather->count; i++)
		job.total += gather->links[i] != NULL;
	for (size_t i = 0; i < gather->count; i++) {
		queries[i] = (struct query){&job, i};
		if (gather->links[i])
			start(&queries[i]);
	}
	while (job.done < job.total)
		if (!loop_run(gather->loop, -1, err))
			return false; // what is asked may still answer: the links must be closed first
	return true;
}

bool boot_gather_failures(const struct boot_inventory *inventory,
                          const struct boot_gathered *gathered, struct err *err)
{
	_cleanup_strbuf_ struct strbuf lines = STRBUF_INIT(FAILURES_MAX_BYTES);
	const struct err *first = NULL;
	enum err_kind kind = ERR_AUTH;

	for (size_t i = 0; i < inventory->host_count; i++) {
		const struct err *failure = &gathered[i].failure;

		if (failure->kind == ERR_NONE)
			continue;
		strbuf_addf(&lines, "%s%s: %s", first ? "\n" : "", inventory->hosts[i].name,
		            err_message(failure));
		if (!first)
			first = failure;
		if (failure->kind != ERR_AUTH)
			kind = ERR_HOSTS;
	}
	if (!first)
		return true;
	err_set(err, kind, "%s", lines.failed ? "many hosts failed" : strbuf_get(&lines));
	return first->hint ? err_hint(err, "%s", first->hint) : false;
}

void boot_gather_check(struct boot_inventory *inventory, const struct boot_gathered *gathered,
                       struct faults *faults)
{
	size_t count = inventory->host_count;
	_cleanup_free_ const struct boot_facts **facts = mem_alloc((count + 1) * sizeof(*facts));
	_cleanup_free_ struct boot_seen *seen = mem_alloc((count + 1) * sizeof(*seen));

	if (!facts || !seen) {
		faults->is_out_of_memory = true;
		return;
	}
	for (size_t i = 0; i < count; i++) {
		facts[i] = gathered[i].is_known ? &gathered[i].facts : NULL;
		seen[i] = (struct boot_seen){facts[i], gathered[i].asked_ms, gathered[i].answered_ms,
		                             gathered[i].is_left_alone};
	}
	boot_inventory_complete(inventory, facts);
	boot_check_hosts(inventory, seen, faults);
}

void boot_gathered_release(struct boot_gathered *gathered, size_t count)
{
	for (size_t i = 0; gathered && i < count; i++) {
		boot_facts_release(&gathered[i].facts);
		err_clear(&gathered[i].failure);
	}
}
