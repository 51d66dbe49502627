// SPDX-License-Identifier: MIT
#include "kube/create.h"

#include <string.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "kube/record.h"

enum {
	PATH_MAX_BYTES = 8192,
	CONTENT_MAX_BYTES = 4 * 1024 * 1024,
	MAX_TRIES = 5,
	GONE_POLL_MS = 250,
	GONE_LIMIT_MS = 5 * 60 * 1000,
};

static const char field_manager[] = "vpsml";

// One object on its way: (delete, look until it is gone,) post, look where the reply was lost.
struct kube_creation {
	struct kube_client *client;
	const struct kube_collection *collection;
	struct kube_create_options options;
	char *name;
	struct strbuf path, content; // of the POST
	struct strbuf own_path;      // of the object itself
	uint64_t call_id;
	bool is_running;
	int tries;
	struct loop_timer timer;
	int64_t waited_ms; // for the old one to go
	kube_created_fn *done;
	void *context;
};

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

static bool read_object(const struct kube_result *result, struct kube_object_info *ret,
                        struct err *err)
{
	_cleanup_kube_record_reader_ struct kube_record_reader *reader =
		kube_record_reader_new(&kube_object_record, KUBE_RECORD_OBJECT, keep, ret, err);

	return reader && kube_record_reader_feed(reader, result->body, result->body_len, err) &&
	       kube_record_reader_finish(reader, err);
}

static bool is_ours(const struct kube_object_info *object, const char *request_id)
{
	return request_id && object->request_id && !strcmp(object->request_id, request_id);
}

// The default for Jobs would leave their pods running, with their GPUs
// (kubernetes/kubernetes#20902).
static bool write_delete_options(struct strbuf *out, const char *propagation, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "v1");
	json_put_string(&b, "kind", "DeleteOptions");
	json_put_string(&b, "propagationPolicy", propagation);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (!tree)
		return false;
	json_write(out, tree);
	return strbuf_ok(out, err);
}

// The end: nothing may touch the creation behind it.
static void finish(struct kube_creation *creation, const struct kube_created *created)
{
	creation->done(creation->context, created);
}

static void fail(struct kube_creation *creation, const struct err *failure)
{
	finish(creation, &(struct kube_created){.outcome = KUBE_CREATE_FAILED, .failure = failure});
}

// With the flags that set the fields that are refused.
static void fail_refused(struct kube_creation *creation, const struct kube_result *result)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (result->refusal)
		kube_status_to_err(result->refusal, creation->options.flag_of, &err);
	else
		err_copy(&err, result->failure);
	fail(creation, &err);
}

typedef void answer_fn(void *creation, const struct kube_result *result);

static bool ask(struct kube_creation *creation, const char *method, const struct strbuf *path,
                const char *content, answer_fn *done, struct err *err)
{
	struct kube_call call = {.method = method,
	                         .path = strbuf_get(path),
	                         .content_type = content ? "application/json" : NULL,
	                         .content = content,
	                         .done = done,
	                         .context = creation};

	creation->is_running = kube_client_start(creation->client, &call, &creation->call_id, err);
	return creation->is_running;
}

// ask, from inside the loop: a failure is told at once.
static void ask_next(struct kube_creation *creation, const char *method, const struct strbuf *path,
                     const char *content, answer_fn *done)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!ask(creation, method, path, content, done, &err))
		fail(creation, &err);
}

// The server may have acted, and nobody knows.
static bool is_lost(const struct kube_result *result)
{
	return result->failure && !result->status && result->was_sent;
}

static void on_posted(void *context, const struct kube_result *result);

static void post(struct kube_creation *creation)
{
	creation->tries++;
	ask_next(creation, "POST", &creation->path, strbuf_get(&creation->content), on_posted);
}

static void finish_read(struct kube_creation *creation, const struct kube_result *result,
                        const struct kube_object_info *object)
{
	finish(creation, &(struct kube_created){.outcome = KUBE_CREATE_DONE,
	                                        .object = object,
	                                        .body = result->body,
	                                        .body_len = result->body_len});
}

static void finish_exists(struct kube_creation *creation, const struct kube_object_info *object)
{
	_cleanup_err_ struct err err = ERR_INIT;

	err_set(&err, ERR_REFUSED, "%s \"%s\" already exists%s", creation->collection->word,
	        creation->name, object->deleted_ms ? ", and is being deleted" : "");
	finish(creation, &(struct kube_created){
						 .outcome = KUBE_CREATE_EXISTS, .object = object, .failure = &err});
}

// What is there, after a reply that was lost or a conflict.
static void on_looked(void *context, const struct kube_result *result)
{
	struct kube_creation *creation = context;
	struct kube_object_info object = {NULL};
	_cleanup_err_ struct err err = ERR_INIT;

	creation->is_running = false;
	if (result->status == 404 && creation->tries < MAX_TRIES)
		post(creation);
	else if (result->failure)
		fail_refused(creation, result);
	else if (!read_object(result, &object, &err))
		fail(creation, &err);
	else if (is_ours(&object, creation->options.request_id))
		finish_read(creation, result, &object);
	else
		finish_exists(creation, &object);
	kube_object_info_release(&object);
}

static bool is_taken(const struct kube_result *result)
{
	return result->status == 409 && result->refusal &&
	       kube_status_has_reason(result->refusal, "AlreadyExists");
}

// An answer that cannot be read is as good as lost: it may have been cut.
static void take_success(struct kube_creation *creation, const struct kube_result *result)
{
	struct kube_object_info object = {NULL};
	_cleanup_err_ struct err err = ERR_INIT;

	if (read_object(result, &object, &err))
		finish_read(creation, result, &object);
	else if (!creation->options.is_dry_run)
		ask_next(creation, "GET", &creation->own_path, NULL, on_looked);
	else
		fail(creation, &err);
	kube_object_info_release(&object);
}

static void on_posted(void *context, const struct kube_result *result)
{
	struct kube_creation *creation = context;
	bool is_dry_run = creation->options.is_dry_run;

	creation->is_running = false;
	if (!result->failure)
		take_success(creation, result);
	else if (is_taken(result) && is_dry_run && creation->options.replaces)
		// Names are looked at last, behind validation and admission: all else was found good.
		finish(creation, &(struct kube_created){.outcome = KUBE_CREATE_DONE});
	else if (is_dry_run && is_lost(result) && creation->tries < MAX_TRIES)
		post(creation);
	else if (is_taken(result) || (is_lost(result) && !is_dry_run))
		ask_next(creation, "GET", &creation->own_path, NULL, on_looked);
	else
		fail_refused(creation, result);
}

static void look_for_old(void *context);

// The object that has the name is being deleted: is it gone?
static void on_old(void *context, const struct kube_result *result)
{
	struct kube_creation *creation = context;
	_cleanup_err_ struct err err = ERR_INIT;

	creation->is_running = false;
	if (result->status == 404) {
		creation->tries = 0;
		post(creation);
	} else if (result->failure) {
		fail_refused(creation, result);
	} else if (creation->waited_ms >= GONE_LIMIT_MS) {
		err_set(&err, ERR_FAILED, "%s \"%s\" is still being deleted after %d s",
		        creation->collection->word, creation->name, GONE_LIMIT_MS / 1000);
		fail(creation, &err);
	} else {
		creation->waited_ms += GONE_POLL_MS;
		loop_timer_set(kube_client_loop(creation->client), &creation->timer, GONE_POLL_MS,
		               look_for_old, creation);
	}
}

static void look_for_old(void *context)
{
	struct kube_creation *creation = context;

	ask_next(creation, "GET", &creation->own_path, NULL, on_old);
}

static void on_deleted(void *context, const struct kube_result *result);

// With its pods: until they are gone, it stays.
static bool delete_old(struct kube_creation *creation, struct err *err)
{
	_cleanup_strbuf_ struct strbuf options = STRBUF_INIT(PATH_MAX_BYTES);

	creation->tries++;
	return write_delete_options(&options, "Foreground", err) &&
	       ask(creation, "DELETE", &creation->own_path, strbuf_get(&options), on_deleted, err);
}

static void on_deleted(void *context, const struct kube_result *result)
{
	struct kube_creation *creation = context;
	_cleanup_err_ struct err err = ERR_INIT;

	creation->is_running = false;
	if (!result->failure) {
		look_for_old(creation);
	} else if (result->status == 404) {
		creation->tries = 0;
		post(creation);
	} else if (is_lost(result) && creation->tries < MAX_TRIES) {
		if (!delete_old(creation, &err))
			fail(creation, &err);
	} else {
		fail_refused(creation, result);
	}
}

static bool prepare(struct kube_creation *creation, const char *namespace,
                    const struct json *object, struct err *err)
{
	const char *name;

	if (!json_get_string(object, "metadata.name", &name, err))
		return false;
	creation->name = mem_dup(name);
	if (!creation->name)
		return err_memory(err);
	kube_path_write(&creation->path, creation->collection, namespace, NULL);
	kube_query_add(&creation->path, "fieldManager", field_manager);
	kube_query_add(&creation->path, "fieldValidation", "Strict");
	if (creation->options.is_dry_run)
		kube_query_add(&creation->path, "dryRun", "All");
	kube_path_write(&creation->own_path, creation->collection, namespace, name);
	json_write(&creation->content, object);
	return strbuf_ok(&creation->path, err) && strbuf_ok(&creation->own_path, err) &&
	       strbuf_ok(&creation->content, err);
}

static bool begin(struct kube_creation *creation, struct err *err)
{
	if (creation->options.replaces && !creation->options.is_dry_run)
		return delete_old(creation, err);
	creation->tries++;
	return ask(creation, "POST", &creation->path, strbuf_get(&creation->content), on_posted, err);
}

struct kube_creation *kube_creation_start(struct kube_client *client,
                                          const struct kube_collection *collection,
                                          const char *namespace, const struct json *object,
                                          const struct kube_create_options *options,
                                          kube_created_fn *done, void *context, struct err *err)
{
	struct kube_creation *creation = mem_alloc(sizeof(*creation));

	if (!creation) {
		err_memory(err);
		return NULL;
	}
	*creation = (struct kube_creation){.client = client,
	                                   .collection = collection,
	                                   .options = *options,
	                                   .path = STRBUF_INIT(PATH_MAX_BYTES),
	                                   .content = STRBUF_INIT(CONTENT_MAX_BYTES),
	                                   .own_path = STRBUF_INIT(PATH_MAX_BYTES),
	                                   .done = done,
	                                   .context = context};
	if (prepare(creation, namespace, object, err) && begin(creation, err))
		return creation;
	kube_creation_free(creation);
	return NULL;
}

void kube_creation_free(struct kube_creation *creation)
{
	if (!creation)
		return;
	if (creation->is_running)
		kube_client_cancel(creation->client, creation->call_id);
	loop_timer_stop(&creation->timer);
	mem_free(creation->name);
	strbuf_release(&creation->path);
	strbuf_release(&creation->own_path);
	strbuf_release(&creation->content);
	mem_free(creation);
}

// A creation that somebody waits for.
struct waiting {
	bool is_done;
	enum kube_create_outcome outcome;
	struct kube_object_info *ret;
	char **ret_answer;
	struct err *err;
};

static bool copy_result(const struct kube_created *created, struct waiting *waiting)
{
	const struct kube_object_info *object = created->object;

	if (waiting->ret && object && object->uid) {
		waiting->ret->uid = mem_dup(object->uid);
		if (!waiting->ret->uid)
			return err_memory(waiting->err);
	}
	if (waiting->ret_answer && created->body) {
		*waiting->ret_answer = mem_dup_n(created->body, created->body_len);
		if (!*waiting->ret_answer)
			return err_memory(waiting->err);
	}
	return true;
}

static void on_awaited(void *context, const struct kube_created *created)
{
	struct waiting *waiting = context;

	waiting->is_done = true;
	waiting->outcome = created->outcome;
	if (created->failure)
		err_copy(waiting->err, created->failure);
	else if (!copy_result(created, waiting))
		waiting->outcome = KUBE_CREATE_FAILED;
}

enum kube_create_outcome kube_create(struct kube_client *client,
                                     const struct kube_collection *collection,
                                     const char *namespace, const struct json *object,
                                     const struct kube_create_options *options,
                                     struct kube_object_info *ret, char **ret_answer,
                                     struct err *err)
{
	struct waiting waiting = {
		.outcome = KUBE_CREATE_FAILED, .ret = ret, .ret_answer = ret_answer, .err = err};
	struct kube_creation *creation = kube_creation_start(client, collection, namespace, object,
	                                                     options, on_awaited, &waiting, err);
	bool is_ok = creation != NULL;

	if (ret_answer)
		*ret_answer = NULL;
	while (is_ok && !waiting.is_done)
		is_ok = loop_run(kube_client_loop(client), -1, err);
	kube_creation_free(creation);
	return is_ok ? waiting.outcome : KUBE_CREATE_FAILED;
}

bool kube_delete(struct kube_client *client, const struct kube_collection *collection,
                 const char *namespace, const char *name, bool *ret_is_missing, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf content = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_kube_reply_ struct kube_reply reply = {0};

	*ret_is_missing = false;
	kube_path_write(&path, collection, namespace, name);
	if (!strbuf_ok(&path, err) || !write_delete_options(&content, "Background", err))
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
