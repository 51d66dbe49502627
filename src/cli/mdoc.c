// SPDX-License-Identifier: MIT
#include "cli/mdoc.h"

#include <ctype.h>
#include <string.h>

enum { SOURCE_WIDTH = 78, WORD_MAX_BYTES = 4096 };

// Characters that roff would show as another one; a hyphen stays one only where it must.
static void add_char(struct strbuf *out, char c, bool is_literal)
{
	switch (c) {
	case '\\':
		strbuf_add(out, "\\e");
		break;
	case '~':
		strbuf_add(out, "\\(ti");
		break;
	case '^':
		strbuf_add(out, "\\(ha");
		break;
	case '`':
		strbuf_add(out, "\\(ga");
		break;
	case '\'':
		strbuf_add(out, is_literal ? "\\(aq" : "'");
		break;
	case '-':
		strbuf_add(out, is_literal ? "\\-" : "-");
		break;
	default:
		strbuf_add_char(out, c);
	}
}

// A word of prose; options in it can be copied.
static void add_word(struct strbuf *out, const char *word, size_t len)
{
	bool is_literal = word[0] == '-' || memchr(word, '=', len) || memchr(word, '/', len);

	if (word[0] == '.' || word[0] == '\'')
		strbuf_add(out, "\\&");
	for (size_t i = 0; i < len; i++)
		add_char(out, word[i], is_literal);
}

// Does the sentence end with the word of LEN bytes at WORD?
static bool ends_sentence(const char *word, size_t len)
{
	return len > 1 && word[len - 1] == '.' && word[len] == ' ' && isupper(word[len + 1]);
}

static void add_paragraph(struct strbuf *out, const char *text, size_t len)
{
	const char *end = text + len;
	size_t column = 0;

	while (text < end) {
		size_t word_len = strcspn(text, " \n");
		_cleanup_strbuf_ struct strbuf word = STRBUF_INIT(WORD_MAX_BYTES);

		add_word(&word, text, word_len);
		out->failed |= word.failed;
		if (column && column + 1 + word.len > SOURCE_WIDTH)
			column = 0;
		if (column)
			strbuf_add_char(out, ' ');
		else if (out->len && out->data[out->len - 1] != '\n')
			strbuf_add_char(out, '\n');
		strbuf_add(out, strbuf_get(&word));
		column += (column > 0) + word.len;
		if (ends_sentence(text, word_len))
			column = 0;
		text += word_len;
		text += text < end;
	}
	strbuf_add_char(out, '\n');
}

void mdoc_text(struct strbuf *out, const char *text)
{
	for (;;) {
		size_t len = strcspn(text, "\n");

		add_paragraph(out, text, len);
		if (!text[len])
			return;
		strbuf_add(out, ".Pp\n");
		text += len + 1;
	}
}

void mdoc_literal(struct strbuf *out, const char *text)
{
	for (bool is_line_start = true; *text; text++) {
		if (is_line_start && (*text == '.' || *text == '\''))
			strbuf_add(out, "\\&");
		add_char(out, *text, true);
		is_line_start = *text == '\n';
	}
	strbuf_add_char(out, '\n');
}

void mdoc_argument(struct strbuf *out, const char *text)
{
	bool is_quoted = !*text || strchr(text, ' ');

	if (is_quoted)
		strbuf_add_char(out, '"');
	// Else a short word could be taken for a macro or a delimiter.
	if (strlen(text) <= 3)
		strbuf_add(out, "\\&");
	for (; *text; text++)
		if (*text == '"')
			strbuf_add(out, "\\(dq");
		else
			add_char(out, *text, true);
	if (is_quoted)
		strbuf_add_char(out, '"');
}
