// SPDX-License-Identifier: MIT
#include "mon/store.h"

#include <string.h>

#include "base/mem.h"
#include "jobs/unschedulable.h"

enum { WHY_MAX_BYTES = 4096 };

// A pod, as far as the load is concerned.
struct store_pod {
	char *namespace, *name, *uid;
	char *node, *job, *user, *reason, *app;
	enum mon_pod_phase phase;
	bool is_terminating, is_oom_killed;
	int64_t oom_ms, exit_code, restarts, priority;
	int64_t created_ms, started_ms, ended_ms;
	struct kube_requests requests;
};

// What was measured on a node.
struct store_load {
	char *node;
	int64_t usage_ms, cpu_milli, memory_bytes; // usage_ms 0: never
	int64_t gpus_ms;
	struct mon_gpu_page page;
	int64_t malformed;
	char *gpu_failure;
};

struct store_failure {
	char *why; // NULL: none
	int64_t since_ms;
};

// Sorted arrays of pointers: objects come sorted from the server, so that adding is cheap.
struct store_list {
	void **items;
	size_t count;
};

struct mon_store {
	struct store_list nodes; // of struct kube_node_info
	struct store_list pods;  // of struct store_pod
	struct store_list loads; // of struct store_load
	struct store_failure failures[MON_STORE_SOURCES];
};

// Compares an item with a key; both are of the list's kind.
typedef int store_compare_fn(const void *item, const void *key);

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_node(const void *item, const void *key)
{
	return compare_text(((const struct kube_node_info *)item)->name,
	                    ((const struct kube_node_info *)key)->name);
}

static int compare_pod(const void *item, const void *key)
{
	const struct store_pod *x = item, *y = key;
	int order = compare_text(x->namespace, y->namespace);

	return order ? order : compare_text(x->name, y->name);
}

static int compare_load(const void *item, const void *key)
{
	return compare_text(((const struct store_load *)item)->node,
	                    ((const struct store_load *)key)->node);
}

static size_t find_place(const struct store_list *list, store_compare_fn *compare, const void *key,
                         bool *ret_found)
{
	size_t low = 0, high = list->count;

	*ret_found = false;
	// The last one first: the server's lists are in order.
	if (high && compare(list->items[high - 1], key) < 0)
		return high;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare(list->items[middle], key);

		if (!order) {
			*ret_found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Makes room for ITEM at PLACE.
static bool insert(struct store_list *list, size_t place, void *item, struct err *err)
{
	if (!mem_append(&list->items, &list->count, &item, sizeof(item)))
		return err_memory(err);
	memmove(&list->items[place + 1], &list->items[place],
	        (list->count - 1 - place) * sizeof(list->items[0]));
	list->items[place] = item;
	return true;
}

static void take_out(struct store_list *list, size_t place)
{
	list->count--;
	memmove(&list->items[place], &list->items[place + 1],
	        (list->count - place) * sizeof(list->items[0]));
}

static void free_node(void *item)
{
	kube_node_info_release(item);
	mem_free(item);
}

static void free_pod(void *item)
{
	struct store_pod *pod = item;

	mem_free(pod->namespace);
	mem_free(pod->name);
	mem_free(pod->uid);
	mem_free(pod->node);
	mem_free(pod->job);
	mem_free(pod->user);
	mem_free(pod->reason);
	mem_free(pod->app);
	mem_free(pod);
}

static void free_load(void *item)
{
	struct store_load *load = item;

	mem_free(load->node);
	mem_free(load->gpu_failure);
	mon_gpu_page_release(&load->page);
	mem_free(load);
}

static void clear(struct store_list *list, void (*free_item)(void *))
{
	for (size_t i = 0; i < list->count; i++)
		free_item(list->items[i]);
	mem_free(list->items);
	*list = (struct store_list){NULL, 0};
}

// Puts ITEM in the place of the one with its key, or anew. It is taken over also on failure.
static bool put(struct store_list *list, store_compare_fn *compare, void *item,
                void (*free_item)(void *), struct err *err)
{
	bool is_there;
	size_t place = find_place(list, compare, item, &is_there);

	if (is_there) {
		free_item(list->items[place]);
		list->items[place] = item;
		return true;
	}
	if (insert(list, place, item, err))
		return true;
	free_item(item);
	return false;
}

static void drop(struct store_list *list, store_compare_fn *compare, const void *key,
                 void (*free_item)(void *))
{
	bool is_there;
	size_t place = find_place(list, compare, key, &is_there);

	if (!is_there)
		return;
	free_item(list->items[place]);
	take_out(list, place);
}

struct mon_store *mon_store_new(struct err *err)
{
	struct mon_store *store = mem_alloc(sizeof(*store));

	if (!store)
		err_memory(err);
	return store;
}

void mon_store_free(struct mon_store *store)
{
	if (!store)
		return;
	clear(&store->nodes, free_node);
	clear(&store->pods, free_pod);
	clear(&store->loads, free_load);
	for (size_t i = 0; i < COUNT_OF(store->failures); i++)
		mem_free(store->failures[i].why);
	mem_free(store);
}

void mon_store_freep(struct mon_store **store)
{
	mon_store_free(*store);
}

bool mon_store_put_node(struct mon_store *store, struct kube_node_info *node, struct err *err)
{
	struct kube_node_info *own = mem_alloc(sizeof(*own));

	if (!own)
		return err_memory(err);
	*own = *node;
	*node = (struct kube_node_info){NULL};
	return put(&store->nodes, compare_node, own, free_node, err);
}

static enum mon_pod_phase phase_of(const struct kube_pod_info *pod)
{
	static const char *const words[] = {"Pending", "Running", "Succeeded", "Failed"};
	static const enum mon_pod_phase phases[] = {MON_POD_PENDING, MON_POD_RUNNING, MON_POD_SUCCEEDED,
	                                            MON_POD_FAILED};

	for (size_t i = 0; pod->phase && i < COUNT_OF(words); i++)
		if (!strcmp(pod->phase, words[i]))
			return phases[i];
	return MON_POD_UNKNOWN;
}

// What its containers say: restarts, the last end, and what they wait for.
static void take_container(struct store_pod *pod, struct kube_container_info *container)
{
	static const char oom[] = "OOMKilled";
	bool has_ended = container->state == KUBE_CONTAINER_TERMINATED;
	const char *reason = container->reason ? container->reason : "";

	pod->restarts += container->restarts;
	if ((has_ended && !strcmp(reason, oom)) ||
	    (container->last_reason && !strcmp(container->last_reason, oom))) {
		pod->is_oom_killed = true;
		pod->oom_ms = has_ended ? container->finished_ms : container->started_ms;
	}
	if (has_ended && !container->is_init) {
		pod->exit_code = container->exit_code;
		if (container->finished_ms > pod->ended_ms)
			pod->ended_ms = container->finished_ms;
	}
	if (!pod->reason && *reason && strcmp(reason, "Completed") != 0)
		pod->reason = TAKE(container->reason);
}

// The scheduler's reason in short; where memory is short, none.
static char *why_unscheduled(const char *message)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(WHY_MAX_BYTES);
	_cleanup_err_ struct err ignored = ERR_INIT;

	if (!message)
		return NULL;
	jobs_unschedulable_write(&text, message);
	return strbuf_take(&text, &ignored);
}

static void fill_pod(struct store_pod *own, struct kube_pod_info *pod)
{
	*own = (struct store_pod){
		.phase = phase_of(pod),
		.is_terminating = pod->deleted_ms != 0,
		.exit_code = -1,
		.priority = pod->priority,
		.created_ms = pod->created_ms,
		.started_ms = pod->started_ms,
		.requests = kube_pod_info_requests(pod),
	};
	own->namespace = TAKE(pod->namespace);
	own->name = TAKE(pod->name);
	own->uid = TAKE(pod->uid);
	own->node = TAKE(pod->node);
	own->job = TAKE(pod->job);
	own->user = TAKE(pod->user);
	own->app = TAKE(pod->app);
	own->reason = why_unscheduled(pod->scheduling_message);
	for (size_t i = 0; i < pod->container_count; i++)
		take_container(own, &pod->containers[i]);
	if (!own->reason)
		own->reason = TAKE(pod->reason);
}

bool mon_store_put_pod(struct mon_store *store, struct kube_pod_info *pod, struct err *err)
{
	struct store_pod *own = mem_alloc(sizeof(*own));

	if (!own)
		return err_memory(err);
	fill_pod(own, pod);
	kube_pod_info_release(pod);
	return put(&store->pods, compare_pod, own, free_pod, err);
}

void mon_store_drop_node(struct mon_store *store, const char *name)
{
	struct kube_node_info key = {.name = (char *)name};

	drop(&store->nodes, compare_node, &key, free_node);
}

void mon_store_drop_pod(struct mon_store *store, const char *namespace, const char *name)
{
	struct store_pod key = {.namespace = (char *)namespace, .name = (char *)name};

	drop(&store->pods, compare_pod, &key, free_pod);
}

void mon_store_clear_nodes(struct mon_store *store)
{
	clear(&store->nodes, free_node);
}

void mon_store_clear_pods(struct mon_store *store)
{
	clear(&store->pods, free_pod);
}

static const struct store_load *find_load(const struct mon_store *store, const char *node)
{
	struct store_load key = {.node = (char *)node};
	bool is_there;
	size_t place = find_place(&store->loads, compare_load, &key, &is_there);

	return is_there ? store->loads.items[place] : NULL;
}

// The load of a node, made where it is not there yet.
static struct store_load *load_of(struct mon_store *store, const char *node, struct err *err)
{
	struct store_load key = {.node = (char *)node}, *load;
	bool is_there;
	size_t place = find_place(&store->loads, compare_load, &key, &is_there);

	if (is_there)
		return store->loads.items[place];
	load = mem_alloc(sizeof(*load));
	if (load)
		load->node = mem_dup(node);
	if (!load || !load->node) {
		mem_free(load);
		err_memory(err);
		return NULL;
	}
	if (insert(&store->loads, place, load, err))
		return load;
	free_load(load);
	return NULL;
}

bool mon_store_put_usage(struct mon_store *store, const char *node, int64_t cpu_milli,
                         int64_t memory_bytes, int64_t at_ms, struct err *err)
{
	struct store_load *load = load_of(store, node, err);

	if (!load)
		return false;
	load->cpu_milli = cpu_milli;
	load->memory_bytes = memory_bytes;
	load->usage_ms = at_ms;
	return true;
}

bool mon_store_put_gpus(struct mon_store *store, const char *node, struct mon_gpu_page *page,
                        int64_t malformed, int64_t at_ms, struct err *err)
{
	struct store_load *load = load_of(store, node, err);

	if (!load)
		return false;
	mon_gpu_page_release(&load->page);
	load->page = *page;
	*page = (struct mon_gpu_page){NULL, 0};
	load->malformed = malformed;
	load->gpus_ms = at_ms;
	mem_free(TAKE(load->gpu_failure));
	return true;
}

static bool replace(char **field, const char *text, struct err *err)
{
	char *copy = text ? mem_dup(text) : NULL;

	if (text && !copy)
		return err_memory(err);
	mem_free(*field);
	*field = copy;
	return true;
}

bool mon_store_fail_gpus(struct mon_store *store, const char *node, const char *why,
                         struct err *err)
{
	struct store_load *load = load_of(store, node, err);

	return load && replace(&load->gpu_failure, why, err);
}

bool mon_store_set_failure(struct mon_store *store, enum mon_store_source source, const char *why,
                           int64_t since_ms, struct err *err)
{
	struct store_failure *failure = &store->failures[source];

	if (!failure->why || !why)
		failure->since_ms = since_ms;
	return replace(&failure->why, why, err);
}

bool mon_store_has_failed(const struct mon_store *store, enum mon_store_source source)
{
	return store->failures[source].why;
}

// By the chart's label, or by the name that the GPU operator and most manifests give it.
static bool is_exporter(const struct store_pod *pod)
{
	static const char name[] = "dcgm-exporter";

	return pod->node && pod->phase == MON_POD_RUNNING && !pod->is_terminating &&
	       ((pod->app && !strcmp(pod->app, name)) || strstr(pod->name, name));
}

bool mon_store_each_exporter(const struct mon_store *store,
                             bool (*visit)(void *context, const char *namespace, const char *pod,
                                           const char *node, struct err *err),
                             void *context, struct err *err)
{
	for (size_t i = 0; i < store->pods.count; i++) {
		const struct store_pod *pod = store->pods.items[i];

		if (pod->name && is_exporter(pod) &&
		    !visit(context, pod->namespace, pod->name, pod->node, err))
			return false;
	}
	return true;
}

bool mon_store_has_gpus(const struct mon_store *store)
{
	for (size_t i = 0; i < store->nodes.count; i++) {
		const struct kube_node_info *node = store->nodes.items[i];

		if (node->is_gpu_node || node->capacity.gpus)
			return true;
	}
	return false;
}

size_t mon_store_node_count(const struct mon_store *store)
{
	return store->nodes.count;
}

size_t mon_store_silent_count(const struct mon_store *store)
{
	size_t count = 0;

	for (size_t i = 0; i < store->nodes.count; i++) {
		const struct kube_node_info *node = store->nodes.items[i];
		const struct store_load *load = find_load(store, node->name);

		count += !load || !load->usage_ms;
	}
	return count;
}

static void pour_usage(const struct store_load *load, struct mon_node *node)
{
	if (!load->usage_ms)
		return;
	mon_value_set(&node->values[MON_NODE_CPU_MILLI], (double)load->cpu_milli, load->usage_ms,
	              MON_SOURCE_API);
	mon_value_set(&node->values[MON_NODE_MEMORY_BYTES], (double)load->memory_bytes, load->usage_ms,
	              MON_SOURCE_API);
}

static void pour_load(const struct store_load *load, struct mon_snapshot *s, struct mon_node *node,
                      int64_t index)
{
	pour_usage(load, node);
	if (load->gpu_failure)
		node->complaint = mon_snapshot_text(s, load->gpu_failure);
	node->malformed = load->malformed;
	if (!load->gpus_ms)
		return;
	node->gpu_source = MON_SOURCE_EXPORTER;
	node->gpu_heard_ms = load->gpus_ms;
	mon_gpu_page_pour(&load->page, s, index, load->gpus_ms);
}

static unsigned int pressure_of(const struct kube_node_info *info)
{
	if (!info->has_pressure || !info->pressure)
		return 0;
	if (!strcmp(info->pressure, "MemoryPressure"))
		return MON_PRESSURE_MEMORY;
	return !strcmp(info->pressure, "DiskPressure") ? MON_PRESSURE_DISK : MON_PRESSURE_PID;
}

static void pour_node(const struct mon_store *store, const struct kube_node_info *info,
                      struct mon_snapshot *s)
{
	const struct store_load *load = find_load(store, info->name);
	int64_t index;
	struct mon_node *node = mon_snapshot_node(s, info->name, &index);

	node->pool = mon_snapshot_text(s, info->gpu_product);
	node->role = info->is_control_plane ? "control-plane" : "";
	node->version = mon_snapshot_text(s, info->kubelet_version);
	node->is_in_api = true;
	node->ready = info->is_ready ? MON_YES : MON_NO;
	node->pressure = pressure_of(info);
	node->is_cordoned = info->is_unschedulable;
	node->cpu_capacity_milli = info->capacity.cpu_milli;
	node->cpu_allocatable_milli = info->allocatable.cpu_milli;
	node->memory_capacity_bytes = info->capacity.memory_bytes;
	node->memory_allocatable_bytes = info->allocatable.memory_bytes;
	if (info->gpu_resource)
		mon_snapshot_add_resource(s, index, info->gpu_resource, info->allocatable.gpus);
	if (load)
		pour_load(load, s, node, index);
}

static void pour_pod(const struct store_pod *own, struct mon_snapshot *s)
{
	struct mon_pod *pod = mon_snapshot_add_pod(s, own->namespace, own->name);

	pod->uid = mon_snapshot_text(s, own->uid);
	pod->node_name = mon_snapshot_text(s, own->node);
	pod->job_name = mon_snapshot_text(s, own->job);
	pod->user = mon_snapshot_text(s, own->user);
	pod->reason = mon_snapshot_text(s, own->reason);
	pod->phase = own->phase;
	pod->is_terminating = own->is_terminating;
	pod->is_oom_killed = own->is_oom_killed;
	pod->oom_ms = own->oom_ms;
	pod->exit_code = own->exit_code;
	pod->restarts = own->restarts;
	pod->priority = own->priority;
	pod->created_ms = own->created_ms;
	pod->started_ms = own->started_ms;
	pod->ended_ms = own->ended_ms;
	pod->gpus = own->requests.gpus;
	pod->cpu_milli = own->requests.cpu_milli;
	pod->memory_bytes = own->requests.memory_bytes;
}

void mon_store_pour(const struct mon_store *store, struct mon_snapshot *s)
{
	for (size_t i = 0; i < store->nodes.count; i++)
		pour_node(store, store->nodes.items[i], s);
	for (size_t i = 0; i < store->pods.count; i++)
		pour_pod(store->pods.items[i], s);
	for (size_t i = 0; i < COUNT_OF(store->failures); i++)
		if (store->failures[i].why)
			mon_snapshot_add_note(s, store->failures[i].why, store->failures[i].since_ms);
}
