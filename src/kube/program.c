// SPDX-License-Identifier: MIT
#include "kube/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"

extern char **environ;

enum { TAIL_BYTES = 2048, PIECE_BYTES = 16 * 1024, FD_MAX = 4096, END_STEP_MS = 10 };

struct child {
	pid_t pid;
	int out[2], error[2]; // pipes; -1: not open
	int64_t due_ms;       // monotonic; -1: never
	struct strbuf tail;   // of its standard error
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int64_t now_ms(void)
{
	return clock_system.monotonic_ms(clock_system.context);
}

// Sockets and files of ours are not for the program. (closefrom is not everywhere.)
static void keep_fds_private(void)
{
	long limit = sysconf(_SC_OPEN_MAX);

	for (int fd = 3; fd < (limit > 0 && limit < FD_MAX ? limit : FD_MAX); fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags >= 0 && !(flags & FD_CLOEXEC))
			fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
	}
}

static bool is_overridden(const struct strv *env, const char *variable)
{
	size_t len = strcspn(variable, "=");

	for (size_t i = 0; i < env->count; i++)
		if (!strncmp(env->items[i], variable, len) && env->items[i][len] == '=')
			return true;
	return false;
}

static bool merge_environment(struct strv *ret, const struct strv *env, struct err *err)
{
	for (char **variable = environ; *variable; variable++)
		if (!is_overridden(env, *variable) && !strv_add(ret, *variable, err))
			return false;
	for (size_t i = 0; i < env->count; i++)
		if (!strv_add(ret, env->items[i], err))
			return false;
	return true;
}

static int set_up_files(posix_spawn_file_actions_t *actions, const struct child *child,
                        bool is_interactive)
{
	int code = 0;

	if (!is_interactive)
		code = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
	if (!code)
		code = posix_spawn_file_actions_adddup2(actions, child->out[1], 1);
	if (!code && !is_interactive)
		code = posix_spawn_file_actions_adddup2(actions, child->error[1], 2);
	return code;
}

// Signals that we ignore or hold back must not be so for the program.
static int set_up_signals(posix_spawnattr_t *attributes)
{
	sigset_t none, all;
	int code;

	sigemptyset(&none);
	sigfillset(&all);
	sigdelset(&all, SIGKILL);
	sigdelset(&all, SIGSTOP);
	code = posix_spawnattr_setsigmask(attributes, &none);
	if (!code)
		code = posix_spawnattr_setsigdefault(attributes, &all);
	if (!code)
		code = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	return code;
}

static bool start(const struct program *program, struct child *child, struct err *err)
{
	_cleanup_strv_ struct strv env = STRV_INIT;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int code;

	if (!merge_environment(&env, program->env, err))
		return false;
	if (pipe(child->out) || pipe(child->error))
		return err_errno(err, "pipe");
	keep_fds_private();
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	code = set_up_files(&actions, child, program->is_interactive);
	if (!code)
		code = set_up_signals(&attributes);
	if (!code)
		code = posix_spawnp(&child->pid, program->argv->items[0], &actions, &attributes,
		                    program->argv->items, env.items);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	close_fd(&child->out[1]);
	close_fd(&child->error[1]);
	errno = code;
	return !code || err_errno(err, "%s", program->argv->items[0]);
}

// Adds a piece to the tail and forgets what is long ago.
static void keep_tail(struct strbuf *tail, const char *data, size_t len)
{
	if (len > TAIL_BYTES) {
		data += len - TAIL_BYTES;
		len = TAIL_BYTES;
	}
	if (tail->len + len > TAIL_BYTES) {
		size_t drop = tail->len + len - TAIL_BYTES;

		memmove(tail->data, tail->data + drop, tail->len - drop + 1);
		tail->len -= drop;
	}
	strbuf_add_n(tail, data, len);
}

static bool read_piece(int *fd, struct strbuf *out, bool is_tail, struct err *err)
{
	char piece[PIECE_BYTES];
	ssize_t len = read(*fd, piece, sizeof(piece));

	if (len < 0)
		return errno == EINTR || err_errno(err, "read");
	if (len == 0)
		close_fd(fd);
	else if (is_tail)
		keep_tail(out, piece, (size_t)len);
	else
		strbuf_add_n(out, piece, (size_t)len);
	return strbuf_ok(out, err);
}

static int left_ms(const struct child *child)
{
	int64_t left;

	if (child->due_ms < 0)
		return -1;
	left = child->due_ms - now_ms();
	return left < 0 ? 0 : (int)left;
}

static bool too_long(const struct program *program, struct err *err)
{
	return err_set(err, ERR_FAILED, "%s: no answer after %lld s", program->argv->items[0],
	               (long long)(program->limit_ms / 1000));
}

// Reads until the program has closed its output.
static bool read_all(const struct program *program, struct child *child, struct strbuf *out,
                     struct err *err)
{
	while (child->out[0] >= 0) {
		struct pollfd fds[2] = {{.fd = child->out[0], .events = POLLIN},
		                        {.fd = child->error[0], .events = POLLIN}};
		int count = poll(fds, 2, left_ms(child));

		if (count == 0)
			return too_long(program, err);
		if (count < 0 && errno != EINTR)
			return err_errno(err, "poll");
		if (count < 0)
			continue;
		if ((fds[1].revents && !read_piece(&child->error[0], &child->tail, true, err)) ||
		    (fds[0].revents && !read_piece(&child->out[0], out, false, err)))
			return false;
	}
	return true;
}

static bool wait_for_end(const struct program *program, struct child *child, int *ret_status,
                         struct err *err)
{
	for (;;) {
		pid_t pid = waitpid(child->pid, ret_status, child->due_ms < 0 ? 0 : WNOHANG);

		if (pid < 0 && errno != EINTR)
			return err_errno(err, "waitpid");
		if (pid == child->pid) {
			child->pid = 0;
			return true;
		}
		if (pid == 0 && left_ms(child) == 0)
			return too_long(program, err);
		if (pid == 0)
			poll(NULL, 0, END_STEP_MS);
	}
}

static bool judge(const struct program *program, const struct child *child, int status,
                  struct err *err)
{
	_cleanup_strbuf_ struct strbuf said = STRBUF_INIT(4 * TAIL_BYTES);

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (WIFSIGNALED(status))
		err_set(err, ERR_FAILED, "%s: ended by signal %d", program->argv->items[0],
		        WTERMSIG(status));
	else
		err_set(err, ERR_FAILED, "%s: exit status %d", program->argv->items[0],
		        WEXITSTATUS(status));
	text_sanitize(&said, strbuf_get(&child->tail), child->tail.len, TEXT_KEEP_LINES);
	while (said.len && said.data[said.len - 1] == '\n')
		said.data[--said.len] = '\0';
	if (said.len)
		err_hint(err, "%s", strbuf_get(&said));
	return false;
}

static void end(struct child *child)
{
	for (int i = 0; i < 2; i++) {
		close_fd(&child->out[i]);
		close_fd(&child->error[i]);
	}
	if (child->pid > 0) {
		kill(child->pid, SIGKILL);
		while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	strbuf_release(&child->tail);
}

bool program_run(const struct program *program, struct strbuf *out, struct err *err)
{
	struct child child = {.out = {-1, -1},
	                      .error = {-1, -1},
	                      .due_ms = program->limit_ms ? now_ms() + program->limit_ms : -1,
	                      .tail = STRBUF_INIT(TAIL_BYTES)};
	int status = 0;
	bool is_ok = start(program, &child, err) && read_all(program, &child, out, err) &&
	             wait_for_end(program, &child, &status, err) && judge(program, &child, status, err);

	end(&child);
	return is_ok;
}
