// SPDX-License-Identifier: MIT
// Finds the command, runs it, prints the one final error and returns the exit status.
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <unistd.h>

#include "cli/command.h"
#include "cmd/commands.h"

// A descriptor 0 to 2 that is closed would be given to the next file that we open: a connection, and then
// messages would go to the server. It is opened the wrong way round, so that it still fails as a closed one.
static void hold_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return;
}

// LC_CTYPE alone, for the width of characters: LC_ALL would change the decimal point of strtod.
static void use_utf8(void)
{
	setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8");
}

// `vpsml --version` is what people try first.
static char *const *version_words(int argc, char **argv)
{
	static char version[] = "version";
	static char *const words[] = {version, NULL};

	return argc == 2 && !strcmp(argv[1], "--version") ? words : argv + 1;
}

int main(int argc, char **argv)
{
	struct cli_context context = {
		.out = stdout,
		.err = stderr,
		.getenv = getenv,
		.clock = &clock_system,
	};
	_cleanup_err_ struct err err = ERR_INIT;
	bool is_ok;

	hold_streams();
	use_utf8();
	is_ok =
		argc > 0 && cli_dispatch(&cmd_root, &context, argc - 1, version_words(argc, argv), &err);
	cli_context_release(&context);
	if (is_ok)
		return context.exit_status;
	if (err.kind == ERR_NONE) // whoever read our output has gone
		return 128 + SIGPIPE;
	cli_show_error(&context, &err);
	return context.failure_status ? context.failure_status : err_exit_status(err.kind);
}
