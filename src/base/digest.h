// SPDX-License-Identifier: MIT
// Digests, from libcrypto (nothing here is our own cryptography), and the base64 around them.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

enum { DIGEST_SHA1_BYTES = 20, DIGEST_SHA256_BYTES = 32 };

// Fails only where libcrypto does: out of memory, or an algorithm that policy has switched off.
bool digest_sha256(const void *data, size_t len, unsigned char ret[DIGEST_SHA256_BYTES],
                   struct err *err) _nodiscard_;

// RFC 2104 with SHA-1: what OpenSSH hashes host names with. Not for anything new.
bool digest_hmac_sha1(const void *key, size_t key_len, const void *data, size_t len,
                      unsigned char ret[DIGEST_SHA1_BYTES], struct err *err) _nodiscard_;

// SHA-256 of what comes in pieces.
struct digest;
struct digest *digest_new(struct err *err) _nodiscard_;
bool digest_add(struct digest *digest, const void *data, size_t len, struct err *err) _nodiscard_;
bool digest_end(struct digest *digest, unsigned char ret[DIGEST_SHA256_BYTES],
                struct err *err) _nodiscard_;
void digest_free(struct digest *digest);
void digest_freep(struct digest **digest);
#define _cleanup_digest_ _cleanup_(digest_freep)

// Adds lower-case hexadecimal.
void digest_add_hex(struct strbuf *out, const void *data, size_t len);

// RFC 4648 with padding, in one line.
void base64_add(struct strbuf *out, const void *data, size_t len);

// Adds what the base64 of LEN characters at TEXT means; false if it is not valid (characters,
// length, padding), with nothing said about why. OUT may then hold a part.
bool base64_decode(struct strbuf *out, const char *text, size_t len) _nodiscard_;
