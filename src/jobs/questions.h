// SPDX-License-Identifier: MIT
// Many questions to an API server, all on their way at once. One that we may not ask is no failure.
//
//     struct jobs_questions all = {.client = client, .unchecked = &list};
//     jobs_ask_list(&all, &nodes, "nodes", &has_nodes, context, err) … jobs_ask_path(…)
//     jobs_questions_wait(&all, err);
//     jobs_questions_end(&all);
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strv.h"
#include "kube/client.h"
#include "kube/list.h"

struct jobs_question;

struct jobs_questions {
	struct kube_client *client; // borrowed
	struct strv *unchecked;     // gets what was refused, in words; borrowed
	struct jobs_question **items;
	size_t count, left;
	struct err failure; // the first one
};

// Starts a list. WHAT is it, in words; *RET_IS_KNOWN becomes true where the server lets us read it.
// LIST's on_record and on_restart get CONTEXT.
bool jobs_ask_list(struct jobs_questions *all, const struct kube_list_options *list,
                   const char *what, bool *ret_is_known, void *context,
                   struct err *err) _nodiscard_;

// Takes an answer: a success or a 404.
typedef bool jobs_take_fn(void *context, const struct kube_result *result, struct err *err);

// Starts a GET of PATH.
bool jobs_ask_path(struct jobs_questions *all, const char *path, const char *what,
                   jobs_take_fn *take, bool *ret_is_known, void *context,
                   struct err *err) _nodiscard_;

// Until all are answered, or one failed.
bool jobs_questions_wait(struct jobs_questions *all, struct err *err) _nodiscard_;

// Ends those that run, and frees them.
void jobs_questions_end(struct jobs_questions *all);
