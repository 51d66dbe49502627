# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154  # N, CLUSTER, RUN_ID stand before this text, see script.c
# What the steps of a phase stand on. The text before this sets N, the word that our own lines start
# with, CLUSTER, the cluster's name, and RUN_ID; the text behind it defines check_I, act_I and verify_I
# and calls `step`. $1 is the folder of this run, mode 0700.

RUN=$1
STATE=/var/lib/vpsml/state
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
DEBIAN_FRONTEND=noninteractive
NEEDRESTART_MODE=l
export PATH LC_ALL DEBIAN_FRONTEND NEEDRESTART_MODE
umask 022

# say WORD... - to the machine at the other end
say() { printf '%s %s\n' "$N" "$*"; }

# payload NAME PATH - a file for it, which is kept in no log
payload() { [ ! -r "$2" ] || say payload "$1" "$(base64 <"$2" | tr -d '\n')"; }

# remember STEP DONE - the mark that tells ours from foreign
remember() {
	(umask 077 && printf 'cluster=%s\nrun=%s\nstep=%s\ndone=%s\n' "$CLUSTER" "$RUN_ID" "$1" "$2" >"$STATE.new")
	mv "$STATE.new" "$STATE"
}

# put PATH MODE BACKUP - standard input becomes that file, if it is another; what was there is kept
# once where BACKUP is "backup"
put() {
	mkdir -p "$(dirname "$1")"
	(umask 077 && cat >"$1.vpsml-new")
	chmod "$2" "$1.vpsml-new"
	if [ "$3" = backup ] && [ -e "$1" ] && [ ! -e "$1.before-vpsml" ]; then
		cp -p "$1" "$1.before-vpsml"
	fi
	mv "$1.vpsml-new" "$1"
}

# fetch URL PATH - by apt's own program, so that no curl is needed
fetch() {
	mkdir -p "$(dirname "$2")"
	/usr/lib/apt/apt-helper download-file "$1" "$2.vpsml-new" || {
		rm -f "$2.vpsml-new"
		echo "cannot fetch $1" >&2
		return 1
	}
	chmod 644 "$2.vpsml-new"
	mv "$2.vpsml-new" "$2"
}

# lock_holder - who holds a lock of dpkg or apt, "" for nobody
lock_holder() {
	for lock in /var/lib/dpkg/lock-frontend /var/lib/dpkg/lock /var/lib/apt/lists/lock; do
		[ -e "$lock" ] || continue
		pid=$(awk -v inode="$(stat -c %i "$lock")" '{n = split($6, at, ":"); if (at[n] == inode) {print $5; exit}}' /proc/locks)
		case $pid in
		'' | 0 | -1) ;;
		*)
			echo "process $pid ($(cat "/proc/$pid/comm" 2>/dev/null))"
			return
			;;
		esac
	done
}

# wait_for_packages - until nobody holds apt, at most ten minutes
wait_for_packages() {
	waited=0
	while holder=$(lock_holder) && [ -n "$holder" ]; do
		[ $((waited % 15)) != 0 ] || say note "waiting for $holder, which holds apt"
		if [ $waited -ge 600 ]; then
			echo "$holder has held apt for ten minutes" >&2
			return 1
		fi
		sleep 1
		waited=$((waited + 1))
	done
}

apt_get() {
	wait_for_packages
	apt-get -y -q -o DPkg::Lock::Timeout=600 -o Dpkg::Options::=--force-confold \
		-o Dpkg::Options::=--force-confdef -o Dpkg::Use-Pty=0 "$@" </dev/null
}

# apt_update - once more where the network hiccups; what is not reached is a failure
apt_update() {
	apt_get update -o APT::Update::Error-Mode=any || {
		sleep 3
		apt_get update -o APT::Update::Error-Mode=any
	}
}

api_is_ready() {
	[ -r /etc/kubernetes/admin.conf ] &&
		[ "$(timeout 15 kubectl --kubeconfig /etc/kubernetes/admin.conf get --raw /readyz 2>/dev/null)" = ok ]
}

# api_comes_up SECONDS
api_comes_up() {
	left=$1
	until api_is_ready; do
		[ "$left" -gt 0 ] || return 1
		sleep 2
		left=$((left - 2))
	done
}

# without_chains PROGRAM - take our chains and rules out of its tables, and leave the rest
without_chains() {
	command -v "$1-save" >/dev/null || return 0
	"$1-save" 2>/dev/null >"$RUN/rules" || return 0
	if grep -Eq 'KUBE-|FLANNEL-|CNI-|cali[-:]' "$RUN/rules"; then
		grep -Ev 'KUBE-|FLANNEL-|CNI-|cali[-:]' "$RUN/rules" | "$1-restore" || :
	fi
}

# clean_up_after_reset - what kubeadm reset leaves
clean_up_after_reset() {
	rm -rf /etc/kubernetes/manifests /etc/kubernetes/pki /var/lib/etcd/member
	rm -f /etc/kubernetes/*.conf
	rm -rf /etc/cni/net.d /var/lib/cni /run/flannel /var/lib/calico
	for link in cni0 flannel.1 flannel-v6.1 flannel-wg flannel-wg-v6 vxlan.calico vxlan-v6.calico wireguard.cali kube-ipvs0; do
		[ ! -e "/sys/class/net/$link" ] || ip link delete "$link" || :
	done
	for folder in /sys/class/net/cali*; do
		[ ! -e "$folder" ] || ip link delete "${folder##*/}" || :
	done
	without_chains iptables
	without_chains ip6tables
	if command -v nft >/dev/null; then
		for family in ip ip6; do
			nft delete table "$family" kube-proxy 2>/dev/null || :
		done
	fi
}

# leave_cluster - the host is nobody's from now on
leave_cluster() {
	if [ -e /etc/systemd/system/vpsml-firewall.service ]; then
		systemctl disable --now vpsml-firewall || :
		rm -rf /etc/systemd/system/vpsml-firewall.service /etc/vpsml
		systemctl daemon-reload
	fi
	systemctl disable kubelet 2>/dev/null || :
	: >"$RUN/left" # no mark is written any more
	rm -f "$STATE"
}

# journal UNIT - its last lines, for a step that failed
journal() {
	say journal "$1"
	journalctl -u "$1" -n 60 --no-pager -o cat 2>/dev/null
}

# step NAME I - check, act, verify
step() {
	say begin "$1"
	remember "$1" "$DONE"
	if (check_"$2") >/dev/null 2>&1; then
		say skip "$1"
		return
	fi
	(
		set -e
		act_"$2"
	) 9>&-
	status=$?
	if [ $status = 0 ]; then
		(
			set -e
			verify_"$2"
		) 9>&-
		status=$?
	fi
	if [ $status = 0 ]; then
		say end "$1"
		return
	fi
	case $1 in
	kubeadm-init | kubeadm-join | kubeadm-finish) journal kubelet ;;
	containerd) journal containerd ;;
	esac
	say fail "$1" $status
	exit 1
}

# finish DONE - the end of the phase
finish() {
	if [ ! -e "$RUN/left" ]; then
		remember "" "$1"
	fi
	say 'done'
}

exec 9>/var/lib/vpsml/lock
flock -n 9 || {
	say note 'waiting for an earlier run that is still at work here'
	flock -w 1800 9 || {
		say fail lock 1
		exit 1
	}
	exit 75 # what it has made of the host decides what is due now
}
trap 'rm -f "$RUN"/*.yaml "$RUN"/*.json "$RUN/script"' EXIT
# what runs that were cut off have left
for folder in /var/lib/vpsml/run.*; do
	[ "$folder" = "$RUN" ] || rm -rf "$folder"
done
DONE=$(sed -n 's/^done=//p' "$STATE" 2>/dev/null)
[ "$(sed -n 's/^cluster=//p' "$STATE" 2>/dev/null)" = "$CLUSTER" ] || DONE=0
