#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""1,000, then 10,000 pods of 1,000 jobs on a real API server: `vpsml list`, and the client alone, beside kubectl.

usage: tests/lab/run -- tests/bench/pods_real.py VPSML DRIVER    (the wire suite's driver lists pods' names)
"""
import sys

import control_plane
import measure

JOBS = 1000
ROUNDS = 3


def fill(server, jobs, first, end):
    pods = [control_plane.pod_of(job, number) for number in range(first, end) for job in jobs]
    server.create("/api/v1/namespaces/default/pods", pods)


def measured(server, vpsml, driver, count):
    def of(*argv):
        return lambda: measure.run(argv, server.env)

    best = measure.in_turn({"kubectl get pods": of(control_plane.KUBECTL, "get", "pods"), "pods' names": of(driver, "pods"),
                            "vpsml list": of(vpsml, "list"), "kubectl get jobs": of(control_plane.KUBECTL, "get", "jobs")},
                           ROUNDS)
    print(f"{count} pods, {JOBS} jobs, {measure.load()}")
    for name, cost in best.items():
        lines = cost.stdout.count("\n")
        print(f"{name:20} {cost.cpu_s:6.2f} s CPU {cost.wall_s:6.2f} s {cost.peak_mb:6.1f} MB {lines:6} lines", flush=True)
    return best


def main(vpsml, driver):
    targets = measure.Targets()
    with control_plane.ControlPlane() as server:
        template = control_plane.rendered_job(vpsml, "train")
        jobs = [dict(template, metadata=dict(template["metadata"], name=f"train-{i:04d}")) for i in range(JOBS)]
        jobs = server.create("/apis/batch/v1/namespaces/default/jobs", jobs)
        fill(server, jobs, 0, 1)
        few = measured(server, vpsml, driver, JOBS)
        fill(server, jobs, 1, 10)
        body = measure.run([control_plane.KUBECTL, "get", "--raw", "/api/v1/namespaces/default/pods?limit=500"], server.env)
        print(f"a pod has {len(body.stdout) // 500} bytes")
        many = measured(server, vpsml, driver, 10 * JOBS)
    for name in ("pods' names", "vpsml list"):
        targets.at_most(f"{name}, CPU", many[name].cpu_s, 0.4, " s")
        targets.at_most(f"{name}, memory", many[name].peak_mb, 24, " MB")
        targets.at_most(f"{name}, memory of that with 1,000 pods", many[name].peak_mb / few[name].peak_mb, 1.1)
        targets.at_least(f"CPU of kubectl get pods, of that of {name}", many["kubectl get pods"].cpu_s / many[name].cpu_s, 9)
    targets.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
