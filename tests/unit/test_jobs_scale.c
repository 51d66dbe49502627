// SPDX-License-Identifier: MIT
#include "jobs/scale.h"

#include <string.h>

#include "unit.h"

#define JOB(spec) "{\"spec\":{" spec "}}"
#define INDEXED(completions, parallelism, env)                        \
	JOB("\"completionMode\":\"Indexed\",\"completions\":" completions \
	    ",\"parallelism\":" parallelism                               \
	    ",\"template\":{\"spec\":{\"containers\":[{\"env\":[{\"name\":\"" env "\"}]}]}}")
#define ENDED                                                                                      \
	"{\"spec\":{\"completions\":4},\"status\":{\"conditions\":[{\"type\":\"Complete\",\"status\":" \
	"\"True\"}]}}"

static const struct {
	const char *what, *job;
	int64_t n;
	enum jobs_scale_way way;
	int64_t from;
	const char *text; // of the refusal or the warning; NULL: neither
	bool is_refused;
} cases[] = {
	{"elastic", INDEXED("2", "2", "X"), 4, JOBS_SCALE_WORKERS, 2, NULL, false},
	{"one worker", INDEXED("1", "1", "X"), 3, JOBS_SCALE_WORKERS, 1, NULL, false},
	{"workers that know their number", INDEXED("2", "2", "PET_NNODES"), 4, JOBS_SCALE_WORKERS, 2,
     "its pods were told that they are 2", false},
	{"the same number", INDEXED("2", "2", "PET_NNODES"), 2, JOBS_SCALE_WORKERS, 2, NULL, false},
	{"array", INDEXED("16", "4", "X"), 8, JOBS_SCALE_AT_ONCE, 4, NULL, false},
	{"array, all at once", INDEXED("16", "16", "VPSML_ARRAY_TASK_COUNT"), 8, JOBS_SCALE_AT_ONCE, 16,
     NULL, false},
	{"more than there are", INDEXED("16", "4", "X"), 17, JOBS_SCALE_AT_ONCE, 4,
     "job \"j\" has 16 tasks: at most so many at once", true},
	{"work queue", JOB("\"parallelism\":3"), 5, JOBS_SCALE_AT_ONCE, 3, NULL, false},
	{"one pod", JOB("\"completions\":1,\"parallelism\":1"), 2, JOBS_SCALE_AT_ONCE, 1,
     "job \"j\" is one pod: there is nothing to scale", true},
	{"to nothing", INDEXED("2", "2", "X"), 0, JOBS_SCALE_AT_ONCE, 2,
     "job \"j\" with no pods would wait, or end at once", true},
	{"ended", ENDED, 2, JOBS_SCALE_AT_ONCE, 1, "job \"j\" has ended", true},
};

static void ways_of_jobs(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		_cleanup_faults_ struct faults faults = FAULTS_INIT;
		_cleanup_json_ struct json *job = json_parse(cases[i].job, strlen(cases[i].job), &err);
		struct jobs_scaling scaling;

		print_message("%s\n", cases[i].what);
		assert_non_null(job);
		assert_int_equal(jobs_scale_plan(job, "j", cases[i].n, &scaling, &faults, &err),
		                 !cases[i].is_refused);
		assert_int_equal(scaling.way, cases[i].way);
		assert_int_equal(scaling.from, cases[i].from);
		assert_int_equal(faults.warnings.count, cases[i].text && !cases[i].is_refused);
		if (cases[i].is_refused)
			assert_string_equal(err_message(&err), cases[i].text);
		else if (cases[i].text)
			assert_ptr_equal(strstr(faults.warnings.items[0], cases[i].text),
			                 faults.warnings.items[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ways_of_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
