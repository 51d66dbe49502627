// SPDX-License-Identifier: MIT
// Storage that a pod mounts: claims, host folders, NFS exports, shared memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/faults.h"
#include "base/json_build.h"
#include "kube/quantity.h"

enum kube_mount_kind { KUBE_MOUNT_CLAIM, KUBE_MOUNT_HOST, KUBE_MOUNT_NFS };

struct kube_mount {
	enum kube_mount_kind kind;
	char *server; // of NFS
	char *source; // claim's name, folder on the host, exported path
	char *path;   // in the container
	bool is_read_only;
};

struct kube_mounts {
	struct kube_mount *items;
	size_t count;
};

// "CLAIM:/PATH[:ro]", "/HOST[:/PATH][:ro]" and "SERVER:/EXPORT:/PATH[:ro]".
bool kube_mounts_parse_claim(struct kube_mounts *mounts, const char *text,
                             struct err *err) _nodiscard_;
bool kube_mounts_parse_host(struct kube_mounts *mounts, const char *text,
                            struct err *err) _nodiscard_;
bool kube_mounts_parse_nfs(struct kube_mounts *mounts, const char *text,
                           struct err *err) _nodiscard_;

// Adds faults: claims' names, ".." in a host's folder, two mounts at one path (shared memory's too
// where HAS_SHM).
void kube_mounts_check(const struct kube_mounts *mounts, bool has_shm, struct faults *faults);

// Put the pod's volumes and the container's volumeMounts; nothing where there are none. SHM is the
// size of /dev/shm where it is set (a container has 64 MB else: pytorch/pytorch#16979).
void kube_mounts_put_volumes(const struct kube_mounts *mounts, const struct kube_quantity *shm,
                             struct json_build *b);
void kube_mounts_put_container(const struct kube_mounts *mounts, const struct kube_quantity *shm,
                               struct json_build *b);

void kube_mounts_release(struct kube_mounts *mounts);
