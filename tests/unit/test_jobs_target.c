// SPDX-License-Identifier: MIT
#include "jobs/target.h"

#include "unit.h"

static const struct {
	const char *text;
	enum jobs_kind kind;
	const char *name; // NULL: refused
	const char *shown;
} cases[] = {
	{"cnn", JOBS_KIND_JOB, "cnn", "job.batch/cnn"},
	{"job/cnn", JOBS_KIND_JOB, "cnn", "job.batch/cnn"},
	{"job.batch/cnn", JOBS_KIND_JOB, "cnn", "job.batch/cnn"},
	{"deploy/web", JOBS_KIND_DEPLOYMENT, "web", "deployment.apps/web"},
	{"deployment.apps/web", JOBS_KIND_DEPLOYMENT, "web", "deployment.apps/web"},
	{"pod/shell", JOBS_KIND_POD, "shell", "pod/shell"},
	{"po/shell", JOBS_KIND_POD, "shell", "pod/shell"},
	{"node/n", JOBS_KIND_JOB, NULL, NULL},
	{"jo/n", JOBS_KIND_JOB, NULL, NULL},
	{"", JOBS_KIND_JOB, NULL, NULL},
	{"job/", JOBS_KIND_JOB, NULL, NULL},
	{"/x", JOBS_KIND_JOB, NULL, NULL},
	{"job/a/b", JOBS_KIND_JOB, NULL, NULL},
};

static void names_with_and_without_a_kind(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		_cleanup_strbuf_ struct strbuf shown = STRBUF_INIT(1024);
		struct jobs_target target;

		print_message("%s\n", cases[i].text);
		assert_int_equal(jobs_target_parse(cases[i].text, &target, &err), cases[i].name != NULL);
		if (!cases[i].name) {
			assert_int_equal(err.kind, ERR_USAGE);
			continue;
		}
		assert_int_equal(target.kind, cases[i].kind);
		assert_string_equal(target.name, cases[i].name);
		jobs_target_write(&shown, target.kind, target.name);
		assert_string_equal(strbuf_get(&shown), cases[i].shown);
	}
}

static void words_are_cut_to_the_names_of_jobs(void **state)
{
	_cleanup_strv_ struct strv words = STRV_INIT;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(strv_split(&words, "a job.batch/b deploy/c", ' ', &err));
	jobs_target_check_jobs(&words, "can be cancelled", &faults);
	assert_string_equal(words.items[0], "a");
	assert_string_equal(words.items[1], "b");
	assert_int_equal(faults.errors.count, 1);
	assert_string_equal(faults.errors.items[0],
	                    "\"deploy/c\" is no Job: only a Job can be cancelled");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_with_and_without_a_kind),
		cmocka_unit_test(words_are_cut_to_the_names_of_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
