// SPDX-License-Identifier: MIT
// The connection to a cluster that a command needs: --kubeconfig, --context, -n and their like → a
// client.
#pragma once

#include "cli/option.h"
#include "kube/client.h"

struct cmd_cluster_options {
	char *kubeconfig, *context, *namespace;
	char *as, *as_uid;
	struct strv as_groups;
	int64_t timeout_s; // of a request; 0: the client's own
	bool allows_http;
	int64_t program_limit_ms; // of a credential program that may ask nobody; 0: its own
};

// Their fields are in struct cmd_cluster_options.
extern const struct cli_group cmd_cluster_group;

void cmd_cluster_options_release(struct cmd_cluster_options *options);

struct cmd_cluster;

// Reads the kubeconfig and makes a client; nothing is sent yet. Warnings go to context->err. NULL on
// failure.
struct cmd_cluster *cmd_cluster_open(struct cli_context *context,
                                     const struct cmd_cluster_options *options,
                                     struct err *err) _nodiscard_;
void cmd_cluster_close(struct cmd_cluster *cluster);
void cmd_cluster_closep(struct cmd_cluster **cluster);
#define _cleanup_cmd_cluster_ _cleanup_(cmd_cluster_closep)

// Says on a terminal what the command waits for, from its first second on. Without it, and after
// NULL, that is the server's answer, wherever one takes over a second.
void cmd_cluster_waits_for(struct cmd_cluster *cluster, const char *format, ...) _printf_(2, 3);

// Borrowed until cmd_cluster_close.
struct kube_client *cmd_cluster_client(struct cmd_cluster *cluster);

// The namespace of -n, the context, or the default.
const char *cmd_cluster_namespace(const struct cmd_cluster *cluster);
