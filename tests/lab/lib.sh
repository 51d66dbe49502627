# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034  # settings and functions, sourced by every script
# What all scripts of the lab share: versions, places, addresses, a few verbs.

VPSML_LAB=${VPSML_LAB:-$HOME/.cache/vpsml-lab}
LAB_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# versions
KUBE=v1.34.4
ETCD=v3.6.13
COREDNS=v1.14.5
METRICS_SERVER=v0.8.0
CRI_TOOLS=v1.34.0
CNI_PLUGINS=v1.7.1
FLANNEL=v0.28.4
KWOK=v0.7.0
KUEUE=v0.17.0
CONTAINERD2=v2.2.9
DISTRIBUTION=v3.1.2
DEVICE_PLUGIN_TAG=1 EXPORTER_TAG=1 TRAINER_TAG=1

# places
BIN=$VPSML_LAB/bin       # every program; bin/.stamp/NAME holds its version, written last
DEBS=$VPSML_LAB/debs     # Debian's packages for a node, as downloaded
MIRROR=$VPSML_LAB/mirror # what the mirror serves
SSH_DIR=$VPSML_LAB/ssh   # client key, config, known_hosts, host keys
LOGS=$VPSML_LAB/logs     # of the last run
CP=$VPSML_LAB/cp         # the control plane of processes

# the lab network: closed, fixed addresses, hosts are .11, .12, …; each host's
# /etc/hosts knows the names
NET=vpsml-lab NET_PREFIX=172.31.77
MIRROR_ADDR=$NET_PREFIX.2
MIRROR_NAME=mirror.lab.test
REGISTRY_ADDR=$NET_PREFIX.3
REGISTRY_NAME=registry.lab.test
REGISTRY_PORT=5000
REGISTRY_CA=$VPSML_LAB/registry/ca.crt
# behind the bastion (the oddity)
INNER_NET=vpsml-lab-inner INNER_PREFIX=172.31.78

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$*"; exit 1; }

# need PROGRAM… - stop with one line that says how to get what is missing
need() {
	local tool missing=()
	for tool; do
		command -v "$tool" >/dev/null || missing+=("$tool")
	done
	((!${#missing[@]})) || die "missing: ${missing[*]}; mend with: apt-get install $(lab_packages "${missing[@]}")"
}

# lab_packages PROGRAM… - the Debian packages that bring these programs
lab_packages() {
	local tool
	for tool; do
		case $tool in
		docker) echo docker.io ;;
		go) echo golang ;;
		dpkg-scanpackages | dpkg-deb) echo dpkg-dev ;;
		gpg | gpgconf) echo gpg ;;
		ssh | ssh-keygen) echo openssh-client ;;
		xz) echo xz-utils ;;
		*) echo "$tool" ;;
		esac
	done | sort -u | paste -sd' '
}

# need_space MIB DIRECTORY - stop where a step would fill the disk
need_space() {
	local free
	free=$(df -Pm "$2" | awk 'NR == 2 {print $4}')
	((free >= $1)) || die "disk full: $2 has $free MiB free, this step takes $1; free some space, or set VPSML_LAB to another disk"
}

# wait_for SECONDS TEXT COMMAND… - poll until COMMAND succeeds (of a function, its last line counts)
wait_for() {
	local end=$((SECONDS + $1)) text=$2
	shift 2
	until "$@" >/dev/null 2>&1; do
		((SECONDS < end)) || die "gave up waiting for $text"
		sleep 0.5
	done
}

# lab_ssh NAME COMMAND… - run a command on a lab host, as its first user (root, as a rule)
lab_ssh() {
	ssh -F "$SSH_DIR/config" "$@"
}

# lab_network NAME PREFIX - make a docker network once. It is closed: where the
# machine's own network answers for any address, a connection to a Service
# address that kube-proxy has not set up yet would reach, and stay with, a stranger.
lab_network() {
	docker network inspect "$1" >/dev/null 2>&1 ||
		docker network create --internal --label vpsml-lab --subnet "$2.0/24" "$1" >/dev/null ||
		die "network $2.0/24 is not to be had; mend with: docker network ls, and remove the one that overlaps"
}

# kube_image NAME - the full name that kubeadm gives one of its images
kube_image() {
	"$BIN/kubeadm" config images list --kubernetes-version "$KUBE" | grep -E "/$1:"
}

# inputs FILE… - one line that changes when one of these files does. Programs
# are big and only this machine writes them: their size and time will do.
inputs() {
	local file size
	for file; do
		if [[ $file == "$VPSML_LAB"/* ]]; then
			size=$(stat -c '%s %Y' "$file") || exit 1
			echo "${file#"$VPSML_LAB"/} $size"
		else
			sha256sum <"$file"
		fi
	done | sha256sum | cut -c1-16
}
