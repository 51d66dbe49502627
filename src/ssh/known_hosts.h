// SPDX-License-Identifier: MIT
// Host keys that are known: the files that sshd(8) describes under "SSH_KNOWN_HOSTS FILE FORMAT".
//
// Reads patterns with * ? and !, hashed names, [host]:port, @revoked and @cert-authority, from
// several files. A line that cannot be understood is skipped, so that one bad line never hides
// the others.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/strv.h"

enum known_hosts_marker {
	KNOWN_HOSTS_PLAIN,
	KNOWN_HOSTS_REVOKED,   // this key is never to be trusted
	KNOWN_HOSTS_AUTHORITY, // this key signs host certificates
};

struct known_hosts_line {
	enum known_hosts_marker marker;
	char *names; // as in the file
	char *type;  // of the key
	char *key;   // its base64
	size_t file; // index in `files`
	size_t number;
};

struct known_hosts {
	struct strv files; // in the order of loading; keys are added to the first
	struct known_hosts_line *lines;
	size_t count;
	size_t bad_lines;
	bool is_hashed; // the first file holds a hashed name
};

#define KNOWN_HOSTS_INIT              \
	{                                 \
		STRV_INIT, NULL, 0, 0, false, \
	}
#define _cleanup_known_hosts_ _cleanup_(known_hosts_release)

// Adds the lines of a text that is FILE's.
bool known_hosts_parse(struct known_hosts *hosts, const char *file, const char *text, size_t len,
                       struct err *err) _nodiscard_;

// Adds the lines of the file at PATH. One that is missing or may not be read counts as empty.
bool known_hosts_load(struct known_hosts *hosts, const char *path, struct err *err) _nodiscard_;

enum known_hosts_answer {
	KNOWN_HOSTS_UNKNOWN,
	KNOWN_HOSTS_MATCHES,
	KNOWN_HOSTS_CHANGED, // another key of the same type is known
	KNOWN_HOSTS_IS_REVOKED,
};

struct known_hosts_result {
	enum known_hosts_answer answer;
	const struct known_hosts_line *line;       // that decided; NULL if UNKNOWN
	const struct known_hosts_line *other_type; // a key of another type is known for the name
	bool has_authority;                        // a @cert-authority line is for the name
};

// What is known of NAME's KEY (the blob as on the wire, RFC 4253 6.6). With a PORT other than 22
// the lines for [NAME]:PORT decide; a line for NAME alone may only confirm or revoke, because
// another port may be another machine.
bool known_hosts_check(const struct known_hosts *hosts, const char *name, uint16_t port,
                       const void *key, size_t key_len, struct known_hosts_result *ret,
                       struct err *err) _nodiscard_;

// Appends the types of the keys that are known for NAME, each once.
bool known_hosts_types(const struct known_hosts *hosts, const char *name, uint16_t port,
                       struct strv *ret, struct err *err) _nodiscard_;

// Writes a line for NAME's KEY at the end of the first file, hashed if that file has hashed
// names, and takes it up here.
bool known_hosts_add(struct known_hosts *hosts, const char *name, uint16_t port, const void *key,
                     size_t key_len, struct err *err) _nodiscard_;

// Borrows the type that a key blob starts with, and its length; NULL if the blob is broken.
const char *known_hosts_key_type(const void *key, size_t key_len, size_t *ret_len);

// Adds "SHA256:" and the fingerprint as `ssh-keygen -l` prints it.
bool known_hosts_add_fingerprint(struct strbuf *out, const void *key, size_t key_len,
                                 struct err *err) _nodiscard_;

// The same for the key of a line.
bool known_hosts_line_fingerprint(struct strbuf *out, const struct known_hosts_line *line,
                                  struct err *err) _nodiscard_;

void known_hosts_release(struct known_hosts *hosts);
