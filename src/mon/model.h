// SPDX-License-Identifier: MIT
// What the cluster does at one moment: nodes, GPUs, pods, jobs and the queue, joined.
//
// A collector makes an empty snapshot, pours in the facts that it has, in any order, and ends with
// mon_snapshot_finish, which joins them (allocation with use and owner) and counts totals. From
// then on the snapshot never changes: the screen, `--once` and the recorder read it.
//
//     struct mon_snapshot *s = mon_snapshot_new(&err);
//     struct mon_gpu *gpu = mon_snapshot_gpu(s, node, uuid, 0, MON_WHOLE_GPU);
//     mon_value_set(&gpu->values[MON_GPU_UTIL_PCT], 97, at_ms, MON_SOURCE_SSH);
//     …
//     mon_snapshot_finish(s, history, &thresholds, now_ms, &err)
//
// Pouring never fails at once: short memory is kept until mon_snapshot_finish. What the mon_snapshot_…
// functions return is good until the next object of its kind is added. Texts belong to the snapshot and
// are made harmless for a terminal on their way in.
//
// Times are ms since the epoch on the viewer's clock; a collector corrects the clock of a host or server
// before. They should come from the wall clock at the start plus the monotonic one.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "jobs/state.h"
#include "mon/alerts.h"
#include "mon/history.h"
#include "mon/value.h"

enum { MON_NO_INDEX = -1, MON_WHOLE_GPU = -1 };

// Three states, for what is asked of others and may not be answered.
enum mon_truth { MON_UNKNOWN, MON_NO, MON_YES };

enum mon_node_value {
	MON_NODE_CPU_MILLI,
	MON_NODE_MEMORY_BYTES, // working set
	MON_NODE_NET_RX_BPS,   // bytes a second
	MON_NODE_NET_TX_BPS,
	MON_NODE_DISK_USED_BYTES,
	MON_NODE_DISK_TOTAL_BYTES,
	MON_NODE_VALUES,
};

enum mon_gpu_value {
	MON_GPU_UTIL_PCT, // of a MIG instance too (GR_ENGINE_ACTIVE × 100)
	MON_GPU_VRAM_USED_BYTES,
	MON_GPU_VRAM_RESERVED_BYTES, // by the driver; not part of used
	MON_GPU_VRAM_TOTAL_BYTES,
	MON_GPU_TEMPERATURE_C,
	MON_GPU_POWER_W,
	MON_GPU_POWER_LIMIT_W,
	MON_GPU_THROTTLE, // bits of clocks_throttle_reasons.active
	MON_GPU_ECC,      // uncorrected errors since the driver was loaded
	MON_GPU_XID,      // the last code, 0: none since the exporter started
	MON_GPU_SM_CLOCK_MHZ,
	MON_GPU_VALUES,
};

enum mon_pod_value { MON_POD_CPU_MILLI, MON_POD_MEMORY_BYTES, MON_POD_VALUES };

// Names with units, in this order, as records, JSON and Prometheus have them: "util_pct".
extern const char *const mon_node_value_names[MON_NODE_VALUES];
extern const char *const mon_gpu_value_names[MON_GPU_VALUES];
extern const char *const mon_pod_value_names[MON_POD_VALUES];

enum mon_pressure { // bits; the condition of that name is True
	MON_PRESSURE_MEMORY = 1,
	MON_PRESSURE_DISK = 2,
	MON_PRESSURE_PID = 4,
	MON_PRESSURE_NETWORK = 8, // NetworkUnavailable
};

// A resource of a node that is a GPU: nvidia.com/gpu, nvidia.com/mig-1g.10gb, amd.com/gpu …
struct mon_resource {
	int64_t node; // index
	const char *name;
	int64_t allocatable;
	int64_t allocated; // requests of pods that are bound and not over; counted by finish
};

struct mon_node {
	// Poured.
	const char *name;
	const char *pool;      // of nodes that are alike (a label, the GPU's model); "": none
	const char *role;      // "control-plane" or ""
	const char *version;   // kubelet's
	const char *complaint; // why there is no data: "ssh: timeout"; "": no reason known
	bool is_in_api;        // the API server lists it
	enum mon_truth ready;
	int64_t not_ready_since_ms; // where ready is not MON_YES; 0: not known
	unsigned int pressure;      // bits of enum mon_pressure
	bool is_cordoned;
	int64_t cpu_capacity_milli, cpu_allocatable_milli; // 0: not known
	int64_t memory_capacity_bytes, memory_allocatable_bytes;
	int64_t skew_ms;            // its clock less ours, where that matters; 0: none
	enum mon_source gpu_source; // where its GPUs' values come from
	int64_t gpu_heard_ms;       // the last answer about its GPUs as a whole; 0: never
	int64_t malformed;          // lines that could not be read
	struct mon_value values[MON_NODE_VALUES];

	// Joined.
	size_t gpu_first, gpu_count;           // in snapshot.gpus; MIG instances are counted too
	size_t resource_first, resource_count; // in snapshot.resources
	size_t pod_count;                      // bound and not over
	int64_t cpu_requested_milli, memory_requested_bytes;
	int64_t gpus_allocatable, gpus_allocated;                          // all GPU resources together
	size_t gpus_reporting, gpus_busy, gpus_idle, gpus_lost, gpus_free; // of its devices, see totals
	size_t gpus_faulty;                                                // XID, ECC, too hot or lost
	struct mon_value gpu_util_pct; // mean of its devices that report; MIG parents and LOST left out
	struct mon_value vram_used_bytes, vram_total_bytes; // over the same devices
	struct mon_value temperature_c;                     // the hottest
	struct mon_value power_w;                           // sum of those that report
	int64_t heard_ms;                                   // the latest of its values; 0: none
	size_t poured;                                      // its number before sorting
	const struct mon_ring *gpu_ring, *cpu_ring;         // remembered, as with GPUs
};

enum mon_gpu_kind {
	MON_GPU_DEVICE,
	MON_GPU_MIG_PARENT,   // a device that is cut into instances
	MON_GPU_MIG_INSTANCE, // stands behind its parent
};

// How it is known whose a GPU is.
enum mon_owner_how {
	MON_OWNER_EXPORTER, // labels of the exporter, or the kubelet's pod-resources
	MON_OWNER_CGROUP,   // a process's cgroup
	MON_OWNER_REQUEST,  // nobody else on the node asks for GPUs, and all are given away
};

struct mon_owner {
	size_t gpu; // index
	enum mon_owner_how how;
	const char *namespace, *pod, *container; // "": not known
	const char *pod_uid;                     // of MON_OWNER_CGROUP, where no name is known
	int64_t pod_index; // joined; MON_NO_INDEX: the API server does not list it
};

struct mon_gpu {
	// Poured.
	int64_t node;     // index
	int64_t index;    // on its node, as nvidia-smi counts
	int64_t instance; // GPU instance id of a MIG_INSTANCE, else MON_WHOLE_GPU
	enum mon_gpu_kind kind;
	const char *uuid;    // "" where the source has none
	const char *model;   // as the driver says it
	const char *profile; // of a MIG_INSTANCE: "3g.40gb"
	const char *health;  // a word of the source for what is wrong; "": nothing
	bool is_lost;        // the driver cannot reach it, or it is no longer listed
	int64_t lost_since_ms;
	struct mon_value values[MON_GPU_VALUES];

	// Remembered: mon_history_join fills them in, and takes what a record has at its start.
	int64_t quiet_since_ms; // every sample since was below thresholds.idle_pct; 0: not so
	int64_t xid_first_ms;   // when this XID was first seen; 0: none
	bool is_xid_old;        // it was there at the first look, so it may be older
	const struct mon_ring *util_ring, *vram_ring; // in %; NULL: none

	// Joined.
	size_t owner_first, owner_count; // in snapshot.owners
	enum mon_truth allocated;
	size_t poured; // its number before sorting
};

enum mon_pod_phase {
	MON_POD_PENDING,
	MON_POD_RUNNING,
	MON_POD_SUCCEEDED,
	MON_POD_FAILED,
	MON_POD_UNKNOWN,
};

struct mon_pod {
	// Poured.
	const char *namespace, *name, *uid;
	const char *node_name;    // "": not bound
	const char *job_name;     // of the Job that owns it; ""
	const char *user;         // label vpsml.dev/user; ""
	const char *reason;       // "CrashLoopBackOff", "OOMKilled", the scheduler's message …; ""
	const char *gpu_resource; // name of the GPU resource that it asks for; ""
	enum mon_pod_phase phase;
	bool is_terminating;
	bool is_oom_killed; // the last end of one of its containers
	int64_t oom_ms;     // when
	int64_t exit_code;  // of the last end; -1: none
	int64_t restarts;
	int64_t priority;
	int64_t created_ms, started_ms, ended_ms; // 0: not yet
	int64_t gpus, cpu_milli, memory_bytes;    // requests: max(containers together, largest init)
	struct mon_value values[MON_POD_VALUES];

	// Joined.
	int64_t node, job; // index or MON_NO_INDEX
	size_t gpus_held;  // devices and instances that it owns as far as is known
	struct mon_value gpu_util_pct, vram_used_bytes; // over these
};

struct mon_job {
	// Poured.
	const char *namespace, *name, *user, *priority_class;
	const char *why; // why it waits or failed, in short; ""
	enum jobs_state state;
	int64_t priority;
	int64_t gpus;                             // asked for when all its pods run
	int64_t created_ms, started_ms, ended_ms; // 0: not yet
	int64_t restarts;

	// Joined.
	size_t pods_running;
	int64_t gpus_running;                                             // asked for by pods that run
	struct mon_value gpu_util_pct, gpu_util_min_pct, vram_used_bytes; // over the GPUs that it owns
	const char *nodes; // where it runs: "gpu-a, gpu-b +3"; ""
};

// What waits for a node: a job, or a pod without one. Highest priority first, then oldest.
struct mon_waiting {
	int64_t job, pod; // one of them is an index, the other MON_NO_INDEX
	int64_t priority, gpus, since_ms;
	const char *why;
};

// A source that does not give what it should, said once for all its values.
struct mon_note {
	const char *text; // "metrics.k8s.io: 503: metrics-server is down"
	int64_t since_ms; // 0: not known
};

// A sum over those of COUNT that are known.
struct mon_total {
	double sum, of; // of: the same ones' capacity
	size_t known, count;
};

struct mon_totals {
	size_t nodes, nodes_up; // up: Ready, and heard of in time
	size_t nodes_no_data, nodes_not_ready;
	int64_t gpus_allocatable, gpus_allocated;
	// Devices (a MIG parent is one): each is in exactly one of busy, idle, quiet, free, lost, silent.
	size_t gpus;
	size_t gpus_busy;  // use at or over thresholds.idle_pct
	size_t gpus_idle;  // allocated, and quiet for thresholds.idle_s
	size_t gpus_quiet; // below, but not for so long; or nobody knows whether it is allocated
	size_t gpus_free;  // not allocated
	size_t gpus_lost;
	size_t gpus_silent; // no data
	size_t jobs_pending, jobs_running, jobs_failed;
	struct mon_total cpu_milli, memory_bytes; // of capacity
	struct mon_total gpu_util_pct;            // sum / known is the mean; MIG parents left out
	struct mon_total vram_bytes, power_w;     // of the total, of the limit
};

enum mon_link { MON_LINK_CONNECTING, MON_LINK_LIVE, MON_LINK_DOWN };

struct mon_arena;
struct mon_index;

struct mon_snapshot {
	// Poured.
	const char *cluster; // context or cluster's name
	enum mon_link link;  // to the API server
	const char *link_error;
	int64_t link_since_ms;
	int64_t interval_ms; // between two snapshots

	// Set by finish.
	int64_t now_ms;
	struct mon_thresholds thresholds;
	struct mon_totals totals;

	// Poured one by one, sorted by finish: nodes by name, GPUs by node and index, pods and jobs by
	// namespace and name.
	struct mon_node *nodes;
	size_t node_count;
	struct mon_resource *resources;
	size_t resource_count;
	struct mon_gpu *gpus;
	size_t gpu_count;
	struct mon_owner *owners;
	size_t owner_count;
	struct mon_pod *pods;
	size_t pod_count;
	struct mon_job *jobs;
	size_t job_count;
	struct mon_note *notes;
	size_t note_count;

	// Made by finish.
	struct mon_waiting *queue;
	size_t queue_count;
	struct mon_alerts alerts; // worst first
	struct mon_cluster_rings rings;

	// Its own.
	struct mon_arena *arena;
	struct mon_index *node_index, *gpu_index;
	struct mon_node spare_node; // poured into when memory is short
	struct mon_gpu spare_gpu;
	struct mon_pod spare_pod;
	struct mon_job spare_job;
	struct mon_ring *rings_memory;
	bool is_out_of_memory, is_finished;
};

// An empty snapshot, owned by the caller.
struct mon_snapshot *mon_snapshot_new(struct err *err) _nodiscard_;

// A copy of the LEN bytes of TEXT in the snapshot, in one line and without control characters. TEXT
// may be NULL ("").
const char *mon_snapshot_text_n(struct mon_snapshot *s, const char *text, size_t len);
const char *mon_snapshot_text(struct mon_snapshot *s, const char *text);

// The node NAME, added where it is new; *RET_INDEX (may be NULL) is what others call it by.
struct mon_node *mon_snapshot_node(struct mon_snapshot *s, const char *name, int64_t *ret_index);

// The GPU with this UUID (else, UUID "", this INDEX) and INSTANCE on the node, added where it is
// new: so two sources speak of one GPU. *RET_INDEX may be NULL.
struct mon_gpu *mon_snapshot_gpu(struct mon_snapshot *s, int64_t node, const char *uuid,
                                 int64_t index, int64_t instance, int64_t *ret_index);

// Says that a pod uses the GPU. Texts are copied; a pod that is there already is not added twice.
void mon_snapshot_add_owner(struct mon_snapshot *s, const struct mon_owner *owner);

// Says that a node has ALLOCATABLE pieces of the GPU resource NAME.
void mon_snapshot_add_resource(struct mon_snapshot *s, int64_t node, const char *name,
                               int64_t allocatable);

// A new pod, job or note. Texts that are left out are "".
struct mon_pod *mon_snapshot_add_pod(struct mon_snapshot *s, const char *namespace,
                                     const char *name);
struct mon_job *mon_snapshot_add_job(struct mon_snapshot *s, const char *namespace,
                                     const char *name);
void mon_snapshot_add_note(struct mon_snapshot *s, const char *text, int64_t since_ms);

// Adds a job for pods that name one which was not poured: its state and times are those of its pods, its
// GPUs those that the pods which are not over ask for. Before mon_snapshot_finish.
void mon_snapshot_infer_jobs(struct mon_snapshot *s);

// Joins and counts. HISTORY (may be NULL: nothing is remembered) takes this snapshot's samples in, and
// gives back graphs, first-seen times and GPUs that are no longer listed. Values older than three
// intervals of their source become MON_STALE. Fails only for want of memory.
bool mon_snapshot_finish(struct mon_snapshot *s, struct mon_history *history,
                         const struct mon_thresholds *thresholds, int64_t now_ms,
                         struct err *err) _nodiscard_;

// Seconds for which the GPU is allocated and quiet, once that is long enough to be called idle; else 0.
int64_t mon_gpu_idle_s(const struct mon_snapshot *s, const struct mon_gpu *gpu);

// Is something wrong with it: lost, XID, ECC errors, too hot?
bool mon_gpu_is_faulty(const struct mon_snapshot *s, const struct mon_gpu *gpu);

// Is the node Ready and heard of, as far as that can be known?
bool mon_node_is_up(const struct mon_snapshot *s, const struct mon_node *node);

void mon_snapshot_free(struct mon_snapshot *s);
void mon_snapshot_freep(struct mon_snapshot **s);
#define _cleanup_mon_snapshot_ _cleanup_(mon_snapshot_freep)
