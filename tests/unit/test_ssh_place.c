// SPDX-License-Identifier: MIT
#include "ssh/place.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "ssh/config.h"
#include "unit.h"

static void assert_address(const char *text, const char *user, const char *host, uint16_t port)
{
	_cleanup_ssh_address_ struct ssh_address address = {0};
	_cleanup_err_ struct err err = ERR_INIT;

	if (!ssh_address_parse(text, &address, &err))
		fail_msg("%s", err_message(&err));
	if (user)
		assert_string_equal(address.user, user);
	else
		assert_null(address.user);
	assert_string_equal(address.host, host);
	assert_int_equal(address.port, port);
}

static void addresses(void **state)
{
	(void)state;
	assert_address("gpu-1", NULL, "gpu-1", 0);
	assert_address("root@gpu-1.example.org:2222", "root", "gpu-1.example.org", 2222);
	assert_address("10.0.0.5:22", NULL, "10.0.0.5", 22);
	assert_address("2001:db8::5", NULL, "2001:db8::5", 0);
	assert_address("ops@[2001:db8::5]:8022", "ops", "2001:db8::5", 8022);
	assert_address("[2001:db8::5]", NULL, "2001:db8::5", 0);
	assert_address("fe80::1%eth0", NULL, "fe80::1%eth0", 0);
	assert_address("a@corp@host", "a@corp", "host", 0);
}

static void words_that_are_no_host(void **state)
{
	static const char *const words[] = {
		"",       "@",   "a@",  "@b",      "-oProxyCommand=x", "-x@host", "root@-x", "a b",
		"host:0", "h:x", "h:",  "h:70000", "[::1]x",           "[::1",    "[]",      "a\nb",
		"$(x)",   "`x`", "a;b", "a,b",     "\x1b[31m",         "host:-1",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		_cleanup_ssh_address_ struct ssh_address address = {0};
		_cleanup_err_ struct err err = ERR_INIT;

		if (ssh_address_parse(words[i], &address, &err))
			fail_msg("took \"%s\"", words[i]);
		assert_int_equal(err.kind, ERR_USAGE);
	}
}

static const char answer[] = "host gpu\n"
							 "user ml\n"
							 "hostname 10.0.0.5\n"
							 "port 2222\n"
							 "identitiesonly yes\n"
							 "stricthostkeychecking accept-new\n"
							 "identityfile ~/.ssh/gpu key\n"
							 "identityfile ~/.ssh/other\n"
							 "globalknownhostsfile /etc/ssh/ssh_known_hosts /etc/ssh/more\n"
							 "userknownhostsfile /home/me/.ssh/known_hosts\n"
							 "hostkeyalias gpu-alias\n"
							 "identityagent /run/agent\n"
							 "proxyjump me@bastion:8022\n"
							 "somethingnew value\n"
							 "lonely\n";

static void answer_of_ssh_is_read(void **state)
{
	_cleanup_ssh_config_ struct ssh_config config = SSH_CONFIG_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(ssh_config_parse(answer, &config, &err));
	assert_string_equal(config.host_name, "10.0.0.5");
	assert_string_equal(config.user, "ml");
	assert_int_equal(config.port, 2222);
	assert_true(config.is_identities_only);
	assert_int_equal(config.identity_files.count, 2);
	assert_string_equal(config.identity_files.items[0], "~/.ssh/gpu key");
	assert_int_equal(config.known_hosts.count, 3);
	assert_string_equal(config.known_hosts.items[0], "/home/me/.ssh/known_hosts");
	assert_string_equal(config.host_key_alias, "gpu-alias");
	assert_string_equal(config.identity_agent, "/run/agent");
	assert_string_equal(config.proxy_jump, "me@bastion:8022");
	assert_null(config.proxy_command);
	assert_string_equal(config.strict_host_key, "accept-new");
}

static void wrong_port_is_an_error(void **state)
{
	_cleanup_ssh_config_ struct ssh_config config = SSH_CONFIG_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_false(ssh_config_parse("port 0\n", &config, &err));
	assert_false(ssh_config_parse("hostname x\nport 1x\n", &config, &err));
	assert_true(ssh_config_parse("", &config, &err));
}

static void memory_may_be_short(void **state)
{
	bool is_ok = false;

	(void)state;
	for (size_t nth = 1; !is_ok; nth++) {
		_cleanup_ssh_config_ struct ssh_config config = SSH_CONFIG_INIT;
		_cleanup_err_ struct err err = ERR_INIT;

		unit_fail_allocation(nth);
		is_ok = ssh_config_parse(answer, &config, &err);
		unit_fail_allocation(0);
		assert_true(is_ok || err.kind == ERR_MEMORY);
	}
}

// With the real ssh and a configuration file of our own.

static void find(const char *word, const struct ssh_wishes *wishes, const char *config,
                 struct ssh_place *ret)
{
	char path[] = "/tmp/vpsml-config-XXXXXX";
	struct ssh_wishes full = *wishes;
	_cleanup_err_ struct err err = ERR_INIT;
	int fd = mkstemp(path);

	if (system("command -v ssh >/dev/null"))
		skip();
	assert_true(fd >= 0);
	close(fd);
	assert_true(file_write(path, config, strlen(config), &err));
	full.config = path;
	if (!ssh_place_find(word, &full, ret, &err))
		fail_msg("%s", err_message(&err));
	unlink(path);
}

static void ssh_config_is_asked(void **state)
{
	_cleanup_ssh_place_ struct ssh_place place = {0};
	struct ssh_wishes wishes = {0};

	(void)state;
	find("gpu", &wishes,
	     "Host gpu\n HostName 10.0.0.5\n User ml\n Port 2222\n IdentityFile /keys/gpu\n"
	     " ProxyJump me@bastion\n UserKnownHostsFile /known\n IdentityAgent none\n"
	     " HostKeyAlias gpu-alias\n StrictHostKeyChecking yes\n",
	     &place);
	assert_string_equal(place.target.name, "gpu");
	assert_string_equal(place.target.address, "10.0.0.5");
	assert_string_equal(place.target.user, "ml");
	assert_int_equal(place.target.port, 2222);
	assert_string_equal(place.target.identities->items[0], "/keys/gpu");
	assert_string_equal(place.target.known_hosts->items[0], "/known");
	assert_string_equal(place.target.known_as, "gpu-alias");
	assert_null(place.target.agent);
	assert_string_equal(place.jump, "me@bastion");
	assert_int_equal(place.target.host_key.policy, HOST_KEY_STRICT);
}

static void what_was_typed_beats_ssh_config(void **state)
{
	_cleanup_ssh_place_ struct ssh_place place = {0};
	_cleanup_strv_ struct strv keys = STRV_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	struct ssh_wishes wishes = {
		.user = "nobody",
		.port = 9,
		.identities = &keys,
		.jump = "none",
		.host_key = {.policy = HOST_KEY_ACCEPT_NEW},
		.has_host_key = true,
	};

	(void)state;
	assert_true(strv_add(&keys, "/my/key", &err));
	find("root@gpu:8022", &wishes,
	     "Host gpu\n User ml\n Port 2222\n IdentityFile /keys/gpu\n ProxyJump bastion\n", &place);
	assert_string_equal(place.target.user, "root");
	assert_int_equal(place.target.port, 8022);
	assert_int_equal(place.target.identities->count, 1);
	assert_string_equal(place.target.identities->items[0], "/my/key");
	assert_null(place.jump);
	assert_int_equal(place.target.host_key.policy, HOST_KEY_ACCEPT_NEW);
}

static void no_ssh_config_takes_what_ssh_would(void **state)
{
	_cleanup_ssh_place_ struct ssh_place place = {0};
	_cleanup_err_ struct err err = ERR_INIT;
	struct ssh_wishes wishes = {.config = "none"};

	(void)state;
	setenv("HOME", "/home/me", 1);
	assert_true(ssh_place_find("root@gpu", &wishes, &place, &err));
	assert_int_equal(place.target.port, 22);
	assert_string_equal(place.target.address, "gpu");
	assert_string_equal(place.target.identities->items[0], "/home/me/.ssh/id_ed25519");
	assert_string_equal(place.target.known_hosts->items[0], "/home/me/.ssh/known_hosts");
	assert_string_equal(place.target.known_hosts->items[1], "/etc/ssh/ssh_known_hosts");
	assert_int_equal(place.target.host_key.policy, HOST_KEY_ASK);
}

static void several_jump_hosts_are_refused(void **state)
{
	struct ssh_place place;
	_cleanup_err_ struct err err = ERR_INIT;
	struct ssh_wishes wishes = {.config = "none", .jump = "a,b"};

	(void)state;
	assert_false(ssh_place_find("gpu", &wishes, &place, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_non_null(strstr(err.hint, "--ssh=openssh"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses),
		cmocka_unit_test(words_that_are_no_host),
		cmocka_unit_test(answer_of_ssh_is_read),
		cmocka_unit_test(wrong_port_is_an_error),
		cmocka_unit_test(memory_may_be_short),
		cmocka_unit_test(ssh_config_is_asked),
		cmocka_unit_test(what_was_typed_beats_ssh_config),
		cmocka_unit_test(no_ssh_config_takes_what_ssh_would),
		cmocka_unit_test(several_jump_hosts_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
