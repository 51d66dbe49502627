#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Requests and connections of `vpsml list` with ten jobs, from the API server's audit log and a relay in front.

usage: tests/lab/run -- tests/bench/list_requests.py VPSML
"""
import json
import sys
import time

import control_plane
import measure

JOBS = 10


def audited(server):
    lines = (server.folder / "audit.log").read_text().splitlines()
    return [event["requestURI"] for event in map(json.loads, lines) if event.get("userAgent", "").startswith("vpsml/")]


def main(vpsml):
    targets = measure.Targets()
    with control_plane.ControlPlane("--audit") as server, control_plane.Relay(server) as relay:
        template = control_plane.rendered_job(vpsml, "train")
        jobs = [dict(template, metadata=dict(template["metadata"], name=f"train-{i}")) for i in range(JOBS)]
        jobs = server.create("/apis/batch/v1/namespaces/default/jobs", jobs)
        server.create("/api/v1/namespaces/default/pods", [control_plane.pod_of(job, 0) for job in jobs])
        for form, limit in (("table", 3), ("name", 1)):
            requests, connections = len(audited(server)), relay.connections()
            cost = measure.run([vpsml, "list", "-o", form], relay.env)
            time.sleep(0.5)
            asked = audited(server)[requests:]
            print(f"list -o {form}: {cost.stdout.count(chr(10))} lines", *asked, sep="\n  ")
            targets.at_most(f"list -o {form}, requests", len(asked) or 99, limit)
            targets.at_most(f"list -o {form}, connections", relay.connections() - connections or 99, 1)
    targets.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
