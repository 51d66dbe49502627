// SPDX-License-Identifier: MIT
// Inside src/boot only: reading cluster.yaml by tables of keys. A reader adds a fault with its place
// for each value that it cannot take, leaves the field as it is, and goes on.
#pragma once

#include "base/faults.h"
#include "boot/inventory.h"
#include "yaml/yaml.h"

struct boot_reader {
	const struct yaml_document *document;
	const char *folder;
	struct boot_inventory *inventory;
	struct boot_ssh ssh; // what `ssh:` says for all hosts
	struct faults faults;
	const char *meant[16]; // keys that misspelt ones were taken for: they are not missing
	size_t meant_count;
};

struct boot_key;

// Reads VALUE, which is not null, into FIELD.
typedef void boot_read_fn(struct boot_reader *reader, const struct json *value,
                          const struct boot_key *key, void *field);

struct boot_key {
	const char *name;
	boot_read_fn *read;
	size_t offset;               // of the field
	const char *const *words;    // of boot_read_word, NULL-terminated; their order is the enum's
	const struct boot_key *keys; // of boot_read_map
	size_t key_count;
};

// Adds the fault "FILE:LINE:COLUMN: what", at the value or at its key; VALUE NULL: at none.
void boot_fault(struct boot_reader *reader, const struct json *value, const char *format, ...)
	_printf_(3, 4);
void boot_fault_key(struct boot_reader *reader, const struct json *value, const char *format, ...)
	_printf_(3, 4);
void boot_warn(struct boot_reader *reader, const struct json *value, const char *format, ...)
	_printf_(3, 4);

// Adds ERR's message and hint at VALUE and clears it.
void boot_fault_take(struct boot_reader *reader, const struct json *value, struct err *err);

// Notes that ERR, which is otherwise not shown, is memory that is short.
void boot_note_memory(struct boot_reader *reader, const struct err *err);

// VALUE's text; NULL with a fault if it is no text, or empty.
const char *boot_text(struct boot_reader *reader, const struct json *value);

// Makes *FIELD a copy of TEXT.
void boot_set_text(struct boot_reader *reader, char **field, const char *text);

// Each member of OBJECT into its field of RECORD. Keys that are not in the table are faults.
void boot_read_keys(struct boot_reader *reader, const struct json *object,
                    const struct boot_key *keys, size_t count, void *record);

// Plain values: char *, bool, an enum, enum boot_choice, struct strv, struct json *, and a struct.
boot_read_fn boot_read_text, boot_read_flag, boot_read_word, boot_read_choice, boot_read_texts,
	boot_read_object, boot_read_map;

// Values with rules of their own: what they fill stands behind each.
boot_read_fn boot_read_url;    // char *: http:// or https://, without "/" at the end
boot_read_fn boot_read_mirror; // char *: the same, or "none"
boot_read_fn boot_read_proxy;  // char *: of an HTTP proxy
boot_read_fn boot_read_path;   // char *: joined to the file's folder
boot_read_fn boot_read_source; // struct boot_source
boot_read_fn boot_read_registry, boot_read_image; // char *
boot_read_fn boot_read_sha256;                    // char *: 64 hex digits in small letters
boot_read_fn boot_read_version;                   // struct boot_version
boot_read_fn boot_read_cidr, boot_read_ip;        // struct boot_cidr, struct boot_ip
boot_read_fn boot_read_port;                      // uint16_t
boot_read_fn boot_read_pairs;                     // struct boot_pairs: labels
boot_read_fn boot_read_host_key;                  // struct boot_ssh: host_key, has_host_key
boot_read_fn boot_read_name, boot_read_jump;      // char *

// The keys of the file, and of a host.
void boot_read_root(struct boot_reader *reader);

// What is wrong between values, once all are read: names twice, networks that overlap, …
void boot_check_inventory(struct boot_reader *reader);

// Releases the fields of SSH.
void boot_ssh_release(struct boot_ssh *ssh);
