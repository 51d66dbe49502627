// SPDX-License-Identifier: MIT
#include "boot/diff.h"

#include <string.h>

#include "unit.h"

static void expect(const char *old, const char *new, const char *expected)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(1 << 20);
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(boot_diff(&out, "/f", old, new, &err));
	assert_string_equal(strbuf_get(&out), expected);
}

static void same_text_has_none(void **state)
{
	(void)state;
	expect("a\nb\n", "a\nb\n", "");
	expect(NULL, NULL, "");
	expect("", "", "");
}

static void a_file_comes_and_goes(void **state)
{
	(void)state;
	expect(NULL, "a\nb\n", "--- /dev/null\n+++ /f\n@@ -0,0 +1,2 @@\n+a\n+b\n");
	expect("a\n", NULL, "--- /f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
}

static void lines_with_their_context(void **state)
{
	(void)state;
	expect("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
	       "--- /f\n+++ /f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

static void far_changes_are_hunks_of_their_own(void **state)
{
	(void)state;
	expect("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n",
	       "--- /f\n+++ /f\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -8,3 +7,4 @@\n 8\n 9\n 10\n+11\n");
	expect("1\n2\n3\n4\n5\n6\n", "0\n2\n3\n4\n5\n7\n",
	       "--- /f\n+++ /f\n@@ -1,6 +1,6 @@\n-1\n+0\n 2\n 3\n 4\n 5\n-6\n+7\n");
}

static void a_last_line_without_line_feed(void **state)
{
	(void)state;
	expect("a\nb", "a\nb\n",
	       "--- /f\n+++ /f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ no line feed at the end\n+b\n");
}

static void what_is_common_stays(void **state)
{
	(void)state;
	expect("x\na\nb\nc\n", "a\ny\nb\nc\nz\n",
	       "--- /f\n+++ /f\n@@ -1,4 +1,5 @@\n-x\n a\n+y\n b\n c\n+z\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_text_has_none),
		cmocka_unit_test(a_file_comes_and_goes),
		cmocka_unit_test(lines_with_their_context),
		cmocka_unit_test(far_changes_are_hunks_of_their_own),
		cmocka_unit_test(a_last_line_without_line_feed),
		cmocka_unit_test(what_is_common_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
