// SPDX-License-Identifier: MIT
#include "kube/quantity.h"

#include <inttypes.h>

#include "table.h"

static const char *written(const struct kube_quantity *quantity)
{
	static char text[64];
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(sizeof(text) - 1);

	kube_quantity_write(&out, quantity);
	assert_false(out.failed);
	snprintf(text, sizeof(text), "%s", strbuf_get(&out));
	return text;
}

static struct kube_quantity parsed(const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_quantity quantity;

	if (!kube_quantity_parse(text, &quantity, &err))
		fail_msg("%s", err_message(&err));
	assert_true(quantity.is_set);
	return quantity;
}

static void check_row(struct table_row *row)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_quantity quantity = {.is_set = false};
	bool is_ok = kube_quantity_parse(row->cells[0], &quantity, &err);
	char number[32];

	if (!strcmp(row->cells[1], "bad")) {
		if (is_ok)
			fail_msg("\"%s\" was taken", row->cells[0]);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_false(quantity.is_set);
		return;
	}
	if (!is_ok)
		fail_msg("%s", err_message(&err));
	if (strcmp(written(&quantity), row->cells[1]) != 0)
		fail_msg("\"%s\" is written %s, not %s", row->cells[0], written(&quantity), row->cells[1]);
	snprintf(number, sizeof(number), "%" PRId64, kube_quantity_ceil(&quantity));
	if (strcmp(number, row->cells[2]) != 0)
		fail_msg("\"%s\" rounds up to %s, not %s", row->cells[0], number, row->cells[2]);
	snprintf(number, sizeof(number), "%" PRId64, kube_quantity_milli(&quantity));
	if (strcmp(row->cells[3], "large") != 0 && strcmp(number, row->cells[3]) != 0)
		fail_msg("\"%s\" is %s thousandths, not %s", row->cells[0], number, row->cells[3]);
}

static void reads_and_writes_as_kubernetes_does(void **state)
{
	(void)state;
	table_check("quantities.tsv", 850, check_row);
}

static void refuses_what_kubernetes_changes_in_silence(void **state)
{
	static const char *const texts[] = {"-1",
	                                    "-0",
	                                    "9223372036854775808",
	                                    "8Ei",
	                                    "9.3E",
	                                    "1e19",
	                                    "1E20",
	                                    "1e99999999999999999999",
	                                    "99999999999999999999999999999999999999999",
	                                    "1.00000000000000000000000000001",
	                                    "1.00000000000000000000001Ei"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		struct kube_quantity quantity;

		if (kube_quantity_parse(texts[i], &quantity, &err))
			fail_msg("\"%s\" was taken", texts[i]);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_non_null(strstr(err_message(&err), texts[i]));
	}
}

// Kubernetes reads some of these as 0.
static void refuses_what_has_no_digit(void **state)
{
	static const char *const texts[] = {
		"+",       "-", ".", "..",  "+.",  "e3",  "E",   "Ki",  "m",        "i",
		"Gi",      "",  " ", "inf", "NaN", "++1", "+-1", "abc", "Infinity", "\xEF\xBC\x91",
		"\xC2\xBD"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		struct kube_quantity quantity;

		if (kube_quantity_parse(texts[i], &quantity, &err))
			fail_msg("\"%s\" was taken", texts[i]);
	}
}

static void holds_the_largest(void **state)
{
	struct kube_quantity most = parsed("9223372036854775807");
	struct kube_quantity more = parsed("9223372036854775807.000000001");

	(void)state;
	assert_string_equal(written(&most), "9223372036854775807");
	assert_true(kube_quantity_ceil(&most) == INT64_MAX);
	assert_true(kube_quantity_milli(&most) == INT64_MAX);
	assert_string_equal(written(&more), "9223372036854775807000000001n");
	assert_true(kube_quantity_ceil(&more) == INT64_MAX);
	assert_true(kube_quantity_compare(&most, &more) < 0);
}

static void takes_any_number_of_zeros(void **state)
{
	char text[600] = "1.";
	struct kube_quantity quantity;

	(void)state;
	memset(text + 2, '0', 500);
	quantity = parsed(text);
	assert_int_equal(quantity.units, 1);
	memset(text, '0', 500);
	memcpy(text + 500, "7", 2);
	quantity = parsed(text);
	assert_int_equal(quantity.units, 7);
}

static void compares_by_amount(void **state)
{
	static const char *const rising[] = {"0",  "1n",  "500m", "0.6",   "1",  "1.000000001",
	                                     "1k", "1Ki", "256M", "256Mi", "1E", "1Ei"};
	struct kube_quantity a = parsed("1.5Gi"), b = parsed("1536Mi"), c = parsed("1610612736");

	(void)state;
	assert_int_equal(kube_quantity_compare(&a, &b), 0);
	assert_int_equal(kube_quantity_compare(&b, &c), 0);
	for (size_t i = 1; i < COUNT_OF(rising); i++) {
		a = parsed(rising[i - 1]);
		b = parsed(rising[i]);
		assert_true(kube_quantity_compare(&a, &b) < 0);
		assert_true(kube_quantity_compare(&b, &a) > 0);
	}
}

typedef bool parse_fn(const char *, struct kube_quantity *, struct err *);

static void expect(parse_fn *parse, const char *text, const char *canonical)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_quantity quantity;

	if (!parse(text, &quantity, &err))
		fail_msg("%s", err_message(&err));
	assert_string_equal(written(&quantity), canonical);
}

static void refuse(parse_fn *parse, const char *text, const char *message, const char *hint)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_quantity quantity = {.is_set = false};

	if (parse(text, &quantity, &err))
		fail_msg("\"%s\" was taken", text);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err_message(&err), message);
	if (hint)
		assert_string_equal(err.hint, hint);
	assert_false(quantity.is_set);
}

static void rounds_memory_up_to_bytes(void **state)
{
	(void)state;
	expect(kube_quantity_parse_memory, "1.2Gi", "1288490189");
	expect(kube_quantity_parse_memory, "1.5Gi", "1536Mi");
	expect(kube_quantity_parse_memory, "1E", "1E");
	expect(kube_quantity_parse_memory, "1Mi", "1Mi");
	expect(kube_quantity_parse_memory, "1048576", "1048576");
	expect(kube_quantity_parse_memory, "1048575.1", "1048576");
	expect(kube_quantity_parse_memory, "2e9", "2e9");
	expect(kube_quantity_parse_memory, "8G", "8G");
}

static void k8s_79950_milli_bytes(void **state)
{
	(void)state;
	refuse(kube_quantity_parse_memory, "128m", "\"128m\" means thousandths of a byte",
	       "128M or 128Mi?");
	refuse(kube_quantity_parse_memory, "7u", "\"7u\" means millionths of a byte", "7M or 7Mi?");
	refuse(kube_quantity_parse_memory, "7n", "\"7n\" means billionths of a byte", "7M or 7Mi?");
	refuse(kube_quantity_parse_memory, "9000000000000m",
	       "\"9000000000000m\" means thousandths of a byte", NULL);
}

static void kbcli_70_units(void **state)
{
	(void)state;
	refuse(kube_quantity_parse_memory, "8GB", "\"8GB\" is not a quantity", "8G or 8Gi?");
	refuse(kube_quantity_parse_memory, "8 GB", "\"8 GB\" is not a quantity", "8G or 8Gi?");
	refuse(kube_quantity_parse_memory, "1g", "\"1g\" is not a quantity", "1G or 1Gi?");
	refuse(kube_quantity_parse_memory, "1K", "\"1K\" is not a quantity", "1k or 1Ki?");
	refuse(kube_quantity_parse_memory, "1 Gi", "\"1 Gi\" is not a quantity", "1G or 1Gi?");
	refuse(kube_quantity_parse_memory, "1.5gb", "\"1.5gb\" is not a quantity", "1.5G or 1.5Gi?");
	refuse(kube_quantity_parse_memory, "8x", "\"8x\" is not a quantity",
	       "write it as 512Mi, 4Gi or 4G");
	refuse(kube_quantity_parse_memory, "", "\"\" is not a quantity",
	       "write it as 512Mi, 4Gi or 4G");
	refuse(kube_quantity_parse_memory, "0", "\"0\" is not more than zero", NULL);
	refuse(kube_quantity_parse_memory, "-1Gi", "\"-1Gi\" is not a quantity", NULL);
}

static void refuses_memory_that_was_meant_in_larger_units(void **state)
{
	(void)state;
	refuse(kube_quantity_parse_memory, "8", "\"8\" is in bytes, and less than 1Mi", "8Mi or 8Gi?");
	refuse(kube_quantity_parse_memory, "4096", "\"4096\" is in bytes, and less than 1Mi",
	       "4096Mi or 4096Gi?");
	refuse(kube_quantity_parse_memory, "1e3", "\"1e3\" is less than 1Mi",
	       "write it as 512Mi, 4Gi or 4G");
	refuse(kube_quantity_parse_memory, "1023Ki", "\"1023Ki\" is less than 1Mi",
	       "write it as 512Mi, 4Gi or 4G");
}

static void rounds_cpus_up_to_thousandths(void **state)
{
	(void)state;
	expect(kube_quantity_parse_cpu, "2", "2");
	expect(kube_quantity_parse_cpu, "0.5", "500m");
	expect(kube_quantity_parse_cpu, "1.5", "1500m");
	expect(kube_quantity_parse_cpu, "1n", "1m");
	expect(kube_quantity_parse_cpu, "0.0011", "2m");
	expect(kube_quantity_parse_cpu, "0.9999", "1");
}

static void refuses_what_is_no_number_of_cpus(void **state)
{
	(void)state;
	refuse(kube_quantity_parse_cpu, "0", "\"0\" is not more than zero", NULL);
	refuse(kube_quantity_parse_cpu, "two", "\"two\" is not a quantity",
	       "write it as 2, 0.5 or 500m");
	refuse(kube_quantity_parse_cpu, "4Gi", "\"4Gi\" is an amount of memory, not a number of CPUs",
	       "write it as 2, 0.5 or 500m");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_and_writes_as_kubernetes_does),
		cmocka_unit_test(refuses_what_kubernetes_changes_in_silence),
		cmocka_unit_test(refuses_what_has_no_digit),
		cmocka_unit_test(holds_the_largest),
		cmocka_unit_test(takes_any_number_of_zeros),
		cmocka_unit_test(compares_by_amount),
		cmocka_unit_test(rounds_memory_up_to_bytes),
		cmocka_unit_test(k8s_79950_milli_bytes),
		cmocka_unit_test(kbcli_70_units),
		cmocka_unit_test(refuses_memory_that_was_meant_in_larger_units),
		cmocka_unit_test(rounds_cpus_up_to_thousandths),
		cmocka_unit_test(refuses_what_is_no_number_of_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
