// SPDX-License-Identifier: MIT
#include "cli/parse_args.h"

#include <string.h>

#include "unit.h"

struct options {
	bool is_loud;
	char *text;
	struct strv list;
	int64_t number, duration_s;
	const char *word;
};

#define AT(member) .offset = offsetof(struct options, member)

static const char *const words[] = {"red", "green", NULL};

static const struct cli_option rows[] = {
	{.name = "loud", .letter = 'l', .kind = CLI_FLAG, AT(is_loud), .help = "h"},
	{.name = "text", .letter = 't', .kind = CLI_STRING, AT(text), .metavar = "T", .help = "h"},
	{.name = "list", .kind = CLI_LIST, AT(list), .metavar = "L", .help = "h"},
	{.name = "number",
     .letter = 'n',
     .kind = CLI_INT,
     .min = -5,
     .max = 5,
     AT(number),
     .metavar = "N",
     .help = "h"},
	{.name = "time",
     .kind = CLI_DURATION,
     .min = 1,
     .max = 60,
     AT(duration_s),
     .metavar = "D",
     .help = "h"},
	{.name = "word", .kind = CLI_WORD, AT(word), .words = words, .metavar = "W", .help = "h"},
};
static const struct cli_group group = {"Rows", rows, COUNT_OF(rows)};
static const struct cli_group_use groups[] = {{&group, 0}};

static const struct cli_command command = {
	.name = "c",
	.args = "NAME",
	.summary = "s",
	.groups = groups,
	.group_count = 1,
	.word_min = 1,
	.word_max = 2,
	.takes_command = true,
	.options_size = sizeof(struct options),
};

struct parsed {
	struct options options;
	struct cli_context context;
	struct faults faults;
	bool is_complete;
};

static void release(struct parsed *parsed)
{
	mem_free(parsed->options.text);
	strv_release(&parsed->options.list);
	cli_context_release(&parsed->context);
	faults_release(&parsed->faults);
}
#define _cleanup_parsed_ _cleanup_(release)

static struct parsed parse(const struct cli_command *of, const char *const *args)
{
	struct parsed parsed = {.faults = FAULTS_INIT};
	char texts[16][64], *argv[16];
	int argc = 0;

	for (; args[argc]; argc++) {
		snprintf(texts[argc], sizeof(texts[argc]), "%s", args[argc]);
		argv[argc] = texts[argc];
	}
	parsed.is_complete =
		cli_parse_args(of, &parsed.options, &parsed.context, argc, argv, &parsed.faults);
	return parsed;
}

#define PARSE(...) parse(&command, (const char *const[]){__VA_ARGS__, NULL})

static void expect_fault(const struct parsed *parsed, size_t index, const char *text)
{
	assert_true(index < parsed->faults.errors.count);
	assert_string_equal(parsed->faults.errors.items[index], text);
}

static void every_kind_in_every_form(void **state)
{
	_cleanup_parsed_ struct parsed a = PARSE("x", "--loud", "--text", "a b", "--list=1", "--list",
	                                         "", "--number=-5", "--time", "1m", "--word", "green");
	_cleanup_parsed_ struct parsed b = PARSE("-lt-l", "x", "-n", "-3", "-q", "y");

	(void)state;
	assert_true(a.is_complete);
	assert_int_equal(a.faults.errors.count, 0);
	assert_true(a.options.is_loud);
	assert_string_equal(a.options.text, "a b");
	assert_int_equal(a.options.list.count, 2);
	assert_string_equal(a.options.list.items[1], "");
	assert_int_equal(a.options.number, -5);
	assert_int_equal(a.options.duration_s, 60);
	assert_ptr_equal(a.options.word, words[1]);
	assert_int_equal(b.faults.errors.count, 0);
	assert_true(b.options.is_loud);
	assert_string_equal(b.options.text, "-l");
	assert_int_equal(b.options.number, -3);
	assert_true(b.context.general.is_quiet);
	assert_int_equal(b.context.words.count, 2);
}

static void the_last_string_counts(void **state)
{
	_cleanup_parsed_ struct parsed p = PARSE("x", "-t", "a", "-tb", "--text=");

	(void)state;
	assert_string_equal(p.options.text, "");
}

static void a_command_follows_two_dashes(void **state)
{
	_cleanup_parsed_ struct parsed p = PARSE("x", "--", "--loud", "--", "-x", "");
	_cleanup_parsed_ struct parsed empty = PARSE("x", "--");

	(void)state;
	assert_int_equal(p.faults.errors.count, 0);
	assert_false(p.options.is_loud);
	assert_true(p.context.has_command);
	assert_int_equal(p.context.command.count, 4);
	assert_string_equal(p.context.command.items[1], "--");
	assert_string_equal(p.context.command.items[3], "");
	assert_true(empty.context.has_command);
	assert_int_equal(empty.context.command.count, 0);
}

static void all_faults_at_once(void **state)
{
	_cleanup_parsed_ struct parsed p = PARSE("--number", "6", "--time", "2m", "--word", "blue",
	                                         "--loud=1", "--text", "--list", "a");

	(void)state;
	assert_true(p.is_complete);
	assert_int_equal(p.faults.errors.count, 6);
	expect_fault(&p, 0, "--number: \"6\" is not a whole number from -5 to 5");
	expect_fault(&p, 1, "--time: \"2m\" is longer than 60 s");
	expect_fault(&p, 2, "--word: \"blue\" is not red or green");
	expect_fault(&p, 3, "--loud: takes no value");
	expect_fault(&p, 4, "--text: needs a value: --text T");
	expect_fault(&p, 5, "missing argument: NAME");
	assert_int_equal(p.options.list.count, 1);
}

static void an_unknown_option_ends_it(void **state)
{
	_cleanup_parsed_ struct parsed p = PARSE("--numer", "6", "--word", "blue");
	_cleanup_parsed_ struct parsed half = PARSE("--wo", "x");
	_cleanup_parsed_ struct parsed letter = PARSE("x", "-lz");

	(void)state;
	assert_false(p.is_complete);
	assert_int_equal(p.faults.errors.count, 1);
	expect_fault(&p, 0, "unknown option \"--numer\": did you mean \"--number\"?");
	expect_fault(&half, 0, "unknown option \"--wo\": did you mean \"--word\"?");
	expect_fault(&letter, 0, "unknown option \"-z\": see \"--help\"");
}

static void too_many_words(void **state)
{
	_cleanup_parsed_ struct parsed p = PARSE("a", "b", "c", "-");

	(void)state;
	assert_int_equal(p.context.words.count, 2);
	expect_fault(&p, 0, "unexpected argument \"c\": the command comes after \"--\"");
	expect_fault(&p, 1, "unexpected argument \"-\": the command comes after \"--\"");
}

static void help_needs_no_name(void **state)
{
	_cleanup_parsed_ struct parsed p = PARSE("--help");

	(void)state;
	assert_true(p.context.general.is_help_wanted);
	assert_int_equal(p.faults.errors.count, 0);
}

static void what_is_not_utf8_is_refused(void **state)
{
	_cleanup_parsed_ struct parsed p =
		PARSE("x", "-t", "\xFF", "--list=\xC3\x28", "--", "\xF0\x9F");

	(void)state;
	assert_int_equal(p.faults.errors.count, 3);
	assert_null(p.options.text);
	expect_fault(&p, 0, "--text: the value is not UTF-8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_in_every_form),
		cmocka_unit_test(the_last_string_counts),
		cmocka_unit_test(a_command_follows_two_dashes),
		cmocka_unit_test(all_faults_at_once),
		cmocka_unit_test(an_unknown_option_ends_it),
		cmocka_unit_test(too_many_words),
		cmocka_unit_test(help_needs_no_name),
		cmocka_unit_test(what_is_not_utf8_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
