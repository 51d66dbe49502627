// SPDX-License-Identifier: MIT
#include "kube/list.h"

#include <string.h>

#include "base/mem.h"

enum { PATH_MAX_BYTES = 64 * 1024, LIST_TIMEOUT_MS = 60 * 1000, MAX_RESTARTS = 3, MAX_LISTS = 16 };

static const char page_size[] = "500";

struct kube_list {
	struct kube_client *client;
	struct kube_list_options options;
	struct kube_record_reader *reader;
	uint64_t call_id;
	bool is_running;
	int restarts;
	bool has_records; // of this page
	char *continue_token;
	char *version;
};

static bool start_page(struct kube_list *list, struct err *err);

static bool on_body(void *context, const char *data, size_t len, struct err *err)
{
	struct kube_list *list = context;

	list->has_records = true;
	return kube_record_reader_feed(list->reader, data, len, err);
}

// The connection was lost in a page. A first page starts over; of a later one some records have been
// told already: the call fails, and after_call starts the whole list over.
static bool on_call_restart(void *context)
{
	struct kube_list *list = context;

	if (list->continue_token || (list->has_records && !list->options.on_restart))
		return false;
	if (list->has_records)
		list->options.on_restart(list->options.context);
	list->has_records = false;
	kube_record_reader_reset(list->reader);
	return true;
}

static void finish(struct kube_list *list, const struct err *failure)
{
	list->options.on_done(list->options.context, list->version ? list->version : "", failure);
}

static bool replace(char **to, const char *text, struct err *err)
{
	char *copy = *text ? mem_dup(text) : NULL;

	if (*text && !copy)
		return err_memory(err);
	mem_free(*to);
	*to = copy;
	return true;
}

// A page is whole: the next one, or the end.
static bool end_page(struct kube_list *list, struct err *err)
{
	const struct kube_record_meta *meta = kube_record_reader_meta(list->reader);

	if (!kube_record_reader_finish(list->reader, err) ||
	    !replace(&list->version, meta->resource_version, err) ||
	    !replace(&list->continue_token, meta->continue_token, err))
		return false;
	if (list->continue_token)
		return start_page(list, err);
	finish(list, NULL);
	return true;
}

// The first page again, unless that has been tried often enough: then it fails as the last page did.
static bool start_over(struct kube_list *list, const struct err *failure, struct err *err)
{
	if (!list->options.on_restart || ++list->restarts > MAX_RESTARTS)
		return err_copy(err, failure);
	list->options.on_restart(list->options.context);
	return replace(&list->continue_token, "", err) && start_page(list, err);
}

// A later page cannot be had: the server no longer knows our place in the list (410), and may offer a
// new one, from which what follows is of a later state; or its answer broke off. Else all starts over.
static bool after_failure(struct kube_list *list, const struct kube_result *result, struct err *err)
{
	const struct kube_status *refusal = result->refusal;

	if (!refusal && result->failure->kind == ERR_UNREACHABLE && list->has_records)
		return start_over(list, result->failure, err);
	if (!refusal || refusal->code != 410)
		return err_copy(err, result->failure);
	if (*refusal->continue_token)
		return replace(&list->continue_token, refusal->continue_token, err) &&
		       start_page(list, err);
	return start_over(list, result->failure, err);
}

static bool after_call(struct kube_list *list, const struct kube_result *result, struct err *err)
{
	if (!result->failure)
		return end_page(list, err);
	return list->continue_token ? after_failure(list, result, err) : err_copy(err, result->failure);
}

static void on_call_done(void *context, const struct kube_result *result)
{
	struct kube_list *list = context;
	_cleanup_err_ struct err err = ERR_INIT;

	list->is_running = false;
	if (!after_call(list, result, &err)) {
		err_wrap(&err, "list of %s", list->options.collection->plural);
		finish(list, &err);
	}
}

static void add_selectors(struct strbuf *path, const struct kube_list_options *options)
{
	if (options->label_selector)
		kube_query_add(path, "labelSelector", options->label_selector);
	if (options->field_selector)
		kube_query_add(path, "fieldSelector", options->field_selector);
}

static bool start_page(struct kube_list *list, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	struct kube_call call = {.method = "GET",
	                         .usual_timeout_ms = LIST_TIMEOUT_MS,
	                         .is_tried_once = list->options.is_tried_once,
	                         .body = on_body,
	                         .restart = on_call_restart,
	                         .done = on_call_done,
	                         .context = list};

	kube_record_reader_reset(list->reader);
	list->has_records = false;
	kube_path_write(&path, list->options.collection, list->options.namespace, NULL);
	add_selectors(&path, &list->options);
	kube_query_add(&path, "limit", page_size);
	if (list->continue_token)
		kube_query_add(&path, "continue", list->continue_token);
	if (!strbuf_ok(&path, err))
		return false;
	call.path = strbuf_get(&path);
	list->is_running = kube_client_start(list->client, &call, &list->call_id, err);
	return list->is_running;
}

struct kube_list *kube_list_start(struct kube_client *client,
                                  const struct kube_list_options *options, struct err *err)
{
	struct kube_list *list = mem_alloc(sizeof(*list));

	if (!list) {
		err_memory(err);
		return NULL;
	}
	list->client = client;
	list->options = *options;
	list->reader = kube_record_reader_new(options->kind, KUBE_RECORD_LIST, options->on_record,
	                                      options->context, err);
	if (!list->reader || !start_page(list, err)) {
		kube_list_free(list);
		return NULL;
	}
	return list;
}

void kube_list_free(struct kube_list *list)
{
	if (!list)
		return;
	if (list->is_running)
		kube_client_cancel(list->client, list->call_id);
	kube_record_reader_free(list->reader);
	mem_free(list->continue_token);
	mem_free(list->version);
	mem_free(list);
}

// One of several lists that are waited for. The caller's context is behind it.
struct awaited {
	const struct kube_list_options *options;
	struct kube_list *list;
	bool is_done;
	struct err failure;
};

static bool forward_record(void *context, enum kube_record_change change, void *record,
                           struct err *err)
{
	struct awaited *awaited = context;

	return awaited->options->on_record(awaited->options->context, change, record, err);
}

static void forward_restart(void *context)
{
	struct awaited *awaited = context;

	awaited->options->on_restart(awaited->options->context);
}

static void on_awaited(void *context, const char *version, const struct err *failure)
{
	struct awaited *awaited = context;

	(void)version;
	awaited->is_done = true;
	if (failure)
		err_copy(&awaited->failure, failure);
}

static bool start_awaited(struct kube_client *client, struct awaited *awaited, struct err *err)
{
	struct kube_list_options options = *awaited->options;

	options.on_record = forward_record;
	options.on_restart = options.on_restart ? forward_restart : NULL;
	options.on_done = on_awaited;
	options.context = awaited;
	awaited->list = kube_list_start(client, &options, err);
	return awaited->list;
}

// Runs until all are done, or one failed.
static bool run_awaited(struct kube_client *client, struct awaited *all, size_t count,
                        struct err *err)
{
	for (size_t i = 0; i < count;) {
		if (!all[i].is_done) {
			if (!loop_run(kube_client_loop(client), -1, err))
				return false;
		} else if (all[i].failure.kind != ERR_NONE &&
		           !(all[i].options->is_optional && all[i].failure.kind == ERR_REFUSED)) {
			*err = all[i].failure;
			all[i].failure = (struct err)ERR_INIT;
			return false;
		} else {
			if (all[i].options->ret_is_whole)
				*all[i].options->ret_is_whole = all[i].failure.kind == ERR_NONE;
			i++;
		}
	}
	return true;
}

bool kube_list_all(struct kube_client *client, const struct kube_list_options *lists, size_t count,
                   struct err *err)
{
	struct awaited all[MAX_LISTS] = {{NULL}};
	bool is_ok = count <= COUNT_OF(all) || err_set(err, ERR_FAILED, "too many lists at once");

	for (size_t i = 0; is_ok && i < count; i++) {
		all[i].options = &lists[i];
		is_ok = start_awaited(client, &all[i], err);
	}
	is_ok = is_ok && run_awaited(client, all, count, err);
	for (size_t i = 0; i < count && i < COUNT_OF(all); i++) {
		kube_list_free(all[i].list);
		err_clear(&all[i].failure);
	}
	return is_ok;
}

bool kube_list_one(struct kube_client *client, const struct kube_list_options *options,
                   const char *name, bool *ret_is_missing, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_kube_record_reader_ struct kube_record_reader *reader = kube_record_reader_new(
		options->kind, KUBE_RECORD_OBJECT, options->on_record, options->context, err);

	*ret_is_missing = false;
	if (!reader)
		return false;
	kube_path_write(&path, options->collection, options->namespace, name);
	if (!strbuf_ok(&path, err))
		return false;
	if (!kube_client_call(client, "GET", strbuf_get(&path), NULL, NULL, NULL, &reply, err)) {
		*ret_is_missing = reply.status == 404;
		return err_wrap(err, "%s \"%s\"", options->collection->word, name);
	}
	return (kube_record_reader_feed(reader, reply.body, reply.body_len, err) &&
	        kube_record_reader_finish(reader, err)) ||
	       err_wrap(err, "%s \"%s\"", options->collection->word, name);
}
