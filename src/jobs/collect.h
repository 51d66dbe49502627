// SPDX-License-Identifier: MIT
// Jobs and their pods from the API server, at once.
#pragma once

#include "base/attr.h"
#include "base/err.h"
#include "jobs/listing.h"
#include "kube/client.h"

struct jobs_query {
	const char *namespace; // NULL: all
	const char *name;      // of one job; NULL: all
	const char *selector;  // labels; NULL: none
	bool has_no_pods;      // the Jobs alone: what pods tell is not asked for
};

// Fills LISTING: the Jobs and their pods are asked for at the same time, and the events of those that
// have no pods and should, after them, where we may read them: at most three requests a page of 500.
bool jobs_collect(struct kube_client *client, const struct jobs_query *query,
                  struct jobs_listing *listing, struct err *err) _nodiscard_;
