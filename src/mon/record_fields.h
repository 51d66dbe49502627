// SPDX-License-Identifier: MIT
// The members of records that are plain fields of structs: one table for writing and reading.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum mon_field_type {
	MON_FIELD_TEXT, // const char *
	MON_FIELD_I64,  // int64_t
	MON_FIELD_BOOL, // bool
	MON_FIELD_WORD, // an enum, by its word
	MON_FIELD_BITS, // unsigned int
};

struct mon_field {
	const char *name;
	enum mon_field_type type;
	size_t where;             // offset of the field
	const char *const *words; // of MON_FIELD_WORD, NULL-terminated, in the enum's order
	int64_t otherwise;        // of MON_FIELD_I64: what it is where the member is left out
};

struct mon_field_list {
	const struct mon_field *fields;
	size_t count;
};

// Of struct mon_node, mon_gpu, mon_owner, mon_pod and mon_job.
extern const struct mon_field_list mon_node_fields, mon_gpu_fields, mon_owner_fields,
	mon_pod_fields, mon_job_fields;

// Words of enum mon_link.
extern const char *const mon_link_words[];
