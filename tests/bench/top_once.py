#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What one picture of a large cluster costs: top_once.py VPSML [NODES...]      (3 100 1000)

A server on loopback has NODES nodes with 8 GPUs each, four pods a node, metrics, and a page of 25 metrics a
GPU from each node's exporter. Prints wall time, own CPU time and peak memory of `vpsml top --once` and of
`vpsml nodes`, and how many bytes came.
"""
import http.server
import json
import os
import socketserver
import sys
import tempfile
import threading
import urllib.parse

import measure

GPUS, PAGE = 8, 500


def node(i):
    capacity = {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": str(GPUS)}
    labels = {"gpu": "true", **{f"feature.node.kubernetes.io/cpu-cpuid.F{j}": "true" for j in range(30)}}
    images = [{"names": [f"registry/image-{j}@sha256:{j:064d}"], "sizeBytes": 10**9} for j in range(20)]
    conditions = [{"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "kubelet is posting ready status"}]
    return {"metadata": {"name": f"gpu-{i:04d}", "labels": labels, "creationTimestamp": "2026-11-01T00:00:00Z"},
            "status": {"capacity": capacity, "allocatable": capacity, "conditions": conditions, "images": images,
                       "nodeInfo": {"kubeletVersion": "v1.34.4"}}}


def pod(i, name, gpus, labels):
    requests = {"cpu": "1", "memory": "4Gi"} | ({"nvidia.com/gpu": str(gpus)} if gpus else {})
    return {"metadata": {"name": name, "namespace": "ml", "uid": f"{i}-{name}", "labels": labels},
            "spec": {"nodeName": f"gpu-{i:04d}", "containers": [{"name": "c", "image": "i", "env": [{"name": "A", "value": "b" * 50}] * 20,
                                                                "resources": {"requests": requests}}]},
            "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}


def pods_of(i):
    exporter = {"app.kubernetes.io/name": "dcgm-exporter"}
    return [pod(i, f"cnn-{i:04d}", 4, {"job-name": f"cnn-{i}"}), pod(i, f"gan-{i:04d}", 3, {"job-name": f"gan-{i}"}),
            pod(i, f"exporter-{i:04d}", 0, exporter), pod(i, f"proxy-{i:04d}", 0, {})]


def page(i):
    lines = []
    names = ["GPU_UTIL", "FB_USED", "FB_FREE", "FB_RESERVED", "POWER_USAGE", "GPU_TEMP", "XID_ERRORS", "SM_CLOCK"]
    for name in names + [f"OTHER_{j}" for j in range(17)]:
        lines += [f"# HELP DCGM_FI_DEV_{name} what it is.", f"# TYPE DCGM_FI_DEV_{name} gauge"]
        for j in range(GPUS):
            held = f',container="c",namespace="ml",pod="{"cnn" if j < 4 else "gan"}-{i:04d}"' if j < 7 else ""
            lines.append(f'DCGM_FI_DEV_{name}{{gpu="{j}",UUID="GPU-{i:04d}-{j:032d}",pci_bus_id="00000000:0{j}:00.0",'
                         f'device="nvidia{j}",modelName="NVIDIA H100 80GB HBM3",Hostname="gpu-{i:04d}",'
                         f'DCGM_FI_DRIVER_VERSION="550.54.15"{held}}} {(i + j) % 100}')
    return ("\n".join(lines) + "\n").encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        body = self.server.answer(url.path, int(query.get("continue", 0)))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.server.bytes += len(body)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def __init__(self, count):
        super().__init__(("127.0.0.1", 0), Handler)
        self.bytes = 0
        usage = {"cpu": "21100000000n", "memory": "290611200Ki"}
        metrics = [{"metadata": {"name": f"gpu-{i:04d}", "labels": node(i)["metadata"]["labels"]},
                    "timestamp": "2026-12-01T03:00:00Z", "window": "15s", "usage": usage} for i in range(count)]
        self.lists = {"/api/v1/nodes": self.pages([node(i) for i in range(count)]),
                      "/api/v1/pods": self.pages([p for i in range(count) for p in pods_of(i)]),
                      "/apis/metrics.k8s.io/v1beta1/nodes": [self.encode(metrics, "")]}
        self.exporters = [page(i) for i in range(count)]

    @staticmethod
    def encode(items, following):
        return json.dumps({"metadata": {"resourceVersion": "1", "continue": following}, "items": items}).encode()

    def pages(self, items):
        cut = [items[at:at + PAGE] for at in range(0, len(items), PAGE)] or [[]]
        return [self.encode(part, str(n + 1) if n + 1 < len(cut) else "") for n, part in enumerate(cut)]

    def answer(self, path, following):
        if path == "/apis/metrics.k8s.io":
            return b'{"kind":"APIGroup","versions":[{"version":"v1beta1"}]}'
        if path in self.lists:
            return self.lists[path][following]
        return self.exporters[int(path.split("exporter-")[1][:4])]


def run(vpsml, count):
    server = Server(count)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.NamedTemporaryFile("w") as config:
        config.write(f"clusters: [{{name: c, cluster: {{server: 'http://127.0.0.1:{server.server_port}'}}}}]\n"
                     "contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n")
        config.flush()
        for words in (["top", "--once"], ["nodes"]):
            server.bytes = 0
            cost = measure.run([vpsml, *words], {"KUBECONFIG": config.name, "PATH": os.environ["PATH"]})
            print(f"{count:5} nodes  {' '.join(words):10}  {cost.wall_s:6.2f} s  {cost.cpu_s:6.3f} s CPU  "
                  f"{cost.peak_mb:5.1f} MB  {server.bytes / 1e6:6.1f} MB read", flush=True)
    server.shutdown()


def main():
    print(measure.load())
    for count in [int(word) for word in sys.argv[2:]] or [3, 100, 1000]:
        run(os.path.abspath(sys.argv[1]), count)


if __name__ == "__main__":
    main()
