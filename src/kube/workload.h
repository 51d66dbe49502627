// SPDX-License-Identifier: MIT
// What a user wants to run: a Job, a Pod or a Deployment, as one plain struct. It is filled from
// flags (cmd/), checked (workload_check.c) and built into API objects (job.c, pod.c, deployment.c,
// service.c, hpa.c). Everything here is pure.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/faults.h"
#include "base/json.h"
#include "base/strv.h"
#include "kube/affinity.h"
#include "kube/array.h"
#include "kube/env.h"
#include "kube/hpa.h"
#include "kube/mount.h"
#include "kube/pairs.h"
#include "kube/resources.h"
#include "kube/toleration.h"

enum kube_workload_kind { KUBE_WORKLOAD_JOB, KUBE_WORKLOAD_POD, KUBE_WORKLOAD_DEPLOYMENT };

// Not given, for numbers whose zero means something.
enum { KUBE_UNSET = -1 };

// The container and the pod around it.
struct kube_pod {
	char *container; // name; NULL: the workload's
	char *image;
	struct strv command;   // argv
	bool uses_shell;       // command is one string for /bin/sh -c
	bool keeps_entrypoint; // command is arguments to the image's entrypoint
	char *working_dir;
	const char *pull_policy; // Always, IfNotPresent, Never; NULL: the server's rule
	struct strv pull_secrets;
	char *service_account;
	struct kube_env env_file, env; // env wins
	struct kube_mounts mounts;
	struct kube_resources resources;
	struct strv gpu_types; // any of these products
	struct kube_pairs selector;
	struct kube_affinity affinity; // what was asked for; the GPU rules come on top
	struct kube_tolerations tolerations;
	bool is_cpu_only;
	char *priority_class;
	char *runtime_class;
	int64_t grace_s; // after SIGTERM; KUBE_UNSET: the server's 30
};

// A set of exit codes, 1 to 255.
struct kube_exit_codes {
	bool has[256];
	size_t count;
};

// What is known of the cluster that a workload is for. Rendering without one assumes a current
// server and a cluster that was set up by vpsml.
struct kube_server {
	int64_t minor;           // of its version 1.N: newer fields are left out below it
	bool has_gpu_label;      // some node has gpu=true; else no rule may ask for it
	char *gpu_scheduler;     // profile that packs GPU pods; NULL: the default one
	char *gpu_runtime_class; // of GPU pods that name none; NULL: none
};

struct kube_workload {
	enum kube_workload_kind kind;
	char *name;
	char *namespace; // NULL: none is written
	struct kube_pairs labels, annotations;
	char *queue;      // Kueue's LocalQueue
	char *user;       // whose it is, for the label vpsml.dev/user; NULL: no label
	char *owner_uid;  // of the Job that is to own its Service; NULL: none
	char *request_id; // tells a repeated request from another one of the same name; NULL: none
	struct kube_pod pod;

	struct kube_server server;

	int64_t time_s; // Job, Pod: the longest it may run; 0: no limit

	// Job
	int64_t retries;
	struct kube_exit_codes retry_on; // only these are retried; none: any
	int64_t ttl_s;                   // kept after its end; KUBE_UNSET: for ever
	bool is_suspended;
	int64_t workers; // torchrun nodes, 0: none
	int64_t nproc;   // processes on each of them; 0: one a GPU
	struct kube_array array;

	// Deployment
	int64_t replicas;    // KUBE_UNSET: 1
	struct kube_hpa hpa; // used where max_replicas is set
};

void kube_workload_init(struct kube_workload *workload);
void kube_workload_release(struct kube_workload *workload);

// Adds every fault of the workload, each with the flag that set the value.
void kube_workload_check(const struct kube_workload *workload, struct faults *faults);

// The API objects of a workload, in the order in which they are to be created.
struct kube_objects {
	struct json *items[2];
	size_t count;
};

// Builds them: a Job, with the headless Service of its workers after it; a Pod; or a Deployment,
// with its autoscaler after it. Check first.
bool kube_workload_build(const struct kube_workload *workload, struct kube_objects *ret,
                         struct err *err) _nodiscard_;

void kube_objects_release(struct kube_objects *objects);

// "33,34": adds codes to the set.
bool kube_exit_codes_parse(struct kube_exit_codes *codes, const char *text,
                           struct err *err) _nodiscard_;
