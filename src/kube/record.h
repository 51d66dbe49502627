// SPDX-License-Identifier: MIT
// Typed structs from API objects, as lists and watch lines bring them, without a tree: a kind names
// the paths that it wants and takes each value into its struct.
//
//     static const struct kube_field fields[] = {
//         {"metadata.name", KUBE_FIELD_STRING, offsetof(struct kube_pod_info, name)},
//         {"status.conditions[]", KUBE_FIELD_TAKE, END_OF_CONDITION}, …
//     };
//     const struct kube_record_kind kube_pod_record = {fields, COUNT_OF(fields), sizeof(struct
//         kube_pod_info), take, release};
//
// A list is read by kube_record_reader_new(…, KUBE_RECORD_LIST, …): every element of items[] is one
// record. A watch is read with KUBE_RECORD_WATCH: every line {"type": …, "object": …} is one.
// A single object (GET of one) with KUBE_RECORD_OBJECT.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json_pick.h"

enum kube_field_type {
	KUBE_FIELD_STRING, // char *, owned
	KUBE_FIELD_I64,    // int64_t
	KUBE_FIELD_BOOL,   // bool
	KUBE_FIELD_TIME,   // int64_t, ms since the epoch
	KUBE_FIELD_TAKE,   // `take` is called
};

struct kube_field {
	const char *path; // within the object. Not metadata.resourceVersion: the reader keeps that
	enum kube_field_type type;
	size_t where; // offset of the member, or the id of the event that `take` gets
};

struct kube_record_kind {
	const struct kube_field *fields;
	size_t field_count;
	size_t size; // of the struct; it starts zeroed
	// Takes the value of a KUBE_FIELD_TAKE into RECORD. event->id is the field's `where`.
	bool (*take)(void *record, const struct json_pick_event *event, struct err *err);
	// Frees what RECORD points to, not RECORD itself.
	void (*release)(void *record);
};

enum kube_record_source { KUBE_RECORD_LIST, KUBE_RECORD_WATCH, KUBE_RECORD_OBJECT };

// What a watch line says of its object.
enum kube_record_change {
	KUBE_RECORD_ADDED, // also every record of a list
	KUBE_RECORD_MODIFIED,
	KUBE_RECORD_DELETED,
	KUBE_RECORD_BOOKMARK, // the object has a resourceVersion and nothing else
	KUBE_RECORD_ERROR,    // the object is a Status: see error_code and error_message
};

// What the text says beside its records. Texts are borrowed from the reader.
struct kube_record_meta {
	const char *resource_version; // of the list; of the last object of a watch; "" before
	const char *continue_token;   // of the list; "" at its end
	int64_t remaining;            // items after this page, where the server says so; else -1
	int64_t error_code;           // of a KUBE_RECORD_ERROR line: 410 asks for a new list
	const char *error_message;
};

// Called for each record once it is whole. RECORD is of the kind's struct and belongs to the reader,
// which releases it after the call; a callback that keeps it copies the struct and zeroes the
// original. For KUBE_RECORD_BOOKMARK and KUBE_RECORD_ERROR RECORD is NULL.
typedef bool kube_record_fn(void *context, enum kube_record_change change, void *record,
                            struct err *err);

struct kube_record_reader;

// A reader for one text of KIND; ON_RECORD is called with CONTEXT. Owned by the caller.
struct kube_record_reader *kube_record_reader_new(const struct kube_record_kind *kind,
                                                  enum kube_record_source source,
                                                  kube_record_fn *on_record, void *context,
                                                  struct err *err) _nodiscard_;

// The next bytes of the text, cut anywhere.
bool kube_record_reader_feed(struct kube_record_reader *reader, const char *data, size_t len,
                             struct err *err) _nodiscard_;

// Says that the text is over; fails where it ends early.
bool kube_record_reader_finish(struct kube_record_reader *reader, struct err *err) _nodiscard_;

// Makes ready for another text (the next page, the next watch). The meta starts over too.
void kube_record_reader_reset(struct kube_record_reader *reader);

// What the text said about itself so far, borrowed from the reader.
const struct kube_record_meta *kube_record_reader_meta(const struct kube_record_reader *reader);

void kube_record_reader_free(struct kube_record_reader *reader);
void kube_record_reader_freep(struct kube_record_reader **reader);
#define _cleanup_kube_record_reader_ _cleanup_(kube_record_reader_freep)
