# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A cluster by plain ssh, kubeadm and kubectl, for suites. Sourced after suite.sh.
export KUBECONFIG=$WORK/kubeconfig
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

# gpus NODE COUNT - has it so many allocatable?
gpus() { equal "$(kubectl get node "$1" -o jsonpath="{.status.allocatable.nvidia\\.com/gpu}")" "$2" "allocatable GPUs of $1"; }
