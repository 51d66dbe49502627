# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What suites share: a step that must succeed, a check that is counted, work on
# several hosts at once. Sourced after lib.sh.
SUITE=${0##*/}
WORK=$LOGS/$SUITE # logs and files of this suite
failed=0
rm -rf "$WORK"
mkdir -p "$WORK"
trap 'exit $((failed > 0))' EXIT

# report WORD TEXT START - one line that tests/lab/run counts
report() { printf '%-7s %-9s %4d s  %s\n' "$1" "$SUITE" $((SECONDS - $3)) "$2"; }

# attempt TEXT COMMAND… - run it with its output in a file, report; is it good?
attempt() {
	local text=$1 start=$SECONDS log
	shift
	log=$WORK/$(tr -cs 'a-zA-Z0-9' - <<<"$text").log
	# a subshell of its own, so that errexit works in functions
	(set -e; "$@") >"$log" 2>&1 &
	if wait $!; then
		report ok "$text" "$start"
	else
		report 'not ok' "$text" "$start"
		tail -n 15 "$log" | sed 's/^/        | /'
		failed=$((failed + 1))
		return 1
	fi
}

# step TEXT COMMAND… - the suite cannot go on without it
step() { attempt "$@" || exit 1; }

# check TEXT COMMAND… - the suite goes on, and fails at its end
check() { attempt "$@" || true; }

# equal GOT WANTED WHAT
equal() { [ "$1" = "$2" ] || { say "$3: got '$1', want '$2'"; return 1; }; }

# each COMMAND HOST… - run it for these hosts at once; all must succeed
each() {
	local command=$1 host pids=()
	shift
	for host; do
		"$command" "$host" >"$WORK/$command-$host.log" 2>&1 &
		pids+=($!)
	done
	for host; do
		wait "${pids[0]}" || { tail -n 15 "$WORK/$command-$host.log"; die "$command failed on $host"; }
		pids=("${pids[@]:1}")
	done
}

# kubectl … - the lab's own, for $KUBECONFIG
kubectl() { "$BIN/kubectl" "$@"; }

# render FILE - a manifest with the lab's versions filled in
render() {
	sed "s/@KUBE@/$KUBE/; s/@FLANNEL@/$FLANNEL/; s/@METRICS_SERVER@/$METRICS_SERVER/; s/@TRAINER@/$TRAINER_TAG/
		s/@DEVICE_PLUGIN@/$DEVICE_PLUGIN_TAG/; s/@EXPORTER@/$EXPORTER_TAG/" "$LAB_DIR/manifests/$1"
}
