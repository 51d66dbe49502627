// SPDX-License-Identifier: MIT
// A recursive parser into a tree whose nodes stand in one array.
//
//     or = and ("|" and)…    and = not ("&" not)…    not = "!" not | "(" or ")" | test
#include "tui/filter.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/text.h"

enum node_kind { NODE_OR, NODE_AND, NODE_NOT, NODE_TEST, NODE_WORD };
enum test_kind { TEST_EQ, TEST_NE, TEST_LT, TEST_LE, TEST_GT, TEST_GE, TEST_CONTAINS };

struct node {
	enum node_kind kind;
	size_t left, right; // of OR, AND; NOT has left
	enum test_kind test;
	size_t field;
	char *text; // of TEST, WORD
	double number;
	bool is_number;
};

struct tui_filter {
	struct node *nodes;
	size_t count, root, field_count;
};

struct parser {
	const char *at;
	const char *const *fields;
	size_t field_count, depth;
	struct tui_filter *filter;
	struct err *err;
};

static bool parse_or(struct parser *p, size_t *ret);

static bool fault(struct parser *p, const char *message)
{
	return err_set(p->err, ERR_USAGE, "%s%s%s", message, *p->at ? " at: " : "", p->at);
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t");
}

static bool add(struct parser *p, struct node node, size_t *ret)
{
	if (!mem_append(&p->filter->nodes, &p->filter->count, &node, sizeof node)) {
		mem_free(node.text);
		return err_memory(p->err);
	}
	*ret = p->filter->count - 1;
	return true;
}

// What ends a word; quotes keep them.
static size_t word_length(const char *text)
{
	return strcspn(text, " \t&|()<>=!~\"");
}

// A word, or text in double quotes. Owned by the caller.
static bool take_word(struct parser *p, char **ret)
{
	size_t len;

	if (*p->at == '"') {
		len = strcspn(p->at + 1, "\"");
		if (p->at[1 + len] != '"')
			return fault(p, "a quote is not closed");
		*ret = mem_dup_n(p->at + 1, len);
		p->at += len + 2;
	} else {
		len = word_length(p->at);
		if (!len)
			return fault(p, "a word is missing");
		*ret = mem_dup_n(p->at, len);
		p->at += len;
	}
	return *ret ? true : err_memory(p->err);
}

static bool take_operator(struct parser *p, enum test_kind *ret)
{
	static const struct {
		const char *text;
		enum test_kind kind;
	} operators[] = {{"!=", TEST_NE}, {"<=", TEST_LE}, {">=", TEST_GE},      {"==", TEST_EQ},
	                 {"<", TEST_LT},  {">", TEST_GT},  {"~", TEST_CONTAINS}, {"=", TEST_EQ}};

	for (size_t i = 0; i < COUNT_OF(operators); i++)
		if (!strncmp(p->at, operators[i].text, strlen(operators[i].text))) {
			p->at += strlen(operators[i].text);
			*ret = operators[i].kind;
			return true;
		}
	return false;
}

// 40, 4.5, 40G, 12m, 57%. Digits and a point alone: strtod would read more, and mind the locale.
static bool read_number(const char *text, double *ret)
{
	static const struct {
		char unit;
		double factor;
	} units[] = {{'K', 1024.0}, {'M', 1048576.0}, {'G', 1073741824.0}, {'T', 1099511627776.0},
	             {'s', 1},      {'m', 60},        {'h', 3600},         {'d', 86400},
	             {'%', 1}};
	double number = 0, place = 1;
	const char *at = text;

	for (; *at >= '0' && *at <= '9'; at++)
		number = number * 10 + (*at - '0');
	if (at == text)
		return false;
	if (*at == '.')
		for (at++; *at >= '0' && *at <= '9'; at++)
			number += (*at - '0') * (place /= 10);
	for (size_t i = 0; *at && i < COUNT_OF(units); i++)
		if (*at == units[i].unit && !at[1]) {
			*ret = number * units[i].factor;
			return true;
		}
	*ret = number;
	return !*at;
}

static bool find_field(struct parser *p, const char *name, size_t *ret)
{
	const char *nearest;

	for (size_t i = 0; i < p->field_count; i++)
		if (!strcasecmp(p->fields[i], name)) {
			*ret = i;
			return true;
		}
	nearest = text_nearest(name, p->fields, p->field_count);
	err_set(p->err, ERR_USAGE, "no field \"%s\" in this view", name);
	return nearest ? err_hint(p->err, "did you mean %s?", nearest) : false;
}

// field OP value, or a bare word
static bool parse_test(struct parser *p, size_t *ret)
{
	_cleanup_free_ char *word = NULL, *value = NULL;
	struct node node = {.kind = NODE_WORD};
	bool is_quoted = *p->at == '"';

	if (!take_word(p, &word))
		return false;
	skip_blanks(p);
	if (is_quoted || !take_operator(p, &node.test)) {
		node.text = TAKE(word);
		return add(p, node, ret);
	}
	node.kind = NODE_TEST;
	if (!find_field(p, word, &node.field))
		return false;
	skip_blanks(p);
	if (!take_word(p, &value))
		return false;
	node.is_number = read_number(value, &node.number);
	if (!node.is_number && node.test != TEST_EQ && node.test != TEST_NE &&
	    node.test != TEST_CONTAINS)
		return err_set(p->err, ERR_USAGE, "%s: \"%s\" is not a number", word, value);
	node.text = TAKE(value);
	return add(p, node, ret);
}

static bool parse_not(struct parser *p, size_t *ret)
{
	struct node node = {.kind = NODE_NOT};
	bool is_ok;

	if (++p->depth > TUI_FILTER_MAX_DEPTH)
		return fault(p, "too many brackets");
	skip_blanks(p);
	if (*p->at == '!') {
		p->at++;
		is_ok = parse_not(p, &node.left) && add(p, node, ret);
	} else if (*p->at == '(') {
		p->at++;
		is_ok = parse_or(p, ret);
		skip_blanks(p);
		if (is_ok && *p->at != ')')
			return fault(p, "a bracket is not closed");
		p->at += is_ok;
	} else {
		is_ok = parse_test(p, ret);
	}
	p->depth--;
	return is_ok;
}

// PART (OPERATOR PART)…
static bool parse_row(struct parser *p, char operator, enum node_kind kind,
                      bool (*part)(struct parser *, size_t *), size_t *ret)
{
	if (!part(p, ret))
		return false;
	for (skip_blanks(p); *p->at == operator; skip_blanks(p)) {
		struct node node = {.kind = kind, .left = *ret};

		p->at += 1 + (p->at[1] == operator);
		if (!part(p, &node.right) || !add(p, node, ret))
			return false;
	}
	return true;
}

static bool parse_and(struct parser *p, size_t *ret)
{
	return parse_row(p, '&', NODE_AND, parse_not, ret);
}

static bool parse_or(struct parser *p, size_t *ret)
{
	return parse_row(p, '|', NODE_OR, parse_and, ret);
}

struct tui_filter *tui_filter_parse(const char *text, const char *const *fields, size_t count,
                                    struct err *err)
{
	_cleanup_tui_filter_ struct tui_filter *filter = mem_alloc(sizeof *filter);
	struct parser p = {text, fields, count, 0, filter, err};

	if (!filter) {
		err_memory(err);
		return NULL;
	}
	filter->field_count = count;
	if (strlen(text) > TUI_FILTER_MAX_BYTES) {
		err_set(err, ERR_USAGE, "longer than %d characters", TUI_FILTER_MAX_BYTES);
		return NULL;
	}
	if (!parse_or(&p, &filter->root))
		return NULL;
	if (*p.at) {
		fault(&p, "& or | is missing");
		return NULL;
	}
	return TAKE(filter);
}

bool tui_text_contains(const char *haystack, const char *needle)
{
	size_t len = strlen(needle);

	for (; *haystack; haystack++)
		if (!strncasecmp(haystack, needle, len))
			return true;
	return !len;
}

static bool compare_numbers(enum test_kind test, double a, double b)
{
	switch (test) {
	case TEST_EQ:
		return !(a < b) && !(a > b);
	case TEST_NE:
		return a < b || a > b;
	case TEST_LT:
		return a < b;
	case TEST_LE:
		return a <= b;
	case TEST_GT:
		return a > b;
	case TEST_GE:
		return a >= b;
	case TEST_CONTAINS:
		break;
	}
	return false;
}

static bool test_holds(const struct node *node, const struct tui_datum *datum)
{
	if (datum->type == TUI_NUMBER)
		return node->is_number && compare_numbers(node->test, datum->number, node->number);
	if (datum->type == TUI_NOTHING)
		return false;
	if (node->test == TEST_CONTAINS)
		return tui_text_contains(datum->text, node->text);
	if (node->test == TEST_EQ || node->test == TEST_NE)
		return (strcasecmp(datum->text, node->text) == 0) == (node->test == TEST_EQ);
	return false;
}

static bool word_holds(const struct tui_filter *filter, const char *word, tui_filter_get_fn *get,
                       const void *context, size_t row)
{
	for (size_t i = 0; i < filter->field_count; i++) {
		struct tui_datum datum = get(context, row, i);

		if (datum.type == TUI_TEXT && tui_text_contains(datum.text, word))
			return true;
	}
	return false;
}

static bool node_holds(const struct tui_filter *filter, size_t at, tui_filter_get_fn *get,
                       const void *context, size_t row)
{
	const struct node *node = &filter->nodes[at];
	struct tui_datum datum;

	switch (node->kind) {
	case NODE_OR:
		return node_holds(filter, node->left, get, context, row) ||
		       node_holds(filter, node->right, get, context, row);
	case NODE_AND:
		return node_holds(filter, node->left, get, context, row) &&
		       node_holds(filter, node->right, get, context, row);
	case NODE_NOT:
		return !node_holds(filter, node->left, get, context, row);
	case NODE_TEST:
		datum = get(context, row, node->field);
		return test_holds(node, &datum);
	case NODE_WORD:
		return word_holds(filter, node->text, get, context, row);
	}
	return false;
}

bool tui_filter_holds(const struct tui_filter *filter, tui_filter_get_fn *get, const void *context,
                      size_t row)
{
	return node_holds(filter, filter->root, get, context, row);
}

void tui_filter_free(struct tui_filter *filter)
{
	if (!filter)
		return;
	for (size_t i = 0; i < filter->count; i++)
		mem_free(filter->nodes[i].text);
	mem_free(filter->nodes);
	mem_free(filter);
}

void tui_filter_freep(struct tui_filter **filter)
{
	tui_filter_free(*filter);
}
