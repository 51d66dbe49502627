#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""100 jobs in one `vpsml submit -f`, beside `kubectl create -f` for each of them and for one file of all.

usage: tests/lab/run -- tests/bench/submit_many.py VPSML
"""
import json
import pathlib
import sys

import control_plane
import measure

JOBS = 100
ROUNDS = 2
PATH = "/apis/batch/v1/namespaces/default/jobs"


def write_files(folder, vpsml):
    """One file of all, and one for each."""
    job = control_plane.rendered_job(vpsml, "train")
    texts = [json.dumps(dict(job, metadata=dict(job["metadata"], name=f"train-{i}"))) for i in range(JOBS)]
    (folder / "all.yaml").write_text("\n---\n".join(texts))
    for i, text in enumerate(texts):
        (folder / f"{i}.yaml").write_text(text)


def each(argv, names, env):
    """The sum of one run for each file."""
    costs = [measure.run([*argv, name], env) for name in names]
    return measure.Cost(sum(c.cpu_s for c in costs), max(c.peak_mb for c in costs), sum(c.wall_s for c in costs), "")


def emptied(server, command):
    """Runs it; all jobs must be there then, and are taken away again."""
    cost = command()
    count = len(server.call("GET", PATH)["items"])
    if count != JOBS:
        sys.exit(f"{count} jobs were made, not {JOBS}")
    server.call("DELETE", PATH + "?propagationPolicy=Background")
    return cost


def main(vpsml):
    targets = measure.Targets()
    with control_plane.ControlPlane() as server, control_plane.Relay(server) as relay:
        folder = pathlib.Path(server.env["HOME"])
        write_files(folder, vpsml)
        singles = [str(folder / f"{i}.yaml") for i in range(JOBS)]
        together = str(folder / "all.yaml")
        create = [control_plane.KUBECTL, "create", "-f"]
        best = measure.in_turn({
            "vpsml submit -f ALL": lambda: emptied(server, lambda: measure.run([vpsml, "submit", "-f", together], server.env)),
            "kubectl create -f EACH": lambda: emptied(server, lambda: each(create, singles, server.env)),
            "kubectl create -f ALL": lambda: emptied(server, lambda: measure.run([*create, together], server.env)),
        }, ROUNDS)
        measure.run([vpsml, "submit", "-f", together], relay.env)
        connections = relay.connections()
    print(f"{JOBS} jobs, {measure.load()}")
    for name, cost in best.items():
        print(f"{name:24} {cost.cpu_s:6.2f} s CPU {cost.wall_s:6.2f} s {cost.peak_mb:6.1f} MB")
    own, one_by_one, at_once = best.values()
    targets.at_most("CPU of that of kubectl for each", own.cpu_s / one_by_one.cpu_s, 0.1)
    targets.at_most("time of that of kubectl for each", own.wall_s / one_by_one.wall_s, 0.1)
    targets.at_most("CPU of that of kubectl for one file", own.cpu_s / at_once.cpu_s, 1.2)
    targets.at_most("connections", connections, 1)
    targets.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
