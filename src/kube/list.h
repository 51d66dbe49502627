// SPDX-License-Identifier: MIT
// Lists of any length: pages of 500, records one at a time, nothing kept here.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/client.h"
#include "kube/collection.h"
#include "kube/record.h"

struct kube_list_options {
	const struct kube_collection *collection;
	const struct kube_record_kind *kind;
	const char *namespace;      // NULL: all
	const char *label_selector; // NULL: none
	const char *field_selector; // NULL: none
	bool is_optional;           // for kube_list_all: that it is refused is no failure
	bool *ret_is_whole; // for kube_list_all: set where it was not refused; NULL: nobody asks
	bool is_tried_once; // a server that is out of order for now (503) is no reason to wait
	kube_record_fn *on_record;
	// Forget the records so far: they come again from the start, because an answer broke off, or the
	// server has forgotten the place of a later page. NULL: then a list that must start over fails.
	void (*on_restart)(void *context);
	// The list is whole (FAILURE NULL; VERSION is where a watch goes on), or failed.
	void (*on_done)(void *context, const char *version, const struct err *failure);
	void *context;
};

struct kube_list;

// Starts one; strings are borrowed until it is done. It must be freed after on_done, or before to end
// it.
struct kube_list *kube_list_start(struct kube_client *client,
                                  const struct kube_list_options *options,
                                  struct err *err) _nodiscard_;
void kube_list_free(struct kube_list *list);

// Starts COUNT lists at once and waits for all. The options' on_done is not called.
bool kube_list_all(struct kube_client *client, const struct kube_list_options *lists, size_t count,
                   struct err *err) _nodiscard_;

// Waits for one object by name: 404 is ERR_REFUSED with *ret_is_missing true. on_record gets it.
bool kube_list_one(struct kube_client *client, const struct kube_list_options *options,
                   const char *name, bool *ret_is_missing, struct err *err) _nodiscard_;
