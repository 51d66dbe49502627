// SPDX-License-Identifier: MIT
#include "kube/names.h"

#include <string.h>

#include "base/json_pick.h"
#include "base/mem.h"
#include "kube/object_info.h"

enum { PATH_MAX_BYTES = 64 * 1024 };

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

// A search

// A table without objects in it; what knows no tables sends the list.
static const char accept[] = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
// The first page is small, so that it comes at once.
static const char first_page[] = "200", later_page[] = "500";

enum { CONTINUE, CELLS, CELL, NAME };

static const struct json_want wants[] = {
	{"metadata.continue", CONTINUE, JSON_WANT_VALUE},
	{"rows[].cells", CELLS, JSON_WANT_VALUE},
	{"rows[].cells[]", CELL, JSON_WANT_VALUE},
	{"items[].metadata.name", NAME, JSON_WANT_VALUE},
};

struct search {
	struct kube_client *client;
	const struct kube_names_query *query;
	struct strv *names;
	struct json_pick *pick;
	char *continue_token; // of the next page; NULL: none
	bool is_first_cell;
	bool has_more; // than max_count
	bool is_done;  // the page
	struct err failure;
};

static bool add_name(struct search *search, const struct json_pick_event *event, struct err *err)
{
	const char *prefix = search->query->prefix;

	if (event->type != JSON_PICK_STRING || strncmp(event->text, prefix, strlen(prefix)) != 0)
		return true;
	search->has_more = search->names->count >= search->query->max_count;
	return search->has_more || strv_add(search->names, event->text, err);
}

static bool take(void *context, const struct json_pick_event *event, struct err *err)
{
	struct search *search = context;
	bool is_first = search->is_first_cell;

	switch (event->id) {
	case CONTINUE:
		return json_pick_dup(event, &search->continue_token, err);
	case CELLS:
		search->is_first_cell = event->type == JSON_PICK_OPEN;
		return true;
	case CELL:
		search->is_first_cell = false;
		return !is_first || add_name(search, event, err);
	default:
		return add_name(search, event, err);
	}
}

static bool on_body(void *context, const char *data, size_t len, struct err *err)
{
	return json_pick_feed(((struct search *)context)->pick, data, len, err);
}

static void on_done(void *context, const struct kube_result *result)
{
	struct search *search = context;

	search->is_done = true;
	if (result->failure)
		err_copy(&search->failure, result->failure);
}

static bool start_page(struct search *search, uint64_t *ret_id, struct err *err)
{
	const struct kube_names_query *query = search->query;
	_cleanup_free_ char *token = search->continue_token;
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	struct kube_call call = {.method = "GET",
	                         .accept = accept,
	                         .timeout_ms = query->limit_ms,
	                         .body = on_body,
	                         .done = on_done,
	                         .context = search};

	search->continue_token = NULL;
	search->is_done = false;
	json_pick_reset(search->pick);
	kube_path_write(&path, query->collection, query->namespace, NULL);
	kube_query_add(&path, "includeObject", "None");
	kube_query_add(&path, "limit", token ? later_page : first_page);
	if (token)
		kube_query_add(&path, "continue", token);
	call.path = strbuf_get(&path);
	return strbuf_ok(&path, err) && kube_client_start(search->client, &call, ret_id, err);
}

static bool read_page(struct search *search, int64_t until_ms, struct err *err)
{
	struct loop *loop = kube_client_loop(search->client);
	uint64_t id;

	if (!start_page(search, &id, err))
		return false;
	while (!search->is_done) {
		int64_t left_ms = until_ms - loop_now_ms(loop);

		if (left_ms > 0 && loop_run(loop, (int)left_ms, err))
			continue;
		kube_client_cancel(search->client, id);
		return left_ms > 0 ? false : err_set(err, ERR_UNREACHABLE, "no answer in time");
	}
	if (search->failure.kind == ERR_NONE)
		return json_pick_finish(search->pick, err);
	*err = search->failure;
	search->failure = (struct err)ERR_INIT;
	return false;
}

static bool read_pages(struct search *search, struct err *err)
{
	struct loop *loop = kube_client_loop(search->client);
	int64_t start_ms = loop_now_ms(loop);

	do
		if (!read_page(search, start_ms + search->query->limit_ms, err))
			return false;
	while (search->continue_token && *search->continue_token &&
	       search->names->count < search->query->max_count &&
	       loop_now_ms(loop) - start_ms < search->query->page_limit_ms);
	return true;
}

bool kube_names_search(struct kube_client *client, const struct kube_names_query *query,
                       struct strv *names, bool *ret_has_more, struct err *err)
{
	struct search search = {.client = client, .query = query, .names = names, .failure = ERR_INIT};
	struct json_pick_options options = {
		.wants = wants, .want_count = COUNT_OF(wants), .take = take, .context = &search};
	bool is_ok;

	search.pick = json_pick_new(&options, err);
	if (!search.pick)
		return false;
	is_ok = read_pages(&search, err);
	*ret_has_more = search.has_more || (search.continue_token && *search.continue_token);
	json_pick_free(search.pick);
	mem_free(search.continue_token);
	err_clear(&search.failure);
	return is_ok;
}
