// SPDX-License-Identifier: MIT
// cluster.yaml: what the user wants, read and completed with defaults. Pure but for _load.
//
// The keys are described in vpsml-cluster(5); the names of fields follow them. A string is NULL
// where the file says nothing and there is no default. Paths are joined to the folder of the file.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "base/strv.h"
#include "boot/cidr.h"
#include "boot/version.h"
#include "ssh/host_key.h"

enum { BOOT_HOSTS_MAX = 1000 };

enum boot_choice { BOOT_AUTO, BOOT_YES, BOOT_NO };

struct boot_pair {
	char *key, *value;
};

struct boot_pairs {
	struct boot_pair *items;
	size_t count;
};

struct boot_taint {
	char *key, *value;  // value "": none
	const char *effect; // NoSchedule, PreferNoSchedule or NoExecute
};

// A certificate, a manifest, a key: where it comes from.
struct boot_source {
	char *url;  // http:// or https://; NULL: a file, or nothing
	char *path; // on this machine
};

enum boot_plugin {
	BOOT_PLUGIN_FLANNEL,
	BOOT_PLUGIN_CALICO,
	BOOT_PLUGIN_NONE, // the user brings one
	BOOT_PLUGIN_FILE, // network.manifest: applied as it is
};

enum boot_backend { BOOT_BACKEND_AUTO, BOOT_BACKEND_VXLAN, BOOT_BACKEND_WIREGUARD };

struct boot_network {
	enum boot_plugin plugin;
	enum boot_backend backend;   // auto: wireguard where node addresses are public
	struct boot_cidr pod_cidr;   // 10.244.0.0/16; calico: 10.233.64.0/18
	struct boot_cidr svc_cidr;   // 10.96.0.0/12
	char *interface;             // that pods' traffic leaves by; NULL: the plugin finds it
	struct boot_source manifest; // calico: instead of the release's; FILE: the file
	char *sha256;                // of that manifest, 64 hex digits; NULL: not checked
};

enum boot_containerd {
	BOOT_CONTAINERD_AUTO,         // the distribution's where it is new enough, else containerd.io
	BOOT_CONTAINERD_DISTRIBUTION, // package "containerd"
	BOOT_CONTAINERD_IO,           // package "containerd.io"
	BOOT_CONTAINERD_INSTALLED,    // what is there; nothing is installed
};

// A repository "none" means that the host's apt has it already. URLs end without "/".
struct boot_packages {
	char *repository;       // has /vMAJOR.MINOR/deb/ below it; upstream's by default
	struct boot_source key; // neither set: Release.key beside the packages
	enum boot_containerd containerd;
	char *containerd_repository; // has /DISTRIBUTION below it; upstream's by default
	struct boot_source containerd_key;
	char *nvidia_repository;
	struct boot_source nvidia_key;
};

struct boot_images {
	char *repository; // of Kubernetes' own images: registry.k8s.io by default
	char *ca;         // path here of the PEM that signs the registries' certificates
	char *flannel, *flannel_cni, *metrics_server, *device_plugin; // upstream's by default
};

struct boot_proxy {
	char *http, *https; // URLs; NULL: none
	struct strv no;     // as the file has it; hosts, CIDRs and names of the cluster come to it
};

struct boot_gpu {
	char *resource;            // nvidia.com/gpu
	bool has_device_plugin;    // install it (true)
	bool is_toolkit_installed; // toolkit: installed - do not install NVIDIA's toolkit
	const char *taint_effect;  // gpuTaint: PreferNoSchedule or NoSchedule
};

struct boot_metrics {
	bool is_enabled; // true
	bool
		is_tls_insecure; // do not check kubelets' certificates (true: kubeadm leaves them self-signed)
};

// How to reach a host; the defaults under `ssh:` are merged in.
struct boot_ssh {
	char *address;  // name or number, without brackets
	char *user;     // NULL: ssh_config's
	uint16_t port;  // 0: ssh_config's
	char *identity; // path; NULL: ssh_config's
	char *jump;     // [USER@]HOST[:PORT], "none", or NULL: ssh_config's
	struct host_key_rule host_key;
	bool has_host_key; // else ssh_config's, or the command line's
};

struct boot_host {
	char *name; // of the Node object and in every message: a DNS subdomain in small letters
	struct boot_ssh ssh;
	bool is_control_plane;
	bool is_worker;         // runs jobs; false: a control plane with kubeadm's taint
	struct boot_ip node_ip; // not set: the address of the interface that ssh came in by, see facts
	enum boot_choice gpu;   // auto: by the facts
	struct boot_pairs labels;
	struct boot_taint *taints;
	size_t taint_count;
};

struct boot_inventory {
	char *file;   // for messages
	char *folder; // of the file; paths are relative to it
	char *name;   // of the cluster
	struct boot_version kubernetes;
	char *endpoint;               // host name or address, without brackets and port; NULL: none
	uint16_t endpoint_port;       // 6443
	struct strv api_server_names; // more names for its certificate
	struct boot_network network;
	struct boot_packages packages;
	struct boot_images images;
	struct boot_proxy proxy;
	bool has_firewall; // firewall: auto; false: off, none is touched
	struct boot_gpu gpu;
	struct boot_metrics metrics;
	struct strv ignore_preflight; // kubeadm's names of checks; never "all"
	// Passed on as they are; NULL: nothing. Objects all.
	struct json *kubelet;               // merged into KubeletConfiguration
	struct json *kube_proxy;            // KubeProxyConfiguration
	struct json *cluster_configuration; // ClusterConfiguration
	struct json *containerd; // settings of the CRI plugin: {restrict_oom_score_adj: true, …}
	struct boot_host *hosts;
	size_t host_count;
	struct strv warnings; // about the file, "FILE:LINE:COLUMN: …"
};

#define _cleanup_boot_inventory_ _cleanup_(boot_inventory_release)

// Reads TEXT, whose FILE is for messages and whose FOLDER is for paths (NULL: this one). All that is
// wrong with it comes in one error, "FILE:LINE:COLUMN: what" a line, ERR_USAGE.
bool boot_inventory_parse(const char *file, const char *folder, const char *text, size_t len,
                          struct boot_inventory *ret, struct err *err) _nodiscard_;

// The same for the file at PATH ("-": standard input); at most 1 MiB.
bool boot_inventory_load(const char *path, struct boot_inventory *ret, struct err *err) _nodiscard_;

// The host called NAME, or NULL.
const struct boot_host *boot_inventory_host(const struct boot_inventory *inventory,
                                            const char *name);

// How many control planes there are, and the index of the first: the one that is initialized.
size_t boot_inventory_control_planes(const struct boot_inventory *inventory);
size_t boot_inventory_first(const struct boot_inventory *inventory);

// Is CHECK, a name of kubeadm's preflight ("NumCPU"), to be ignored?
bool boot_inventory_ignores(const struct boot_inventory *inventory, const char *check);

void boot_inventory_release(struct boot_inventory *inventory);
