#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU and memory of listing pods from a generated API server, by count.

list_pods.py DRIVER   (the wire suite's driver)
"""
import http.server
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import urllib.parse

PAGE = 500


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


BODY = ",".join(json.dumps(pod(i), separators=(",", ":")) for i in range(PAGE))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    count = 0

    def do_GET(self):
        target = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(target.query)
        if not target.path.endswith("/pods"):
            self.send_error(404)
            return
        start = int(query.get("continue", ["0"])[0])
        meta = {"resourceVersion": "1"}
        if start + PAGE < self.count:
            meta["continue"] = str(start + PAGE)
        body = ('{"kind":"PodList","apiVersion":"v1","metadata":' + json.dumps(meta) +
                ',"items":[' + BODY + "]}").encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def cost(command, env):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(["/usr/bin/time", "-f", "%M", *command], env=env, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, int(result.stderr.split()[-1]) / 1024, result.stdout.count("\n")


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        env = {"PATH": os.environ["PATH"], "HOME": folder}
        for count in (1000, 10000, 100000):
            Handler.count = count
            cpu, peak_mb, lines = min(cost([sys.argv[1], "pods", url], env) for _ in range(3))
            print(f"{count} pods of {len(BODY) // PAGE} bytes: {cpu:.2f} s CPU, {peak_mb:.0f} MB, "
                  f"{lines} lines")


if __name__ == "__main__":
    main()
