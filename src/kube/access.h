// SPDX-License-Identifier: MIT
// How to reach the API server that the user means, and as whom: kubeconfig, flags and environment
// brought together, or what a pod is given by its cluster.
#pragma once

#include <stdbool.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/faults.h"
#include "base/strv.h"
#include "base/xdg.h"
#include "http/http.h"
#include "http/url.h"
#include "kube/credential.h"
#include "kube/kubeconfig.h"
#include "kube/kuberc.h"

// What flags and settings say; NULL or zero: nothing. Borrowed while kube_access_open runs.
struct kube_access_options {
	const char *kubeconfig, *context, *namespace_;
	const char *text;            // of a kubeconfig, which is the only one then
	const char *server;          // URL in place of that of TEXT's clusters …
	const char *tls_server_name; // … whose certificate is checked for this name
	const char *as, *as_uid;
	const struct strv *as_groups;
	bool may_be_plain;             // send tokens over http too, not only to this machine
	struct kube_exec_options exec; // its policy, where it allows all, is kuberc's
	xdg_getenv_fn *getenv_fn;      // must be set
	const struct clock *clock;     // must be set; lives as long as the access
	const char *service_account;   // folder of a pod's own credentials; NULL: where the kubelet
								   // puts them
};

struct kube_access {
	struct kube_config config;
	const char *context; // names in CONFIG, for messages; "" if none
	const char *cluster, *user;
	bool is_in_cluster;

	struct http_url server;
	struct http_tls tls; // without certificate and key, which are the credential's
	struct http_proxy proxy;
	bool is_uncompressed;
	bool may_send_secrets; // false: the way there is not private
	char *namespace_;
	struct strv headers; // of every request (impersonation)
	struct kube_credential credential;

	// Its own.
	struct kube_kuberc kuberc; // where the user has a credential program
	char *ca;
	struct kube_cluster pod_cluster;
	struct kube_user pod_user;
};

#define _cleanup_kube_access_ _cleanup_(kube_access_release)

// Loads and checks. FAULTS gets warnings. Nothing is sent, no program runs. On failure ACCESS is
// empty and may be released.
bool kube_access_open(struct kube_access *access, const struct kube_access_options *options,
                      struct faults *faults, struct err *err) _nodiscard_;

void kube_access_release(struct kube_access *access);
