// SPDX-License-Identifier: MIT
#include "jobs/submit.h"

#include <string.h>

#include "base/digest.h"
#include "base/mem.h"
#include "base/secret.h"
#include "kube/collection.h"
#include "kube/deployment.h"
#include "kube/job.h"
#include "kube/name.h"
#include "kube/pod.h"
#include "kube/service.h"

enum { REQUEST_ID_BYTES = 16, SUFFIX_CHARS = 5 };

bool jobs_make_request_id(char **ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(256);
	unsigned char random[REQUEST_ID_BYTES];

	if (!secret_random(random, sizeof(random), err))
		return false;
	digest_add_hex(&text, random, sizeof(random));
	mem_free(*ret);
	*ret = strbuf_take(&text, err);
	return *ret;
}

bool jobs_mark(struct kube_workload *workload, const char *user, struct err *err)
{
	_cleanup_err_ struct err ignored = ERR_INIT;

	if (!jobs_make_request_id(&workload->request_id, err))
		return false;
	if (!user || !*user || !kube_name_check_label_value(user, &ignored))
		return true;
	mem_free(workload->user);
	workload->user = mem_dup(user);
	return workload->user || err_memory(err);
}

bool jobs_make_name(const char *prefix, char **ret, struct err *err)
{
	// Without vowels, so that no words come out; as the API server does it.
	static const char letters[] = "bcdfghjklmnpqrstvwxz2456789";
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(4096);
	unsigned char random[SUFFIX_CHARS];

	if (!secret_random(random, sizeof(random), err))
		return false;
	strbuf_add(&name, prefix);
	for (size_t i = 0; i < sizeof(random); i++)
		strbuf_add_char(&name, letters[random[i] % strlen(letters)]);
	mem_free(*ret);
	*ret = strbuf_take(&name, err);
	return *ret;
}

bool jobs_extend_name(struct kube_workload *workload, struct err *err)
{
	_cleanup_strbuf_ struct strbuf prefix = STRBUF_INIT(4096);

	strbuf_addf(&prefix, "%s-", workload->name ? workload->name : "");
	return strbuf_ok(&prefix, err) && jobs_make_name(strbuf_get(&prefix), &workload->name, err);
}

static const struct kube_collection *collection_of(const struct kube_workload *workload)
{
	switch (workload->kind) {
	case KUBE_WORKLOAD_JOB:
		return &kube_jobs;
	case KUBE_WORKLOAD_POD:
		return &kube_pods;
	case KUBE_WORKLOAD_DEPLOYMENT:
		break;
	}
	return &kube_deployments;
}

static bool create(struct kube_client *client, const struct kube_collection *collection,
                   const char *namespace, const struct kube_workload *workload,
                   const struct json *object, const struct jobs_submission *submission,
                   struct kube_object_info *ret, struct err *err)
{
	struct kube_create_options options = {.is_dry_run = submission->is_dry_run,
	                                      .replaces = submission->replaces,
	                                      .request_id = workload->request_id,
	                                      .flag_of = submission->flag_of};
	char *answer = NULL;

	switch (kube_create(client, collection, namespace, object, &options, ret,
	                    submission->answers ? &answer : NULL, err)) {
	case KUBE_CREATE_DONE:
		return !answer || strv_take(submission->answers, answer, err);
	case KUBE_CREATE_EXISTS:
		return err_hint(err, "--replace takes its place; --name-prefix makes a new name each time");
	case KUBE_CREATE_FAILED:
		break;
	}
	return false;
}

// The second object: made anew, now that the owner is known.
static bool create_companion(struct kube_client *client, const char *namespace,
                             struct kube_workload *workload, const struct json *built,
                             const struct jobs_submission *submission, struct err *err)
{
	struct kube_collection hpas;
	const struct kube_collection *collection = workload->kind == KUBE_WORKLOAD_JOB
	                                               ? &kube_services
	                                               : kube_hpa_collection(&workload->hpa, &hpas);
	_cleanup_json_ struct json *service = NULL;
	struct kube_object_info made = {NULL};
	bool is_ok;

	if (workload->kind == KUBE_WORKLOAD_JOB && !submission->is_dry_run) {
		service = kube_service_build(workload, err);
		if (!service)
			return false;
		built = service;
	}
	is_ok = create(client, collection, namespace, workload, built, submission, &made, err);
	kube_object_info_release(&made);
	return is_ok;
}

static bool submit_objects(struct kube_client *client, const char *namespace,
                           struct kube_workload *workload, const struct kube_objects *objects,
                           const struct jobs_submission *submission, struct err *err)
{
	const struct kube_collection *collection = collection_of(workload);
	struct kube_object_info made = {NULL};
	bool is_missing, is_ok;

	if (!create(client, collection, namespace, workload, objects->items[0], submission, &made,
	            err)) {
		kube_object_info_release(&made);
		return false;
	}
	mem_free(workload->owner_uid);
	workload->owner_uid = TAKE(made.uid);
	kube_object_info_release(&made);
	if (objects->count == 1)
		return true;
	is_ok = create_companion(client, namespace, workload, objects->items[1], submission, err);
	if (!is_ok && !submission->is_dry_run) {
		_cleanup_err_ struct err ignored = ERR_INIT;

		// Never half a result.
		if (!kube_delete(client, collection, namespace, workload->name, &is_missing, &ignored))
			err_wrap(err, "%s \"%s\" was made and could not be taken back", collection->word,
			         workload->name);
	}
	return is_ok;
}

bool jobs_submit(struct kube_client *client, const char *namespace, struct kube_workload *workload,
                 const struct jobs_submission *submission, struct err *err)
{
	struct kube_objects objects;
	bool is_ok;

	if (!kube_workload_build(workload, &objects, err))
		return false;
	is_ok = submit_objects(client, namespace, workload, &objects, submission, err);
	kube_objects_release(&objects);
	return is_ok;
}
