// SPDX-License-Identifier: MIT
// Jobs from their pods, where nobody has listed the jobs.
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "mon/index.h"
#include "mon/join.h"
#include "mon/model.h"

enum { MAX_KEY_BYTES = 16 * 1024 };

// Which of two states of pods says more about their job: what runs, then what waits, then what failed.
static bool is_stronger(enum jobs_state a, enum jobs_state b)
{
	static const int ranks[JOBS_STATE_COUNT] = {
		[JOBS_RUNNING] = 5, [JOBS_STARTING] = 4,  [JOBS_PENDING] = 3,
		[JOBS_FAILED] = 2,  [JOBS_SUCCEEDED] = 1,
	};

	return ranks[a] > ranks[b];
}

static enum jobs_state state_of(const struct mon_pod *pod)
{
	switch (pod->phase) {
	case MON_POD_RUNNING:
		return JOBS_RUNNING;
	case MON_POD_SUCCEEDED:
		return JOBS_SUCCEEDED;
	case MON_POD_FAILED:
		return JOBS_FAILED;
	case MON_POD_PENDING:
	case MON_POD_UNKNOWN:
		break;
	}
	return *pod->node_name ? JOBS_STARTING : JOBS_PENDING;
}

static void earlier(int64_t *time_ms, int64_t other_ms)
{
	if (other_ms && (!*time_ms || other_ms < *time_ms))
		*time_ms = other_ms;
}

static void fold(struct mon_job *job, const struct mon_pod *pod, bool is_first)
{
	enum jobs_state state = state_of(pod);

	if (is_first || is_stronger(state, job->state)) {
		job->state = state;
		job->why = state == JOBS_RUNNING || state == JOBS_SUCCEEDED ? "" : pod->reason;
	}
	if (is_first) {
		job->user = pod->user;
		job->priority = pod->priority;
	}
	if (state != JOBS_SUCCEEDED && state != JOBS_FAILED)
		mon_add_capped(&job->gpus, pod->gpus);
	mon_add_capped(&job->restarts, pod->restarts);
	earlier(&job->created_ms, pod->created_ms);
	earlier(&job->started_ms, pod->started_ms);
	if (pod->ended_ms > job->ended_ms)
		job->ended_ms = pod->ended_ms;
}

// The place of the job's number; NULL when memory is short.
static long *place_of(struct mon_snapshot *s, struct mon_index *jobs, const char *namespace,
                      const char *name)
{
	_cleanup_strbuf_ struct strbuf key = STRBUF_INIT(MAX_KEY_BYTES);

	strbuf_addf(&key, "%s/%s", namespace, name);
	return mon_index_place(jobs, mon_snapshot_text_n(s, strbuf_get(&key), key.len));
}

static bool infer(struct mon_snapshot *s, struct mon_index *jobs)
{
	size_t listed = s->job_count;

	for (size_t i = 0; i < listed; i++) {
		long *place = place_of(s, jobs, s->jobs[i].namespace, s->jobs[i].name);

		if (!place)
			return false;
		*place = (long)i;
	}
	for (size_t i = 0; i < s->pod_count; i++) {
		const struct mon_pod *pod = &s->pods[i];
		long *place;
		bool is_first;

		if (!*pod->job_name)
			continue;
		place = place_of(s, jobs, pod->namespace, pod->job_name);
		if (!place)
			return false;
		is_first = *place == MON_INDEX_NONE;
		if (is_first) {
			*place = (long)s->job_count;
			mon_snapshot_add_job(s, pod->namespace, pod->job_name);
			if (s->is_out_of_memory)
				return false;
		}
		if ((size_t)*place >= listed)
			fold(&s->jobs[*place], pod, is_first);
	}
	return true;
}

void mon_snapshot_infer_jobs(struct mon_snapshot *s)
{
	struct mon_index *jobs = mon_index_new();

	if (!jobs || !infer(s, jobs))
		s->is_out_of_memory = true;
	for (size_t i = 0; i < s->job_count; i++)
		if (!jobs_state_is_end(s->jobs[i].state))
			s->jobs[i].ended_ms = 0; // one pod of it has ended
	mon_index_free(jobs);
}
