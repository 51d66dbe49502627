#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`vpsml plan` and `vpsml status` against fake hosts behind a real sshd.

usage: plan.py VPSML
"""

import base64
import csv
import io
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

from fake_hosts import FakeHosts

VPSML = os.path.abspath(sys.argv[1])
faults = []


class Cluster:
    """Three bare hosts and their file."""

    def __init__(self, hosts):
        self.hosts, self.folder = hosts, hosts.folder
        self.reset()

    def reset(self, head="", extra=("", "", "")):
        for number, name in enumerate(("vps1", "vps2", "gpu1"), 1):
            self.hosts.add(number, name, extra[number - 1])
        with open(self.folder + "/cluster.yaml", "w", encoding="utf-8") as file:
            file.write("name: lab\nkubernetes: v1.34.4\n%s"
                       "ssh: {user: root, port: %d, identity: id, hostKey: accept-new}\nhosts:\n"
                       "- {name: vps1, ssh: 127.0.2.1, role: control-plane+worker}\n"
                       "- {name: vps2, ssh: 127.0.2.2}\n- {name: gpu1, ssh: 127.0.2.3}\n"
                       % (head, self.hosts.port))

    def run(self, *words, limit_s=120):
        return subprocess.run([VPSML, words[0], "--ssh-config", "none", *words[1:]], cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=limit_s, check=False,
                              env=dict(os.environ, HOME=self.folder), start_new_session=True)


def expect(what, done, status, out=(), err=(), not_out=()):
    """OUT and ERR are parts that must be there."""
    wrong = [text for text in out if text not in done.stdout] + [text for text in err if text not in done.stderr]
    wrong += ["not " + text for text in not_out if text in done.stdout]
    if done.returncode != status or wrong:
        faults.append("%s: status %d, missing %r\n%s%s" % (what, done.returncode, wrong, done.stdout, done.stderr))
    return done


def commands_run(cluster):
    """Commands that were run beside the one for facts, but for reading the access to a cluster that runs."""
    path = cluster.folder + "/commands"
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [line for line in file if "(exec cat -- /etc/kubernetes/admin.conf)" not in line]


def check_bare(cluster):
    done = expect("plan of bare hosts", cluster.run("plan"), 0,
                  ("cluster lab: Kubernetes v1.34.4, pods 10.244.0.0/16, services 10.96.0.0/12\n",
                   "\nvps1  control-plane+worker  127.0.2.1  Debian GNU/Linux 12 (bookworm), 4 CPUs, 7.8 GiB\n",
                   "\nvps2  worker  ", "\ngpu1  worker  ", "  prepare    ", "  init       ", "  join       ",
                   "\nin the cluster\n", "  network        flannel (vxlan), pods in 10.244.0.0/16\n",
                   "on 3 of 3 hosts and in the cluster; nothing was changed\n"))
    if done.stderr:
        faults.append("plan of bare hosts says: " + done.stderr)
    if done.stdout != cluster.run("plan").stdout:
        faults.append("a second plan is another one")
    expect("commands and changes of files", cluster.run("plan", "-v"), 0,
           ("      --- /dev/null\n      +++ /etc/", "      $ "))
    expect("something is to be done", cluster.run("plan", "--exit-code"), 10)
    expect("one host", cluster.run("plan", "--limit", "vps2"), 0, ("vps2  worker",),
           not_out=("vps1  control", "in the cluster"))
    expect("a host that is not there", cluster.run("plan", "--limit", "vsp2"), 2, (),
           ('--limit: cluster.yaml has no host "vsp2": "vps2"?',))
    tree = json.loads(cluster.run("plan", "-o", "json").stdout)
    steps = sum(len(host["steps"]) for host in tree["hosts"]) + len(tree["clusterSteps"])
    if tree["cluster"] != "lab" or tree["steps"] != steps or not all(host["answered"] for host in tree["hosts"]):
        faults.append("tree: %r" % {key: tree[key] for key in ("cluster", "steps", "warnings")})


def check_secrets(cluster):
    done = cluster.run("plan", "-vv")
    for word in ("BEGIN OPENSSH", "token:"):
        for line in done.stdout.splitlines():
            if word in line and "…" not in line:
                faults.append("a secret in the plan: " + line)


def check_faults(cluster):
    cluster.reset("", ("cpus=1\nmemory_kib=1001472\n", "command=k3s\n", "path=/etc/kubernetes/kubelet.conf\n"
                   "kubelet_server=https://10.9.9.9:6443\n"))
    expect("all faults of all hosts at once", cluster.run("plan"), 2, (),
           ("error: vps1: 1 CPU and 978 MiB of memory; a control plane needs 2 and 1700",
            "error: vps2: k3s is installed", "error: gpu1: it is part of another cluster, https://10.9.9.9:6443"))
    expect("status shows them as warnings", cluster.run("status"), 0, ("of another cluster",),
           ("warning: vps2: k3s is installed",))
    cluster.reset()
    with open(cluster.folder + "/cluster.yaml", "a", encoding="utf-8") as file:
        file.write("colour: red\n")
    expect("a mistake in the file", cluster.run("plan"), 2, (), ('cluster.yaml:8:1: unknown key "colour"',))
    cluster.reset()
    expect("no file", cluster.run("plan", "-f", "none.yaml"), 1, (), ("none.yaml: No such file",))


def check_silent(cluster):
    """A host that hangs, one that refuses, one whose key is another."""
    cluster.reset()
    with open(cluster.folder + "/cluster.yaml", "a", encoding="utf-8") as file:
        file.write("- {name: far, ssh: '127.0.2.9:1'}\n")
    expect("a host that does not answer", cluster.run("plan"), 5, ("vps1  control", "vps2  worker"),
           ("error: far: ssh: ", "Connection refused"), ("far  worker",))
    expect("its line in status", cluster.run("status"), 5, ("far   worker                no answer",), ())
    cluster.reset()
    with open(cluster.folder + "/cluster.yaml", "a", encoding="utf-8") as file:
        file.write("- {name: odd, ssh: 127.0.2.8, hostKey: 'sha256:%s'}\n" % ("A" * 43))
    cluster.hosts.add(8, "odd")
    expect("a wrong host key", cluster.run("plan"), 6, ("vps1  control",), ("error: odd: ssh: ",))
    cluster.reset()


def check_hanging(cluster):
    """A server that takes the connection and says nothing: the others are asked meanwhile."""
    cluster.reset()
    with socket.socket() as silent, open(cluster.folder + "/cluster.yaml", "a", encoding="utf-8") as file:
        silent.bind(("127.0.2.9", 0))
        silent.listen()
        file.write("- {name: deaf, ssh: '127.0.2.9:%d'}\n" % silent.getsockname()[1])
        file.flush()
        started = time.monotonic()
        expect("a host that hangs", cluster.run("plan"), 5, ("vps1  control", "vps2  worker"), ("error: deaf: ssh: ",))
        if time.monotonic() - started > 40:
            faults.append("a host that hangs took %d s" % (time.monotonic() - started))


def check_ssh_all(cluster):
    """A command on every host of the file; the fake hosts refuse it, which tells that it came."""
    cluster.reset()
    done = expect("ssh --all", cluster.run("ssh", "--all", "--", "sh"), 5)
    if sorted(done.stderr.splitlines()) != ["vpsml: error: %s: the command ended with status 70" % name
                                            for name in ("gpu1", "vps1", "vps2")]:
        faults.append("ssh --all: " + done.stderr)
    expect("ssh --all --limit", cluster.run("ssh", "--all", "--limit", "vps2", "--", "sh"), 5, (),
           ("vps2: the command ended with status 70",))
    expect("hosts and --all", cluster.run("ssh", "a", "--all", "--", "sh"), 2, (), ("--all: excludes",))
    expect("--limit alone", cluster.run("ssh", "a", "--limit", "a", "--", "sh"), 2, (), ("--limit: goes with --all",))
    os.remove(cluster.folder + "/commands")


def check_status(cluster):
    cluster.reset()
    table = list(csv.DictReader(io.StringIO(cluster.run("status", "-o", "csv").stdout)))
    if [row["STATE"] for row in table] != ["bare"] * 3 or not table[0]["DUE"].endswith(" steps"):
        faults.append("status of bare hosts: %r" % table)
    wide = cluster.run("status", "-o", "wide").stdout
    if "127.0.2.1" not in wide or "6.1.0-28-amd64" not in wide:
        faults.append("status -o wide: " + wide)
    tree = json.loads(cluster.run("status", "-o", "json").stdout)
    if [host["state"] for host in tree["hosts"]] != ["bare"] * 3:
        faults.append("status -o json: %r" % tree)


def check_joined(cluster):
    """A host that has joined shows its versions, its certificates, and what has left the file."""
    state = base64.b64encode(b"cluster=lab\nrun=1\ndone=1\n").decode()
    joined = ("path=/etc/kubernetes/kubelet.conf\npath=/etc/kubernetes/admin.conf\nkubelet=v1.33.2\n"
              "path=/etc/kubernetes/manifests/kube-apiserver.yaml\ncontainerd=1.7.28\napi_ready=1\n"
              "file=/var/lib/vpsml/state 600 %s\n%s" % (state, certificate(cluster.folder)))
    cluster.reset("", (joined, "", ""))
    done = expect("status of a joined host", cluster.run("status", "-o", "json"), 0, (),
                  ("warning: vps1: it runs v1.33.2 and stays so; the file says v1.34.4",))
    host = json.loads(done.stdout)["hosts"][0]
    if host["state"] != "joined" or host["kubelet"] != "1.33.2" or not host["due"] or \
            host["certificates"] != [{"path": "/var/lib/kubelet/pki/kubelet-client-current.pem", "daysLeft": 30}]:
        faults.append("status of a joined host: %r" % host)
    expect("its line", cluster.run("status"), 0, ("joined  1.33.2   1.7.28               30d  modules,",))
    expect("the cluster is there", cluster.run("plan"), 0, (),
           ("warning: the cluster was not asked what would change in it: ",), ("in the cluster", "kubeadm init"))


def certificate(folder):
    """The line of a kubelet's certificate that lasts 31 days."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "31", "-subj", "/O=system:nodes/CN=system:node:vps1", "-keyout", folder + "/k",
                    "-out", folder + "/c"], check=True, stderr=subprocess.DEVNULL)
    time.sleep(1.1)  # from now on it has less than 31 days
    with open(folder + "/c", "rb") as file:
        return "certificate=/var/lib/kubelet/pki/kubelet-client-current.pem %s\n" % \
            base64.b64encode(file.read()).decode()


def check_scale(cluster):
    """A hundred hosts, one of which hangs: the others' answers do not wait."""
    count = 100
    with open(cluster.folder + "/many.yaml", "w", encoding="utf-8") as file:
        file.write("name: lab\nkubernetes: v1.34.4\nssh: {user: root, port: %d, identity: id, hostKey: accept-new}\n"
                   "hosts:\n" % cluster.hosts.port)
        for number in range(1, count + 1):
            file.write("- {name: h%d, ssh: 127.0.2.%d%s}\n" % (number, number, ", role: control-plane" * (number == 1)))
            cluster.hosts.add(number, "h%d" % number)
    started = time.monotonic()
    done = expect("a hundred hosts", cluster.run("plan", "-f", "many.yaml", limit_s=300), 0,
                  ("on 100 of 100 hosts and in the cluster",))
    print("plan of %d hosts: %.1f s" % (count, time.monotonic() - started))
    return done


def main():
    if os.geteuid() or not os.path.exists("/usr/sbin/sshd"):
        print("needs root and sshd")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="vpsml-plan-") as folder:
        os.chmod(folder, 0o755)
        hosts = FakeHosts(folder)
        cluster = Cluster(hosts)
        try:
            for check in (check_bare, check_secrets, check_faults, check_silent, check_hanging, check_ssh_all, check_status,
                          check_joined, check_scale):
                check(cluster)
            faults.extend("a command was run: " + line for line in commands_run(cluster))
        finally:
            hosts.stop()
    for fault in faults:
        print(fault)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
