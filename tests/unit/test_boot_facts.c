// SPDX-License-Identifier: MIT
#include "boot/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

static void parse(const char *text, struct boot_facts *ret)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!boot_facts_parse(text, strlen(text), ret, &err))
		fail_msg("%s", err_message(&err));
}

static void a_bare_host(void **state)
{
	_cleanup_boot_facts_ struct boot_facts facts;
	const char *server;

	(void)state;
	parse(
		"noise of a login script\nfacts=1\nos_id=debian\nos_version=12\nroot=1\nclock=1796137158\n"
		"cpus=2\nmemory_kib=24731184\ncgroup=cgroup2fs\nswap=/swapfile\nfstab_swap=/swapfile none "
		"swap sw 0 0\n"
		"interface=eth0 02:fc:00:00:00:01\naddress=eth0 203.0.113.7/24\naddress=eth1 10.0.0.5/8\n"
		"route=default eth0\nroute=10.0.0.0/8 eth1\nlistener=tcp 6443 k3s-server\nlistener=udp "
		"8472 -\n"
		"ssh_address=10.0.0.5\npackage=h kubelet 1.34.4-1.1\npackage=i containerd 1.6.20~ds1\n"
		"containerd=1.6.20~ds1\nkubelet=v1.34.4\npackage_lock=812 unattended-upgr\nunheard_of=x\n"
		"file=/etc/fstab 644 YQo=\nfacts_end=1\n",
		&facts);
	assert_string_equal(facts.os_id, "debian");
	assert_null(facts.os_codename);
	assert_true(facts.is_root && facts.is_cgroup_v2 && facts.is_cgroup_known);
	assert_int_equal(facts.clock_s, 1796137158);
	assert_int_equal(facts.disk_free_kib, -1);
	assert_string_equal(facts.fstab_swaps.items[0], "/swapfile none swap sw 0 0");
	assert_int_equal(facts.address_count, 2);
	assert_true(facts.routes[0].is_default);
	assert_string_equal(boot_facts_listener(&facts, 6443)->process, "k3s-server");
	assert_null(boot_facts_listener(&facts, 8472)); // of UDP
	assert_true(boot_facts_package(&facts, "kubelet")->is_held);
	assert_int_equal(facts.containerd.minor, 6);
	assert_string_equal(facts.package_lock, "812 unattended-upgr");
	assert_string_equal(boot_facts_file(&facts, "/etc/fstab")->text, "a\n");
	assert_int_equal(boot_facts_membership(&facts, "lab", NULL, &server), BOOT_CLEAN);
}

static void node_ip_is_the_address_ssh_came_in_at(void **state)
{
	_cleanup_boot_facts_ struct boot_facts facts, nat;
	struct boot_ip ip;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64), other = STRBUF_INIT(64);

	(void)state;
	parse("facts=1\naddress=eth0 203.0.113.7/24\naddress=eth1 10.0.0.5/8\nroute=default eth0\n"
	      "ssh_address=10.0.0.5\nfacts_end=1\n",
	      &facts);
	ip = boot_facts_node_ip(&facts, NULL);
	boot_ip_write(&text, &ip);
	assert_string_equal(strbuf_get(&text), "10.0.0.5");
	// kubeadm#1390: the address of a 1:1 NAT is on no interface
	parse("facts=1\naddress=eth1 192.168.1.5/24\naddress=eth0 10.9.0.7/24\nroute=default eth0\n"
	      "ssh_address=203.0.113.7\nfacts_end=1\n",
	      &nat);
	ip = boot_facts_node_ip(&nat, NULL);
	boot_ip_write(&other, &ip);
	assert_string_equal(strbuf_get(&other), "10.9.0.7");
}

static void claudie_1649_a_node_of_another_cluster(void **state)
{
	_cleanup_boot_facts_ struct boot_facts facts;
	const char *server;

	(void)state;
	parse("facts=1\npath=/etc/kubernetes/kubelet.conf\nkubelet_server=https://10.1.1.1:6443\n"
	      "facts_end=1\n",
	      &facts);
	assert_int_equal(boot_facts_membership(&facts, "lab", NULL, &server), BOOT_FOREIGN);
	assert_string_equal(server, "https://10.1.1.1:6443");
}

// kubeadm#974: init died after it had written manifests.
static void kubeadm_974_a_run_of_ours_that_broke_off(void **state)
{
	_cleanup_boot_facts_ struct boot_facts facts;
	const char *server;

	(void)state;
	parse("facts=1\npath=/etc/kubernetes/manifests/etcd.yaml\n"
	      "file=/var/lib/vpsml/state 600 Y2x1c3Rlcj1sYWIKcnVuPTQyCnN0ZXA9a3ViZWFkbS1pbml0Cg==\n"
	      "facts_end=1\n",
	      &facts);
	assert_string_equal(facts.mark.step, "kubeadm-init");
	assert_int_equal(boot_facts_membership(&facts, "lab", NULL, &server), BOOT_PARTIAL);
	assert_int_equal(boot_facts_membership(&facts, "other", NULL, &server), BOOT_FOREIGN);
}

static void an_answer_that_is_cut_is_refused(void **state)
{
	struct boot_facts facts;
	_cleanup_err_ struct err err = ERR_INIT;
	static const char text[] = "facts=1\nos_id=debian\n";

	(void)state;
	assert_false(boot_facts_parse(text, strlen(text), &facts, &err));
	assert_string_equal(err_message(&err), "facts: the host's answer is cut off");
}

// The script as it is, on the machine that runs the tests.
static void the_script_runs_here(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(BOOT_FACTS_MAX_BYTES);
	_cleanup_boot_facts_ struct boot_facts facts;
	char buffer[4096], path[] = "/tmp/vpsml-facts-XXXXXX", command[64];
	int file = mkstemp(path);
	FILE *pipe;

	(void)state;
	assert_true(file >= 0);
	assert_int_equal(write(file, boot_facts_script, strlen(boot_facts_script)),
	                 (ssize_t)strlen(boot_facts_script));
	close(file);
	snprintf(command, sizeof(command), "/bin/sh -s localhost <%s", path);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	for (size_t len; (len = fread(buffer, 1, sizeof(buffer), pipe)) > 0;)
		strbuf_add_n(&text, buffer, len);
	assert_int_equal(pclose(pipe), 0);
	unlink(path);
	parse(strbuf_get(&text), &facts);
	assert_true(facts.cpus > 0 && facts.memory_kib > 0 && facts.disk_free_kib > 0);
	assert_true(facts.clock_s > 1700000000);
	assert_non_null(facts.kernel);
	assert_non_null(facts.host_name);
	assert_true(facts.endpoint_addresses.count > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bare_host),
		cmocka_unit_test(node_ip_is_the_address_ssh_came_in_at),
		cmocka_unit_test(claudie_1649_a_node_of_another_cluster),
		cmocka_unit_test(kubeadm_974_a_run_of_ours_that_broke_off),
		cmocka_unit_test(an_answer_that_is_cut_is_refused),
		cmocka_unit_test(the_script_runs_here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
