// SPDX-License-Identifier: MIT
// vpsml completion bash|zsh|fish: the script that completes vpsml's command line.
#include "cmd/commands.h"

#include "base/parse.h"
#include "cli/complete.h"
#include "cli/output.h"

enum { SCRIPT_MAX_BYTES = 1024 * 1024 };

struct completion_options {
	size_t shell; // an enum cli_shell
};

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct completion_options *options = data;
	_cleanup_err_ struct err err = ERR_INIT;

	if (context->words.count &&
	    !parse_word(context->words.items[0], cli_shell_words, &options->shell, &err))
		faults_take(faults, &err);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	const struct completion_options *options = data;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(SCRIPT_MAX_BYTES);

	cli_complete(&text, (enum cli_shell)options->shell, &cmd_root);
	return cli_write_out(context, &text, err);
}

static const struct cli_example examples[] = {
	{"bash: this line in ~/.bashrc", "eval \"$(vpsml completion bash)\""},
	{"zsh: this line in ~/.zshrc, behind compinit", "eval \"$(vpsml completion zsh)\""},
	{"fish: this line in ~/.config/fish/config.fish", "source (vpsml completion fish | psub)"},
};

const struct cli_command cmd_completion = {
	.name = "completion",
	.section = "Other",
	.args = "bash|zsh|fish",
	.summary = "print the script that completes vpsml's command line",
	.about =
		"Prints a script with which the shell completes vpsml's commands, options and values, and "
		"shows what each is for. Names of jobs, nodes and namespaces are asked of the cluster. It "
		"needs nothing but the shell.\n"
		"An installed vpsml has brought the scripts to where zsh, fish and the package "
		"bash-completion look for them. Otherwise let the shell read them when it starts, as the "
		"examples show.",
	.page = "vpsml-completion",
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_min = 1,
	.word_max = 1,
	.arg_words = cli_shell_words,
	.options_size = sizeof(struct completion_options),
	.check = check,
	.run = run,
};
