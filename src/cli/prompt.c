// SPDX-License-Identifier: MIT
#include "cli/prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { ANSWER_MAX_BYTES = 1024, CTRL_C = 3, CTRL_D = 4, CTRL_U = 21, BACKSPACE = 8, DELETE = 127 };

static int open_terminal(struct err *err)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		err_set(err, ERR_AUTH, "no terminal to ask on");
	return fd;
}

bool cli_can_ask(void)
{
	_cleanup_err_ struct err ignored = ERR_INIT;
	int fd = open_terminal(&ignored);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool show(int fd, const char *text, struct err *err)
{
	size_t len = strlen(text);

	while (len) {
		ssize_t wrote = write(fd, text, len);

		if (wrote < 0 && errno != EINTR)
			return err_errno(err, "/dev/tty");
		if (wrote > 0) {
			text += wrote;
			len -= (size_t)wrote;
		}
	}
	return true;
}

// Takes one key into the LEN bytes at LINE; true when the line is over.
static bool take_key(char key, char *line, size_t *len, bool *is_given_up)
{
	*is_given_up = key == CTRL_C || (key == CTRL_D && !*len);
	if (key == '\n' || key == '\r' || *is_given_up)
		return true;
	if (key == BACKSPACE || key == DELETE) {
		while (*len && (line[*len - 1] & 0xc0) == 0x80)
			(*len)--; // the rest of a character in UTF-8
		*len -= *len > 0;
	} else if (key == CTRL_U) {
		*len = 0;
	} else if (*len < ANSWER_MAX_BYTES) {
		line[(*len)++] = key;
	}
	return false;
}

// Reads keys one by one: the terminal neither shows them nor makes signals of them, so that it is
// never left like that.
static bool read_hidden(int fd, char *line, size_t *ret_len, struct err *err)
{
	bool is_given_up = false;
	char key;

	*ret_len = 0;
	for (;;) {
		ssize_t got = read(fd, &key, 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return err_set(err, ERR_AUTH, "the terminal is gone");
		if (take_key(key, line, ret_len, &is_given_up))
			return !is_given_up || err_set(err, ERR_FAILED, "given up");
	}
}

// The terminal is set before the question is shown: what is typed in answer to it is never flushed away.
static bool ask(int fd, const char *question, bool is_echo_wanted, struct secret *ret,
                struct err *err)
{
	struct termios old, quiet;
	char line[ANSWER_MAX_BYTES];
	size_t len = 0;
	bool is_ok;

	if (tcgetattr(fd, &old))
		return err_errno(err, "/dev/tty");
	quiet = old;
	quiet.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG);
	if (is_echo_wanted)
		quiet.c_lflag = old.c_lflag;
	quiet.c_cc[VMIN] = 1;
	quiet.c_cc[VTIME] = 0;
	if (tcsetattr(fd, TCSAFLUSH, &quiet))
		return err_errno(err, "/dev/tty");
	is_ok = show(fd, question, err) && read_hidden(fd, line, &len, err);
	tcsetattr(fd, TCSAFLUSH, &old);
	is_ok = (is_echo_wanted || show(fd, "\n", err)) && is_ok && secret_set(ret, line, len, err);
	secret_wipe(line, sizeof(line));
	return is_ok;
}

bool cli_ask(const char *question, bool is_echo_wanted, struct secret *ret, struct err *err)
{
	int fd = open_terminal(err);
	bool is_ok;

	if (fd < 0)
		return false;
	is_ok = ask(fd, question, is_echo_wanted, ret, err);
	close(fd);
	return is_ok;
}

bool cli_ask_yes(const char *question, bool *ret_yes, struct err *err)
{
	for (;;) {
		_cleanup_secret_ struct secret answer = SECRET_INIT;

		if (!cli_ask(question, true, &answer, err))
			return false;
		*ret_yes = !strcmp(answer.data, "yes") || !strcmp(answer.data, "y");
		if (*ret_yes || !strcmp(answer.data, "no") || !strcmp(answer.data, "n"))
			return true;
	}
}
