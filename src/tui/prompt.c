// SPDX-License-Identifier: MIT
// The line in which a word to find or a filter is typed.
#include <string.h>

#include "tui/state.h"

// Appends the character as UTF-8; what is no character, or does not fit, is left out.
static void type(struct tui *tui, int key)
{
	unsigned int c = (unsigned int)key;
	char bytes[4];
	size_t len;

	if (key < 0x20 || key == 0x7f || key > 0x10FFFF || (key >= 0xD800 && key < 0xE000))
		return;
	if (c < 0x80) {
		bytes[0] = (char)c;
		len = 1;
	} else if (c < 0x800) {
		bytes[0] = (char)(0xC0 | c >> 6);
		bytes[1] = (char)(0x80 | (c & 0x3F));
		len = 2;
	} else if (c < 0x10000) {
		bytes[0] = (char)(0xE0 | c >> 12);
		bytes[1] = (char)(0x80 | (c >> 6 & 0x3F));
		bytes[2] = (char)(0x80 | (c & 0x3F));
		len = 3;
	} else {
		bytes[0] = (char)(0xF0 | c >> 18);
		bytes[1] = (char)(0x80 | (c >> 12 & 0x3F));
		bytes[2] = (char)(0x80 | (c >> 6 & 0x3F));
		bytes[3] = (char)(0x80 | (c & 0x3F));
		len = 4;
	}
	if (tui->input_len + len >= sizeof tui->input)
		return;
	memcpy(tui->input + tui->input_len, bytes, len);
	tui->input_len += len;
	tui->input[tui->input_len] = '\0';
}

static void erase(struct tui *tui)
{
	while (tui->input_len && (tui->input[--tui->input_len] & 0xC0) == 0x80)
		;
	tui->input[tui->input_len] = '\0';
}

static void say_error(struct tui *tui, const struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);

	strbuf_addf(&text, "filter: %s", err_message(err));
	if (err->hint)
		strbuf_addf(&text, ": %s", err->hint);
	tui_say(tui, strbuf_get(&text));
}

void tui_finish_prompt(struct tui *tui)
{
	_cleanup_err_ struct err err = ERR_INIT;
	enum tui_prompt prompt = tui->prompt;

	tui->prompt = TUI_NO_PROMPT;
	if (prompt == TUI_PROMPT_FILTER) {
		if (!tui_set_filter(tui, tui->input, &err))
			say_error(tui, &err);
		return;
	}
	memcpy(tui->word, tui->input, sizeof tui->word);
	if (*tui->word && tui->s && !tui_list_search(tui_active_list(tui), tui->s, tui->word, false))
		tui_say(tui, "not found");
}

void tui_press_prompt(struct tui *tui, int key)
{
	if (key == TUI_KEY_ENTER)
		tui_finish_prompt(tui);
	else if (key == TUI_KEY_ESCAPE)
		tui->prompt = TUI_NO_PROMPT;
	else if (key == TUI_KEY_BACK && tui->input_len)
		erase(tui);
	else if (key == TUI_KEY_BACK)
		tui->prompt = TUI_NO_PROMPT;
	else
		type(tui, key);
}
