// SPDX-License-Identifier: MIT
#include "boot/script.h"

#include <string.h>

#include "unit.h"

static void on_say(void *context, enum boot_word word, const char *text)
{
	strbuf_addf(context, "<%d %s>", (int)word, text);
}

static void on_line(void *context, const char *line)
{
	strbuf_addf(context, "[%s]", line);
}

static void check_output(const char *text, size_t piece, const char *expected)
{
	_cleanup_strbuf_ struct strbuf found = STRBUF_INIT(65536);
	const struct boot_output_calls calls = {on_say, on_line, &found};
	struct boot_output output;
	size_t len = strlen(text);

	boot_output_init(&output, "T", &calls);
	for (size_t at = 0; at < len; at += piece)
		boot_output_feed(&output, text + at, len - at < piece ? len - at : piece);
	boot_output_release(&output);
	assert_string_equal(strbuf_get(&found), expected);
}

static void output_comes_out_the_same_however_it_is_cut(void **state)
{
	static const char text[] =
		"T begin modules\nmodprobe: x\nT end modules\nT note a b\nTx begin y\n"
		"T begins\nT unheard of\nT done\nhalf";
	static const char expected[] = "<0 modules>[modprobe: x]<2 modules><4 a b>[Tx begin y]<7 >";

	(void)state;
	for (size_t piece = 1; piece < sizeof(text); piece++)
		check_output(text, piece, expected);
}

static void check_cause(const char *line, const char *message)
{
	_cleanup_strv_ struct strv lines = STRV_INIT;
	_cleanup_err_ struct err err = ERR_INIT, cause = ERR_INIT;

	assert_true(strv_add(&lines, "[preflight] Running pre-flight checks", &err));
	assert_true(strv_add(&lines, line, &err));
	assert_int_equal(boot_cause(&lines, &cause), message != NULL);
	if (message)
		assert_non_null(strstr(err_message(&cause), message));
}

static void kubeadms_words_have_a_meaning(void **state)
{
	(void)state;
	check_cause("\t[ERROR NumCPU]: the number of available CPUs 1 is less than the required 2",
	            "too few CPUs");
	check_cause("\t[ERROR Port-6443]: Port 6443 is in use", "a port that the node needs is taken");
	check_cause(
		"error execution phase preflight: couldn't validate the identity of the API Server: "
		"could not find a JWS signature in the cluster-info ConfigMap",
		"the bootstrap token is not known");
	check_cause(
		"E0101 run.go: \"command failed\" err=\"failed to run Kubelet: running with swap on is "
		"not supported\"",
		"does not start with swap");
	check_cause("nothing that is known", NULL);
}

// A file's text cannot end the place where it stands in the script.
static void content_stays_content(void **state)
{
	struct boot_file files[] = {
		{.path = (char *)(uintptr_t) "/a b'c",
	     .mode = 0600,
	     .content = (char *)(uintptr_t) "$x `y`\nEOF\n"},
		{.path = (char *)(uintptr_t) "run:x", .mode = 0644, .content = (char *)(uintptr_t) "cut"},
		{.path = (char *)(uintptr_t) "/gone", .content = NULL},
	};
	struct boot_step step = {.name = "s", .files = files, .file_count = COUNT_OF(files)};
	const struct boot_steps steps = {&step, 1};
	struct boot_script script = {
		.cluster = "it's", .run = "r", .token = "tok", .steps = &steps, .phases = 1};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(BOOT_SCRIPT_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(boot_script_render(&script, &out, &err));
	assert_non_null(strstr(strbuf_get(&out), "N=tok\nCLUSTER='it'\\''s'\n"));
	assert_non_null(
		strstr(strbuf_get(&out), "put '/a b'\\''c' 0600 - <<'tok-file'\n$x `y`\nEOF\ntok-file\n"));
	assert_non_null(strstr(strbuf_get(&out), "head -c 3 <<'tok-file' | put \"$RUN\"/"));
	assert_non_null(strstr(strbuf_get(&out), "rm -f "));
	assert_non_null(strstr(strbuf_get(&out), "step s 0\n"));
	script.phases = 2; // another phase
	strbuf_clear(&out);
	assert_true(boot_script_render(&script, &out, &err));
	assert_null(strstr(strbuf_get(&out), "step s 0\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_comes_out_the_same_however_it_is_cut),
		cmocka_unit_test(kubeadms_words_have_a_meaning),
		cmocka_unit_test(content_stays_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
