# SPDX-License-Identifier: MIT
"""What tests against api.Api share: a folder, a server and vpsml that talks to it."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import api

JOBS = "/apis/batch/v1/namespaces/default/jobs"
FLAGS = ["--image", "i", "--cpu", "1", "--memory", "1Gi"]
COMMAND = ["--", "true"]

class Failure(Exception):
    pass


def check(is_right, text):
    if not is_right:
        raise Failure(text)


class Bench:
    """A folder, a server, and vpsml that talks to it."""

    def __init__(self, vpsml, folder):
        self.vpsml, self.folder = vpsml, pathlib.Path(folder)
        self.server = self.process = None

    def serve(self, plan=None):
        if self.server:
            self.server.close()
        self.server = api.Api(plan)
        (self.folder / "kubeconfig").write_text(
            "clusters: [{name: c, cluster: {server: '%s'}}]\n"
            "contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n" % self.server.url)
        return self.server

    def run(self, *arguments, text=None):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
                       "KUBECONFIG": str(self.folder / "kubeconfig"), "USER": "tester"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
            if name in os.environ:
                environment[name] = os.environ[name]
        self.process = subprocess.Popen([self.vpsml, *arguments], env=environment, cwd=self.folder,
                                        stdin=subprocess.PIPE if text else subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        out, err = self.process.communicate(text, timeout=60)
        return subprocess.CompletedProcess(arguments, self.process.returncode, out, err)

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)


def jobs(bench):
    return sorted(path.rsplit("/", 1)[1] for path in bench.server.objects if path.startswith(JOBS))


def manifest(name, **spec):
    container = {"name": "a", "image": "i", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}
    pod = {"restartPolicy": "Never", "containers": [container]}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name},
            "spec": dict({"template": {"spec": pod}}, **spec)}


def stream(*objects):
    return "\n---\n".join(json.dumps(each) for each in objects)


def main(tests):
    """Runs the function that the command line names: PROGRAM VPSML TEST."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(sys.argv[1]), folder)
        try:
            tests[sys.argv[2]](bench)
        except Failure as failure:
            print("%s: %s" % (sys.argv[2], failure))
            sys.exit(1)
