// SPDX-License-Identifier: MIT
// Inside src/ssh only: what a server says before the key exchange (RFC 4253 4.2 and 7.1), to tell
// why there was none. Pure.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

// In the order of SSH_MSG_KEXINIT.
enum kexinit_list {
	KEXINIT_KEX,
	KEXINIT_HOST_KEY,
	KEXINIT_CIPHER_OUT, // from us to the server
	KEXINIT_CIPHER_IN,
	KEXINIT_MAC_OUT,
	KEXINIT_MAC_IN,
	KEXINIT_LISTS
};

// The first list of the server's that has nothing in common with OURS (names with commas between
// them), and adds that list to OUT, harmless and cut; KEXINIT_LISTS where all have, or DATA holds
// no KEXINIT.
enum kexinit_list kexinit_mismatch(const void *data, size_t len,
                                   const char *const ours[KEXINIT_LISTS], struct strbuf *out);

// Is NAME in LIST, of LEN characters with commas between names?
bool kexinit_contains(const char *list, size_t len, const char *name, size_t name_len);

// Adds the server's first line that is no SSH version, harmless: what it says before it hangs up.
void kexinit_add_greeting(struct strbuf *out, const void *data, size_t len);
