// SPDX-License-Identifier: MIT
// Where an API server is and who we are to it: what a kubeconfig comes to (kube/kubeconfig.h) and what
// the client (kube/client.h) needs.
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/strv.h"
#include "http/http.h"

struct kube_access {
	const char *server;             // URL, perhaps with a path, without a slash at its end
	const char *namespace;          // where none is named; never NULL
	const struct http_proxy *proxy; // NULL: none

	// Adds the headers that say who we are: Authorization, Impersonate-…; and points *ret_tls at
	// certificates that stay until the next call. WAS_REFUSED: the ones before were answered with
	// 401; false without an error then means that there are no others.
	bool (*identify)(void *context, bool was_refused, struct strv *headers,
	                 const struct http_tls **ret_tls, struct err *err);
	void *context;
};
