// SPDX-License-Identifier: MIT
#include "boot/cluster_steps.h"

#include <string.h>

#include "boot/facts.h"
#include "unit.h"

#define HEAD "name: lab\nkubernetes: v1.34.4\n"
#define HOSTS "hosts: [{name: a, ssh: a, role: control-plane}, {name: b, ssh: b}]\n"

static void expect(const char *file, size_t gpus, const char *expected)
{
	_cleanup_boot_inventory_ struct boot_inventory inventory = {0};
	_cleanup_boot_cluster_steps_ struct boot_cluster_steps steps = {NULL, 0};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1 << 16);
	_cleanup_err_ struct err err = ERR_INIT;
	const struct boot_facts second = {.gpu_count = gpus};
	const struct boot_facts *facts[] = {NULL, &second};

	if (!boot_inventory_parse("f", NULL, file, strlen(file), &inventory, &err) ||
	    !boot_cluster_steps(&inventory, facts, &steps, &err))
		fail_msg("%s", err_message(&err));
	for (size_t i = 0; i < steps.count; i++)
		strbuf_addf(&text, "%s: %s\n", steps.items[i].name, steps.items[i].title);
	assert_string_equal(strbuf_get(&text), expected);
}

static void without_gpus(void **state)
{
	(void)state;
	expect(HEAD HOSTS, 0,
	       "network: flannel (vxlan), pods in 10.244.0.0/16\nsetup: priority classes\n"
	       "metrics: metrics-server\n");
	expect(HEAD "network: {backend: wireguard}\nmetricsServer: {enabled: false}\n" HOSTS, 0,
	       "network: flannel (wireguard), pods in 10.244.0.0/16\nsetup: priority classes\n");
}

static void with_gpus(void **state)
{
	(void)state;
	expect(HEAD HOSTS, 2,
	       "network: flannel (vxlan), pods in 10.244.0.0/16\n"
	       "setup: label and taint 1 GPU node (PreferNoSchedule), priority classes, RuntimeClass "
	       "nvidia\n"
	       "metrics: metrics-server\n"
	       "device-plugin: NVIDIA's device plugin, until the nodes offer nvidia.com/gpu\n");
	expect(HEAD "gpu: {devicePlugin: false}\n" HOSTS, 2,
	       "network: flannel (vxlan), pods in 10.244.0.0/16\n"
	       "setup: label and taint 1 GPU node (PreferNoSchedule), priority classes, RuntimeClass "
	       "nvidia\n"
	       "metrics: metrics-server\n");
}

static void other_networks(void **state)
{
	(void)state;
	expect(HEAD "network: {plugin: calico, manifest: 'https://mirror/c.yaml'}\n" HOSTS, 0,
	       "network: calico from https://mirror/c.yaml, pods in 10.233.64.0/18\n"
	       "setup: priority classes\nmetrics: metrics-server\n");
	expect(HEAD "network: {plugin: none}\n" HOSTS, 0,
	       "setup: priority classes\nmetrics: metrics-server\n");
	expect(HEAD "network: {plugin: ./own.yaml}\n" HOSTS, 0,
	       "network: what is in ./own.yaml\nsetup: priority classes\nmetrics: metrics-server\n");
}

static void a_public_node_address_is_encrypted(void **state)
{
	(void)state;
	expect(HEAD "hosts: [{name: a, ssh: a, nodeIP: 203.0.113.10},\n {name: b, ssh: b, role: "
	            "control-plane}]\n",
	       0,
	       "network: flannel (wireguard), pods in 10.244.0.0/16\nsetup: priority classes\n"
	       "metrics: metrics-server\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_gpus),
		cmocka_unit_test(with_gpus),
		cmocka_unit_test(other_networks),
		cmocka_unit_test(a_public_node_address_is_encrypted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
