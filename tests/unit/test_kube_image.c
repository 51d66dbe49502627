// SPDX-License-Identifier: MIT
#include "kube/image.h"

#include "table.h"

static void check_row(struct table_row *row)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (kube_image_check(row->cells[0], &err) != !strcmp(row->cells[1], "ok"))
		fail_msg("\"%s\" should be %s", row->cells[0], row->cells[1]);
}

static void judges_images_as_kubelet_does(void **state)
{
	(void)state;
	table_check("images.tsv", 130, check_row);
}

static void says_how_an_image_is_written(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_false(kube_image_check("PyTorch:2.0", &err));
	assert_string_equal(err_message(&err), "\"PyTorch:2.0\" is not an image");
	assert_string_equal(err.hint, "[HOST[:PORT]/]NAME[:TAG], the name in lower case");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judges_images_as_kubelet_does),
		cmocka_unit_test(says_how_an_image_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
