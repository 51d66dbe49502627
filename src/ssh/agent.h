// SPDX-License-Identifier: MIT
// Inside src/ssh only: the user's ssh-agent (draft-miller-ssh-agent). Each call waits for the
// agent, at most TIMEOUT_MS.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

enum { AGENT_MAX_KEYS = 64 };

struct agent_key {
	char *key; // as on the wire
	size_t key_len;
	char *comment; // not harmless
};

struct agent_keys {
	struct agent_key *items;
	size_t count;
};

// What is in the agent behind the socket at PATH.
bool agent_list(const char *path, int timeout_ms, struct agent_keys *ret,
                struct err *err) _nodiscard_;

// The signature by KEY of DATA: the blob without the algorithm's name in front. An RSA key signs
// with the SHA-2 that ALGORITHM names (rsa-sha2-256, rsa-sha2-512), else with SHA-1.
bool agent_sign(const char *path, int timeout_ms, const void *key, size_t key_len, const void *data,
                size_t len, const char *algorithm, struct strbuf *ret, struct err *err) _nodiscard_;

void agent_keys_release(struct agent_keys *keys);
