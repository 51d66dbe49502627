// SPDX-License-Identifier: MIT
// Commands, files and streams against a real sshd.
#include "client.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

static struct server server;
static struct client client;

static int start_plain(void **state)
{
	(void)state;
	server_start(&server, &(struct server_options){.config = "LogLevel VERBOSE"});
	client_init(&client, &server);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	client_release(&client);
	server_stop(&server);
	return 0;
}

static void command_runs_and_says_its_status(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_outcome_ struct outcome first = OUTCOME_INIT, second = OUTCOME_INIT;

	(void)state;
	run_line(&client, link, "echo out; echo err >&2; exit 7", &first);
	assert_status(&first, 7);
	assert_string_equal(strbuf_get(&first.out), "out\n");
	assert_string_equal(strbuf_get(&first.err_out), "err\n");
	assert_true(ssh_is_connected(link));
	run_argv(&client, link, (const char *const[]){"printf", "%s|", "a b", "it's", "$HOME", NULL},
	         &second);
	assert_status(&second, 0);
	assert_string_equal(strbuf_get(&second.out), "a b|it's|$HOME|");
}

static void command_that_is_not_there_is_status_127(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	run_argv(&client, link, (const char *const[]){"no-such-program", NULL}, &outcome);
	assert_status(&outcome, 127);
}

static void killed_command_is_status_128_and_more(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	run_line(&client, link, "kill -9 $$", &outcome);
	assert_status(&outcome, 137);
}

// A daemon that keeps the streams open does not keep us.
static void background_process_does_not_hold_us(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;
	int64_t start = clock_system.monotonic_ms(NULL);

	(void)state;
	run_line(&client, link, "sleep 30 & echo started", &outcome);
	assert_status(&outcome, 0);
	assert_string_equal(strbuf_get(&outcome.out), "started\n");
	assert_true(clock_system.monotonic_ms(NULL) - start < 25000);
}

// Every byte value, more than a window in both directions at once.
static void big_binary_input_comes_back(void **state)
{
	enum { LEN = 9 << 20 };
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;
	char *data = malloc(LEN);
	uint32_t seed = 1;

	(void)state;
	for (size_t i = 0; i < LEN; i++) {
		seed = seed * 1664525U + 1013904223U;
		data[i] = (char)(seed >> 24);
	}
	run_exec(&client, link,
	         &(struct ssh_exec){
				 .argv = (const char *const[]){"tee", "/dev/stderr", NULL},
				 .input = data,
				 .input_len = LEN,
				 .max_output_bytes = 3 * LEN,
			 },
	         &outcome);
	assert_status(&outcome, 0);
	assert_int_equal(outcome.out.len, LEN);
	assert_memory_equal(outcome.out.data, data, LEN);
	assert_int_equal(outcome.err_out.len, LEN);
	assert_memory_equal(outcome.err_out.data, data, LEN);
	free(data);
}

static void output_has_a_cap(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT, after = OUTCOME_INIT;

	(void)state;
	run_exec(
		&client, link,
		&(struct ssh_exec){.argv = (const char *const[]){"yes", NULL}, .max_output_bytes = 100000},
		&outcome);
	assert_failure(&outcome, ERR_FAILED, "more than 100000 bytes");
	run_line(&client, link, "echo alive", &after);
	assert_status(&after, 0);
}

static void command_has_a_deadline(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT, after = OUTCOME_INIT;
	int64_t start;

	(void)state;
	run_line(&client, link, "true", &after); // connected
	start = clock_system.monotonic_ms(NULL);
	run_exec(
		&client, link,
		&(struct ssh_exec){.argv = (const char *const[]){"sleep", "60", NULL}, .timeout_ms = 500},
		&outcome);
	assert_failure(&outcome, ERR_UNREACHABLE, "has not ended after 0.5 s");
	assert_true(outcome.end_ms - start >= 500);
	assert_true(outcome.end_ms - start < 20000);
}

// libssh2#232: the peer stops in the middle. The step ends by its deadline, the link soon after,
// and the next command finds a new connection.
static void libssh2_232_frozen_server_ends_by_the_deadline(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_outcome_ struct outcome first = OUTCOME_INIT, frozen = OUTCOME_INIT,
									 after = OUTCOME_INIT;
	_cleanup_outcome_ struct outcome waits = OUTCOME_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	uint64_t id;

	(void)state;
	run_line(&client, link, "true", &first);
	assert_true(ssh_exec(link,
	                     &(struct ssh_exec){.argv = (const char *const[]){"sleep", "60", NULL},
	                                        .done = outcome_done,
	                                        .context = &waits},
	                     &id, &err));
	shell("for p in $(pgrep -P %d); do kill -STOP $p; done", (int)server.pid);
	run_exec(&client, link,
	         &(struct ssh_exec){.argv = (const char *const[]){"true", NULL}, .timeout_ms = 1000},
	         &frozen);
	assert_int_equal(frozen.failure.kind, ERR_UNREACHABLE);
	run_until(&client, &waits.is_done, 60000);
	assert_failure(&waits, ERR_UNREACHABLE, "does not answer any more");
	assert_false(ssh_is_connected(link));
	run_line(&client, link, "echo again", &after);
	assert_status(&after, 0);
	shell("for p in $(pgrep -P %d); do kill -CONT $p; done", (int)server.pid);
}

// kubeone#2319: the connection breaks in the middle of a command.
static void kubeone_2319_lost_connection_is_told_and_made_anew(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_outcome_ struct outcome first = OUTCOME_INIT, cut = OUTCOME_INIT, after = OUTCOME_INIT;

	(void)state;
	run_line(&client, link, "true", &first);
	run_line(&client, link, "kill -9 $(ps -o ppid= -p $PPID); sleep 5", &cut);
	assert_failure(&cut, ERR_UNREACHABLE, "connection lost");
	run_line(&client, link, "echo again", &after);
	assert_status(&after, 0);
	assert_string_equal(strbuf_get(&after.out), "again\n");
}

static void cancelled_command_calls_nobody(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_outcome_ struct outcome cancelled = OUTCOME_INIT, after = OUTCOME_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	uint64_t id;

	(void)state;
	assert_true(ssh_exec(link,
	                     &(struct ssh_exec){.argv = (const char *const[]){"sleep", "1", NULL},
	                                        .done = outcome_done,
	                                        .context = &cancelled},
	                     &id, &err));
	ssh_cancel(link, id);
	ssh_cancel(link, id);
	run_line(&client, link, "sleep 2", &after);
	assert_status(&after, 0);
	assert_false(cancelled.is_done);
}

// kubespray#10514: more commands than a host takes at a time.
static void kubespray_10514_twenty_commands_on_one_link(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	struct outcome outcomes[20];
	_cleanup_err_ struct err err = ERR_INIT;
	uint64_t id;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
		outcomes[i] = (struct outcome)OUTCOME_INIT;
		assert_true(ssh_exec(
			link,
			&(struct ssh_exec){.argv = (const char *const[]){"sh", "-c", "sleep 0.1", NULL},
		                       .done = outcome_done,
		                       .context = &outcomes[i]},
			&id, &err));
	}
	for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
		run_until(&client, &outcomes[i].is_done, 60000);
		assert_status(&outcomes[i], 0);
		outcome_release(&outcomes[i]);
	}
}

struct put_outcome {
	bool is_done;
	struct err failure;
};

static void put_done(void *context, const struct err *failure)
{
	struct put_outcome *outcome = context;

	outcome->is_done = true;
	if (failure)
		err_set(&outcome->failure, failure->kind, "%s", err_message(failure));
}

static void put(struct ssh_link *link, const char *path, const char *data, size_t len,
                struct put_outcome *ret)
{
	struct ssh_put file = {
		.path = path,
		.data = data,
		.len = len,
		.mode = 0640,
		.done = put_done,
		.context = ret,
	};
	_cleanup_err_ struct err err = ERR_INIT;
	uint64_t id;

	*ret = (struct put_outcome){0};
	assert_true(ssh_put(link, &file, &id, &err));
	run_until(&client, &ret->is_done, 60000);
}

static void file_is_written_whole(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;
	struct put_outcome done;
	char path[128], line[512];

	(void)state;
	snprintf(path, sizeof(path), "%s/a file's name", server.folder);
	put(link, path, "a\0b\n\xff", 5, &done);
	assert_int_equal(done.failure.kind, ERR_NONE);
	snprintf(
		line, sizeof(line),
		"cd %s; stat -c '%%a %%s' \"a file's name\"; od -An -c \"a file's name\"; ls | grep -c "
		"vpsml-",
		server.folder);
	run_line(&client, link, line, &outcome);
	assert_string_equal(strbuf_get(&outcome.out), "640 5\n   a  \\0   b  \\n 377\n0\n");
	put(link, path, "", 0, &done);
	assert_int_equal(done.failure.kind, ERR_NONE);
	put(link, "/no/such/folder/file", "x", 1, &done);
	assert_non_null(strstr(err_message(&done.failure), "/no/such/folder/file: cannot write it"));
	err_clear(&done.failure);
}

// A server of one answer on the host's side of the stream.
static pid_t start_http(uint16_t *port)
{
	static const char script[] =
		"import http.server,sys\n"
		"class H(http.server.BaseHTTPRequestHandler):\n"
		"  def do_GET(self):\n"
		"    b=b'x'*300000\n"
		"    self.send_response(200); self.send_header('Content-Length',str(len(b)))\n"
		"    self.end_headers(); self.wfile.write(b)\n"
		"  def log_message(self,*a): pass\n"
		"http.server.HTTPServer(('127.0.0.1',int(sys.argv[1])),H).serve_forever()\n";
	char number[8];
	pid_t child;

	*port = free_port("127.0.0.1");
	snprintf(number, sizeof(number), "%u", (unsigned)*port);
	child = fork();
	if (!child) {
		execlp("python3", "python3", "-c", script, number, (char *)NULL);
		_exit(127);
	}
	while (shell("python3 -c 'import socket; socket.create_connection((\"127.0.0.1\",%u))' "
	             "2>/dev/null",
	             (unsigned)*port))
		continue;
	return child;
}

static void stream_ended(void *context, const struct err *failure)
{
	struct put_outcome *outcome = context;

	put_done(outcome, failure);
}

static void forward_carries_an_http_exchange(void **state)
{
	static const char request[] = "GET / HTTP/1.0\r\n\r\n";
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf answer = STRBUF_INIT(1 << 20);
	struct put_outcome ended = {0};
	char block[4096];
	uint16_t port;
	pid_t http = start_http(&port);
	uint64_t id;
	ssize_t got;
	int fd;

	(void)state;
	assert_true(ssh_forward(link, "127.0.0.1", port, stream_ended, &ended, &id, &fd, &err));
	assert_int_equal(write(fd, request, strlen(request)), strlen(request));
	while ((got = recv(fd, block, sizeof(block), MSG_DONTWAIT)) != 0) {
		if (got > 0)
			strbuf_add_n(&answer, block, (size_t)got);
		else
			assert_true(loop_run(client.loop, 10, &err));
	}
	run_until(&client, &ended.is_done, 10000);
	close(fd);
	kill(http, SIGTERM);
	waitpid(http, NULL, 0);
	assert_int_equal(ended.failure.kind, ERR_NONE);
	assert_true(answer.len > 300000);
	assert_memory_equal(answer.data, "HTTP/1.0 200", 12);
	assert_int_equal(answer.data[answer.len - 1], 'x');
}

static void forward_to_nobody_says_so(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "root");
	_cleanup_err_ struct err err = ERR_INIT;
	struct put_outcome ended = {0};
	uint64_t id;
	char byte;
	int fd;

	(void)state;
	assert_true(ssh_forward(link, "127.0.0.1", free_port("127.0.0.1"), stream_ended, &ended, &id,
	                        &fd, &err));
	run_until(&client, &ended.is_done, 30000);
	assert_int_equal(ended.failure.kind, ERR_UNREACHABLE);
	assert_int_equal(recv(fd, &byte, 1, 0), 0);
	close(fd);
	err_clear(&ended.failure);
}

#define EXEC_TEST(name) cmocka_unit_test_setup_teardown(name, start_plain, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EXEC_TEST(command_runs_and_says_its_status),
		EXEC_TEST(command_that_is_not_there_is_status_127),
		EXEC_TEST(killed_command_is_status_128_and_more),
		EXEC_TEST(background_process_does_not_hold_us),
		EXEC_TEST(big_binary_input_comes_back),
		EXEC_TEST(output_has_a_cap),
		EXEC_TEST(command_has_a_deadline),
		EXEC_TEST(libssh2_232_frozen_server_ends_by_the_deadline),
		EXEC_TEST(kubeone_2319_lost_connection_is_told_and_made_anew),
		EXEC_TEST(cancelled_command_calls_nobody),
		EXEC_TEST(kubespray_10514_twenty_commands_on_one_link),
		EXEC_TEST(file_is_written_whole),
		EXEC_TEST(forward_carries_an_http_exchange),
		EXEC_TEST(forward_to_nobody_says_so),
	};

	cmocka_set_test_filter(getenv("VPSML_TEST")); // one of them, by name
	return cmocka_run_group_tests(tests, NULL, NULL);
}
