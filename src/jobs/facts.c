// SPDX-License-Identifier: MIT
#include "jobs/facts.h"

#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "jobs/questions.h"
#include "kube/discovery.h"
#include "kube/list.h"
#include "kube/object_info.h"

enum { PATH_MAX_BYTES = 8192, WORDS_MAX_BYTES = 2048 };

static const char settings_namespace[] = "kube-system", settings_selector[] = "metadata.name=vpsml";
static const char has_gpu_profile[] = "vpsml.dev/gpu-scheduler=gpu-packing"; // its label then

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static struct jobs_namespace *find_namespace(const struct jobs_facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->namespace_count; i++)
		if (is_same(facts->namespaces[i].name, name))
			return &facts->namespaces[i];
	return NULL;
}

const struct jobs_namespace *jobs_facts_namespace(const struct jobs_facts *facts, const char *name)
{
	return find_namespace(facts, name);
}

const struct jobs_holder *jobs_facts_holder(const struct jobs_facts *facts, const char *namespace,
                                            enum jobs_ref_kind kind, const char *name)
{
	for (size_t i = 0; i < facts->holder_count; i++) {
		const struct jobs_holder *holder = &facts->holders[i];

		if (holder->kind == kind && is_same(holder->namespace, namespace) &&
		    !strcmp(holder->name, name))
			return holder;
	}
	return NULL;
}

static bool want_holder(struct jobs_facts *facts, const struct jobs_needs *needs,
                        const struct jobs_ref *ref, struct err *err)
{
	struct jobs_holder holder = {
		.kind = ref->kind, .namespace = needs->namespace, .name = ref->name};

	return jobs_facts_holder(facts, needs->namespace, ref->kind, ref->name) ||
	       mem_append(&facts->holders, &facts->holder_count, &holder, sizeof(holder)) ||
	       err_memory(err);
}

static struct jobs_namespace *want_namespace(struct jobs_facts *facts, const char *name,
                                             struct err *err)
{
	struct jobs_namespace *old = find_namespace(facts, name);
	struct jobs_namespace fresh = {.name = name};

	if (old)
		return old;
	if (!mem_append(&facts->namespaces, &facts->namespace_count, &fresh, sizeof(fresh))) {
		err_memory(err);
		return NULL;
	}
	return &facts->namespaces[facts->namespace_count - 1];
}

bool jobs_facts_want(struct jobs_facts *facts, const struct jobs_needs *needs, struct err *err)
{
	struct jobs_namespace *namespace;
	struct jobs_fit fit;

	if (!needs->pod_spec)
		return true;
	namespace = want_namespace(facts, needs->namespace, err);
	if (!namespace)
		return false;
	jobs_fit_init(&fit, needs);
	if (!mem_append(&facts->fits, &facts->fit_count, &fit, sizeof(fit)))
		return err_memory(err);
	for (size_t i = 0; i < needs->ref_count; i++) {
		const struct jobs_ref *ref = &needs->refs[i];

		namespace->wants_claims |= ref->kind == JOBS_REF_CLAIM;
		namespace->wants_accounts |= ref->kind == JOBS_REF_ACCOUNT;
		facts->wants_runtimes |= ref->kind == JOBS_REF_RUNTIME_CLASS;
		if ((ref->kind == JOBS_REF_SECRET || ref->kind == JOBS_REF_CONFIG_MAP) &&
		    !want_holder(facts, needs, ref, err))
			return false;
	}
	return true;
}

static bool on_name(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct jobs_names *names = context;
	const struct kube_object_info *object = record;

	(void)change;
	return !object->name || strv_add(&names->list, object->name, err);
}

static bool ask_names(struct jobs_questions *all, const struct kube_collection *collection,
                      const char *namespace, const char *what, struct jobs_names *names,
                      struct err *err)
{
	struct kube_list_options options = {.collection = collection,
	                                    .kind = &kube_object_record,
	                                    .namespace = namespace,
	                                    .on_record = on_name};

	return jobs_ask_list(all, &options, what, &names->is_known, names, err);
}

// Whether the profile that packs GPU pods exists.
static bool ask_settings(struct jobs_names *settings, struct jobs_questions *all, struct err *err)
{
	struct kube_list_options options = {.collection = &kube_config_maps,
	                                    .kind = &kube_object_record,
	                                    .namespace = settings_namespace,
	                                    .label_selector = has_gpu_profile,
	                                    .field_selector = settings_selector,
	                                    .on_record = on_name};

	return jobs_ask_list(all, &options, "settings", &settings->is_known, settings, err);
}

static bool on_node(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct jobs_facts *facts = context;

	(void)change;
	(void)err;
	for (size_t i = 0; i < facts->fit_count; i++)
		jobs_fit_add(&facts->fits[i], record);
	return true;
}

static void forget_nodes(void *context)
{
	struct jobs_facts *facts = context;

	for (size_t i = 0; i < facts->fit_count; i++)
		jobs_fit_forget(&facts->fits[i]);
}

static bool on_quota(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct jobs_namespace *namespace = context;
	struct kube_quota_info *quota = record;

	(void)change;
	if (!mem_append(&namespace->quotas, &namespace->quota_count, quota, sizeof(*quota)))
		return err_memory(err);
	memset(quota, 0, sizeof(*quota));
	return true;
}

static bool on_limits(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct jobs_namespace *namespace = context;
	struct kube_limit_info *limits = record;

	(void)change;
	if (!mem_append(&namespace->limits, &namespace->limit_count, limits, sizeof(*limits)))
		return err_memory(err);
	memset(limits, 0, sizeof(*limits));
	return true;
}

static bool take_namespace(void *context, const struct kube_result *result, struct err *err)
{
	struct jobs_namespace *namespace = context;

	(void)err;
	namespace->is_missing = result->status == 404;
	return true;
}

// Whether it is there at all; every cluster has "default".
static bool ask_existence(struct jobs_questions *all, struct jobs_namespace *namespace,
                          struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf words = STRBUF_INIT(WORDS_MAX_BYTES);

	if (!strcmp(namespace->name, "default"))
		return true;
	kube_path_write(&path, &kube_namespaces, NULL, namespace->name);
	strbuf_addf(&words, "namespace \"%s\"", namespace->name);
	return strbuf_ok(&path, err) &&
	       jobs_ask_path(all, strbuf_get(&path), strbuf_get(&words), take_namespace,
	                     &namespace->is_known, namespace, err);
}

static bool ask_namespace(struct jobs_questions *all, struct jobs_namespace *namespace,
                          struct err *err)
{
	struct kube_list_options quotas = {.collection = &kube_quotas,
	                                   .kind = &kube_quota_record,
	                                   .namespace = namespace->name,
	                                   .on_record = on_quota};
	struct kube_list_options limits = {.collection = &kube_limit_ranges,
	                                   .kind = &kube_limit_record,
	                                   .namespace = namespace->name,
	                                   .on_record = on_limits};

	return ask_existence(all, namespace, err) &&
	       jobs_ask_list(all, &quotas, "quotas", &namespace->has_quotas, namespace, err) &&
	       jobs_ask_list(all, &limits, "limit ranges", &namespace->has_limits, namespace, err) &&
	       (!namespace->wants_claims || ask_names(all, &kube_volume_claims, namespace->name,
	                                              "claims", &namespace->claims, err)) &&
	       (!namespace->wants_accounts || ask_names(all, &kube_service_accounts, namespace->name,
	                                                "service accounts", &namespace->accounts, err));
}

// Keys alone: what they hold is read over.
static bool on_key(void *record, const struct json_pick_event *event, struct err *err)
{
	struct strv *keys = record;

	return event->type == JSON_PICK_CLOSE || strv_add(keys, event->name, err);
}

static void release_keys(void *record)
{
	strv_release(record);
}

static bool keep_keys(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct strv *keys = context, *read = record;

	(void)change;
	(void)err;
	strv_release(keys);
	*keys = *read;
	*read = (struct strv)STRV_INIT;
	return true;
}

static bool take_holder(void *target, const struct kube_result *result, struct err *err)
{
	static const struct kube_field fields[] = {
		{"data.*", KUBE_FIELD_TAKE, 0},
		{"binaryData.*", KUBE_FIELD_TAKE, 0},
	};
	static const struct kube_record_kind kind = {fields, COUNT_OF(fields), sizeof(struct strv),
	                                             on_key, release_keys};
	struct jobs_holder *holder = target;
	_cleanup_kube_record_reader_ struct kube_record_reader *reader = NULL;
	_cleanup_err_ struct err ignored = ERR_INIT;

	holder->is_missing = result->status == 404;
	if (holder->is_missing)
		return true;
	reader = kube_record_reader_new(&kind, KUBE_RECORD_OBJECT, keep_keys, &holder->keys, err);
	if (!reader)
		return false;
	// One that is too large to be read is there all the same.
	holder->has_keys = kube_record_reader_feed(reader, result->body, result->body_len, &ignored) &&
	                   kube_record_reader_finish(reader, &ignored);
	return true;
}

static bool ask_holder(struct jobs_questions *all, struct jobs_holder *holder, struct err *err)
{
	bool is_secret = holder->kind == JOBS_REF_SECRET;
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf words = STRBUF_INIT(WORDS_MAX_BYTES);

	kube_path_write(&path, is_secret ? &kube_secrets : &kube_config_maps, holder->namespace,
	                holder->name);
	strbuf_addf(&words, "%s \"%s\"", is_secret ? "Secret" : "ConfigMap", holder->name);
	return strbuf_ok(&path, err) && jobs_ask_path(all, strbuf_get(&path), strbuf_get(&words),
	                                              take_holder, &holder->is_known, holder, err);
}

// The minor version, as "34" or "34+".
static bool take_version(void *context, const struct kube_result *result, struct err *err)
{
	struct jobs_facts *facts = context;
	_cleanup_json_ struct json *tree = NULL;
	_cleanup_err_ struct err ignored = ERR_INIT;
	const char *minor = NULL;
	char digits[8] = "";
	size_t len;

	if (result->failure)
		return err_copy(err, result->failure);
	tree = json_parse(result->body, result->body_len, err);
	if (!tree)
		return err_wrap(err, "version of the API server");
	if (!json_get_string(tree, "minor", &minor, &ignored))
		return true;
	len = strspn(minor, "0123456789");
	if (!len || len >= sizeof(digits))
		return true;
	memcpy(digits, minor, len);
	if (!parse_i64(digits, 0, 1000, &facts->minor, &ignored))
		facts->minor = INT64_MAX;
	return true;
}

static bool take_autoscaling(void *context, const struct kube_result *result, struct err *err)
{
	struct jobs_facts *facts = context;

	return result->failure ||
	       kube_discovery_parse(result->body, result->body_len, kube_autoscaling_versions,
	                            &facts->autoscaling, err) ||
	       err_wrap(err, "versions of autoscaling");
}

static bool take_metrics(void *context, const struct kube_result *result, struct err *err)
{
	struct jobs_facts *facts = context;

	return result->failure ||
	       kube_discovery_parse(result->body, result->body_len, kube_metrics_versions,
	                            &facts->metrics, err) ||
	       err_wrap(err, "versions of metrics.k8s.io");
}

static bool take_target(void *context, const struct kube_result *result, struct err *err)
{
	struct jobs_target *target = context;

	target->is_missing = result->status == 404;
	if (!target->is_missing)
		target->object = json_parse(result->body, result->body_len, err);
	return target->is_missing || target->object || err_wrap(err, "%s", target->name);
}

// An autoscaler, and what it aims at.
struct scaler {
	char *name, *kind, *target;
};

static const struct kube_field scaler_fields[] = {
	{"metadata.name", KUBE_FIELD_STRING, offsetof(struct scaler, name)},
	{"spec.scaleTargetRef.kind", KUBE_FIELD_STRING, offsetof(struct scaler, kind)},
	{"spec.scaleTargetRef.name", KUBE_FIELD_STRING, offsetof(struct scaler, target)},
};

static void release_scaler(void *record)
{
	struct scaler *scaler = record;

	mem_free(scaler->name);
	mem_free(scaler->kind);
	mem_free(scaler->target);
	*scaler = (struct scaler){NULL};
}

static const struct kube_record_kind scaler_record = {scaler_fields, COUNT_OF(scaler_fields),
                                                      sizeof(struct scaler), NULL, release_scaler};

static bool on_scaler(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct jobs_target *target = context;
	const struct scaler *scaler = record;

	(void)change;
	return !scaler->name || !scaler->kind || !scaler->target ||
	       strcmp(scaler->kind, target->collection->kind) != 0 ||
	       strcmp(scaler->target, target->name) != 0 ||
	       strv_add(&target->scalers.list, scaler->name, err);
}

static bool ask_target(struct jobs_target *target, struct jobs_questions *all, struct err *err)
{
	static const struct kube_collection any_hpas = {"autoscaling/v1", "horizontalpodautoscalers",
	                                                "autoscaler", "HorizontalPodAutoscaler", false};
	struct kube_list_options scalers = {.collection = &any_hpas,
	                                    .kind = &scaler_record,
	                                    .namespace = target->namespace,
	                                    .on_record = on_scaler};
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);

	kube_path_write(&path, target->collection, target->namespace, target->name);
	return strbuf_ok(&path, err) &&
	       jobs_ask_path(all, strbuf_get(&path), target->collection->word, take_target,
	                     &target->is_known, target, err) &&
	       jobs_ask_list(all, &scalers, "autoscalers", &target->scalers.is_known, target, err);
}

static bool ask_cluster(struct jobs_facts *facts, struct jobs_questions *all, struct err *err)
{
	struct kube_list_options nodes = {.collection = &kube_nodes,
	                                  .kind = &kube_node_record,
	                                  .on_record = on_node,
	                                  .on_restart = forget_nodes};

	return jobs_ask_path(all, "/version", "the server's version", take_version, NULL, facts, err) &&
	       (facts->wants_no_nodes || !facts->fit_count ||
	        (jobs_ask_list(all, &nodes, "nodes", &facts->has_nodes, facts, err) &&
	         ask_names(all, &kube_priority_classes, NULL, "priority classes", &facts->classes,
	                   err))) &&
	       (!(facts->wants_gpu_settings || facts->wants_runtimes) ||
	        ask_names(all, &kube_runtime_classes, NULL, "runtime classes", &facts->runtimes,
	                  err)) &&
	       (!facts->wants_gpu_settings || ask_settings(&facts->settings, all, err)) &&
	       (!facts->wants_autoscaling ||
	        (jobs_ask_path(all, "/apis/autoscaling", "versions of autoscaling", take_autoscaling,
	                       NULL, facts, err) &&
	         jobs_ask_path(all, "/apis/metrics.k8s.io", "metrics", take_metrics,
	                       &facts->has_metrics, facts, err)));
}

static bool ask_all(struct jobs_facts *facts, struct jobs_questions *all, struct err *err)
{
	if (!ask_cluster(facts, all, err) ||
	    (facts->target.collection && !ask_target(&facts->target, all, err)))
		return false;
	for (size_t i = 0; i < facts->namespace_count; i++)
		if (!ask_namespace(all, &facts->namespaces[i], err))
			return false;
	for (size_t i = 0; i < facts->holder_count; i++)
		if (!ask_holder(all, &facts->holders[i], err))
			return false;
	return jobs_questions_wait(all, err);
}

bool jobs_facts_ask(struct jobs_facts *facts, struct kube_client *client, struct err *err)
{
	struct jobs_questions all = {
		.client = client, .unchecked = &facts->unchecked, .failure = ERR_INIT};
	bool is_ok;

	facts->minor = INT64_MAX;
	is_ok = ask_all(facts, &all, err);
	jobs_questions_end(&all);
	return is_ok;
}

static void release_namespace(struct jobs_namespace *namespace)
{
	strv_release(&namespace->claims.list);
	strv_release(&namespace->accounts.list);
	for (size_t i = 0; i < namespace->quota_count; i++)
		kube_quota_info_release(&namespace->quotas[i]);
	for (size_t i = 0; i < namespace->limit_count; i++)
		kube_limit_info_release(&namespace->limits[i]);
	mem_free(namespace->quotas);
	mem_free(namespace->limits);
}

void jobs_facts_release(struct jobs_facts *facts)
{
	for (size_t i = 0; i < facts->namespace_count; i++)
		release_namespace(&facts->namespaces[i]);
	for (size_t i = 0; i < facts->holder_count; i++)
		strv_release(&facts->holders[i].keys);
	mem_free(facts->namespaces);
	mem_free(facts->holders);
	mem_free(facts->fits);
	strv_release(&facts->classes.list);
	strv_release(&facts->runtimes.list);
	strv_release(&facts->settings.list);
	strv_release(&facts->target.scalers.list);
	json_free(facts->target.object);
	strv_release(&facts->unchecked);
	*facts = (struct jobs_facts){.minor = INT64_MAX};
}
