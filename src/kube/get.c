// SPDX-License-Identifier: MIT
#include "kube/get.h"

#include <string.h>

enum { PATH_MAX_BYTES = 8192 };

bool kube_get(struct kube_client *client, const struct kube_collection *collection,
              const char *namespace, const char *name, struct kube_reply *ret, bool *ret_is_missing,
              struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);

	*ret = (struct kube_reply){0};
	*ret_is_missing = false;
	kube_path_write(&path, collection, namespace, name);
	if (!strbuf_ok(&path, err))
		return false;
	if (kube_client_call(client, "GET", strbuf_get(&path), NULL, NULL, NULL, ret, err))
		return true;
	*ret_is_missing = ret->status == 404;
	return err_wrap(err, "%s \"%s\"", collection->word, name);
}

// Where the record goes.
struct place {
	const struct kube_record_kind *kind;
	void *record;
};

static bool keep(void *context, enum kube_record_change change, void *record, struct err *err)
{
	const struct place *place = context;

	(void)change;
	(void)err;
	place->kind->release(place->record);
	memcpy(place->record, record, place->kind->size);
	memset(record, 0, place->kind->size);
	return true;
}

bool kube_record_read(const struct kube_record_kind *kind, const char *text, size_t len, void *ret,
                      struct err *err)
{
	struct place place = {kind, ret};
	_cleanup_kube_record_reader_ struct kube_record_reader *reader =
		kube_record_reader_new(kind, KUBE_RECORD_OBJECT, keep, &place, err);

	return reader && kube_record_reader_feed(reader, text, len, err) &&
	       kube_record_reader_finish(reader, err);
}
