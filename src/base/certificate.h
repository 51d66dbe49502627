// SPDX-License-Identifier: MIT
// What we want to know of an X.509 certificate, read by libcrypto. Nothing is verified here.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct certificate {
	int64_t ends_s; // the last second it is valid, since 1970
	char *name;     // the common name of its subject, not harmless; NULL: none
	char pin[72];   // "sha256:" and the hex SHA-256 of its public key (SubjectPublicKeyInfo), as
					// kubeadm's --discovery-token-ca-cert-hash has it
};

// The first certificate in the LEN bytes of TEXT, which is PEM or DER. ERR_FAILED where there is none.
bool certificate_parse(const char *text, size_t len, struct certificate *ret,
                       struct err *err) _nodiscard_;

void certificate_release(struct certificate *certificate);
#define _cleanup_certificate_ _cleanup_(certificate_release)
