// SPDX-License-Identifier: MIT
#include "base/digest.h"

#include "base/secret.h"
#include "unit.h"

static void assert_hex(const unsigned char *bytes, size_t len, const char *expected)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(256);

	digest_add_hex(&text, bytes, len);
	assert_string_equal(strbuf_get(&text), expected);
}

// FIPS 180-2, appendix B.
static void sha256_of_abc(void **state)
{
	static const char expected[] =
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	unsigned char sum[DIGEST_SHA256_BYTES];
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_digest_ struct digest *digest = digest_new(&err);

	(void)state;
	assert_true(digest_sha256("abc", 3, sum, &err));
	assert_hex(sum, sizeof(sum), expected);
	assert_true(digest_add(digest, "a", 1, &err));
	assert_true(digest_add(digest, "", 0, &err));
	assert_true(digest_add(digest, "bc", 2, &err));
	assert_true(digest_end(digest, sum, &err));
	assert_hex(sum, sizeof(sum), expected);
}

// RFC 2202, section 3.
static void hmac_sha1_test_cases(void **state)
{
	unsigned char key[80], sum[DIGEST_SHA1_BYTES];
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(digest_hmac_sha1("Jefe", 4, "what do ya want for nothing?", 28, sum, &err));
	assert_hex(sum, sizeof(sum), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
	memset(key, 0xaa, sizeof(key));
	assert_true(digest_hmac_sha1(key, 80, "Test Using Larger Than Block-Size Key - Hash Key First",
	                             54, sum, &err));
	assert_hex(sum, sizeof(sum), "aa4ae5e15272d00e95705637ce8a3b55ed402112");
}

// RFC 4648, section 10.
static void base64_test_vectors(void **state)
{
	static const char *const pairs[][2] = {
		{"", ""},
		{"f", "Zg=="},
		{"fo", "Zm8="},
		{"foo", "Zm9v"},
		{"foob", "Zm9vYg=="},
		{"fooba", "Zm9vYmE="},
		{"foobar", "Zm9vYmFy"},
		{"\xfb\xff\xfe", "+//+"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(pairs); i++) {
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64), back = STRBUF_INIT(64);

		base64_add(&text, pairs[i][0], strlen(pairs[i][0]));
		assert_string_equal(strbuf_get(&text), pairs[i][1]);
		assert_true(base64_decode(&back, pairs[i][1], strlen(pairs[i][1])));
		assert_string_equal(strbuf_get(&back), pairs[i][0]);
	}
}

static void base64_refuses_what_is_not_base64(void **state)
{
	static const char *const wrong[] = {
		"Z",    "Zg",       "Zg=",      "Zg==Zg==", "=Zg=", "Z===", "====",
		"Zm9_", "Zm9v\n==", "Zm 9vYQ=", "Zh==",     "Zm9=", "Zg=a",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(64);

		if (base64_decode(&out, wrong[i], strlen(wrong[i])))
			fail_msg("took \"%s\"", wrong[i]);
	}
}

static void secret_is_wiped(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct secret secret = SECRET_INIT;
	char text[] = "hunter2";
	struct strbuf builder = STRBUF_INIT(64);
	const char *block;

	(void)state;
	secret_wipe(text, sizeof(text));
	assert_memory_equal(text, "\0\0\0\0\0\0\0", 8);
	assert_true(secret_set(&secret, "a\0b", 3, &err));
	assert_int_equal(secret.len, 3);
	assert_memory_equal(secret.data, "a\0b", 4);
	secret_release(&secret);
	assert_null(secret.data);
	secret_strbuf_reserve(&builder, 40);
	block = strbuf_get(&builder);
	strbuf_add(&builder, "a text that is longer than");
	strbuf_add(&builder, " it was");
	assert_ptr_equal(strbuf_get(&builder), block); // not moved
	secret_strbuf_release(&builder);
}

static void random_bytes_differ(void **state)
{
	unsigned char a[16], b[16];
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(secret_random(a, sizeof(a), &err));
	assert_true(secret_random(b, sizeof(b), &err));
	assert_memory_not_equal(a, b, sizeof(a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sha256_of_abc),       cmocka_unit_test(hmac_sha1_test_cases),
		cmocka_unit_test(base64_test_vectors), cmocka_unit_test(base64_refuses_what_is_not_base64),
		cmocka_unit_test(secret_is_wiped),     cmocka_unit_test(random_bytes_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
