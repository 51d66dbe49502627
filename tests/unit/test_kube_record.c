// SPDX-License-Identifier: MIT
#include "kube/record.h"

#include <string.h>

#include "kube/event_info.h"
#include "kube/job_info.h"
#include "kube/node_info.h"
#include "kube/pod_info.h"
#include "unit.h"

// The first records of a text, kept.
struct kept {
	union {
		struct kube_pod_info pod;
		struct kube_job_info job;
		struct kube_node_info node;
		struct kube_event_info event;
	} items[4];
	enum kube_record_change changes[8];
	size_t count, change_count;
	size_t size;
};

static bool keep(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct kept *kept = context;

	(void)err;
	assert_true(kept->change_count < COUNT_OF(kept->changes));
	kept->changes[kept->change_count++] = change;
	if (!record)
		return true;
	assert_true(kept->count < COUNT_OF(kept->items));
	memcpy(&kept->items[kept->count++], record, kept->size);
	memset(record, 0, kept->size);
	return true;
}

// Reads TEXT in pieces of CHUNK bytes.
static struct kube_record_reader *read_text(const struct kube_record_kind *kind,
                                            enum kube_record_source source, const char *text,
                                            size_t chunk, struct kept *kept, struct err *err)
{
	struct kube_record_reader *reader;

	*kept = (struct kept){.size = kind->size};
	reader = kube_record_reader_new(kind, source, keep, kept, err);
	assert_non_null(reader);
	for (size_t at = 0, left = strlen(text); left; at += chunk, left -= chunk) {
		if (chunk > left)
			chunk = left;
		if (!kube_record_reader_feed(reader, text + at, chunk, err)) {
			kube_record_reader_free(reader);
			return NULL;
		}
	}
	if (!kube_record_reader_finish(reader, err)) {
		kube_record_reader_free(reader);
		return NULL;
	}
	return reader;
}

static const char pod_list[] =
	"{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"42\","
	"\"continue\":\"next\",\"remainingItemCount\":7},\"items\":[{\"metadata\":{\"name\":\"a-x\","
	"\"namespace\":\"ml\",\"resourceVersion\":\"7\",\"creationTimestamp\":\"2026-12-01T00:00:10Z\","
	"\"labels\":{\"job-name\":\"a\"},\"annotations\":{"
	"\"batch.kubernetes.io/job-completion-index\":\"3\"},"
	"\"ownerReferences\":[{\"kind\":\"X\",\"name\":\"no\"},"
	"{\"kind\":\"Job\",\"name\":\"a\",\"uid\":\"u\",\"controller\":true}]},"
	"\"spec\":{\"nodeName\":\"gpu-1\",\"priority\":10000,"
	"\"initContainers\":[{\"resources\":{\"requests\":{\"cpu\":\"4\"}}}],"
	"\"containers\":[{\"resources\":{\"requests\":{\"cpu\":\"500m\",\"memory\":\"1Gi\","
	"\"nvidia.com/gpu\":\"2\"},\"limits\":{\"memory\":\"2Gi\",\"nvidia.com/gpu\":\"2\"}}},"
	"{\"resources\":{\"requests\":{\"cpu\":1,\"memory\":1024},\"limits\":{\"memory\":\"1Gi\"}}}]},"
	"\"status\":{\"phase\":\"Failed\",\"reason\":\"Evicted\",\"conditions\":["
	"{\"type\":\"PodScheduled\",\"status\":\"True\"},"
	"{\"type\":\"DisruptionTarget\",\"status\":\"True\",\"reason\":\"PreemptionByScheduler\"}],"
	"\"containerStatuses\":[{\"name\":\"main\",\"restartCount\":1,\"state\":{\"terminated\":{"
	"\"exitCode\":137,\"reason\":\"OOMKilled\",\"startedAt\":\"2026-12-01T00:00:20Z\","
	"\"finishedAt\":\"2026-12-01T00:01:20Z\"}},\"lastState\":{\"terminated\":{\"exitCode\":1,"
	"\"reason\":\"Error\"}}},{\"name\":\"side\",\"state\":{\"waiting\":{\"reason\":"
	"\"ImagePullBackOff\",\"message\":\"Back-off\"}}},{\"name\":\"run\",\"state\":{\"running\":{}}}"
	"]}},{\"metadata\":{\"name\":\"b\"},\"spec\":{\"containers\":[{\"resources\":{}}]},"
	"\"status\":{\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"False\","
	"\"reason\":\"Unschedulable\",\"message\":\"0/3 nodes are available\"}]}}]}";

static void check_first_pod(const struct kube_pod_info *pod)
{
	struct kube_requests requests = kube_pod_info_requests(pod);

	assert_string_equal(pod->name, "a-x");
	assert_string_equal(pod->namespace, "ml");
	assert_string_equal(pod->job, "a");
	assert_string_equal(pod->index, "3");
	assert_string_equal(pod->owner_kind, "Job");
	assert_string_equal(pod->owner_uid, "u");
	assert_string_equal(pod->node, "gpu-1");
	assert_int_equal(pod->created_ms, INT64_C(1796083210000));
	assert_int_equal(pod->priority, 10000);
	assert_int_equal(pod->requests.cpu_milli, 1500);
	assert_int_equal(requests.cpu_milli, 4000); // the init container's
	assert_int_equal(requests.memory_bytes, (INT64_C(1) << 30) + 1024);
	assert_int_equal(requests.memory_limit_bytes, INT64_C(3) << 30);
	assert_int_equal(requests.gpus, 2);
	assert_string_equal(pod->reason, "Evicted");
	assert_string_equal(pod->disruption_reason, "PreemptionByScheduler");
	assert_null(pod->scheduling_reason);
	assert_int_equal(pod->container_count, 3);
	assert_int_equal(pod->containers[0].state, KUBE_CONTAINER_TERMINATED);
	assert_int_equal(pod->containers[0].exit_code, 137);
	assert_string_equal(pod->containers[0].reason, "OOMKilled");
	assert_int_equal(pod->containers[0].finished_ms - pod->containers[0].started_ms, 60000);
	assert_true(pod->containers[0].has_last);
	assert_string_equal(pod->containers[0].last_reason, "Error");
	assert_int_equal(pod->containers[1].state, KUBE_CONTAINER_WAITING);
	assert_string_equal(pod->containers[1].message, "Back-off");
	assert_int_equal(pod->containers[2].state, KUBE_CONTAINER_RUNNING);
}

static void pods_of_a_list_in_chunks_of_any_size(void **state)
{
	static const size_t chunks[] = {1, 7, 4096};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(chunks); i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		struct kept kept;
		_cleanup_kube_record_reader_ struct kube_record_reader *reader =
			read_text(&kube_pod_record, KUBE_RECORD_LIST, pod_list, chunks[i], &kept, &err);
		const struct kube_record_meta *meta;

		assert_non_null(reader);
		meta = kube_record_reader_meta(reader);
		assert_string_equal(meta->resource_version, "42");
		assert_string_equal(meta->continue_token, "next");
		assert_int_equal(meta->remaining, 7);
		assert_int_equal(kept.count, 2);
		check_first_pod(&kept.items[0].pod);
		assert_null(kept.items[1].pod.node);
		assert_int_equal(kept.items[1].pod.requests.memory_limit_bytes, 0);
		assert_string_equal(kept.items[1].pod.scheduling_message, "0/3 nodes are available");
		kube_pod_info_release(&kept.items[0].pod);
		kube_pod_info_release(&kept.items[1].pod);
	}
}

static void jobs_of_a_watch_with_bookmark_and_end(void **state)
{
	static const char text[] =
		"{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"j\",\"resourceVersion\":\"5\","
		"\"labels\":{\"vpsml.dev/user\":\"ann\"}},\"spec\":{\"suspend\":true,\"completions\":2},"
		"\"status\":{\"conditions\":[{\"type\":\"FailureTarget\",\"status\":\"True\",\"reason\":"
		"\"x\"},{\"type\":\"Failed\",\"status\":\"True\",\"reason\":\"DeadlineExceeded\","
		"\"lastTransitionTime\":\"2026-12-01T00:00:00Z\"}]}}}\n"
		"{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Job\",\"metadata\":{\"resourceVersion\":"
		"\"9\"}}}\n"
		"{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\","
		"\"message\":\"too old\"}}\n";
	_cleanup_err_ struct err err = ERR_INIT;
	struct kept kept;
	_cleanup_kube_record_reader_ struct kube_record_reader *reader =
		read_text(&kube_job_record, KUBE_RECORD_WATCH, text, 1, &kept, &err);
	const struct kube_record_meta *meta;
	struct kube_job_info *job = &kept.items[0].job;

	(void)state;
	assert_non_null(reader);
	meta = kube_record_reader_meta(reader);
	assert_int_equal(kept.change_count, 3);
	assert_int_equal(kept.changes[0], KUBE_RECORD_ADDED);
	assert_int_equal(kept.changes[1], KUBE_RECORD_BOOKMARK);
	assert_int_equal(kept.changes[2], KUBE_RECORD_ERROR);
	assert_string_equal(meta->resource_version, "9");
	assert_int_equal(meta->error_code, 410);
	assert_string_equal(meta->error_message, "too old");
	assert_string_equal(job->user, "ann");
	assert_true(job->is_suspended);
	assert_true(job->is_failed);
	assert_false(job->is_complete);
	assert_string_equal(job->failed_reason, "DeadlineExceeded");
	kube_job_info_release(job);
}

// An Event has a message of its own, which is no Status'.
static void events_of_a_watch_keep_their_message(void **state)
{
	static const char text[] =
		"{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"e\"},\"reason\":\"FailedCreate\","
		"\"message\":\"exceeded quota\",\"involvedObject\":{\"kind\":\"Job\",\"uid\":\"u\"}}}\n"
		"{\"type\":\"ERROR\",\"object\":{\"code\":410,\"message\":\"gone\"}}\n";
	_cleanup_err_ struct err err = ERR_INIT;
	struct kept kept;
	_cleanup_kube_record_reader_ struct kube_record_reader *reader =
		read_text(&kube_event_record, KUBE_RECORD_WATCH, text, 5, &kept, &err);

	(void)state;
	assert_non_null(reader);
	assert_string_equal(kept.items[0].event.message, "exceeded quota");
	assert_string_equal(kube_record_reader_meta(reader)->error_message, "gone");
	kube_event_info_release(&kept.items[0].event);
}

static void a_node_alone(void **state)
{
	static const char text[] =
		"{\"kind\":\"Node\",\"metadata\":{\"name\":\"gpu-1\",\"labels\":{\"gpu\":\"true\"}},"
		"\"spec\":{\"taints\":[{\"key\":\"nvidia.com/gpu\",\"effect\":\"PreferNoSchedule\"},"
		"{\"key\":\"x\",\"effect\":\"NoSchedule\"}]},\"status\":{\"allocatable\":{\"cpu\":"
		"\"7910m\","
		"\"memory\":\"30Gi\",\"nvidia.com/gpu\":\"2\",\"pods\":\"110\"},\"conditions\":["
		"{\"type\":\"MemoryPressure\",\"status\":\"True\"},"
		"{\"type\":\"Ready\",\"status\":\"Unknown\",\"reason\":\"NodeStatusUnknown\"}],"
		"\"addresses\":[{\"type\":\"Hostname\",\"address\":\"h\"},"
		"{\"type\":\"InternalIP\",\"address\":\"10.0.0.5\"}]}}";
	_cleanup_err_ struct err err = ERR_INIT;
	struct kept kept;
	_cleanup_kube_record_reader_ struct kube_record_reader *reader =
		read_text(&kube_node_record, KUBE_RECORD_OBJECT, text, 3, &kept, &err);
	struct kube_node_info *node = &kept.items[0].node;

	(void)state;
	assert_non_null(reader);
	assert_int_equal(kept.count, 1);
	assert_true(node->is_gpu_node);
	assert_true(node->is_gpu_tainted);
	assert_true(node->has_hard_taint);
	assert_int_equal(node->allocatable.gpus, 2);
	assert_int_equal(node->allocatable.cpu_milli, 7910);
	assert_int_equal(node->allocatable_pods, 110);
	assert_string_equal(node->gpu_resource, "nvidia.com/gpu");
	assert_string_equal(node->address, "10.0.0.5");
	assert_false(node->is_ready);
	assert_string_equal(node->not_ready_reason, "NodeStatusUnknown");
	assert_string_equal(node->pressure, "MemoryPressure");
	kube_node_info_release(node);
}

static void wrong_values_name_their_place(void **state)
{
	static const char text[] = "{\"items\":[{\"status\":{\"active\":\"two\"}}]}";
	_cleanup_err_ struct err err = ERR_INIT;
	struct kept kept;

	(void)state;
	assert_null(read_text(&kube_job_record, KUBE_RECORD_LIST, text, 64, &kept, &err));
	assert_non_null(strstr(err_message(&err), "status.active"));
}

static void no_allocation_that_fails_leaks_or_crashes(void **state)
{
	size_t nth = 0;
	bool has_failed = true;

	(void)state;
	while (has_failed) {
		_cleanup_err_ struct err err = ERR_INIT;
		struct kept kept = {.size = sizeof(struct kube_pod_info)};
		struct kube_record_reader *reader;

		unit_fail_allocation(++nth);
		reader = kube_record_reader_new(&kube_pod_record, KUBE_RECORD_LIST, keep, &kept, &err);
		has_failed = !reader ||
		             !kube_record_reader_feed(reader, pod_list, strlen(pod_list), &err) ||
		             !kube_record_reader_finish(reader, &err);
		unit_fail_allocation(0);
		assert_true(!has_failed || err.kind == ERR_MEMORY);
		kube_record_reader_free(reader);
		for (size_t i = 0; i < kept.count; i++)
			kube_pod_info_release(&kept.items[i].pod);
	}
	assert_true(nth > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pods_of_a_list_in_chunks_of_any_size),
		cmocka_unit_test(jobs_of_a_watch_with_bookmark_and_end),
		cmocka_unit_test(events_of_a_watch_keep_their_message),
		cmocka_unit_test(a_node_alone),
		cmocka_unit_test(wrong_values_name_their_place),
		cmocka_unit_test(no_allocation_that_fails_leaks_or_crashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
