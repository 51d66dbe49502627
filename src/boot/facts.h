// SPDX-License-Identifier: MIT
// What a host is, as one command on it tells: facts.sh prints a line a fact, this reads them. Pure.
//
// A host is hostile: lines, items and texts have caps, and what does not read as it should is left
// out. Nothing here is harmless for a terminal. A string is NULL, and a number -1, where the host
// did not say.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strv.h"
#include "boot/cidr.h"
#include "boot/version.h"

enum {
	BOOT_FACTS_MAX_BYTES = 4 << 20, // of what a host may print
	BOOT_FACTS_MAX_ITEMS = 4096,    // of each kind
};

// The script: text for /bin/sh, to be run as root with the endpoint's host name ("": none) as its
// first argument. Takes about a quarter of a second.
extern const char boot_facts_script[];

struct boot_file_fact {
	char *path;
	unsigned mode;
	char *text; // NULL: over 256 KiB, or not text
	size_t len;
};

struct boot_address_fact {
	char *interface;
	struct boot_ip ip;
	struct boot_cidr network;
};

struct boot_route_fact {
	char *interface;
	bool is_default;
	struct boot_cidr network; // of one that is not the default
};

struct boot_listener_fact {
	uint16_t port;
	bool is_udp;
	char *process; // NULL: not known
};

struct boot_package_fact {
	char *name, *version;
	bool is_held;
};

struct boot_certificate_fact {
	char *path;
	int64_t ends_s; // since 1970
};

struct boot_gpu_fact {
	char *bus;    // 0000:07:00.0
	char *device; // 0x20b0
};

struct boot_interface_fact {
	char *name, *mac;
};

// How far an earlier run of ours has come, from the mark that it left.
struct boot_mark {
	bool is_set;
	char *cluster; // name
	char *run;     // its id
	char *step;    // the last one that was begun
	bool is_done;  // the host is part of the cluster
};

struct boot_facts {
	bool is_root;
	int64_t clock_s; // since 1970, while the script ran

	// The system.
	char *os_id, *os_like, *os_version, *os_codename,
		*os_name;           // /etc/os-release; name is PRETTY_NAME
	char *kernel, *machine; // uname -r, -m
	char *host_name, *machine_id, *product_uuid, *virtualization;
	struct boot_interface_fact *interfaces; // but loopback and those that pods have
	size_t interface_count;
	int64_t cpus, memory_kib, disk_free_kib; // of /var
	bool is_cgroup_v2, is_cgroup_known, is_selinux_enforcing;
	struct strv noexec;      // of /tmp, /var, /var/lib: those mounted so
	struct strv swaps;       // in use: device or file
	struct strv fstab_swaps; // lines of /etc/fstab whose type is swap
	struct strv swap_units;  // systemd's, not masked
	bool has_zram_generator; // makes swap at boot
	bool has_overlay, has_br_netfilter, has_wireguard;
	int64_t ip_forward, bridge_iptables, bridge_ip6tables, ip6_forward; // sysctl: 0, 1
	int64_t inotify_watches, inotify_instances;
	bool is_time_synchronized; // a service for it runs
	bool is_cloud_init_running;
	char *package_lock; // "PID NAME" of who holds dpkg's or apt's lock
	char *busy;         // a run of ours is at work there: its step

	// The network.
	struct boot_address_fact *addresses; // of scope global
	size_t address_count;
	struct boot_route_fact *routes;
	size_t route_count;
	struct boot_listener_fact *listeners;
	size_t listener_count;
	struct boot_ip ssh_address;     // that our connection came in at
	struct strv endpoint_addresses; // what the endpoint's name resolves to on the host
	bool is_own_name_known;         // its host name resolves
	struct strv proxies; // NAME=VALUE of the environment and /etc/environment, without passwords
	bool is_ufw_active, is_firewalld_running, has_nft,
		has_nft_drop; // drop: a chain of input has that policy
	bool is_vpsml_firewall_active;

	// Programs and packages.
	struct strv commands; // of those that matter: docker, k3s, nft, nvidia-ctk, …
	struct boot_package_fact *packages;
	size_t package_count;
	struct strv
		candidates; // "NAME VERSION": what apt would install, of containerd and containerd.io
	struct strv active_units, enabled_units;          // of containerd, kubelet, docker, …
	struct boot_version containerd, kubelet, kubeadm; // what the programs say; 0: not there
	char *containerd_dump;                            // containerd config dump

	// Kubernetes.
	struct strv
		paths; // that exist, of those that kubeadm makes or refuses: /etc/kubernetes/*.conf, …
	struct boot_file_fact *files; // that we manage
	size_t file_count;
	char *kubelet_server, *admin_server; // URLs, of kubelet.conf and admin.conf
	char *node_name;                     // from the kubelet's certificate
	char *ca_pin;                        // sha256:… of the cluster's authority
	struct boot_certificate_fact *certificates;
	size_t certificate_count;
	bool is_api_ready; // the API server on this host answers /readyz
	struct strv links; // of cni0, flannel.1, vxlan.calico, tunl0, …
	struct boot_mark mark;

	// GPUs.
	struct boot_gpu_fact *gpus; // NVIDIA's, on the PCI bus
	size_t gpu_count;
	char *driver;         // version that is loaded
	int64_t gpus_working; // that nvidia-smi lists
};

#define _cleanup_boot_facts_ _cleanup_(boot_facts_release)

// Reads what the script printed. Fails (ERR_FAILED) where that is not the whole of it, and on caps.
bool boot_facts_parse(const char *text, size_t len, struct boot_facts *ret,
                      struct err *err) _nodiscard_;

// The file at PATH, or NULL where it is not there. The package that is installed, or NULL.
const struct boot_file_fact *boot_facts_file(const struct boot_facts *facts, const char *path);
const struct boot_package_fact *boot_facts_package(const struct boot_facts *facts,
                                                   const char *name);
// Who listens on PORT of TCP, or NULL.
const struct boot_listener_fact *boot_facts_listener(const struct boot_facts *facts, uint16_t port);

// Is there such a command, such a path?
bool boot_facts_has_command(const struct boot_facts *facts, const char *name);
bool boot_facts_has_path(const struct boot_facts *facts, const char *path);

// The address that the cluster uses for the host: the inventory's, else the one that ssh came in
// at if an interface has it, else the default route's interface's. Not set where there is none.
struct boot_ip boot_facts_node_ip(const struct boot_facts *facts, const struct boot_ip *wanted);

// What a host is to the cluster called CLUSTER.
enum boot_membership {
	BOOT_CLEAN,   // of no cluster
	BOOT_MEMBER,  // joined, of this cluster
	BOOT_PARTIAL, // a run of ours for this cluster broke off
	BOOT_FOREIGN, // of another cluster, or of one that somebody else began
};

// CA_PIN is of the cluster's authority, from its first control plane; NULL: not known, and then the
// mark decides. FOREIGN sets *RET_SERVER, borrowed, to that cluster's endpoint, or NULL.
enum boot_membership boot_facts_membership(const struct boot_facts *facts, const char *cluster,
                                           const char *ca_pin, const char **ret_server);

void boot_facts_release(struct boot_facts *facts);
