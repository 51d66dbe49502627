# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A cluster by plain ssh, kubeadm and kubectl, for suites. Sourced after suite.sh.
export KUBECONFIG=$LOGS/${LAB_AFTER:-$SUITE}/kubeconfig # of the suite before, where its lab is still up
ignore=--ignore-preflight-errors=SystemVerification # cgroup v1, no kernel config

apply() { render "$1.yaml" | kubectl apply -f -; }

# load HOST - wait until its images are there
load() { lab_ssh "$1" systemctl start load-images.service; }

# init HOST - make it the control plane
init() {
	render kubeadm.yaml | lab_ssh "$1" 'cat >/root/kubeadm.yaml'
	lab_ssh "$1" kubeadm init --config /root/kubeadm.yaml $ignore
	(umask 077 && lab_ssh "$1" cat /etc/kubernetes/admin.conf >"$KUBECONFIG")
}

join() { lab_ssh "$1" "$join_command $ignore"; }

joins() {
	local join_command
	join_command=$(lab_ssh vps1 kubeadm token create --print-join-command)
	each join vps2 vps3
}

# gpus NODE COUNT - has it so many allocatable?
gpus() { equal "$(kubectl get node "$1" -o jsonpath="{.status.allocatable.nvidia\\.com/gpu}")" "$2" "allocatable GPUs of $1"; }

# vxlan - flanneld has told the API server about its device on every node
vxlan() {
	kubectl get nodes -o json |
		jq -e 'all(.items[].metadata.annotations; .["flannel.alpha.coreos.com/backend-type"] == "vxlan")'
}

network() {
	apply flannel
	kubectl wait node --all --for=condition=Ready --timeout=180s
	wait_for 120 "flannel's annotation on all nodes" vxlan
	lab_ssh vps2 ip -d link show flannel.1 | grep vxlan
}

system_pods() { kubectl -n kube-system rollout status deployment/coredns daemonset/kube-proxy --timeout=180s; }

# three_hosts - vps1 the control plane, vps2, and vps3 with two GPUs; nothing where the suite before left them
three_hosts() {
	[ -z "${LAB_AFTER:-}" ] || return 0
	step "three hosts answer ssh" "$LAB_DIR/hosts" up vps1:ready vps2:ready vps3:ready,gpu=2
	step "images are loaded" each load vps1 vps2 vps3
	step "kubeadm init" init vps1
	step "two joins" joins
	step "flannel: all nodes Ready" network
	apply metrics-server >/dev/null
	apply runtimeclass >/dev/null
	apply device-plugin >/dev/null
	kubectl label node vps3 gpu=true >/dev/null
	step "coredns and kube-proxy are up" system_pods
	step "device plugin: nvidia.com/gpu is allocatable" wait_for 120 "two GPUs" gpus vps3 2
}
