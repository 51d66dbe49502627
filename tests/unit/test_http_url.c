// SPDX-License-Identifier: MIT
#include "http/url.h"

#include "unit.h"

static void check(const char *text, const char *expected)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);
	_cleanup_http_url_ struct http_url url = HTTP_URL_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	if (http_url_parse(&url, text, &err))
		http_url_add(&out, &url);
	else
		strbuf_addf(&out, "!%s", err_message(&err));
	assert_string_equal(strbuf_get(&out), expected);
}

static void addresses(void **state)
{
	(void)state;
	check("https://10.0.0.1:6443", "https://10.0.0.1:6443");
	check("https://k8s.example.org", "https://k8s.example.org:443");
	check("http://localhost:8080/", "http://localhost:8080");
	check("HTTPS://h/prefix/", "https://h:443/prefix");
	check("h:6443/a/b", "https://h:6443/a/b");
	check("https://[fd00::1]:6443", "https://[fd00::1]:6443");
	check("[::1]", "https://[::1]:443");
	check("[fe80::1%25eth0]:6443", "https://[fe80::1%25eth0]:6443");
	check("https://h:/x", "https://h:443/x");
}

static void what_is_no_address(void **state)
{
	static const char *const texts[] = {"",
	                                    "https://",
	                                    "ftp://h",
	                                    "https://h:0",
	                                    "https://h:65536",
	                                    "https://h:6443x",
	                                    "https://u:p@h",
	                                    "https://h/?a=b",
	                                    "https://h/#x",
	                                    "https://h /",
	                                    "https://[::1",
	                                    "https://[fd0a/b1]:6443",
	                                    "https://[host]",
	                                    "https://[::1%/x]",
	                                    "https://a[b]",
	                                    "https://[]",
	                                    "https://h\n"};
	_cleanup_http_url_ struct http_url url = HTTP_URL_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		_cleanup_err_ struct err err = ERR_INIT;

		assert_false(http_url_parse(&url, texts[i], &err));
		assert_int_equal(err.kind, ERR_USAGE);
	}
}

static void queries_are_percent_encoded(void **state)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);

	(void)state;
	strbuf_add(&out, "/api/v1/pods");
	http_url_add_query(&out, "labelSelector", "app in (a, b),c!=d");
	http_url_add_query(&out, "x", "\xC3\xA9~-._&=+%");
	assert_string_equal(strbuf_get(&out),
	                    "/api/v1/pods?labelSelector=app%20in%20%28a%2C%20b%29%2Cc%21%3Dd"
	                    "&x=%C3%A9~-._%26%3D%2B%25");
}

static void loopback_addresses(void **state)
{
	(void)state;
	assert_true(http_url_is_loopback("localhost"));
	assert_true(http_url_is_loopback("127.8.9.1"));
	assert_true(http_url_is_loopback("::1"));
	assert_false(http_url_is_loopback("127.0.0.1.example.org"));
	assert_false(http_url_is_loopback("10.0.0.1"));
	assert_false(http_url_is_loopback("::2"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses),
		cmocka_unit_test(what_is_no_address),
		cmocka_unit_test(queries_are_percent_encoded),
		cmocka_unit_test(loopback_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
