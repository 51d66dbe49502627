// SPDX-License-Identifier: MIT
// The one place that turns a JSON tree into YAML text. It has its own emitter because libyaml's
// does not know which texts another reader takes for a number, a truth value or a date.
#include "yaml/yaml.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"

// A reader looks for the colon of a one-line key in its first 1024 characters only (YAML 1.2.2,
// 7.4.2); a longer key needs "? ".
enum { KEY_MAX_BYTES = 1000, ESCAPE_MAX_BYTES = 6, NUMBER_MAX_BYTES = 64 };

struct writer {
	struct strbuf *out;
	const struct json *not_utf8; // the first value that YAML cannot hold
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word_char(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || (c && strchr("_/.-", c));
}

// Words that some reader takes for a truth value, nothing, or a number.
static bool is_reserved(const char *text)
{
	static const char *const words[] = {"y",   "n",    "yes", "no",  "true",     "false", "on",
	                                    "off", "null", "nil", "inf", "infinity", "nan"};

	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (!strcasecmp(text, words[i]))
			return true;
	return false;
}

// Whether TEXT may stand without quotes. It starts with a letter, so it is no number, date, time or
// marker in any YAML; and no indicator can come up: of : @ = + and the blank, which mean something
// only at the start, before a blank, or before #, each must stand between two harmless characters.
static bool is_plain(const char *text)
{
	if (!is_letter(*text) && *text != '_' && *text != '/')
		return false;
	for (const char *p = text + 1; *p; p++)
		if (!is_word_char(*p) &&
		    !(strchr(":@=+ ", *p) && is_word_char(p[-1]) && is_word_char(p[1])))
			return false;
	return !is_reserved(text);
}

// Characters that a YAML reader refuses or takes for a line end, or that a terminal acts upon.
static bool must_escape(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
	       (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF ||
	       c == 0xFFFE || c == 0xFFFF;
}

static void write_escaped(struct strbuf *out, uint32_t c)
{
	if (c == '\n')
		strbuf_add(out, "\\n");
	else if (c == '\t')
		strbuf_add(out, "\\t");
	else if (c == '\r')
		strbuf_add(out, "\\r");
	else
		strbuf_addf(out, "\\u%04x", (unsigned)c);
}

static void write_quoted(struct strbuf *out, const char *text)
{
	size_t left = strlen(text), step;

	strbuf_add_char(out, '"');
	for (; left; text += step, left -= step) {
		uint32_t c;

		step = text_decode(text, left, &c);
		if (must_escape(c)) {
			write_escaped(out, c);
			continue;
		}
		if (c == '"' || c == '\\')
			strbuf_add_char(out, '\\');
		strbuf_add_n(out, text, step);
	}
	strbuf_add_char(out, '"');
}

// Whether a | block keeps TEXT: several lines, the first one with text at its start, blanks at no
// line's end, at most one line feed at the end, and nothing that would need an escape.
static bool is_block(const char *text)
{
	size_t left = strlen(text), step;
	const char *end = strchr(text, '\n');

	if (!end || !end[1] || *text == ' ' || *text == '\t' || *text == '\n')
		return false;
	if (text[left - 1] == ' ' || text[left - 1] == '\t' || !strcmp(text + left - 2, "\n\n"))
		return false;
	for (; left; text += step, left -= step) {
		uint32_t c;

		step = text_decode(text, left, &c);
		if (must_escape(c) && c != '\n' && c != '\t')
			return false;
		if ((c == ' ' || c == '\t') && text[1] == '\n')
			return false;
	}
	return true;
}

static void write_block(struct strbuf *out, const char *text, size_t indent)
{
	size_t len = strlen(text);

	strbuf_add(out, text[len - 1] == '\n' ? "|\n" : "|-\n");
	while (*text) {
		len = strcspn(text, "\n");
		if (len)
			strbuf_add_repeat(out, ' ', indent);
		strbuf_add_n(out, text, len);
		strbuf_add_char(out, '\n');
		text += len + (text[len] == '\n');
	}
}

// "1e+20" is a number in YAML 1.2 and text in 1.1; "1.0e+20" is a number in both.
static void write_number(struct strbuf *out, const struct json *value)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(NUMBER_MAX_BYTES);
	const char *number, *exponent;

	json_write(&text, value);
	number = strbuf_get(&text);
	exponent = strchr(number, 'e');
	out->failed |= text.failed;
	if (!exponent || strchr(number, '.')) {
		strbuf_add(out, number);
		return;
	}
	strbuf_add_n(out, number, (size_t)(exponent - number));
	strbuf_add(out, ".0");
	strbuf_add(out, exponent);
}

static void write_text(struct writer *w, const struct json *value, const char *text)
{
	if (!text_is_utf8(text, strlen(text)))
		w->not_utf8 = value;
	else if (is_plain(text))
		strbuf_add(w->out, text);
	else
		write_quoted(w->out, text);
}

// A value that stands on the line of its key or dash, and the line's end. Lines of text behind it
// are indented by INDENT.
static void write_leaf(struct writer *w, const struct json *value, size_t indent)
{
	const char *text;

	switch (json_type(value)) {
	case JSON_STRING:
		text = json_string(value);
		if (text_is_utf8(text, strlen(text)) && is_block(text)) {
			write_block(w->out, text, indent);
			return;
		}
		write_text(w, value, text);
		break;
	case JSON_NUMBER:
		write_number(w->out, value);
		break;
	case JSON_ARRAY:
		strbuf_add(w->out, "[]");
		break;
	case JSON_OBJECT:
		strbuf_add(w->out, "{}");
		break;
	default:
		json_write(w->out, value);
		break;
	}
	strbuf_add_char(w->out, '\n');
}

static void write_list(struct writer *w, const struct json *list, size_t indent);
static void write_map(struct writer *w, const struct json *map, size_t indent);

// The key and its colon.
static void write_key(struct writer *w, const struct json *child, size_t indent)
{
	const char *name = json_name(child);
	size_t longest = strlen(name) * (is_plain(name) ? 1 : ESCAPE_MAX_BYTES);

	if (longest > KEY_MAX_BYTES)
		strbuf_add(w->out, "? ");
	write_text(w, child, name);
	if (longest > KEY_MAX_BYTES) {
		strbuf_add_char(w->out, '\n');
		strbuf_add_repeat(w->out, ' ', indent);
	}
	strbuf_add_char(w->out, ':');
}

// The members of MAP at INDENT; the first one stands where the line is already.
static void write_map(struct writer *w, const struct json *map, size_t indent)
{
	const struct json *child = json_first(map);

	for (bool is_first = true; child && !w->out->failed; child = json_next(child)) {
		if (!is_first)
			strbuf_add_repeat(w->out, ' ', indent);
		is_first = false;
		write_key(w, child, indent);
		if (!json_first(child)) {
			strbuf_add_char(w->out, ' ');
			write_leaf(w, child, indent + 2);
			continue;
		}
		strbuf_add_char(w->out, '\n');
		if (json_type(child) == JSON_ARRAY) {
			strbuf_add_repeat(w->out, ' ', indent);
			write_list(w, child, indent);
		} else {
			strbuf_add_repeat(w->out, ' ', indent + 2);
			write_map(w, child, indent + 2);
		}
	}
}

static void write_list(struct writer *w, const struct json *list, size_t indent)
{
	const struct json *child = json_first(list);

	for (bool is_first = true; child && !w->out->failed; child = json_next(child)) {
		if (!is_first)
			strbuf_add_repeat(w->out, ' ', indent);
		is_first = false;
		strbuf_add(w->out, "- ");
		if (!json_first(child))
			write_leaf(w, child, indent + 2);
		else if (json_type(child) == JSON_ARRAY)
			write_list(w, child, indent + 2);
		else
			write_map(w, child, indent + 2);
	}
}

bool yaml_write(struct strbuf *out, const struct json *tree, struct err *err)
{
	struct writer w = {out, NULL};

	if (!json_first(tree))
		write_leaf(&w, tree, 2);
	else if (json_type(tree) == JSON_ARRAY)
		write_list(&w, tree, 0);
	else
		write_map(&w, tree, 0);
	if (w.not_utf8)
		return err_set(err, ERR_FAILED, "a string is not UTF-8 and so cannot be YAML");
	return strbuf_ok(out, err);
}
