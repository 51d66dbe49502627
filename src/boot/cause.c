// SPDX-License-Identifier: MIT
// From what kubeadm, apt and the kubelet wrote to what it means (kubeadm's words as of 1.34).
#include <string.h>

#include "boot/script.h"

static const struct {
	const char *text; // in a line
	const char *message, *hint;
} causes[] = {
	{"[ERROR NumCPU]", "too few CPUs for a control plane (kubeadm wants 2)",
     "take a larger host, or add NumCPU to ignorePreflight"},
	{"[ERROR Mem]", "too little memory for a control plane (kubeadm wants 1700 MB)",
     "take a larger host, or add Mem to ignorePreflight"},
	{"unknown service runtime.v1", "containerd does not serve the kubelet: its CRI plugin is off",
     "look at disabled_plugins in /etc/containerd/config.toml"},
	{"[ERROR CRI]", "containerd does not run", "vpsml ssh HOST -- journalctl -u containerd"},
	{"[ERROR Port-", "a port that the node needs is taken",
     "vpsml ssh HOST -- ss -ltnp shows by which process"},
	{"[ERROR FileAvailable-", "there are files of an earlier cluster",
     "run `vpsml remove HOST` first, or `kubeadm reset` there if it may go"},
	{"[ERROR DirAvailable-", "there are files of an earlier cluster",
     "run `vpsml remove HOST` first, or `kubeadm reset` there if it may go"},
	{"[ERROR FileContent--proc-sys-net", "the kernel does not forward packets",
     "does something else set sysctl values there?"},
	{"failed to parse kernel config", "kubeadm finds no configuration of the kernel",
     "add SystemVerification to ignorePreflight: harmless in containers and with own kernels"},
	{"[ERROR SystemVerification]", "the kernel or cgroups are not what kubeadm expects",
     "see the lines above; SystemVerification in ignorePreflight passes over it"},
	{"[ERROR ImagePull]", "an image cannot be pulled", "is images.repository reached from there?"},
	{"x509: certificate signed by unknown authority", "a server's certificate is not trusted there",
     "images.ca in cluster.yaml takes the authority"},
	{"none of the public keys", "the endpoint answers with another cluster's authority",
     "does `endpoint` lead to this cluster's control plane?"},
	{"is invalid for this cluster or it has expired", "the bootstrap token is not taken",
     "run vpsml up again, which makes a new one; are the clocks right?"},
	{"could not find a JWS signature", "the bootstrap token is not known to the cluster",
     "run vpsml up again, which makes a new one"},
	{"Secret \"kubeadm-certs\" was not found", "the uploaded certificates have expired",
     "run vpsml up again, which uploads them anew"},
	{"error decoding certificate key", "the uploaded certificates are of another key",
     "run vpsml up again, which uploads them anew"},
	{"and status \"Ready\" already exists", "another host of this name is in the cluster",
     "give each host a name of its own"},
	{"Peer URLs already exists", "etcd still has this host as a member",
     "run vpsml up again: the member is removed and the host joins anew"},
	{"running with swap on is not supported", "the kubelet does not start with swap",
     "what switches swap on again? see swapon --show"},
	{"failed to run Kubelet: misconfiguration: kubelet cgroup driver",
     "the kubelet and containerd use different cgroup drivers",
     "set both in cluster.yaml: kubelet.cgroupDriver, containerd.SystemdCgroup"},
	{"kubelet is configured to not run on a host using cgroup v1",
     "the kubelet refuses a host with cgroup v1",
     "boot with systemd.unified_cgroup_hierarchy=1, or set kubelet: {failCgroupV1: false}"},
	{"no space left on device", "the disk is full", "vpsml ssh HOST -- df -h"},
	{"E: Unable to locate package", "a package is in no repository of the host",
     "is packages.repository right?"},
	{"E: Version '", "the repository does not have this version",
     "`kubernetes` in cluster.yaml must be one that it has"},
	{"NO_PUBKEY", "a repository is signed with a key that the host does not have",
     "packages.key in cluster.yaml names the key"},
	{"Temporary failure resolving", "the host resolves no names", "look at its /etc/resolv.conf"},
	{"cannot fetch ", "a key or a package cannot be fetched", "does the host reach the internet?"},
	{"10248/healthz", "the kubelet does not run", "see its journal above"},
	{"timed out waiting for the condition", "the control plane did not come up in time",
     "see the kubelet's journal above; are images pulled?"},
};

bool boot_cause(const struct strv *lines, struct err *ret)
{
	for (size_t i = 0; i < COUNT_OF(causes); i++) {
		for (size_t j = 0; j < lines->count; j++) {
			if (!strstr(lines->items[j], causes[i].text))
				continue;
			err_set(ret, ERR_HOSTS, "%s", causes[i].message);
			err_hint(ret, "%s", causes[i].hint);
			return true;
		}
	}
	return false;
}
