#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the blocks of a document that need a cluster, those that begin with ```console cluster.

usage: readme.py VPSML FILE    (KUBECONFIG names the cluster)

Ages, the ends of pods' names and GPUs' ids differ from run to run: in what is expected and in what is
printed they stand as one sign, and blanks between columns as one. A cluster needs a moment: `vpsml list` is
repeated until it agrees, for LIMIT_S.
"""

import os
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import transcript  # noqa: E402

LIMIT_S = 30
PAUSE_S = 1.1  # between commands, as someone who types; and what is sorted by age has an order
SIGNS = (
    (r"\b(\d+[smhd])+\b", "TIME"),
    (r"\bGPU-[0-9a-f-]+", "GPU-ID"),
    (r"\b([a-z]+)-[a-z0-9]{5}\b(?! created)", r"\1-POD"),
    (r" {2,}", " "),
)


def settled(step):
    lines = []
    for line in step.stdout:
        for pattern, sign in SIGNS:
            line = re.sub(pattern, sign, line)
        lines.append(line.rstrip())
    same = transcript.Step([], step.command)
    same.stdout = lines
    return same


def run(step, folder, env):
    end, shown = time.monotonic() + LIMIT_S, None
    while True:
        actual = transcript.run(step, folder, env, True)
        agrees = transcript.agrees(settled(step), settled(actual))
        if agrees or not step.text().startswith("vpsml list") or time.monotonic() > end:
            return actual
        if settled(actual).stdout != shown:
            shown = settled(actual).stdout
            print("not yet:", *actual.stdout, sep="\n")
        time.sleep(0.3)


def main(vpsml, path):
    steps = transcript.read_markdown(path, "console cluster")
    if not steps:
        sys.exit("%s: no block for a cluster" % path)
    is_ok = True
    with tempfile.TemporaryDirectory() as folder:
        env = transcript.environment(folder, transcript.make_program(folder, os.path.abspath(vpsml)))
        env["KUBECONFIG"] = os.environ["KUBECONFIG"]
        for number, step in enumerate(steps, 1):
            actual = run(step, folder, env)
            time.sleep(PAUSE_S)
            print("$ " + step.text(), *actual.stdout, sep="\n")
            is_ok = transcript.report(number, "README", settled(step), settled(actual)) and is_ok
    sys.exit(0 if is_ok else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
