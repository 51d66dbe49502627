// SPDX-License-Identifier: MIT
#include "mon/record_fields.h"

#include "base/attr.h"
#include "mon/model.h"

const char *const mon_link_words[] = {"connecting", "live", "down", NULL};

static const char *const truth_words[] = {"unknown", "no", "yes", NULL};
static const char *const kind_words[] = {"device", "mig-parent", "mig-instance", NULL};
static const char *const how_words[] = {"exporter", "cgroup", "request", NULL};
static const char *const phase_words[] = {"pending", "running", "succeeded",
                                          "failed",  "unknown", NULL};

#define TEXT(type, field)                                             \
	{                                                                 \
#field, MON_FIELD_TEXT, offsetof(struct type, field), NULL, 0 \
	}
#define I64(type, field)                                             \
	{                                                                \
#field, MON_FIELD_I64, offsetof(struct type, field), NULL, 0 \
	}
#define BOOL(type, field)                                             \
	{                                                                 \
#field, MON_FIELD_BOOL, offsetof(struct type, field), NULL, 0 \
	}
#define WORD(type, field, words)                                       \
	{                                                                  \
#field, MON_FIELD_WORD, offsetof(struct type, field), words, 0 \
	}
#define LIST(array)            \
	{                          \
		array, COUNT_OF(array) \
	}

static const struct mon_field node_fields[] = {
	TEXT(mon_node, name),
	TEXT(mon_node, pool),
	TEXT(mon_node, role),
	TEXT(mon_node, version),
	TEXT(mon_node, complaint),
	BOOL(mon_node, is_in_api),
	WORD(mon_node, ready, truth_words),
	I64(mon_node, not_ready_since_ms),
	{"pressure", MON_FIELD_BITS, offsetof(struct mon_node, pressure), NULL, 0},
	BOOL(mon_node, is_cordoned),
	I64(mon_node, cpu_capacity_milli),
	I64(mon_node, cpu_allocatable_milli),
	I64(mon_node, memory_capacity_bytes),
	I64(mon_node, memory_allocatable_bytes),
	I64(mon_node, skew_ms),
	WORD(mon_node, gpu_source, mon_source_words),
	I64(mon_node, gpu_heard_ms),
	I64(mon_node, malformed),
};

static const struct mon_field gpu_fields[] = {
	I64(mon_gpu, index),          I64(mon_gpu, instance),     WORD(mon_gpu, kind, kind_words),
	TEXT(mon_gpu, uuid),          TEXT(mon_gpu, model),       TEXT(mon_gpu, profile),
	TEXT(mon_gpu, health),        BOOL(mon_gpu, is_lost),     I64(mon_gpu, lost_since_ms),
	I64(mon_gpu, quiet_since_ms), I64(mon_gpu, xid_first_ms), BOOL(mon_gpu, is_xid_old),
};

static const struct mon_field owner_fields[] = {
	WORD(mon_owner, how, how_words), TEXT(mon_owner, namespace), TEXT(mon_owner, pod),
	TEXT(mon_owner, container),      TEXT(mon_owner, pod_uid),
};

static const struct mon_field pod_fields[] = {
	TEXT(mon_pod, namespace),
	TEXT(mon_pod, name),
	TEXT(mon_pod, uid),
	TEXT(mon_pod, node_name),
	TEXT(mon_pod, job_name),
	TEXT(mon_pod, user),
	TEXT(mon_pod, reason),
	TEXT(mon_pod, gpu_resource),
	WORD(mon_pod, phase, phase_words),
	BOOL(mon_pod, is_terminating),
	BOOL(mon_pod, is_oom_killed),
	I64(mon_pod, oom_ms),
	{"exit_code", MON_FIELD_I64, offsetof(struct mon_pod, exit_code), NULL, -1},
	I64(mon_pod, restarts),
	I64(mon_pod, priority),
	I64(mon_pod, created_ms),
	I64(mon_pod, started_ms),
	I64(mon_pod, ended_ms),
	I64(mon_pod, gpus),
	I64(mon_pod, cpu_milli),
	I64(mon_pod, memory_bytes),
};

static const struct mon_field job_fields[] = {
	TEXT(mon_job, namespace),      TEXT(mon_job, name),    TEXT(mon_job, user),
	TEXT(mon_job, priority_class), TEXT(mon_job, why),     WORD(mon_job, state, jobs_state_words),
	I64(mon_job, priority),        I64(mon_job, gpus),     I64(mon_job, created_ms),
	I64(mon_job, started_ms),      I64(mon_job, ended_ms), I64(mon_job, restarts),
};

const struct mon_field_list mon_node_fields = LIST(node_fields);
const struct mon_field_list mon_gpu_fields = LIST(gpu_fields);
const struct mon_field_list mon_owner_fields = LIST(owner_fields);
const struct mon_field_list mon_pod_fields = LIST(pod_fields);
const struct mon_field_list mon_job_fields = LIST(job_fields);
