// SPDX-License-Identifier: MIT
#include "jobs/cancel.h"

#include "jobs/missing.h"
#include "jobs/pods_left.h"
#include "kube/create.h"

bool jobs_cancel(struct kube_client *client, const char *namespace, const struct strv *names,
                 int64_t limit_ms, struct strv *deleted, struct faults *faults, struct err *err)
{
	_cleanup_strv_ struct strv own = STRV_INIT;
	struct strv *done = deleted ? deleted : &own;

	for (size_t i = 0; i < names->count; i++) {
		_cleanup_err_ struct err one = ERR_INIT;
		bool is_missing;

		if (kube_delete(client, &kube_jobs, namespace, names->items[i], &is_missing, &one)) {
			if (!strv_add(done, names->items[i], err))
				return false;
			continue;
		}
		if (is_missing)
			jobs_missing(client, &kube_jobs, namespace, names->items[i], &one);
		if (one.kind == ERR_REFUSED) {
			faults_take(faults, &one);
		} else {
			err_copy(err, &one);
			return false;
		}
	}
	return !limit_ms || !done->count ||
	       jobs_wait_for_pods(client, namespace, done, false, limit_ms, err);
}
