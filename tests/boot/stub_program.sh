#!/bin/sh
# SPDX-License-Identifier: MIT
# Every program that vpsml starts on a host, in place of the real one: what it would do, as files.
# Named by its links. STUB, the folder of all hosts, stands in /etc/stub; what a host is to do wrong
# is in /var/lib/stub/NAME.
stub=$(cat /etc/stub)
own=/var/lib/stub
name=${0##*/}
echo "$(uname -n) $name $*" >>"$stub/calls"

# wrong NAME - is it to go wrong, this once?
wrong() { [ -e "$own/$1" ] && rm "$own/$1"; }

pause() { [ ! -e "$own/pause" ] || sleep "$(cat "$own/pause")"; }

# install_package WORD - its programs appear
install_package() {
	package=${1%%=*}
	case $package in
	-* | install | update) return ;;
	esac
	case $package in
	cri-tools) programs=crictl ;;
	containerd.io) programs=containerd ;;
	kubelet | kubeadm | conntrack) programs=$package ;;
	*) programs= ;;
	esac
	for program in $programs; do
		ln -sf /usr/local/sbin/stub "/usr/local/bin/$program"
	done
	version=1.0
	[ "$package" = "$1" ] || version=$(echo "${1#*=}" | sed 's/\*/1.1/')
	grep -v " $package " "$own/packages" >"$own/packages.new"
	echo "ii  $package $version" >>"$own/packages.new"
	mv "$own/packages.new" "$own/packages"
}

joined() {
	mkdir -p /etc/kubernetes/manifests /etc/kubernetes/pki /var/lib/kubelet/pki
	cp "$stub/ca.crt" /etc/kubernetes/pki/ca.crt
	cp "$stub/kubelet.conf" /etc/kubernetes/kubelet.conf
	cp "$stub/certificates/$node.pem" /var/lib/kubelet/pki/kubelet-client-current.pem
	cat /etc/machine-id >"$stub/nodes/$node"
	touch "$own/active-kubelet"
}

# needs_clean - kubeadm's own preflight
needs_clean() {
	for path in /etc/kubernetes/kubelet.conf /etc/kubernetes/manifests/kube-apiserver.yaml; do
		if [ -e "$path" ]; then
			echo "	[ERROR FileAvailable-$(echo "$path" | tr / -)]: $path already exists" >&2
			exit 1
		fi
	done
}

kubeadm() {
	node=$(awk '/^nodeRegistration:/ {in_it = 1} in_it && $1 == "name:" {gsub(/"/, ""); print $2; exit}' \
		"$(echo "$* " | sed -n 's/.*--config \([^ ]*\) .*/\1/p')" 2>/dev/null)
	case $* in
	*--config*) cat "$(echo "$* " | sed -n 's/.*--config \([^ ]*\) .*/\1/p')" >>"$own/config" ;;
	esac
	case "$1 $2" in
	'version '*) echo v1.34.4 ;;
	'init phase') pause ;;
	'init '*)
		needs_clean
		mkdir -p /etc/kubernetes/manifests /var/lib/etcd/member
		touch /etc/kubernetes/manifests/kube-apiserver.yaml
		pause
		if wrong init-dies; then
			echo 'error execution phase wait-control-plane: the kubelet is not running: http://127.0.0.1:10248/healthz' >&2
			exit 1
		fi
		cp "$stub/admin.conf" /etc/kubernetes/admin.conf
		touch "$own/api"
		joined
		;;
	'join '*)
		needs_clean
		if wrong join-fails; then
			echo 'error: token id "abcdef" is invalid for this cluster or it has expired' >&2
			exit 1
		fi
		pause
		joined
		;;
	'reset '*)
		rm -rf /etc/kubernetes/* /var/lib/etcd/member /var/lib/kubelet/pki "$own/api"
		rm -f "$stub/nodes/$(uname -n)"
		;;
	esac
}

case $name in
kubeadm) kubeadm "$@" ;;
kubelet) echo 'Kubernetes v1.34.4' ;;
kubectl)
	case $* in
	*readyz*) [ -e "$own/api" ] && echo ok ;;
	*apply*) cp "$5" "$own/applied" ;;
	esac
	;;
containerd)
	case $1 in
	--version) echo 'containerd github.com/containerd/containerd.io 2.2.0 abc' ;;
	*) cat /etc/containerd/conf.d/*.toml ;;
	esac
	;;
apt-get)
	case $* in
	*update*) [ ! -e "$own/update-fails" ] || exit 100 ;;
	*install*)
		pause
		for word in "$@"; do install_package "$word"; done
		;;
	esac
	;;
apt-cache) ;;
dpkg-query) cat "$own/packages" ;;
dpkg) grep -q " $2 " "$own/packages" ;;
systemctl)
	case $1 in
	-q) [ -e "$own/active-$3" ] ;;
	show)
		for unit in "$@"; do
			case $unit in
			*.service)
				unit=${unit%.service}
				echo "Id=$unit.service"
				[ ! -e "$own/active-$unit" ] || echo ActiveState=active
				[ ! -e "$own/enabled-$unit" ] || echo UnitFileState=enabled
				echo
				;;
			esac
		done
		;;
	is-active) [ -e "$own/active-${2%.service}" ] && echo active ;;
	is-enabled) [ -e "$own/enabled-${2%.service}" ] && echo enabled ;;
	enable) for unit in "$@"; do touch "$own/enabled-$unit"; done ;;
	restart | start) touch "$own/active-$2" ;;
	stop) rm -f "$own/active-$2" ;;
	esac
	;;
ip)
	case $* in
	*addr*) echo "2: eth0    inet $(cat /etc/address)/24 brd + scope global eth0" ;;
	'-4 route') echo 'default via 127.0.0.1 dev eth0' ;;
	esac
	;;
nft | ufw | firewall-cmd) exit 1 ;;
getenforce) echo Disabled ;;
esac
