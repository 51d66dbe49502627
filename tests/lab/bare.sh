# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For suites in which vpsml makes a cluster of bare hosts: root by key, ops with a sudo password, ubuntu
# without one. Needs a built vpsml: VPSML=FILE (default: build/src/vpsml).
VPSML=${VPSML:-$LAB_DIR/../../build/src/vpsml}
registry=$REGISTRY_NAME:$REGISTRY_PORT
export KUBECONFIG=$WORK/kubeconfig XDG_STATE_HOME=$WORK/state

servers() {
	"$LAB_DIR/mirror" up
	"$LAB_DIR/registry" up
}

# inventory - cluster.yaml; the settings that containers need are those of README.md
inventory() {
	local repo=http://$MIRROR_NAME/core:/stable:
	render flannel.yaml | sed "s|image: vpsml-lab/|image: $registry/vpsml-lab/|" >"$WORK/flannel.yaml"
	cat >"$WORK/cluster.yaml" <<-END
		name: lab
		kubernetes: $KUBE
		network: {plugin: ./flannel.yaml}
		packages:
		  repository: "$repo"
		  containerd: containerd.io
		  containerdRepository: none
		images:
		  repository: $registry
		  ca: $REGISTRY_CA
		  metricsServer: $registry/vpsml-lab/metrics-server:$METRICS_SERVER
		gpu: {devicePlugin: false}
		ignorePreflight: [SystemVerification]
		kubelet:
		  failSwapOn: false
		  cgroupDriver: cgroupfs
		  failCgroupV1: false
		  featureGates: {KubeletInUserNamespace: true}
		kubeProxy: {conntrack: {maxPerCore: 0, min: 0}}
		containerd: {restrict_oom_score_adj: true, SystemdCgroup: false}
		hosts:
		- {name: vps1, ssh: root@$NET_PREFIX.11, role: control-plane}
		- {name: vps2, ssh: ops@$NET_PREFIX.12, role: worker}
		- {name: vps3, ssh: ubuntu@$NET_PREFIX.13, role: worker}
	END
}

# vpsml WORD… - with the lab's keys; what asks gets ops' password
vpsml() {
	local command=$1
	shift
	"$LAB_DIR/answer" lab-password "$VPSML" "$command" -f "$WORK/cluster.yaml" --ssh-config "$SSH_DIR/config" "$@"
}
