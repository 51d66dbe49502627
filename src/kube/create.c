// SPDX-License-Identifier: MIT
#include "kube/create.h"

#include <string.h>

#include "base/json_build.h"
#include "kube/list.h"

enum { PATH_MAX_BYTES = 8192, CONTENT_MAX_BYTES = 4 * 1024 * 1024, MAX_TRIES = 5 };

static const char field_manager[] = "vpsml";

static bool keep(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct kube_object_info *object = context;

	(void)change;
	(void)err;
	kube_object_info_release(object);
	memcpy(object, record, sizeof(*object));
	memset(record, 0, sizeof(*object));
	return true;
}

static bool get(struct kube_client *client, const struct kube_collection *collection,
                const char *namespace, const char *name, struct kube_object_info *ret,
                bool *ret_is_missing, struct err *err)
{
	struct kube_list_options options = {.collection = collection,
	                                    .kind = &kube_object_record,
	                                    .namespace = namespace,
	                                    .on_record = keep,
	                                    .context = ret};

	return kube_list_one(client, &options, name, ret_is_missing, err);
}

static bool read_reply(const struct kube_reply *reply, struct kube_object_info *ret,
                       struct err *err)
{
	_cleanup_kube_record_reader_ struct kube_record_reader *reader =
		kube_record_reader_new(&kube_object_record, KUBE_RECORD_OBJECT, keep, ret, err);

	return reader && kube_record_reader_feed(reader, reply->body, reply->body_len, err) &&
	       kube_record_reader_finish(reader, err);
}

static bool is_ours(const struct kube_object_info *object, const char *request_id)
{
	return request_id && object->request_id && !strcmp(object->request_id, request_id);
}

// One request, prepared.
struct creation {
	struct kube_client *client;
	const struct kube_collection *collection;
	const char *namespace, *name;
	const struct kube_create_options *options;
	struct strbuf path, content;
};

static bool prepare(struct creation *creation, const struct json *object, struct err *err)
{
	if (!json_get_string(object, "metadata.name", &creation->name, err))
		return false;
	kube_path_write(&creation->path, creation->collection, creation->namespace, NULL);
	kube_query_add(&creation->path, "fieldManager", field_manager);
	kube_query_add(&creation->path, "fieldValidation", "Strict");
	if (creation->options->is_dry_run)
		kube_query_add(&creation->path, "dryRun", "All");
	json_write(&creation->content, object);
	return strbuf_ok(&creation->path, err) && strbuf_ok(&creation->content, err);
}

// Whether an object of the name is there, and whose. *ret_is_missing: none is.
static enum kube_create_outcome look(struct creation *creation, struct kube_object_info *ret,
                                     bool *ret_is_missing, struct err *err)
{
	if (!get(creation->client, creation->collection, creation->namespace, creation->name, ret,
	         ret_is_missing, err))
		return KUBE_CREATE_FAILED;
	if (is_ours(ret, creation->options->request_id))
		return KUBE_CREATE_DONE;
	err_set(err, ERR_REFUSED, "%s \"%s\" already exists", creation->collection->word,
	        creation->name);
	return KUBE_CREATE_EXISTS;
}

static bool is_conflict(const struct kube_reply *reply)
{
	return reply->status == 409 && kube_status_has_reason(&reply->refusal, "AlreadyExists");
}

// One try. *ret_again: nothing came of it and nothing is there.
static enum kube_create_outcome try_once(struct creation *creation, struct kube_object_info *ret,
                                         bool *ret_again, struct err *err)
{
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_err_ struct err failure = ERR_INIT;
	enum kube_create_outcome outcome;
	bool is_missing = false;

	*ret_again = false;
	if (kube_client_call(creation->client, "POST", strbuf_get(&creation->path), "application/json",
	                     strbuf_get(&creation->content), creation->options->flag_of, &reply,
	                     &failure))
		return read_reply(&reply, ret, err) ? KUBE_CREATE_DONE : KUBE_CREATE_FAILED;
	if (!is_conflict(&reply) &&
	    (reply.status || !reply.was_sent || creation->options->is_dry_run)) {
		err_copy(err, &failure);
		return KUBE_CREATE_FAILED;
	}
	outcome = look(creation, ret, &is_missing, err);
	*ret_again = is_missing;
	return outcome;
}

enum kube_create_outcome kube_create(struct kube_client *client,
                                     const struct kube_collection *collection,
                                     const char *namespace, const struct json *object,
                                     const struct kube_create_options *options,
                                     struct kube_object_info *ret, struct err *err)
{
	struct creation creation = {.client = client,
	                            .collection = collection,
	                            .namespace = namespace,
	                            .options = options,
	                            .path = STRBUF_INIT(PATH_MAX_BYTES),
	                            .content = STRBUF_INIT(CONTENT_MAX_BYTES)};
	struct kube_object_info unwanted = {NULL};
	struct kube_object_info *made = ret ? ret : &unwanted;
	enum kube_create_outcome outcome = KUBE_CREATE_FAILED;
	bool is_again = true;

	if (prepare(&creation, object, err)) {
		for (int tries = 0; is_again && tries < MAX_TRIES; tries++) {
			err_clear(err);
			outcome = try_once(&creation, made, &is_again, err);
		}
	}
	kube_object_info_release(&unwanted);
	strbuf_release(&creation.path);
	strbuf_release(&creation.content);
	return outcome;
}

// The default for Jobs would leave their pods running, with their GPUs
// (kubernetes/kubernetes#20902).
static bool write_delete_options(struct strbuf *out, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "v1");
	json_put_string(&b, "kind", "DeleteOptions");
	json_put_string(&b, "propagationPolicy", "Background");
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (!tree)
		return false;
	json_write(out, tree);
	return strbuf_ok(out, err);
}

bool kube_delete(struct kube_client *client, const struct kube_collection *collection,
                 const char *namespace, const char *name, bool *ret_is_missing, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf content = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_kube_reply_ struct kube_reply reply = {0};

	*ret_is_missing = false;
	kube_path_write(&path, collection, namespace, name);
	if (!strbuf_ok(&path, err) || !write_delete_options(&content, err))
		return false;
	if (kube_client_call(client, "DELETE", strbuf_get(&path), "application/json",
	                     strbuf_get(&content), NULL, &reply, err))
		return true;
	*ret_is_missing = reply.status == 404;
	return err_wrap(err, "%s \"%s\"", collection->word, name);
}

bool kube_patch(struct kube_client *client, const struct kube_collection *collection,
                const char *namespace, const char *name, const struct json *patch,
                kube_flag_of_field_fn *flag_of, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf content = STRBUF_INIT(CONTENT_MAX_BYTES);
	_cleanup_kube_reply_ struct kube_reply reply = {0};

	kube_path_write(&path, collection, namespace, name);
	kube_query_add(&path, "fieldManager", field_manager);
	json_write(&content, patch);
	if (!strbuf_ok(&path, err) || !strbuf_ok(&content, err))
		return false;
	return kube_client_call(client, "PATCH", strbuf_get(&path), "application/merge-patch+json",
	                        strbuf_get(&content), flag_of, &reply, err) ||
	       err_wrap(err, "%s \"%s\"", collection->word, name);
}
