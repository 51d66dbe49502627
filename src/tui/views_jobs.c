// SPDX-License-Identifier: MIT
#include "tui/views.h"

#include <string.h>

#include "mon/show.h"
#include "tui/pen.h"

enum { MAX_TEXT_BYTES = 1024 };

static const struct mon_job *job_at(const struct mon_snapshot *s, size_t row)
{
	return &s->jobs[row];
}

static size_t count(const struct mon_snapshot *s)
{
	return s->job_count;
}

static void identify(const struct mon_snapshot *s, size_t row, struct strbuf *out)
{
	strbuf_addf(out, "%s/%s", job_at(s, row)->namespace, job_at(s, row)->name);
}

// What runs, what waits, what failed, what is done.
static int rank(const struct mon_snapshot *s, size_t row)
{
	static const int ranks[JOBS_STATE_COUNT] = {
		[JOBS_RUNNING] = 0,   [JOBS_STARTING] = 0, [JOBS_TERMINATING] = 1, [JOBS_PENDING] = 2,
		[JOBS_SUSPENDED] = 3, [JOBS_FAILED] = 4,   [JOBS_SUCCEEDED] = 5,   [JOBS_DELETED] = 5,
	};

	return ranks[job_at(s, row)->state];
}

static char mark(const struct mon_snapshot *s, size_t row)
{
	return job_at(s, row)->state == JOBS_FAILED ? '!' : ' ';
}

static struct tui_datum name(const struct mon_snapshot *s, size_t row)
{
	return tui_words(job_at(s, row)->name);
}

static struct tui_datum namespace(const struct mon_snapshot *s, size_t row)
{
	return tui_words(job_at(s, row)->namespace);
}

static struct tui_datum class(const struct mon_snapshot *s, size_t row)
{
	const char *name = job_at(s, row)->priority_class;

	return tui_words(strncmp(name, "vpsml-", 6) == 0 ? name + 6 : name);
}

static struct tui_datum state(const struct mon_snapshot *s, size_t row)
{
	return tui_words(jobs_state_words[job_at(s, row)->state]);
}

static void draw_state(const struct tui_pen *pen, size_t row)
{
	static const char *const words[JOBS_STATE_COUNT] = {
		[JOBS_PENDING] = "Pend",    [JOBS_STARTING] = "Init",  [JOBS_RUNNING] = "Run",
		[JOBS_SUSPENDED] = "Susp",  [JOBS_SUCCEEDED] = "Done", [JOBS_FAILED] = "Fail",
		[JOBS_TERMINATING] = "End", [JOBS_DELETED] = "Gone",
	};
	enum jobs_state state = job_at(pen->s, row)->state;

	tui_draw_text(pen,
	              state == JOBS_FAILED    ? TUI_FAULT
	              : state == JOBS_PENDING ? TUI_AMBER
	              : state == JOBS_RUNNING ? TUI_GOOD
	                                      : TUI_PLAIN,
	              words[state]);
}

static struct tui_datum gpus(const struct mon_snapshot *s, size_t row)
{
	return tui_number((double)job_at(s, row)->gpus);
}

static void draw_gpus(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_job *job = job_at(pen->s, row);

	if (!job->gpus) {
		tui_draw_text(pen, TUI_FAINT, "-");
		return;
	}
	strbuf_addf(&text, "%lld/%lld", (long long)job->gpus_running, (long long)job->gpus);
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

static struct tui_datum use(const struct mon_snapshot *s, size_t row)
{
	return tui_value(&job_at(s, row)->gpu_util_pct);
}

static void draw_use(const struct tui_pen *pen, size_t row)
{
	tui_draw_value(pen, &job_at(pen->s, row)->gpu_util_pct, 1, 0);
}

static void draw_least(const struct tui_pen *pen, size_t row)
{
	tui_draw_value(pen, &job_at(pen->s, row)->gpu_util_min_pct, 1, 0);
}

static struct tui_datum vram(const struct mon_snapshot *s, size_t row)
{
	return tui_value(&job_at(s, row)->vram_used_bytes);
}

static void draw_vram(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_value *value = &job_at(pen->s, row)->vram_used_bytes;

	if (!mon_value_is_known(value)) {
		tui_draw_value(pen, value, 1, 0);
		return;
	}
	mon_show_bytes(&text, value->number);
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

// Since it started; of what waits, since it was made; of what is over, since it ended.
static int64_t age_s(const struct mon_snapshot *s, const struct mon_job *job)
{
	int64_t from_ms = job->ended_ms     ? job->ended_ms
	                  : job->started_ms ? job->started_ms
	                                    : job->created_ms;

	return from_ms ? (s->now_ms - from_ms) / 1000 : -1;
}

static struct tui_datum age(const struct mon_snapshot *s, size_t row)
{
	int64_t seconds = age_s(s, job_at(s, row));

	return seconds < 0 ? tui_nothing() : tui_number((double)seconds);
}

static void draw_age(const struct tui_pen *pen, size_t row)
{
	tui_draw_age(pen, age_s(pen->s, job_at(pen->s, row)));
}

static struct tui_datum restarts(const struct mon_snapshot *s, size_t row)
{
	return tui_number((double)job_at(s, row)->restarts);
}

static void draw_restarts(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	int64_t number = job_at(pen->s, row)->restarts;

	strbuf_addf(&text, "%lld", (long long)number);
	tui_draw_text(pen, number ? TUI_PLAIN : TUI_FAINT, number ? strbuf_get(&text) : "-");
}

static struct tui_datum user(const struct mon_snapshot *s, size_t row)
{
	return tui_words(job_at(s, row)->user);
}

static struct tui_datum where(const struct mon_snapshot *s, size_t row)
{
	const struct mon_job *job = job_at(s, row);

	return tui_words(*job->why ? job->why : job->nodes);
}

static const struct tui_column columns[] = {
	{"JOB", "name", 14, 32, 0, false, TUI_ANYWHERE, name, NULL},
	{"NS", "ns", 7, 16, 3, false, TUI_ANYWHERE, namespace, NULL},
	{"PRIO", "class", 6, 8, 8, false, TUI_ANYWHERE, class, NULL},
	{"ST", "state", 4, 4, 0, false, TUI_ANYWHERE, state, draw_state},
	{"GPU", "gpus", 6, 7, 0, true, TUI_ANYWHERE, gpus, draw_gpus},
	{"UTIL%", "gpu", 5, 5, 1, true, TUI_ANYWHERE, use, draw_use},
	{"MIN%", NULL, 4, 4, 9, true, TUI_ANYWHERE, NULL, draw_least},
	{"VRAM", "vram", 5, 5, 2, true, TUI_ANYWHERE, vram, draw_vram},
	{"AGE", "age", 5, 5, 4, true, TUI_ANYWHERE, age, draw_age},
	{"RST", "restarts", 3, 4, 10, true, TUI_ANYWHERE, restarts, draw_restarts},
	{"USER", "user", 8, 12, 7, false, TUI_ANYWHERE, user, NULL},
	{"NODE / WHY", "why", 28, 200, 0, false, TUI_ANYWHERE, where, NULL},
};

const struct tui_view tui_view_jobs = {
	.name = "jobs",
	.key = 'j',
	.columns = columns,
	.column_count = COUNT_OF(columns),
	.large_sort = 0,
	.count = count,
	.identify = identify,
	.rank = rank,
	.is_ranked_when_small = true,
	.mark = mark,
	.empty = "no jobs",
};
