// SPDX-License-Identifier: MIT
// Reads a generated list of pods (10,000 of 4.6 kB; other counts as argument) as a client does,
// 16 kB at a time, and prints CPU time and memory. What is picked feeds a table of pods.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/json_pick.h"
#include "base/parse.h"
#include "base/strbuf.h"

enum { PAGE_PODS = 500, CHUNK_BYTES = 16 * 1024, PAGE_MAX_BYTES = 8 * 1024 * 1024 };

static const struct json_want wants[] = {
	{"metadata.resourceVersion", 1, JSON_WANT_VALUE},
	{"metadata.continue", 2, JSON_WANT_VALUE},
	{"items[]", 3, JSON_WANT_VALUE},
	{"items[].metadata.name", 4, JSON_WANT_VALUE},
	{"items[].metadata.namespace", 5, JSON_WANT_VALUE},
	{"items[].metadata.creationTimestamp", 6, JSON_WANT_VALUE},
	{"items[].metadata.labels.*", 7, JSON_WANT_VALUE},
	{"items[].spec.nodeName", 8, JSON_WANT_VALUE},
	{"items[].spec.priority", 9, JSON_WANT_VALUE},
	{"items[].spec.containers[]", 10, JSON_WANT_VALUE},
	{"items[].spec.containers[].name", 11, JSON_WANT_VALUE},
	{"items[].spec.containers[].resources.requests.*", 12, JSON_WANT_VALUE},
	{"items[].status.phase", 13, JSON_WANT_VALUE},
	{"items[].status.reason", 14, JSON_WANT_VALUE},
	{"items[].status.conditions[]", 15, JSON_WANT_VALUE},
	{"items[].status.conditions[].type", 16, JSON_WANT_VALUE},
	{"items[].status.conditions[].status", 17, JSON_WANT_VALUE},
	{"items[].status.containerStatuses[].restartCount", 18, JSON_WANT_VALUE},
};

// The parts of a pod that an API server writes and a table does not show.
static void add_managed_fields(struct strbuf *out)
{
	static const char *const managers[] = {"kube-controller-manager", "kubelet"};

	strbuf_add(out, "\"managedFields\":[");
	for (size_t i = 0; i < COUNT_OF(managers); i++) {
		strbuf_addf(out,
		            "%s{\"manager\":\"%s\",\"operation\":\"Update\",\"apiVersion\":\"v1\","
		            "\"time\":\"2026-05-01T10:00:00Z\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{",
		            i ? "," : "", managers[i]);
		for (int field = 0; field < 16; field++)
			strbuf_addf(
				out, "%s\"f:field%d\":{\".\":{},\"f:type\":{},\"k:{\\\"name\\\":\\\"x\\\"}\":{}}",
				field ? "," : "", field);
		strbuf_add(out, "}}");
	}
	strbuf_add(out, "]");
}

static void add_pod(struct strbuf *out, size_t index)
{
	strbuf_addf(out,
	            "{\"metadata\":{\"name\":\"train-%06zu-x7k2p\",\"generateName\":\"train-%06zu-\","
	            "\"namespace\":\"team-%zu\",\"uid\":\"5f0c7b1e-0000-4000-8000-%012zu\","
	            "\"resourceVersion\":\"%zu\",\"creationTimestamp\":\"2026-05-01T10:00:00Z\","
	            "\"labels\":{\"app.kubernetes.io/name\":\"train\",\"vpsml.dev/user\":\"user-%zu\","
	            "\"batch.kubernetes.io/job-name\":\"train-%06zu\"},",
	            index, index, index % 7, index, 100000 + index, index % 13, index);
	add_managed_fields(out);
	strbuf_addf(
		out,
		"},\"spec\":{\"volumes\":[{\"name\":\"kube-api-access\",\"projected\":{\"sources\":[{"
		"\"serviceAccountToken\":{\"expirationSeconds\":3607,\"path\":\"token\"}}],"
		"\"defaultMode\":420}}],\"containers\":[{\"name\":\"main\",\"image\":"
		"\"registry.example.org/ml/train:2026.05\",\"command\":[\"python\",\"train.py\","
		"\"--epochs\",\"90\"],\"env\":[{\"name\":\"NCCL_DEBUG\",\"value\":\"WARN\"}],"
		"\"resources\":{\"limits\":{\"memory\":\"64Gi\",\"nvidia.com/gpu\":\"1\"},\"requests\":{"
		"\"cpu\":\"8\",\"memory\":\"64Gi\",\"nvidia.com/gpu\":\"1\"}},\"imagePullPolicy\":"
		"\"IfNotPresent\"}],\"restartPolicy\":\"Never\",\"nodeName\":\"gpu-%zu\","
		"\"schedulerName\":\"default-scheduler\",\"priority\":10000,\"tolerations\":[{"
		"\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\"},{\"key\":"
		"\"node.kubernetes.io/not-ready\",\"operator\":\"Exists\",\"effect\":\"NoExecute\","
		"\"tolerationSeconds\":300}]},\"status\":{\"phase\":\"Running\",\"conditions\":[",
		index % 40);
	for (int condition = 0; condition < 5; condition++)
		strbuf_addf(out,
		            "%s{\"type\":\"Condition%d\",\"status\":\"True\",\"lastProbeTime\":null,"
		            "\"lastTransitionTime\":\"2026-05-01T10:00:0%dZ\"}",
		            condition ? "," : "", condition, condition);
	strbuf_addf(
		out,
		"],\"hostIP\":\"10.0.0.%zu\",\"podIP\":\"10.244.1.%zu\",\"startTime\":"
		"\"2026-05-01T10:00:00Z\",\"containerStatuses\":[{\"name\":\"main\",\"state\":{"
		"\"running\":{\"startedAt\":\"2026-05-01T10:00:05Z\"}},\"lastState\":{},\"ready\":true,"
		"\"restartCount\":%zu,\"image\":\"registry.example.org/ml/train:2026.05\",\"imageID\":"
		"\"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"}],"
		"\"qosClass\":\"Burstable\"}}",
		index % 250, index % 250, index % 3);
}

static void make_page(struct strbuf *page)
{
	strbuf_add(page,
	           "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":"
	           "\"200000\",\"continue\":\"eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ\"},\"items\":[");
	for (size_t i = 0; i < PAGE_PODS; i++) {
		if (i)
			strbuf_add_char(page, ',');
		add_pod(page, i);
	}
	strbuf_add(page, "]}\n");
}

struct totals {
	uint64_t pods, events, restarts;
};

static bool take(void *context, const struct json_pick_event *event, struct err *err)
{
	struct totals *totals = context;
	int64_t restarts = 0;

	totals->events++;
	if (event->id == 3 && event->type == JSON_PICK_CLOSE)
		totals->pods++;
	if (event->id == 18 && !json_pick_i64(event, &restarts, err))
		return false;
	totals->restarts += (uint64_t)restarts;
	return true;
}

static bool read_page(struct json_pick *pick, const struct strbuf *page, struct err *err)
{
	json_pick_reset(pick);
	for (size_t at = 0; at < page->len; at += CHUNK_BYTES) {
		size_t count = page->len - at < CHUNK_BYTES ? page->len - at : CHUNK_BYTES;

		if (!json_pick_feed(pick, page->data + at, count, err))
			return false;
	}
	return json_pick_finish(pick, err);
}

static double cpu_s(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

static bool run(int64_t pods, struct err *err)
{
	_cleanup_strbuf_ struct strbuf page = STRBUF_INIT(PAGE_MAX_BYTES);
	struct totals totals = {0};
	struct json_pick_options options = {
		.wants = wants, .want_count = COUNT_OF(wants), .take = take, .context = &totals};
	_cleanup_json_pick_ struct json_pick *pick = json_pick_new(&options, err);
	struct rusage usage;
	double start;

	make_page(&page);
	if (!pick || !strbuf_ok(&page, err))
		return false;
	start = cpu_s();
	for (int64_t done = 0; done < pods; done += PAGE_PODS)
		if (!read_page(pick, &page, err))
			return false;
	start = cpu_s() - start;
	getrusage(RUSAGE_SELF, &usage);
	printf("%" PRIu64 " pods, %.1f MB, %" PRIu64 " events: %.3f s CPU, %.0f MB/s, %ld kB at most\n",
	       totals.pods, (double)page.len * (double)(pods / PAGE_PODS) / 1e6, totals.events, start,
	       (double)page.len * (double)(pods / PAGE_PODS) / 1e6 / start, usage.ru_maxrss);
	return true;
}

int main(int argc, char **argv)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t pods = 10000;

	if ((argc > 1 && !parse_i64(argv[1], PAGE_PODS, 10000000, &pods, &err)) || !run(pods, &err)) {
		fprintf(stderr, "%s\n", err_message(&err));
		return 1;
	}
	return 0;
}
