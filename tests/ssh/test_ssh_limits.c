// SPDX-License-Identifier: MIT
// Peers that are slow, silent, full, noisy, far away, or many.
#include "client.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

static struct server server, inner;
static struct client client;

static int stop(void **state)
{
	(void)state;
	client_release(&client);
	if (*inner.folder)
		server_stop(&inner);
	if (*server.folder)
		server_stop(&server);
	return 0;
}

static void start(const struct server_options *options)
{
	server_start(&server, options);
	client_init(&client, &server);
}

// Peers that are no good sshd: a child that does as it is told on each connection.

static pid_t peer;

static void listen_at(struct server *at, void (*serve)(int fd))
{
	struct sockaddr_in name = {.sin_family = AF_INET};
	int fd = socket(AF_INET, SOCK_STREAM, 0), accepted;

	*at = (struct server){.pid = -1, .address = "127.0.0.1", .port = free_port("127.0.0.1")};
	snprintf(at->folder, sizeof(at->folder), "/tmp/vpsml-peer-XXXXXX");
	assert_non_null(mkdtemp(at->folder));
	name.sin_port = htons(at->port);
	inet_pton(AF_INET, at->address, &name.sin_addr);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
	assert_int_equal(bind(fd, (struct sockaddr *)&name, sizeof(name)), 0);
	assert_int_equal(listen(fd, 8), 0);
	peer = fork();
	if (peer) {
		close(fd);
		return;
	}
	signal(SIGPIPE, SIG_DFL);
	while ((accepted = accept(fd, NULL, NULL)) >= 0) {
		serve(accepted);
		close(accepted);
	}
	_exit(0);
}

static int stop_peer(void **state)
{
	kill(peer, SIGKILL);
	waitpid(peer, NULL, 0);
	return stop(state);
}

static void say(int fd, const char *text, size_t len)
{
	if (write(fd, text, len) != (ssize_t)len)
		_exit(0);
}

// A login that has to fail by itself: how long it took.
static int64_t fail_to_log_in(const char *expected, enum err_kind kind)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;
	int64_t start_ms = clock_system.monotonic_ms(NULL);

	run_line(&client, client_open(&client, &server, "root"), "true", &outcome);
	assert_failure(&outcome, kind, expected);
	return outcome.end_ms - start_ms;
}

static void serve_silence(int fd)
{
	char byte;

	while (read(fd, &byte, 1) > 0)
		continue;
}

static void silent_server_ends_by_the_deadline(void **state)
{
	int64_t spent;

	(void)state;
	listen_at(&server, serve_silence);
	client_init(&client, &server);
	client.options.banner_ms = 700;
	spent = fail_to_log_in("timed out while waiting for the server to say that it speaks SSH",
	                       ERR_UNREACHABLE);
	assert_true(spent >= 700 && spent < 20000);
}

static void serve_slow_banner(int fd)
{
	for (;;) {
		say(fd, "S", 1);
		poll(NULL, 0, 100);
	}
}

static void slow_banner_ends_by_the_deadline(void **state)
{
	int64_t spent;

	(void)state;
	listen_at(&server, serve_slow_banner);
	client_init(&client, &server);
	client.options.banner_ms = 1000;
	spent = fail_to_log_in("timed out while waiting for the server", ERR_UNREACHABLE);
	assert_true(spent >= 1000 && spent < 20000);
}

static void serve_flood(int fd)
{
	static const char line[] = "welcome welcome welcome welcome welcome welcome welcome\r\n";

	for (;;)
		say(fd, line, sizeof(line) - 1);
}

static void endless_greeting_is_no_ssh(void **state)
{
	(void)state;
	listen_at(&server, serve_flood);
	client_init(&client, &server);
	fail_to_log_in("this is no SSH server", ERR_UNREACHABLE);
}

static void serve_garbage(int fd)
{
	char block[4096];

	memset(block, 0xa5, sizeof(block));
	say(fd, "SSH-2.0-Evil\r\n", 14);
	say(fd, block, sizeof(block));
	serve_silence(fd);
}

static void garbage_after_the_version(void **state)
{
	(void)state;
	listen_at(&server, serve_garbage);
	client_init(&client, &server);
	client.options.banner_ms = 2000;
	fail_to_log_in("", ERR_UNREACHABLE);
}

// Packets that mean nothing, without end: whoever else is in the loop goes on.
static void serve_ignore_flood(int fd)
{
	static const char packet[16] = {0, 0, 0, 12, 6, 2, 0, 0, 0, 0};
	char block[4096];

	for (size_t i = 0; i < sizeof(block); i += sizeof(packet))
		memcpy(block + i, packet, sizeof(packet));
	say(fd, "SSH-2.0-Evil\r\n", 14);
	for (;;)
		say(fd, block, sizeof(block));
}

static void flooding_peer_does_not_hold_the_others(void **state)
{
	struct server flood;
	_cleanup_outcome_ struct outcome flooded = OUTCOME_INIT, good = OUTCOME_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	uint64_t id;

	(void)state;
	start(&(struct server_options){0});
	listen_at(&flood, serve_ignore_flood);
	assert_true(ssh_exec(client_open(&client, &flood, "root"),
	                     &(struct ssh_exec){.argv = (const char *const[]){"true", NULL},
	                                        .done = outcome_done,
	                                        .context = &flooded},
	                     &id, &err));
	run_line(&client, client_open(&client, &server, "root"), "echo in", &good);
	shell("rm -rf %s", flood.folder);
	assert_status(&good, 0);
	run_until(&client, &flooded.is_done, 60000);
	assert_int_equal(flooded.failure.kind, ERR_UNREACHABLE);
}

static void nobody_listens(void **state)
{
	(void)state;
	server = (struct server){.pid = -1, .address = "127.0.0.1", .port = free_port("127.0.0.1")};
	client_init(&client, &server);
	fail_to_log_in("connect 127.0.0.1:", ERR_UNREACHABLE);
}

static void name_that_does_not_exist(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;
	struct server nowhere = {.address = "no-such-host.invalid", .port = 22};

	(void)state;
	server = (struct server){.pid = -1};
	client_init(&client, &server);
	client.options.connect_ms = 60000; // some resolvers take long to say no
	run_line(&client, client_open(&client, &nowhere, "root"), "true", &outcome);
	assert_failure(&outcome, ERR_UNREACHABLE, "ssh: no-such-host.invalid");
}

static void ipv6_and_names(void **state)
{
	_cleanup_outcome_ struct outcome six = OUTCOME_INIT, name = OUTCOME_INIT;
	struct server at;

	(void)state;
	start(&(struct server_options){.config = "ListenAddress ::1"});
	at = server;
	snprintf(at.address, sizeof(at.address), "localhost");
	run_line(&client, client_open(&client, &at, "root"), "echo in", &name);
	assert_status(&name, 0);
	if (shell("ip -6 addr show lo | grep -q ::1"))
		return;
	snprintf(at.address, sizeof(at.address), "::1");
	run_line(&client, client_open(&client, &at, "root"), "echo in", &six);
	assert_status(&six, 0);
}

// What the host writes by itself

#define NOISE                                                                               \
	"i=0; while [ $i -lt 200 ]; do echo \"noise noise noise\"; echo more >&2; i=$((i+1)); " \
	"done; printf 'no line feed'\n"

// kubekey#1331, uniterm#585: a login script that writes, and reads what is not for it.
static void uniterm_585_noisy_login_script(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start(&(struct server_options){
		.config = "Banner /etc/passwd",
		.bashrc = NOISE "read -r -t 1 line\n",
	});
	run_exec(&client, client_open(&client, &server, "root"),
	         &(struct ssh_exec){
				 .argv = (const char *const[]){"sh", "-c", "cat; echo err >&2", NULL},
				 .input = "input\n",
				 .input_len = 6,
			 },
	         &outcome);
	assert_status(&outcome, 0);
	assert_string_equal(strbuf_get(&outcome.out), "input\n");
	assert_string_equal(strbuf_get(&outcome.err_out), "err\n");
}

static void login_script_that_never_ends_is_stopped(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start(&(struct server_options){.bashrc = "sleep 100\n"});
	run_exec(&client, client_open(&client, &server, "root"),
	         &(struct ssh_exec){.argv = (const char *const[]){"true", NULL}, .timeout_ms = 1500},
	         &outcome);
	assert_failure(&outcome, ERR_UNREACHABLE, "has not ended after 1.5 s");
}

// k0sctl#1135, kubekey#1709, k3sup#258, kubeone#1908
static void k0sctl_1135_login_shells(void **state)
{
	static const char *const shells[] = {"/bin/dash",    "/bin/bash",     "/usr/bin/fish",
	                                     "/usr/bin/zsh", "/usr/bin/tcsh", "/bin/csh"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(shells); i++) {
		_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

		if (access(shells[i], X_OK))
			continue;
		start(&(struct server_options){.shell = shells[i]});
		run_exec(
			&client, client_open(&client, &server, "ops"),
			&(struct ssh_exec){
				.argv = (const char *const[]){"sh", "-c", "printf '%s|' \"$1\" \"$2\"; cat; exit 3",
		                                      "sh", "it's $HOME `x` \"!\\", "a\nb", NULL},
				.input = "in",
				.input_len = 2,
			},
			&outcome);
		assert_status(&outcome, 3);
		assert_string_equal(strbuf_get(&outcome.out), "it's $HOME `x` \"!\\|a\nb|in");
		stop(NULL);
	}
}

static void nologin_is_told(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start(&(struct server_options){.shell = "/usr/sbin/nologin"});
	run_line(&client, client_open(&client, &server, "ops"), "true", &outcome);
	assert_failure(&outcome, ERR_AUTH, "its shell is nologin");
}

// The cloud's images: root's key runs a message instead.
static void forced_command_is_told(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start(&(struct server_options){.config =
	                                   "ForceCommand echo 'Please login as the user \"ubuntu\".'; "
	                                   "echo \"$SSH_ORIGINAL_COMMAND\" >/dev/null"});
	run_line(&client, client_open(&client, &server, "root"), "true", &outcome);
	assert_failure(&outcome, ERR_FAILED, "Please login as the user \"ubuntu\".");
}

static void escapes_from_the_host_are_harmless(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start(&(struct server_options){.config = "ForceCommand printf 'a\\033[31m\\007b\\n'"});
	run_line(&client, client_open(&client, &server, "root"), "true", &outcome);
	assert_failure(&outcome, ERR_FAILED, "a^[[31m^Gb");
}

// Servers that are full

static void start_many(struct ssh_link **links, struct outcome *outcomes, size_t count,
                       const char *command)
{
	_cleanup_err_ struct err err = ERR_INIT;
	uint64_t id;

	for (size_t i = 0; i < count; i++) {
		outcomes[i] = (struct outcome)OUTCOME_INIT;
		if (!ssh_exec(links[i],
		              &(struct ssh_exec){.argv = (const char *const[]){"sh", "-c", command, NULL},
		                                 .done = outcome_done,
		                                 .context = &outcomes[i]},
		              &id, &err))
			fail_msg("%s", err_message(&err));
	}
}

static void finish_many(struct outcome *outcomes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		run_until(&client, &outcomes[i].is_done, 120000);
		assert_status(&outcomes[i], 0);
		outcome_release(&outcomes[i]);
	}
}

// docker/compose#10117: 40 at once where two may start.
static void docker_compose_10117_max_startups(void **state)
{
	struct ssh_link *links[40];
	struct outcome outcomes[40];

	(void)state;
	start(&(struct server_options){.config = "MaxStartups 2:100:2"});
	client.options.max_connecting = 40;
	client.options.retry_ms = 120000; // the machine may be busy with other things
	for (size_t i = 0; i < COUNT_OF(links); i++)
		links[i] = client_open(&client, &server, "root");
	start_many(links, outcomes, COUNT_OF(links), "true");
	finish_many(outcomes, COUNT_OF(links));
	assert_non_null(strstr(strbuf_get(&client.log), "trying again in"));
}

static void max_sessions_1_queues(void **state)
{
	struct ssh_link *links[10];
	struct outcome outcomes[10];

	(void)state;
	start(&(struct server_options){.config = "MaxSessions 1"});
	links[0] = client_open(&client, &server, "root");
	for (size_t i = 1; i < COUNT_OF(links); i++)
		links[i] = links[0];
	start_many(links, outcomes, COUNT_OF(links), "sleep 0.05");
	finish_many(outcomes, COUNT_OF(links));
}

static void max_sessions_0_is_told(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start(&(struct server_options){.config = "MaxSessions 0"});
	run_line(&client, client_open(&client, &server, "root"), "true", &outcome);
	assert_failure(&outcome, ERR_FAILED, "the host refuses a session");
}

// A hundred hosts in one loop. The figure is printed; what fails is a hundredfold of it.
static void hundred_hosts_in_one_loop(void **state)
{
	static struct ssh_link *links[100];
	static struct outcome outcomes[100];
	struct rusage before, after;
	double cpu_ms;

	(void)state;
	start(&(struct server_options){.config = "MaxStartups 200", .address = "0.0.0.0"});
	for (size_t i = 0; i < COUNT_OF(links); i++) {
		struct server at = server;

		snprintf(at.address, sizeof(at.address), "127.0.1.%zu", i + 1);
		links[i] = client_open(&client, &at, "root");
	}
	getrusage(RUSAGE_SELF, &before);
	start_many(links, outcomes, COUNT_OF(links), "true");
	finish_many(outcomes, COUNT_OF(links));
	getrusage(RUSAGE_SELF, &after);
	cpu_ms = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000 +
	         (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1000 +
	         (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1000 +
	         (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec) / 1000;
	print_message("client CPU: %.2f ms a host\n", cpu_ms / 100);
}

// Through a jump host, which alone knows where the other is.

static struct ssh_link *open_inner(struct ssh_link *jump)
{
	struct server far = inner;

	snprintf(far.address, sizeof(far.address), "inner-host");
	return client_open_through(&client, &far, "ops", jump);
}

static void start_inner(const char *jump_config)
{
	start(&(struct server_options){
		.config = jump_config,
		.hosts = "127.0.0.1 localhost\n127.0.0.2 inner-host\n",
	});
	server_start(&inner, &(struct server_options){.address = "127.0.0.2"});
	shell("cp %s/id.pub %s/authorized_keys", server.folder, inner.folder);
}

// k0sctl#717: keys of hosts behind a jump host stand under their own names.
static void k0sctl_717_jump_host_is_the_only_way_in(void **state)
{
	struct ssh_link *jump, *links[3];
	struct outcome outcomes[3];

	(void)state;
	start_inner(NULL);
	jump = client_open(&client, &server, "root");
	for (size_t i = 0; i < COUNT_OF(links); i++)
		links[i] = open_inner(jump);
	start_many(links, outcomes, COUNT_OF(links), "test \"$(id -un)\" = ops");
	finish_many(outcomes, COUNT_OF(links));
	assert_int_equal(shell("cut -d' ' -f1 %s/known_hosts | tr '\\n' ' ' | "
	                       "grep -qE '^\\[127.0.0.1\\]:%u \\[inner-host\\]:%u $'",
	                       server.folder, (unsigned)server.port, (unsigned)inner.port),
	                 0);
	for (size_t i = 0; i < COUNT_OF(links); i++)
		ssh_close(links[i]);
}

static void big_output_through_a_jump_host(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;
	struct ssh_link *jump, *link;

	(void)state;
	start_inner(NULL);
	jump = client_open(&client, &server, "root");
	link = open_inner(jump);
	run_exec(&client, link,
	         &(struct ssh_exec){
				 .argv = (const char *const[]){"head", "-c", "8000000", "/dev/zero", NULL},
				 .max_output_bytes = 10 << 20,
			 },
	         &outcome);
	assert_status(&outcome, 0);
	assert_int_equal(outcome.out.len, 8000000);
	ssh_close(link);
}

static void jump_host_that_may_not_forward(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;
	struct ssh_link *jump, *link;

	(void)state;
	start_inner("AllowTcpForwarding no");
	jump = client_open(&client, &server, "root");
	link = open_inner(jump);
	run_line(&client, link, "true", &outcome);
	assert_failure(&outcome, ERR_UNREACHABLE, "jump host host: inner-host:");
	assert_failure(&outcome, ERR_UNREACHABLE, "prohibited");
	ssh_close(link);
}

static void jump_host_with_another_key(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;
	struct ssh_link *jump, *link;

	(void)state;
	start_inner(NULL);
	client.host_key.policy = HOST_KEY_STRICT;
	jump = client_open(&client, &server, "root");
	link = open_inner(jump);
	run_line(&client, link, "true", &outcome);
	assert_failure(&outcome, ERR_AUTH, "jump host host: ssh: host key is not known");
	ssh_close(link);
}

#define LIMIT_TEST(name) cmocka_unit_test_teardown(name, stop)
#define PEER_TEST(name) cmocka_unit_test_teardown(name, stop_peer)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PEER_TEST(silent_server_ends_by_the_deadline),
		PEER_TEST(slow_banner_ends_by_the_deadline),
		PEER_TEST(endless_greeting_is_no_ssh),
		PEER_TEST(garbage_after_the_version),
		PEER_TEST(flooding_peer_does_not_hold_the_others),
		LIMIT_TEST(nobody_listens),
		LIMIT_TEST(name_that_does_not_exist),
		LIMIT_TEST(ipv6_and_names),
		LIMIT_TEST(uniterm_585_noisy_login_script),
		LIMIT_TEST(login_script_that_never_ends_is_stopped),
		LIMIT_TEST(k0sctl_1135_login_shells),
		LIMIT_TEST(nologin_is_told),
		LIMIT_TEST(forced_command_is_told),
		LIMIT_TEST(escapes_from_the_host_are_harmless),
		LIMIT_TEST(docker_compose_10117_max_startups),
		LIMIT_TEST(max_sessions_1_queues),
		LIMIT_TEST(max_sessions_0_is_told),
		LIMIT_TEST(hundred_hosts_in_one_loop),
		LIMIT_TEST(k0sctl_717_jump_host_is_the_only_way_in),
		LIMIT_TEST(big_output_through_a_jump_host),
		LIMIT_TEST(jump_host_that_may_not_forward),
		LIMIT_TEST(jump_host_with_another_key),
	};

	cmocka_set_test_filter(getenv("VPSML_TEST")); // one of them, by name
	return cmocka_run_group_tests(tests, NULL, NULL);
}
