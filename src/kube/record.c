// SPDX-License-Identifier: MIT
#include "kube/record.h"

#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "kube/timestamp.h"

// Ids of what the reader itself wants; a kind's own are not negative.
enum {
	ID_RECORD = -1,
	ID_CONTINUE = -2,
	ID_REMAINING = -3,
	ID_VERSION = -4,
	ID_TYPE = -5,
	ID_ERROR_CODE = -6,
	ID_ERROR_MESSAGE = -7,
};

static const struct json_want list_wants[] = {
	{"metadata.continue", ID_CONTINUE, JSON_WANT_VALUE},
	{"metadata.remainingItemCount", ID_REMAINING, JSON_WANT_VALUE},
	{"metadata.resourceVersion", ID_VERSION, JSON_WANT_VALUE},
	{"items[]", ID_RECORD, JSON_WANT_VALUE},
};
static const struct json_want watch_wants[] = {
	{"type", ID_TYPE, JSON_WANT_VALUE},
	{"object", ID_RECORD, JSON_WANT_VALUE},
	{"object.metadata.resourceVersion", ID_VERSION, JSON_WANT_VALUE},
	{"object.code", ID_ERROR_CODE, JSON_WANT_VALUE},
	{"object.message", ID_ERROR_MESSAGE, JSON_WANT_VALUE},
};
static const struct json_want object_wants[] = {
	{"", ID_RECORD, JSON_WANT_VALUE},
	{"metadata.resourceVersion", ID_VERSION, JSON_WANT_VALUE},
};

static const struct source {
	const char *prefix; // of a kind's paths
	const struct json_want *wants;
	size_t want_count;
} sources[] = {
	[KUBE_RECORD_LIST] = {"items[].", list_wants, COUNT_OF(list_wants)},
	[KUBE_RECORD_WATCH] = {"object.", watch_wants, COUNT_OF(watch_wants)},
	[KUBE_RECORD_OBJECT] = {"", object_wants, COUNT_OF(object_wants)},
};

// The words of enum kube_record_change, in its order.
static const char *const change_words[] = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"};

enum { WANT_MAX_COUNT = 96, PATH_MAX_BYTES = 512 };

struct kube_record_reader {
	const struct kube_record_kind *kind;
	enum kube_record_source source;
	kube_record_fn *on_record;
	void *context;
	struct json_want wants[WANT_MAX_COUNT];
	char *paths[WANT_MAX_COUNT]; // of the kind's wants, with the prefix
	size_t want_count;
	struct json_pick *pick;
	bool has_begun; // something but blanks was read

	void *record; // the one that is being filled
	enum kube_record_change change;
	struct kube_record_meta meta;
	char *version, *continue_token, *error_message; // what meta lends
};

static bool set_version(struct kube_record_reader *reader, const struct json_pick_event *event,
                        struct err *err)
{
	if (!json_pick_dup(event, &reader->version, err))
		return false;
	reader->meta.resource_version = reader->version;
	return true;
}

static bool set_change(struct kube_record_reader *reader, const struct json_pick_event *event,
                       struct err *err)
{
	for (size_t i = 0; i < COUNT_OF(change_words); i++) {
		if (!strcmp(change_words[i], event->text)) {
			reader->change = (enum kube_record_change)i;
			return true;
		}
	}
	return err_set(err, ERR_FAILED, "unknown type of change \"%s\"", event->text);
}

static void clear_record(struct kube_record_reader *reader)
{
	reader->kind->release(reader->record);
	memset(reader->record, 0, reader->kind->size);
}

// A record begins or is whole.
static bool take_record(struct kube_record_reader *reader, const struct json_pick_event *event,
                        struct err *err)
{
	bool has_record = reader->change < KUBE_RECORD_BOOKMARK;
	bool is_ok;

	if (event->type == JSON_PICK_OPEN)
		return true;
	if (event->type != JSON_PICK_CLOSE)
		return err_set(err, ERR_FAILED, "not an object");
	is_ok =
		reader->on_record(reader->context, reader->change, has_record ? reader->record : NULL, err);
	clear_record(reader);
	return is_ok;
}

// A Status and some kinds both have a message.
static bool take_message(struct kube_record_reader *reader, const struct json_pick_event *event,
                         struct err *err)
{
	if (reader->change != KUBE_RECORD_ERROR)
		return true;
	if (!json_pick_dup(event, &reader->error_message, err))
		return false;
	reader->meta.error_message = reader->error_message;
	return true;
}

static bool take_own(struct kube_record_reader *reader, const struct json_pick_event *event,
                     struct err *err)
{
	switch (event->id) {
	case ID_RECORD:
		return take_record(reader, event, err);
	case ID_CONTINUE:
		if (!json_pick_dup(event, &reader->continue_token, err))
			return false;
		reader->meta.continue_token = reader->continue_token;
		return true;
	case ID_REMAINING:
		return json_pick_i64(event, &reader->meta.remaining, err);
	case ID_VERSION:
		return set_version(reader, event, err);
	case ID_TYPE:
		return set_change(reader, event, err);
	case ID_ERROR_CODE:
		return json_pick_i64(event, &reader->meta.error_code, err);
	default:
		return take_message(reader, event, err);
	}
}

// Puts the value where FIELD says.
static bool take_field(struct kube_record_reader *reader, const struct kube_field *field,
                       const struct json_pick_event *event, struct err *err)
{
	void *member = (char *)reader->record + field->where;
	struct json_pick_event own = *event;

	switch (field->type) {
	case KUBE_FIELD_STRING:
		return json_pick_dup(event, member, err);
	case KUBE_FIELD_I64:
		return json_pick_i64(event, member, err);
	case KUBE_FIELD_BOOL:
		return json_pick_bool(event, member, err);
	case KUBE_FIELD_TIME:
		return event->type == JSON_PICK_NULL || kube_timestamp_parse(event->text, member, err);
	case KUBE_FIELD_TAKE:
		own.id = (int)field->where;
		return reader->kind->take(reader->record, &own, err);
	}
	return false;
}

static bool take(void *context, const struct json_pick_event *event, struct err *err)
{
	struct kube_record_reader *reader = context;

	if (event->id < 0)
		return take_own(reader, event, err);
	if (reader->change == KUBE_RECORD_ERROR)
		return take_message(reader, event, err);
	return take_field(reader, &reader->kind->fields[event->id], event, err) ||
	       err_wrap(err, "%s", reader->kind->fields[event->id].path);
}

// Adds the reader's own wants but those that the kind wants too.
static void add_own(struct kube_record_reader *reader)
{
	const struct source *source = &sources[reader->source];

	for (size_t i = 0; i < source->want_count; i++) {
		bool is_wanted = false;

		for (size_t j = 0; j < reader->kind->field_count; j++)
			is_wanted |= !strcmp(source->wants[i].path, reader->paths[j]);
		if (!is_wanted)
			reader->wants[reader->want_count++] = source->wants[i];
	}
}

static bool build_wants(struct kube_record_reader *reader, struct err *err)
{
	const struct kube_record_kind *kind = reader->kind;

	if (kind->field_count + COUNT_OF(watch_wants) > WANT_MAX_COUNT)
		return err_set(err, ERR_FAILED, "a kind with %zu fields", kind->field_count);
	for (size_t i = 0; i < kind->field_count; i++) {
		_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);

		strbuf_addf(&path, "%s%s", sources[reader->source].prefix, kind->fields[i].path);
		reader->paths[i] = strbuf_take(&path, err);
		if (!reader->paths[i])
			return false;
		reader->wants[i] = (struct json_want){reader->paths[i], (int)i, JSON_WANT_VALUE};
	}
	reader->want_count = kind->field_count;
	add_own(reader);
	return true;
}

static void clear_meta(struct kube_record_reader *reader)
{
	mem_free(TAKE(reader->version));
	mem_free(TAKE(reader->continue_token));
	mem_free(TAKE(reader->error_message));
	reader->meta = (struct kube_record_meta){
		.resource_version = "", .continue_token = "", .remaining = -1, .error_message = ""};
	reader->change = KUBE_RECORD_ADDED;
}

struct kube_record_reader *kube_record_reader_new(const struct kube_record_kind *kind,
                                                  enum kube_record_source source,
                                                  kube_record_fn *on_record, void *context,
                                                  struct err *err)
{
	_cleanup_kube_record_reader_ struct kube_record_reader *reader = mem_alloc(sizeof(*reader));
	struct json_pick_options options;

	if (!reader) {
		err_memory(err);
		return NULL;
	}
	reader->kind = kind;
	reader->source = source;
	reader->on_record = on_record;
	reader->context = context;
	clear_meta(reader);
	reader->record = mem_alloc(kind->size);
	if (!reader->record) {
		err_memory(err);
		return NULL;
	}
	if (!build_wants(reader, err))
		return NULL;
	options = (struct json_pick_options){
		.wants = reader->wants,
		.want_count = reader->want_count,
		.take = take,
		.context = reader,
		.is_stream = source == KUBE_RECORD_WATCH,
	};
	reader->pick = json_pick_new(&options, err);
	return reader->pick ? TAKE(reader) : NULL;
}

// A login page or the like, with status 200: what answers is no API server.
static bool check_start(struct kube_record_reader *reader, const char *data, size_t len,
                        struct err *err)
{
	size_t blank = 0;

	while (!reader->has_begun && blank < len && data[blank] && strchr(" \t\r\n", data[blank]))
		blank++;
	if (reader->has_begun || blank == len)
		return true;
	reader->has_begun = true;
	if (data[blank] != '<')
		return true;
	err_set(err, ERR_UNREACHABLE, "the answer is HTML and no API object");
	return err_hint(err, "is the address that of the API server, and is a proxy in the way?");
}

bool kube_record_reader_feed(struct kube_record_reader *reader, const char *data, size_t len,
                             struct err *err)
{
	return check_start(reader, data, len, err) && json_pick_feed(reader->pick, data, len, err);
}

bool kube_record_reader_finish(struct kube_record_reader *reader, struct err *err)
{
	return json_pick_finish(reader->pick, err);
}

void kube_record_reader_reset(struct kube_record_reader *reader)
{
	clear_record(reader);
	clear_meta(reader);
	reader->has_begun = false;
	json_pick_reset(reader->pick);
}

const struct kube_record_meta *kube_record_reader_meta(const struct kube_record_reader *reader)
{
	return &reader->meta;
}

void kube_record_reader_free(struct kube_record_reader *reader)
{
	if (!reader)
		return;
	json_pick_free(reader->pick);
	if (reader->record)
		reader->kind->release(reader->record);
	mem_free(reader->record);
	for (size_t i = 0; i < WANT_MAX_COUNT; i++)
		mem_free(reader->paths[i]);
	clear_meta(reader);
	mem_free(reader);
}

void kube_record_reader_freep(struct kube_record_reader **reader)
{
	kube_record_reader_free(*reader);
}
