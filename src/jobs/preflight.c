// SPDX-License-Identifier: MIT
#include "jobs/preflight.h"

#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/strv.h"
#include "base/text.h"
#include "jobs/fit.h"
#include "kube/list.h"
#include "kube/node_info.h"
#include "kube/object_info.h"
#include "kube/pod.h"

enum { LISTS_MAX_COUNT = 16, NAMES_MAX_COUNT = 256 };

static const char default_class[] = "vpsml-normal";
static const char nvidia_runtime[] = "nvidia";
static const char settings_namespace[] = "kube-system", settings_name[] = "vpsml";
static const char gpu_profile[] = "gpu-packing";
static const char has_gpu_profile[] = "vpsml.dev/gpu-scheduler=gpu-packing"; // its label then

// Names of one kind of object, as far as we may read them.
struct names {
	struct strv list;
	bool is_known; // the server let us read them
};

struct preflight {
	struct kube_workload *workload;
	struct faults *faults;
	struct jobs_fit fit;
	struct names classes, runtimes, claims, accounts, settings;
};

static bool on_node(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct preflight *preflight = context;

	(void)change;
	(void)err;
	jobs_fit_add(&preflight->fit, record);
	return true;
}

static bool on_name(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct names *names = context;
	const struct kube_object_info *object = record;

	(void)change;
	return !object->name || strv_add(&names->list, object->name, err);
}

static struct kube_list_options names_of(const struct kube_collection *collection,
                                         const char *namespace, struct names *names)
{
	return (struct kube_list_options){
		.collection = collection,
		.kind = &kube_object_record,
		.namespace = namespace,
		.is_optional = true,
		.ret_is_whole = &names->is_known,
		.on_record = on_name,
		.context = names,
	};
}

static bool has_claims(const struct kube_workload *workload)
{
	for (size_t i = 0; i < workload->pod.mounts.count; i++)
		if (workload->pod.mounts.items[i].kind == KUBE_MOUNT_CLAIM)
			return true;
	return false;
}

static bool ask(struct kube_client *client, struct preflight *preflight, const char *namespace,
                struct err *err)
{
	const struct kube_workload *workload = preflight->workload;
	struct kube_list_options lists[LISTS_MAX_COUNT];
	size_t count = 0;

	lists[count++] = (struct kube_list_options){.collection = &kube_nodes,
	                                            .kind = &kube_node_record,
	                                            .is_optional = true,
	                                            .on_record = on_node,
	                                            .context = preflight};
	lists[count++] = names_of(&kube_priority_classes, NULL, &preflight->classes);
	if (kube_pod_wants_gpu_nodes(&workload->pod)) {
		lists[count++] = names_of(&kube_runtime_classes, NULL, &preflight->runtimes);
		lists[count] = names_of(&kube_config_maps, settings_namespace, &preflight->settings);
		lists[count].label_selector = has_gpu_profile;
		lists[count++].field_selector = "metadata.name=vpsml";
	}
	if (has_claims(workload))
		lists[count++] = names_of(&kube_volume_claims, namespace, &preflight->claims);
	if (workload->pod.service_account)
		lists[count++] = names_of(&kube_service_accounts, namespace, &preflight->accounts);
	return kube_list_all(client, lists, count, err);
}

// The minor version, as "34" or "34+".
static bool ask_version(struct kube_client *client, struct kube_workload *workload, struct err *err)
{
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_json_ struct json *tree = NULL;
	_cleanup_err_ struct err ignored = ERR_INIT;
	const char *minor = NULL;
	char digits[8] = "";
	size_t len;

	if (!kube_client_call(client, "GET", "/version", NULL, NULL, NULL, &reply, err))
		return false;
	tree = json_parse(reply.body, reply.body_len, err);
	if (!tree)
		return err_wrap(err, "version of the API server");
	if (!json_get_string(tree, "minor", &minor, &ignored))
		return true;
	len = strspn(minor, "0123456789");
	if (len && len < sizeof(digits)) {
		memcpy(digits, minor, len);
		if (!parse_i64(digits, 0, 1000, &workload->server.minor, &ignored))
			return true;
	}
	return true;
}

// A name that is asked for and not there, with the nearest ones that are.
static void check_name(struct preflight *preflight, const char *option, const char *what,
                       const char *name, const struct names *names)
{
	const char *nearest;

	if (!name || !names->is_known || strv_contains(&names->list, name))
		return;
	nearest =
		text_nearest(name, (const char *const *)names->list.items,
	                 names->list.count < NAMES_MAX_COUNT ? names->list.count : NAMES_MAX_COUNT);
	if (nearest)
		faults_add(preflight->faults, "%s: no %s \"%s\": did you mean \"%s\"?", option, what, name,
		           nearest);
	else
		faults_add(preflight->faults, "%s: no %s \"%s\"", option, what, name);
}

static void check_claims(struct preflight *preflight)
{
	const struct kube_mounts *mounts = &preflight->workload->pod.mounts;

	for (size_t i = 0; i < mounts->count; i++)
		if (mounts->items[i].kind == KUBE_MOUNT_CLAIM)
			check_name(preflight, "--data", "claim", mounts->items[i].source, &preflight->claims);
}

static void check_fit(struct preflight *preflight)
{
	_cleanup_strbuf_ struct strbuf why = STRBUF_INIT(1024);

	if (!jobs_fit_explain(&preflight->fit, &why))
		faults_warn(preflight->faults, "%s: it will wait until there is such a node",
		            strbuf_get(&why));
}

static bool set(char **field, const char *value, struct err *err)
{
	mem_free(*field);
	*field = mem_dup(value);
	return *field || err_memory(err);
}

// What the server has, put to use.
static bool adapt(struct preflight *preflight, struct err *err)
{
	struct kube_workload *workload = preflight->workload;
	struct kube_pod *pod = &workload->pod;

	workload->server.has_gpu_label =
		preflight->fit.labelled_count > 0 || !preflight->fit.node_count;
	if (!workload->server.has_gpu_label && pod->resources.gpus)
		faults_warn(preflight->faults,
		            "no node has the label gpu=true: it may run wherever a GPU is; "
		            "\"vpsml setup\" labels the nodes");
	if (strv_contains(&preflight->runtimes.list, nvidia_runtime) &&
	    !set(&workload->server.gpu_runtime_class, nvidia_runtime, err))
		return false;
	if (strv_contains(&preflight->settings.list, settings_name) &&
	    !set(&workload->server.gpu_scheduler, gpu_profile, err))
		return false;
	if (!pod->priority_class && strv_contains(&preflight->classes.list, default_class))
		return set(&pod->priority_class, default_class, err);
	return true;
}

static void release(struct preflight *preflight)
{
	strv_release(&preflight->classes.list);
	strv_release(&preflight->runtimes.list);
	strv_release(&preflight->claims.list);
	strv_release(&preflight->accounts.list);
	strv_release(&preflight->settings.list);
}

bool jobs_preflight(struct kube_client *client, const char *namespace,
                    struct kube_workload *workload, struct faults *faults, struct err *err)
{
	struct preflight preflight = {.workload = workload, .faults = faults};
	bool is_ok;

	jobs_fit_init(&preflight.fit, workload);
	is_ok = ask_version(client, workload, err) && ask(client, &preflight, namespace, err);
	if (is_ok) {
		check_name(&preflight, "--priority", "priority class", workload->pod.priority_class,
		           &preflight.classes);
		check_name(&preflight, "--runtime-class", "runtime class", workload->pod.runtime_class,
		           &preflight.runtimes);
		check_name(&preflight, "--service-account", "service account",
		           workload->pod.service_account, &preflight.accounts);
		check_claims(&preflight);
		check_fit(&preflight);
		is_ok = adapt(&preflight, err);
	}
	release(&preflight);
	return is_ok;
}
