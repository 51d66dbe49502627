// SPDX-License-Identifier: MIT
// Credentials from a program, as kubeconfig's "exec" says (KEP-541; the API group
// client.authentication.k8s.io, versions v1 and v1beta1). No shell takes part.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strv.h"
#include "kube/kubeconfig.h"

// Which programs may run.
enum kube_exec_rule { KUBE_EXEC_ALLOW_ALL, KUBE_EXEC_DENY_ALL, KUBE_EXEC_ALLOW_LISTED };

// A program is allowed by its command as the kubeconfig has it, by its path, or by a name where that and
// the command lead to the same file in the folders: kubectl's rule.
struct kube_exec_policy {
	enum kube_exec_rule rule;
	const struct strv *allowed; // paths, or names without a folder
	const char *folders;        // to look names up in, as $PATH has them; NULL: none
	const char *source;         // where the rule stands, for messages; NULL: nowhere
};

struct kube_exec_options {
	struct kube_exec_policy policy;
	bool has_terminal; // a person sits at standard input
	int64_t limit_ms;  // for a program that cannot ask a person; 0: 60 s
	// COMMAND is about to run, and may write to the terminal. NULL: nobody cares.
	void (*before)(void *context, const char *command);
	void *context;
};

struct kube_exec_answer {
	char *token;             // NULL: none
	char *certificate, *key; // PEM; both or neither
	int64_t expires_ms;      // wall clock; INT64_MAX: not said
};

#define KUBE_EXEC_ANSWER_INIT       \
	{                               \
		NULL, NULL, NULL, INT64_MAX \
	}
#define _cleanup_kube_exec_answer_ _cleanup_(kube_exec_answer_release)

// Runs the program and waits for its answer, at most 1 MiB. With a terminal it may talk to the
// person there (unless its interactiveMode is Never) and has no time limit; else its standard
// input is empty, and the end of what it says on standard error goes into the message.
// CA is CLUSTER's authority as PEM, or NULL. Failures are ERR_AUTH.
bool kube_exec_run(const struct kube_exec *exec, const struct kube_cluster *cluster, const char *ca,
                   const struct kube_exec_options *options, struct kube_exec_answer *ret,
                   struct err *err) _nodiscard_;

// The answer in TEXT, which must be of API_VERSION. Pure.
bool kube_exec_answer_parse(const char *text, size_t len, const char *api_version,
                            struct kube_exec_answer *ret, struct err *err) _nodiscard_;

void kube_exec_answer_release(struct kube_exec_answer *answer);
