// SPDX-License-Identifier: MIT
// kubeconfig files as client-go loads them (k8s.io/client-go/tools/clientcmd): which files, how
// they are merged, what a relative path is relative to.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/faults.h"
#include "base/strbuf.h"
#include "base/strv.h"
#include "base/xdg.h"

// A setting that is not there is NULL. Paths are absolute, or relative to our working directory:
// those of a file were relative to its folder and are joined to it.
struct kube_cluster {
	char *name;
	char *server;
	char *tls_server_name;
	char *ca_path;
	char *ca_data; // PEM
	char *proxy_url;
	char *exec_config; // JSON for exec plugins (extension client.authentication.k8s.io/exec)
	bool is_insecure;
	bool is_uncompressed;
};

enum kube_exec_mode {
	KUBE_EXEC_MODE_NONE, // not said
	KUBE_EXEC_NEVER,
	KUBE_EXEC_IF_AVAILABLE,
	KUBE_EXEC_ALWAYS,
};

// A program that prints credentials.
struct kube_exec {
	char *command;
	struct strv args;
	struct strv env; // NAME=VALUE
	char *api_version;
	char *install_hint;
	enum kube_exec_mode mode;
	bool wants_cluster; // provideClusterInfo
};

struct kube_user {
	char *name;
	char *certificate_path, *certificate_data; // data is PEM
	char *key_path, *key_data;
	char *token, *token_path;
	char *username, *password;
	char *as, *as_uid;
	struct strv as_groups;
	struct strv as_extra;  // KEY=VALUE, one for each value
	struct kube_exec exec; // command NULL: none
	char *auth_provider;   // its name; we have none of them
};

struct kube_context {
	char *name;
	char *cluster, *user, *namespace_;
};

struct kube_config {
	struct kube_cluster *clusters;
	size_t cluster_count;
	struct kube_user *users;
	size_t user_count;
	struct kube_context *contexts;
	size_t context_count;
	char *current_context; // NULL if none
	struct strv paths;     // the files that were read
};

#define KUBE_CONFIG_INIT \
	{                    \
		.clusters = NULL \
	}
#define _cleanup_kube_config_ _cleanup_(kube_config_release)

// Loads PATH, or where that is NULL the files that $KUBECONFIG lists, or where that is empty
// $HOME/.kube/config. Listed files that do not exist are skipped (a warning in FAULTS where none
// exists), PATH must exist. Earlier files win, entry by entry, with every entry as a whole.
// Files that cannot be read or parsed all get their line in *err.
bool kube_config_load(struct kube_config *config, const char *path, xdg_getenv_fn *getenv_fn,
                      struct faults *faults, struct err *err) _nodiscard_;

// Adds what the LEN bytes of TEXT say and CONFIG does not have yet. NAME is for messages;
// relative paths are joined to FOLDER ("" leaves them).
bool kube_config_add(struct kube_config *config, const char *name, const char *folder,
                     const char *text, size_t len, struct err *err) _nodiscard_;

// NULL where there is none of this name.
const struct kube_cluster *kube_config_cluster(const struct kube_config *config, const char *name);
const struct kube_user *kube_config_user(const struct kube_config *config, const char *name);
const struct kube_context *kube_config_context(const struct kube_config *config, const char *name);

void kube_config_release(struct kube_config *config);
