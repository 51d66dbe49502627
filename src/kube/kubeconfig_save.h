// SPDX-License-Identifier: MIT
// Changing the user's kubeconfig file beside kubectl and other writers: under kubectl's lock
// (FILE.lock), with a copy of the old one, whole or not at all, mode 0600.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/xdg.h"
#include "kube/kubeconfig_merge.h"

enum { KUBE_CONFIG_LOCK_WAIT_MS = 5000 };

// What came of it; strings are owned.
struct kube_config_saved {
	char *path;    // the file that was meant
	char *context; // the name that the context got; NULL after a drop
	char *backup;  // path of the copy of the old file; NULL: there was none, or nothing changed
	bool is_changed;
};

#define _cleanup_kube_config_saved_ _cleanup_(kube_config_saved_release)

// The file that new entries go to, as client-go chooses it: PATH, else of $KUBECONFIG the first that
// exists or the last, else $HOME/.kube/config. Owned by the caller.
char *kube_config_target(const char *path, xdg_getenv_fn *getenv_fn, struct err *err) _nodiscard_;

// Merges ADDITION into the file at PATH, which need not exist. A lock that is held by the same holder
// for KUBE_CONFIG_LOCK_WAIT_MS is an error that says how old it is.
bool kube_config_save(const char *path, const struct kube_config_addition *addition,
                      const struct clock *clock, struct kube_config_saved *ret,
                      struct err *err) _nodiscard_;

// Takes the cluster of FRESH out of the file at PATH. A file that is not there, or does not have it, is
// no error.
bool kube_config_drop(const char *path, const char *fresh, size_t fresh_len,
                      const struct clock *clock, struct kube_config_saved *ret,
                      struct err *err) _nodiscard_;

void kube_config_saved_release(struct kube_config_saved *saved);
