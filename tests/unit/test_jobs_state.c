// SPDX-License-Identifier: MIT
#include "jobs/state.h"

#include <string.h>

#include "kube/record.h"
#include "unit.h"

struct folded {
	struct kube_job_info job;
	struct jobs_outcome outcome;
};

static bool take_job(void *context, enum kube_record_change change, void *record, struct err *err)
{
	(void)change;
	(void)err;
	memcpy(context, record, sizeof(struct kube_job_info));
	memset(record, 0, sizeof(struct kube_job_info));
	return true;
}

static bool fold_pod(void *context, enum kube_record_change change, void *record, struct err *err)
{
	(void)change;
	return jobs_outcome_add(context, record, err);
}

static void read_text(const struct kube_record_kind *kind, enum kube_record_source source,
                      const char *text, kube_record_fn *on_record, void *context)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_kube_record_reader_ struct kube_record_reader *reader =
		kube_record_reader_new(kind, source, on_record, context, &err);

	assert_non_null(reader);
	assert_true(kube_record_reader_feed(reader, text, strlen(text), &err));
	assert_true(kube_record_reader_finish(reader, &err));
}

// A job and its pods as the API server shows them: the members of the Job, and the pods' list.
static void fold(struct folded *ret, const char *job, const char *pods)
{
	*ret = (struct folded){.job = {NULL}};
	read_text(&kube_job_record, KUBE_RECORD_OBJECT, job, take_job, &ret->job);
	read_text(&kube_pod_record, KUBE_RECORD_LIST, pods, fold_pod, &ret->outcome);
}

static void release(struct folded *folded)
{
	kube_job_info_release(&folded->job);
	jobs_outcome_release(&folded->outcome);
}

#define JOB(status)                                                                            \
	"{\"metadata\":{\"name\":\"j\",\"creationTimestamp\":\"2026-12-01T00:00:00Z\"},\"spec\":{" \
	"\"completions\":1,\"backoffLimit\":1},\"status\":{" status "}}"
#define FAILED(reason)                                                                  \
	JOB("\"conditions\":[{\"type\":\"Failed\",\"status\":\"True\",\"reason\":\"" reason \
	    "\",\"lastTransitionTime\":\"2026-12-01T00:10:00Z\"}]")
#define PODS(items) "{\"items\":[" items "]}"
#define POD(phase, more)                                                                  \
	"{\"metadata\":{\"name\":\"p\"},\"spec\":{\"nodeName\":\"n1\",\"containers\":[{"      \
	"\"resources\":{\"limits\":{\"memory\":\"256Mi\"}}}]},\"status\":{\"phase\":\"" phase \
	"\"" more "}}"
#define ENDED(fields)                                                                   \
	",\"containerStatuses\":[{\"name\":\"m\",\"state\":{\"terminated\":{\"startedAt\":" \
	"\"2026-12-01T00:01:00Z\",\"finishedAt\":\"2026-12-01T00:06:00Z\"," fields "}}}]"
#define WAITING(reason)                                                           \
	",\"containerStatuses\":[{\"name\":\"m\",\"state\":{\"waiting\":{\"reason\":" \
	"\"" reason "\",\"message\":\"why\"}}}]"
#define NO_NODE(reason, message)                                                         \
	"{\"metadata\":{\"name\":\"p\"},\"status\":{\"phase\":\"Pending\",\"conditions\":[{" \
	"\"type\":\"PodScheduled\",\"status\":\"False\",\"reason\":\"" reason                \
	"\",\"message\":\"" message "\"}]}}"

static const struct {
	const char *name, *job, *pods, *create_failure;
	enum jobs_state state;
	const char *reason;
	int64_t exit_status; // of an ended job
} cases[] = {
	{"nothing yet", JOB(""), PODS(""), NULL, JOBS_PENDING, "", 0},
	{"k8s_90124_quota", JOB(""), PODS(""), "exceeded quota: q", JOBS_PENDING, "exceeded quota: q",
     0},
	{"no room", JOB("\"active\":1"),
     PODS(NO_NODE("Unschedulable", "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")),
     NULL, JOBS_PENDING, "2 of 2 nodes: no free nvidia.com/gpu", 0},
	{"gated", JOB(""), PODS(NO_NODE("SchedulingGated", "x")), NULL, JOBS_PENDING, "SchedulingGated",
     0},
	{"starting", JOB(""), PODS(POD("Pending", WAITING("ContainerCreating"))), NULL, JOBS_STARTING,
     "ContainerCreating", 0},
	{"k8s_101584_image", JOB(""), PODS(POD("Pending", WAITING("ImagePullBackOff"))), NULL,
     JOBS_STARTING, "ImagePullBackOff", 0},
	{"running", JOB("\"active\":1"), PODS(POD("Running", "")), NULL, JOBS_RUNNING, "", 0},
	{"running again", JOB("\"active\":1"),
     PODS(POD("Failed", ENDED("\"exitCode\":3")) "," POD("Running", "")), NULL, JOBS_RUNNING,
     "again after exit 3", 0},
	{"another try to come", JOB(""), PODS(POD("Failed", ENDED("\"exitCode\":3"))), NULL,
     JOBS_PENDING, "again after exit 3", 0},
	{"no other try to come", JOB(""),
     PODS(POD("Failed", ENDED("\"exitCode\":3")) "," POD("Failed", ENDED("\"exitCode\":3"))), NULL,
     JOBS_RUNNING, "", 0},
	{"it will fail when its pods have gone",
     JOB("\"conditions\":[{\"type\":\"FailureTarget\",\"status\":\"True\"}]"),
     PODS(POD("Failed", ENDED("\"exitCode\":7"))), NULL, JOBS_RUNNING, "", 0},
	{"ended, but the Job does not say so yet", JOB(""),
     PODS(POD("Succeeded", ENDED("\"exitCode\":0"))), NULL, JOBS_RUNNING, "", 0},
	{"done", JOB("\"conditions\":[{\"type\":\"Complete\",\"status\":\"True\"}]"),
     PODS(POD("Succeeded", ENDED("\"exitCode\":0"))), NULL, JOBS_SUCCEEDED, "", 0},
	{"exit 7", FAILED("BackoffLimitExceeded"), PODS(POD("Failed", ENDED("\"exitCode\":7"))), NULL,
     JOBS_FAILED, "exit 7", 7},
	{"highest of several", FAILED("BackoffLimitExceeded"),
     PODS(POD("Failed", ENDED("\"exitCode\":3")) "," POD("Failed", ENDED("\"exitCode\":9"))), NULL,
     JOBS_FAILED, "exit 3", 9},
	{"signal", FAILED("BackoffLimitExceeded"),
     PODS(POD("Failed", ENDED("\"exitCode\":143,\"signal\":15"))), NULL, JOBS_FAILED, "signal 15",
     143},
	{"cortex_1806_oom_says_zero", FAILED("BackoffLimitExceeded"),
     PODS(POD("Failed", ENDED("\"exitCode\":0,\"reason\":\"OOMKilled\""))), NULL, JOBS_FAILED,
     "OOMKilled", 137},
	{"time limit", FAILED("DeadlineExceeded"), PODS(""), NULL, JOBS_FAILED, "time limit", 124},
	{"evicted", FAILED("BackoffLimitExceeded"),
     PODS(POD("Failed", ",\"reason\":\"Evicted\",\"message\":\"low on memory\"")), NULL,
     JOBS_FAILED, "Evicted", 1},
	{"trainer_999_preempted", JOB("\"active\":1"),
     PODS(POD("Failed", ",\"conditions\":[{\"type\":\"DisruptionTarget\",\"status\":\"True\","
                        "\"reason\":\"PreemptionByScheduler\"}]") ","
                                                                  "" POD("Running", "")),
     NULL, JOBS_RUNNING,
     "preempted \xC3\x97"
     "1",
     0},
	{"failed without pods", FAILED("BackoffLimitExceeded"), PODS(""), NULL, JOBS_FAILED,
     "BackoffLimitExceeded", 1},
};

static void states_and_reasons(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		_cleanup_strbuf_ struct strbuf reason = STRBUF_INIT(4096);
		struct folded folded;

		print_message("%s\n", cases[i].name);
		fold(&folded, cases[i].job, cases[i].pods);
		assert_int_equal(jobs_state_of(&folded.job, &folded.outcome), cases[i].state);
		jobs_reason_write(&reason, &folded.job, &folded.outcome, cases[i].create_failure);
		assert_string_equal(strbuf_get(&reason), cases[i].reason);
		if (jobs_state_is_end(cases[i].state))
			assert_int_equal(jobs_exit_status_of(&folded.job, &folded.outcome),
			                 cases[i].exit_status);
		release(&folded);
	}
}

static void waited_and_ran(void **state)
{
	struct folded folded;
	int64_t now_ms = INT64_C(1796083200000) + 3600 * 1000; // an hour after its creation

	(void)state;
	fold(&folded, FAILED("BackoffLimitExceeded"), PODS(POD("Failed", ENDED("\"exitCode\":1"))));
	assert_int_equal(jobs_wait_s(&folded.job, &folded.outcome, now_ms), 60);
	assert_int_equal(jobs_run_s(&folded.job, &folded.outcome, now_ms), 300);
	release(&folded);
	fold(&folded, JOB(""), PODS(""));
	assert_int_equal(jobs_wait_s(&folded.job, &folded.outcome, now_ms), 3600);
	assert_int_equal(jobs_run_s(&folded.job, &folded.outcome, now_ms), -1);
	release(&folded);
}

static void oom_says_the_limit(void **state)
{
	struct folded folded;

	(void)state;
	fold(&folded, JOB(""), PODS(POD("Failed", ENDED("\"exitCode\":137,\"reason\":\"OOMKilled\""))));
	assert_string_equal(folded.outcome.message, "killed for memory: the limit is 256Mi");
	assert_string_equal(folded.outcome.node, "n1");
	release(&folded);
}

static void a_message_ends_without_blanks(void **state)
{
	struct folded folded;

	(void)state;
	fold(&folded, JOB(""),
	     PODS(POD("Failed", ",\"reason\":\"Evicted\",\"message\":\"low on memory.  \"")));
	assert_string_equal(folded.outcome.message, "low on memory.");
	release(&folded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_and_reasons),
		cmocka_unit_test(waited_and_ran),
		cmocka_unit_test(oom_says_the_limit),
		cmocka_unit_test(a_message_ends_without_blanks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
