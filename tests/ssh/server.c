// SPDX-License-Identifier: MIT
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/unit.h"
#include "base/strbuf.h"

static const char sshd[] = "/usr/sbin/sshd";

int shell(const char *format, ...)
{
	_cleanup_strbuf_ struct strbuf command = STRBUF_INIT(64 << 10);
	va_list args;
	int status;

	va_start(args, format);
	strbuf_vaddf(&command, format, args);
	va_end(args);
	assert_false(command.failed);
	status = system(strbuf_get(&command));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static struct sockaddr_in make_address(const char *address, uint16_t port)
{
	struct sockaddr_in result = {.sin_family = AF_INET, .sin_port = htons(port)};

	assert_int_equal(inet_pton(AF_INET, address, &result.sin_addr), 1);
	return result;
}

uint16_t free_port(const char *address)
{
	struct sockaddr_in name = make_address(address, 0);
	socklen_t len = sizeof(name);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&name, sizeof(name)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&name, &len), 0);
	close(fd);
	return ntohs(name.sin_port);
}

static bool is_listening(const struct server *server)
{
	struct sockaddr_in name = make_address(server->address, server->port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	bool is_ok = !connect(fd, (struct sockaddr *)&name, sizeof(name));

	close(fd);
	return is_ok;
}

static void write_file(const struct server *server, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", server->folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void make_keys(const struct server *server, const struct server_options *options)
{
	const char *types = options->host_key_types ? options->host_key_types : "ed25519";
	const char *user_key = options->user_key ? options->user_key : "-t ed25519 -N ''";

	assert_int_equal(
		shell("cd %s && for t in %s; do ssh-keygen -q -t $t -N '' -f host_$t || exit 1; "
	          "echo HostKey %s/host_$t >>sshd_config; done",
	          server->folder, types, server->folder),
		0);
	assert_int_equal(shell("cd %s && ssh-keygen -q %s -f id && cp id.pub authorized_keys && "
	                       "chmod 644 authorized_keys",
	                       server->folder, user_key),
	                 0);
}

// Accounts of this server alone: bound over the machine's in the mount namespace.
static void make_accounts(const struct server *server, const struct server_options *options)
{
	const char *in = server->folder, *login = options->shell ? options->shell : "/bin/sh";

	assert_int_equal(shell("cd %s && mkdir -p home/root home/ops && "
	                       "{ grep -v -e ^ops: -e ^root: /etc/passwd; "
	                       "echo root:x:0:0::%s/home/root:/bin/bash; "
	                       "echo ops:x:4242:4242::%s/home/ops:%s; } >passwd && "
	                       "{ grep -v ^ops: /etc/shadow; "
	                       "echo \"ops:$(openssl passwd -6 'right horse'):19000:0:99999:7:::\"; } "
	                       ">shadow && chmod 600 shadow && "
	                       "chown -R 4242:4242 home/ops && chmod 755 . home home/root home/ops",
	                       in, in, in, login),
	                 0);
	if (options->bashrc) {
		write_file(server, "home/root/.bashrc", options->bashrc);
		write_file(server, "home/ops/.bashrc", options->bashrc);
	}
	if (options->hosts)
		write_file(server, "hosts", options->hosts);
	write_file(server, "sudoers", options->sudoers ? options->sudoers : "");
	assert_int_equal(shell("cd %s && chmod 440 sudoers && chown 0:0 sudoers", in), 0);
}

static void write_config(const struct server *server, const struct server_options *options)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(16 << 10);

	// The first value counts, so the test's own come first.
	strbuf_addf(&text,
	            "Port %u\n%s\nListenAddress %s\nPidFile %s/pid\nAuthorizedKeysFile "
	            "%s/authorized_keys\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n"
	            "PasswordAuthentication no\nKbdInteractiveAuthentication no\nUseDNS no\n",
	            (unsigned)server->port, options->config ? options->config : "", server->address,
	            server->folder, server->folder);
	write_file(server, "sshd_config", strbuf_get(&text));
}

void server_restart(struct server *server)
{
	char command[2048];

	snprintf(command, sizeof(command),
	         "cd %s && mount --bind passwd /etc/passwd && mount --bind shadow /etc/shadow && "
	         "{ [ ! -e /etc/sudoers ] || mount --bind sudoers /etc/sudoers; } && "
	         "{ [ ! -e hosts ] || mount --bind hosts /etc/hosts; } && "
	         "exec %s -D -E log -f sshd_config",
	         server->folder, sshd);
	server->pid = fork();
	if (!server->pid) {
		setpgid(0, 0);
		execlp("unshare", "unshare", "-m", "/bin/sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	for (int i = 0; i < 1500 && !is_listening(server); i++) {
		int status;

		if (waitpid(server->pid, &status, WNOHANG) == server->pid) {
			shell("cat %s/log >&2", server->folder);
			fail_msg("sshd ended at once (%d)", status);
		}
		poll(NULL, 0, 20);
	}
}

void server_start(struct server *server, const struct server_options *options)
{
	*server = (struct server){.pid = -1};
	if (geteuid() != 0 || access(sshd, X_OK) || shell("unshare -m true 2>/dev/null")) {
		print_message("needs root, sshd and unshare\n");
		skip();
	}
	mkdir("/run/sshd", 0755);
	snprintf(server->folder, sizeof(server->folder), "/tmp/vpsml-sshd-XXXXXX");
	assert_non_null(mkdtemp(server->folder));
	snprintf(server->address, sizeof(server->address), "%s",
	         options->address ? options->address : "127.0.0.1");
	server->port = free_port(server->address);
	write_config(server, options);
	make_keys(server, options);
	make_accounts(server, options);
	server_restart(server);
}

void server_stop(struct server *server)
{
	if (server->pid > 0) {
		// Its connections have sessions, and so process groups, of their own.
		shell("for p in $(pgrep -P %d); do pkill -KILL -P $p; kill -KILL $p; done 2>/dev/null",
		      (int)server->pid);
		kill(server->pid, SIGCONT);
		kill(server->pid, SIGTERM);
		waitpid(server->pid, NULL, 0);
	}
	if (*server->folder)
		shell("rm -rf '%s'", server->folder);
	server->pid = -1;
	*server->folder = '\0';
}
