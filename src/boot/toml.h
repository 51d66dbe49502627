// SPDX-License-Identifier: MIT
// As much TOML as containerd's configuration needs: the keys of tables with their values as text.
// Comments and layout are not kept. Pure.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"

enum { TOML_MAX_BYTES = 256 << 10, TOML_MAX_ENTRIES = 4096 };

struct toml_entry {
	char *table;       // its path, plugins."io.containerd.grpc.v1.cri".cni; "": the root
	char *key;         // written as a key
	char *value;       // as in the text, in one or more lines
	size_t start, end; // of the value, bytes in the text
};

struct toml {
	struct toml_entry *items;
	size_t count;
	size_t
		tables; // offset in the text at which the first table begins; its length if there is none
};

#define _cleanup_toml_ _cleanup_(toml_release)

// ERR_FAILED with the line where it cannot be read; arrays of tables ([[x]]) are refused too.
bool toml_parse(const char *text, size_t len, struct toml *ret, struct err *err) _nodiscard_;

// The value of KEY in TABLE as text, or NULL. Both are written as a path: parts that are not plain
// in double quotes.
const char *toml_get(const struct toml *toml, const char *table, const char *key);

// Sets it to VALUE, which is TOML.
bool toml_set(struct toml *toml, const char *table, const char *key, const char *value,
              struct err *err) _nodiscard_;

// Adds the table TABLE and those below it as text.
void toml_write_table(struct strbuf *out, const struct toml *toml, const char *table);

// Adds TEXT in double quotes.
void toml_quote(struct strbuf *out, const char *text);

void toml_release(struct toml *toml);
