// SPDX-License-Identifier: MIT
#include "kube/toleration.h"

#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "kube/name.h"

static const char *const effects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute", NULL};

static bool append(struct kube_tolerations *list, struct kube_toleration toleration,
                   struct err *err)
{
	if (mem_append(&list->items, &list->count, &toleration, sizeof(toleration)))
		return true;
	mem_free(toleration.key);
	mem_free(toleration.value);
	return err_memory(err);
}

// Cuts ":EFFECT" off TEXT.
static bool cut_effect(char *text, const char **ret, struct err *err)
{
	char *colon = strrchr(text, ':');
	size_t index;

	if (!colon)
		return true;
	if (!parse_word(colon + 1, effects, &index, err))
		return false;
	*ret = effects[index];
	*colon = '\0';
	return true;
}

bool kube_tolerations_parse(struct kube_tolerations *list, const char *text, struct err *err)
{
	struct kube_toleration toleration = {NULL, NULL, NULL};
	_cleanup_free_ char *key = mem_dup(text);
	_cleanup_free_ char *value = NULL;
	char *equals;

	if (!key)
		return err_memory(err);
	if (!strcmp(text, "all"))
		return append(list, toleration, err);
	if (!cut_effect(key, &toleration.effect, err))
		return err_wrap(err, "\"%s\"", text);
	equals = strchr(key, '=');
	if (equals) {
		value = mem_dup(equals + 1);
		if (!value)
			return err_memory(err);
		*equals = '\0';
	}
	if (!kube_name_check_key(key, err) || (value && !kube_name_check_label_value(value, err)))
		return err_hint(err, "write it as KEY[=VALUE][:EFFECT] or all");
	toleration.key = TAKE(key);
	toleration.value = TAKE(value);
	return append(list, toleration, err);
}

static void put(const struct kube_toleration *toleration, struct json_build *b)
{
	json_build_open_object(b, NULL);
	if (toleration->key)
		json_put_string(b, "key", toleration->key);
	json_put_string(b, "operator", toleration->value ? "Equal" : "Exists");
	if (toleration->value)
		json_put_string(b, "value", toleration->value);
	if (toleration->effect)
		json_put_string(b, "effect", toleration->effect);
	json_build_close(b);
}

// Does one in the list tolerate every taint with KEY?
static bool covers(const struct kube_tolerations *list, const char *key)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct kube_toleration *item = &list->items[i];

		if (!item->value && !item->effect && (!item->key || !strcmp(item->key, key)))
			return true;
	}
	return false;
}

void kube_tolerations_put(const struct kube_tolerations *list, const char *gpu_key,
                          struct json_build *b)
{
	bool needs_gpu = gpu_key && !covers(list, gpu_key);

	if (!list->count && !needs_gpu)
		return;
	json_build_open_array(b, "tolerations");
	if (needs_gpu) {
		_cleanup_free_ char *key = mem_dup(gpu_key);

		b->failed |= !key;
		put(&(struct kube_toleration){key, NULL, NULL}, b);
	}
	for (size_t i = 0; i < list->count; i++)
		put(&list->items[i], b);
	json_build_close(b);
}

void kube_tolerations_release(struct kube_tolerations *list)
{
	for (size_t i = 0; i < list->count; i++) {
		mem_free(list->items[i].key);
		mem_free(list->items[i].value);
	}
	mem_free(list->items);
	*list = (struct kube_tolerations){NULL, 0};
}
