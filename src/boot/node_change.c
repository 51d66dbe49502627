// SPDX-License-Identifier: MIT
#include "boot/node_change.h"

#include <string.h>

#include "base/json_build.h"

static const char *text_at(const struct json *tree, const char *path)
{
	const struct json *value = tree ? json_find(tree, path) : NULL;

	return value ? json_string(value) : "";
}

// Names of labels have dots in them, so paths do not serve.
static const char *member(const struct json *map, const char *name)
{
	for (const struct json *child = map ? json_first(map) : NULL; child; child = json_next(child))
		if (!strcmp(json_name(child), name))
			return json_string(child);
	return NULL;
}

static void add_word(struct strbuf *words, const char *kind, const char *name, char between,
                     const char *value)
{
	strbuf_addf(words, "%s%s %s%c%s", words->len ? ", " : "", kind, name, between, value);
}

static bool put_labels(struct json_build *b, const struct json *node,
                       const struct boot_node_wants *wants, struct strbuf *words)
{
	const struct json *labels = json_find(node, "metadata.labels");
	bool has_any = false;

	for (size_t i = 0; i < wants->label_count; i++) {
		const struct boot_pair *label = &wants->labels[i];
		const char *old = member(labels, label->key);

		if (old && !strcmp(old, label->value))
			continue;
		if (!has_any)
			json_build_open_object(b, "labels");
		has_any = true;
		json_put_string(b, label->key, label->value);
		add_word(words, "label", label->key, '=', label->value);
	}
	if (has_any)
		json_build_close(b);
	return has_any;
}

// Is it the taint that we set, or set once with another effect? NoExecute is nobody's of ours.
static bool is_ours(const struct json *taint, const struct boot_node_wants *wants)
{
	return !strcmp(text_at(taint, "key"), wants->taint_key) &&
	       strcmp(text_at(taint, "effect"), "NoExecute") != 0;
}

// Does it have just the one of ours that it should?
static bool has_taint(const struct json *taints, const struct boot_node_wants *wants)
{
	size_t ours = 0, right = 0;

	for (const struct json *taint = taints ? json_first(taints) : NULL; taint;
	     taint = json_next(taint)) {
		if (!is_ours(taint, wants))
			continue;
		ours++;
		right += !strcmp(text_at(taint, "effect"), wants->taint_effect);
	}
	return ours == 1 && right == 1;
}

static void put_taints(struct json_build *b, const struct json *taints,
                       const struct boot_node_wants *wants)
{
	json_build_open_object(b, "spec");
	json_build_open_array(b, "taints");
	for (const struct json *taint = taints ? json_first(taints) : NULL; taint;
	     taint = json_next(taint))
		if (!is_ours(taint, wants))
			json_put_tree(b, NULL, json_dup(taint));
	json_build_open_object(b, NULL);
	json_put_string(b, "key", wants->taint_key);
	json_put_string(b, "value", "true");
	json_put_string(b, "effect", wants->taint_effect);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

bool boot_node_change(const struct json *node, const struct boot_node_wants *wants,
                      struct json **ret, struct strbuf *words, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	const struct json *taints = json_find(node, "spec.taints");
	bool lacks_taint = wants->taint_key && !has_taint(taints, wants), lacks_labels;

	*ret = NULL;
	json_build_open_object(&b, NULL);
	json_build_open_object(&b, "metadata");
	json_put_string(&b, "resourceVersion", text_at(node, "metadata.resourceVersion"));
	lacks_labels = put_labels(&b, node, wants, words);
	json_build_close(&b);
	if (lacks_taint) {
		put_taints(&b, taints, wants);
		add_word(words, "taint", wants->taint_key, ':', wants->taint_effect);
	}
	json_build_close(&b);
	if (!lacks_labels && !lacks_taint)
		return true;
	*ret = json_build_take(&b, err);
	return *ret;
}
