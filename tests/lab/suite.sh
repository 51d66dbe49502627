# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What suites share: a step that must succeed, a check that is counted, work on
# several hosts at once. Sourced after lib.sh.
SUITE=${0##*/}
WORK=$LOGS/$SUITE # logs and files of this suite
failed=0
rm -rf "$WORK"
mkdir -p "$WORK"
trap 'status=$?; exit $((failed ? 1 : status))' EXIT

# report WORD TEXT START - one line that tests/lab/run counts
report() { printf '%-7s %-9s %4d s  %s\n' "$1" "$SUITE" $((SECONDS - $3)) "$2" | tee -a "${LAB_RESULTS:-/dev/null}"; }

# attempt TEXT COMMAND… - run it with its output in a file and report; $good says
# how it went. Never call this, step or check after "if" or before "||": bash
# then ignores errexit all the way down, and a failing line would pass.
attempt() {
	local text=$1 start=$SECONDS log
	shift
	log=$WORK/$(tr -cs 'a-zA-Z0-9' - <<<"$text").log
	set +e
	(set -e; "$@") >"$log" 2>&1
	good=$((!$?))
	set -e
	if ((good)); then
		report ok "$text" "$start"
	else
		report 'not ok' "$text" "$start"
		tail -n 15 "$log" | sed 's/^/        | /'
		failed=$((failed + 1))
	fi
}

# step TEXT COMMAND… - the suite cannot go on without it
step() {
	attempt "$@"
	((good)) || exit 1
}

# check TEXT COMMAND… - the suite goes on, and fails at its end
check() { attempt "$@"; }

# equal GOT WANTED WHAT
equal() { [ "$1" = "$2" ] || { say "$3: got '$1', want '$2'"; return 1; }; }

# refused PATTERN COMMAND… - it fails, and for this reason
refused() {
	local pattern=$1 said
	shift
	if said=$("$@" 2>&1); then
		say "went through: $*"
		return 1
	fi
	echo "$said"
	grep -qE "$pattern" <<<"$said"
}

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
