// SPDX-License-Identifier: MIT
#include "cli/place.h"

#include <string.h>

#include "cli/offer.h"
#include "unit.h"

static const char *const formats[] = {"json", "yaml", "name", NULL};
static const struct cli_option rows[] = {
	{.name = "output",
     .letter = 'o',
     .kind = CLI_WORD,
     .metavar = "FORMAT",
     .words = formats,
     .help = "how"},
	{.name = "follow", .letter = 'f', .kind = CLI_FLAG, .help = "go on"},
	{.name = "context",
     .kind = CLI_STRING,
     .metavar = "NAME",
     .completion = CLI_COMPLETE_CONTEXT,
     .help = "which"},
};
static const struct cli_group group = {"Some", rows, COUNT_OF(rows)};
static const struct cli_group_use groups[] = {{&group, 0}};
static const struct cli_command logs = {.name = "logs",
                                        .alias = "log",
                                        .summary = "show it",
                                        .groups = groups,
                                        .group_count = 1,
                                        .word_max = 2,
                                        .arg_completion = CLI_COMPLETE_JOB,
                                        .takes_command = true};
static const struct cli_command secret = {.name = "secret", .is_hidden = true};
static const struct cli_command *const verbs[] = {&logs, &secret, NULL};
static const struct cli_command root = {.name = "vpsml", .verbs = verbs};

// What LINE, whose words are parted by blanks, asks for: "WISH TYPED", and what is offered there.
static void check(const char *line, const char *wish, const char *offered)
{
	static const char *const wishes[] = {"nothing", "verb", "option", "value", "word"};
	_cleanup_strv_ struct strv words = STRV_INIT;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096), out = STRBUF_INIT(4096);
	_cleanup_err_ struct err err = ERR_INIT;
	struct cli_place place;

	assert_true(strv_split(&words, line, ' ', &err));
	cli_place_find(&place, &root, words.items, words.count);
	strbuf_addf(&text, "%s %s", wishes[place.wish], place.typed);
	assert_string_equal(strbuf_get(&text), wish);
	cli_offer(&out, &place);
	assert_string_equal(strbuf_get(&out), offered);
}

static void verbs_come_first(void **state)
{
	(void)state;
	check("", "verb ", "logs\tshow it\n");
	check("lo", "verb lo", "logs\tshow it\n");
	check("secret", "verb secret", ""); // hidden
	check("bogus ", "nothing ", "");
	check("--quiet ", "verb ", "logs\tshow it\n");
	check("-", "option -",
	      "--help\tshow this help\n--quiet\tshow no warnings\n"
	      "--verbose\tshow requests and steps on standard error; twice: more of each\n");
}

static void words_behind_a_verb(void **state)
{
	(void)state;
	check("logs ", "word ", "");
	check("log a b", "word b", "");
	check("logs a b ", "nothing ", "");
	check("logs -f a ", "word ", "");
	check("logs -o json a ", "word ", "");
	check("logs -ojson --context=x a b ", "nothing ", "");
	check("logs -- ", "nothing ", ""); // of another program
	check("logs -- x -o ", "nothing ", "");
}

static void values_of_options(void **state)
{
	(void)state;
	check("logs -o ", "value ", "json\nyaml\nname\n");
	check("logs -o j", "value j", "json\n");
	check("logs -oj", "value j", "json\n");
	check("logs -fo ", "value ", "json\nyaml\nname\n");
	check("logs -foj", "value j", "json\n");
	check("logs --output=", "value ", "json\nyaml\nname\n");
	check("logs --output=n", "value n", "name\n");
	check("logs --output --fol", "option --fol", "--follow\tgo on\n");
	check("logs --out", "option --out", "--output\thow\n");
	check("logs --nosuch ", "word ", "");
	check("logs --nosuch=", "option --nosuch=", "");
	check("logs --follow=", "option --follow=", "");
}

static void rows_say_what_to_complete(void **state)
{
	static char verb[] = "logs", option[] = "--context", empty[] = "";
	char *words[] = {verb, option, empty};
	struct cli_place place;

	(void)state;
	cli_place_find(&place, &root, words, 3);
	assert_int_equal(cli_place_completion(&place), CLI_COMPLETE_CONTEXT);
	assert_int_equal(place.verb_count, 1);
	words[1] = empty;
	cli_place_find(&place, &root, words, 2);
	assert_int_equal(cli_place_completion(&place), CLI_COMPLETE_JOB);
	cli_place_find(&place, &root, words, 1);
	assert_int_equal(cli_place_completion(&place), CLI_COMPLETE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verbs_come_first),
		cmocka_unit_test(words_behind_a_verb),
		cmocka_unit_test(values_of_options),
		cmocka_unit_test(rows_say_what_to_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
