// SPDX-License-Identifier: MIT
// A cluster's own kubeconfig (kubeadm's admin.conf) brought into the user's, and taken out of it again.
// Pure. What the user's file says otherwise stays, also fields that we do not know; comments are lost,
// as with kubectl.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"

struct kube_config_addition {
	const char *fresh; // text of the cluster's kubeconfig, with one cluster and user in its context
	size_t fresh_len;
	const char *name;   // for its context and cluster; the user is NAME-admin
	const char *server; // the address to reach it at; NULL: as FRESH has it
	bool keeps_current; // current-context stays, if there is one; else it becomes ours
};

// Adds the merged text to OUT. OLD (called OLD_NAME in messages) may be empty. Where NAME stands for
// another cluster already, which is one with another authority, ours becomes NAME-2 and so on; where it
// stands for this very cluster its entries are replaced, and the namespace of its context stays.
// *RET_CONTEXT, the name that it got, is owned by the caller.
bool kube_config_merge(const char *old_name, const char *old, size_t old_len,
                       const struct kube_config_addition *addition, struct strbuf *out,
                       char **ret_context, struct err *err) _nodiscard_;

// Adds to OUT the text without the clusters whose authority is that of FRESH, the contexts that use
// them, and the users that only those contexts had. *RET_COUNT: contexts that went; 0: OUT is not
// touched.
bool kube_config_forget(const char *old_name, const char *old, size_t old_len, const char *fresh,
                        size_t fresh_len, struct strbuf *out, size_t *ret_count,
                        struct err *err) _nodiscard_;
