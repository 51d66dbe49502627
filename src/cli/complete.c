// SPDX-License-Identifier: MIT
#include "cli/complete.h"

#include <string.h>

#include "cli/complete_shell.h"

const char *const cli_shell_words[] = {"bash", "zsh", "fish", NULL};

static cli_complete_fn *const writers[CLI_SHELL_COUNT] = {
	[CLI_SHELL_BASH] = cli_complete_bash,
	[CLI_SHELL_ZSH] = cli_complete_zsh,
	[CLI_SHELL_FISH] = cli_complete_fish,
};

void cli_complete(struct strbuf *out, enum cli_shell shell, const struct cli_command *root)
{
	writers[shell](out, root);
}

void cli_complete_add_quoted(struct strbuf *out, const char *text)
{
	strbuf_add_char(out, '\'');
	for (; *text; text++)
		if (*text == '\'')
			strbuf_add(out, "'\\''");
		else
			strbuf_add_char(out, *text);
	strbuf_add_char(out, '\'');
}

void cli_complete_add_escaped(struct strbuf *out, const char *text, const char *special)
{
	for (; *text; text++) {
		if (strchr(special, *text))
			strbuf_add_char(out, '\\');
		strbuf_add_char(out, *text);
	}
}

const char *cli_complete_verb_path(const char *path)
{
	size_t len = strcspn(path, " ");

	return path + len + (path[len] == ' ');
}
