#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU and memory of listing pods from a generated API server: 1,000, 10,000, 100,000 of 500 jobs.

usage: pods_generated.py VPSML DRIVER    (the wire suite's driver lists pods' names)
"""
import http.server
import json
import os
import sys
import tempfile
import threading
import urllib.parse

import measure

PAGE = 500
COUNTS = (1000, 10000, 100000)


def pod(index):
    fields = {f"f:field{i}": {".": {}, "f:type": {}, 'k:{"name":"x"}': {}} for i in range(16)}
    managed = [{"manager": manager, "operation": "Update", "apiVersion": "v1", "fieldsType":
                "FieldsV1", "time": "2026-05-01T10:00:00Z", "fieldsV1": fields}
               for manager in ("kube-controller-manager", "kubelet")]
    conditions = [{"type": f"Condition{i}", "status": "True", "lastProbeTime": None,
                   "lastTransitionTime": "2026-05-01T10:00:00Z"} for i in range(5)]
    return {
        "metadata": {"name": f"train-{index:06d}-x7k2p", "namespace": "default",
                     "uid": f"5f0c7b1e-0000-4000-8000-{index:012d}", "resourceVersion": str(index),
                     "creationTimestamp": "2026-05-01T10:00:00Z", "managedFields": managed,
                     "labels": {"app.kubernetes.io/name": "train", "vpsml.dev/user": "ann",
                                "job-name": f"train-{index:06d}",
                                "batch.kubernetes.io/job-name": f"train-{index:06d}"}},
        "spec": {"nodeName": f"gpu-{index % 40}", "priority": 10000, "restartPolicy": "Never",
                 "containers": [{"name": "main", "image": "registry.example.org/ml/train:2026.05",
                                 "command": ["python", "train.py", "--epochs", "90"],
                                 "env": [{"name": "NCCL_DEBUG", "value": "WARN"}] * 4,
                                 "resources": {"limits": {"nvidia.com/gpu": "1"}, "requests":
                                               {"cpu": "8", "memory": "64Gi"}}}]},
        "status": {"phase": "Running", "conditions": conditions, "hostIP": "10.0.0.1",
                   "containerStatuses": [{"name": "main", "ready": True, "restartCount": 0,
                                          "state": {"running": {"startedAt":
                                                                "2026-05-01T10:00:05Z"}},
                                          "imageID": "sha256:" + "0123456789abcdef" * 4}]}}


def job(index):
    return {"metadata": {"name": f"train-{index:06d}", "namespace": "default", "resourceVersion": "1",
                         "uid": f"6f0c7b1e-0000-4000-8000-{index:012d}",
                         "creationTimestamp": "2026-05-01T10:00:00Z"},
            "spec": {"completions": 1, "parallelism": 1, "template": {"spec": pod(index)["spec"]}},
            "status": {"active": 1, "startTime": "2026-05-01T10:00:00Z"}}


def joined(make):
    return ",".join(json.dumps(make(i), separators=(",", ":")) for i in range(PAGE))


# One page of pods, sent again and again: each is of one of the jobs of the one page of jobs.
PAGES = {"pods": joined(pod), "jobs": joined(job)}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    count = 0

    def do_GET(self):
        target = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(target.query)
        start = int(query.get("continue", ["0"])[0])
        kind = target.path.rsplit("/", 1)[1]
        if kind not in PAGES:
            self.send_error(404)
            return
        meta = {"resourceVersion": "1"}
        if kind == "pods" and start + PAGE < self.count:
            meta["continue"] = str(start + PAGE)
        body = ('{"kind":"List","apiVersion":"v1","metadata":' + json.dumps(meta) + ',"items":[' +
                PAGES[kind] + "]}").encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


KUBECONFIG = """apiVersion: v1
kind: Config
current-context: generated
contexts: [{name: generated, context: {cluster: generated, user: nobody}}]
clusters: [{name: generated, cluster: {server: %s}}]
users: [{name: nobody, user: {}}]
"""


def main(vpsml, driver):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    targets, peaks = measure.Targets(), {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("kubeconfig", "w", encoding="ascii") as file:
            file.write(KUBECONFIG % url)
        env = {"PATH": os.environ["PATH"], "HOME": folder, "KUBECONFIG": os.path.join(folder, "kubeconfig")}
        print(f"pods of {len(PAGES['pods']) // PAGE} bytes, {measure.load()}")
        for Handler.count in COUNTS:
            best = measure.in_turn({name: lambda argv=argv: measure.run(argv, env) for name, argv in {
                "pods' names": [driver, "pods"], "vpsml list": [vpsml, "list"]}.items()}, 3)
            for name, cost in best.items():
                peaks.setdefault(name, []).append(cost.peak_mb)
                lines = cost.stdout.count("\n")
                print(f"{Handler.count:6} {name}: {cost.cpu_s:.2f} s CPU {cost.peak_mb:.1f} MB {lines} lines", flush=True)
    for name, (few, *_, many) in peaks.items():
        targets.at_most(f"{name}, memory with {COUNTS[-1]} pods of that with {COUNTS[0]}", many / few, 1.1)
    targets.end()


if __name__ == "__main__":
    main(*[os.path.abspath(program) for program in sys.argv[1:]])
