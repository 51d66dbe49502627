// SPDX-License-Identifier: MIT
#include "jobs/needs.h"

#include <string.h>

#include "base/mem.h"
#include "kube/quantity.h"

enum { QUANTITY_MAX_BYTES = 128 };

static const struct json *member(const struct json *value, const char *name)
{
	return value && json_type(value) == JSON_OBJECT ? json_find(value, name) : NULL;
}

static const struct json *first(const struct json *value)
{
	return value ? json_first(value) : NULL;
}

static bool add_ref(struct jobs_needs *needs, enum jobs_ref_kind kind, const char *option,
                    const struct json *value, const char *key, struct err *err)
{
	struct jobs_ref ref = {.kind = kind, .option = option, .value = value, .key = key};

	if (!value || json_type(value) != JSON_STRING || !*json_string(value))
		return true;
	ref.name = json_string(value);
	return mem_append(&needs->refs, &needs->ref_count, &ref, sizeof(ref)) || err_memory(err);
}

static bool is_optional(const struct json *source)
{
	const struct json *optional = member(source, "optional");

	return optional && json_is_true(optional);
}

// {name, key, optional} of a variable, or {name, optional} of many.
static bool add_source(struct jobs_needs *needs, enum jobs_ref_kind kind, const char *option,
                       const struct json *source, struct err *err)
{
	const struct json *key = member(source, "key");

	return !source || is_optional(source) ||
	       add_ref(needs, kind, option, member(source, "name"), key ? json_string(key) : NULL, err);
}

static bool read_env(struct jobs_needs *needs, const struct json *container, struct err *err)
{
	for (const struct json *e = first(member(container, "env")); e; e = json_next(e)) {
		const struct json *from = member(e, "valueFrom");

		if (!add_source(needs, JOBS_REF_SECRET, "--secret", member(from, "secretKeyRef"), err) ||
		    !add_source(needs, JOBS_REF_CONFIG_MAP, NULL, member(from, "configMapKeyRef"), err))
			return false;
	}
	for (const struct json *e = first(member(container, "envFrom")); e; e = json_next(e))
		if (!add_source(needs, JOBS_REF_SECRET, NULL, member(e, "secretRef"), err) ||
		    !add_source(needs, JOBS_REF_CONFIG_MAP, NULL, member(e, "configMapRef"), err))
			return false;
	return true;
}

static bool read_volume(struct jobs_needs *needs, const struct json *volume, struct err *err)
{
	const struct json *secret = member(volume, "secret"), *map = member(volume, "configMap");

	return add_ref(needs, JOBS_REF_CLAIM, "--data",
	               member(member(volume, "persistentVolumeClaim"), "claimName"), NULL, err) &&
	       (!secret || is_optional(secret) ||
	        add_ref(needs, JOBS_REF_SECRET, NULL, member(secret, "secretName"), NULL, err)) &&
	       (!map || is_optional(map) ||
	        add_ref(needs, JOBS_REF_CONFIG_MAP, NULL, member(map, "name"), NULL, err));
}

// An amount of a resource; what is no quantity counts as nothing.
static struct kube_quantity read_quantity(const struct json *value)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(QUANTITY_MAX_BYTES);
	_cleanup_err_ struct err ignored = ERR_INIT;
	struct kube_quantity quantity = {false};

	if (json_type(value) == JSON_STRING)
		strbuf_add(&text, json_string(value));
	else if (json_type(value) == JSON_NUMBER)
		json_write(&text, value);
	if (!text.failed && kube_quantity_parse(strbuf_get(&text), &quantity, &ignored))
		return quantity;
	return (struct kube_quantity){false};
}

static struct kube_requests read_amounts(struct jobs_needs *needs, const struct json *map)
{
	struct kube_requests amounts = {0};

	for (const struct json *e = first(map); e && json_name(e); e = json_next(e)) {
		struct kube_quantity quantity = read_quantity(e);

		if (!strcmp(json_name(e), "cpu")) {
			amounts.cpu_milli = kube_quantity_milli(&quantity);
		} else if (!strcmp(json_name(e), "memory")) {
			amounts.memory_bytes = kube_quantity_ceil(&quantity);
		} else if (kube_resource_is_gpu(json_name(e))) {
			amounts.gpus += kube_quantity_ceil(&quantity);
			needs->gpu_resource = needs->gpu_resource ? needs->gpu_resource : json_name(e);
		}
	}
	return amounts;
}

static bool read_container(struct jobs_needs *needs, const struct json *object, bool is_init,
                           struct err *err)
{
	const struct json *resources = member(object, "resources"), *name = member(object, "name");
	struct jobs_container container = {.name = name ? json_string(name) : "", .is_init = is_init};

	container.requests = read_amounts(needs, member(resources, "requests"));
	container.limits = read_amounts(needs, member(resources, "limits"));
	return (mem_append(&needs->containers, &needs->container_count, &container,
	                   sizeof(container)) ||
	        err_memory(err)) &&
	       read_env(needs, object, err);
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

// Init containers run one after another, before the others, which run together.
static void sum_up(struct jobs_needs *needs)
{
	static const struct kube_requests none = {0};
	struct kube_requests init = {0};
	bool has_no_limit = false;

	for (size_t i = 0; i < needs->container_count; i++) {
		const struct jobs_container *container = &needs->containers[i];
		struct kube_requests own = none;

		kube_requests_add(container->is_init ? &own : &needs->pod, &container->requests,
		                  &container->limits, &has_no_limit);
		init.cpu_milli = larger(init.cpu_milli, own.cpu_milli);
		init.memory_bytes = larger(init.memory_bytes, own.memory_bytes);
		init.gpus = larger(init.gpus, own.gpus);
	}
	needs->pod.cpu_milli = larger(needs->pod.cpu_milli, init.cpu_milli);
	needs->pod.memory_bytes = larger(needs->pod.memory_bytes, init.memory_bytes);
	needs->pod.gpus = larger(needs->pod.gpus, init.gpus);
}

static bool read_pod(struct jobs_needs *needs, const struct json *spec, struct err *err)
{
	if (!add_ref(needs, JOBS_REF_PRIORITY_CLASS, "--priority", member(spec, "priorityClassName"),
	             NULL, err) ||
	    !add_ref(needs, JOBS_REF_RUNTIME_CLASS, "--runtime-class", member(spec, "runtimeClassName"),
	             NULL, err) ||
	    !add_ref(needs, JOBS_REF_ACCOUNT, "--service-account", member(spec, "serviceAccountName"),
	             NULL, err))
		return false;
	for (const struct json *e = first(member(spec, "imagePullSecrets")); e; e = json_next(e))
		if (!add_ref(needs, JOBS_REF_SECRET, "--image-pull-secret", member(e, "name"), NULL, err))
			return false;
	for (const struct json *e = first(member(spec, "volumes")); e; e = json_next(e))
		if (!read_volume(needs, e, err))
			return false;
	for (const struct json *e = first(member(spec, "initContainers")); e; e = json_next(e))
		if (!read_container(needs, e, true, err))
			return false;
	for (const struct json *e = first(member(spec, "containers")); e; e = json_next(e))
		if (!read_container(needs, e, false, err))
			return false;
	sum_up(needs);
	return true;
}

static int64_t count_at(const struct json *spec, const char *name)
{
	const struct json *value = member(spec, name);
	double count = value ? json_number(value) : 1;

	return count > 0 && count < INT32_MAX ? (int64_t)count : 1;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

// Where the pods' spec is in an object that has any, and how many run at once.
static const struct json *find_pod(struct jobs_needs *needs, const struct json *object)
{
	const struct json *kind = member(object, "kind"), *spec = member(object, "spec");
	const char *word = kind ? json_string(kind) : "";

	needs->pods = 1;
	if (!strcmp(word, "Pod"))
		return spec;
	if (!strcmp(word, "CronJob"))
		spec = member(member(spec, "jobTemplate"), "spec");
	if (member(spec, "completions"))
		needs->pods = smaller(count_at(spec, "parallelism"), count_at(spec, "completions"));
	else
		needs->pods = count_at(spec, member(spec, "replicas") ? "replicas" : "parallelism");
	return member(member(spec, "template"), "spec");
}

bool jobs_needs_read(struct jobs_needs *needs, const struct json *object, const char *namespace,
                     struct err *err)
{
	*needs = (struct jobs_needs){.namespace = namespace};
	needs->pod_spec = find_pod(needs, object);
	if (!needs->pod_spec || read_pod(needs, needs->pod_spec, err))
		return true;
	jobs_needs_release(needs);
	return false;
}

void jobs_needs_write_place(const struct jobs_needs *needs, const struct jobs_ref *ref,
                            struct strbuf *out)
{
	if (needs->manifest)
		kube_manifest_write_place(needs->manifest, ref ? ref->value : NULL, out);
	else if (ref && ref->option)
		strbuf_add(out, ref->option);
	else
		return;
	strbuf_add(out, ": ");
}

void jobs_needs_release(struct jobs_needs *needs)
{
	mem_free(needs->refs);
	mem_free(needs->containers);
	*needs = (struct jobs_needs){.refs = NULL};
}
