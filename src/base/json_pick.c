// SPDX-License-Identifier: MIT
// The wanted paths become a small tree of nodes; one node for each open object or array says
// what is wanted inside. Node NOTHING has no children and is its own child, so that everything
// below an unwanted member falls through without a word of its own.
#include "base/json_pick.h"

#include <string.h>

#include "base/json_pull.h"
#include "base/mem.h"
#include "base/parse.h"

enum {
	DEFAULT_TEXT_BYTES = 1024 * 1024,
	DEFAULT_RECORD_BYTES = 16 * 1024 * 1024,
	MAX_NODES = 1024,
};

enum { NOTHING, ROOT }; // the first two nodes

enum step { STEP_NAME, STEP_ANY_NAME, STEP_ANY_ELEMENT };

struct node {
	enum step step; // from its parent
	const char *name;
	size_t name_len;
	uint16_t first_child, next_sibling; // 0: none
	bool is_wanted;
	bool is_below_any; // a `*` is on the way here
	enum json_want_mode mode;
	int id;
};

struct json_pick {
	struct json_pull pull;
	json_pick_take_fn *take;
	void *context;
	size_t max_record_bytes;
	size_t record_depth; // of the outermost wanted object or array that is open; 0: none
	bool is_name_next;   // else a value is
	uint16_t pending;    // node of the value that comes next
	uint16_t open[JSON_PULL_MAX_DEPTH];
	struct strbuf name; // that `*` stands for
	struct strbuf text; // of the event
	struct node *nodes;
	uint16_t node_count;
};

// Paths

static uint16_t add_node(struct json_pick *pick, const struct node *node)
{
	if (pick->node_count == MAX_NODES)
		return NOTHING;
	pick->nodes[pick->node_count] = *node;
	return pick->node_count++;
}

static bool is_same_step(const struct node *a, const struct node *b)
{
	return a->step == b->step && a->name_len == b->name_len &&
	       (a->step != STEP_NAME || !memcmp(a->name, b->name, a->name_len));
}

// The child of PARENT that STEP leads to, made where it is missing; named ones stand first.
static uint16_t child_of(struct json_pick *pick, uint16_t parent, const struct node *step)
{
	uint16_t *link = &pick->nodes[parent].first_child, child;

	while (*link) {
		if (is_same_step(&pick->nodes[*link], step))
			return *link;
		if (step->step == STEP_NAME && pick->nodes[*link].step != STEP_NAME)
			break;
		link = &pick->nodes[*link].next_sibling;
	}
	child = add_node(pick, step);
	if (child != NOTHING) {
		pick->nodes[child].is_below_any =
			step->step == STEP_ANY_NAME || pick->nodes[parent].is_below_any;
		pick->nodes[child].next_sibling = *link;
		*link = child;
	}
	return child;
}

// Reads one step of a path and moves *PATH behind it; false where it is none.
static bool read_step(const char **path, struct node *ret)
{
	const char *at = *path, *end;

	*ret = (struct node){.step = STEP_NAME};
	if (!strncmp(at, "[]", 2)) {
		ret->step = STEP_ANY_ELEMENT;
		end = at + 2;
	} else if (!strncmp(at, "[\"", 2)) {
		ret->name = at + 2;
		end = strstr(ret->name, "\"]");
		if (!end)
			return false;
		ret->name_len = (size_t)(end - ret->name);
		end += 2;
	} else {
		ret->name = at;
		ret->name_len = strcspn(at, ".[");
		end = at + ret->name_len;
		if (ret->name_len == 1 && *at == '*')
			*ret = (struct node){.step = STEP_ANY_NAME};
		else if (!ret->name_len)
			return false;
	}
	if (*end == '.' && end[1])
		end++;
	else if (*end && *end != '[')
		return false;
	*path = end;
	return true;
}

static bool add_want(struct json_pick *pick, const struct json_want *want, struct err *err)
{
	const char *path = want->path;
	uint16_t at = ROOT;
	struct node step;

	while (*path) {
		if (!read_step(&path, &step))
			return err_set(err, ERR_FAILED, "not a path: \"%s\"", want->path);
		at = child_of(pick, at, &step);
		if (at == NOTHING)
			return err_set(err, ERR_FAILED, "too many wanted paths");
	}
	if (pick->nodes[at].is_wanted)
		return err_set(err, ERR_FAILED, "wanted twice: \"%s\"", want->path);
	pick->nodes[at].is_wanted = true;
	pick->nodes[at].mode = want->mode;
	pick->nodes[at].id = want->id;
	return true;
}

// A capture inside a capture would need a second buffer; nothing asks for it.
static bool check_texts(const struct json_pick *pick, uint16_t at, bool is_inside, struct err *err)
{
	const struct node *node = &pick->nodes[at];
	bool is_text = node->is_wanted && node->mode == JSON_WANT_TEXT;

	if (is_text && is_inside)
		return err_set(err, ERR_FAILED, "text wanted inside a wanted text");
	for (uint16_t child = node->first_child; child; child = pick->nodes[child].next_sibling)
		if (!check_texts(pick, child, is_inside || is_text, err))
			return false;
	return true;
}

static bool compile(struct json_pick *pick, const struct json_pick_options *options,
                    struct err *err)
{
	pick->node_count = ROOT + 1;
	for (size_t i = 0; i < options->want_count; i++)
		if (!add_want(pick, &options->wants[i], err))
			return false;
	return check_texts(pick, ROOT, false, err);
}

// Events

static bool has_text(const struct node *node)
{
	return node->is_wanted && node->mode == JSON_WANT_TEXT;
}

static bool hand_out(struct json_pick *pick, const struct node *node, enum json_pick_type type,
                     const char *text, size_t len, struct err *err)
{
	struct json_pick_event event = {
		.id = node->id, .type = type, .name = "", .text = text, .len = len};

	if (node->is_below_any && type != JSON_PICK_CLOSE)
		event.name = strbuf_get(&pick->name);
	return pick->take(pick->context, &event, err);
}

static bool hand_out_raw(struct json_pick *pick, const struct node *node, struct err *err)
{
	const char *text;
	size_t len;

	return json_pull_raw(&pick->pull, &text, &len, err) &&
	       hand_out(pick, node, JSON_PICK_TEXT, text, len, err);
}

static uint16_t element_child(const struct json_pick *pick, uint16_t parent)
{
	uint16_t child = pick->nodes[parent].first_child;

	while (child && pick->nodes[child].step != STEP_ANY_ELEMENT)
		child = pick->nodes[child].next_sibling;
	return child;
}

// After a value or an opening: what comes next, and how the tokenizer shall read it.
static void expect_next(struct json_pick *pick)
{
	struct json_pull *pull = &pick->pull;
	uint16_t top = pull->depth ? pick->open[pull->depth - 1] : NOTHING;
	const struct node *node;

	pick->is_name_next = json_pull_is_in_object(pull);
	if (!pull->depth)
		pick->pending = ROOT;
	else
		pick->pending = pick->is_name_next ? NOTHING : element_child(pick, top);
	node = &pick->nodes[pick->pending];
	pull->is_raw_wanted = has_text(node);
	pull->is_text_kept =
		pick->is_name_next ? pick->nodes[top].first_child != 0 : node->is_wanted && !has_text(node);
}

static bool take_name(struct json_pick *pick, struct err *err)
{
	struct json_pull *pull = &pick->pull;
	uint16_t child = pick->nodes[pick->open[pull->depth - 1]].first_child;
	const struct node *node = &pick->nodes[child];

	while (child && node->step != STEP_ANY_NAME &&
	       !(node->step == STEP_NAME && node->name_len == pull->text_len &&
	         !memcmp(node->name, pull->text, pull->text_len))) {
		child = node->next_sibling;
		node = &pick->nodes[child];
	}
	pick->pending = child;
	pull->is_raw_wanted = has_text(node);
	pull->is_text_kept = node->is_wanted && !has_text(node);
	if (child == NOTHING || node->step != STEP_ANY_NAME)
		return true;
	strbuf_clear(&pick->name);
	strbuf_add_n(&pick->name, pull->text, pull->text_len);
	return strbuf_ok(&pick->name, err);
}

static bool take_open(struct json_pick *pick, struct err *err)
{
	struct json_pull *pull = &pick->pull;
	const struct node *node = &pick->nodes[pick->pending];

	pick->open[pull->depth - 1] = pick->pending;
	if (node->is_wanted && !pick->record_depth) {
		pick->record_depth = pull->depth;
		if (!has_text(node)) // a capture has its own limit
			json_pull_limit(pull, pick->max_record_bytes);
	}
	if (node->is_wanted && !has_text(node) && !hand_out(pick, node, JSON_PICK_OPEN, "", 0, err))
		return false;
	expect_next(pick);
	return true;
}

static bool take_close(struct json_pick *pick, struct err *err)
{
	struct json_pull *pull = &pick->pull;
	const struct node *node = &pick->nodes[pick->open[pull->depth]];
	bool is_ok = true;

	if (has_text(node))
		is_ok = hand_out_raw(pick, node, err);
	else if (node->is_wanted)
		is_ok = hand_out(pick, node, JSON_PICK_CLOSE, "", 0, err);
	if (pick->record_depth == pull->depth + 1) {
		pick->record_depth = 0;
		json_pull_limit(pull, UINT64_MAX);
	}
	expect_next(pick);
	return is_ok;
}

static enum json_pick_type type_of(enum json_token token)
{
	switch (token) {
	case JSON_TOKEN_STRING:
		return JSON_PICK_STRING;
	case JSON_TOKEN_NUMBER:
		return JSON_PICK_NUMBER;
	case JSON_TOKEN_TRUE:
		return JSON_PICK_TRUE;
	case JSON_TOKEN_FALSE:
		return JSON_PICK_FALSE;
	default:
		return JSON_PICK_NULL;
	}
}

static bool take_scalar(struct json_pick *pick, enum json_token token, struct err *err)
{
	const struct node *node = &pick->nodes[pick->pending];
	bool is_ok = true;

	if (has_text(node)) {
		is_ok = hand_out_raw(pick, node, err);
	} else if (node->is_wanted) {
		strbuf_clear(&pick->text);
		if (token == JSON_TOKEN_STRING || token == JSON_TOKEN_NUMBER)
			strbuf_add_n(&pick->text, pick->pull.text, pick->pull.text_len);
		is_ok = strbuf_ok(&pick->text, err) &&
		        hand_out(pick, node, type_of(token), strbuf_get(&pick->text), pick->text.len, err);
	}
	expect_next(pick);
	return is_ok;
}

static bool take_token(struct json_pick *pick, enum json_token token, struct err *err)
{
	switch (token) {
	case JSON_TOKEN_NAME:
		return take_name(pick, err);
	case JSON_TOKEN_OPEN_OBJECT:
	case JSON_TOKEN_OPEN_ARRAY:
		return take_open(pick, err);
	case JSON_TOKEN_CLOSE_OBJECT:
	case JSON_TOKEN_CLOSE_ARRAY:
		return take_close(pick, err);
	default:
		return take_scalar(pick, token, err);
	}
}

static bool run(struct json_pick *pick, struct err *err)
{
	enum json_token token;

	for (;;) {
		if (!json_pull_next(&pick->pull, &token, err))
			return false;
		if (token == JSON_TOKEN_MORE || token == JSON_TOKEN_END)
			return true;
		if (!take_token(pick, token, err))
			return false;
	}
}

bool json_pick_feed(struct json_pick *pick, const char *data, size_t len, struct err *err)
{
	json_pull_push(&pick->pull, data, len);
	return run(pick, err);
}

bool json_pick_finish(struct json_pick *pick, struct err *err)
{
	json_pull_push(&pick->pull, "", 0);
	json_pull_end(&pick->pull);
	return run(pick, err);
}

// Life

struct json_pick *json_pick_new(const struct json_pick_options *options, struct err *err)
{
	size_t text = options->max_text_bytes ? options->max_text_bytes : DEFAULT_TEXT_BYTES;
	_cleanup_json_pick_ struct json_pick *pick = mem_alloc(sizeof(*pick));

	if (pick)
		pick->nodes = mem_alloc(MAX_NODES * sizeof(*pick->nodes));
	if (!pick || !pick->nodes) {
		err_memory(err);
		return NULL;
	}
	pick->take = options->take;
	pick->context = options->context;
	pick->max_record_bytes =
		options->max_record_bytes ? options->max_record_bytes : DEFAULT_RECORD_BYTES;
	pick->name = pick->text = (struct strbuf)STRBUF_INIT(text + JSON_PULL_MAX_NUMBER_BYTES);
	json_pull_init(&pick->pull, text, pick->max_record_bytes, options->is_stream);
	if (!compile(pick, options, err))
		return NULL;
	expect_next(pick);
	return TAKE(pick);
}

void json_pick_reset(struct json_pick *pick)
{
	json_pull_reset(&pick->pull);
	pick->record_depth = 0;
	expect_next(pick);
}

void json_pick_free(struct json_pick *pick)
{
	if (!pick)
		return;
	json_pull_release(&pick->pull);
	strbuf_release(&pick->name);
	strbuf_release(&pick->text);
	mem_free(pick->nodes);
	mem_free(pick);
}

void json_pick_freep(struct json_pick **pick)
{
	json_pick_free(*pick);
}

// Values

static const char *type_name(enum json_pick_type type)
{
	static const char *const names[] = {
		[JSON_PICK_OPEN] = "an object or a list",
		[JSON_PICK_CLOSE] = "an end",
		[JSON_PICK_STRING] = "a string",
		[JSON_PICK_NUMBER] = "a number",
		[JSON_PICK_TRUE] = "true",
		[JSON_PICK_FALSE] = "false",
		[JSON_PICK_NULL] = "null",
		[JSON_PICK_TEXT] = "JSON text",
	};

	return names[type];
}

bool json_pick_dup(const struct json_pick_event *event, char **ret, struct err *err)
{
	char *copy;

	if (event->type == JSON_PICK_NULL)
		return true;
	if (event->type != JSON_PICK_STRING && event->type != JSON_PICK_TEXT)
		return err_set(err, ERR_FAILED, "%s, not a string", type_name(event->type));
	copy = mem_dup_n(event->text, event->len);
	if (!copy)
		return err_memory(err);
	mem_free(*ret);
	*ret = copy;
	return true;
}

bool json_pick_i64(const struct json_pick_event *event, int64_t *ret, struct err *err)
{
	if (event->type == JSON_PICK_NULL)
		return true;
	if (event->type != JSON_PICK_NUMBER)
		return err_set(err, ERR_FAILED, "%s, not a number", type_name(event->type));
	return parse_i64(event->text, INT64_MIN, INT64_MAX, ret, err);
}

bool json_pick_bool(const struct json_pick_event *event, bool *ret, struct err *err)
{
	if (event->type == JSON_PICK_NULL)
		return true;
	if (event->type != JSON_PICK_TRUE && event->type != JSON_PICK_FALSE)
		return err_set(err, ERR_FAILED, "%s, not true or false", type_name(event->type));
	*ret = event->type == JSON_PICK_TRUE;
	return true;
}
