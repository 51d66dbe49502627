// SPDX-License-Identifier: MIT
#include "boot/inventory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "unit.h"

static void parse(const char *text, struct boot_inventory *inventory)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!boot_inventory_parse("cluster.yaml", "there", text, strlen(text), inventory, &err))
		fail_msg("%s", err_message(&err));
}

static void minimal_file_has_every_default(void **state)
{
	struct boot_inventory inventory;

	(void)state;
	parse("{name: lab, kubernetes: v1.34.4, hosts: [{name: a, ssh: host}]}", &inventory);
	assert_string_equal(inventory.name, "lab");
	assert_int_equal(inventory.kubernetes.minor, 34);
	assert_null(inventory.endpoint);
	assert_int_equal(inventory.network.plugin, BOOT_PLUGIN_FLANNEL);
	assert_int_equal(inventory.network.backend, BOOT_BACKEND_AUTO);
	assert_int_equal(inventory.network.pod_cidr.ip.bytes[1], 244);
	assert_int_equal(inventory.network.svc_cidr.prefix, 12);
	assert_string_equal(inventory.packages.repository, "https://pkgs.k8s.io/core:/stable:");
	assert_string_equal(inventory.images.repository, "registry.k8s.io");
	assert_true(inventory.has_firewall);
	assert_true(inventory.gpu.has_device_plugin);
	assert_string_equal(inventory.gpu.resource, "nvidia.com/gpu");
	assert_string_equal(inventory.gpu.taint_effect, "PreferNoSchedule");
	assert_true(inventory.metrics.is_enabled);
	assert_null(inventory.kubelet);
	assert_int_equal(inventory.host_count, 1);
	assert_true(inventory.hosts[0].is_control_plane); // the only one is both
	assert_true(inventory.hosts[0].is_worker);
	assert_null(inventory.hosts[0].ssh.user);
	assert_false(inventory.hosts[0].ssh.has_host_key);
	assert_int_equal(inventory.warnings.count, 0);
	boot_inventory_release(&inventory);
}

static const char whole[] =
	"name: lab\n"
	"kubernetes: 1.33.2\n"
	"endpoint: '[fd00::1]:8443'\n"
	"apiServerNames: [a.example.org]\n"
	"network: {plugin: calico, podCIDR: 10.1.0.0/16, serviceCIDR: 10.2.0.0/16, interface: eth1,\n"
	"  manifest: 'https://mirror/calico.yaml',\n"
	"  sha256: 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef}\n"
	"packages: {repository: 'http://mirror/core/', key: keys/k8s.asc, containerd: containerd.io,\n"
	"  containerdRepository: none, containerdKey: 'https://mirror/key',\n"
	"  nvidiaRepository: 'https://mirror/nvidia', nvidiaKey: /etc/nvidia.asc}\n"
	"images: {repository: 'registry.lab:5000/k8s', ca: ca.pem, flannel: 'f:1', flannelCNI: 'c:1',\n"
	"  metricsServer: 'm:1', devicePlugin: 'd:1'}\n"
	"proxy: {http: 'http://proxy:3128/', https: 'http://proxy:3128', no: [10.0.0.0/8, "
	"example.org]}\n"
	"firewall: off\n"
	"gpuTaint: NoSchedule\n"
	"gpu: {resource: example.org/gpu, devicePlugin: false, toolkit: installed}\n"
	"metricsServer: {enabled: false, insecureKubeletTLS: false}\n"
	"ignorePreflight: [SystemVerification]\n"
	"kubelet: {failSwapOn: false}\n"
	"kubeProxy: {conntrack: {min: 0}}\n"
	"clusterConfiguration: {certificatesDir: /x}\n"
	"containerd: {restrict_oom_score_adj: true}\n"
	"ssh: {user: root, port: 2222, identity: id, jump: me@bastion:22, hostKey: strict}\n"
	"hosts:\n"
	"- {name: one, ssh: 'one.example.org', role: control-plane}\n"
	"- {name: two, ssh: 'ops@[fd00::2]:22', role: worker, nodeIP: 192.168.0.2, gpu: true,\n"
	"   labels: {a/b: c, d: ''}, taints: ['k=v:NoExecute', 'x:NoSchedule'], identity: /id2,\n"
	"   jump: none, hostKey: accept-new}\n"
	"- {name: three, ssh: three, gpu: auto}\n"
	"- {name: four, ssh: four, gpu: false, role: control-plane+worker}\n";

static void assert_sources(const struct boot_inventory *inventory)
{
	const struct boot_packages *packages = &inventory->packages;

	assert_string_equal(packages->repository, "http://mirror/core");
	assert_string_equal(packages->key.path, "there/keys/k8s.asc");
	assert_null(packages->key.url);
	assert_int_equal(packages->containerd, BOOT_CONTAINERD_IO);
	assert_string_equal(packages->containerd_repository, "none");
	assert_string_equal(packages->containerd_key.url, "https://mirror/key");
	assert_string_equal(packages->nvidia_repository, "https://mirror/nvidia");
	assert_string_equal(packages->nvidia_key.path, "/etc/nvidia.asc");
	assert_null(packages->nvidia_key.url);
	assert_string_equal(inventory->images.repository, "registry.lab:5000/k8s");
	assert_string_equal(inventory->images.ca, "there/ca.pem");
	assert_string_equal(inventory->images.flannel, "f:1");
	assert_string_equal(inventory->images.flannel_cni, "c:1");
	assert_string_equal(inventory->images.metrics_server, "m:1");
	assert_string_equal(inventory->images.device_plugin, "d:1");
	assert_string_equal(inventory->proxy.http, "http://proxy:3128");
	assert_string_equal(inventory->proxy.https, "http://proxy:3128");
	assert_string_equal(inventory->proxy.no.items[1], "example.org");
}

static void assert_host(const struct boot_host *host)
{
	assert_string_equal(host->ssh.address, "fd00::2");
	assert_string_equal(host->ssh.user, "ops");
	assert_int_equal(host->ssh.port, 22);
	assert_string_equal(host->ssh.identity, "/id2");
	assert_string_equal(host->ssh.jump, "none");
	assert_int_equal(host->ssh.host_key.policy, HOST_KEY_ACCEPT_NEW);
	assert_false(host->is_control_plane);
	assert_true(host->is_worker);
	assert_true(host->node_ip.is_set);
	assert_int_equal(host->gpu, BOOT_YES);
	assert_int_equal(host->labels.count, 2);
	assert_string_equal(host->labels.items[0].key, "a/b");
	assert_string_equal(host->labels.items[1].value, "");
	assert_int_equal(host->taint_count, 2);
	assert_string_equal(host->taints[0].value, "v");
	assert_string_equal(host->taints[0].effect, "NoExecute");
	assert_string_equal(host->taints[1].key, "x");
	assert_string_equal(host->taints[1].value, "");
}

static void reads_every_key(void **state)
{
	struct boot_inventory inventory;

	(void)state;
	parse(whole, &inventory);
	assert_int_equal(inventory.kubernetes.patch, 2);
	assert_string_equal(inventory.endpoint, "fd00::1");
	assert_int_equal(inventory.endpoint_port, 8443);
	assert_string_equal(inventory.api_server_names.items[0], "a.example.org");
	assert_int_equal(inventory.network.plugin, BOOT_PLUGIN_CALICO);
	assert_string_equal(inventory.network.interface, "eth1");
	assert_string_equal(inventory.network.manifest.url, "https://mirror/calico.yaml");
	assert_int_equal(strlen(inventory.network.sha256), 64);
	assert_sources(&inventory);
	assert_false(inventory.has_firewall);
	assert_string_equal(inventory.gpu.taint_effect, "NoSchedule");
	assert_string_equal(inventory.gpu.resource, "example.org/gpu");
	assert_false(inventory.gpu.has_device_plugin);
	assert_true(inventory.gpu.is_toolkit_installed);
	assert_false(inventory.metrics.is_enabled);
	assert_false(inventory.metrics.is_tls_insecure);
	assert_true(boot_inventory_ignores(&inventory, "SystemVerification"));
	assert_false(boot_inventory_ignores(&inventory, "NumCPU"));
	assert_non_null(json_find(inventory.kubelet, "failSwapOn"));
	assert_non_null(json_find(inventory.kube_proxy, "conntrack.min"));
	assert_non_null(json_find(inventory.cluster_configuration, "certificatesDir"));
	assert_non_null(json_find(inventory.containerd, "restrict_oom_score_adj"));
	assert_host(&inventory.hosts[1]);
	boot_inventory_release(&inventory);
}

static void settings_of_all_hosts_are_merged_in(void **state)
{
	struct boot_inventory inventory;
	const struct boot_ssh *ssh;

	(void)state;
	parse(whole, &inventory);
	ssh = &inventory.hosts[0].ssh;
	assert_string_equal(ssh->user, "root");
	assert_int_equal(ssh->port, 2222);
	assert_string_equal(ssh->identity, "there/id");
	assert_string_equal(ssh->jump, "me@bastion:22");
	assert_true(ssh->has_host_key);
	assert_int_equal(ssh->host_key.policy, HOST_KEY_STRICT);
	boot_inventory_release(&inventory);
}

static void roles_and_the_first_control_plane(void **state)
{
	struct boot_inventory inventory;

	(void)state;
	parse(whole, &inventory);
	assert_int_equal(boot_inventory_control_planes(&inventory), 2);
	assert_int_equal(boot_inventory_first(&inventory), 0);
	assert_false(inventory.hosts[0].is_worker);
	assert_false(inventory.hosts[2].is_control_plane); // a worker where there are others
	assert_int_equal(inventory.hosts[2].gpu, BOOT_AUTO);
	assert_true(inventory.hosts[3].is_worker && inventory.hosts[3].is_control_plane);
	assert_ptr_equal(boot_inventory_host(&inventory, "three"), &inventory.hosts[2]);
	assert_null(boot_inventory_host(&inventory, "five"));
	boot_inventory_release(&inventory);
}

static void warns_of_an_even_number_of_control_planes(void **state)
{
	struct boot_inventory inventory;

	(void)state;
	parse(whole, &inventory);
	assert_int_equal(inventory.warnings.count, 1);
	assert_string_equal(inventory.warnings.items[0],
	                    "cluster.yaml:25:1: 2 control planes outlive no more failures than 1: etcd "
	                    "needs a majority");
	boot_inventory_release(&inventory);
}

static void a_manifest_of_ones_own(void **state)
{
	struct boot_inventory inventory;

	(void)state;
	parse("{name: lab, kubernetes: v1.34.4, network: {plugin: cni/own.yaml},"
	      " hosts: [{name: a, ssh: host}]}",
	      &inventory);
	assert_int_equal(inventory.network.plugin, BOOT_PLUGIN_FILE);
	assert_string_equal(inventory.network.manifest.path, "there/cni/own.yaml");
	boot_inventory_release(&inventory);
}

static void calico_has_its_own_defaults(void **state)
{
	struct boot_inventory inventory;

	(void)state;
	parse("{name: lab, kubernetes: v1.34.4, network: {plugin: calico},"
	      " hosts: [{name: a, ssh: host}]}",
	      &inventory);
	assert_int_equal(inventory.network.pod_cidr.prefix, 18); // 64 nodes
	assert_non_null(strstr(inventory.network.manifest.url, "/manifests/calico.yaml"));
	boot_inventory_release(&inventory);
}

// A file with as many hosts as are allowed is within the caps of the YAML reader.
static void a_thousand_hosts(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1 << 20);
	struct boot_inventory inventory;

	(void)state;
	strbuf_add(&text, "name: lab\nkubernetes: v1.34.4\nnetwork: {podCIDR: 10.0.0.0/12}\nhosts:\n"
	                  "- {name: first, ssh: first, role: control-plane}\n");
	for (int i = 1; i < BOOT_HOSTS_MAX; i++)
		strbuf_addf(&text, "- {name: h%d, ssh: 'root@host%d:22', gpu: auto, labels: {a: b}}\n", i,
		            i);
	parse(strbuf_get(&text), &inventory);
	assert_int_equal(inventory.host_count, BOOT_HOSTS_MAX);
	boot_inventory_release(&inventory);
}

static void the_example_is_read(void **state)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(4096);
	_cleanup_err_ struct err err = ERR_INIT;
	struct boot_inventory inventory;

	(void)state;
	strbuf_addf(&path, "%s/../../../examples/cluster.yaml", getenv("TEST_DATA"));
	assert_true(boot_inventory_load(strbuf_get(&path), &inventory, &err));
	assert_int_equal(inventory.host_count, 3);
	assert_int_equal(inventory.warnings.count, 0);
	assert_string_equal(inventory.hosts[1].ssh.user, "ops");
	assert_int_equal(inventory.hosts[2].gpu, BOOT_YES);
	boot_inventory_release(&inventory);
}

// The data file's cases.

static bool check_case(const char *name, const char *text, size_t len, const char *expected)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct boot_inventory inventory;

	if (boot_inventory_parse("cluster.yaml", NULL, text, len, &inventory, &err)) {
		boot_inventory_release(&inventory);
		fail_msg("%s: no fault was found", name);
	}
	assert_int_equal(err.kind, ERR_USAGE);
	if (strcmp(err_message(&err), expected) != 0)
		fprintf(stderr, "== %s\n%s\n", name, err_message(&err));
	return !strcmp(err_message(&err), expected);
}

static void finds_every_fault_at_its_place(void **state)
{
	_cleanup_strbuf_ struct strbuf file = STRBUF_INIT(1 << 20);
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(4096);
	_cleanup_err_ struct err err = ERR_INIT;
	size_t count = 0, wrong = 0;
	char *next;

	(void)state;
	strbuf_addf(&path, "%s/cluster_faults.txt", getenv("TEST_DATA"));
	assert_true(file_read(strbuf_get(&path), &file, &err));
	next = strstr(file.data, "\n== ");
	while (next) {
		char *name = next + 4, *text = strchr(name, '\n') + 1, *faults = strstr(text, "--\n");

		*strchr(name, '\n') = '\0';
		assert_non_null(faults);
		*faults = '\0';
		next = strstr(faults + 3, "\n== ");
		if (next)
			*next = '\0';
		else
			faults[3 + strlen(faults + 3) - 1] = '\0';
		wrong += !check_case(name, text, strlen(text), faults + 3);
		count++;
	}
	assert_int_equal(wrong, 0);
	assert_true(count > 20);
}

static void short_memory_is_reported(void **state)
{
	size_t nth = 0;

	(void)state;
	for (bool is_ok = false; !is_ok; nth++) {
		_cleanup_err_ struct err err = ERR_INIT;
		struct boot_inventory inventory;

		unit_fail_allocation(nth + 1);
		is_ok = boot_inventory_parse("f", NULL, whole, sizeof(whole) - 1, &inventory, &err);
		unit_fail_allocation(0);
		if (is_ok)
			boot_inventory_release(&inventory);
		else if (err.kind != ERR_MEMORY)
			fail_msg("allocation %zu: %s", nth + 1, err_message(&err));
	}
	assert_true(nth > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(minimal_file_has_every_default),
		cmocka_unit_test(reads_every_key),
		cmocka_unit_test(settings_of_all_hosts_are_merged_in),
		cmocka_unit_test(roles_and_the_first_control_plane),
		cmocka_unit_test(warns_of_an_even_number_of_control_planes),
		cmocka_unit_test(a_manifest_of_ones_own),
		cmocka_unit_test(calico_has_its_own_defaults),
		cmocka_unit_test(a_thousand_hosts),
		cmocka_unit_test(the_example_is_read),
		cmocka_unit_test(finds_every_fault_at_its_place),
		cmocka_unit_test(short_memory_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
