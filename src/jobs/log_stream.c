// SPDX-License-Identifier: MIT
#include "jobs/log_stream.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "kube/collection.h"
#include "kube/timestamp.h"

enum {
	LINE_MAX_BYTES = 1024 * 1024, // a longer one is cut into pieces
	PATH_MAX_BYTES = 8192,
	TIMESTAMP_MAX_BYTES = 64,
	RETRY_MS = 1000,
	MAX_RETRIES = 30, // in a row, without a line between them
};

struct jobs_log_stream {
	struct kube_client *client;
	struct jobs_log_options options; // the strings are ours
	char *namespace, *pod, *container;
	struct strbuf line;
	uint64_t call_id;
	bool is_open;
	bool is_gone; // kubelet says that there is no log any more
	int retries;
	struct loop_timer timer;

	// The last line that was told, and how many had the same time: where to go on.
	int64_t last_ns;
	char last_text[TIMESTAMP_MAX_BYTES];
	int64_t same_count;
	int64_t seen_count; // lines with that time since the connection was made anew
};

static bool start(struct jobs_log_stream *stream, struct err *err);

// Was a line with this time told before the connection broke?
static bool is_repeated(struct jobs_log_stream *stream, int64_t ns)
{
	if (ns > stream->last_ns)
		return false;
	return ns < stream->last_ns || ++stream->seen_count <= stream->same_count;
}

static void remember(struct jobs_log_stream *stream, int64_t ns, const char *text, size_t len)
{
	stream->retries = 0;
	if (ns == stream->last_ns) {
		stream->same_count++;
		stream->seen_count = stream->same_count;
		return;
	}
	stream->last_ns = ns;
	stream->same_count = stream->seen_count = 1;
	memcpy(stream->last_text, text, len);
	stream->last_text[len] = '\0';
}

// What kubelet writes, with status 200, in place of a log whose container is gone.
static bool says_gone(const char *line, size_t len)
{
	static const char words[] = "unable to retrieve container logs for ";

	return len >= strlen(words) && !memcmp(line, words, strlen(words));
}

// "TIMESTAMP text". A line without a time (kubelet's own words, a piece of a long line) is told as it is.
static bool take_line(struct jobs_log_stream *stream, const char *line, size_t len, struct err *err)
{
	const char *blank = memchr(line, ' ', len);
	size_t head = blank ? (size_t)(blank - line) : 0;
	int64_t ns;

	if (!head || head >= TIMESTAMP_MAX_BYTES || !kube_timestamp_parse_ns(line, head, &ns)) {
		stream->is_gone = says_gone(line, len);
		return stream->is_gone ||
		       stream->options.on_line(stream->options.context, "", 0, line, len, err);
	}
	if (is_repeated(stream, ns))
		return true;
	remember(stream, ns, line, head);
	return stream->options.on_line(stream->options.context, line, head, blank + 1, len - head - 1,
	                               err);
}

static bool flush(struct jobs_log_stream *stream, struct err *err)
{
	bool is_ok = !stream->line.len || take_line(stream, stream->line.data, stream->line.len, err);

	strbuf_clear(&stream->line);
	return is_ok;
}

static bool on_body(void *context, const char *data, size_t len, struct err *err)
{
	struct jobs_log_stream *stream = context;

	while (len) {
		const char *end = memchr(data, '\n', len);
		size_t piece = end ? (size_t)(end - data) : len;
		size_t room = LINE_MAX_BYTES - stream->line.len;

		if (piece > room) {
			piece = room;
			end = NULL;
		}
		strbuf_add_n(&stream->line, data, piece);
		if (!strbuf_ok(&stream->line, err))
			return false;
		if ((end || stream->line.len == LINE_MAX_BYTES) && !flush(stream, err))
			return false;
		data += piece + (end ? 1 : 0);
		len -= piece + (end ? 1 : 0);
	}
	return true;
}

static void finish(struct jobs_log_stream *stream, const struct err *failure)
{
	stream->options.on_end(stream->options.context, failure);
}

static void on_retry(void *context)
{
	struct jobs_log_stream *stream = context;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!start(stream, &err))
		finish(stream, &err);
}

static bool may_retry(const struct jobs_log_stream *stream, const struct kube_result *result)
{
	return stream->options.follows && !result->refusal && stream->retries < MAX_RETRIES;
}

// What was left behind the last line feed; and whether this was a log at all.
static bool take_end(struct jobs_log_stream *stream, const struct kube_result *result,
                     struct err *err)
{
	if (!flush(stream, err))
		return false;
	if (result->failure || !stream->is_gone)
		return true;
	return err_set(err, ERR_REFUSED,
	               "kubelet no longer has the log of container \"%s\" of pod \"%s\"",
	               stream->container, stream->pod);
}

static void on_done(void *context, const struct kube_result *result)
{
	struct jobs_log_stream *stream = context;
	_cleanup_err_ struct err err = ERR_INIT;

	stream->is_open = false;
	if (result->failure && may_retry(stream, result)) {
		// What was cut off comes again as a whole line.
		strbuf_clear(&stream->line);
		stream->retries++;
		loop_timer_set(kube_client_loop(stream->client), &stream->timer, RETRY_MS, on_retry,
		               stream);
		return;
	}
	if (!take_end(stream, result, &err))
		finish(stream, &err);
	else
		finish(stream, result->failure);
}

static void add_number(struct strbuf *path, const char *key, int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	kube_query_add(path, key, text);
}

static void write_path(const struct jobs_log_stream *stream, struct strbuf *path)
{
	kube_path_write(path, &kube_pods, stream->namespace, stream->pod);
	strbuf_add(path, "/log");
	kube_query_add(path, "container", stream->container);
	kube_query_add(path, "timestamps", "true");
	if (stream->options.follows)
		kube_query_add(path, "follow", "true");
	if (stream->options.is_previous)
		kube_query_add(path, "previous", "true");
	if (*stream->last_text)
		kube_query_add(path, "sinceTime", stream->last_text);
	else if (stream->options.since_s)
		add_number(path, "sinceSeconds", stream->options.since_s);
	if (stream->options.tail >= 0 && !*stream->last_text)
		add_number(path, "tailLines", stream->options.tail);
}

static bool start(struct jobs_log_stream *stream, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	struct kube_call call = {.method = "GET",
	                         .is_stream = true,
	                         .wants_no_json = true,
	                         .body = on_body,
	                         .done = on_done,
	                         .context = stream};

	stream->seen_count = 0;
	write_path(stream, &path);
	if (!strbuf_ok(&path, err))
		return false;
	call.path = strbuf_get(&path);
	stream->is_open = kube_client_start(stream->client, &call, &stream->call_id, err);
	return stream->is_open;
}

struct jobs_log_stream *jobs_log_open(struct kube_client *client,
                                      const struct jobs_log_options *options, struct err *err)
{
	struct jobs_log_stream *stream = mem_alloc(sizeof(*stream));

	if (!stream) {
		err_memory(err);
		return NULL;
	}
	stream->client = client;
	stream->options = *options;
	stream->line = (struct strbuf)STRBUF_INIT(LINE_MAX_BYTES);
	stream->namespace = mem_dup(options->namespace);
	stream->pod = mem_dup(options->pod);
	stream->container = mem_dup(options->container);
	if (!stream->namespace || !stream->pod || !stream->container)
		err_memory(err);
	else if (start(stream, err))
		return stream;
	jobs_log_free(stream);
	return NULL;
}

bool jobs_log_reopen(struct jobs_log_stream *stream, struct err *err)
{
	if (stream->is_open)
		return true;
	loop_timer_stop(&stream->timer);
	return start(stream, err);
}

void jobs_log_free(struct jobs_log_stream *stream)
{
	if (!stream)
		return;
	loop_timer_stop(&stream->timer);
	if (stream->is_open)
		kube_client_cancel(stream->client, stream->call_id);
	strbuf_release(&stream->line);
	mem_free(stream->namespace);
	mem_free(stream->pod);
	mem_free(stream->container);
	mem_free(stream);
}
