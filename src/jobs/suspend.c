// SPDX-License-Identifier: MIT
#include "jobs/suspend.h"

#include "base/json_build.h"
#include "jobs/missing.h"
#include "jobs/state.h"
#include "kube/create.h"
#include "kube/get.h"

// Why it cannot be suspended or resumed; true where it can.
static bool check(const struct kube_job_info *job, const char *name, struct err *err)
{
	if (job->deleted_ms)
		return err_set(err, ERR_REFUSED, "job \"%s\" is being deleted", name);
	if (job->is_complete || job->is_failed)
		return err_set(err, ERR_REFUSED, "job \"%s\" has %s: only one that has not ended can wait",
		               name, job->is_complete ? "succeeded" : "failed");
	if (!job->queue)
		return true;
	err_set(err, ERR_REFUSED, "job \"%s\" is in queue \"%s\": Kueue suspends and resumes it", name,
	        job->queue);
	return err_hint(err, "\"kueuectl stop workload\" and \"resume workload\" do it through Kueue");
}

static bool patch(struct kube_client *client, const char *namespace, const char *name,
                  bool is_suspended, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_object(&b, NULL);
	json_build_open_object(&b, "spec");
	json_put_bool(&b, "suspend", is_suspended);
	json_build_close(&b);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	return tree && kube_patch(client, &kube_jobs, namespace, name, tree, NULL, err);
}

bool jobs_suspend(struct kube_client *client, const char *namespace, const char *name,
                  bool is_suspended, bool *ret_changed, struct err *err)
{
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	struct kube_job_info job = {NULL};
	bool is_missing, is_ok;

	*ret_changed = false;
	if (!kube_get(client, &kube_jobs, namespace, name, &reply, &is_missing, err))
		return is_missing ? jobs_missing(client, &kube_jobs, namespace, name, err) : false;
	is_ok = kube_record_read(&kube_job_record, reply.body, reply.body_len, &job, err) &&
	        check(&job, name, err);
	*ret_changed = is_ok && job.is_suspended != is_suspended;
	kube_job_info_release(&job);
	return is_ok && (!*ret_changed || patch(client, namespace, name, is_suspended, err));
}
