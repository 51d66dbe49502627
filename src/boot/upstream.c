// SPDX-License-Identifier: MIT
#include "boot/upstream.h"

#define CALICO_VERSION "v3.31.3"

const char boot_upstream_packages[] = "https://pkgs.k8s.io/core:/stable:";
const char boot_upstream_containerd_packages[] = "https://download.docker.com/linux";
const char boot_upstream_nvidia_packages[] =
	"https://nvidia.github.io/libnvidia-container/stable/deb";
const char boot_upstream_nvidia_key[] = "https://nvidia.github.io/libnvidia-container/gpgkey";
const char boot_upstream_images[] = "registry.k8s.io";
const char boot_upstream_flannel_image[] = "ghcr.io/flannel-io/flannel:v0.28.9";
const char boot_upstream_flannel_cni_image[] =
	"ghcr.io/flannel-io/flannel-cni-plugin:v1.9.1-flannel3";
const char boot_upstream_metrics_server_image[] =
	"registry.k8s.io/metrics-server/metrics-server:v0.8.1";
const char boot_upstream_device_plugin_image[] = "nvcr.io/nvidia/k8s-device-plugin:v0.18.2";
const char boot_upstream_calico_version[] = CALICO_VERSION;
const char boot_upstream_calico_manifest[] =
	"https://raw.githubusercontent.com/projectcalico/calico/" CALICO_VERSION
	"/manifests/calico.yaml";
