// SPDX-License-Identifier: MIT
// base/json_pull and base/json_pick: how the text is cut never changes what comes out.
// The first byte chooses stream or single, the second the size of the chunks.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_pick.h"
#include "base/json_pull.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { TRACE_BYTES = 16 * 1024 * 1024 };

static const struct json_want wants[] = {
	{"type", 't', JSON_WANT_VALUE},
	{"items[]", 'i', JSON_WANT_VALUE},
	{"items[].metadata.name", 'n', JSON_WANT_VALUE},
	{"items[].metadata.labels.*", 'l', JSON_WANT_VALUE},
	{"items[].spec", 's', JSON_WANT_TEXT},
	{"items[].spec.c[].*", 'c', JSON_WANT_VALUE},
	{"a[][]", 'a', JSON_WANT_VALUE},
	{"*.b", 'b', JSON_WANT_TEXT},
};

static bool note(void *context, const struct json_pick_event *event, struct err *err)
{
	struct strbuf *out = context;

	(void)err;
	if (strlen(event->text) != event->len && event->type != JSON_PICK_TEXT)
		abort();
	strbuf_addf(out, "%c%d%s:", event->id, (int)event->type, event->name);
	strbuf_add_n(out, event->text, event->len);
	strbuf_add_char(out, '\n');
	return true;
}

// Feeds DATA in chunks, each in a block of its own, and writes the events and the end to OUT.
static bool pick_all(struct strbuf *out, const char *data, size_t len, size_t chunk, bool is_stream)
{
	struct json_pick_options options = {.wants = wants,
	                                    .want_count = COUNT_OF(wants),
	                                    .take = note,
	                                    .context = out,
	                                    .is_stream = is_stream,
	                                    .max_text_bytes = 64,
	                                    .max_record_bytes = 512};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_pick_ struct json_pick *pick = json_pick_new(&options, &err);
	bool is_ok = pick != NULL;

	for (size_t at = 0; is_ok && at < len; at += chunk) {
		size_t count = len - at < chunk ? len - at : chunk;
		_cleanup_free_ char *block = malloc(count);

		memcpy(block, data + at, count);
		is_ok = json_pick_feed(pick, block, count, &err);
	}
	is_ok = is_ok && json_pick_finish(pick, &err);
	strbuf_addf(out, "end: %s", is_ok ? "good" : err_message(&err));
	return is_ok;
}

// Text that cJSON refuses must be refused here: this reader is the stricter one, but for numbers
// beyond a double, which it hands on as text.
static void compare_with_tree(const char *data, size_t len)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = NULL;

	if (memchr(data, 0, len))
		return;
	tree = json_parse(data, len, &err);
	if (!tree && strcmp(err_message(&err), "a number that is too large for JSON") != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_strbuf_ struct strbuf whole = STRBUF_INIT(TRACE_BYTES);
	_cleanup_strbuf_ struct strbuf cut = STRBUF_INIT(TRACE_BYTES);
	const char *text = (const char *)data + 2;
	bool is_stream, is_ok;

	if (len < 2)
		return 0;
	is_stream = data[0] & 1;
	is_ok = pick_all(&whole, text, len - 2, len, is_stream);
	pick_all(&cut, text, len - 2, 1 + data[1] % 32u, is_stream);
	if (whole.len != cut.len || memcmp(strbuf_get(&whole), strbuf_get(&cut), whole.len) != 0)
		abort();
	if (is_ok && !is_stream)
		compare_with_tree(text, len - 2);
	return 0;
}
