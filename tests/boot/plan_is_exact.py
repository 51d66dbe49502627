#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `plan` shows is what `up` does: nothing is left after it, and what somebody changes comes back.

usage: plan_is_exact.py VPSML
"""

import json
import os
import sys
import tempfile

import stub_hosts

faults = []


def expect(what, done, status, out=(), not_out=(), err=()):
    """OUT and ERR are parts that must be there."""
    wrong = [text for text in out if text not in done.stdout] + [text for text in err if text not in done.stderr]
    wrong += ["not " + text for text in not_out if text in done.stdout]
    if done.returncode != status or wrong:
        faults.append("%s: status %d, wrong: %r\n%s%s" % (what, done.returncode, wrong, done.stdout, done.stderr))


def check_before(farm):
    expect("a plan of bare hosts", farm.run("plan", "--exit-code"), 10, ("kubeadm init", "kubeadm join"))
    for word in ("kubeadm init", "kubeadm join", "apt-get", "swapoff", "modprobe"):
        if farm.calls(word):
            faults.append("plan has run %r" % farm.calls(word))


def check_after(farm):
    expect("up", farm.run("up"), 0)
    expect("nothing is left", farm.run("plan", "--exit-code"), 0, ("\nnothing to do\n",), ("in the cluster",))
    status = json.loads(farm.run("status", "-o", "json").stdout)
    for host in status["hosts"]:
        if host["state"] != "joined" or host["due"]:
            faults.append("status after up: %r" % host)


def check_drift(farm):
    """An object and a file that somebody removes: both are in the plan, `up` brings both back."""
    gone = next(path for path in farm.api.objects if "priorityclasses" in path)
    del farm.api.objects[gone]
    os.remove(os.path.join(farm.hosts[1].own, "etc/modules-load.d/vpsml.conf"))
    expect("what was changed", farm.run("plan", "--exit-code"), 10,
           ("in the cluster", gone.rsplit("/", 1)[-1] + " created", "h2  worker", "  prepare    load overlay"))
    if gone in farm.api.objects:
        faults.append("the plan has made " + gone)
    expect("the drift in status", farm.run("status"), 0, (" modules",))
    expect("up brings it back", farm.run("up"), 0)
    expect("and nothing is left", farm.run("plan", "--exit-code"), 0)


def check_join(farm):
    """A host that is added by `join`: in the file, and in the cluster."""
    path = os.path.join(farm.folder, "cluster.yaml")
    farm.write_inventory("# mine\n")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(line for line in text.splitlines(True) if "h3" not in line))
    third = farm.hosts[2]
    expect("up with two", farm.run("up"), 0)
    expect("nothing is left with two", farm.run("plan", "--exit-code"), 0)
    expect("join", farm.run("join", "root@" + third.address, "--node-name", "h3"), 0, err=("added h3",))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    entry = "- {name: h3, ssh: root@%s:%d, role: worker" % (third.address, farm.port)
    if "# mine\n" not in text or entry not in text:
        faults.append("the file after join:\n" + text)
    expect("nothing is left after join", farm.run("plan", "--exit-code"), 0)


def main():
    if not stub_hosts.is_possible():
        print("needs root, sshd and namespaces")
        return 77
    vpsml = os.path.abspath(sys.argv[1])
    for checks in ((check_before, check_after, check_drift), (check_join,)):
        with tempfile.TemporaryDirectory(prefix="vpsml-exact-") as folder:
            farm = stub_hosts.Farm(folder, 3, vpsml)
            try:
                for check in checks:
                    check(farm)
            finally:
                farm.close()
                farm.api.server_close()
    for text in faults:
        print(text)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
