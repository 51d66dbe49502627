// SPDX-License-Identifier: MIT
// The one place that turns a JSON tree into JSON text (RFC 8259).
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"

struct writer {
	struct strbuf *out;
	bool is_pretty;
	size_t depth;
};

static void write_string(struct strbuf *out, const char *text)
{
	static const char escapes[] = "\"\"\\\\\bb\ff\nn\rr\tt";

	strbuf_add_char(out, '"');
	for (; *text; text++) {
		const char *escape = escapes;

		while (*escape && *escape != *text)
			escape += 2;
		if (*escape)
			strbuf_addf(out, "\\%c", escape[1]);
		else if ((unsigned char)*text < 0x20 || *text == 0x7F)
			strbuf_addf(out, "\\u%04x", (unsigned)(unsigned char)*text);
		else
			strbuf_add_char(out, *text);
	}
	strbuf_add_char(out, '"');
}

// The shortest of the usual forms that reads back as the same double. Whole numbers that a double
// holds exactly have no exponent: Go does not read 1e+15 into an integer.
static void write_number(struct strbuf *out, double number)
{
	static const double exact_max = 9007199254740992.0; // 2^53
	char text[32];

	if (number >= -exact_max && number <= exact_max && number == (double)(int64_t)number) {
		strbuf_addf(out, "%" PRId64, (int64_t)number);
		return;
	}
	snprintf(text, sizeof(text), "%.15g", number);
	if (strtod(text, NULL) < number || strtod(text, NULL) > number)
		snprintf(text, sizeof(text), "%.17g", number);
	strbuf_add(out, text);
}

static void new_line(struct writer *w)
{
	if (!w->is_pretty)
		return;
	strbuf_add_char(w->out, '\n');
	strbuf_add_repeat(w->out, ' ', 2 * w->depth);
}

static void write_value(struct writer *w, const struct json *value);

static void write_children(struct writer *w, const struct json *value, char open, char close)
{
	const struct json *child = json_first(value);
	bool is_empty = !child;

	strbuf_add_char(w->out, open);
	w->depth++;
	for (; child && !w->out->failed; child = json_next(child)) {
		new_line(w);
		if (json_name(child)) {
			write_string(w->out, json_name(child));
			strbuf_add(w->out, w->is_pretty ? ": " : ":");
		}
		write_value(w, child);
		if (json_next(child))
			strbuf_add_char(w->out, ',');
	}
	w->depth--;
	if (!is_empty)
		new_line(w);
	strbuf_add_char(w->out, close);
}

static void write_value(struct writer *w, const struct json *value)
{
	switch (json_type(value)) {
	case JSON_NULL:
		strbuf_add(w->out, "null");
		break;
	case JSON_BOOL:
		strbuf_add(w->out, json_is_true(value) ? "true" : "false");
		break;
	case JSON_NUMBER:
		write_number(w->out, json_number(value));
		break;
	case JSON_STRING:
		write_string(w->out, json_string(value));
		break;
	case JSON_ARRAY:
		write_children(w, value, '[', ']');
		break;
	case JSON_OBJECT:
		write_children(w, value, '{', '}');
		break;
	}
}

void json_write(struct strbuf *out, const struct json *tree)
{
	struct writer w = {out, false, 0};

	write_value(&w, tree);
}

void json_write_pretty(struct strbuf *out, const struct json *tree)
{
	struct writer w = {out, true, 0};

	write_value(&w, tree);
	strbuf_add_char(out, '\n');
}
