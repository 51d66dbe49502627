// SPDX-License-Identifier: MIT
// Whether a host key is accepted: the rule that the user chose, applied to what is known. Pure.
#pragma once

#include <stdbool.h>

#include "ssh/known_hosts.h"

enum host_key_policy {
	HOST_KEY_ASK,        // about a key that is not known
	HOST_KEY_ACCEPT_NEW, // take a key that is not known, and remember it
	HOST_KEY_STRICT,     // known keys only
	HOST_KEY_PIN,        // one key only, whatever the files say
};

struct host_key_rule {
	enum host_key_policy policy;
	char pin[52]; // HOST_KEY_PIN: its fingerprint, SHA256:…
};

// "ask", "accept-new", "strict" or "sha256:FINGERPRINT" (as `ssh-keygen -l` prints it).
bool host_key_rule_parse(const char *text, struct host_key_rule *ret, struct err *err) _nodiscard_;

enum host_key_verdict {
	HOST_KEY_REFUSED, // *err says why, of kind ERR_AUTH
	HOST_KEY_ACCEPTED,
	HOST_KEY_NEW,      // accepted, and to be added to the file
	HOST_KEY_QUESTION, // ask; yes means HOST_KEY_NEW
};

// The verdict on KEY, which NAME at PORT has shown.
enum host_key_verdict host_key_judge(const struct host_key_rule *rule,
                                     const struct known_hosts *hosts, const char *name,
                                     uint16_t port, const void *key, size_t key_len,
                                     struct err *err) _nodiscard_;
