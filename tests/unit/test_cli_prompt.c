// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // RTLD_NEXT
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "cli/prompt.h"
#include "unit.h"

// A slow terminal: what is typed before it is set may be flushed.
int tcsetattr(int fd, int when, const struct termios *mode)
{
	int (*real)(int, int, const struct termios *) = NULL;

	*(void **)&real = dlsym(RTLD_NEXT, "tcsetattr");
	poll(NULL, 0, 50);
	return real(fd, when, mode);
}

// Asks on a terminal of its own, whose name is PATH; ends with 0 if the answer came.
static void ask_and_exit(const char *path)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_secret_ struct secret answer = SECRET_INIT;
	int fd;

	setsid();
	fd = open(path, O_RDWR); // the first terminal that is opened is the session's
	alarm(3);
	_exit(fd >= 0 && cli_ask("Password: ", false, &answer, &err) && !strcmp(answer.data, "secret")
	          ? 0
	          : 1);
}

// Reads until the question is there, and answers at that very moment.
static void answer_at_once(int fd)
{
	char said[64] = "";
	size_t len = 0;

	while (!strstr(said, ": ")) {
		ssize_t got = read(fd, said + len, sizeof(said) - 1 - len);

		assert_true(got > 0);
		len += (size_t)got;
	}
	assert_int_equal(write(fd, "secret\n", 7), 7);
}

static void an_answer_is_never_flushed_away(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		int fd = posix_openpt(O_RDWR | O_NOCTTY);
		int held, status;
		pid_t child;

		assert_true(fd >= 0 && !grantpt(fd) && !unlockpt(fd));
		held = open(ptsname(fd), O_RDWR | O_NOCTTY); // else reading fails before the child has it
		child = fork();
		if (!child)
			ask_and_exit(ptsname(fd));
		answer_at_once(fd);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
		close(held);
		close(fd);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_is_never_flushed_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
