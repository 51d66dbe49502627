// SPDX-License-Identifier: MIT
#include "kube/names.h"

#include "kube/object_info.h"

enum { PATH_MAX_BYTES = 8192 };

static bool on_object(void *context, enum kube_record_change change, void *record, struct err *err)
{
	const struct kube_object_info *object = record;

	(void)change;
	return !object->name || strv_add(context, object->name, err);
}

bool kube_names_get(struct kube_client *client, const struct kube_collection *collection,
                    const char *namespace, size_t max, struct strv *names, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_kube_record_reader_ struct kube_record_reader *reader =
		kube_record_reader_new(&kube_object_record, KUBE_RECORD_LIST, on_object, names, err);

	if (!reader)
		return false;
	kube_path_write(&path, collection, namespace, NULL);
	strbuf_addf(&path, "?limit=%zu", max);
	return strbuf_ok(&path, err) &&
	       kube_client_call(client, "GET", strbuf_get(&path), NULL, NULL, NULL, &reply, err) &&
	       kube_record_reader_feed(reader, reply.body, reply.body_len, err) &&
	       kube_record_reader_finish(reader, err);
}
