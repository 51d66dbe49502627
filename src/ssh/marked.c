// SPDX-License-Identifier: MIT
#include "ssh/marked.h"

#include <string.h>

// More can never be held back: a mark with its status is shorter.
enum { HELD_MAX_BYTES = 64 << 10, MARK_MAX_BYTES = MARKED_TOKEN_BYTES + 16 };

void marked_init(struct marked *stream, const char *token)
{
	*stream = (struct marked){
		.held = STRBUF_INIT(HELD_MAX_BYTES + MARK_MAX_BYTES),
		.noise = STRBUF_INIT(MARKED_NOISE_BYTES),
	};
	snprintf(stream->token, sizeof(stream->token), "%s", token);
}

void marked_release(struct marked *stream)
{
	strbuf_release(&stream->held);
	strbuf_release(&stream->noise);
}

// Where in DATA the token begins, wholly or as far as DATA goes; LEN if nowhere.
static size_t find_token(const char *data, size_t len, const char *token)
{
	size_t token_len = strlen(token);
	const char *pos = data, *end = data + len;

	while (pos < end && (pos = memchr(pos, *token, (size_t)(end - pos)))) {
		size_t left = (size_t)(end - pos);

		if (!memcmp(pos, token, left < token_len ? left : token_len))
			return (size_t)(pos - data);
		pos++;
	}
	return len;
}

static void keep_noise(struct marked *stream, const char *data, size_t len)
{
	size_t room = stream->noise.max - stream->noise.len;

	strbuf_add_n(&stream->noise, data, len < room ? len : room);
}

enum mark { MARK_NONE, MARK_CUT, MARK_BEGIN, MARK_PROMPT, MARK_END };

// A status of one to three digits and a line feed.
static enum mark read_status(const char *pos, size_t len, size_t *ret_len, int *ret_status)
{
	int status = 0;

	for (size_t i = 0; i < len && i < 4; i++) {
		if (i > 0 && pos[i] == '\n') {
			*ret_len += i + 1;
			*ret_status = status;
			return MARK_END;
		}
		if (pos[i] < '0' || pos[i] > '9')
			return MARK_NONE;
		status = status * 10 + (pos[i] - '0');
	}
	return len < 4 ? MARK_CUT : MARK_NONE;
}

// Which mark stands at DATA, where the token begins; *RET_LEN is its length.
static enum mark read_mark(const struct marked *stream, const char *data, size_t len,
                           size_t *ret_len, int *ret_status)
{
	size_t token_len = strlen(stream->token);
	bool is_before = stream->state == MARKED_BEFORE;

	if (len < token_len + 2)
		return MARK_CUT;
	*ret_len = token_len + 2;
	if (data[token_len] != '-')
		return MARK_NONE;
	if (is_before && data[token_len + 1] == 'p')
		return MARK_PROMPT;
	if (len < token_len + 3)
		return data[token_len + 1] == (is_before ? 'b' : 'e') ? MARK_CUT : MARK_NONE;
	*ret_len = token_len + 3;
	if (is_before)
		return data[token_len + 1] == 'b' && data[token_len + 2] == '\n' ? MARK_BEGIN : MARK_NONE;
	if (data[token_len + 1] != 'e' || data[token_len + 2] != ' ')
		return MARK_NONE;
	return read_status(data + *ret_len, len - *ret_len, ret_len, ret_status);
}

// Goes through what there is; returns how many bytes are done with.
static size_t scan(struct marked *stream, const char *data, size_t len,
                   void (*emit)(void *context, const char *data, size_t len), void *context)
{
	size_t done = 0;

	while (stream->state != MARKED_AFTER && done < len) {
		size_t skip = find_token(data + done, len - done, stream->token), mark_len = 1;
		enum mark mark = MARK_CUT;

		if (skip < len - done)
			mark = read_mark(stream, data + done + skip, len - done - skip, &mark_len,
			                 &stream->status);
		if (mark == MARK_NONE)
			skip++; // the token's first letter is no mark's after all
		if (stream->state == MARKED_BEFORE)
			keep_noise(stream, data + done, skip);
		else if (skip)
			emit(context, data + done, skip);
		done += skip;
		if (mark == MARK_CUT)
			return done;
		if (mark != MARK_NONE)
			done += mark_len;
		if (mark == MARK_BEGIN)
			stream->state = MARKED_INSIDE;
		else if (mark == MARK_END)
			stream->state = MARKED_AFTER;
		stream->prompts += mark == MARK_PROMPT;
	}
	return len;
}

bool marked_feed(struct marked *stream, const char *data, size_t len,
                 void (*emit)(void *context, const char *data, size_t len), void *context,
                 struct err *err)
{
	while (len) {
		size_t part = len < HELD_MAX_BYTES ? len : HELD_MAX_BYTES, done;

		if (!stream->held.len) { // mostly
			done = scan(stream, data, part, emit, context);
			strbuf_add_n(&stream->held, data + done, part - done);
		} else {
			strbuf_add_n(&stream->held, data, part);
			if (!stream->held.failed) {
				done = scan(stream, stream->held.data, stream->held.len, emit, context);
				memmove(stream->held.data, stream->held.data + done, stream->held.len - done);
				stream->held.len -= done;
			}
		}
		if (stream->held.failed)
			return strbuf_ok(&stream->held, err);
		data += part;
		len -= part;
	}
	return true;
}
