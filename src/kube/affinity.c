// SPDX-License-Identifier: MIT
#include "kube/affinity.h"

#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "kube/name.h"

// operator in API spelling, by enum kube_node_operator.
static const char *const operators[] = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};

static void release_rule(struct kube_node_rule *rule)
{
	mem_free(rule->key);
	strv_release(&rule->values);
}

// Takes RULE over; frees it on failure.
static bool append(struct kube_affinity *affinity, struct kube_node_rule *rule, struct err *err)
{
	if (mem_append(&affinity->items, &affinity->count, rule, sizeof(*rule)))
		return true;
	release_rule(rule);
	return err_memory(err);
}

// Cuts "@WEIGHT" off TEXT.
static bool cut_weight(char *text, int64_t *ret, struct err *err)
{
	char *at = strrchr(text, '@');

	*ret = 0;
	if (!at)
		return true;
	*at = '\0';
	return parse_i64(at + 1, 1, 100, ret, err) || err_wrap(err, "weight");
}

// Splits "KEY=V,V" and its like at the operator; KEY stays in TEXT. *RET_VALUES is NULL for a key alone.
static bool cut_operator(char *text, enum kube_node_operator *ret, const char **ret_values,
                         struct err *err)
{
	char *sign = strpbrk(text, "=!<>");

	*ret = KUBE_NODE_EXISTS;
	*ret_values = NULL;
	if (!sign)
		return true;
	if (*sign == '!' && sign[1] != '=')
		return err_set(err, ERR_USAGE, "\"!\" stands in front of a key or of \"=\"");
	*ret = *sign == '='   ? KUBE_NODE_IN
	       : *sign == '>' ? KUBE_NODE_GREATER
	       : *sign == '<' ? KUBE_NODE_LESS
	                      : KUBE_NODE_NOT_IN;
	*ret_values = sign + (*sign == '!' ? 2 : 1);
	*sign = '\0';
	return true;
}

static bool parse_values(struct kube_node_rule *rule, const char *text, struct err *err)
{
	int64_t number;

	if (rule->op == KUBE_NODE_GREATER || rule->op == KUBE_NODE_LESS)
		// As a label value, which it must be too, it has no sign.
		return parse_i64(text, 0, INT64_MAX, &number, err) &&
		       kube_name_check_label_value(text, err) && strv_add(&rule->values, text, err);
	if (!strv_split(&rule->values, text, ',', err))
		return false;
	for (size_t i = 0; i < rule->values.count; i++)
		if (!kube_name_check_label_value(rule->values.items[i], err))
			return false;
	return true;
}

static bool parse_rule(char *text, struct kube_node_rule *rule, struct err *err)
{
	bool is_negated = text[0] == '!';
	const char *values;

	if (!cut_weight(text, &rule->weight, err))
		return false;
	if (!cut_operator(text + is_negated, &rule->op, &values, err))
		return false;
	if (is_negated && values)
		return err_set(err, ERR_USAGE, "\"!\" takes a key alone");
	if (is_negated)
		rule->op = KUBE_NODE_DOES_NOT_EXIST;
	rule->key = mem_dup(text + is_negated);
	if (!rule->key)
		return err_memory(err);
	return kube_name_check_key(rule->key, err) && (!values || parse_values(rule, values, err));
}

bool kube_affinity_parse(struct kube_affinity *affinity, const char *text, struct err *err)
{
	struct kube_node_rule rule = {NULL, KUBE_NODE_IN, STRV_INIT, 0};
	_cleanup_free_ char *copy = mem_dup(text);

	if (!copy)
		return err_memory(err);
	if (!parse_rule(copy, &rule, err)) {
		release_rule(&rule);
		err_wrap(err, "\"%s\"", text);
		return err->hint ? false
		                 : err_hint(err, "write it as KEY=V,V, KEY!=V, KEY, !KEY, KEY>N or KEY<N");
	}
	return append(affinity, &rule, err);
}

bool kube_affinity_add(struct kube_affinity *affinity, const char *key, enum kube_node_operator op,
                       const char *value, int64_t weight, struct err *err)
{
	struct kube_node_rule rule = {mem_dup(key), op, STRV_INIT, weight};

	if (rule.key && strv_add(&rule.values, value, err))
		return append(affinity, &rule, err);
	release_rule(&rule);
	return err_memory(err);
}

static bool add_copy(struct kube_affinity *affinity, const struct kube_node_rule *rule,
                     struct err *err)
{
	struct kube_node_rule copy = {mem_dup(rule->key), rule->op, STRV_INIT, rule->weight};
	bool is_ok = copy.key;

	for (size_t i = 0; is_ok && i < rule->values.count; i++)
		is_ok = strv_add(&copy.values, rule->values.items[i], err);
	if (is_ok)
		return append(affinity, &copy, err);
	release_rule(&copy);
	return err_memory(err);
}

bool kube_affinity_add_all(struct kube_affinity *affinity, const struct kube_affinity *other,
                           struct err *err)
{
	for (size_t i = 0; i < other->count; i++)
		if (!add_copy(affinity, &other->items[i], err))
			return false;
	return true;
}

bool kube_affinity_wants_gpu_nodes(const struct kube_affinity *affinity)
{
	for (size_t i = 0; i < affinity->count; i++) {
		const struct kube_node_rule *rule = &affinity->items[i];

		if (!rule->weight && rule->op == KUBE_NODE_IN && !strcmp(rule->key, KUBE_GPU_NODE_LABEL) &&
		    rule->values.count == 1 && !strcmp(rule->values.items[0], KUBE_GPU_NODE_VALUE))
			return true;
	}
	return false;
}

static bool holds(const struct kube_node_rule *rule, const char *value)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t number, bound;

	switch (rule->op) {
	case KUBE_NODE_IN:
		return strv_contains(&rule->values, value);
	case KUBE_NODE_NOT_IN:
		return !strv_contains(&rule->values, value);
	case KUBE_NODE_EXISTS:
		return true;
	case KUBE_NODE_DOES_NOT_EXIST:
		return false;
	case KUBE_NODE_GREATER:
	case KUBE_NODE_LESS:
		return parse_i64(value, INT64_MIN, INT64_MAX, &number, &err) &&
		       parse_i64(rule->values.items[0], INT64_MIN, INT64_MAX, &bound, &err) &&
		       (rule->op == KUBE_NODE_GREATER ? number > bound : number < bound);
	}
	return false;
}

bool kube_affinity_rules_out(const struct kube_affinity *affinity, const char *key,
                             const char *value)
{
	for (size_t i = 0; i < affinity->count; i++) {
		const struct kube_node_rule *rule = &affinity->items[i];

		if (!rule->weight && !strcmp(rule->key, key) && !holds(rule, value))
			return true;
	}
	return false;
}

static void put_rule(const struct kube_node_rule *rule, struct json_build *b)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "key", rule->key);
	json_put_string(b, "operator", operators[rule->op]);
	if (rule->values.count) {
		json_build_open_array(b, "values");
		for (size_t i = 0; i < rule->values.count; i++)
			json_put_string(b, NULL, rule->values.items[i]);
		json_build_close(b);
	}
	json_build_close(b);
}

static void put_required(const struct kube_affinity *affinity, struct json_build *b)
{
	json_build_open_object(b, "requiredDuringSchedulingIgnoredDuringExecution");
	json_build_open_array(b, "nodeSelectorTerms");
	json_build_open_object(b, NULL);
	json_build_open_array(b, "matchExpressions");
	for (size_t i = 0; i < affinity->count; i++)
		if (!affinity->items[i].weight)
			put_rule(&affinity->items[i], b);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

static void put_preferred(const struct kube_affinity *affinity, struct json_build *b)
{
	json_build_open_array(b, "preferredDuringSchedulingIgnoredDuringExecution");
	for (size_t i = 0; i < affinity->count; i++) {
		if (!affinity->items[i].weight)
			continue;
		json_build_open_object(b, NULL);
		json_put_i64(b, "weight", affinity->items[i].weight);
		json_build_open_object(b, "preference");
		json_build_open_array(b, "matchExpressions");
		put_rule(&affinity->items[i], b);
		json_build_close(b);
		json_build_close(b);
		json_build_close(b);
	}
	json_build_close(b);
}

void kube_affinity_put(const struct kube_affinity *affinity, struct json_build *b)
{
	size_t preferred = 0;

	for (size_t i = 0; i < affinity->count; i++)
		preferred += affinity->items[i].weight > 0;
	if (!affinity->count)
		return;
	json_build_open_object(b, "affinity");
	json_build_open_object(b, "nodeAffinity");
	if (preferred < affinity->count)
		put_required(affinity, b);
	if (preferred)
		put_preferred(affinity, b);
	json_build_close(b);
	json_build_close(b);
}

struct json *kube_affinity_build(const struct kube_affinity *affinity, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	kube_affinity_put(affinity, &b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

void kube_affinity_release(struct kube_affinity *affinity)
{
	for (size_t i = 0; i < affinity->count; i++)
		release_rule(&affinity->items[i]);
	mem_free(affinity->items);
	*affinity = (struct kube_affinity){NULL, 0};
}
