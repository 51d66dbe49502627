// SPDX-License-Identifier: MIT
#include "http/proxy.h"

#include <string.h>

#include "unit.h"

static const char *const *environment; // NAME, value, …, NULL

static char *fake_getenv(const char *name)
{
	for (size_t i = 0; environment[i]; i += 2)
		if (!strcmp(environment[i], name)) {
			union {
				const char *in;
				char *out;
			} value = {.in = environment[i + 1]};

			return value.out;
		}
	return NULL;
}

static void check(const char *const *variables, const char *server, const char *expected,
                  const char *expected_skip)
{
	_cleanup_http_proxy_ struct http_proxy proxy = HTTP_PROXY_INIT;
	_cleanup_http_url_ struct http_url url = HTTP_URL_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	environment = variables;
	assert_true(http_url_parse(&url, server, &err));
	assert_true(http_proxy_from_environment(&proxy, &url, fake_getenv, &err));
	assert_string_equal(proxy.url ? proxy.url : "none", expected);
	assert_string_equal(proxy.skip ? proxy.skip : "none", expected_skip);
}

static void environment_is_read_as_go_does(void **state)
{
	static const char *const none[] = {NULL};
	static const char *const both[] = {"HTTPS_PROXY", "http://p:3128", "HTTP_PROXY", "q:80",
	                                   "NO_PROXY",    "10.0.0.0/8",    NULL};
	static const char *const little[] = {"https_proxy", "socks5://u:p@s:1080", "no_proxy", "a,b",
	                                     NULL};

	(void)state;
	check(none, "https://h", "none", "none");
	check(both, "https://h", "http://p:3128", "10.0.0.0/8");
	check(both, "http://h", "http://q:80", "10.0.0.0/8");
	check(little, "https://h", "socks5h://u:p@s:1080", "a,b");
	check(little, "http://h", "none", "none");
	check(both, "https://127.0.0.1:6443", "none", "none");
}

static void settings_name_a_scheme(void **state)
{
	_cleanup_http_proxy_ struct http_proxy proxy = HTTP_PROXY_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(http_proxy_from_url(&proxy, "socks5://127.0.0.1:1080", &err));
	assert_string_equal(proxy.url, "socks5h://127.0.0.1:1080");
	assert_true(http_proxy_from_url(&proxy, "https://proxy:443", &err));
	assert_string_equal(proxy.url, "https://proxy:443");
	assert_false(http_proxy_from_url(&proxy, "socks4://u:secret@h", &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_null(strstr(err_message(&err), "secret"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(environment_is_read_as_go_does),
		cmocka_unit_test(settings_name_a_scheme),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
