// SPDX-License-Identifier: MIT
#include "boot/inventory_edit.h"

#include <string.h>

#include "boot/inventory.h"
#include "unit.h"

enum { FILE_MAX_BYTES = 1 << 20 };

#define HEAD "name: lab # mine\nkubernetes: v1.34.4\n"

static const struct boot_new_host vps9 = {.name = "vps9", .ssh = "root@203.0.113.9"};

static void expect_added(const struct boot_new_host *host, const char *before, const char *after)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;

	if (!boot_edit_add_host("f", before, strlen(before), host, &out, &err))
		fail_msg("%s (%s)", err_message(&err), err.hint);
	assert_string_equal(strbuf_get(&out), after);
}

static void expect_removed(const char *name, const char *before, const char *after)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;

	if (!boot_edit_remove_host("f", before, strlen(before), name, &out, &err))
		fail_msg("%s (%s)", err_message(&err), err.hint);
	assert_string_equal(strbuf_get(&out), after);
}

static void expect_not_added(const char *before, const char *message, const char *hint)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;

	assert_false(boot_edit_add_host("f", before, strlen(before), &vps9, &out, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err_message(&err), message);
	if (hint)
		assert_string_equal(err.hint, hint);
	assert_int_equal(out.len, 0);
}

static void adds_behind_the_last_host(void **state)
{
	(void)state;
	expect_added(&vps9, HEAD "hosts:\n- name: a # first\n  ssh: a\n# the end\nssh: {user: root}\n",
	             HEAD "hosts:\n- name: a # first\n  ssh: a\n- name: vps9\n  ssh: root@203.0.113.9\n"
	                  "# the end\nssh: {user: root}\n");
}

static void keeps_indentation_and_blank_lines(void **state)
{
	(void)state;
	expect_added(&vps9, HEAD "hosts:\n  - name: a\n    ssh: a\n\n  - name: b\n    ssh: b # last",
	             HEAD "hosts:\n  - name: a\n    ssh: a\n\n  - name: b\n    ssh: b # last\n\n"
	                  "  - name: vps9\n    ssh: root@203.0.113.9\n");
}

static void writes_like_the_last_host(void **state)
{
	const struct boot_new_host host = {.name = "on",
	                                   .ssh = "ops@[fd00::1]:22",
	                                   .role = "control-plane+worker",
	                                   .identity = "~/my key",
	                                   .jump = "none",
	                                   .host_key = "sha256:abc"};

	(void)state;
	expect_added(&host, HEAD "hosts:\n- {name: a, ssh: a} # x\n",
	             HEAD
	             "hosts:\n- {name: a, ssh: a} # x\n- {name: \"on\", ssh: \"ops@[fd00::1]:22\", "
	             "role: control-plane+worker, identity: \"~/my key\", jump: none, "
	             "hostKey: sha256:abc}\n");
}

static void adds_to_a_list_in_brackets(void **state)
{
	(void)state;
	expect_added(&vps9, HEAD "hosts: [{name: a, ssh: a}, # one\n  {name: b, ssh: b}\n  ] # all\n",
	             HEAD "hosts: [{name: a, ssh: a}, # one\n  {name: b, ssh: b}, "
	                  "{name: vps9, ssh: root@203.0.113.9}\n  ] # all\n");
	expect_added(&vps9, HEAD "hosts: []\n", HEAD "hosts: [{name: vps9, ssh: root@203.0.113.9}]\n");
}

static void adds_the_list_where_there_is_none(void **state)
{
	(void)state;
	expect_added(&vps9, HEAD, HEAD "hosts:\n- name: vps9\n  ssh: root@203.0.113.9\n");
	expect_added(&vps9, "hosts: # none yet\nname: lab\n",
	             "hosts: # none yet\n- name: vps9\n  ssh: root@203.0.113.9\nname: lab\n");
}

static void adds_behind_a_block_of_text(void **state)
{
	(void)state;
	expect_added(&vps9, "hosts:\n- name: a\n  ssh: |-\n    a\nname: lab\n",
	             "hosts:\n- name: a\n  ssh: |-\n    a\n- name: vps9\n  ssh: root@203.0.113.9\n"
	             "name: lab\n");
}

static void a_file_with_carriage_returns_stays_readable(void **state)
{
	(void)state;
	expect_added(&vps9, "name: lab\r\nhosts:\r\n- {name: a, ssh: a}\r\n",
	             "name: lab\r\nhosts:\r\n- {name: a, ssh: a}\r\n"
	             "- {name: vps9, ssh: root@203.0.113.9}\n");
}

static void says_what_to_write_where_it_cannot(void **state)
{
	const char *hint = "write there, under \"hosts\": - {name: vps9, ssh: root@203.0.113.9}";

	(void)state;
	expect_not_added("x: &h [{name: a, ssh: a}]\nhosts: *h\n",
	                 "f: the list of hosts cannot be added to", hint);
	expect_not_added("{name: lab}\n", "f: the list of hosts cannot be added to", hint);
	expect_not_added("hosts: 5\n", "f: the list of hosts cannot be added to", hint);
	expect_not_added("- a\n", "f: the list of hosts cannot be added to", hint);
	expect_not_added(HEAD "...\n", "f: the list of hosts cannot be added to", hint);
}

static void refuses_a_name_that_is_there(void **state)
{
	(void)state;
	expect_not_added(HEAD "hosts:\n- {name: vps9, ssh: a}\n",
	                 "f:4:3: there is a host \"vps9\" already", NULL);
}

static void takes_a_host_out(void **state)
{
	(void)state;
	expect_removed("b",
	               HEAD "hosts:\n# one\n- name: a\n  ssh: a\n# two\n- name: b # gone\n  ssh: b\n"
	                    "# three\n- name: c\n  ssh: c\n",
	               HEAD
	               "hosts:\n# one\n- name: a\n  ssh: a\n# two\n# three\n- name: c\n  ssh: c\n");
	expect_removed("b", HEAD "hosts:\n- {name: a, ssh: a}\n\n- {name: b, ssh: b}\n\nssh: {}\n",
	               HEAD "hosts:\n- {name: a, ssh: a}\n\nssh: {}\n");
	expect_removed("a", "hosts:\n  -\n    name: a\n    ssh: a\n  - {name: b, ssh: b}",
	               "hosts:\n  - {name: b, ssh: b}");
}

static void takes_a_host_out_of_brackets(void **state)
{
	(void)state;
	expect_removed("a", "hosts: [{name: a}, {name: b}]\n", "hosts: [{name: b}]\n");
	expect_removed("b", "hosts: [{name: a}, {name: b}]\n", "hosts: [{name: a}]\n");
	expect_removed("b", "hosts: [{name: a},\n {name: b},\n {name: c}]\n",
	               "hosts: [{name: a},\n {name: c}]\n");
}

static void expect_not_removed(const char *name, const char *before, const char *message)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;

	assert_false(boot_edit_remove_host("f", before, strlen(before), name, &out, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err_message(&err), message);
	assert_int_equal(out.len, 0);
}

static void refuses_to_take_out(void **state)
{
	(void)state;
	expect_not_removed("x", "hosts: [{name: a}, {name: b}]\n", "f: there is no host \"x\"");
	expect_not_removed("a", "hosts: [{name: a}]\n", "f: \"a\" is the only host");
	// The anchor is needed by the other one.
	expect_not_removed("a", "hosts:\n- &h {name: a, ssh: a}\n- {<<: *h, name: b}\n",
	                   "f: host \"a\" cannot be taken out");
}

static void in_and_out_again_is_the_same_file(void **state)
{
	static const char text[] =
		HEAD "\nhosts: # all\n\n- name: a\n  ssh: a\n\n- name: b # b\n  ssh: b\n# end\n";
	_cleanup_strbuf_ struct strbuf longer = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf again = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(boot_edit_add_host("f", text, strlen(text), &vps9, &longer, &err));
	assert_true(boot_edit_remove_host("f", strbuf_get(&longer), longer.len, "vps9", &again, &err));
	assert_string_equal(strbuf_get(&again), text);
}

static void a_new_file_is_read(void **state)
{
	const struct boot_new_cluster cluster = {
		.name = "lab",
		.kubernetes = "v1.34.4",
		.endpoint = "api.example.org",
		.plugin = "calico",
		.host = {.name = "vps1", .ssh = "root@203.0.113.10", .role = "control-plane+worker"},
	};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;
	struct boot_inventory inventory;

	(void)state;
	boot_edit_new(&cluster, &out);
	assert_true(boot_inventory_parse("f", NULL, strbuf_get(&out), out.len, &inventory, &err));
	assert_string_equal(inventory.endpoint, "api.example.org");
	assert_int_equal(inventory.network.plugin, BOOT_PLUGIN_CALICO);
	assert_true(inventory.hosts[0].is_control_plane && inventory.hosts[0].is_worker);
	boot_inventory_release(&inventory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_behind_the_last_host),
		cmocka_unit_test(keeps_indentation_and_blank_lines),
		cmocka_unit_test(writes_like_the_last_host),
		cmocka_unit_test(adds_to_a_list_in_brackets),
		cmocka_unit_test(adds_the_list_where_there_is_none),
		cmocka_unit_test(adds_behind_a_block_of_text),
		cmocka_unit_test(a_file_with_carriage_returns_stays_readable),
		cmocka_unit_test(says_what_to_write_where_it_cannot),
		cmocka_unit_test(refuses_a_name_that_is_there),
		cmocka_unit_test(takes_a_host_out),
		cmocka_unit_test(takes_a_host_out_of_brackets),
		cmocka_unit_test(refuses_to_take_out),
		cmocka_unit_test(in_and_out_again_is_the_same_file),
		cmocka_unit_test(a_new_file_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
