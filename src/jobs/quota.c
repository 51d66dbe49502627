// SPDX-License-Identifier: MIT
#include "jobs/quota.h"

#include <inttypes.h>
#include <string.h>

#include "jobs/amount.h"

enum { TEXT_MAX_BYTES = 8192 };

// What a quota may count of a container, and how it is shown.
enum unit { MILLI, BYTES, COUNT };

static const struct counted {
	const char *resource;
	enum unit unit;
	size_t offset; // in struct kube_requests
	bool is_limit;
	bool must_be_given; // by every container
	const char *option;
} counteds[] = {
	{"requests.cpu", MILLI, offsetof(struct kube_requests, cpu_milli), false, true, "--cpu"},
	{"cpu", MILLI, offsetof(struct kube_requests, cpu_milli), false, true, "--cpu"},
	{"requests.memory", BYTES, offsetof(struct kube_requests, memory_bytes), false, true,
     "--memory"},
	{"memory", BYTES, offsetof(struct kube_requests, memory_bytes), false, true, "--memory"},
	{"limits.cpu", MILLI, offsetof(struct kube_requests, cpu_milli), true, true, "--cpu-limit"},
	{"limits.memory", BYTES, offsetof(struct kube_requests, memory_bytes), true, true,
     "--memory-limit"},
};
static const struct counted gpus = {"",    COUNT, offsetof(struct kube_requests, gpus),
                                    false, false, "--gpus"};

static int64_t amount(const struct counted *counted, const struct kube_requests *requests)
{
	return *(const int64_t *)((const char *)requests + counted->offset);
}

static int64_t of_quantity(enum unit unit, const struct kube_quantity *quantity)
{
	return unit == MILLI ? kube_quantity_milli(quantity) : kube_quantity_ceil(quantity);
}

static void write_amount(struct strbuf *out, enum unit unit, int64_t value)
{
	if (unit == MILLI)
		jobs_amount_write_cpus(out, value);
	else if (unit == BYTES)
		jobs_amount_write_bytes(out, value);
	else
		strbuf_addf(out, "%" PRId64, value);
}

// A limit, or a request for which a limit stands where there is none.
static int64_t given(const struct counted *counted, const struct jobs_container *container)
{
	int64_t request = amount(counted, &container->requests);
	int64_t limit = amount(counted, &container->limits);

	return counted->is_limit || !request ? limit : request;
}

// What LIMITS fills in for a container that says nothing; 0: nothing.
static int64_t filled_in(const struct counted *counted, const struct kube_limit_info *limits,
                         size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct kube_container_limits *own =
			counted->unit == MILLI ? &limits[i].cpu : &limits[i].memory;

		if (!counted->is_limit && own->request.is_set)
			return of_quantity(counted->unit, &own->request);
		if (own->limit.is_set)
			return of_quantity(counted->unit, &own->limit);
	}
	return 0;
}

static const struct counted *find(const struct jobs_needs *needs, const char *resource)
{
	static const char requests[] = "requests.";

	for (size_t i = 0; i < COUNT_OF(counteds); i++)
		if (!strcmp(resource, counteds[i].resource))
			return &counteds[i];
	if (needs->gpu_resource && !strncmp(resource, requests, strlen(requests)) &&
	    !strcmp(resource + strlen(requests), needs->gpu_resource))
		return &gpus;
	return NULL;
}

static void warn_missing(const struct jobs_needs *needs, const char *quota, const char *resource,
                         const struct counted *counted, const struct jobs_container *container,
                         struct faults *faults)
{
	_cleanup_strbuf_ struct strbuf place = STRBUF_INIT(TEXT_MAX_BYTES);
	bool is_flag = !needs->manifest;

	jobs_needs_write_place(needs, NULL, &place);
	faults_warn(
		faults,
		"%squota \"%s\" counts %s, and container \"%s\" names none: no pod will be made%s%s",
		strbuf_get(&place), quota, resource, container->name, is_flag ? "; give " : "",
		is_flag ? counted->option : "");
}

// What one pod takes out of the quota; false where it is not told by some container.
static bool sum_pod(const struct jobs_needs *needs, const struct counted *counted,
                    const struct kube_limit_info *limits, size_t count, int64_t *ret,
                    const struct jobs_container **ret_without)
{
	int64_t sum = 0, init = 0;

	for (size_t i = 0; i < needs->container_count; i++) {
		const struct jobs_container *container = &needs->containers[i];
		int64_t own = given(counted, container);

		if (!own && counted->must_be_given)
			own = filled_in(counted, limits, count);
		if (!own && counted->must_be_given) {
			*ret_without = container;
			return false;
		}
		if (!container->is_init)
			sum += own;
		else if (own > init)
			init = own;
	}
	*ret = sum > init ? sum : init;
	return true;
}

// Too large for the quota, for what is left of it, or for all pods at once.
static void warn_amount(const struct jobs_needs *needs, const char *quota,
                        const struct kube_quota_entry *entry, enum unit unit, int64_t pod,
                        struct faults *faults)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);
	int64_t hard = of_quantity(unit, &entry->hard), used = of_quantity(unit, &entry->used);
	int64_t left = hard > used ? hard - used : 0;
	int64_t all = pod < INT64_MAX / needs->pods ? pod * needs->pods : INT64_MAX;

	if (all <= left)
		return;
	jobs_needs_write_place(needs, NULL, &text);
	strbuf_addf(&text, "quota \"%s\" ", quota);
	if (pod > hard) {
		strbuf_add(&text, "allows ");
		write_amount(&text, unit, hard);
		strbuf_addf(&text, " of %s in all, and a pod asks for ", entry->resource);
		write_amount(&text, unit, pod);
		strbuf_add(&text, ": none will ever be made");
	} else {
		strbuf_add(&text, "has ");
		write_amount(&text, unit, left);
		strbuf_addf(&text, " of %s left, and %s ", entry->resource,
		            needs->pods > 1 ? "the pods ask for" : "the pod asks for");
		write_amount(&text, unit, all);
		strbuf_addf(&text, ": %s until others end",
		            needs->pods > 1 && pod <= left ? "some wait" : "it waits");
	}
	faults_warn(faults, "%s", strbuf_get(&text));
}

static void check_entry(const struct jobs_needs *needs, const struct kube_quota_info *quota,
                        const struct kube_quota_entry *entry, const struct kube_limit_info *limits,
                        size_t count, struct faults *faults)
{
	const struct counted *counted = find(needs, entry->resource);
	const struct jobs_container *without = NULL;
	int64_t pod = 1;

	if (!entry->hard.is_set || (!counted && strcmp(entry->resource, "pods") != 0))
		return;
	if (counted && !sum_pod(needs, counted, limits, count, &pod, &without))
		warn_missing(needs, quota->name, entry->resource, counted, without, faults);
	else
		warn_amount(needs, quota->name, entry, counted ? counted->unit : COUNT, pod, faults);
}

void jobs_quota_check(const struct jobs_needs *needs, const struct kube_quota_info *quota,
                      const struct kube_limit_info *limits, size_t count, struct faults *faults)
{
	if (quota->has_scopes || !quota->name)
		return;
	for (size_t i = 0; i < quota->count; i++)
		check_entry(needs, quota, &quota->entries[i], limits, count, faults);
}

static void check_bounds(const struct jobs_needs *needs, const struct kube_limit_info *limits,
                         const struct jobs_container *container, const struct counted *request,
                         const struct counted *limit, const struct kube_container_limits *bounds,
                         struct faults *faults)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);
	int64_t most = amount(limit, &container->limits), least = given(request, container);
	int64_t max = of_quantity(request->unit, &bounds->max);
	int64_t min = of_quantity(request->unit, &bounds->min);
	bool is_over = bounds->max.is_set && (most > max || least > max);
	bool is_under = bounds->min.is_set && least && least < min;

	if (!is_over && !is_under)
		return;
	jobs_needs_write_place(needs, NULL, &text);
	strbuf_addf(&text, "limit range \"%s\" allows a container %s ",
	            limits->name ? limits->name : "", is_over ? "at most" : "at least");
	write_amount(&text, request->unit, is_over ? max : min);
	strbuf_addf(&text, " of %s, and \"%s\" asks for ", request->unit == MILLI ? "cpu" : "memory",
	            container->name);
	write_amount(&text, request->unit, is_over && most > max ? most : least);
	faults_warn(faults, "%s: no pod will be made", strbuf_get(&text));
}

void jobs_limits_check(const struct jobs_needs *needs, const struct kube_limit_info *limits,
                       struct faults *faults)
{
	for (size_t i = 0; i < needs->container_count; i++) {
		const struct jobs_container *container = &needs->containers[i];

		check_bounds(needs, limits, container, &counteds[0], &counteds[4], &limits->cpu, faults);
		check_bounds(needs, limits, container, &counteds[2], &counteds[5], &limits->memory, faults);
	}
}
