#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files in examples/ are what the commands beside them print, and mean what they should.

usage: examples.py VPSML EXAMPLES

Each NAME.sh prints NAME.yaml. The three manifests of the article are read with PyYAML, which is
not ours, and compared with the article's objects, which stand here in full; what vpsml adds to
them is listed one by one, so that nothing else can slip in.
"""

import os
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("1..0 # SKIP no python3 with PyYAML here")
    sys.exit()

# No manifests: cluster.yaml is what a user writes, see the unit test of boot/inventory.
OTHERS = {"cluster"}

GPU_NODES = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [
                {"matchExpressions": [{"key": "gpu", "operator": "In", "values": ["true"]}]}
            ]
        }
    }
}

ARTICLE = {
    "cnn-training-job": {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "cnn-training-job"},
        "spec": {
            "template": {
                "spec": {
                    "containers": [
                        {
                            "name": "training-container",
                            "image": "pytorch:2.0-gpu",
                            "resources": {
                                "requests": {"cpu": "1", "memory": "2Gi"},
                                "limits": {"cpu": "2", "memory": "4Gi", "nvidia.com/gpu": "1"},
                            },
                        }
                    ],
                    "restartPolicy": "Never",
                }
            }
        },
    },
    "gpu-training-pod": {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "gpu-training-pod"},
        "spec": {
            "containers": [{"name": "training-container", "image": "pytorch:2.0-gpu"}],
            "affinity": GPU_NODES,
        },
    },
    "training-hpa": {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "training-hpa"},
        "spec": {
            "scaleTargetRef": {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "name": "training-deployment",
            },
            "minReplicas": 1,
            "maxReplicas": 5,
            "metrics": [
                {
                    "type": "Resource",
                    "resource": {
                        "name": "cpu",
                        "target": {"type": "Utilization", "averageUtilization": 50},
                    },
                }
            ],
        },
    },
}

TOLERATION = [{"key": "nvidia.com/gpu", "operator": "Exists"}]


def labels(name):
    return {"app.kubernetes.io/name": name, "app.kubernetes.io/managed-by": "vpsml"}


# Path → value. A request for GPUs needs no place in "requests": the server copies the limit.
ADDED = {
    "cnn-training-job": {
        "metadata.labels": labels("cnn-training-job"),
        "spec.completions": 1,  # with parallelism: not a work queue that ends with the first success
        "spec.parallelism": 1,
        "spec.backoffLimit": 0,  # a failure is shown, not tried six times over
        "spec.podReplacementPolicy": "Failed",  # the old pod lets its GPU go before a new one starts
        "spec.podFailurePolicy": {  # being preempted is no failure
            "rules": [
                {
                    "action": "Ignore",
                    "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}],
                }
            ]
        },
        "spec.template.metadata": {"labels": labels("cnn-training-job")},
        "spec.template.spec.affinity": GPU_NODES,
        "spec.template.spec.tolerations": TOLERATION,
        # PyTorch's data loaders need more than the runtime's 64 MB
        "spec.template.spec.volumes": [
            {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "2Gi"}}
        ],
        "spec.template.spec.containers.0.volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}],
    },
    "gpu-training-pod": {
        "metadata.labels": labels("gpu-training-pod"),
        "spec.restartPolicy": "Never",
        "spec.tolerations": TOLERATION,
    },
    "training-hpa": {},
}


def take(tree, path):
    """Removes what is at PATH from TREE and returns it; None where nothing is."""
    *outer, last = path.split(".")
    for key in outer:
        tree = tree[int(key)] if isinstance(tree, list) else tree.get(key, {})
    return tree.pop(last, None)


def check_meaning(name, text):
    documents = list(yaml.safe_load_all(text))
    if name not in ARTICLE:
        if not all(d.get("apiVersion") and d.get("kind") for d in documents):
            return "not all documents are objects"
        return None
    (tree,) = documents
    for path, value in ADDED[name].items():
        found = take(tree, path)
        if found != value:
            return "%s is %r, not %r" % (path, found, value)
    if tree != ARTICLE[name]:
        return "without what vpsml adds, it is %r, not the article's %r" % (tree, ARTICLE[name])
    return None


def printed_by(script, vpsml):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(vpsml), os.path.join(folder, "vpsml"))
        env = dict(os.environ, PATH="%s:%s" % (folder, os.environ["PATH"]))
        done = subprocess.run(
            ["sh", script], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False
        )
    if done.returncode or done.stderr:
        return None, "status %d: %s" % (done.returncode, done.stderr.decode())
    return done.stdout.decode(), None


def check(name, vpsml, folder):
    script, file = (os.path.join(folder, name + end) for end in (".sh", ".yaml"))
    text, fault = printed_by(script, vpsml)
    if fault:
        return fault
    with open(file, encoding="utf-8") as lines:
        if lines.read() != text:
            return "%s is stale: sh %s >%s, with vpsml in PATH" % (file, script, file)
    return check_meaning(name, text)


def main():
    vpsml, folder = sys.argv[1:]
    names = sorted({os.path.splitext(file)[0] for file in os.listdir(folder)} - OTHERS)
    lost = set(ARTICLE) - set(names)
    if lost:
        sys.exit("missing: %s" % ", ".join(lost))
    faults = [check(name, vpsml, folder) for name in names]
    for number, (name, fault) in enumerate(zip(names, faults), 1):
        print("%sok %d - %s" % ("not " if fault else "", number, name))
        if fault:
            print("# " + fault.replace("\n", "\n# "))
    print("1..%d" % len(names))
    sys.exit(any(faults))


if __name__ == "__main__":
    main()
