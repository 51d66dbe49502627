// SPDX-License-Identifier: MIT
// Who we are, against a real sshd: keys, agent, passwords, sudo.
#include "client.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

static struct server server;
static struct client client;

static int stop(void **state)
{
	(void)state;
	client_release(&client);
	server_stop(&server);
	return 0;
}

static void start(const struct server_options *options)
{
	server_start(&server, options);
	client_init(&client, &server);
}

static int start_plain(void **state)
{
	(void)state;
	start(
		&(struct server_options){.config = "LogLevel VERBOSE", .host_key_types = "ed25519 ecdsa"});
	return 0;
}

// A client that has seen nothing yet and knows what is in known_hosts now.
static void start_anew(void)
{
	client_release(&client);
	client_init(&client, &server);
}

static void try_login(const char *user, struct outcome *ret)
{
	run_line(&client, client_open(&client, &server, user), "echo in", ret);
}

static void assert_login(const char *user)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	try_login(user, &outcome);
	assert_status(&outcome, 0);
	assert_string_equal(strbuf_get(&outcome.out), "in\n");
}

// Keys

static void key_types(void **state)
{
	static const char *const types[] = {"-t ed25519 -N ''", "-t ecdsa -b 256 -N ''",
	                                    "-t ecdsa -b 521 -N ''", "-t ecdsa -m PEM -N ''",
	                                    "-t ecdsa -m PKCS8 -N ''"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(types); i++) {
		start(&(struct server_options){.user_key = types[i]});
		assert_login("root");
		stop(NULL);
	}
}

static void make_key(const char *name, const char *options)
{
	assert_int_equal(shell("cd %s && rm -f %s %s.pub && ssh-keygen -q %s -f %s", server.folder,
	                       name, name, options, name),
	                 0);
}

static void set_identities(const char *first, const char *second)
{
	_cleanup_err_ struct err err = ERR_INIT;
	const char *const names[] = {first, second};
	char path[128];

	strv_release(&client.identities);
	for (size_t i = 0; i < COUNT_OF(names) && names[i]; i++) {
		snprintf(path, sizeof(path), "%s/%s", server.folder, names[i]);
		assert_true(strv_add(&client.identities, path, &err));
	}
}

// libssh2#634, k3sup#63: one clear line, no retry.
static void libssh2_634_rsa_key(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start(&(struct server_options){.user_key = "-t rsa -b 2048 -N ''"});
	try_login("root", &outcome);
	if (outcome.failure.kind == ERR_NONE) { // libssh2 1.11
		assert_status(&outcome, 0);
		return;
	}
	assert_failure(&outcome, ERR_AUTH, "RSA, with which libssh2 1.10.0 cannot log in");
	assert_non_null(strstr(outcome.failure.hint, "ed25519"));
	assert_non_null(strstr(outcome.failure.hint, "--ssh=openssh"));
}

static void rsa_key_does_not_hide_a_good_one(void **state)
{
	(void)state;
	make_key("rsa", "-t rsa -b 2048 -N ''");
	set_identities("rsa", "id");
	assert_login("root");
}

// libssh2#1018
static void libssh2_1018_rsa_host_key_only(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start(&(struct server_options){.host_key_types = "rsa"});
	try_login("root", &outcome);
	if (outcome.failure.kind == ERR_NONE) // libssh2 1.11
		return;
	assert_failure(&outcome, ERR_AUTH,
	               "libssh2 1.10.0 can use none of the server's host keys (rsa-sha2-512,"
	               "rsa-sha2-256)");
	assert_non_null(strstr(outcome.failure.hint, "--ssh=openssh"));
}

static void etm_macs_only(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start(&(struct server_options){.config = "MACs hmac-sha2-256-etm@openssh.com"});
	try_login("root", &outcome);
	if (outcome.failure.kind == ERR_NONE) // libssh2 1.11
		return;
	assert_failure(&outcome, ERR_FAILED,
	               "libssh2 1.10.0 can use none of the server's MACs "
	               "(hmac-sha2-256-etm@openssh.com)");
}

// k0sctl#133: asked for once, used for all.
static void k0sctl_133_encrypted_key_is_asked_for_once(void **state)
{
	struct ssh_link *links[3];

	(void)state;
	start(&(struct server_options){.user_key = "-t ed25519 -a 4 -N 'open sesame'"});
	client.passphrase = "open sesame";
	for (size_t i = 0; i < COUNT_OF(links); i++) {
		_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

		links[i] = client_open(&client, &server, "root");
		run_line(&client, links[i], "true", &outcome);
		assert_status(&outcome, 0);
	}
	assert_int_equal(client.secret_questions, 1);
	assert_non_null(strstr(client.last_subject, "/id"));
}

static void wrong_passphrase_is_asked_for_three_times(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start(&(struct server_options){.user_key = "-t ed25519 -a 4 -N 'open sesame'"});
	client.passphrase = "open barley";
	try_login("root", &outcome);
	assert_failure(&outcome, ERR_AUTH, "wrong passphrase");
	assert_int_equal(client.secret_questions, 3);
}

static void encrypted_key_without_anybody_to_ask(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start(&(struct server_options){.user_key = "-t ed25519 -a 4 -N 'open sesame'"});
	client.options.ask_secret = NULL;
	try_login("root", &outcome);
	assert_failure(&outcome, ERR_AUTH, "has a passphrase: nobody is there to ask");
	assert_non_null(strstr(outcome.failure.hint, "ssh-add"));
}

// A key that the server would not take is not worth a question.
static void encrypted_key_that_is_not_wanted_is_not_asked_for(void **state)
{
	(void)state;
	make_key("other", "-t ed25519 -a 4 -N 'open sesame'");
	set_identities("other", "id");
	assert_login("root");
	assert_int_equal(client.secret_questions, 0);
}

static void encrypted_pem_key(void **state)
{
	(void)state;
	start(&(struct server_options){.user_key = "-t ecdsa -m PEM -N 'open sesame'"});
	client.passphrase = "open sesame";
	assert_login("root");
	shell("rm %s/id.pub", server.folder);
	start_anew();
	client.passphrase = "open sesame";
	assert_login("root");
	assert_int_equal(client.secret_questions, 1);
}

static void key_that_is_not_wanted(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	make_key("other", "-t ed25519 -N ''");
	set_identities("other", NULL);
	try_login("root", &outcome);
	assert_failure(&outcome, ERR_AUTH,
	               "cannot log in as root (the server takes: publickey); tried ");
	assert_failure(&outcome, ERR_AUTH, "/other: refused");
}

static struct ssh_link *open_with_agent(bool is_identities_only)
{
	_cleanup_err_ struct err err = ERR_INIT;
	char path[128];
	struct ssh_target target = {
		.name = "host",
		.address = server.address,
		.port = server.port,
		.user = "root",
		.known_hosts = &client.known_hosts,
		.identities = &client.identities,
		.host_key = client.host_key,
		.agent = path,
		.is_identities_only = is_identities_only,
	};
	struct ssh_link *link;

	snprintf(path, sizeof(path), "%s/agent", server.folder);
	client.ssh = client.ssh ? client.ssh : ssh_new(&client.options, &err);
	link = ssh_open(client.ssh, &target, &err);
	assert_non_null(link);
	return link;
}

static void start_agent(void)
{
	assert_int_equal(shell("cd %s && ssh-agent -a agent >agent.env", server.folder), 0);
}

static void stop_agent(void)
{
	shell("cd %s && . ./agent.env >/dev/null && ssh-agent -k >/dev/null", server.folder);
}

static int add_to_agent(const char *key)
{
	return shell("cd %s && SSH_AUTH_SOCK=agent ssh-add -q %s 2>/dev/null", server.folder, key);
}

static void agent_signs(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start_agent();
	assert_int_equal(add_to_agent("id"), 0);
	shell("rm %s/id", server.folder);
	strv_release(&client.identities);
	run_line(&client, open_with_agent(false), "true", &outcome);
	stop_agent();
	assert_status(&outcome, 0);
}

// coop#68: seven keys, a server that hangs up after six.
static void coop_68_agent_with_many_keys(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT, without = OUTCOME_INIT;

	(void)state;
	start_agent();
	for (int i = 0; i < 7; i++) {
		char name[8];

		snprintf(name, sizeof(name), "k%d", i);
		make_key(name, "-t ed25519 -N ''");
		assert_int_equal(add_to_agent(name), 0);
	}
	run_line(&client, open_with_agent(false), "true", &outcome); // the identity comes first
	assert_status(&outcome, 0);
	strv_release(&client.identities);
	run_line(&client, open_with_agent(false), "true", &without);
	stop_agent();
	assert_failure(&without, ERR_AUTH, "a key of the agent: refused");
}

static void agent_that_is_gone_is_no_end(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	run_line(&client, open_with_agent(false), "true", &outcome);
	assert_status(&outcome, 0);
}

// Passwords

static int start_password(void **state)
{
	(void)state;
	start(
		&(struct server_options){.config = "PasswordAuthentication yes\nPubkeyAuthentication no"});
	return 0;
}

static int start_interactive(void **state)
{
	(void)state;
	start(&(struct server_options){
		.config = "UsePAM yes\nKbdInteractiveAuthentication yes\nPubkeyAuthentication no",
	});
	return 0;
}

static void right_password(void **state)
{
	(void)state;
	client.password = "right horse";
	assert_login("ops");
	assert_int_equal(client.secret_questions, 1);
}

static void wrong_password_is_one_failure(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	client.password = "wrong horse";
	try_login("ops", &outcome);
	assert_failure(&outcome, ERR_AUTH, ": refused");
	assert_int_equal(client.secret_questions, 1);
	assert_null(strstr(strbuf_get(&client.log), "wrong horse"));
}

static void password_is_not_asked_for_again_on_the_same_link(void **state)
{
	struct ssh_link *link = client_open(&client, &server, "ops");
	_cleanup_outcome_ struct outcome first = OUTCOME_INIT, second = OUTCOME_INIT;

	(void)state;
	client.password = "right horse";
	run_line(&client, link, "kill -9 $(ps -o ppid= -p $PPID); sleep 5", &first);
	assert_int_equal(first.failure.kind, ERR_UNREACHABLE);
	run_line(&client, link, "true", &second);
	assert_status(&second, 0);
	assert_int_equal(client.secret_questions, 1);
}

static void nobody_to_ask_for_a_password(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	client.options.ask_secret = NULL;
	try_login("ops", &outcome);
	assert_failure(&outcome, ERR_AUTH, "cannot log in as ops");
}

// sudo

static void start_sudo(const char *sudoers)
{
	if (access("/usr/bin/sudo", X_OK))
		skip();
	start(&(struct server_options){.sudoers = sudoers});
}

static void run_as_root(struct ssh_link *link, struct outcome *ret)
{
	run_exec(&client, link,
	         &(struct ssh_exec){
				 .argv = (const char *const[]){"sh", "-c", "id -u; cat", NULL},
				 .as_root = true,
				 .input = "line of input\n",
				 .input_len = 14,
			 },
	         ret);
}

// kubekey#2343: no password is sent where none is asked for, and none of it gets into the input.
static void kubekey_2343_sudo_without_a_password(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start_sudo("ops ALL=(ALL) NOPASSWD: ALL\n");
	client.sudo_password = "right horse";
	run_as_root(client_open(&client, &server, "ops"), &outcome);
	assert_status(&outcome, 0);
	assert_string_equal(strbuf_get(&outcome.out), "0\nline of input\n");
	assert_int_equal(client.secret_questions, 0);
}

// k3sup#100
static void k3sup_100_sudo_with_a_password(void **state)
{
	struct ssh_link *link;
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT, again = OUTCOME_INIT;

	(void)state;
	start_sudo("Defaults timestamp_timeout=0\nops ALL=(ALL) ALL\n");
	client.sudo_password = "right horse";
	link = client_open(&client, &server, "ops");
	run_as_root(link, &outcome);
	assert_status(&outcome, 0);
	assert_string_equal(strbuf_get(&outcome.out), "0\nline of input\n");
	run_as_root(link, &again);
	assert_status(&again, 0);
	assert_string_equal(strbuf_get(&again.out), "0\nline of input\n");
	assert_int_equal(client.secret_questions, 1);
}

static void wrong_sudo_password_is_one_failure(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start_sudo("ops ALL=(ALL) ALL\n");
	client.sudo_password = "wrong horse";
	run_as_root(client_open(&client, &server, "ops"), &outcome);
	assert_failure(&outcome, ERR_AUTH, "sudo refuses the password");
	assert_int_equal(client.secret_questions, 1);
}

static void sudo_password_that_nobody_knows(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start_sudo("ops ALL=(ALL) ALL\n");
	client.options.ask_secret = NULL;
	run_as_root(client_open(&client, &server, "ops"), &outcome);
	assert_failure(&outcome, ERR_AUTH, "sudo needs a password");
}

static void user_who_may_not_use_sudo(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start_sudo("root ALL=(ALL) ALL\n");
	client.sudo_password = "right horse";
	run_as_root(client_open(&client, &server, "ops"), &outcome);
	assert_failure(&outcome, ERR_AUTH, "the user may not use sudo");
}

// The password is on nobody's command line, ours or the host's, and in no environment.
static void sudo_password_is_in_no_process_list(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	start_sudo("ops ALL=(ALL) ALL\n");
	client.sudo_password = "right horse";
	run_exec(&client, client_open(&client, &server, "ops"),
	         &(struct ssh_exec){
				 .argv = (const char *const[]){"sh", "-c",
	                                           "cat /proc/*/cmdline /proc/*/environ 2>/dev/null | "
	                                           "tr '\\0' '\\n' | grep -c 'right hors[e]'",
	                                           NULL},
				 .as_root = true,
			 },
	         &outcome);
	assert_string_equal(strbuf_get(&outcome.out), "0\n");
}

static void root_needs_no_sudo(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	run_as_root(client_open(&client, &server, "root"), &outcome);
	assert_status(&outcome, 0);
	assert_string_equal(strbuf_get(&outcome.out), "0\nline of input\n");
}

#define PLAIN_TEST(name) cmocka_unit_test_setup_teardown(name, start_plain, stop)
#define OWN_TEST(name) cmocka_unit_test_teardown(name, stop)
#define PASSWORD_TEST(name) cmocka_unit_test_setup_teardown(name, start_password, stop)
#define INTERACTIVE_TEST(name)                                    \
	{                                                             \
		"interactive_" #name, name, start_interactive, stop, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OWN_TEST(key_types),
		OWN_TEST(libssh2_634_rsa_key),
		PLAIN_TEST(rsa_key_does_not_hide_a_good_one),
		OWN_TEST(libssh2_1018_rsa_host_key_only),
		OWN_TEST(etm_macs_only),
		OWN_TEST(k0sctl_133_encrypted_key_is_asked_for_once),
		OWN_TEST(wrong_passphrase_is_asked_for_three_times),
		OWN_TEST(encrypted_key_without_anybody_to_ask),
		PLAIN_TEST(encrypted_key_that_is_not_wanted_is_not_asked_for),
		OWN_TEST(encrypted_pem_key),
		PLAIN_TEST(key_that_is_not_wanted),
		PLAIN_TEST(agent_signs),
		PLAIN_TEST(coop_68_agent_with_many_keys),
		PLAIN_TEST(agent_that_is_gone_is_no_end),
		PASSWORD_TEST(right_password),
		PASSWORD_TEST(wrong_password_is_one_failure),
		PASSWORD_TEST(password_is_not_asked_for_again_on_the_same_link),
		PASSWORD_TEST(nobody_to_ask_for_a_password),
		INTERACTIVE_TEST(right_password),
		INTERACTIVE_TEST(wrong_password_is_one_failure),
		OWN_TEST(kubekey_2343_sudo_without_a_password),
		OWN_TEST(k3sup_100_sudo_with_a_password),
		OWN_TEST(wrong_sudo_password_is_one_failure),
		OWN_TEST(sudo_password_that_nobody_knows),
		OWN_TEST(user_who_may_not_use_sudo),
		OWN_TEST(sudo_password_is_in_no_process_list),
		PLAIN_TEST(root_needs_no_sudo),
	};

	cmocka_set_test_filter(getenv("VPSML_TEST")); // one of them, by name
	return cmocka_run_group_tests(tests, NULL, NULL);
}
