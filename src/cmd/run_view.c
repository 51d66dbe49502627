// SPDX-License-Identifier: MIT
#include "cmd/run_view.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "base/text.h"

enum { TEXT_MAX_BYTES = 1 << 20, ROWS_DEFAULT = 24, COLUMNS_DEFAULT = 80 };

static FILE *stream_of(const struct run_view *view)
{
	return view->context->out;
}

static void window(const struct run_view *view, size_t *ret_rows, size_t *ret_columns)
{
	struct winsize size;

	*ret_rows = ROWS_DEFAULT;
	*ret_columns = COLUMNS_DEFAULT;
	if (ioctl(fileno(stream_of(view)), TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return;
	*ret_rows = size.ws_row;
	*ret_columns = size.ws_col;
}

static bool can_live(const struct run_view *view)
{
	const char *term = cli_getenv(view->context, "TERM");
	size_t rows, columns;

	if (!isatty(fileno(stream_of(view))) || !term || !strcmp(term, "dumb"))
		return false;
	window(view, &rows, &columns);
	return view->count + 2 < rows;
}

void run_view_init(struct run_view *view, struct cli_context *context,
                   const struct boot_inventory *inventory, bool is_json)
{
	*view = (struct run_view){
		.context = context,
		.inventory = inventory,
		.count = inventory->host_count,
		.text = STRBUF_INIT(TEXT_MAX_BYTES),
	};
	view->lines = mem_alloc(view->count * sizeof(*view->lines));
	for (size_t i = 0; i < view->count; i++)
		if (strlen(inventory->hosts[i].name) > view->name_width)
			view->name_width = strlen(inventory->hosts[i].name);
	if (is_json)
		view->kind = RUN_VIEW_JSON;
	else if (view->lines && can_live(view))
		view->kind = RUN_VIEW_LIVE;
}

void run_view_release(struct run_view *view)
{
	for (size_t i = 0; view->lines && i < view->count; i++)
		mem_free(view->lines[i]);
	mem_free(view->lines);
	strbuf_release(&view->text);
}

// Writes what has been gathered. A reader that has gone is no reason to stop work on hosts.
static void flush(struct run_view *view)
{
	FILE *stream = stream_of(view);

	if (!view->is_output_over && !view->text.failed &&
	    (fwrite(strbuf_get(&view->text), 1, view->text.len, stream) != view->text.len ||
	     fflush(stream)))
		view->is_output_over = true;
	strbuf_clear(&view->text);
}

// Takes the hosts' lines off the terminal.
static void undraw(struct run_view *view)
{
	if (view->drawn)
		strbuf_addf(&view->text, "\033[%zuA\r\033[J", view->drawn);
	view->drawn = 0;
}

// Cuts to the terminal's width: a line that wraps would be two.
static void add_cut(struct strbuf *out, const char *line, size_t columns)
{
	size_t len = strlen(line), width = 0, at = 0;

	while (at < len && width + 1 < columns) {
		uint32_t c;
		size_t step = text_decode(line + at, len - at, &c);

		at += step ? step : 1;
		width++;
	}
	strbuf_add_n(out, line, at);
}

static void draw(struct run_view *view)
{
	size_t rows, columns;

	window(view, &rows, &columns);
	for (size_t i = 0; i < view->count; i++) {
		if (!view->lines[i])
			continue;
		add_cut(&view->text, view->lines[i], columns);
		strbuf_add_char(&view->text, '\n');
		view->drawn++;
	}
}

// A line that stays: above the hosts' lines on a terminal.
static void put_line(struct run_view *view, const char *host, const char *text)
{
	undraw(view);
	if (host)
		strbuf_addf(&view->text, "%-*s  %s\n", (int)view->name_width, host, text);
	else
		strbuf_addf(&view->text, "%s\n", text);
	if (view->kind == RUN_VIEW_LIVE)
		draw(view);
	flush(view);
}

static void set_line(struct run_view *view, size_t index, const char *text)
{
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(8192);

	strbuf_addf(&line, "%-*s  %s", (int)view->name_width, view->inventory->hosts[index].name, text);
	mem_free(view->lines[index]);
	view->lines[index] = mem_dup(strbuf_get(&line));
	undraw(view);
	draw(view);
	flush(view);
}

static void add_seconds(struct strbuf *out, int64_t ms)
{
	if (ms < 60000)
		strbuf_addf(out, "%lld.%lld s", (long long)(ms / 1000), (long long)(ms % 1000 / 100));
	else
		strbuf_addf(out, "%lld min %lld s", (long long)(ms / 60000), (long long)(ms / 1000 % 60));
}

static void describe(const struct boot_event *event, struct strbuf *out)
{
	switch (event->kind) {
	case BOOT_EVENT_STEP:
		strbuf_add(out, event->step->title);
		break;
	case BOOT_EVENT_SKIPPED:
		strbuf_addf(out, "%s: done already", event->step->name);
		break;
	case BOOT_EVENT_ENDED:
		strbuf_addf(out, "%s: done in ", event->step->name);
		add_seconds(out, event->ms);
		break;
	case BOOT_EVENT_NOTE:
		strbuf_add(out, event->text);
		break;
	case BOOT_EVENT_LOST:
		strbuf_addf(out, "connection lost (%s); trying again", event->text);
		break;
	case BOOT_EVENT_WAITING:
		strbuf_addf(out, "waits for %s", event->text);
		break;
	case BOOT_EVENT_DONE:
		strbuf_add(out, event->is_changed ? "done" : "nothing to do");
		break;
	default:
		strbuf_addf(out, "failed: %s", err_message(event->failure));
	}
}

void run_view_failure(struct run_view *view, const struct boot_event *event)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	for (size_t i = 0; event->lines && i < event->lines->count; i++) {
		_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(8192);

		strbuf_addf(&line, "  | %s", event->lines->items[i]);
		put_line(view, event->host, strbuf_get(&line));
	}
	if (event->log) {
		strbuf_addf(&text, "  all of it is in %s", event->log);
		put_line(view, event->host, strbuf_get(&text));
	}
}

// JSON

static const char *const words[] = {
	"step", "skipped", "ended", "note", "lost", "waiting", "done", "failed",
};

static void put_json(struct run_view *view, struct json_build *b)
{
	_cleanup_err_ struct err ignored = ERR_INIT;
	_cleanup_json_ struct json *tree = json_build_take(b, &ignored);

	if (!tree)
		return;
	json_write(&view->text, tree);
	strbuf_add_char(&view->text, '\n');
	flush(view);
}

static void put_failure(struct json_build *b, const struct boot_event *event)
{
	json_put_string(b, "message", err_message(event->failure));
	if (event->failure->hint)
		json_put_string(b, "hint", event->failure->hint);
	json_build_open_array(b, "lines");
	for (size_t i = 0; event->lines && i < event->lines->count; i++)
		json_put_string(b, NULL, event->lines->items[i]);
	json_build_close(b);
	if (event->log)
		json_put_string(b, "log", event->log);
}

static int64_t wall_ms(const struct run_view *view)
{
	const struct clock *clock = view->context->clock;

	return clock->wall_ms(clock->context);
}

static void json_event(struct run_view *view, const struct boot_event *event)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_put_i64(&b, "timeMs", wall_ms(view));
	json_put_string(&b, "event", words[event->kind]);
	json_put_string(&b, "host", event->host);
	if (event->step) {
		json_put_string(&b, "phase", boot_phase_word(event->step->phase));
		json_put_string(&b, "step", event->step->name);
		json_put_string(&b, "title", event->step->title);
	}
	if (event->text)
		json_put_string(&b, "text", event->text);
	if (event->kind == BOOT_EVENT_ENDED)
		json_put_i64(&b, "durationMs", event->ms);
	if (event->kind == BOOT_EVENT_DONE)
		json_put_bool(&b, "changed", event->is_changed);
	if (event->failure)
		put_failure(&b, event);
	json_build_close(&b);
	put_json(view, &b);
}

// Events

void run_view_event(void *data, const struct boot_event *event)
{
	struct run_view *view = data;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	if (view->kind == RUN_VIEW_JSON) {
		json_event(view, event);
		return;
	}
	describe(event, &text);
	if (view->kind == RUN_VIEW_LIVE)
		set_line(view, event->index, strbuf_get(&text));
	else if (event->kind != BOOT_EVENT_SKIPPED)
		put_line(view, event->host, strbuf_get(&text));
	if (event->kind == BOOT_EVENT_FAILED)
		run_view_failure(view, event);
}

void run_view_say(struct run_view *view, const char *host, const char *text)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	if (view->kind != RUN_VIEW_JSON) {
		put_line(view, host ? host : view->inventory->name, text);
		return;
	}
	json_build_open_object(&b, NULL);
	json_put_i64(&b, "timeMs", wall_ms(view));
	json_put_string(&b, "event", "cluster");
	if (host)
		json_put_string(&b, "host", host);
	json_put_string(&b, "text", text);
	json_build_close(&b);
	put_json(view, &b);
}

// The summary

static const char *const work_words[BOOT_WORK_COUNT] = {
	"own steps", "packages", "images", "kubeadm", "waiting",
};

static void json_summary(struct run_view *view, const struct boot_run_summary *summary,
                         int64_t wait_ms, int64_t all_ms, bool is_changed)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_put_i64(&b, "timeMs", wall_ms(view));
	json_put_string(&b, "event", "summary");
	json_put_i64(&b, "done", (int64_t)summary->done);
	json_put_i64(&b, "failed", (int64_t)summary->failed);
	json_put_bool(&b, "changed", is_changed);
	json_put_i64(&b, "wallMs", all_ms);
	json_put_i64(&b, "packagesMs", summary->work_ms[BOOT_WORK_PACKAGES]);
	json_put_i64(&b, "imagesMs", summary->work_ms[BOOT_WORK_PULL]);
	json_put_i64(&b, "kubeadmMs", summary->work_ms[BOOT_WORK_KUBEADM]);
	json_put_i64(&b, "waitingMs", wait_ms);
	json_put_i64(&b, "ownMs", all_ms - summary->outside_ms - wait_ms);
	json_put_i64(&b, "commandsMax", (int64_t)summary->execs_max);
	json_build_close(&b);
	put_json(view, &b);
}

void run_view_summary(struct run_view *view, const struct boot_run_summary *summary,
                      int64_t wait_ms, int64_t all_ms, bool is_changed)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	if (view->kind == RUN_VIEW_JSON) {
		json_summary(view, summary, wait_ms, all_ms, is_changed);
		return;
	}
	strbuf_addf(&text, "%zu host%s done%s", summary->done, summary->done == 1 ? "" : "s",
	            is_changed ? "" : ", nothing was changed");
	if (summary->failed)
		strbuf_addf(&text, ", %zu failed", summary->failed);
	strbuf_add(&text, ", in ");
	add_seconds(&text, all_ms);
	strbuf_add(&text, ": ");
	for (size_t i = BOOT_WORK_PACKAGES; i <= BOOT_WORK_KUBEADM; i++) {
		if (!summary->work_ms[i])
			continue;
		strbuf_addf(&text, "%s ", work_words[i]);
		add_seconds(&text, summary->work_ms[i]);
		strbuf_add(&text, ", ");
	}
	if (wait_ms) {
		strbuf_add(&text, "waiting for nodes and pods ");
		add_seconds(&text, wait_ms);
		strbuf_add(&text, ", ");
	}
	strbuf_add(&text, "vpsml itself ");
	add_seconds(&text, all_ms - summary->outside_ms - wait_ms);
	put_line(view, NULL, strbuf_get(&text));
}
