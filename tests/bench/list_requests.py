#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Requests and connections of `vpsml list` with ten jobs, from the API server's audit log and a relay in front.

usage: tests/lab/run -- tests/bench/list_requests.py VPSML
"""
import json
import subprocess
import sys
import tempfile
import time
import pathlib

import control_plane
import measure

JOBS = 10


def relayed(server, folder):
    """A kubeconfig by way of the relay, its log of connections, and the relay itself."""
    log, config = folder / "relay", folder / "kubeconfig"
    relay = subprocess.Popen([control_plane.TOP / "tests/lab/relay.py", log, server.address])
    while not log.exists() or not log.read_text():
        time.sleep(0.05)
    port = log.read_text().split()[0]
    config.write_text(pathlib.Path(server.kubeconfig).read_text().replace(server.address, f"127.0.0.1:{port}"))
    return config, log, relay


def audited(server):
    lines = (server.folder / "audit.log").read_text().splitlines()
    return [event["requestURI"] for event in map(json.loads, lines) if event.get("userAgent", "").startswith("vpsml/")]


def main(vpsml):
    targets = measure.Targets()
    with control_plane.ControlPlane("--audit") as server, tempfile.TemporaryDirectory() as name:
        template = control_plane.rendered_job(vpsml, "train")
        jobs = [dict(template, metadata=dict(template["metadata"], name=f"train-{i}")) for i in range(JOBS)]
        jobs = server.create("/apis/batch/v1/namespaces/default/jobs", jobs)
        server.create("/api/v1/namespaces/default/pods", [control_plane.pod_of(job, 0) for job in jobs])
        config, log, relay = relayed(server, pathlib.Path(name))
        for form, limit in (("table", 3), ("name", 1)):
            requests, connections = len(audited(server)), log.read_text().count("open")
            cost = measure.run([vpsml, "list", "-o", form], dict(server.env, KUBECONFIG=str(config)))
            time.sleep(0.5)
            asked = audited(server)[requests:]
            print(f"list -o {form}: {cost.stdout.count(chr(10))} lines", *asked, sep="\n  ")
            targets.at_most(f"list -o {form}, requests", len(asked) or 99, limit)
            targets.at_most(f"list -o {form}, connections", log.read_text().count("open") - connections or 99, 1)
        relay.terminate()
        relay.wait()
    targets.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
