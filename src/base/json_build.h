// SPDX-License-Identifier: MIT
// Building a JSON tree from the root down, with a sticky failure that is checked once at the end.
//
//     json_build_open_object(&b, NULL);          {
//     json_put_string(&b, "kind", "Job");          "kind": "Job",
//     json_build_open_array(&b, "args");           "args": [
//     json_put_string(&b, NULL, "train.py");         "train.py"
//     json_build_close(&b);                        ]
//     json_build_close(&b);                      }
//     tree = json_build_take(&b, err);
//
// NAME is the member's name inside an object and NULL inside an array and for the root.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "base/strbuf.h"

struct json_build {
	struct json *root;
	struct json *open[JSON_MAX_DEPTH]; // the containers that are open, outermost first
	size_t depth;
	bool failed;
};

#define JSON_BUILD_INIT        \
	{                          \
		NULL, {NULL}, 0, false \
	}
#define _cleanup_json_build_ _cleanup_(json_build_release)

// Opens a container, or closes the innermost one that is open.
void json_build_open_object(struct json_build *b, const char *name);
void json_build_open_array(struct json_build *b, const char *name);
void json_build_close(struct json_build *b);

// A leaf; the string is copied.
void json_put_string(struct json_build *b, const char *name, const char *value);
void json_put_bool(struct json_build *b, const char *name, bool value);
void json_put_null(struct json_build *b, const char *name);

// Puts what a string builder holds; one that failed fails the build.
void json_put_text(struct json_build *b, const char *name, const struct strbuf *text);

// A number; a magnitude over 2^53 would not survive a double and fails the build.
void json_put_i64(struct json_build *b, const char *name, int64_t value);

// Any other number; infinity and not-a-number fail the build.
void json_put_number(struct json_build *b, const char *name, double value);

// Hands TREE over; NULL TREE fails the build.
void json_put_tree(struct json_build *b, const char *name, struct json *tree);

// The tree, owned by the caller, or NULL with *err set. Everything must be closed.
struct json *json_build_take(struct json_build *b, struct err *err) _nodiscard_;

void json_build_release(struct json_build *b);
