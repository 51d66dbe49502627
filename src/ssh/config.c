// SPDX-License-Identifier: MIT
#include "ssh/config.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/strbuf.h"

extern char **environ;

enum { ANSWER_MAX_BYTES = 256 << 10 };

// Reading the answer

static bool set_text(char **field, const char *value, struct err *err)
{
	if (*field)
		return true; // the first one counts
	*field = mem_dup(value);
	return *field || err_memory(err);
}

// The same for keys whose "none" means that there is none.
static bool set_unless_none(char **field, const char *value, struct err *err)
{
	return !strcmp(value, "none") || set_text(field, value, err);
}

static bool add_words(struct strv *list, const char *value, struct err *err)
{
	while (*value) {
		size_t len = strcspn(value, " ");

		if (len && !strv_add_n(list, value, len, err))
			return false;
		value += len + (value[len] == ' ');
	}
	return true;
}

static bool take_value(struct ssh_config *config, const char *key, const char *value,
                       struct err *err)
{
	int64_t port;

	if (!strcmp(key, "hostname"))
		return set_text(&config->host_name, value, err);
	if (!strcmp(key, "user"))
		return set_text(&config->user, value, err);
	if (!strcmp(key, "identityfile"))
		return strv_add(&config->identity_files, value, err);
	if (!strcmp(key, "userknownhostsfile") || !strcmp(key, "globalknownhostsfile"))
		return add_words(&config->known_hosts, value, err);
	if (!strcmp(key, "hostkeyalias"))
		return set_text(&config->host_key_alias, value, err);
	if (!strcmp(key, "identityagent"))
		return set_text(&config->identity_agent, value, err);
	if (!strcmp(key, "proxyjump"))
		return set_unless_none(&config->proxy_jump, value, err);
	if (!strcmp(key, "proxycommand"))
		return set_unless_none(&config->proxy_command, value, err);
	if (!strcmp(key, "stricthostkeychecking"))
		return set_text(&config->strict_host_key, value, err);
	if (!strcmp(key, "identitiesonly"))
		config->is_identities_only = !strcmp(value, "yes");
	if (strcmp(key, "port") != 0)
		return true;
	if (!parse_i64(value, 1, 65535, &port, err))
		return err_wrap(err, "port");
	config->port = (uint16_t)port;
	return true;
}

static bool take_line(struct ssh_config *config, char *line, struct err *err)
{
	char *blank = strchr(line, ' ');

	if (!blank)
		return true;
	*blank = '\0';
	return take_value(config, line, blank + 1, err);
}

// ssh prints the system's known_hosts files before the user's; keys are added to the user's.
static bool parse_lines(const struct strv *lines, struct ssh_config *config, struct err *err)
{
	static const char user_files[] = "userknownhostsfile ";

	for (size_t i = 0; i < lines->count; i++)
		if (!strncmp(lines->items[i], user_files, sizeof(user_files) - 1) &&
		    !take_line(config, lines->items[i], err))
			return false;
	for (size_t i = 0; i < lines->count; i++)
		if (!take_line(config, lines->items[i], err))
			return false;
	return true;
}

bool ssh_config_parse(const char *text, struct ssh_config *ret, struct err *err)
{
	_cleanup_ssh_config_ struct ssh_config config = SSH_CONFIG_INIT;
	_cleanup_strv_ struct strv lines = STRV_INIT;

	if (!strv_split(&lines, text, '\n', err) || !parse_lines(&lines, &config, err))
		return false;
	*ret = config;
	config = (struct ssh_config)SSH_CONFIG_INIT;
	return true;
}

// Asking

static bool add_arguments(struct strv *argv, const char *host, const char *user, uint16_t port,
                          const char *file, struct err *err)
{
	_cleanup_strbuf_ struct strbuf number = STRBUF_INIT(16);

	strbuf_addf(&number, "%u", (unsigned)port);
	return strv_add(argv, "ssh", err) && strv_add(argv, "-G", err) &&
	       (!file || (strv_add(argv, "-F", err) && strv_add(argv, file, err))) &&
	       (!user || (strv_add(argv, "-l", err) && strv_add(argv, user, err))) &&
	       (!port || (strv_add(argv, "-p", err) && strv_add(argv, strbuf_get(&number), err))) &&
	       strv_add(argv, "--", err) && strv_add(argv, host, err);
}

// Starts ssh with its output in a pipe; *RET_PID is 0 where there is no such program.
static bool start(char *const *argv, int output, pid_t *ret_pid, struct err *err)
{
	posix_spawn_file_actions_t actions;
	int code;

	if (posix_spawn_file_actions_init(&actions))
		return err_memory(err);
	code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!code)
		code = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!code)
		code = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (!code)
		code = posix_spawnp(ret_pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (!code)
		return true;
	*ret_pid = 0;
	errno = code;
	return code == ENOENT || err_errno(err, "%s", argv[0]);
}

static void read_answer(int fd, struct strbuf *answer)
{
	char block[4096];
	ssize_t got;

	while ((got = read(fd, block, sizeof(block))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return;
		strbuf_add_n(answer, block, (size_t)got);
	}
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return status;
}

// Appends what ssh prints; false also where it fails. *RET_FOUND: there is an ssh program.
static bool ask(char *const *argv, struct strbuf *answer, bool *ret_found, struct err *err)
{
	int ends[2], status;
	pid_t pid;
	bool is_ok;

	*ret_found = false;
	if (pipe(ends))
		return err_errno(err, "pipe");
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	is_ok = start(argv, ends[1], &pid, err);
	close(ends[1]);
	*ret_found = pid > 0;
	if (is_ok && pid > 0) {
		read_answer(ends[0], answer);
		status = wait_for(pid);
		is_ok = WIFEXITED(status) && !WEXITSTATUS(status);
		if (!is_ok) {
			err_set(err, ERR_USAGE, "ssh -G does not accept the configuration");
			err_hint(err, "try it: ssh -G HOST");
		}
	}
	close(ends[0]);
	return is_ok;
}

bool ssh_config_ask(const char *host, const char *user, uint16_t port, const char *file,
                    struct ssh_config *ret, struct err *err)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_strbuf_ struct strbuf answer = STRBUF_INIT(ANSWER_MAX_BYTES);
	bool is_found = false;

	if (*host == '-' || !*host || (user && (*user == '-' || !*user)))
		return err_set(err, ERR_USAGE, "\"%s\" is no host", user ? user : host);
	if (!add_arguments(&argv, host, user, port, file, err) ||
	    !ask(argv.items, &answer, &is_found, err))
		return false;
	if (!is_found) {
		*ret = (struct ssh_config)SSH_CONFIG_INIT;
		return true;
	}
	return strbuf_ok(&answer, err) && ssh_config_parse(strbuf_get(&answer), ret, err);
}

void ssh_config_release(struct ssh_config *config)
{
	mem_free(config->host_name);
	mem_free(config->user);
	strv_release(&config->identity_files);
	strv_release(&config->known_hosts);
	mem_free(config->host_key_alias);
	mem_free(config->identity_agent);
	mem_free(config->proxy_jump);
	mem_free(config->proxy_command);
	mem_free(config->strict_host_key);
	*config = (struct ssh_config)SSH_CONFIG_INIT;
}
