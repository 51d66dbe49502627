// SPDX-License-Identifier: MIT
// Private key files as ssh-keygen writes them, and what a server says before it hangs up.
#include "ssh/keyfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "ssh/kexinit.h"
#include "unit.h"

static void make(const char *options, struct keyfile *ret, bool *ret_ok, struct strbuf *ret_public)
{
	char folder[] = "/tmp/vpsml-key-XXXXXX", command[300], path[64];
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(KEYFILE_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;

	assert_non_null(mkdtemp(folder));
	snprintf(command, sizeof(command), "ssh-keygen -q %s -f %s/key", options, folder);
	if (system(command))
		skip();
	snprintf(path, sizeof(path), "%s/key", folder);
	assert_true(file_read(path, &text, &err));
	*ret_ok = keyfile_parse(strbuf_get(&text), text.len, ret, &err);
	snprintf(path, sizeof(path), "%s/key.pub", folder);
	assert_true(file_read(path, ret_public, &err));
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

static void keys_of_ssh_keygen(void **state)
{
	static const struct {
		const char *options, *type;
		bool is_encrypted, says_its_key;
	} cases[] = {
		{"-t ed25519 -N ''", "ssh-ed25519", false, true},
		{"-t ed25519 -N x -a 1", "ssh-ed25519", true, true},
		{"-t ecdsa -b 384 -N ''", "ecdsa-sha2-nistp384", false, true},
		{"-t rsa -b 1024 -N ''", "ssh-rsa", false, true},
		{"-t rsa -b 1024 -m PEM -N ''", "ssh-rsa", false, false},
		{"-t rsa -b 1024 -m PEM -N hello", "ssh-rsa", true, false},
		{"-t ecdsa -m PEM -N hello", "", true, false},
		{"-t ecdsa -m PKCS8 -N ''", "", false, false},
		{"-t ecdsa -m PKCS8 -N hello", "", true, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		_cleanup_keyfile_ struct keyfile file, from_public = {.key = STRBUF_INIT(10000)};
		_cleanup_strbuf_ struct strbuf public_text = STRBUF_INIT(10000);
		bool is_ok;

		make(cases[i].options, &file, &is_ok, &public_text);
		assert_true(is_ok);
		assert_string_equal(file.type, cases[i].type);
		assert_int_equal(file.is_encrypted, cases[i].is_encrypted);
		assert_int_equal(file.key.len > 0, cases[i].says_its_key);
		assert_true(keyfile_parse_public(strbuf_get(&public_text), &from_public));
		if (cases[i].says_its_key) {
			assert_int_equal(file.key.len, from_public.key.len);
			assert_memory_equal(file.key.data, from_public.key.data, file.key.len);
		}
	}
}

static void files_that_are_no_key(void **state)
{
	static const char *const wrong[] = {
		"",
		"hello",
		"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
		"-----BEGIN OPENSSH PRIVATE KEY-----",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END",
		"-----BEGIN OPENSSH PRIVATE KEY-----\n????\n-----END",
		"PuTTY-User-Key-File-3: ssh-ed25519\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		_cleanup_keyfile_ struct keyfile file;
		_cleanup_err_ struct err err = ERR_INIT;

		if (keyfile_parse(wrong[i], strlen(wrong[i]), &file, &err))
			fail_msg("took %s", wrong[i]);
		assert_int_equal(err.kind, ERR_AUTH);
	}
}

// A KEXINIT with the given MACs, behind a server's version.
static void write_kexinit(struct strbuf *out, const char *macs)
{
	const char *const lists[] = {
		"curve25519-sha256", "ssh-ed25519", "aes128-ctr", "aes128-ctr", macs, macs, "none", "none"};

	strbuf_add(out, "a greeting\r\nSSH-2.0-OpenSSH_9.2\r\n");
	strbuf_add_n(out, "\0\0\1\0\4\24", 6);
	strbuf_add_repeat(out, 'c', 16);
	for (size_t i = 0; i < COUNT_OF(lists); i++) {
		size_t len = strlen(lists[i]);
		const char head[4] = {0, 0, (char)(len >> 8), (char)(len & 255)};

		strbuf_add_n(out, head, 4);
		strbuf_add(out, lists[i]);
	}
}

static const char *const ours[KEXINIT_LISTS] = {
	"curve25519-sha256", "ssh-rsa,ssh-ed25519", "aes256-ctr,aes128-ctr",
	"aes128-ctr",        "hmac-sha2-256",       "hmac-sha2-256",
};

static void list_without_anything_in_common(void **state)
{
	_cleanup_strbuf_ struct strbuf etm = STRBUF_INIT(1000), good = STRBUF_INIT(1000);
	_cleanup_strbuf_ struct strbuf shown = STRBUF_INIT(1000);

	(void)state;
	write_kexinit(&etm, "hmac-sha2-256-etm@openssh.com,umac\x1b[31m");
	write_kexinit(&good, "umac,hmac-sha2-256");
	assert_int_equal(kexinit_mismatch(good.data, good.len, ours, &shown), KEXINIT_LISTS);
	assert_int_equal(shown.len, 0);
	assert_int_equal(kexinit_mismatch(etm.data, etm.len, ours, &shown), KEXINIT_MAC_OUT);
	assert_string_equal(strbuf_get(&shown), "hmac-sha2-256-etm@openssh.com,umac^[[31m");
	for (size_t len = 0; len < good.len; len++) {
		strbuf_clear(&shown);
		assert_int_equal(kexinit_mismatch(good.data, len, ours, &shown), KEXINIT_LISTS);
	}
}

static void greeting_is_what_comes_before_the_version(void **state)
{
	_cleanup_strbuf_ struct strbuf first = STRBUF_INIT(1000), second = STRBUF_INIT(1000);

	(void)state;
	kexinit_add_greeting(&first, "Exceeded MaxStartups\r\nmore", 26);
	assert_string_equal(strbuf_get(&first), "Exceeded MaxStartups");
	kexinit_add_greeting(&second, "SSH-2.0-x\r\n", 11);
	kexinit_add_greeting(&second, "", 0);
	assert_string_equal(strbuf_get(&second), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_of_ssh_keygen),
		cmocka_unit_test(files_that_are_no_key),
		cmocka_unit_test(list_without_anything_in_common),
		cmocka_unit_test(greeting_is_what_comes_before_the_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
