// SPDX-License-Identifier: MIT
#include "boot/cluster_steps.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "boot/check.h"

enum { TITLE_MAX_BYTES = 4096 };

static bool add(struct boot_cluster_steps *steps, const char *name, struct err *err,
                const char *format, ...) _printf_(4, 5);
static bool add(struct boot_cluster_steps *steps, const char *name, struct err *err,
                const char *format, ...)
{
	_cleanup_strbuf_ struct strbuf title = STRBUF_INIT(TITLE_MAX_BYTES);
	struct boot_cluster_step step = {name, NULL};
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&title, format, args);
	va_end(args);
	step.title = strbuf_take(&title, err);
	if (!step.title)
		return false;
	if (mem_append(&steps->items, &steps->count, &step, sizeof(step)))
		return true;
	mem_free(step.title);
	return err_memory(err);
}

static bool add_network(const struct boot_inventory *inventory, struct boot_cluster_steps *steps,
                        struct err *err)
{
	const struct boot_network *network = &inventory->network;
	_cleanup_strbuf_ struct strbuf pods = STRBUF_INIT(TITLE_MAX_BYTES);
	const char *manifest = network->manifest.url ? network->manifest.url : network->manifest.path;

	boot_cidr_write(&pods, &network->pod_cidr);
	switch (network->plugin) {
	case BOOT_PLUGIN_FLANNEL:
		return add(steps, "network", err, "flannel (%s), pods in %s",
		           boot_is_wireguard(inventory) ? "wireguard" : "vxlan", strbuf_get(&pods));
	case BOOT_PLUGIN_CALICO:
		return add(steps, "network", err, "calico from %s, pods in %s", manifest,
		           strbuf_get(&pods));
	case BOOT_PLUGIN_FILE:
		return add(steps, "network", err, "what is in %s", manifest);
	default:
		return true;
	}
}

static size_t count_gpu_hosts(const struct boot_inventory *inventory,
                              const struct boot_facts *const *facts)
{
	size_t count = 0;

	for (size_t i = 0; i < inventory->host_count; i++)
		count += inventory->hosts[i].gpu == BOOT_YES ||
		         (inventory->hosts[i].gpu == BOOT_AUTO && facts[i] && facts[i]->gpu_count);
	return count;
}

static bool add_all(const struct boot_inventory *inventory, const struct boot_facts *const *facts,
                    struct boot_cluster_steps *steps, struct err *err)
{
	size_t gpus = count_gpu_hosts(inventory, facts);

	if (!add_network(inventory, steps, err))
		return false;
	if (gpus && !add(steps, "setup", err,
	                 "label and taint %zu GPU node%s (%s), priority classes, RuntimeClass nvidia",
	                 gpus, gpus == 1 ? "" : "s", inventory->gpu.taint_effect))
		return false;
	if (!gpus && !add(steps, "setup", err, "priority classes"))
		return false;
	if (inventory->metrics.is_enabled && !add(steps, "metrics", err, "metrics-server"))
		return false;
	return !gpus || !inventory->gpu.has_device_plugin ||
	       add(steps, "device-plugin", err, "NVIDIA's device plugin, until the nodes offer %s",
	           inventory->gpu.resource);
}

bool boot_cluster_steps(const struct boot_inventory *inventory,
                        const struct boot_facts *const *facts, struct boot_cluster_steps *ret,
                        struct err *err)
{
	*ret = (struct boot_cluster_steps){NULL, 0};
	if (add_all(inventory, facts, ret, err))
		return true;
	boot_cluster_steps_release(ret);
	return false;
}

void boot_cluster_steps_release(struct boot_cluster_steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		mem_free(steps->items[i].title);
	mem_free(steps->items);
	*steps = (struct boot_cluster_steps){NULL, 0};
}
