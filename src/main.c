// SPDX-License-Identifier: MIT
// Finds the command, runs it, prints the one final error and returns the exit status.
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
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

static bool is_named(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, name);
}

// The words behind the program's name. `vpsml --version` is what people try first. kubectl starts
// us by other names: as its plugin, and to complete the line of that.
static char **read_words(int argc, char **argv, int *ret_count)
{
	static char version[] = "version", complete[] = "__complete", cobra[] = "--cobra", end[] = "--";
	bool is_completion = is_named(argv[0], "kubectl_complete-vpsml");
	char **words = mem_alloc(((size_t)argc + 3) * sizeof(*words));
	int count = 0;

	if (!words)
		return NULL;
	if (is_completion) {
		words[count++] = complete;
		words[count++] = cobra;
		words[count++] = end;
	}
	for (int i = 1; i < argc; i++)
		words[count++] = argc == 2 && !strcmp(argv[1], "--version") ? version : argv[i];
	*ret_count = count;
	return words;
}

static bool run(struct cli_context *context, int argc, char **argv, struct err *err)
{
	_cleanup_free_ char **words = NULL;
	int count = 0;

	if (argc < 1)
		return err_set(err, ERR_USAGE, "started without a name");
	if (is_named(argv[0], "kubectl-vpsml"))
		context->program = "kubectl vpsml";
	words = read_words(argc, argv, &count);
	return words ? cli_dispatch(&cmd_root, context, count, words, err) : err_memory(err);
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
	is_ok = run(&context, argc, argv, &err);
	cli_context_release(&context);
	if (is_ok)
		return context.exit_status;
	if (err.kind == ERR_NONE) // whoever read our output has gone
		return 128 + SIGPIPE;
	cli_show_error(&context, &err);
	return context.failure_status ? context.failure_status : err_exit_status(err.kind);
}
