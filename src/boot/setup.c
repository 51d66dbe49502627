// SPDX-License-Identifier: MIT
#include "boot/setup.h"

#include <string.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "base/text.h"
#include "boot/addon_build.h"
#include "boot/node_change.h"
#include "boot/objects.h"
#include "kube/affinity.h"
#include "kube/list.h"
#include "kube/node_info.h"
#include "kube/priority.h"

enum { PATH_MAX_BYTES = 4096, CONTENT_MAX_BYTES = 1024 * 1024, MAX_TRIES = 5 };

static const char nvidia[] = "nvidia.com/", nvidia_class[] = "nvidia";

// A node, as far as it matters here.
struct node {
	char *name, *resource; // resource: NULL where it offers no GPUs
	bool is_gpu;
	bool takes_others; // pods that tolerate nothing
};

struct cluster {
	const struct boot_setup *setup;
	struct node *nodes;
	size_t count;
	bool lacks_runtime; // a GPU node says that it has no runtime nvidia
};

static bool on_node(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct cluster *cluster = context;
	struct kube_node_info *info = record;
	const struct strv *named = cluster->setup->gpu_nodes;
	bool has_gpus = info->allocatable.gpus > 0 || info->capacity.gpus > 0;
	struct node node = {.is_gpu =
	                        has_gpus || (named && info->name && strv_contains(named, info->name)),
	                    .takes_others = !info->has_hard_taint && !info->is_unschedulable};

	(void)change;
	if (!info->name)
		return true;
	node.name = TAKE(info->name);
	node.resource = has_gpus ? TAKE(info->gpu_resource) : NULL;
	if (mem_append(&cluster->nodes, &cluster->count, &node, sizeof(node)))
		return true;
	mem_free(node.name);
	mem_free(node.resource);
	return err_memory(err);
}

static void release_nodes(struct cluster *cluster)
{
	for (size_t i = 0; i < cluster->count; i++) {
		mem_free(cluster->nodes[i].name);
		mem_free(cluster->nodes[i].resource);
	}
	mem_free(TAKE(cluster->nodes));
	cluster->count = 0;
}

static void restart(void *context)
{
	release_nodes(context);
}

static void check_named(const struct cluster *cluster, const char *name, struct faults *faults)
{
	_cleanup_free_ const char **names = mem_alloc((cluster->count + 1) * sizeof(*names));
	const char *nearest;

	for (size_t i = 0; names && i < cluster->count; i++) {
		names[i] = cluster->nodes[i].name;
		if (!strcmp(names[i], name))
			return;
	}
	nearest = names ? text_nearest(name, names, cluster->count) : NULL;
	if (nearest)
		faults_add(faults, "no node \"%s\": did you mean \"%s\"?", name, nearest);
	else
		faults_add(faults, "no node \"%s\"", name);
}

static bool check(const struct cluster *cluster, struct faults *faults)
{
	const struct boot_setup *setup = cluster->setup;
	size_t errors = faults->errors.count, gpu_count = 0, other_count = 0;

	for (size_t i = 0; setup->gpu_nodes && i < setup->gpu_nodes->count; i++)
		check_named(cluster, setup->gpu_nodes->items[i], faults);
	for (size_t i = 0; i < cluster->count; i++) {
		gpu_count += cluster->nodes[i].is_gpu;
		other_count += !cluster->nodes[i].is_gpu && cluster->nodes[i].takes_others;
	}
	if (!gpu_count)
		faults_warn(faults, "no node offers GPUs: name those that will with --gpu-node");
	else if (setup->taint_effect && !strcmp(setup->taint_effect, "NoSchedule") && !other_count)
		faults_add(faults, "NoSchedule on all GPU nodes would leave no node for other pods, the "
		                   "cluster's own among them: use PreferNoSchedule");
	return faults->errors.count == errors && !faults->is_out_of_memory;
}

// The runtimes that a node has, where its kubelet tells (from Kubernetes 1.31 and containerd 2).
static void look_at_runtimes(struct cluster *cluster, const struct json *node)
{
	const struct json *handlers = json_find(node, "status.runtimeHandlers");
	bool has_any = false, has_nvidia = false;

	for (const struct json *one = handlers ? json_first(handlers) : NULL; one;
	     one = json_next(one)) {
		const struct json *name = json_find(one, "name");

		has_any |= name && *json_string(name);
		has_nvidia |= name && !strcmp(json_string(name), nvidia_class);
	}
	cluster->lacks_runtime |= has_any && !has_nvidia;
}

static struct boot_node_wants wants_of(const struct cluster *cluster, const struct node *node)
{
	static const struct boot_pair labels[] = {
		{(char *)KUBE_GPU_NODE_LABEL, (char *)KUBE_GPU_NODE_VALUE},
		{(char *)"nvidia.com/gpu.present", (char *)"true"},
	};
	const struct boot_setup *setup = cluster->setup;
	const char *resource = node->resource ? node->resource : setup->gpu_resource;
	bool is_nvidia = !strncmp(resource, nvidia, strlen(nvidia));

	return (struct boot_node_wants){.labels = labels,
	                                .label_count = is_nvidia ? 2 : 1,
	                                .taint_key = setup->taint_effect ? resource : NULL,
	                                .taint_effect = setup->taint_effect};
}

// One look and one patch. *ret_again: somebody else was faster.
static bool change_once(struct cluster *cluster, const struct node *node, const char *path,
                        struct strbuf *words, bool *ret_again, struct err *err)
{
	_cleanup_strbuf_ struct strbuf content = STRBUF_INIT(CONTENT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf query = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_kube_reply_ struct kube_reply seen = {0}, reply = {0};
	_cleanup_json_ struct json *tree = NULL, *patch = NULL;
	_cleanup_err_ struct err failure = ERR_INIT;
	struct boot_node_wants wants = wants_of(cluster, node);

	*ret_again = false;
	strbuf_clear(words);
	if (!kube_client_call(cluster->setup->client, "GET", path, NULL, NULL, NULL, &seen, err))
		return false;
	tree = json_parse(seen.body, seen.body_len, err);
	if (!tree || !boot_node_change(tree, &wants, &patch, words, err))
		return false;
	look_at_runtimes(cluster, tree);
	if (!patch)
		return true;
	strbuf_add(&query, path);
	kube_query_add(&query, "fieldManager", "vpsml");
	if (cluster->setup->is_dry_run)
		kube_query_add(&query, "dryRun", "All");
	json_write(&content, patch);
	if (!strbuf_ok(&content, err) || !strbuf_ok(&query, err))
		return false;
	if (kube_client_call(cluster->setup->client, "PATCH", strbuf_get(&query),
	                     "application/merge-patch+json", strbuf_get(&content), NULL, &reply,
	                     &failure))
		return true;
	*ret_again = reply.status == 409;
	return *ret_again || err_copy(err, &failure);
}

static void tell(const struct boot_setup *setup, const char *object,
                 enum kube_apply_outcome outcome, const char *detail)
{
	if (setup->on_object)
		setup->on_object(setup->context, object, outcome, detail);
}

static bool change_node(struct cluster *cluster, const struct node *node, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf words = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf object = STRBUF_INIT(PATH_MAX_BYTES);
	bool is_again = true;

	kube_path_write(&path, &kube_nodes, NULL, node->name);
	strbuf_addf(&object, "node/%s", node->name);
	if (!strbuf_ok(&path, err) || !strbuf_ok(&object, err))
		return false;
	for (int tries = 0; is_again && tries < MAX_TRIES; tries++)
		if (!change_once(cluster, node, strbuf_get(&path), &words, &is_again, err))
			return err_wrap(err, "node \"%s\"", node->name);
	if (is_again)
		return err_set(err, ERR_FAILED, "node \"%s\" changes faster than it can be labelled",
		               node->name);
	tell(cluster->setup, strbuf_get(&object), words.len ? KUBE_APPLY_CHANGED : KUBE_APPLY_UNCHANGED,
	     words.len ? strbuf_get(&words) : NULL);
	return true;
}

static struct json *build_runtime_class(struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(&b, "node.k8s.io/v1", "RuntimeClass", NULL, nvidia_class, NULL);
	json_put_string(&b, "handler", nvidia_class);
	json_build_close(&b);
	return json_build_take(&b, err);
}

static struct json *build_settings(const struct boot_setup *setup, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(&b, "v1", "ConfigMap", "kube-system", "vpsml", NULL);
	json_build_open_object(&b, "data");
	json_put_string(&b, "gpu-resource", setup->gpu_resource);
	if (setup->taint_effect)
		json_put_string(&b, "gpu-taint", setup->taint_effect);
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

static bool build_objects(const struct cluster *cluster, struct boot_objects *objects,
                          struct err *err)
{
	const struct boot_setup *setup = cluster->setup;

	for (size_t i = 0; i < kube_priority_default_count; i++)
		if (!boot_objects_take(objects, &kube_priority_classes,
		                       kube_priority_build(&kube_priority_defaults[i], err), err))
			return false;
	if (!boot_objects_take(objects, &kube_config_maps, build_settings(setup, err), err))
		return false;
	for (size_t i = 0; i < objects->count; i++)
		objects->items[i].takes_over = true;
	return !setup->has_runtime_class || cluster->lacks_runtime ||
	       boot_objects_take(objects, &kube_runtime_classes, build_runtime_class(err), err);
}

static void on_applied(void *context, const struct boot_object *object,
                       enum kube_apply_outcome outcome)
{
	static const char *const kinds[][2] = {
		{"PriorityClass", "priorityclass.scheduling.k8s.io"},
		{"RuntimeClass", "runtimeclass.node.k8s.io"},
		{"ConfigMap", "configmap"},
	};
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(1024);
	const char *kind = boot_object_kind(object);

	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		if (!strcmp(kind, kinds[i][0]))
			kind = kinds[i][1];
	strbuf_addf(&name, "%s/%s", kind, boot_object_name(object));
	tell(context, strbuf_get(&name), outcome, NULL);
}

static bool make_objects(const struct cluster *cluster, struct faults *faults, struct err *err)
{
	const struct boot_setup *setup = cluster->setup;
	_cleanup_boot_objects_ struct boot_objects objects = BOOT_OBJECTS_INIT;
	struct boot_apply apply = {.client = setup->client,
	                           .is_dry_run = setup->is_dry_run,
	                           .on_object = on_applied,
	                           .context = (void *)setup};

	if (setup->has_runtime_class && cluster->lacks_runtime)
		faults_warn(faults, "a GPU node has no container runtime \"nvidia\": the runtime class is "
		                    "left out, since pods that name it would not start");
	return build_objects(cluster, &objects, err) && boot_objects_apply(&objects, &apply, err);
}

bool boot_setup(const struct boot_setup *setup, struct faults *faults, struct err *err)
{
	_cleanup_(release_nodes) struct cluster cluster = {.setup = setup};
	struct kube_list_options nodes = {.collection = &kube_nodes,
	                                  .kind = &kube_node_record,
	                                  .on_record = on_node,
	                                  .on_restart = restart,
	                                  .context = &cluster};

	if (!kube_list_all(setup->client, &nodes, 1, err) || !check(&cluster, faults))
		return false;
	for (size_t i = 0; i < cluster.count; i++)
		if (cluster.nodes[i].is_gpu && !change_node(&cluster, &cluster.nodes[i], err))
			return false;
	return make_objects(&cluster, faults, err);
}
