// SPDX-License-Identifier: MIT
#include "kube/permission.h"

#include "unit.h"

static const struct {
	const char *message, *command;
} cases[] = {
	{"jobs.batch is forbidden: User \"jane\" cannot list resource \"jobs\" in API group \"batch\" "
     "in "
     "the namespace \"ml\"",
     "kubectl auth can-i list jobs.batch -n ml"},
	{"pods \"p\" is forbidden: User \"jane\" cannot get resource \"pods/log\" in API group \"\" in "
     "the "
     "namespace \"ml\": RBAC: role.rbac \"x\" not found",
     "kubectl auth can-i get pods --subresource=log -n ml"},
	{"deployments.apps \"web\" is forbidden: User \"jane\" cannot patch resource "
     "\"deployments/scale\" in API group \"apps\" in the namespace \"ml\"",
     "kubectl auth can-i patch deployments.apps --subresource=scale -n ml"},
	{"jobs.batch is forbidden: User \"jane\" cannot list resource \"jobs\" in API group \"batch\" "
     "at "
     "the cluster scope",
     "kubectl auth can-i list jobs.batch -A"},
	{"nodes is forbidden: User \"jane\" cannot list resource \"nodes\" in API group \"\" at the "
     "cluster "
     "scope",
     "kubectl auth can-i list nodes"},
	{"users \"bob\" is forbidden: User \"jane\" cannot impersonate resource \"users\" in API group "
     "\"\" at the cluster scope",
     "kubectl auth can-i impersonate users"},
	// what a server says goes into a command that people copy
	{"User \"x\" cannot list resource \"jobs;reboot\" in API group \"batch\" in the namespace "
     "\"a$(b)\"",
     "kubectl auth can-i list jobs.batch -n a"},
	{"pods \"p\" is forbidden: exceeded quota: q, requested: cpu=2", NULL},
	{"User \"x\" cannot get path \"/version\"", NULL},
	{"", NULL},
};

static void the_command_that_asks(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1024);

		assert_int_equal(kube_permission_write(&text, cases[i].message), cases[i].command != NULL);
		assert_string_equal(strbuf_get(&text), cases[i].command ? cases[i].command : "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_command_that_asks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
