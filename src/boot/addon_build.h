// SPDX-License-Identifier: MIT
// Parts that the objects of addons have in common. For boot/addon_*.c alone.
//
// Lists of texts are NULL-terminated; labels are keys and values in turn.
#pragma once

#include "base/json_build.h"

typedef const char *const *boot_texts;
#define BOOT_TEXTS(...)   \
	(const char *const[]) \
	{                     \
		__VA_ARGS__, NULL \
	}

// Opens an object with its apiVersion, kind and metadata; NAMESPACE and LABELS may be NULL.
void boot_open_object(struct json_build *b, const char *version, const char *kind,
                      const char *namespace, const char *name, boot_texts labels);

// Puts a list of texts; a map of texts; the member "NAME": {"FIELD": value of LABELS}.
void boot_put_list(struct json_build *b, const char *name, boot_texts texts);
void boot_put_map(struct json_build *b, const char *name, boot_texts pairs);

// Puts one rule of a ClusterRole.
void boot_put_rule(struct json_build *b, boot_texts groups, boot_texts resources, boot_texts verbs);

// A whole binding of KIND ROLE called ROLE_NAME to a service account, owned by the caller; NAMESPACE
// NULL makes it a ClusterRoleBinding.
struct json *boot_build_binding(const char *namespace, const char *name, const char *role_kind,
                                const char *role, const char *account_namespace,
                                const char *account, boot_texts labels, struct err *err);

// A whole ServiceAccount, owned by the caller.
struct json *boot_build_account(const char *namespace, const char *name, boot_texts labels,
                                struct err *err);

// Puts an element of volumes: a folder or file of the host (TYPE may be NULL).
void boot_put_host_path(struct json_build *b, const char *name, const char *path, const char *type);

// Puts an element of volumeMounts.
void boot_put_mount(struct json_build *b, const char *name, const char *path, bool is_read_only);

// Puts an element of env whose value is a field of the pod.
void boot_put_field_env(struct json_build *b, const char *name, const char *path);

// Puts an element of tolerations: KEY NULL is any taint, EFFECT NULL any effect.
void boot_put_toleration(struct json_build *b, const char *key, const char *effect);

// Puts the member "resources" with requests.
void boot_put_requests(struct json_build *b, const char *cpu, const char *memory);
