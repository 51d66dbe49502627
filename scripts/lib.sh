# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the scripts share: messages, timed steps, packages. Sourced from the top folder.

name=${0##*/}

say() { printf '%s: %s\n' "$name" "$*" >&2; }

die() {
	say "$*"
	exit 1
}

# step TEXT COMMAND… - run it and print how long it took; its status is the step's
step() {
	local text=$1 start=$SECONDS status=0
	shift
	printf '== %s\n' "$text"
	"$@" </dev/null || status=$?
	printf '== %s: status %d, %d s\n' "$text" "$status" $((SECONDS - start))
	return $status
}

# packages KIND… - the packages of these kinds
packages() {
	local kind
	for kind; do
		awk -v kind="$kind" '$1 == kind {print $2}' scripts/packages
	done
}

is_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

is_in_apt() {
	[ -n "$(apt-cache madison "$1" 2>/dev/null)" ]
}

# missing PACKAGE… - those that are not installed
missing() {
	local package
	for package; do
		is_installed "$package" || echo "$package"
	done
}

# as_root COMMAND…
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif [ -t 2 ]; then
		sudo "$@"
	else
		sudo -n "$@"
	fi
}

# apt COMMAND… - without questions; waits for another apt to end
apt() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@"
}

# why_not - why packages cannot be installed here, or nothing
why_not() {
	if [ "$(id -u)" = 0 ]; then
		return
	elif ! command -v sudo >/dev/null; then
		echo "not root, and there is no sudo"
	elif ! [ -t 2 ] && ! sudo -n true 2>/dev/null; then
		echo "not root, and sudo would ask for a password with no terminal to ask on"
	fi
}

# fetch PACKAGE… - install these, all of which are missing; false when some stay away
fetch() {
	local package why found=() lost=()
	why=$(why_not)
	if [ -n "$why" ]; then
		say "cannot install $*: $why"
		return 1
	fi
	apt update || say "apt-get update failed: going on with the package lists that are here"
	for package; do
		if is_in_apt "$package"; then
			found+=("$package")
		else
			lost+=("$package")
		fi
	done
	[ ${#lost[@]} = 0 ] || say "cannot install ${lost[*]}: not in this system's apt sources"
	if [ ${#found[@]} != 0 ]; then
		printf 'installing %s\n' "${found[*]}"
		if ! apt install --no-install-recommends "${found[@]}" >/dev/null; then
			say "cannot install ${found[*]}: apt-get failed, see above"
			return 1
		fi
	fi
	[ ${#lost[@]} = 0 ]
}

# need KIND… - have all packages of these kinds, or stop
need() {
	local wanted
	if ! command -v apt-get >/dev/null; then
		say "no apt-get here, so nothing is installed; what is needed has these names in Debian:" \
			"$(packages "$@" | paste -sd' ' -)"
		return 0
	fi
	# shellcheck disable=SC2046 # package names have no blanks
	wanted=$(missing $(packages "$@"))
	# shellcheck disable=SC2086
	[ -z "$wanted" ] || fetch $wanted || die "install what is missing and start again"
}

# want KIND… - have those packages of these kinds that can be had
want() {
	local package wanted
	if ! command -v apt-get >/dev/null; then
		return 0
	fi
	# shellcheck disable=SC2046 # package names have no blanks
	wanted=$(missing $(packages "$@"))
	[ -n "$wanted" ] || return 0
	# shellcheck disable=SC2086
	fetch $wanted || for package in $(missing $wanted); do
		say "without $package: what needs it is skipped"
	done
}

# configure FOLDER OPTION… - make a build folder, once
configure() {
	[ -f "$1/build.ninja" ] || meson setup "$@"
}
