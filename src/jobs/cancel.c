// SPDX-License-Identifier: MIT
#include "jobs/cancel.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "jobs/missing.h"
#include "jobs/pods_left.h"
#include "jobs/target.h"
#include "kube/create.h"
#include "kube/get.h"

enum { SELECTOR_MAX_BYTES = 64 * 1024 };

// What was deleted, and how its pods are found.
struct cancelling {
	struct kube_client *client;
	const char *namespace;
	struct strv jobs;   // names
	struct strv labels; // selectors of Deployments
	struct strv fields; // selectors of pods
};

// What is waited for later has to be known before the Deployment goes.
static bool note_selector(struct cancelling *cancelling, const struct jobs_target *target,
                          bool *ret_is_missing, struct err *err)
{
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_strbuf_ struct strbuf selector = STRBUF_INIT(SELECTOR_MAX_BYTES);
	_cleanup_json_ struct json *object = NULL;

	if (!kube_get(cancelling->client, &kube_deployments, cancelling->namespace, target->name,
	              &reply, ret_is_missing, err))
		return false;
	object = json_parse(reply.body, reply.body_len, err);
	return object && jobs_selector_write(&selector, object, err) &&
	       strv_add(&cancelling->labels, strbuf_get(&selector), err);
}

static bool note_pod(struct cancelling *cancelling, const char *name, struct err *err)
{
	_cleanup_strbuf_ struct strbuf selector = STRBUF_INIT(SELECTOR_MAX_BYTES);

	strbuf_addf(&selector, "metadata.name=%s", name);
	return strv_take(&cancelling->fields, strbuf_take(&selector, err), err);
}

static bool delete_one(struct cancelling *cancelling, const struct jobs_target *target,
                       struct err *err)
{
	const struct kube_collection *collection = jobs_target_collection(target->kind);
	bool is_missing = false;

	if ((target->kind != JOBS_KIND_DEPLOYMENT ||
	     note_selector(cancelling, target, &is_missing, err)) &&
	    kube_delete(cancelling->client, collection, cancelling->namespace, target->name,
	                &is_missing, err)) {
		if (target->kind == JOBS_KIND_JOB)
			return strv_add(&cancelling->jobs, target->name, err);
		return target->kind != JOBS_KIND_POD || note_pod(cancelling, target->name, err);
	}
	return is_missing ? jobs_missing(cancelling->client, collection, cancelling->namespace,
	                                 target->name, err)
	                  : false;
}

static bool delete_all(struct cancelling *cancelling, const struct strv *words,
                       struct strv *deleted, struct faults *faults, struct err *err)
{
	for (size_t i = 0; i < words->count; i++) {
		_cleanup_strbuf_ struct strbuf shown = STRBUF_INIT(SELECTOR_MAX_BYTES);
		_cleanup_err_ struct err one = ERR_INIT;
		struct jobs_target target;

		if (!jobs_target_parse(words->items[i], &target, err))
			return false;
		if (delete_one(cancelling, &target, &one)) {
			jobs_target_write(&shown, target.kind, target.name);
			if (deleted && !strv_take(deleted, strbuf_take(&shown, err), err))
				return false;
		} else if (one.kind == ERR_REFUSED) {
			faults_take(faults, &one);
		} else {
			return err_copy(err, &one);
		}
	}
	return true;
}

static bool wait_for_all(const struct cancelling *cancelling, int64_t limit_ms, struct err *err)
{
	struct kube_client *client = cancelling->client;
	const char *namespace = cancelling->namespace;

	if (cancelling->jobs.count &&
	    !jobs_wait_for_pods(client, namespace, &cancelling->jobs, false, limit_ms, err))
		return false;
	for (size_t i = 0; i < cancelling->labels.count; i++)
		if (!jobs_wait_for_selected(client, namespace, cancelling->labels.items[i], NULL, false,
		                            limit_ms, err))
			return false;
	for (size_t i = 0; i < cancelling->fields.count; i++)
		if (!jobs_wait_for_selected(client, namespace, NULL, cancelling->fields.items[i], false,
		                            limit_ms, err))
			return false;
	return true;
}

bool jobs_cancel(struct kube_client *client, const char *namespace, const struct strv *words,
                 int64_t limit_ms, struct strv *deleted, struct faults *faults, struct err *err)
{
	struct cancelling cancelling = {client, namespace, STRV_INIT, STRV_INIT, STRV_INIT};
	bool is_ok = delete_all(&cancelling, words, deleted, faults, err) &&
	             (!limit_ms || wait_for_all(&cancelling, limit_ms, err));

	strv_release(&cancelling.jobs);
	strv_release(&cancelling.labels);
	strv_release(&cancelling.fields);
	return is_ok;
}
