// SPDX-License-Identifier: MIT
#include "jobs/listing.h"

#include <string.h>

#include "unit.h"

static void add_job(struct jobs_listing *listing, const char *name, int64_t created_ms,
                    const char *user)
{
	struct kube_job_info job = {.name = mem_dup(name),
	                            .namespace = mem_dup("ml"),
	                            .uid = mem_dup(name),
	                            .user = mem_dup(user),
	                            .created_ms = created_ms,
	                            .parallelism = 2,
	                            .requests = {.gpus = created_ms % 5}};
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(jobs_listing_take(listing, &job, &err));
	assert_null(job.name);
}

static void fill(struct jobs_listing *listing)
{
	*listing = (struct jobs_listing){NULL, 0, false};
	add_job(listing, "c", 1001, "ann");
	add_job(listing, "a", 1003, "bob");
	add_job(listing, "b", 1002, "ann");
}

static void check_order(const struct jobs_listing *listing, const char *names)
{
	assert_int_equal(listing->count, strlen(names));
	for (size_t i = 0; i < listing->count; i++)
		assert_int_equal(listing->items[i].job.name[0], names[i]);
}

static void pods_find_their_job(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct jobs_listing listing;
	struct kube_pod_info pod = {.name = (char *)"p",
	                            .namespace = (char *)"ml",
	                            .job = (char *)"b",
	                            .owner_uid = (char *)"b",
	                            .phase = (char *)"Running",
	                            .node = (char *)"n1"};
	struct kube_pod_info old = pod, stranger = pod;

	(void)state;
	old.owner_uid = (char *)"an earlier job of that name";
	stranger.namespace = (char *)"other";
	fill(&listing);
	assert_true(jobs_listing_add_pod(&listing, &pod, &err));
	assert_true(jobs_listing_add_pod(&listing, &old, &err));
	assert_true(jobs_listing_add_pod(&listing, &stranger, &err));
	assert_int_equal(jobs_listing_find(&listing, "ml", "b")->outcome.running, 1);
	assert_int_equal(jobs_listing_find(&listing, "ml", "a")->outcome.running, 0);
	assert_null(jobs_listing_find(&listing, "ml", "d"));
	jobs_listing_release(&listing);
}

static void orders(void **state)
{
	struct jobs_listing listing;

	(void)state;
	fill(&listing);
	jobs_listing_sort(&listing, JOBS_BY_AGE, 5000);
	check_order(&listing, "abc");
	jobs_listing_sort(&listing, JOBS_BY_GPUS, 5000);
	check_order(&listing, "abc");
	jobs_listing_sort(&listing, JOBS_BY_NAME, 5000);
	check_order(&listing, "abc");
	jobs_listing_sort(&listing, JOBS_BY_WAIT, 900000);
	check_order(&listing, "abc"); // all the same second: by name
	assert_int_equal(jobs_item_gpus(&listing.items[0]), 6);
	jobs_listing_release(&listing);
}

static void filters(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct jobs_states states = {.is_set = false};
	struct jobs_listing listing;

	(void)state;
	fill(&listing);
	jobs_listing_find(&listing, "ml", "a")->job.is_suspended = true;
	assert_true(jobs_states_parse(&states, "pending,running", &err));
	assert_false(jobs_states_parse(&states, "pendng", &err));
	jobs_listing_filter(&listing, &states, NULL);
	check_order(&listing, "bc");
	jobs_listing_filter(&listing, &states, "bob");
	check_order(&listing, "");
	jobs_listing_release(&listing);
}

static void the_last_failure_to_create_is_kept(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct jobs_listing listing;
	struct kube_event_info event = {.namespace = (char *)"ml",
	                                .object_kind = (char *)"Job",
	                                .object_name = (char *)"a",
	                                .object_uid = (char *)"a",
	                                .reason = (char *)"FailedCreate",
	                                .message = (char *)"exceeded quota",
	                                .last_ms = 20};
	struct kube_event_info older = event;

	(void)state;
	older.message = (char *)"older";
	older.last_ms = 10;
	fill(&listing);
	assert_true(jobs_listing_add_event(&listing, &event, &err));
	assert_true(jobs_listing_add_event(&listing, &older, &err));
	assert_string_equal(jobs_listing_find(&listing, "ml", "a")->create_failure, "exceeded quota");
	assert_null(jobs_listing_find(&listing, "ml", "b")->create_failure);
	jobs_listing_release(&listing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pods_find_their_job),
		cmocka_unit_test(orders),
		cmocka_unit_test(filters),
		cmocka_unit_test(the_last_failure_to_create_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
