// SPDX-License-Identifier: MIT
#include "jobs/unschedulable.h"

#include "unit.h"

static const struct {
	const char *message, *brief;
} cases[] = {
	{"0/5 nodes are available: 3 Insufficient nvidia.com/gpu, 2 node(s) had untolerated taint "
     "{node-role.kubernetes.io/control-plane: }. preemption: 0/5 nodes are available: 5 Preemption "
     "is not helpful for scheduling.",
     "3 of 5 nodes: no free nvidia.com/gpu; 2: taint "
     "{node-role.kubernetes.io/control-plane: }"},
	{"0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 node(s) had "
     "untolerated "
     "taint(s). no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is "
     "not helpful for "
     "scheduling.",
     "1 of 3 nodes: wrong labels; 2: taint"},
	{"0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.",
     "1 of 1 nodes: no free cpu; 1: no free memory"},
	{"0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. preemption: x",
     "2 of 2 nodes: wrong labels"},
	{"0/1000 nodes are available: 12 Something new, 988 node(s) were unschedulable.",
     "12 of 1000 nodes: Something new; 988: cordoned"},
	{"no nodes available to schedule pods", "no nodes available to schedule pods"},
	{"first. second.", "first"},
	{"0/3 nodes are available: ", ""},
	{"", ""},
};

static void messages_in_short(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);

		jobs_unschedulable_write(&out, cases[i].message);
		assert_string_equal(strbuf_get(&out), cases[i].brief);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_in_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
