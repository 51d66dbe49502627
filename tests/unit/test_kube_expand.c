// SPDX-License-Identifier: MIT
#include "kube/expand.h"

#include "table.h"

static void check_row(struct table_row *row)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = NULL;

	kube_expand_put_verbatim(&b, NULL, row->cells[0]);
	tree = json_build_take(&b, &err);
	assert_non_null(tree);
	assert_string_equal(json_string(tree), row->cells[1]);
}

static void k8s_101137_kubelet_makes_the_text_again(void **state)
{
	(void)state;
	table_check("dollars.tsv", 1000, check_row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(k8s_101137_kubelet_makes_the_text_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
