# SPDX-License-Identifier: MIT
"""The lab's control plane of processes, for benches, and a fast way to fill it."""
import base64
import concurrent.futures
import http.client
import json
import os
import pathlib
import signal
import ssl
import subprocess
import tempfile
import threading
import time

import yaml

TOP = pathlib.Path(__file__).resolve().parents[2]
LAB = pathlib.Path(os.environ.get("VPSML_LAB", pathlib.Path.home() / ".cache/vpsml-lab"))
KUBECTL = str(LAB / "bin/kubectl")


class ControlPlane:
    """Up while the `with` lasts. Without its controllers nothing changes but by us, and no CPU goes to them."""

    def __init__(self, *options, controllers=False):
        self.options, self.has_controllers = options, controllers

    def __enter__(self):
        up = subprocess.run([TOP / "tests/lab/cp", "up", *self.options], stdout=subprocess.PIPE, text=True, check=True)
        self.kubeconfig = up.stdout.split()[-1]
        self.folder = pathlib.Path(self.kubeconfig).parent
        self.env = dict(os.environ, KUBECONFIG=self.kubeconfig, HOME=tempfile.mkdtemp(prefix="vpsml-bench-"))
        if not self.has_controllers:
            for name in ("kube-controller-manager", "kube-scheduler"):
                os.kill(int((self.folder / f"{name}.pid").read_text()), signal.SIGTERM)
        self.read_credentials()
        return self

    def __exit__(self, *_):
        subprocess.run([TOP / "tests/lab/cp", "down"], check=True)
        subprocess.run(["rm", "-rf", self.env["HOME"]], check=True)

    def read_credentials(self):
        config = yaml.safe_load(pathlib.Path(self.kubeconfig).read_text())
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self.address = cluster["server"].split("//")[1]
        authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
        self.tls = ssl.create_default_context(cadata=authority)
        with tempfile.NamedTemporaryFile() as file:
            for key in ("client-certificate-data", "client-key-data"):
                file.write(base64.b64decode(user[key]))
            file.flush()
            self.tls.load_cert_chain(file.name)
        self.local = threading.local()

    def call(self, method, path, body=None):
        """A request on this thread's own connection; the answer as a tree."""
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPSConnection(self.address, context=self.tls)
        self.local.connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"})
        answer = self.local.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {text[:500]}")
        return json.loads(text)

    def create(self, path, objects):
        """Posts many at once; the answers in the same order."""
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            return list(pool.map(lambda one: self.call("POST", path, one), objects))


class Relay:
    """A relay in front of the API server that counts connections; `env` leads through it."""

    def __init__(self, server):
        self.server = server

    def __enter__(self):
        folder = pathlib.Path(self.server.env["HOME"])
        self.log, config = folder / "relay", folder / "relay.kubeconfig"
        self.process = subprocess.Popen([TOP / "tests/lab/relay.py", self.log, self.server.address])
        while not self.log.exists() or not self.log.read_text():
            time.sleep(0.05)
        port = self.log.read_text().split()[0]
        config.write_text(pathlib.Path(self.server.kubeconfig).read_text().replace(self.server.address, f"127.0.0.1:{port}"))
        self.env = dict(self.server.env, KUBECONFIG=str(config))
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def connections(self):
        return self.log.read_text().count("open")


def rendered_job(vpsml, name):
    """As vpsml makes it."""
    argv = [vpsml, "render", "job", name, "--image", "registry.example.org/ml/train:2026.05", "--gpus", "1", "--cpu", "8",
            "--memory", "64Gi", "-e", "NCCL_DEBUG=WARN", "--label", "team=vision", "-o", "json", "--", "python", "train.py",
            "--epochs", "90"]
    return json.loads(subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout)


def pod_of(job, number):
    """A pod of a Job as the server returned it, such as the Job controller would make."""
    template, name = job["spec"]["template"], job["metadata"]["name"]
    labels = dict(template["metadata"].get("labels", {}))
    labels.update({"job-name": name, "batch.kubernetes.io/job-name": name,
                   "batch.kubernetes.io/controller-uid": job["metadata"]["uid"]})
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": name, "uid": job["metadata"]["uid"], "controller": True,
             "blockOwnerDeletion": True}
    return {"apiVersion": "v1", "kind": "Pod", "spec": template["spec"],
            "metadata": {"name": f"{name}-{number:05d}", "labels": labels, "ownerReferences": [owner]}}
