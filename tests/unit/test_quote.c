// SPDX-License-Identifier: MIT
// Quoting, proved by the shells themselves.
#include "ssh/quote.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "unit.h"

enum { ROUND_WORDS = 60, LOGIN_SHELL_ROUNDS = 4, SH_ROUNDS = 170 };

// The same words at every run: xorshift.
static uint32_t roll(void)
{
	static uint32_t seed = 2463534242U;

	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

// What quoting most likely gets wrong, drawn more often than the other bytes.
static const char nasty[] = "'\"\\$`!%*?[]{}()<>|&;#~=^ \t\n\r\x01\x1b\x7f\x80\xff-n0";

static char random_byte(void)
{
	if (roll() % 2)
		return nasty[roll() % (sizeof(nasty) - 1)];
	return (char)(1 + roll() % 255);
}

static void random_word(char *word, size_t max)
{
	size_t len = roll() % max;

	for (size_t i = 0; i < len; i++)
		word[i] = random_byte();
	word[len] = '\0';
}

// What ARGV prints.
static void run(char *const *argv, struct strbuf *out)
{
	char block[4096];
	int output[2], status;
	ssize_t got;
	pid_t child;

	assert_int_equal(pipe(output), 0);
	child = fork();
	if (!child) {
		dup2(output[1], STDOUT_FILENO);
		close(output[0]);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(output[1]);
	while ((got = read(output[0], block, sizeof(block))) > 0)
		strbuf_add_n(out, block, (size_t)got);
	close(output[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

// Prints each of its arguments and a NUL after it.
static const char printer[] = "for w do printf '%s\\0' \"$w\"; done";

// SHELL is NULL for /bin/sh alone, or a login shell that gets the whole string.
static void round_trip(const char *shell, char words[][40], size_t count)
{
	const char *argv[ROUND_WORDS + 5] = {"/bin/sh", "-c", printer, "sh"};
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(100000), command = STRBUF_INIT(400000);
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(100000), expected = STRBUF_INIT(100000);
	_cleanup_err_ struct err err = ERR_INIT;
	char dash_c[] = "-c", name[64];

	for (size_t i = 0; i < count; i++) {
		argv[4 + i] = words[i];
		strbuf_add_n(&expected, words[i], strlen(words[i]) + 1);
	}
	quote_argv(&line, argv);
	if (shell && !quote_for_login_shell(&command, strbuf_get(&line), &err))
		fail_msg("%s", err_message(&err));
	snprintf(name, sizeof(name), "%s", shell ? shell : "/bin/sh");
	run((char *[]){name, dash_c, shell ? command.data : line.data, NULL}, &out);
	assert_int_equal(out.len, expected.len);
	assert_memory_equal(out.data, expected.data, expected.len);
}

static void random_round(const char *shell)
{
	char words[ROUND_WORDS][40];

	for (size_t i = 0; i < ROUND_WORDS; i++)
		random_word(words[i], sizeof(words[i]));
	round_trip(shell, words, ROUND_WORDS);
}

static bool has_program(const char *name)
{
	char command[100];

	snprintf(command, sizeof(command), "command -v %s >/dev/null 2>&1", name);
	return !system(command);
}

static void ten_thousand_random_words_through_sh(void **state)
{
	(void)state;
	for (size_t i = 0; i < SH_ROUNDS; i++)
		random_round(NULL);
}

static void every_byte_through_sh(void **state)
{
	char words[51][40];

	(void)state;
	for (int first = 1; first < 256; first += 51) {
		for (int i = 0; i < 51; i++) {
			words[i][0] = (char)(first + i);
			words[i][1] = '\0';
		}
		round_trip(NULL, words, 51);
	}
}

static void random_words_through_each_login_shell(void **state)
{
	static const char *const shells[] = {"/bin/sh", "dash", "bash", "zsh", "fish",
	                                     "csh",     "tcsh", "mksh", "ksh"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(shells); i++) {
		if (!has_program(shells[i])) {
			print_message("%s is not here\n", shells[i]);
			continue;
		}
		for (size_t turn = 0; turn < LOGIN_SHELL_ROUNDS; turn++)
			random_round(shells[i]);
	}
}

static void plain_words_stay_readable(void **state)
{
	static const char *const argv[] = {"apt-get", "-y",      "install", "kubelet=1.34.4-*",
	                                   "a b",     "it's me", "",        NULL};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(1000);

	(void)state;
	quote_argv(&out, argv);
	assert_string_equal(strbuf_get(&out),
	                    "apt-get -y install 'kubelet=1.34.4-*' 'a b' 'it'\\''s me' ''");
}

static void script_may_start_with_a_dash(void **state)
{
	_cleanup_strbuf_ struct strbuf command = STRBUF_INIT(1000), out = STRBUF_INIT(1000);
	_cleanup_err_ struct err err = ERR_INIT;
	char sh[] = "sh", dash_c[] = "-c";

	(void)state;
	assert_true(quote_for_login_shell(&command, "-v 2>/dev/null\nprintf '%s' \"$0\"", &err));
	run((char *[]){sh, dash_c, command.data, NULL}, &out);
	assert_string_equal(strbuf_get(&out), "/bin/sh");
}

static void script_too_long_is_refused(void **state)
{
	_cleanup_strbuf_ struct strbuf script = STRBUF_INIT(100000), out = STRBUF_INIT(400000);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	strbuf_add_repeat(&script, '!', 32000);
	assert_true(quote_for_login_shell(&out, strbuf_get(&script), &err));
	strbuf_add_repeat(&script, '!', 1000);
	assert_false(quote_for_login_shell(&out, strbuf_get(&script), &err));
	assert_string_equal(err.hint, "send it as a file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_thousand_random_words_through_sh),
		cmocka_unit_test(every_byte_through_sh),
		cmocka_unit_test(random_words_through_each_login_shell),
		cmocka_unit_test(plain_words_stay_readable),
		cmocka_unit_test(script_may_start_with_a_dash),
		cmocka_unit_test(script_too_long_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
