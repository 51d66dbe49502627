// SPDX-License-Identifier: MIT
// Known host keys: against what ssh-keygen finds and writes, and by the rules of sshd(8).
#include "ssh/known_hosts.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/mem.h"
#include "ssh/host_key.h"
#include "unit.h"

// Two ed25519 public keys and half an ECDSA one.
#define KEY_A "AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g"
#define KEY_B "AAAAC3NzaC1lZDI1NTE5AAAAICAfHh0cGxoZGBcWFRQTEhEQDw4NDAsKCQgHBgUEAwIB"
#define KEY_ECDSA "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAAABBA=="

static const char key_a[] = KEY_A, key_b[] = KEY_B, key_ecdsa[] = KEY_ECDSA;

#define ED "ssh-ed25519 "
#define EC "ecdsa-sha2-nistp256 "

static void parse(struct known_hosts *hosts, const char *file, const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!known_hosts_parse(hosts, file, text, strlen(text), &err))
		fail_msg("%s", err_message(&err));
}

static struct known_hosts_result check(const struct known_hosts *hosts, const char *name,
                                       uint16_t port, const char *key)
{
	_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(1000);
	_cleanup_err_ struct err err = ERR_INIT;
	struct known_hosts_result result;

	assert_true(base64_decode(&blob, key, strlen(key)));
	if (!known_hosts_check(hosts, name, port, blob.data, blob.len, &result, &err))
		fail_msg("%s", err_message(&err));
	return result;
}

static enum known_hosts_answer answer(const struct known_hosts *hosts, const char *name,
                                      uint16_t port, const char *key)
{
	return check(hosts, name, port, key).answer;
}

static void plain_line_matches_or_has_changed(void **state)
{
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;
	struct known_hosts_result result;

	(void)state;
	parse(&hosts, "f", "# a comment\n\ngpu-1,10.0.0.5 " ED KEY_A " me@home\n");
	assert_int_equal(answer(&hosts, "gpu-1", 22, key_a), KNOWN_HOSTS_MATCHES);
	assert_int_equal(answer(&hosts, "GPU-1", 22, key_a), KNOWN_HOSTS_MATCHES);
	assert_int_equal(answer(&hosts, "10.0.0.5", 22, key_a), KNOWN_HOSTS_MATCHES);
	assert_int_equal(answer(&hosts, "10.0.0.50", 22, key_a), KNOWN_HOSTS_UNKNOWN);
	result = check(&hosts, "gpu-1", 22, key_b);
	assert_int_equal(result.answer, KNOWN_HOSTS_CHANGED);
	assert_int_equal(result.line->number, 3);
}

// k0sctl#813: another type was negotiated than the one that is known.
static void k0sctl_813_another_key_type_is_not_a_change(void **state)
{
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;
	_cleanup_strv_ struct strv types = STRV_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	struct known_hosts_result result;

	(void)state;
	parse(&hosts, "f",
	      "h " EC KEY_ECDSA "\n"
	      "h " EC KEY_ECDSA "\n");
	result = check(&hosts, "h", 22, key_a);
	assert_int_equal(result.answer, KNOWN_HOSTS_UNKNOWN);
	assert_non_null(result.other_type);
	assert_true(known_hosts_types(&hosts, "h", 22, &types, &err));
	assert_int_equal(types.count, 1);
	assert_string_equal(types.items[0], "ecdsa-sha2-nistp256");
	assert_int_equal(answer(&hosts, "h", 22, key_ecdsa), KNOWN_HOSTS_MATCHES);
}

static void patterns_and_negation(void **state)
{
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;

	(void)state;
	parse(&hosts, "f", "*.example.org,!bad*.example.org,10.0.?.* " ED KEY_A "\n");
	assert_int_equal(answer(&hosts, "a.example.org", 22, key_a), KNOWN_HOSTS_MATCHES);
	assert_int_equal(answer(&hosts, "bad1.example.org", 22, key_a), KNOWN_HOSTS_UNKNOWN);
	assert_int_equal(answer(&hosts, "example.org", 22, key_a), KNOWN_HOSTS_UNKNOWN);
	assert_int_equal(answer(&hosts, "10.0.7.200", 22, key_a), KNOWN_HOSTS_MATCHES);
	assert_int_equal(answer(&hosts, "10.0.77.2", 22, key_a), KNOWN_HOSTS_UNKNOWN);
}

static void star_takes_linear_time_in_a_long_name(void **state)
{
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(40000), name = STRBUF_INIT(2000);

	(void)state;
	for (size_t i = 0; i < 10000; i++)
		strbuf_add(&line, "*a");
	strbuf_addf(&line, "b " ED "%s\n", key_a);
	strbuf_add_repeat(&name, 'a', 1000);
	parse(&hosts, "f", strbuf_get(&line));
	assert_int_equal(hosts.count, 1);
	assert_int_equal(answer(&hosts, strbuf_get(&name), 22, key_a), KNOWN_HOSTS_UNKNOWN);
}

// sealos#647 and libssh2's checkp: a line for port 22 says nothing about another port's machine.
static void port_has_its_own_lines(void **state)
{
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;

	(void)state;
	parse(&hosts, "f",
	      "h " ED KEY_A "\n"
	      "[p]:2222 " ED KEY_A "\n");
	assert_int_equal(answer(&hosts, "p", 2222, key_a), KNOWN_HOSTS_MATCHES);
	assert_int_equal(answer(&hosts, "p", 22, key_a), KNOWN_HOSTS_UNKNOWN);
	assert_int_equal(answer(&hosts, "p", 2223, key_a), KNOWN_HOSTS_UNKNOWN);
	assert_int_equal(answer(&hosts, "h", 2222, key_a), KNOWN_HOSTS_MATCHES);
	assert_int_equal(answer(&hosts, "h", 2222, key_b), KNOWN_HOSTS_UNKNOWN);
}

// k0sctl#859
static void k0sctl_859_authority_and_several_files(void **state)
{
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;
	struct known_hosts_result result;

	(void)state;
	parse(&hosts, "user", "");
	parse(&hosts, "global",
	      "@cert-authority *.net " ED KEY_A "\n"
	      "h " ED KEY_A "\n");
	result = check(&hosts, "a.net", 22, key_a);
	assert_int_equal(result.answer, KNOWN_HOSTS_UNKNOWN);
	assert_true(result.has_authority);
	result = check(&hosts, "h", 22, key_a);
	assert_int_equal(result.answer, KNOWN_HOSTS_MATCHES);
	assert_string_equal(hosts.files.items[result.line->file], "global");
}

static void revoked_key_is_never_good(void **state)
{
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;

	(void)state;
	parse(&hosts, "f",
	      "h " ED KEY_A "\n"
	      "@revoked * " ED KEY_A "\n"
	      "h " ED KEY_A "\n");
	assert_int_equal(answer(&hosts, "h", 22, key_a), KNOWN_HOSTS_IS_REVOKED);
	assert_int_equal(answer(&hosts, "h", 2222, key_a), KNOWN_HOSTS_IS_REVOKED);
	assert_int_equal(answer(&hosts, "other", 22, key_b), KNOWN_HOSTS_UNKNOWN);
}

static void bad_lines_are_skipped(void **state)
{
	static const char text[] = "h\n"
							   "h ssh-ed25519\n"
							   "h ssh-ed25519 !!!!\n"
							   "h ssh-rsa " KEY_A "\n"
							   "h 1024 65537 123456789\n"
							   "@unheard-of h " ED KEY_A "\n"
							   "|1|c2FsdA==|short " ED KEY_B "\n"
							   "h ssh-ed25519 AAAA/////w==\n"
							   "\th\t" ED KEY_A " x y\r\n"
							   "cut off";
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;

	(void)state;
	parse(&hosts, "f", text);
	assert_int_equal(hosts.count, 2); // the hash that is none, and the good one
	assert_int_equal(hosts.bad_lines, 8);
	assert_int_equal(answer(&hosts, "h", 22, key_a), KNOWN_HOSTS_MATCHES);
}

// What each of the folder's tests needs: a folder, real keys.
struct folder {
	char path[64];
	char known_hosts[96];
};

static int make_folder(void **state)
{
	struct folder *folder = mem_alloc(sizeof(*folder));

	snprintf(folder->path, sizeof(folder->path), "/tmp/vpsml-known-XXXXXX");
	*state = folder;
	if (!mkdtemp(folder->path))
		return 1;
	snprintf(folder->known_hosts, sizeof(folder->known_hosts), "%s/sub/known_hosts", folder->path);
	return 0;
}

static int run(const char *format, ...) _printf_(1, 2);
static int run(const char *format, ...)
{
	_cleanup_strbuf_ struct strbuf command = STRBUF_INIT(4000);
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&command, format, args);
	va_end(args);
	return system(strbuf_get(&command));
}

static int remove_folder(void **state)
{
	struct folder *folder = *state;

	run("rm -rf '%s'", folder->path);
	mem_free(folder);
	return 0;
}

static void make_key(const struct folder *folder, const char *type, struct strbuf *blob)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4000);
	_cleanup_strv_ struct strv words = STRV_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	char path[128];

	if (run("rm -f '%s/key' '%s/key.pub'; ssh-keygen -q -t %s -N '' -f '%s/key'", folder->path,
	        folder->path, type, folder->path))
		skip();
	snprintf(path, sizeof(path), "%s/key.pub", folder->path);
	assert_true(file_read(path, &text, &err));
	assert_true(strv_split(&words, strbuf_get(&text), ' ', &err));
	assert_true(base64_decode(blob, words.items[1], strlen(words.items[1])));
}

static void add(struct known_hosts *hosts, const char *name, uint16_t port,
                const struct strbuf *blob)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!known_hosts_add(hosts, name, port, blob->data, blob->len, &err))
		fail_msg("%s", err_message(&err));
}

static void load(struct known_hosts *hosts, const char *path)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!known_hosts_load(hosts, path, &err))
		fail_msg("%s", err_message(&err));
}

static void assert_matches(const struct known_hosts *hosts, const char *name, uint16_t port,
                           const struct strbuf *blob)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct known_hosts_result result;

	assert_true(known_hosts_check(hosts, name, port, blob->data, blob->len, &result, &err));
	assert_int_equal(result.answer, KNOWN_HOSTS_MATCHES);
}

// Each line that we write is found by ssh-keygen, and hashed by it is found by us.
static void ssh_keygen_agrees_about_lines(void **state)
{
	static const struct {
		const char *name;
		uint16_t port;
		const char *found_as;
	} cases[] = {
		{"gpu-1.example.org", 22, "gpu-1.example.org"},
		{"Gpu-2.Example.org", 2222, "[gpu-2.example.org]:2222"},
		{"2001:db8::5", 22, "2001:db8::5"},
		{"2001:db8::5", 8022, "[2001:db8::5]:8022"},
		{"10.0.0.5", 22, "10.0.0.5"},
	};
	const struct folder *folder = *state;
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT, hashed = KNOWN_HOSTS_INIT;
	_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(4000);

	make_key(folder, "ed25519", &blob);
	load(&hosts, folder->known_hosts);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		add(&hosts, cases[i].name, cases[i].port, &blob);
		assert_matches(&hosts, cases[i].name, cases[i].port, &blob);
		assert_int_equal(
			run("ssh-keygen -F '%s' -f '%s' >/dev/null", cases[i].found_as, folder->known_hosts),
			0);
	}
	assert_int_equal(run("ssh-keygen -H -f '%s' >/dev/null 2>&1", folder->known_hosts), 0);
	load(&hashed, folder->known_hosts);
	assert_true(hashed.is_hashed);
	assert_int_equal(hashed.count, COUNT_OF(cases));
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_matches(&hashed, cases[i].name, cases[i].port, &blob);
}

static void line_is_hashed_where_others_are(void **state)
{
	const struct folder *folder = *state;
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT, hashed = KNOWN_HOSTS_INIT;
	_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(4000), text = STRBUF_INIT(100000);
	_cleanup_err_ struct err err = ERR_INIT;

	make_key(folder, "ecdsa", &blob);
	load(&hosts, folder->known_hosts);
	add(&hosts, "first", 22, &blob);
	assert_int_equal(run("ssh-keygen -H -f '%s' >/dev/null 2>&1", folder->known_hosts), 0);
	load(&hashed, folder->known_hosts);
	add(&hashed, "second", 2222, &blob);
	assert_true(file_read(folder->known_hosts, &text, &err));
	assert_null(strstr(strbuf_get(&text), "second"));
	assert_int_equal(run("ssh-keygen -F '[second]:2222' -f '%s' >/dev/null", folder->known_hosts),
	                 0);
	assert_matches(&hashed, "second", 2222, &blob);
	assert_int_equal(hashed.lines[hashed.count - 1].number, 2);
}

static void file_without_a_last_line_feed_is_mended(void **state)
{
	const struct folder *folder = *state;
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT, again = KNOWN_HOSTS_INIT;
	_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(4000);

	make_key(folder, "ed25519", &blob);
	assert_int_equal(run("mkdir '%s/sub'; printf 'old %s%s' >'%s'", folder->path, ED, key_a,
	                     folder->known_hosts),
	                 0);
	load(&hosts, folder->known_hosts);
	add(&hosts, "new", 22, &blob);
	load(&again, folder->known_hosts);
	assert_int_equal(again.count, 2);
	assert_matches(&again, "new", 22, &blob);
	assert_int_equal(answer(&again, "old", 22, key_a), KNOWN_HOSTS_MATCHES);
}

static void names_that_would_break_the_file_are_refused(void **state)
{
	static const char *const names[] = {"",   "a b", "a\nb", "a,b", "*",   "!a",   "|1|",
	                                    "#a", "@a",  "a?",   "\t",  "a\"", "a\\b", "\x01"};
	const struct folder *folder = *state;
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;
	_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(4000);
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(base64_decode(&blob, key_a, strlen(key_a)));
	load(&hosts, folder->known_hosts);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_false(known_hosts_add(&hosts, names[i], 22, blob.data, blob.len, &err));
		assert_int_equal(err.kind, ERR_USAGE);
	}
	assert_int_equal(access(folder->known_hosts, F_OK), -1);
}

static void fingerprint_is_that_of_ssh_keygen(void **state)
{
	const struct folder *folder = *state;
	_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(4000), shown = STRBUF_INIT(100);
	_cleanup_err_ struct err err = ERR_INIT;

	make_key(folder, "ed25519", &blob);
	assert_true(known_hosts_add_fingerprint(&shown, blob.data, blob.len, &err));
	assert_int_equal(
		run("ssh-keygen -lf '%s/key.pub' | grep -qF ' %s '", folder->path, strbuf_get(&shown)), 0);
}

// The policy

static enum host_key_verdict judge(const char *rule_text, const struct known_hosts *hosts,
                                   const char *name, const char *key, struct err *err)
{
	_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(1000);
	struct host_key_rule rule;

	err_clear(err);
	assert_true(base64_decode(&blob, key, strlen(key)));
	assert_true(host_key_rule_parse(rule_text, &rule, err));
	return host_key_judge(&rule, hosts, name, 22, blob.data, blob.len, err);
}

static void rules_apply_to_what_is_known(void **state)
{
	static const char *const rules[] = {"ask", "accept-new", "strict"};
	static const enum host_key_verdict unknown[] = {HOST_KEY_QUESTION, HOST_KEY_NEW,
	                                                HOST_KEY_REFUSED};
	static const enum host_key_verdict other[] = {HOST_KEY_QUESTION, HOST_KEY_REFUSED,
	                                              HOST_KEY_REFUSED};
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	parse(&hosts, "/f", "h " ED KEY_A "\n");
	for (size_t i = 0; i < COUNT_OF(rules); i++) {
		assert_int_equal(judge(rules[i], &hosts, "h", key_a, &err), HOST_KEY_ACCEPTED);
		assert_int_equal(judge(rules[i], &hosts, "new", key_a, &err), unknown[i]);
		assert_int_equal(judge(rules[i], &hosts, "h", key_ecdsa, &err), other[i]);
		assert_int_equal(judge(rules[i], &hosts, "h", key_b, &err), HOST_KEY_REFUSED);
		assert_int_equal(err.kind, ERR_AUTH);
	}
}

// k0sctl#445: both fingerprints, the file and the line.
static void k0sctl_445_changed_key_shows_both_fingerprints(void **state)
{
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	parse(&hosts, "/f", "h " ED KEY_A "\n");
	assert_int_equal(judge("ask", &hosts, "h", key_b, &err), HOST_KEY_REFUSED);
	assert_non_null(strstr(err_message(&err), "/f:1"));
	assert_non_null(strstr(err_message(&err), "it is SHA256:"));
	assert_non_null(strstr(err_message(&err), "says SHA256:"));
}

static void pin_beats_the_files_but_not_revocation(void **state)
{
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;
	_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(100), pin = STRBUF_INIT(100);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(base64_decode(&blob, key_b, strlen(key_b)));
	assert_true(known_hosts_add_fingerprint(&pin, blob.data, blob.len, &err));
	parse(&hosts, "/f",
	      "h " ED KEY_A "\n"
	      "@revoked r " ED KEY_B "\n");
	assert_int_equal(judge(strbuf_get(&pin), &hosts, "h", key_b, &err), HOST_KEY_ACCEPTED);
	assert_int_equal(judge(strbuf_get(&pin), &hosts, "h", key_a, &err), HOST_KEY_REFUSED);
	assert_int_equal(err.kind, ERR_AUTH);
	assert_int_equal(judge(strbuf_get(&pin), &hosts, "r", key_b, &err), HOST_KEY_REFUSED);
	assert_non_null(strstr(err_message(&err), "revoked by /f:2"));
}

static void wrong_rules_are_refused(void **state)
{
	static const char *const wrong[] = {
		"",        "no",
		"sha256:", "sha256:abc",
		"md5:x",   "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	};
	struct host_key_rule rule;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		assert_false(host_key_rule_parse(wrong[i], &rule, &err));
		assert_int_equal(err.kind, ERR_USAGE);
	}
}

static void memory_may_be_short(void **state)
{
	static const char text[] = "h " ED KEY_A "\n";
	bool is_ok = false;

	(void)state;
	for (size_t nth = 1; !is_ok; nth++) {
		_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;
		_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(100);
		_cleanup_err_ struct err err = ERR_INIT;
		struct known_hosts_result result;

		assert_true(base64_decode(&blob, key_a, strlen(key_a)));
		unit_fail_allocation(nth);
		is_ok = known_hosts_parse(&hosts, "f", text, sizeof(text) - 1, &err) &&
		        known_hosts_check(&hosts, "h", 2222, blob.data, blob.len, &result, &err);
		unit_fail_allocation(0);
		assert_true(nth < 100);
	}
}

#define FOLDER_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_line_matches_or_has_changed),
		cmocka_unit_test(k0sctl_813_another_key_type_is_not_a_change),
		cmocka_unit_test(patterns_and_negation),
		cmocka_unit_test(star_takes_linear_time_in_a_long_name),
		cmocka_unit_test(port_has_its_own_lines),
		cmocka_unit_test(k0sctl_859_authority_and_several_files),
		cmocka_unit_test(revoked_key_is_never_good),
		cmocka_unit_test(bad_lines_are_skipped),
		FOLDER_TEST(ssh_keygen_agrees_about_lines),
		FOLDER_TEST(line_is_hashed_where_others_are),
		FOLDER_TEST(file_without_a_last_line_feed_is_mended),
		FOLDER_TEST(names_that_would_break_the_file_are_refused),
		FOLDER_TEST(fingerprint_is_that_of_ssh_keygen),
		cmocka_unit_test(rules_apply_to_what_is_known),
		cmocka_unit_test(k0sctl_445_changed_key_shows_both_fingerprints),
		cmocka_unit_test(pin_beats_the_files_but_not_revocation),
		cmocka_unit_test(wrong_rules_are_refused),
		cmocka_unit_test(memory_may_be_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
