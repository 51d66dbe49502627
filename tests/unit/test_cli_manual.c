// SPDX-License-Identifier: MIT
#include "cli/manual.h"

#include "unit.h"

static const struct cli_option rows[] = {
	{.name = "no-colour", .kind = CLI_FLAG, .help = "plain; as --colour=never"},
	{.name = "env",
     .letter = 'e',
     .kind = CLI_LIST,
     .metavar = "N",
     .help = "a\\b ~ ^ `c`. Then 'd'. .e"},
};
static const struct cli_group group = {"Looks", rows, COUNT_OF(rows)};
static const struct cli_group_use groups[] = {{&group, 0}};
static const struct cli_example examples[] = {{"how", ".try 'x' \\\n      --no-colour"}};

static const struct cli_command show = {
	.name = "show",
	.page = "vpsml",
	.alias = "s",
	.section = "Things",
	.args = "[NAME...]",
	.summary = "show things",
	.about = "First.\nSecond one.",
	.groups = groups,
	.group_count = 1,
	.examples = examples,
	.example_count = 1,
	.takes_command = true,
};
static const struct cli_command drop = {.name = "drop",
                                        .section = "Things",
                                        .args = "THING",
                                        .summary = "drop things",
                                        .page = "vpsml"};
static const struct cli_command secret = {
	.name = "secret", .section = "Things", .summary = "not to be seen", .is_hidden = true};
static const struct cli_command elsewhere = {
	.name = "elsewhere",
	.section = "More",
	.summary = "described elsewhere",
	.page = "vpsml-elsewhere",
	.groups = groups,
	.group_count = 1,
	.examples = examples,
	.example_count = 1,
};
static const struct cli_command *const verbs[] = {&show, &secret, &drop, &elsewhere, NULL};
static const struct cli_command root = {.name = "vpsml", .page = "vpsml", .verbs = verbs};

static const char general[] = ".Ss General\n.Bl -tag -width Ds\n"
							  ".It Fl h , Fl -help\nshow this help\n"
							  ".It Fl q , Fl -quiet\nshow no warnings\n"
							  ".It Fl v , Fl -verbose\n"
							  "show requests and steps on standard error; twice: more of each\n"
							  "(repeatable)\n.El\n";

// Fills PAGE and compares it with EXPECTED.
static void fills(const char *page, const char *expected)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(cli_manual_fill(&out, page, &root, &err));
	assert_true(strbuf_ok(&out, &err));
	assert_string_equal(strbuf_get(&out), expected);
}

static void refuses(const char *page, const char *message)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
	_cleanup_err_ struct err err = ERR_INIT;

	assert_false(cli_manual_fill(&out, page, &root, &err));
	assert_string_equal(err_message(&err), message);
}

static void text_outside_of_blocks_stays(void **state)
{
	(void)state;
	fills("", "");
	fills("a\n.\\\" BEGINNING\nb", "a\n.\\\" BEGINNING\nb");
	fills("a\n.\\\" BEGIN commands vpsml\nold\n.\\\" END\nb\n",
	      "a\n.\\\" BEGIN commands vpsml\n"
	      ".Ss Things\n.Bl -tag -width completion\n"
	      ".It Cm show\nshow things\n.It Cm drop\ndrop things\n.El\n"
	      ".Ss More\n.Bl -tag -width completion\n"
	      ".It Cm elsewhere\ndescribed elsewhere\n.El\n"
	      ".\\\" END\nb\n");
}

static void filling_twice_changes_nothing(void **state)
{
	_cleanup_strbuf_ struct strbuf once = STRBUF_INIT(65536);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(cli_manual_fill(&once,
	                            ".\\\" BEGIN options vpsml\n.\\\" END\n"
	                            ".\\\" BEGIN examples vpsml show\n.\\\" END\n",
	                            &root, &err));
	fills(strbuf_get(&once), strbuf_get(&once));
}

static void synopsis_has_a_line_for_each_verb(void **state)
{
	(void)state;
	fills(".\\\" BEGIN synopsis vpsml\n.\\\" END", ".\\\" BEGIN synopsis vpsml\n"
	                                               ".Nm vpsml\n.Cm show\n.Op Ar NAME ...\n"
	                                               ".Op Ar OPTION ...\n.Op Fl - Ar COMMAND ...\n"
	                                               ".Nm vpsml\n.Cm drop\n.Ar THING\n"
	                                               ".Op Ar OPTION ...\n.\\\" END");
}

static void verbs_have_paragraphs(void **state)
{
	(void)state;
	fills(".\\\" BEGIN verbs vpsml show\n.\\\" END",
	      ".\\\" BEGIN verbs vpsml show\n.Bl -tag -width Ds\n"
	      ".It Cm show Op Ar NAME ...\nFirst.\n.Pp\nSecond one.\nAlso called\n.Cm s .\n.El\n"
	      ".\\\" END");
}

static void options_name_who_takes_them(void **state)
{
	_cleanup_strbuf_ struct strbuf expected = STRBUF_INIT(65536);

	(void)state;
	strbuf_addf(&expected,
	            ".\\\" BEGIN options vpsml\n.Ss Looks (show)\n.Bl -tag -width Ds\n"
	            ".It Fl -no-colour\nplain; as \\-\\-colour=never\n"
	            ".It Fl e , Fl -env Ar \\&N\na\\eb \\(ti \\(ha \\(gac\\(ga.\n"
	            "Then \\&'d'. \\&.e\n(repeatable)\n.El\n%s.\\\" END",
	            general);
	fills(".\\\" BEGIN options vpsml\n.\\\" END", expected.data);
}

static void examples_can_be_copied(void **state)
{
	(void)state;
	fills(".\\\" BEGIN examples vpsml\n.\\\" END",
	      ".\\\" BEGIN examples vpsml\nhow\n.Bd -literal -offset indent\n"
	      "\\&.try \\(aqx\\(aq \\e\n      \\-\\-no\\-colour\n.Ed\n.\\\" END");
}

static void pages_are_linked_once(void **state)
{
	(void)state;
	fills(".\\\" BEGIN pages vpsml\n.\\\" END",
	      ".\\\" BEGIN pages vpsml\n.Xr vpsml-elsewhere 1\n.\\\" END");
}

static void faults_are_named(void **state)
{
	(void)state;
	refuses(".\\\" BEGIN options vpsml\n", "options vpsml: no end");
	refuses(".\\\" BEGIN options vpsml nosuch\n.\\\" END", "no command \"vpsml nosuch\"");
	refuses(".\\\" BEGIN option vpsml\n.\\\" END", "no block \"option\"");
	refuses(".\\\" BEGIN options\n.\\\" END", "no command \"\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_outside_of_blocks_stays),
		cmocka_unit_test(filling_twice_changes_nothing),
		cmocka_unit_test(synopsis_has_a_line_for_each_verb),
		cmocka_unit_test(verbs_have_paragraphs),
		cmocka_unit_test(options_name_who_takes_them),
		cmocka_unit_test(examples_can_be_copied),
		cmocka_unit_test(pages_are_linked_once),
		cmocka_unit_test(faults_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
