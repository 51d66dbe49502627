# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What a host is: KEY=VALUE, a line a fact; facts.c reads it. Run as root by `/bin/sh -s NAME` from
# standard input; NAME is the host name of the cluster's endpoint, or "". Changes nothing.

PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL

# first PATH - the first line of a file
first() { [ ! -r "$1" ] || { IFS= read -r line <"$1" || [ -n "$line" ] && printf %s "$line"; } 2>/dev/null; }

# has COMMAND
has() { command -v "$1" >/dev/null 2>&1; }

# base64_of - standard input in one line
base64_of() { base64 | tr -d '\n'; }

# number KEY PATH - of a file that holds one
number() { [ ! -r "$2" ] || echo "$1=$(cat "$2")"; } # whole: the kernel answers one read alone

os() (
	# shellcheck source=/dev/null
	[ ! -r /etc/os-release ] || . /etc/os-release
	printf 'os_id=%s\nos_like=%s\nos_version=%s\nos_codename=%s\nos_name=%s\n' "${ID-}" "${ID_LIKE-}" \
		"${VERSION_ID-}" "${VERSION_CODENAME-}" "${PRETTY_NAME-}"
)

machine() {
	echo "root=$([ "$(id -u)" = 0 ] && echo 1)"
	echo "clock=$(date +%s)"
	echo "kernel=$(uname -r)"
	echo "machine=$(uname -m)"
	echo "host_name=$(uname -n)"
	echo "machine_id=$(first /etc/machine-id)"
	echo "product_uuid=$(first /sys/class/dmi/id/product_uuid)"
	! has systemd-detect-virt || echo "virtualization=$(systemd-detect-virt 2>/dev/null)"
	echo "cpus=$(nproc)"
	awk '$1 == "MemTotal:" {print "memory_kib=" $2; exit}' /proc/meminfo
	df -Pk /var 2>/dev/null | awk 'NR == 2 {print "disk_free_kib=" $4}'
	echo "cgroup=$(stat -fc %T /sys/fs/cgroup 2>/dev/null)"
	! has getenforce || echo "selinux=$(getenforce)"
	awk '($2 == "/tmp" || $2 == "/var" || $2 == "/var/lib") && ("," $4 ",") ~ /,noexec,/ {print "noexec=" $2}' /proc/mounts
	if [ -d /run/cloud-init ] && [ -e /run/cloud-init/enabled ] && [ ! -e /run/cloud-init/result.json ]; then
		echo cloud_init=running
	fi
}

swap() {
	awk 'NR > 1 {print "swap=" $1}' /proc/swaps 2>/dev/null
	awk '$1 !~ /^#/ && $3 == "swap" {print "fstab_swap=" $0}' /etc/fstab 2>/dev/null
	if has systemctl; then
		timeout 10 systemctl list-unit-files --type=swap --no-legend --plain 2>/dev/null |
			awk '$2 != "masked" && $2 != "masked-runtime" {print "swap_unit=" $1}'
		timeout 10 systemctl list-units --type=swap --no-legend --plain 2>/dev/null | awk '{print "swap_unit=" $1}'
	fi
	for file in /etc/systemd/zram-generator.conf /usr/lib/systemd/zram-generator.conf; do
		[ ! -s "$file" ] || [ -L "$file" ] || echo zram_generator=1
	done
}

# loaded NAME KEY - a module, or built in
loaded() {
	if grep -q "^$1 " /proc/modules 2>/dev/null || [ -d "/sys/module/$1" ]; then
		echo "$2=1"
	fi
}

kernel() {
	loaded overlay overlay
	! grep -qw overlay /proc/filesystems || echo overlay=1
	loaded br_netfilter br_netfilter
	[ ! -d /proc/sys/net/bridge ] || echo br_netfilter=1
	loaded wireguard wireguard
	! has modinfo || ! modinfo -n wireguard >/dev/null 2>&1 || echo wireguard=1
	number ip_forward /proc/sys/net/ipv4/ip_forward
	number bridge_iptables /proc/sys/net/bridge/bridge-nf-call-iptables
	number bridge_ip6tables /proc/sys/net/bridge/bridge-nf-call-ip6tables
	number ip6_forward /proc/sys/net/ipv6/conf/all/forwarding
	number inotify_watches /proc/sys/fs/inotify/max_user_watches
	number inotify_instances /proc/sys/fs/inotify/max_user_instances
}

# ssh_address - where our connection came in: sudo hides it from its commands, not from root
ssh_address() {
	pid=$$
	while [ "${pid:-0}" -gt 1 ]; do
		found=$(tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | sed -n 's/^SSH_CONNECTION=[^ ]* [^ ]* \([^ ]*\) .*/\1/p')
		if [ -n "$found" ]; then
			echo "ssh_address=$found"
			return
		fi
		pid=$(awk '$1 == "PPid:" {print $2}' "/proc/$pid/status" 2>/dev/null)
	done
}

network() {
	for folder in /sys/class/net/*; do
		name=${folder##*/}
		case $name in
		lo | veth* | cali* | lxc* | docker* | br-* | nodelocaldns) continue ;;
		cni0 | flannel* | vxlan.calico | tunl0 | wireguard.cali | kube-ipvs0) echo "link=$name" ;;
		*) echo "interface=$name $(first "$folder/address")" ;;
		esac
	done
	ssh_address
	if has ip; then
		ip -o addr show scope global 2>/dev/null |
			awk '$2 !~ /^(veth|cali|lxc|cni0|flannel|vxlan|tunl|docker|br-)/ {print "address=" $2 " " $4}'
		{
			ip -4 route
			ip -6 route
		} 2>/dev/null | awk '$1 !~ /^(unreachable|blackhole|multicast|anycast|local|fe80)/ {
			for (i = 2; i < NF; i++)
				if ($i == "dev") {print "route=" $1 " " $(i + 1); break}
		}'
	fi
	if has ss; then
		ss -Htulnp 2>/dev/null | awk '{
			port = $5
			sub(/.*:/, "", port)
			if (port !~ /^(179|2379|2380|4789|5473|6443|8472|10248|10249|10250|10256|10257|10259|51820|51821)$/)
				next
			process = "-"
			if (match($0, /users:\(\("[^"]*"/))
				process = substr($0, RSTART + 9, RLENGTH - 10)
			print "listener=" $1 " " port " " process
		}' | sort -u
	fi
	! getent ahosts "$(uname -n)" >/dev/null 2>&1 || echo own_name=1
	[ -z "$1" ] || timeout 20 getent ahosts "$1" 2>/dev/null | awk '!seen[$1]++ {print "endpoint_address=" $1}'
	{
		env
		cat /etc/environment 2>/dev/null
	} | sed -n "s/^export //
		s/[\"']//g
		s,://[^@/]*@,://,
		s/^\([a-zA-Z]*_[pP][rR][oO][xX][yY]\)=/proxy=\1=/p" | sort -u
}

firewall() {
	if has ufw && ufw status 2>/dev/null | grep -q '^Status: active'; then
		echo ufw=1
	fi
	if has firewall-cmd && [ "$(firewall-cmd --state 2>/dev/null)" = running ]; then
		echo firewalld=1
	fi
	if has nft; then
		echo nft=1
		! nft list chains 2>/dev/null | grep 'hook input' | grep -q 'policy drop' || echo nft_drop=1
		! nft list table inet vpsml >/dev/null 2>&1 || echo vpsml_firewall=1
	fi
}

# holder LOCK - who holds a lock of dpkg or apt
holder() {
	[ -e "$1" ] || return 0
	inode=$(stat -c %i "$1")
	pid=$(awk -v inode="$inode" '{n = split($6, at, ":"); if (at[n] == inode && $2 != "->") {print $5; exit}}' /proc/locks)
	case $pid in
	'' | 0 | -1) ;;
	*) echo "package_lock=$pid $(first "/proc/$pid/comm")" ;;
	esac
}

programs() {
	for name in docker dockerd k3s k0s microk8s rke2 ufw firewall-cmd nft iptables apt-get dnf systemctl crictl kubectl \
		openssl curl conntrack socat nvidia-smi nvidia-ctk nvidia-container-runtime chronyd wg; do
		! has "$name" || echo "command=$name"
	done
	if has dpkg-query; then
		# shellcheck disable=SC2016 # dpkg's own names
		dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Version}\n' kubelet kubeadm kubectl cri-tools kubernetes-cni \
			containerd containerd.io runc docker.io docker-ce conntrack iptables nftables ebtables ethtool socat \
			ca-certificates wireguard-tools nvidia-container-toolkit nvidia-container-toolkit-base 'nvidia-driver-*' \
			2>/dev/null | awk '$1 ~ /^.i/ {print "package=" substr($1, 1, 1) " " $2 " " $3}'
	fi
	! has apt-cache || apt-cache policy containerd containerd.io | awk '
		/^[^ ]/ {sub(/:$/, ""); name = $0}
		$1 == "Candidate:" && $2 != "(none)" {print "candidate=" name " " $2}'
	! has systemctl || systemctl show -p Id -p ActiveState -p UnitFileState containerd.service kubelet.service docker.service \
		firewalld.service ufw.service nftables.service systemd-timesyncd.service chrony.service chronyd.service ntp.service \
		ntpsec.service | awk -F= '
		function end() {
			sub(/\.service$/, "", id)
			if (active == "active")
				print "active=" id
			if (state == "enabled")
				print "enabled=" id
			id = active = state = ""
		}
		$1 == "Id" {id = $2}
		$1 == "ActiveState" {active = $2}
		$1 == "UnitFileState" {state = $2}
		NF == 0 {end()}
		END {end()}'
	! has containerd || echo "containerd=$(containerd --version 2>/dev/null | awk '{print $3}')"
	! has kubelet || echo "kubelet=$(kubelet --version 2>/dev/null | awk '{print $2}')"
	! has kubeadm || echo "kubeadm=$(kubeadm version -o short 2>/dev/null)"
	! has containerd || echo "containerd_dump=$(containerd config dump 2>/dev/null | base64_of)"
	holder /var/lib/dpkg/lock-frontend
	holder /var/lib/dpkg/lock
	holder /var/lib/apt/lists/lock
}

# file PATH - one that we manage, whole
file() {
	if [ -f "$1" ]; then
		echo "file=$1 $(stat -Lc %a "$1") $(head -c 262145 "$1" | base64_of)"
	fi
}

files() {
	for path in /etc/fstab /etc/hosts /etc/modules-load.d/vpsml.conf /etc/sysctl.d/99-vpsml.conf \
		/etc/apt/keyrings/vpsml-*.asc /etc/apt/sources.list.d/vpsml-*.list /etc/apt/apt.conf.d/95vpsml-proxy \
		/etc/containerd/config.toml /etc/containerd/conf.d/*.toml /usr/local/share/ca-certificates/vpsml-images.crt \
		/etc/systemd/system/containerd.service.d/vpsml-proxy.conf /etc/crictl.yaml \
		/etc/vpsml/firewall.nft /etc/systemd/system/vpsml-firewall.service /etc/vpsml/firewall.list \
		/var/lib/vpsml/state; do
		file "$path"
	done
}

kubernetes() {
	for path in /etc/kubernetes/*.conf /etc/kubernetes/manifests/*.yaml /etc/kubernetes/pki/ca.key /var/lib/etcd/member \
		/var/lib/kubelet/config.yaml /etc/cni/net.d/* /run/flannel/subnet.env /etc/rancher /var/snap/microk8s; do
		[ ! -e "$path" ] || echo "path=$path"
	done
	for name in kubelet admin; do
		[ ! -r "/etc/kubernetes/$name.conf" ] ||
			sed -n "s/^ *server: */${name}_server=/p" "/etc/kubernetes/$name.conf" | head -n 1
	done
	# the first certificate of each file, without the key that may be beside it
	set --
	for path in /etc/kubernetes/pki/*.crt /etc/kubernetes/pki/etcd/*.crt /var/lib/kubelet/pki/kubelet-client-current.pem \
		/var/lib/kubelet/pki/kubelet.crt; do
		[ ! -r "$path" ] || set -- "$@" "$path"
	done
	[ $# = 0 ] || awk '
		FNR == 1 {is_in = is_over = 0}
		/BEGIN CERT/ && !is_over {is_in = 1; printf "certificate=%s ", FILENAME; next}
		/END CERT/ && is_in {is_in = 0; is_over = 1; print ""}
		is_in {printf "%s", $0}' "$@"
	for name in admin controller-manager scheduler; do
		[ ! -r "/etc/kubernetes/$name.conf" ] ||
			sed -n "s,^ *client-certificate-data: *,certificate=/etc/kubernetes/$name.conf ,p" "/etc/kubernetes/$name.conf"
	done
	if [ -r /etc/kubernetes/admin.conf ] && has kubectl; then
		[ "$(timeout 10 kubectl --kubeconfig /etc/kubernetes/admin.conf get --raw /readyz 2>/dev/null)" != ok ] || echo api_ready=1
	fi
}

gpus() {
	for folder in /sys/bus/pci/devices/*; do
		[ "$(first "$folder/vendor")" = 0x10de ] || continue
		case $(first "$folder/class") in
		0x03*) echo "gpu=${folder##*/} $(first "$folder/device")" ;;
		esac
	done
	[ ! -r /proc/driver/nvidia/version ] ||
		sed -n 's/^NVRM version:.* \([0-9][0-9]*\.[0-9][0-9.]*\) .*/driver=\1/p' /proc/driver/nvidia/version
	! has nvidia-smi || echo "gpus_working=$(timeout 30 nvidia-smi -L 2>/dev/null | grep -c '^GPU ')"
}

# busy - a run of ours holds the host
busy() {
	if [ -e /var/lib/vpsml/lock ] && ! flock -n /var/lib/vpsml/lock true; then
		echo "busy=$(sed -n 's/^step=//p' /var/lib/vpsml/state 2>/dev/null)"
	fi
}

main() {
	echo facts=1
	busy
	os
	machine
	swap
	kernel
	network "${1-}"
	firewall
	programs
	files
	kubernetes
	gpus
	echo facts_end=1
}

main "$@" </dev/null 2>/dev/null
