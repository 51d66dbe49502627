// SPDX-License-Identifier: MIT
#include "jobs/missing.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "kube/list.h"
#include "kube/names.h"
#include "kube/object_info.h"

enum { LOOKED_AT_COUNT = 200, SHOWN_COUNT = 5, HINT_MAX_BYTES = 4096 };

// Takes ITEM out of the COUNT words; it stays among the first of them in FOUND.
static void pick(const char **words, size_t *count, const char *item, const char **found,
                 size_t *found_count)
{
	size_t i = 0;

	while (words[i] != item)
		i++;
	memmove(words + i, words + i + 1, (--*count - i) * sizeof(*words));
	found[(*found_count)++] = item;
}

// The first of the words that begins with NAME, or that NAME begins with; or NULL.
static const char *find_longer(const char *name, const char *const *words, size_t count)
{
	size_t len = strlen(name);

	for (size_t i = 0; len && i < count; i++)
		if (!strncmp(words[i], name, len))
			return words[i];
	return NULL;
}

static void write_found(struct strbuf *out, const char *const *found, size_t count)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "%s\"%s\"",
		            !i              ? "did you mean "
		            : i + 1 < count ? ", "
		                            : " or ",
		            found[i]);
	strbuf_add_char(out, '?');
}

static void write_all(struct strbuf *out, const struct strv *names)
{
	size_t shown = names->count > SHOWN_COUNT ? SHOWN_COUNT : names->count;

	strbuf_add(out, names->count > 1 ? "there are " : "there is ");
	for (size_t i = 0; i < shown; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", names->items[i]);
	if (names->count >= LOOKED_AT_COUNT)
		strbuf_add(out, " and many more");
	else if (names->count > shown)
		strbuf_addf(out, " and %zu more", names->count - shown);
}

void jobs_nearest_write(struct strbuf *out, const char *name, const struct strv *names)
{
	_cleanup_free_ const char **words = mem_alloc((names->count + 1) * sizeof(*words));
	const char *found[SHOWN_COUNT], *next;
	size_t count = names->count, found_count = 0;

	if (!words || !count)
		return;
	memcpy(words, names->items, count * sizeof(*words));
	while (found_count < COUNT_OF(found)) {
		next = text_nearest(name, words, count);
		if (!next)
			next = find_longer(name, words, count);
		if (!next)
			break;
		pick(words, &count, next, found, &found_count);
	}
	if (found_count)
		write_found(out, found, found_count);
	else
		write_all(out, names);
}

// The hint of *err: what NAME may stand for.
static void hint_nearest(struct kube_client *client, const struct kube_collection *collection,
                         const char *namespace, const char *name, bool *ret_is_empty,
                         struct err *err)
{
	_cleanup_strv_ struct strv names = STRV_INIT;
	_cleanup_strbuf_ struct strbuf hint = STRBUF_INIT(HINT_MAX_BYTES);
	_cleanup_err_ struct err ignored = ERR_INIT;

	if (!kube_names_get(client, collection, namespace, LOOKED_AT_COUNT, &names, &ignored))
		return;
	*ret_is_empty = !names.count;
	jobs_nearest_write(&hint, name, &names);
	if (hint.len && !hint.failed)
		err_hint(err, "%s", strbuf_get(&hint));
}

static bool ignore(void *context, enum kube_record_change change, void *record, struct err *err)
{
	(void)context;
	(void)change;
	(void)record;
	(void)err;
	return true;
}

bool jobs_namespace_is_missing(struct kube_client *client, const char *namespace, struct err *err)
{
	struct kube_list_options options = {
		.collection = &kube_namespaces, .kind = &kube_object_record, .on_record = ignore};
	_cleanup_err_ struct err answer = ERR_INIT;
	bool is_missing, is_empty;

	if (kube_list_one(client, &options, namespace, &is_missing, &answer) || !is_missing)
		return false;
	err_set(err, ERR_REFUSED, "no namespace \"%s\"", namespace);
	hint_nearest(client, &kube_namespaces, NULL, namespace, &is_empty, err);
	return true;
}

bool jobs_missing(struct kube_client *client, const struct kube_collection *collection,
                  const char *namespace, const char *name, struct err *err)
{
	_cleanup_err_ struct err missing = ERR_INIT;
	bool is_empty = false;

	err_set(&missing, ERR_REFUSED, "no %s \"%s\" in namespace \"%s\"", collection->word, name,
	        namespace);
	hint_nearest(client, collection, namespace, name, &is_empty, &missing);
	if (is_empty && jobs_namespace_is_missing(client, namespace, err))
		return false;
	err_clear(err);
	*err = missing;
	missing = (struct err)ERR_INIT;
	return false;
}
