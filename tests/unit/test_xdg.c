// SPDX-License-Identifier: MIT
#include "base/xdg.h"

#include <string.h>

#include "unit.h"

// The environment that a test chooses.
static const char *home, *config_home;

static char *fake_getenv(const char *name)
{
	if (!strcmp(name, "HOME"))
		return (char *)home;
	return !strcmp(name, "XDG_CONFIG_HOME") ? (char *)config_home : NULL;
}

static void expect(enum xdg_kind kind, const char *expected)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_free_ char *path = xdg_folder(kind, fake_getenv, &err);

	assert_non_null(path);
	assert_string_equal(path, expected);
}

static void falls_back_to_home(void **state)
{
	(void)state;
	home = "/home/ann";
	config_home = NULL;
	expect(XDG_CONFIG, "/home/ann/.config/vpsml");
	expect(XDG_CACHE, "/home/ann/.cache/vpsml");
	expect(XDG_STATE, "/home/ann/.local/state/vpsml");
}

static void absolute_variable_counts(void **state)
{
	(void)state;
	home = NULL;
	config_home = "/etc/ann";
	expect(XDG_CONFIG, "/etc/ann/vpsml");
}

// "If an implementation encounters a relative path … it should … ignore it."
static void relative_variable_is_ignored(void **state)
{
	(void)state;
	home = "/home/ann";
	config_home = "relative";
	expect(XDG_CONFIG, "/home/ann/.config/vpsml");
	config_home = "";
	expect(XDG_CONFIG, "/home/ann/.config/vpsml");
}

static void without_home_it_says_so(void **state)
{
	static const char *const homes[] = {NULL, ""};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	config_home = NULL;
	for (size_t i = 0; i < COUNT_OF(homes); i++) {
		home = homes[i];
		assert_null(xdg_folder(XDG_CONFIG, fake_getenv, &err));
		assert_string_equal(err_message(&err), "no home folder: HOME is not set");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(falls_back_to_home),
		cmocka_unit_test(absolute_variable_counts),
		cmocka_unit_test(relative_variable_is_ignored),
		cmocka_unit_test(without_home_it_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
