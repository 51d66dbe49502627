// SPDX-License-Identifier: MIT
// A state machine with two levels: `state` is what the grammar expects next, `lexeme` and
// `part` say how far a token has come that the end of a chunk may cut anywhere.
#include "base/json_pull.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_pull_state.h"

// Parts of a number.
enum { SIGN, ZERO, INTEGER, POINT, FRACTION, EXPONENT, EXPONENT_SIGN, EXPONENT_DIGITS, NO_NUMBER };

void json_pull_reset(struct json_pull *p)
{
	struct strbuf buffer = p->buffer, raw = p->raw;
	size_t max_text_bytes = p->max_text_bytes, max_raw_bytes = p->max_raw_bytes;
	bool is_stream = p->is_stream;

	strbuf_clear(&buffer);
	strbuf_clear(&raw);
	*p = (struct json_pull){
		.is_stream = is_stream,
		.start = "",
		.limit_offset = UINT64_MAX,
		.max_text_bytes = max_text_bytes,
		.max_raw_bytes = max_raw_bytes,
		.state = is_stream ? JSON_PULL_BETWEEN : JSON_PULL_VALUE,
		.buffer = buffer,
		.raw = raw,
	};
	p->at = p->stop = p->end = p->start;
}

void json_pull_init(struct json_pull *p, size_t max_text_bytes, size_t max_raw_bytes,
                    bool is_stream)
{
	// An escape adds up to 4 bytes at once, so the buffer may pass the cap by less than that
	// before the cap is looked at.
	*p = (struct json_pull){
		.is_stream = is_stream,
		.max_text_bytes = max_text_bytes,
		.max_raw_bytes = max_raw_bytes,
		.buffer = STRBUF_INIT(max_text_bytes + JSON_PULL_MAX_NUMBER_BYTES),
		.raw = STRBUF_INIT(max_raw_bytes),
	};
	json_pull_reset(p);
}

void json_pull_release(struct json_pull *p)
{
	strbuf_release(&p->buffer);
	strbuf_release(&p->raw);
}

static uint64_t offset(const struct json_pull *p)
{
	return p->start_offset + (uint64_t)(p->at - p->start);
}

static void update_stop(struct json_pull *p)
{
	uint64_t left = p->limit_offset - p->start_offset;

	p->stop = left < (uint64_t)(p->end - p->start) ? p->start + left : p->end;
}

void json_pull_limit(struct json_pull *p, uint64_t bytes)
{
	uint64_t here = offset(p);

	p->limit_offset = bytes < UINT64_MAX - here ? here + bytes : UINT64_MAX;
	p->limit_bytes = bytes;
	update_stop(p);
}

void json_pull_push(struct json_pull *p, const char *data, size_t len)
{
	p->start_offset += (uint64_t)(p->end - p->start);
	p->start = p->at = data;
	p->end = data + len;
	if (p->is_raw_open)
		p->raw_from = data;
	update_stop(p);
}

void json_pull_end(struct json_pull *p)
{
	p->is_ended = true;
}

bool json_pull_broken(const struct json_pull *p, struct err *err, const char *what)
{
	return err_set(err, ERR_FAILED, "JSON byte %" PRIu64 ": %s", offset(p) + 1, what);
}

static bool token(enum json_token *ret, enum json_token value)
{
	*ret = value;
	return true;
}

// The token at hand is a whole value: what may follow it?
bool json_pull_value_ends(struct json_pull *p, enum json_token *ret, enum json_token value)
{
	p->lexeme = JSON_PULL_NO_LEXEME;
	p->state = p->depth ? JSON_PULL_COMMA : JSON_PULL_BETWEEN;
	return token(ret, value);
}

// No byte is left to read: wait for the next chunk, or the input is over.
bool json_pull_out_of_bytes(struct json_pull *p, enum json_token *ret, struct err *err)
{
	if (p->stop < p->end)
		return err_set(err, ERR_FAILED,
		               "JSON byte %" PRIu64 ": value longer than %" PRIu64 " bytes", offset(p) + 1,
		               p->limit_bytes);
	if (p->is_raw_open) {
		strbuf_add_n(&p->raw, p->raw_from, (size_t)(p->at - p->raw_from));
		p->raw_from = p->at;
		if (!strbuf_ok(&p->raw, err))
			return false;
	}
	if (!p->is_ended)
		return token(ret, JSON_TOKEN_MORE);
	if (p->state == JSON_PULL_BETWEEN && p->lexeme == JSON_PULL_NO_LEXEME)
		return token(ret, JSON_TOKEN_END);
	return json_pull_broken(p, err, "the text ends early");
}

void json_pull_keep(struct json_pull *p, const char *data, size_t len)
{
	strbuf_add_n(&p->buffer, data, len);
	p->is_text_buffered = true;
}

// Numbers and literals

static int digit_follows(int part, char c)
{
	switch (part) {
	case SIGN:
		return c == '0' ? ZERO : INTEGER;
	case POINT:
		return FRACTION;
	case EXPONENT:
	case EXPONENT_SIGN:
		return EXPONENT_DIGITS;
	case ZERO:
		return NO_NUMBER;
	default:
		return part;
	}
}

// The part of a number that C belongs to behind PART, or NO_NUMBER.
static int number_part(int part, char c)
{
	bool is_mantissa = part == ZERO || part == INTEGER;

	if (c >= '0' && c <= '9')
		return digit_follows(part, c);
	if (c == '.' && is_mantissa)
		return POINT;
	if ((c == 'e' || c == 'E') && (is_mantissa || part == FRACTION))
		return EXPONENT;
	if ((c == '+' || c == '-') && part == EXPONENT)
		return EXPONENT_SIGN;
	return NO_NUMBER;
}

static bool number_goes_on(struct json_pull *p, enum json_token *ret, struct err *err)
{
	const char *from = p->at;
	int part = p->part;

	for (; p->at < p->stop; p->at++, p->part = part) {
		part = number_part(p->part, *p->at);
		if (part == NO_NUMBER)
			break;
		if (p->buffer.len + (size_t)(p->at - from) >= JSON_PULL_MAX_NUMBER_BYTES)
			return json_pull_broken(p, err, "number too long");
	}
	json_pull_keep(p, from, (size_t)(p->at - from));
	if (p->buffer.failed)
		return err_memory(err);
	if (p->at == p->stop && (p->stop < p->end || !p->is_ended))
		return json_pull_out_of_bytes(p, ret, err);
	if (p->part != ZERO && p->part != INTEGER && p->part != FRACTION && p->part != EXPONENT_DIGITS)
		return json_pull_broken(p, err, "not a number");
	p->text = strbuf_get(&p->buffer);
	p->text_len = p->buffer.len;
	return json_pull_value_ends(p, ret, JSON_TOKEN_NUMBER);
}

static bool literal_goes_on(struct json_pull *p, enum json_token *ret, struct err *err)
{
	const char *word = p->lexeme == JSON_PULL_IN_TRUE    ? "true"
	                   : p->lexeme == JSON_PULL_IN_FALSE ? "false"
	                                                     : "null";
	enum json_token value = p->lexeme == JSON_PULL_IN_TRUE    ? JSON_TOKEN_TRUE
	                        : p->lexeme == JSON_PULL_IN_FALSE ? JSON_TOKEN_FALSE
	                                                          : JSON_TOKEN_NULL;

	for (; word[p->literal_at]; p->literal_at++, p->at++) {
		if (p->at == p->stop)
			return json_pull_out_of_bytes(p, ret, err);
		if (*p->at != word[p->literal_at])
			return json_pull_broken(p, err, "not a value");
	}
	return json_pull_value_ends(p, ret, value);
}

// The grammar

static bool start_lexeme(struct json_pull *p, enum json_pull_lexeme lexeme, enum json_token *ret,
                         struct err *err)
{
	p->lexeme = (int)lexeme;
	p->part = 0; // SIGN, or a string's plain part
	p->high = 0;
	p->literal_at = 0;
	p->is_text_buffered = false;
	strbuf_clear(&p->buffer);
	p->text_len = 0;
	switch (lexeme) {
	case JSON_PULL_IN_NAME:
	case JSON_PULL_IN_STRING:
		p->at++;
		return json_pull_string(p, ret, err);
	case JSON_PULL_IN_NUMBER:
		if (*p->at == '-')
			json_pull_keep(p, p->at++, 1);
		return number_goes_on(p, ret, err);
	default:
		return literal_goes_on(p, ret, err);
	}
}

static bool open_container(struct json_pull *p, bool is_object, enum json_token *ret,
                           struct err *err)
{
	if (p->depth == JSON_PULL_MAX_DEPTH)
		return json_pull_broken(p, err, "nested too deep");
	p->objects &= ~(UINT64_C(1) << p->depth);
	p->objects |= (uint64_t)is_object << p->depth;
	p->depth++;
	p->at++;
	p->state = is_object ? JSON_PULL_FIRST_NAME : JSON_PULL_FIRST_ELEMENT;
	return token(ret, is_object ? JSON_TOKEN_OPEN_OBJECT : JSON_TOKEN_OPEN_ARRAY);
}

bool json_pull_is_in_object(const struct json_pull *p)
{
	return p->depth && p->objects >> (p->depth - 1) & 1;
}

static bool close_container(struct json_pull *p, enum json_token *ret)
{
	bool is_object = json_pull_is_in_object(p);

	p->depth--;
	p->at++;
	return json_pull_value_ends(p, ret,
	                            is_object ? JSON_TOKEN_CLOSE_OBJECT : JSON_TOKEN_CLOSE_ARRAY);
}

static void start_raw(struct json_pull *p)
{
	p->is_raw_wanted = false;
	p->is_raw_open = true;
	p->raw_from = p->at;
	strbuf_clear(&p->raw);
	p->outer_limit_offset = p->limit_offset;
	p->outer_limit_bytes = p->limit_bytes;
	if (p->max_raw_bytes < p->limit_offset - offset(p))
		json_pull_limit(p, p->max_raw_bytes);
}

static bool start_value(struct json_pull *p, enum json_token *ret, struct err *err)
{
	if (p->is_raw_wanted)
		start_raw(p);
	if (p->at == p->stop)
		return json_pull_out_of_bytes(p, ret, err);
	switch (*p->at) {
	case '{':
		return open_container(p, true, ret, err);
	case '[':
		return open_container(p, false, ret, err);
	case '"':
		return start_lexeme(p, JSON_PULL_IN_STRING, ret, err);
	case 't':
		return start_lexeme(p, JSON_PULL_IN_TRUE, ret, err);
	case 'f':
		return start_lexeme(p, JSON_PULL_IN_FALSE, ret, err);
	case 'n':
		return start_lexeme(p, JSON_PULL_IN_NULL, ret, err);
	default:
		if (*p->at == '-' || (*p->at >= '0' && *p->at <= '9'))
			return start_lexeme(p, JSON_PULL_IN_NUMBER, ret, err);
		return json_pull_broken(p, err, "not a value");
	}
}

static void skip_blanks(struct json_pull *p)
{
	while (p->at < p->stop && (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r'))
		p->at++;
}

static bool behind_value(struct json_pull *p, bool *is_token, enum json_token *ret, struct err *err)
{
	char close = json_pull_is_in_object(p) ? '}' : ']';

	if (*p->at == close) {
		*is_token = true;
		return close_container(p, ret);
	}
	if (*p->at != ',')
		return json_pull_broken(p, err,
		                        json_pull_is_in_object(p) ? "neither , nor }" : "neither , nor ]");
	p->at++;
	p->state = json_pull_is_in_object(p) ? JSON_PULL_NAME : JSON_PULL_VALUE;
	return true;
}

// What starts at AT, which is no blank. *is_token stays false where only a mark was read.
static bool read_next(struct json_pull *p, bool *is_token, enum json_token *ret, struct err *err)
{
	*is_token = p->state != JSON_PULL_COLON && p->state != JSON_PULL_COMMA;
	switch ((enum json_pull_state)p->state) {
	case JSON_PULL_COLON:
		if (*p->at != ':')
			return json_pull_broken(p, err, "no : behind a name");
		p->at++;
		p->state = JSON_PULL_VALUE;
		return true;
	case JSON_PULL_COMMA:
		return behind_value(p, is_token, ret, err);
	case JSON_PULL_FIRST_NAME:
	case JSON_PULL_NAME:
		if (*p->at == '"')
			return start_lexeme(p, JSON_PULL_IN_NAME, ret, err);
		if (*p->at == '}' && p->state == JSON_PULL_FIRST_NAME)
			return close_container(p, ret);
		return json_pull_broken(p, err, "not a name");
	case JSON_PULL_FIRST_ELEMENT:
		if (*p->at == ']')
			return close_container(p, ret);
		return start_value(p, ret, err);
	case JSON_PULL_BETWEEN:
		if (!p->is_stream)
			return json_pull_broken(p, err, "text behind the end");
		return start_value(p, ret, err);
	case JSON_PULL_VALUE:
	default:
		return start_value(p, ret, err);
	}
}

bool json_pull_next(struct json_pull *p, enum json_token *ret, struct err *err)
{
	bool is_token = false;

	switch ((enum json_pull_lexeme)p->lexeme) {
	case JSON_PULL_IN_NAME:
	case JSON_PULL_IN_STRING:
		return json_pull_string(p, ret, err);
	case JSON_PULL_IN_NUMBER:
		return number_goes_on(p, ret, err);
	case JSON_PULL_IN_TRUE:
	case JSON_PULL_IN_FALSE:
	case JSON_PULL_IN_NULL:
		return literal_goes_on(p, ret, err);
	default:
		break;
	}
	do {
		skip_blanks(p);
		if (p->at == p->stop)
			return json_pull_out_of_bytes(p, ret, err);
		if (!read_next(p, &is_token, ret, err))
			return false;
	} while (!is_token);
	return true;
}

bool json_pull_raw(struct json_pull *p, const char **ret, size_t *ret_len, struct err *err)
{
	strbuf_add_n(&p->raw, p->raw_from, (size_t)(p->at - p->raw_from));
	p->is_raw_open = false;
	p->limit_offset = p->outer_limit_offset;
	p->limit_bytes = p->outer_limit_bytes;
	update_stop(p);
	if (!strbuf_ok(&p->raw, err))
		return false;
	*ret = strbuf_get(&p->raw);
	*ret_len = p->raw.len;
	return true;
}
