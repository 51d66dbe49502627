// SPDX-License-Identifier: MIT
#include "boot/check.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

enum { HOSTS_MAX = 5, TEXT_MAX_BYTES = 1 << 16 };

// A host without fault: Debian, 2 CPUs, 2 GB.
#define FINE                                                                             \
	"facts=1\nroot=1\nclock=1000000\nos_id=debian\nos_name=Debian 12\ncommand=apt-get\n" \
	"cpus=2\nmemory_kib=2000000\ncgroup=cgroup2fs\ndisk_free_kib=20000000\n"             \
	"route=default eth0\n"
#define HOST(n)                                                                      \
	FINE "host_name=vps" #n "\nmachine_id=m" #n "\nproduct_uuid=u" #n "\n"           \
		 "interface=eth0 02:00:00:00:00:0" #n "\naddress=eth0 192.168.7." #n "/24\n" \
		 "route=192.168.7.0/24 eth0\n"

#define FILE_HEAD "name: lab\nkubernetes: v1.34.4\n"
#define FILE_HOSTS                                                                  \
	"hosts:\n- {name: vps1, ssh: a, role: control-plane}\n- {name: vps2, ssh: b}\n" \
	"- {name: vps3, ssh: c}\n"

struct world {
	struct boot_inventory inventory;
	struct boot_facts facts[HOSTS_MAX];
	struct boot_seen seen[HOSTS_MAX];
	size_t count;
	struct faults faults;
};

static void world_init(struct world *world, const char *file)
{
	_cleanup_err_ struct err err = ERR_INIT;

	memset(world, 0, sizeof(*world));
	if (!boot_inventory_parse("f", NULL, file, strlen(file), &world->inventory, &err))
		fail_msg("%s", err_message(&err));
}

// The next host's facts; NULL: it did not answer.
static void world_add(struct world *world, const char *facts)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;
	size_t index = world->count++;
	struct boot_host *host = &world->inventory.hosts[index];

	if (!facts)
		return;
	strbuf_addf(&text, "%sfacts_end=1\n", facts);
	if (!boot_facts_parse(strbuf_get(&text), text.len, &world->facts[index], &err))
		fail_msg("%s", err_message(&err));
	world->seen[index] =
		(struct boot_seen){&world->facts[index], 1000000 * 1000LL, 1000000 * 1000LL + 1000, false};
	host->node_ip = boot_facts_node_ip(&world->facts[index], &host->node_ip);
}

static void expect_lines(const struct strv *lines, const char *expected)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);

	for (size_t i = 0; i < lines->count; i++)
		strbuf_addf(&text, "%s\n", lines->items[i]);
	assert_string_equal(strbuf_get(&text), expected);
}

// Checks, compares, and releases the world.
static void world_expect(struct world *world, const char *errors, const char *warnings)
{
	boot_check_hosts(&world->inventory, world->seen, &world->faults);
	expect_lines(&world->faults.errors, errors);
	expect_lines(&world->faults.warnings, warnings);
	for (size_t i = 0; i < world->count; i++)
		boot_facts_release(&world->facts[i]);
	boot_inventory_release(&world->inventory);
	faults_release(&world->faults);
}

static void expect_three(const char *head, const char *first, const char *second,
                         const char *errors, const char *warnings)
{
	_cleanup_strbuf_ struct strbuf file = STRBUF_INIT(TEXT_MAX_BYTES);
	struct world world;

	strbuf_addf(&file, "%s" FILE_HOSTS, head);
	world_init(&world, strbuf_get(&file));
	world_add(&world, first);
	world_add(&world, second);
	world_add(&world, HOST(3));
	world_expect(&world, errors, warnings);
}

static void three_good_hosts_have_no_fault(void **state)
{
	(void)state;
	expect_three(FILE_HEAD, HOST(1), HOST(2), "", "");
}

static void a_host_that_does_not_answer_is_left_out(void **state)
{
	(void)state;
	expect_three(FILE_HEAD, HOST(1), NULL, "", "");
	expect_three(FILE_HEAD, NULL, HOST(2), "", "");
}

static void kubeadm_31_one_host_name(void **state)
{
	(void)state;
	expect_three(FILE_HEAD, HOST(1) "", HOST(2), "", "");
	expect_three(FILE_HEAD, FINE "host_name=vps2\naddress=eth0 192.168.7.1/24\n", HOST(2),
	             "vps1 and vps2: they have one host name; give each its own with hostnamectl "
	             "set-hostname\n",
	             "");
}

static void kubeadm_1764_clones_are_warned_of(void **state)
{
	struct world world;

	(void)state;
	world_init(&world, FILE_HEAD FILE_HOSTS);
	world_add(&world, FINE "host_name=a\nmachine_id=m\nproduct_uuid=u\ninterface=eth0 02::1\n"
	                       "address=eth0 192.168.7.1/24\n");
	world_add(&world, FINE "host_name=b\nmachine_id=m\nproduct_uuid=u\ninterface=eth0 02::1\n"
	                       "address=eth0 192.168.7.2/24\n");
	world_add(&world, FINE "host_name=c\nmachine_id=m\nproduct_uuid=v\ninterface=eth0 02::2\n"
	                       "address=eth0 192.168.7.3/24\n");
	world_expect(&world, "",
	             "vps1, vps2 and vps3: they have one machine-id, as clones do; remove "
	             "/etc/machine-id and run systemd-machine-id-setup\n"
	             "vps1 and vps2: they have one product_uuid, as clones do\n"
	             "vps1 and vps2: they have one MAC address, as clones do\n");
}

static void two_hosts_with_one_address(void **state)
{
	(void)state;
	expect_three(FILE_HEAD, FINE "host_name=vps1\naddress=eth0 192.168.7.2/24\n", HOST(2),
	             "vps1 and vps2: they have one address, 192.168.7.2; give each its nodeIP\n", "");
}

static void endpoint_that_does_not_resolve(void **state)
{
	(void)state;
	expect_three(FILE_HEAD "endpoint: api.example.org\n", HOST(1) "endpoint_address=192.168.7.1\n",
	             HOST(2),
	             "vps2: the endpoint api.example.org does not resolve there; add it to DNS, or to "
	             "its /etc/hosts\n"
	             "vps3: the endpoint api.example.org does not resolve there; add it to DNS, or to "
	             "its /etc/hosts\n",
	             "");
	expect_three(FILE_HEAD "endpoint: 192.168.7.1\n", HOST(1), HOST(2), "", "");
}

static void networks_that_a_host_has_already(void **state)
{
	(void)state;
	expect_three(
		FILE_HEAD, HOST(1) "route=10.0.0.0/8 eth1\n", HOST(2),
		"vps1: network.podCIDR 10.244.0.0/16 overlaps 10.0.0.0/8, which it reaches through "
		"eth1 (172.20.0.0/16 is free on all hosts)\n"
		"vps1: network.serviceCIDR 10.96.0.0/12 overlaps 10.0.0.0/8, which it reaches "
		"through eth1 (172.20.0.0/16 is free on all hosts)\n",
		"");
	// What an earlier run of ours has made, and another network.
	expect_three(FILE_HEAD, HOST(1) "route=10.244.1.0/24 flannel.1\nroute=10.244.0.0/24 cni0\n",
	             HOST(2) "route=10.1.0.0/16 eth1\n", "", "");
}

static void kubeadm_2479_both_numbers_at_once(void **state)
{
	(void)state;
	expect_three(FILE_HEAD, HOST(1) "cpus=1\nmemory_kib=1001472\n", HOST(2) "cpus=1\n",
	             "vps1: 1 CPU and 978 MiB of memory; a control plane needs 2 and 1700 (or "
	             "ignorePreflight: [NumCPU, Mem])\n",
	             "");
	expect_three(FILE_HEAD "ignorePreflight: [NumCPU, Mem]\n",
	             HOST(1) "cpus=1\nmemory_kib=1001472\n", HOST(2), "",
	             "vps1: 1 CPU and 978 MiB of memory; a control plane needs 2 and 1700\n");
}

static void kubeadm_1988_clock_two_hours_behind(void **state)
{
	(void)state;
	expect_three(FILE_HEAD, HOST(1) "clock=992800\n", HOST(2),
	             "vps1: its clock is 7200 s behind those of the other hosts; set it right: "
	             "timedatectl set-ntp true\n",
	             "");
	expect_three(FILE_HEAD, HOST(1) "clock=1000031\n", HOST(2),
	             "vps1: its clock is 31 s ahead of those of the other hosts; set it right: "
	             "timedatectl set-ntp true\n",
	             "");
	expect_three(FILE_HEAD, HOST(1) "clock=1000029\n", HOST(2), "", "");
}

static void sealos_2668_the_clock_here_does_not_matter(void **state)
{
	struct world world;

	(void)state;
	world_init(&world, FILE_HEAD FILE_HOSTS);
	world_add(&world, HOST(1));
	world_add(&world, HOST(2));
	world_add(&world, HOST(3));
	for (size_t i = 0; i < 3; i++) {
		world.seen[i].asked_ms += 86400 * 1000LL;
		world.seen[i].answered_ms += 86400 * 1000LL;
	}
	world_expect(&world, "", "");
}

static void a_slow_answer_is_no_skew(void **state)
{
	struct world world;

	(void)state;
	world_init(&world, FILE_HEAD FILE_HOSTS);
	world_add(&world, HOST(1) "clock=1000060\n");
	world_add(&world, HOST(2));
	world_add(&world, HOST(3));
	world.seen[0].answered_ms += 70 * 1000;
	world_expect(&world, "", "");
}

static void of_two_clocks_nobody_knows_which_is_wrong(void **state)
{
	(void)state;
	expect_three(FILE_HEAD, NULL, HOST(2) "clock=1000100\n",
	             "vps2 and vps3: their clocks are 100 s apart; set them right: timedatectl set-ntp "
	             "true\n",
	             "");
}

#define JOINED                                                                  \
	"path=/etc/kubernetes/kubelet.conf\nkubelet_server=https://10.9.9.9:6443\n" \
	"listener=tcp 10250 kubelet\n"

static void claudie_1649_host_of_another_cluster(void **state)
{
	(void)state;
	expect_three(
		FILE_HEAD, HOST(1), HOST(2) JOINED,
		"vps2: it is part of another cluster, https://10.9.9.9:6443; take it out there, or "
		"`kubeadm reset` it\n",
		"");
	expect_three(FILE_HEAD, HOST(1), HOST(2) "path=/var/lib/etcd/member\n",
	             "vps2: it has parts of a cluster that vpsml did not make; `kubeadm reset` it\n",
	             "");
}

// up --limit vps1 goes on though vps2 has a fault of its own.
static void faults_of_hosts_that_are_left_alone_are_warnings(void **state)
{
	struct world world;

	(void)state;
	world_init(&world, FILE_HEAD FILE_HOSTS);
	world_add(&world, HOST(1));
	world_add(&world, HOST(2) "command=k3s\n");
	world_add(&world, HOST(3));
	world.seen[1].is_left_alone = true;
	world_expect(&world, "", "vps2: k3s is installed; it and kubeadm cannot share a host\n");
}

static void host_without_apt_is_named(void **state)
{
	(void)state;
	expect_three(FILE_HEAD, HOST(1),
	             "facts=1\nclock=1000000\nos_name=Rocky Linux 9.4\nhost_name=vps2\n"
	             "address=eth0 192.168.7.2/24\n",
	             "vps2: Rocky Linux 9.4 has no apt; vpsml sets up Debian, Ubuntu and their kin\n",
	             "");
}

static void kubeadm_2145_no_proxy_of_networks_only(void **state)
{
	(void)state;
	expect_three(FILE_HEAD,
	             HOST(1) "proxy=HTTP_PROXY=http://p:3128\nproxy=no_proxy=192.168.0.0/16,.svc\n",
	             HOST(2),
	             "vps1: it has a proxy, and no_proxy does not name 192.168.7.1, 192.168.7.2, "
	             "192.168.7.3 (not every program reads networks there); set proxy in cluster.yaml, "
	             "which computes no_proxy\n",
	             "");
	expect_three(FILE_HEAD,
	             HOST(1) "proxy=https_proxy=http://p:3128\n"
	                     "proxy=NO_PROXY=192.168.7.1, 192.168.7.2,192.168.7.3\n",
	             HOST(2), "", "");
	expect_three(FILE_HEAD "proxy: {http: 'http://p:3128'}\n",
	             HOST(1) "proxy=HTTP_PROXY=http://p:3128\n", HOST(2), "", "");
}

static void kubeadm_1390_address_on_no_interface(void **state)
{
	struct world world;

	(void)state;
	world_init(&world, FILE_HEAD "hosts: [{name: vps1, ssh: a, nodeIP: 203.0.113.10}]\n");
	world_add(&world, HOST(1));
	world_expect(
		&world,
		"vps1: nodeIP 203.0.113.10 is on none of its interfaces (192.168.7.1); take one of "
		"those, and put 203.0.113.10 into apiServerNames\n",
		"");
}

static void containerd_4581_disabled_cri_plugin(void **state)
{
	// disabled_plugins = ["cri"], in base64; then a comment that has it
	(void)state;
	expect_three(FILE_HEAD,
	             HOST(1) "file=/etc/containerd/config.toml 644 "
	                     "ZGlzYWJsZWRfcGx1Z2lucyA9IFsiY3JpIl0K\n",
	             HOST(2) "file=/etc/containerd/config.toml 644 "
	                     "I2Rpc2FibGVkX3BsdWdpbnMgPSBbImNyaSJdCg==\n",
	             "",
	             "vps1: /etc/containerd/config.toml disables the CRI plugin, as containerd.io's "
	             "packages do; it is enabled again, and the old file kept\n");
}

static void others_that_want_the_host(void **state)
{
	(void)state;
	expect_three(FILE_HEAD, HOST(1) "command=k3s\n", HOST(2) "command=microk8s\n",
	             "vps1: k3s is installed; it and kubeadm cannot share a host\n"
	             "vps2: microk8s is installed; it and kubeadm cannot share a host\n",
	             "");
	expect_three(FILE_HEAD, HOST(1) "package=i docker-ce 5:27\npackage=i containerd.io 1.7.28\n",
	             HOST(2), "",
	             "vps1: Docker is installed and shares containerd; what its containers use is not "
	             "seen by the scheduler\n");
	expect_three(
		FILE_HEAD "packages: {containerd: distribution}\n",
		HOST(1) "package=i docker-ce 5:27\npackage=i containerd.io 1.7.28\n", HOST(2),
		"vps1: packages.containerd: distribution would replace containerd.io, which Docker "
		"needs\n",
		"");
}

static void ports_in_use_with_their_owner(void **state)
{
	(void)state;
	expect_three(FILE_HEAD, HOST(1) "listener=tcp 6443 nginx\nlistener=tcp 179 bird\n",
	             HOST(2) "listener=tcp 6443 nginx\nlistener=tcp 10250 -\n",
	             "vps1: port 6443 is in use by nginx\n"
	             "vps2: port 10250 is in use by a program that hides its name\n",
	             "");
	// A node of the cluster uses them itself.
	expect_three(FILE_HEAD,
	             HOST(1) "file=/var/lib/vpsml/state 600 Y2x1c3Rlcj1sYWIKZG9uZT0xCg==\n"
	                     "path=/etc/kubernetes/kubelet.conf\npath=/etc/kubernetes/admin.conf\n"
	                     "listener=tcp 6443 kube-apiserver\n",
	             HOST(2), "", "");
}

static void wireguard_of_somebody_else(void **state)
{
	(void)state;
	expect_three(FILE_HEAD "network: {backend: wireguard}\n", HOST(1) "listener=udp 51820 -\n",
	             HOST(2), "vps1: port 51820 (UDP) is in use by a program that hides its name\n",
	             "");
	expect_three(FILE_HEAD, HOST(1) "listener=udp 51820 -\n", HOST(2), "", "");
}

static void minikube_22315_cgroup_v1(void **state)
{
	(void)state;
	expect_three("name: lab\nkubernetes: v1.35.0\n", HOST(1) "cgroup=tmpfs\n", HOST(2),
	             "vps1: cgroup v1, which the kubelet refuses since 1.35; boot with "
	             "systemd.unified_cgroup_hierarchy=1 (or kubelet: {failCgroupV1: false} and "
	             "ignorePreflight: [SystemVerification])\n",
	             "");
	expect_three("name: lab\nkubernetes: v1.35.0\nkubelet: {failCgroupV1: false}\n"
	             "ignorePreflight: [SystemVerification]\n",
	             HOST(1) "cgroup=tmpfs\n", HOST(2), "", "");
	expect_three(FILE_HEAD, HOST(1) "cgroup=tmpfs\n", HOST(2), "", "");
}

static void containerd_that_is_too_old(void **state)
{
	(void)state;
	expect_three("name: lab\nkubernetes: v1.36.0\npackages: {containerd: installed}\n",
	             HOST(1) "containerd=1.7.28\n", HOST(2) "containerd=2.2.0\n",
	             "vps1: containerd 1.7.28 is too old for Kubernetes 1.36, which needs 2.0; use "
	             "packages.containerd: containerd.io\n"
	             "vps3: packages.containerd: installed, but there is none\n",
	             "");
	expect_three(FILE_HEAD "packages: {containerd: distribution}\n", HOST(1) "containerd=1.5.9\n",
	             HOST(2) "containerd=1.6.20\n",
	             "vps1: containerd 1.5.9 is too old for Kubernetes 1.34, which needs 1.6; use "
	             "packages.containerd: containerd.io\n",
	             "");
	// Another one is installed.
	expect_three(FILE_HEAD, HOST(1) "containerd=1.5.9\n", HOST(2), "", "");
}

static void never_a_second_cluster(void **state)
{
	(void)state;
	expect_three(
		FILE_HEAD, HOST(1),
		HOST(2) "file=/var/lib/vpsml/state 600 Y2x1c3Rlcj1sYWIKZG9uZT0xCg==\n"
				"path=/etc/kubernetes/kubelet.conf\n",
		"vps1: it is bare, but vps2 is in cluster \"lab\" already; a second cluster is not "
		"begun: put a control plane that is left first in the file\n",
		"");
}

static void gpus(void **state)
{
	struct world world;

	(void)state;
	world_init(&world, FILE_HEAD "gpuTaint: NoSchedule\nhosts:\n"
	                             "- {name: vps1, ssh: a, role: control-plane}\n"
	                             "- {name: vps2, ssh: b, gpu: true}\n- {name: vps3, ssh: c}\n");
	world_add(&world, HOST(1));
	world_add(&world, HOST(2));
	world_add(&world, HOST(3) "gpu=0000:07:00.0 0x20b0\n");
	world_expect(
		&world,
		"vps2: gpu: true, but there is no card of NVIDIA's on its PCI bus\n"
		"gpuTaint: NoSchedule leaves no node for pods without a GPU, since every worker has "
		"one\n",
		"vps3: 1 GPU, but NVIDIA's driver is not loaded: install it, or say gpu: false\n");
}

static void public_addresses_and_firewalls(void **state)
{
	struct world world;

	(void)state;
	world_init(&world, FILE_HEAD "firewall: off\nhosts: [{name: vps1, ssh: a}]\n");
	world_add(&world, FINE "host_name=vps1\naddress=eth0 203.0.113.10/24\n");
	world_expect(&world, "",
	             "vps1: its address is public and firewall: off leaves the kubelet, etcd and pods' "
	             "traffic open to everybody, if no firewall of yours does otherwise\n");
	world_init(&world, FILE_HEAD "hosts: [{name: vps1, ssh: a}]\n");
	world_add(&world, FINE "host_name=vps1\naddress=eth0 203.0.113.10/24\nnft_drop=1\n");
	assert_true(boot_is_wireguard(&world.inventory));
	world_expect(
		&world, "",
		"vps1: an nft ruleset of its own drops what comes in; vpsml leaves it alone, so let "
		"in the cluster's hosts there\n");
}

static void room_on_the_disk(void **state)
{
	(void)state;
	expect_three(FILE_HEAD, HOST(1) "disk_free_kib=1048576\n", HOST(2), "",
	             "vps1: only 1024 MiB are free in /var: images may not fit\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_good_hosts_have_no_fault),
		cmocka_unit_test(a_host_that_does_not_answer_is_left_out),
		cmocka_unit_test(kubeadm_31_one_host_name),
		cmocka_unit_test(kubeadm_1764_clones_are_warned_of),
		cmocka_unit_test(two_hosts_with_one_address),
		cmocka_unit_test(endpoint_that_does_not_resolve),
		cmocka_unit_test(networks_that_a_host_has_already),
		cmocka_unit_test(kubeadm_2479_both_numbers_at_once),
		cmocka_unit_test(kubeadm_1988_clock_two_hours_behind),
		cmocka_unit_test(sealos_2668_the_clock_here_does_not_matter),
		cmocka_unit_test(a_slow_answer_is_no_skew),
		cmocka_unit_test(of_two_clocks_nobody_knows_which_is_wrong),
		cmocka_unit_test(claudie_1649_host_of_another_cluster),
		cmocka_unit_test(faults_of_hosts_that_are_left_alone_are_warnings),
		cmocka_unit_test(host_without_apt_is_named),
		cmocka_unit_test(kubeadm_2145_no_proxy_of_networks_only),
		cmocka_unit_test(kubeadm_1390_address_on_no_interface),
		cmocka_unit_test(containerd_4581_disabled_cri_plugin),
		cmocka_unit_test(others_that_want_the_host),
		cmocka_unit_test(ports_in_use_with_their_owner),
		cmocka_unit_test(wireguard_of_somebody_else),
		cmocka_unit_test(minikube_22315_cgroup_v1),
		cmocka_unit_test(containerd_that_is_too_old),
		cmocka_unit_test(never_a_second_cluster),
		cmocka_unit_test(gpus),
		cmocka_unit_test(public_addresses_and_firewalls),
		cmocka_unit_test(room_on_the_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
