// SPDX-License-Identifier: MIT
// NVIDIA's device plugin, which tells the kubelet of each GPU. Unlike its release's manifest it runs by
// the runtime class nvidia (without it: "could not load NVML library", k8s-device-plugin#406), on
// labelled nodes alone, and tolerates our taint.
#include "boot/addon_build.h"

#include "boot/addons.h"

static const char space[] = "kube-system", name[] = "nvidia-device-plugin";
static const char folder[] = "/var/lib/kubelet/device-plugins";

static void put_container(struct json_build *b, const struct boot_inventory *inventory)
{
	json_build_open_array(b, "containers");
	json_build_open_object(b, NULL);
	json_put_string(b, "name", name);
	json_put_string(b, "image", inventory->images.device_plugin);
	json_build_open_array(b, "env");
	// A node whose driver is broken says so in the log, and its other pods go on.
	boot_put_map(b, NULL, BOOT_TEXTS("name", "FAIL_ON_INIT_ERROR", "value", "false"));
	boot_put_map(b, NULL, BOOT_TEXTS("name", "NVIDIA_VISIBLE_DEVICES", "value", "all"));
	boot_put_map(b, NULL, BOOT_TEXTS("name", "NVIDIA_DRIVER_CAPABILITIES", "value", "utility"));
	json_build_close(b);
	boot_put_requests(b, "10m", "32Mi");
	json_build_open_object(b, "securityContext");
	json_put_bool(b, "allowPrivilegeEscalation", false);
	json_build_open_object(b, "capabilities");
	boot_put_list(b, "drop", BOOT_TEXTS("ALL"));
	json_build_close(b);
	json_build_close(b);
	json_build_open_array(b, "volumeMounts");
	boot_put_mount(b, "device-plugin", folder, false);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

static void put_pod(struct json_build *b, const struct boot_inventory *inventory)
{
	json_build_open_object(b, "spec");
	json_put_string(b, "priorityClassName", "system-node-critical");
	json_put_string(b, "runtimeClassName", "nvidia");
	boot_put_map(b, "nodeSelector", BOOT_TEXTS("nvidia.com/gpu.present", "true"));
	json_build_open_array(b, "tolerations");
	boot_put_toleration(b, inventory->gpu.resource, NULL);
	boot_put_toleration(b, "node-role.kubernetes.io/control-plane", "NoSchedule");
	json_build_close(b);
	put_container(b, inventory);
	json_build_open_array(b, "volumes");
	boot_put_host_path(b, "device-plugin", folder, NULL);
	json_build_close(b);
	json_build_close(b);
}

bool boot_addon_device_plugin(const struct boot_inventory *inventory, struct boot_objects *ret,
                              struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	boot_texts labels = BOOT_TEXTS("app.kubernetes.io/name", name);

	boot_open_object(&b, "apps/v1", "DaemonSet", space, name, labels);
	json_build_open_object(&b, "spec");
	json_build_open_object(&b, "selector");
	boot_put_map(&b, "matchLabels", labels);
	json_build_close(&b);
	json_build_open_object(&b, "template");
	json_build_open_object(&b, "metadata");
	boot_put_map(&b, "labels", labels);
	json_build_close(&b);
	put_pod(&b, inventory);
	json_build_close(&b);
	json_build_close(&b);
	json_build_close(&b);
	return boot_objects_take(ret, &kube_daemon_sets, json_build_take(&b, err), err);
}
