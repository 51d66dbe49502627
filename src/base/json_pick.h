// SPDX-License-Identifier: MIT
// Picks the wanted values out of JSON text of any length while it arrives. What no path names is
// checked and skipped; no tree is built.
//
// A path is what base/json.h takes, with stand-ins for any member and any element:
//     metadata.name               a member of a member
//     items[].status.phase        of each element of an array
//     metadata.labels.*           each member; the event has its name
//     metadata["vpsml.dev/user"]  a name with dots or brackets in it
//     (empty)                     the document itself
// A named member goes before `*`. In a stream (watch lines) the paths start over with each
// document. A list of records is read by wanting the element and its fields:
//
//     static const struct json_want wants[] = {
//         {"metadata.continue", LIST_CONTINUE, JSON_WANT_VALUE},
//         {"items[]", ITEM, JSON_WANT_VALUE},              opens and closes each record
//         {"items[].metadata.name", ITEM_NAME, JSON_WANT_VALUE},
//     };
//
// Values come in the order of the text, also twice where a member stands twice.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

enum json_want_mode {
	JSON_WANT_VALUE, // a string, number, literal; an object or array as OPEN and CLOSE
	JSON_WANT_TEXT,  // whatever it is, its JSON text at once, as it stands in the input
};

struct json_want {
	const char *path; // lives as long as the pick
	int id;           // handed back in events; the caller's own
	enum json_want_mode mode;
};

enum json_pick_type {
	JSON_PICK_OPEN, // of an object or array
	JSON_PICK_CLOSE,
	JSON_PICK_STRING,
	JSON_PICK_NUMBER,
	JSON_PICK_TRUE,
	JSON_PICK_FALSE,
	JSON_PICK_NULL,
	JSON_PICK_TEXT,
};

struct json_pick_event {
	int id;
	enum json_pick_type type;
	const char *name; // of the member that the last `*` on the way stood for; else ""
	const char *text; // STRING, NUMBER, TEXT; else "". No NUL inside, one behind it
	size_t len;       // bytes of text
};

// Takes an event, whose texts are borrowed until it returns; on false the pick fails with *err.
typedef bool json_pick_take_fn(void *context, const struct json_pick_event *event, struct err *err);

struct json_pick_options {
	const struct json_want *wants;
	size_t want_count;
	json_pick_take_fn *take;
	void *context;
	bool is_stream;          // any number of documents
	size_t max_text_bytes;   // a string or name that is wanted; 0: 1 MiB
	size_t max_record_bytes; // a wanted object or array that is in no other; 0: 16 MiB
};

struct json_pick;

// A wrong path (a fault of the program) fails too.
struct json_pick *json_pick_new(const struct json_pick_options *options,
                                struct err *err) _nodiscard_;

// The next bytes, cut anywhere. After a failure only reset and free may follow.
bool json_pick_feed(struct json_pick *pick, const char *data, size_t len,
                    struct err *err) _nodiscard_;

// Says that all was fed; fails where the text ends early.
bool json_pick_finish(struct json_pick *pick, struct err *err) _nodiscard_;

// Makes ready for another text with the same wants.
void json_pick_reset(struct json_pick *pick);

void json_pick_free(struct json_pick *pick);
void json_pick_freep(struct json_pick **pick);
#define _cleanup_json_pick_ _cleanup_(json_pick_freep)

// What an event holds. NULL (null) leaves *ret alone, as an absent member would. Wrong types and
// numbers that are not whole or do not fit fail.
bool json_pick_dup(const struct json_pick_event *event, char **ret,
                   struct err *err) _nodiscard_; // frees the old *ret
bool json_pick_i64(const struct json_pick_event *event, int64_t *ret, struct err *err) _nodiscard_;
bool json_pick_bool(const struct json_pick_event *event, bool *ret, struct err *err) _nodiscard_;
