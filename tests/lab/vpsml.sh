# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# vpsml in suites: VPSML is the binary (build/src/vpsml). Sourced after suite.sh.
top=$(cd "$LAB_DIR/../.." && pwd)
vpsml=$(realpath "${VPSML:-$top/build/src/vpsml}")
[ -x "$vpsml" ] || die "no $vpsml; mend with: ninja -C build, or set VPSML"

vpsml() { "$vpsml" "$@"; }

# status WANTED COMMAND… - it exits with this status
status() {
	local wanted=$1 got=0
	shift
	"$@" || got=$?
	equal "$got" "$wanted" "status of $*"
}

# field NAME KEY - of a job, as `list -o json` has it; nothing where there is none
field() {
	vpsml list -o json | jq -r --arg name "$1" --arg key "$2" '.jobs[] | select(.name == $name) | .[$key] // empty'
}

# becomes NAME STATE SECONDS
becomes() {
	local i
	for ((i = 0; i < $3 * 5; i++)); do
		[ "$(field "$1" state)" != "$2" ] || return 0
		sleep 0.2
	done
	vpsml list -o wide
	equal "$(field "$1" state)" "$2" "state of $1"
}
