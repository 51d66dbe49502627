// SPDX-License-Identifier: MIT
#include "boot/cidr.h"

#include <string.h>

#include "unit.h"

static struct boot_cidr cidr(const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct boot_cidr result;

	if (!boot_cidr_parse(text, &result, &err))
		fail_msg("%s", err_message(&err));
	return result;
}

static struct boot_ip ip(const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct boot_ip result;

	if (!boot_ip_parse(text, &result, &err))
		fail_msg("%s", err_message(&err));
	return result;
}

static void writes_what_it_read(void **state)
{
	static const char *const texts[] = {"0.0.0.0/0", "10.244.0.0/16", "192.0.2.1/32",
	                                    "::/0",      "fd00:1::/56",   "2001:db8::1/128"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(64);
		struct boot_cidr network = cidr(texts[i]);

		boot_cidr_write(&out, &network);
		assert_string_equal(strbuf_get(&out), texts[i]);
	}
}

static void refuses_what_is_no_network(void **state)
{
	static const char *const texts[] = {
		"",         "10.0.0.0",   "10.0.0.0/",   "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8",
		"10.0.0/8", "fd00::/129", "10.0.0.0/8x", "/8",          "010.0.0.0/8", "fe80::%eth0/64"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		struct boot_cidr network;

		if (boot_cidr_parse(texts[i], &network, &err))
			fail_msg("%s is taken", texts[i]);
		assert_int_equal(err.kind, ERR_USAGE);
	}
}

static void bits_behind_the_prefix(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(64);
	struct boot_cidr network;

	(void)state;
	assert_false(boot_cidr_parse("10.0.0.5/22", &network, &err));
	assert_string_equal(err.hint, "10.0.0.0/22?");
	assert_true(boot_cidr_of_address("10.0.7.5/22", &network, &err));
	boot_cidr_write(&out, &network);
	assert_string_equal(strbuf_get(&out), "10.0.4.0/22");
}

static void contains_and_overlaps(void **state)
{
	struct boot_cidr wide = cidr("10.96.0.0/12"), narrow = cidr("10.111.255.0/25");
	struct boot_cidr next = cidr("10.112.0.0/16"), other = cidr("fd00::/8"),
					 all = cidr("0.0.0.0/0");
	struct boot_ip inside = ip("10.111.255.127"), outside = ip("10.111.255.128");

	(void)state;
	assert_true(boot_cidr_overlap(&wide, &narrow) && boot_cidr_overlap(&narrow, &wide));
	assert_false(boot_cidr_overlap(&wide, &next));
	assert_false(boot_cidr_overlap(&all, &other));
	assert_true(boot_cidr_overlap(&all, &narrow));
	assert_true(boot_cidr_contains(&narrow, &inside));
	assert_false(boot_cidr_contains(&narrow, &outside));
	assert_false(boot_cidr_contains(&other, &inside));
}

static void counts_networks(void **state)
{
	struct boot_cidr sixteen = cidr("10.244.0.0/16"), six = cidr("fd00::/8");

	(void)state;
	assert_int_equal(boot_cidr_count(&sixteen, 24), 256);
	assert_int_equal(boot_cidr_count(&sixteen, 16), 1);
	assert_int_equal(boot_cidr_count(&sixteen, 8), 0);
	assert_true(boot_cidr_count(&six, 128) == SIZE_MAX);
}

static void public_addresses(void **state)
{
	static const char *const public[] = {"8.8.8.8", "172.32.0.1", "2606:4700::1", "100.128.0.1"};
	static const char *const others[] = {"10.1.2.3",    "172.31.0.1", "192.168.1.1", "100.64.0.1",
	                                     "169.254.1.1", "127.0.0.1",  "fd00::1",     "fe80::1",
	                                     "::1",         "224.0.0.1"};
	const struct boot_ip none = {.is_set = false};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(public); i++) {
		struct boot_ip address = ip(public[i]);

		assert_true(boot_ip_is_public(&address));
	}
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		struct boot_ip address = ip(others[i]);

		assert_false(boot_ip_is_public(&address));
	}
	assert_false(boot_ip_is_public(&none));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_what_it_read),    cmocka_unit_test(refuses_what_is_no_network),
		cmocka_unit_test(bits_behind_the_prefix), cmocka_unit_test(contains_and_overlaps),
		cmocka_unit_test(counts_networks),        cmocka_unit_test(public_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
