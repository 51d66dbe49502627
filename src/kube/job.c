// SPDX-License-Identifier: MIT
#include "kube/job.h"

#include <inttypes.h>

#include "base/json_build.h"
#include "kube/meta.h"
#include "kube/pod.h"

// Both numbers are always written: with parallelism alone the first pod to succeed ends the Job.
static void put_counts(const struct kube_workload *workload, struct json_build *b)
{
	int64_t completions = 1, parallelism = 1;

	if (workload->workers)
		completions = parallelism = workload->workers;
	if (workload->array.is_set) {
		completions = parallelism = kube_array_count(&workload->array);
		if (workload->array.at_once && workload->array.at_once < parallelism)
			parallelism = workload->array.at_once;
	}
	json_put_i64(b, "completions", completions);
	json_put_i64(b, "parallelism", parallelism);
	if (workload->workers || workload->array.is_set)
		json_put_string(b, "completionMode", "Indexed");
}

enum { FAILURE_POLICY_MINOR = 26, PER_INDEX_MINOR = 29, REPLACEMENT_POLICY_MINOR = 29 };

const struct kube_job_field kube_job_fields[] = {
	{"spec.suspend", 22},
	{"spec.completionMode", 22},
	{"spec.podFailurePolicy", FAILURE_POLICY_MINOR},
	{"spec.backoffLimitPerIndex", PER_INDEX_MINOR},
	{"spec.maxFailedIndexes", PER_INDEX_MINOR},
	{"spec.podReplacementPolicy", REPLACEMENT_POLICY_MINOR},
	{"spec.successPolicy", 31},
	{"spec.managedBy", 32},
	{NULL, 0},
};

static bool has_index_limits(const struct kube_workload *workload)
{
	return workload->array.is_set && workload->server.minor >= PER_INDEX_MINOR;
}

// The tasks of an array are on their own: one that fails must not end the others.
static void put_retries(const struct kube_workload *workload, struct json_build *b)
{
	json_put_i64(b, has_index_limits(workload) ? "backoffLimitPerIndex" : "backoffLimit",
	             workload->retries);
}

static void put_exit_rule(const struct kube_workload *workload, struct json_build *b)
{
	const struct kube_pod *pod = &workload->pod;

	json_build_open_object(b, NULL);
	json_put_string(b, "action", has_index_limits(workload) ? "FailIndex" : "FailJob");
	json_build_open_object(b, "onExitCodes");
	json_put_string(b, "containerName", pod->container ? pod->container : workload->name);
	json_put_string(b, "operator", "NotIn");
	json_build_open_array(b, "values");
	for (int code = 1; code < 256; code++)
		if (workload->retry_on.has[code])
			json_put_i64(b, NULL, code);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

// A pod that was preempted, evicted or drained did not fail: it runs again and costs no retry.
static void put_failure_policy(const struct kube_workload *workload, struct json_build *b)
{
	json_build_open_object(b, "podFailurePolicy");
	json_build_open_array(b, "rules");
	json_build_open_object(b, NULL);
	json_put_string(b, "action", "Ignore");
	json_build_open_array(b, "onPodConditions");
	json_build_open_object(b, NULL);
	json_put_string(b, "type", "DisruptionTarget");
	json_put_string(b, "status", "True");
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
	if (workload->retry_on.count)
		put_exit_rule(workload, b);
	json_build_close(b);
	json_build_close(b);
}

static void put_spec(const struct kube_workload *workload, struct json_build *b)
{
	json_build_open_object(b, "spec");
	put_counts(workload, b);
	put_retries(workload, b);
	if (workload->time_s)
		json_put_i64(b, "activeDeadlineSeconds", workload->time_s);
	if (workload->ttl_s != KUBE_UNSET)
		json_put_i64(b, "ttlSecondsAfterFinished", workload->ttl_s);
	if (workload->is_suspended)
		json_put_bool(b, "suspend", true);
	// Else a replacement starts while the old pod still holds its GPU.
	if (workload->server.minor >= REPLACEMENT_POLICY_MINOR)
		json_put_string(b, "podReplacementPolicy", "Failed");
	if (workload->server.minor >= FAILURE_POLICY_MINOR)
		put_failure_policy(workload, b);
	json_build_open_object(b, "template");
	kube_meta_put_template(workload, b);
	kube_pod_put_spec(workload, b);
	json_build_close(b);
	json_build_close(b);
}

struct json *kube_job_build(const struct kube_workload *workload, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "batch/v1");
	json_put_string(&b, "kind", "Job");
	kube_meta_put(workload, &b);
	put_spec(workload, &b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

void kube_job_check_server(const struct kube_workload *workload, struct faults *faults)
{
	_cleanup_strbuf_ struct strbuf left_out = STRBUF_INIT(1024);
	int64_t minor = workload->server.minor;

	if (minor < FAILURE_POLICY_MINOR && workload->retry_on.count)
		faults_add(faults,
		           "--retry-on-exit: the server is Kubernetes 1.%" PRId64
		           ", and podFailurePolicy came with 1.%d",
		           minor, FAILURE_POLICY_MINOR);
	if (minor < FAILURE_POLICY_MINOR)
		strbuf_add(&left_out, ", podFailurePolicy (being preempted counts as a failure)");
	if (minor < PER_INDEX_MINOR && workload->array.is_set)
		strbuf_add(&left_out, ", backoffLimitPerIndex (one task that fails ends the array)");
	if (minor < REPLACEMENT_POLICY_MINOR && workload->retries)
		strbuf_add(&left_out,
		           ", podReplacementPolicy (a retry may start while the old pod holds its GPU)");
	else if (minor < REPLACEMENT_POLICY_MINOR)
		strbuf_add(&left_out, ", podReplacementPolicy");
	if (left_out.len)
		faults_warn(faults, "the server is Kubernetes 1.%" PRId64 ": left out%s", minor,
		            strbuf_get(&left_out) + 1);
}
