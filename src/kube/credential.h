// SPDX-License-Identifier: MIT
// Who we are to the API server: a token that may be read again, a password, a certificate, or what
// a program prints. Nothing of it is ever written anywhere.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/strv.h"
#include "kube/exec_plugin.h"
#include "kube/kubeconfig.h"

struct kube_credential {
	const struct kube_user *user;       // borrowed; NULL: anonymous
	const struct kube_cluster *cluster; // borrowed
	const char *ca;                     // borrowed; for the program
	const struct clock *clock;
	struct kube_exec_options exec_options;

	char *file_token;               // the last good content of the token file
	int64_t file_due_ms;            // monotonic; when to read it again
	struct kube_exec_answer answer; // of the program
	bool has_answer;
	char *certificate, *key; // PEM, from data or files; a program's go before them
	struct strv retired;     // a program's certificates and keys that others took the place of
};

#define _cleanup_kube_credential_ _cleanup_(kube_credential_release)

// Checks what USER says against itself (as clientcmd's validation does) and reads certificates.
// Neither the token file nor the program is touched yet.
bool kube_credential_open(struct kube_credential *credential, const struct kube_user *user,
                          const struct kube_cluster *cluster, const char *ca,
                          const struct kube_exec_options *exec_options, const struct clock *clock,
                          struct err *err) _nodiscard_;

// Adds the value of the Authorization header to OUT; nothing where there is none to send. Reads
// the token file when its minute is over, and runs the program when its answer has expired (which
// can take long: a person may be asked).
bool kube_credential_authorization(struct kube_credential *credential, struct strbuf *out,
                                   struct err *err) _nodiscard_;

// The client certificate and key as PEM, borrowed until the release; NULL: none.
void kube_credential_certificate(const struct kube_credential *credential, const char **ret,
                                 const char **ret_key);

// The server said 401: forgets what can be had anew. False where nothing can.
bool kube_credential_renew(struct kube_credential *credential) _nodiscard_;

void kube_credential_release(struct kube_credential *credential);
