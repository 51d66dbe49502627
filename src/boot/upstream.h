// SPDX-License-Identifier: MIT
// Where the product gets things from when cluster.yaml does not say: every URL and image that is
// known to vpsml stands in upstream.c, and nowhere else.
#pragma once

#define BOOT_UPSTREAM_KUBERNETES "v1.34.4" // the version that `init` writes

extern const char boot_upstream_packages[];            // has /vMAJOR.MINOR/deb/ below it
extern const char boot_upstream_containerd_packages[]; // has /debian, /ubuntu below it
extern const char boot_upstream_nvidia_packages[];     // NVIDIA's container toolkit
extern const char boot_upstream_nvidia_key[];          // signs it
extern const char boot_upstream_images[];              // Kubernetes' own images
extern const char boot_upstream_flannel_image[];
extern const char boot_upstream_flannel_cni_image[];
extern const char boot_upstream_metrics_server_image[];
extern const char boot_upstream_device_plugin_image[];
extern const char boot_upstream_calico_manifest[]; // URL of one release's
extern const char boot_upstream_calico_version[];
