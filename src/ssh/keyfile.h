// SPDX-License-Identifier: MIT
// Inside src/ssh only: what a private key file is, without opening its secret. Pure.
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"

struct keyfile {
	char type[64];     // ssh-ed25519, …; "" where the file does not say
	struct strbuf key; // the public key as on the wire; empty where the file does not say
	bool is_encrypted;
};

enum { KEYFILE_MAX_BYTES = 64 << 10 };

// Reads the outer form of a private key: OpenSSH's own, PEM, or PKCS#8.
bool keyfile_parse(const char *text, size_t len, struct keyfile *ret, struct err *err) _nodiscard_;

// Takes type and key from the text of a .pub file; false if it is none.
bool keyfile_parse_public(const char *text, struct keyfile *ret) _nodiscard_;

void keyfile_release(struct keyfile *file);
#define _cleanup_keyfile_ _cleanup_(keyfile_release)

// Reading the wire format (RFC 4251 5): moves *POS in [*POS, END). NULL if it is cut off.
const unsigned char *wire_string(const unsigned char **pos, const unsigned char *end,
                                 size_t *ret_len);
bool wire_u32(const unsigned char **pos, const unsigned char *end, unsigned *ret) _nodiscard_;
