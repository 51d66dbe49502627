// SPDX-License-Identifier: MIT
// Prints addons as YAML: show_addons WORD…
//     flannel [wireguard] [v6] [interface]   metrics [insecure]   plugin
#include <stdio.h>
#include <string.h>

#include "boot/addons.h"
#include "boot/upstream.h"
#include "yaml/yaml.h"

static bool has(int argc, char **argv, const char *word)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], word))
			return true;
	return false;
}

static bool make(int argc, char **argv, struct boot_objects *objects, struct err *err)
{
	struct boot_addons_facts facts = {.has_public_addresses = has(argc, argv, "wireguard"),
	                                  .has_gpus = has(argc, argv, "plugin")};
	struct boot_inventory inventory = {
		.network = {.plugin = has(argc, argv, "flannel") ? BOOT_PLUGIN_FLANNEL : BOOT_PLUGIN_NONE},
		.images = {.flannel = (char *)boot_upstream_flannel_image,
	               .flannel_cni = (char *)boot_upstream_flannel_cni_image,
	               .metrics_server = (char *)boot_upstream_metrics_server_image,
	               .device_plugin = (char *)boot_upstream_device_plugin_image},
		.gpu = {.resource = (char *)"nvidia.com/gpu", .has_device_plugin = true},
		.metrics = {.is_enabled = has(argc, argv, "metrics"),
	                .is_tls_insecure = has(argc, argv, "insecure")},
	};

	if (has(argc, argv, "interface"))
		inventory.network.interface = (char *)"eth1";
	return boot_cidr_parse(has(argc, argv, "v6") ? "fd00:10:244::/56" : "10.244.0.0/16",
	                       &inventory.network.pod_cidr, err) &&
	       boot_addons_network(&inventory, &facts, objects, err) &&
	       boot_addons_rest(&inventory, &facts, objects, err);
}

static bool show(const struct boot_objects *objects, struct err *err)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(1024 * 1024);

	for (size_t i = 0; i < objects->count; i++) {
		strbuf_add(&out, i ? "---\n" : "");
		if (!yaml_write(&out, objects->items[i].tree, err))
			return false;
	}
	return strbuf_ok(&out, err) && fputs(strbuf_get(&out), stdout) >= 0;
}

int main(int argc, char **argv)
{
	_cleanup_boot_objects_ struct boot_objects objects = BOOT_OBJECTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	if (make(argc, argv, &objects, &err) && show(&objects, &err))
		return 0;
	fprintf(stderr, "%s\n", err_message(&err));
	return 1;
}
