// SPDX-License-Identifier: MIT
#include "kube/hpa.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "base/parse.h"
#include "kube/meta.h"
#include "kube/name.h"

const char *const kube_hpa_version_words[] = {"autoscaling/v2", "autoscaling/v2beta2",
                                              "autoscaling/v1", NULL};

// kubectl's words for each kind, in any case.
static const struct kind {
	const char *kind;
	const char *words[4];
	const struct kube_collection *collection;
} kinds[] = {
	{"Deployment", {"deploy", "deployment", "deployments", NULL}, &kube_deployments},
	{"StatefulSet", {"sts", "statefulset", "statefulsets", NULL}, &kube_stateful_sets},
	{"ReplicaSet", {"rs", "replicaset", "replicasets", NULL}, &kube_replica_sets},
};

static const char *find_kind(const char *word)
{
	static const char group[] = ".apps"; // as -o name writes it
	size_t len = strlen(word);

	if (len > strlen(group) && !strcasecmp(word + len - strlen(group), group))
		len -= strlen(group);
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		for (size_t j = 0; kinds[i].words[j]; j++)
			if (strlen(kinds[i].words[j]) == len && !strncasecmp(kinds[i].words[j], word, len))
				return kinds[i].kind;
	return NULL;
}

static bool refuse_kind(const char *word, struct err *err)
{
	if (!strcasecmp(word, "job") || !strcasecmp(word, "jobs") || !strcasecmp(word, "job.batch")) {
		err_set(err, ERR_USAGE, "a Job has no scale, so no autoscaler can change it");
		return err_hint(err, "autoscale a Deployment: deploy/NAME");
	}
	err_set(err, ERR_USAGE, "\"%s\" is not a kind that can be scaled", word);
	return err_hint(err, "write it as deploy/NAME, statefulset/NAME or replicaset/NAME");
}

bool kube_hpa_parse_target(struct kube_hpa *hpa, const char *text, struct err *err)
{
	const char *slash = strchr(text, '/');
	_cleanup_free_ char *word = mem_dup_n(text, slash ? (size_t)(slash - text) : strlen(text));
	_cleanup_free_ char *kind = NULL;
	_cleanup_free_ char *name = NULL;

	if (!word)
		return err_memory(err);
	if (!slash || !find_kind(word))
		return refuse_kind(word, err);
	if (!kube_name_check_subdomain(slash + 1, err))
		return false;
	kind = mem_dup(find_kind(word));
	name = mem_dup(slash + 1);
	if (!kind || !name)
		return err_memory(err);
	mem_free(hpa->target_kind);
	mem_free(hpa->target_name);
	hpa->target_kind = TAKE(kind);
	hpa->target_name = TAKE(name);
	return true;
}

const struct kube_collection *kube_hpa_target_collection(const struct kube_hpa *hpa)
{
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		if (hpa->target_kind && !strcmp(hpa->target_kind, kinds[i].kind))
			return kinds[i].collection;
	return &kube_deployments;
}

bool kube_hpa_parse_range(struct kube_hpa *hpa, const char *text, struct err *err)
{
	const char *dash = strchr(text, '-');
	_cleanup_free_ char *from = mem_dup_n(text, dash ? (size_t)(dash - text) : 0);
	int64_t min, max;

	if (!from)
		return err_memory(err);
	if (!dash || !parse_i64(from, 1, INT32_MAX, &min, err) ||
	    !parse_i64(dash + 1, min, INT32_MAX, &max, err)) {
		err_set(err, ERR_USAGE, "\"%s\" is not a range of replicas", text);
		return err_hint(err, "write it as 1-5");
	}
	hpa->min_replicas = min;
	hpa->max_replicas = max;
	return true;
}

typedef bool parse_quantity_fn(const char *, struct kube_quantity *, struct err *);

static bool parse_target(const char *text, parse_quantity_fn *parse_quantity, const char *example,
                         struct kube_hpa_target *ret, struct err *err)
{
	struct kube_hpa_target target = {.is_set = true};
	size_t len = strlen(text);
	int64_t number;
	_cleanup_err_ struct err none = ERR_INIT;

	if (parse_i64(text, 1, INT64_MAX, &number, &none)) {
		err_set(err, ERR_USAGE, "\"%s\" has no unit", text);
		return err_hint(err, "%s%% of the request, or an amount like %s?", text, example);
	}
	if (len && text[len - 1] == '%') {
		_cleanup_free_ char *digits = mem_dup_n(text, len - 1);

		if (!digits)
			return err_memory(err);
		if (!parse_i64(digits, 1, 10000, &target.utilization_pct, err))
			return err_wrap(err, "\"%s\"", text);
	} else if (!parse_quantity(text, &target.average, err)) {
		return err_hint(err, "write it as 50%% of the request, or as an amount: %s", example);
	}
	*ret = target;
	return true;
}

bool kube_hpa_parse_cpu(const char *text, struct kube_hpa_target *ret, struct err *err)
{
	return parse_target(text, kube_quantity_parse_cpu, "500m", ret, err);
}

bool kube_hpa_parse_memory(const char *text, struct kube_hpa_target *ret, struct err *err)
{
	return parse_target(text, kube_quantity_parse_memory, "200Mi", ret, err);
}

enum kube_hpa_version kube_hpa_version_of(const char *version)
{
	static const char group[] = "autoscaling/";

	for (size_t i = 0; kube_hpa_version_words[i]; i++)
		if (!strcmp(kube_hpa_version_words[i] + strlen(group), version))
			return (enum kube_hpa_version)i;
	return KUBE_HPA_V1;
}

const struct kube_collection *kube_hpa_collection(const struct kube_hpa *hpa,
                                                  struct kube_collection *ret)
{
	*ret = kube_hpas;
	ret->group_version = kube_hpa_version_words[hpa->version];
	return ret;
}

void kube_hpa_check_version(const struct kube_hpa *hpa, struct faults *faults)
{
	if (hpa->version != KUBE_HPA_V1)
		return;
	if (hpa->memory.is_set)
		faults_add(faults, "--memory-target: autoscaling/v1 knows CPU only");
	if (hpa->cpu.is_set && !hpa->cpu.utilization_pct)
		faults_add(faults,
		           "--cpu-target: autoscaling/v1 knows shares of the request only, as 50%%");
}

void kube_hpa_check(const struct kube_hpa *hpa, struct faults *faults)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (hpa->name && !kube_name_check_subdomain(hpa->name, &err)) {
		err_wrap(&err, "--name");
		faults_take(faults, &err);
	}
	if (!hpa->max_replicas) {
		if (!faults_has(faults, "--max"))
			faults_add(faults, "no maximum of replicas: --max N");
	} else if (hpa->min_replicas > hpa->max_replicas) {
		faults_add(faults, "--min: %" PRId64 " is above --max %" PRId64, hpa->min_replicas,
		           hpa->max_replicas);
	}
	if (!hpa->cpu.is_set && !hpa->memory.is_set && !faults_has(faults, "--cpu-target") &&
	    !faults_has(faults, "--memory-target"))
		faults_add(faults, "nothing to scale by: --cpu-target 50%% or --memory-target 200Mi");
	kube_hpa_check_version(hpa, faults);
}

static void put_metric(const char *resource, const struct kube_hpa_target *target,
                       struct json_build *b)
{
	_cleanup_strbuf_ struct strbuf average = STRBUF_INIT(64);

	if (!target->is_set)
		return;
	json_build_open_object(b, NULL);
	json_put_string(b, "type", "Resource");
	json_build_open_object(b, "resource");
	json_put_string(b, "name", resource);
	json_build_open_object(b, "target");
	if (target->utilization_pct) {
		json_put_string(b, "type", "Utilization");
		json_put_i64(b, "averageUtilization", target->utilization_pct);
	} else {
		kube_quantity_write(&average, &target->average);
		json_put_string(b, "type", "AverageValue");
		json_put_text(b, "averageValue", &average);
	}
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

static void put_spec(const struct kube_hpa *hpa, struct json_build *b)
{
	json_build_open_object(b, "scaleTargetRef");
	json_put_string(b, "apiVersion", "apps/v1");
	json_put_string(b, "kind", hpa->target_kind);
	json_put_string(b, "name", hpa->target_name);
	json_build_close(b);
	json_put_i64(b, "minReplicas", hpa->min_replicas ? hpa->min_replicas : 1);
	json_put_i64(b, "maxReplicas", hpa->max_replicas);
	if (hpa->version == KUBE_HPA_V1) {
		json_put_i64(b, "targetCPUUtilizationPercentage", hpa->cpu.utilization_pct);
		return;
	}
	json_build_open_array(b, "metrics");
	put_metric("cpu", &hpa->cpu, b);
	put_metric("memory", &hpa->memory, b);
	json_build_close(b);
}

struct json *kube_hpa_build(const struct kube_hpa *hpa, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", kube_hpa_version_words[hpa->version]);
	json_put_string(&b, "kind", "HorizontalPodAutoscaler");
	json_build_open_object(&b, "metadata");
	json_put_string(&b, "name", hpa->name ? hpa->name : hpa->target_name);
	if (hpa->namespace)
		json_put_string(&b, "namespace", hpa->namespace);
	if (hpa->request_id) {
		json_build_open_object(&b, "annotations");
		json_put_string(&b, KUBE_ANNOTATION_REQUEST_ID, hpa->request_id);
		json_build_close(&b);
	}
	json_build_close(&b);
	json_build_open_object(&b, "spec");
	put_spec(hpa, &b);
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

void kube_hpa_release(struct kube_hpa *hpa)
{
	mem_free(hpa->name);
	mem_free(hpa->namespace);
	mem_free(hpa->target_kind);
	mem_free(hpa->target_name);
	*hpa = (struct kube_hpa){.name = NULL};
}
