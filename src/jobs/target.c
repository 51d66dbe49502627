// SPDX-License-Identifier: MIT
#include "jobs/target.h"

#include <stddef.h>
#include <string.h>

#include "kube/name.h"

static const struct kind {
	const struct kube_collection *collection;
	const char *shown; // as -o name has it
	const char *words[6];
} kinds[] = {
	[JOBS_KIND_JOB] = {&kube_jobs, "job.batch", {"job", "jobs", "job.batch", "jobs.batch"}},
	[JOBS_KIND_DEPLOYMENT] = {&kube_deployments,
                              "deployment.apps",
                              {"deploy", "deployment", "deployments", "deployment.apps",
                               "deployments.apps"}},
	[JOBS_KIND_POD] = {&kube_pods, "pod", {"pod", "pods", "po"}},
};

static bool find_kind(const char *text, size_t len, enum jobs_kind *ret)
{
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		for (size_t j = 0; j < COUNT_OF(kinds[i].words) && kinds[i].words[j]; j++) {
			const char *word = kinds[i].words[j];

			if (strlen(word) == len && !strncmp(word, text, len)) {
				*ret = (enum jobs_kind)i;
				return true;
			}
		}
	}
	return false;
}

bool jobs_target_parse(const char *text, struct jobs_target *ret, struct err *err)
{
	const char *slash = strchr(text, '/');

	*ret = (struct jobs_target){JOBS_KIND_JOB, slash ? slash + 1 : text};
	if (slash && !find_kind(text, (size_t)(slash - text), &ret->kind))
		return err_set(err, ERR_USAGE,
		               "\"%s\": \"%.*s\" is none of job, deploy and pod: NAME or KIND/NAME", text,
		               (int)(slash - text), text);
	if (kube_name_check_path(ret->name, err))
		return true;
	err_clear(err);
	return err_set(err, ERR_USAGE, "\"%s\" is no name: NAME or KIND/NAME", text);
}

void jobs_target_check_jobs(struct strv *words, const char *does, struct faults *faults)
{
	for (size_t i = 0; i < words->count; i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		struct jobs_target target;
		char *text = words->items[i];

		if (!jobs_target_parse(text, &target, &err))
			faults_take(faults, &err);
		else if (target.kind != JOBS_KIND_JOB)
			faults_add(faults, "\"%s\" is no Job: only a Job %s", text, does);
		else
			memmove(text, target.name, strlen(target.name) + 1);
	}
}

const struct kube_collection *jobs_target_collection(enum jobs_kind kind)
{
	return kinds[kind].collection;
}

void jobs_target_write(struct strbuf *out, enum jobs_kind kind, const char *name)
{
	strbuf_addf(out, "%s/%s", kinds[kind].shown, name);
}
