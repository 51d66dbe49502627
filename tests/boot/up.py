#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`vpsml up`, `remove` and `down` on stub hosts. A case that comes from a public report is named after
it.

usage: up.py VPSML [CASE...]
"""

import fcntl
import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import stub_hosts

CASES = {}


def case(count, **more):
    def add(function):
        CASES[function.__name__] = (function, count, more)
        return function

    return add


class Fault(Exception):
    pass


def expect(truth, what, done=None):
    if not truth:
        raise Fault(what if done is None else "%s: status %s\n%s\n%s" % (what, done.returncode, done.stdout[-3000:],
                                                                         done.stderr[-2000:]))


def up(farm, status=0, *words):
    done = farm.run("up", "-o", "json", *words)
    expect(done.returncode == status, "up", done)
    done.events = [json.loads(line) for line in done.stdout.splitlines()]
    done.summary = done.events[-1] if done.events else None
    return done


def inits(farm):
    """Whole inits, not their single phases."""
    return [line for line in farm.calls(" kubeadm init ") if " kubeadm init phase " not in line]


def wait_until(condition, what, seconds=120):
    until = time.monotonic() + seconds
    while not condition():
        expect(time.monotonic() < until, "in time: " + what)
        time.sleep(0.05)


@case(3)
def kubeone_1461_run_again_after_success(farm):
    done = up(farm)
    expect(done.summary["changed"] and done.summary["done"] == 3, "three hosts", done)
    expect(sorted(os.listdir(farm.folder + "/nodes")) == ["h1", "h2", "h3"], "three nodes")
    for host in farm.hosts:
        sessions = host.read("sshd.log").count("Starting session: command")
        expect(0 < sessions <= 6, "%s: %d commands" % (host.name, sessions))
        expect("SystemdCgroup = true" in host.read("etc/containerd/conf.d/10-vpsml.toml"), "drop-in")
        expect(host.read("var/lib/vpsml/state").endswith("done=1\n"), "mark")
        expect(not glob.glob(host.own + "/var/lib/vpsml/run.*"), "nothing is left of the run")
    farm.forget_calls()
    done = up(farm)
    expect(not done.summary["changed"], "the second run changes nothing", done)
    expect(not [line for line in farm.calls() if re.match(r"h\d+ kubeadm (?!version)", line)], "no kubeadm")
    # a node that was reset by hand joins again, alone (k0s#1996)
    subprocess.run("rm -rf %s/etc/kubernetes/* %s/var/lib/kubelet" % ((farm.hosts[1].own,) * 2), shell=True, check=True)
    farm.forget_calls()
    up(farm)
    expect([line.split()[0] for line in farm.calls(" kubeadm join ")] == ["h2"], "only h2 joins")
    expect(not inits(farm), "no init")


@case(2)
def kubeone_2319_connection_lost_while_kubeadm_runs(farm):
    farm.hosts[0].wrong("pause", "4")
    process = farm.start("up", "-o", "json")
    wait_until(lambda: inits(farm), "kubeadm init")
    farm.hosts[0].stop()
    time.sleep(1)
    farm.hosts[0].start()
    out, err = process.communicate(timeout=300)
    done = subprocess.CompletedProcess([], process.returncode, out, err)
    expect(done.returncode == 0, "it goes on", done)
    expect('"event":"lost"' in out, "the loss is told", done)
    expect(len(inits(farm)) == 1, "one kubeadm init, not %d" % len(inits(farm)))


@case(2)
def killed_while_kubeadm_runs_and_run_again(farm):
    farm.hosts[0].wrong("pause", "4")
    process = farm.start("up")
    wait_until(lambda: inits(farm), "kubeadm init")
    process.kill()
    process.communicate()
    up(farm)
    expect(len(inits(farm)) == 1, "one kubeadm init, not %d" % len(inits(farm)))
    farm.hosts[0].wrong("pause", "0")
    done = up(farm)
    expect(not done.summary["changed"], "all is done", done)


@case(1)
def kubeadm_974_init_dies_after_its_manifests(farm):
    farm.write_inventory(roles=["control-plane+worker"])
    farm.hosts[0].wrong("init-dies")
    done = up(farm, 5)
    expect("the kubelet does not run" in done.stderr, "the cause is told", done)
    failed = [event for event in done.events if event["event"] == "failed"][0]
    expect(any("10248/healthz" in line for line in failed["lines"]), "the line that matters", done)
    expect(oct(os.stat(failed["log"]).st_mode)[-3:] == "600", "a log for nobody else")
    done = up(farm)
    expect(len(farm.calls(" kubeadm reset ")) == 1 and len(inits(farm)) == 2, "reset, and once more", done)


@case(1)
def a_single_host(farm):
    farm.write_inventory(roles=["control-plane+worker"])
    done = up(farm)
    expect(any("priorityclass" in event.get("text", "") for event in done.events), "the cluster is set up", done)
    expect(not up(farm).summary["changed"], "and nothing is left")


@case(2)
def claudie_1649_host_of_another_cluster(farm):
    os.makedirs(farm.hosts[1].own + "/etc/kubernetes")
    farm.hosts[1].write("etc/kubernetes/kubelet.conf", "clusters:\n- cluster:\n    server: https://10.9.9.9:6443\n")
    farm.forget_calls()
    done = farm.run("up")
    expect(done.returncode == 2 and "10.9.9.9:6443" in done.stderr, "refused, with its endpoint", done)
    expect(not farm.hosts[0].exists("var/lib/vpsml/state"), "nothing was changed anywhere")


@case(3)
def one_host_fails_the_others_are_done(farm):
    farm.hosts[1].wrong("join-fails")
    done = up(farm, 5)
    expect("h2: kubeadm-join: the bootstrap token is not taken" in done.stderr, "the cause", done)
    expect(sorted(os.listdir(farm.folder + "/nodes")) == ["h1", "h3"], "h3 has joined")
    done = up(farm)
    expect(sorted(os.listdir(farm.folder + "/nodes")) == ["h1", "h2", "h3"], "and h2 now", done)
    expect(len(farm.calls("h3 kubeadm join")) == 1, "h3 joined once")


@case(3)
def a_host_that_hangs_delays_no_other(farm):
    farm.hosts[1].wrong("pause", "12")
    done = up(farm)
    ends = {event["host"]: event["timeMs"] for event in done.events if event["event"] == "done"}
    expect(ends["h2"] - ends["h3"] > 8000, "h3 did not wait for h2", done)


@case(1)
def kubespray_8737_apt_is_held(farm):
    farm.write_inventory(roles=["control-plane+worker"])
    os.makedirs(farm.hosts[0].own + "/var/lib/dpkg")
    with open(farm.hosts[0].own + "/var/lib/dpkg/lock-frontend", "w", encoding="utf-8") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        process = farm.start("up", "-o", "json")
        time.sleep(6)
        expect(process.poll() is None and not farm.calls("apt-get"), "apt waits")
        fcntl.lockf(lock, fcntl.LOCK_UN)
    out, err = process.communicate(timeout=200)
    expect(not process.returncode, out + err)
    notes = [json.loads(line)["text"] for line in out.splitlines() if '"note"' in line]
    expect(any("waiting for process %d" % os.getpid() in note for note in notes), "the holder is named: %s" % notes)


@case(2)
def secrets_are_nowhere(farm):
    farm.hosts[1].wrong("pause", "2")
    process = farm.start("up", "-v", "-v")
    seen = set()
    while process.poll() is None:
        for path in glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/[0-9]*/environ"):
            try:
                with open(path, "rb") as file:
                    seen.add(file.read())
            except OSError:
                pass
        time.sleep(0.02)
    out, err = process.communicate()
    expect(not process.returncode, out + err)
    tokens = set()
    for host in farm.hosts:
        tokens |= set(re.findall(r"[a-z0-9]{6}\.[a-z0-9]{16}|\b[0-9a-f]{64}\b", host.read("var/lib/stub/config")))
    expect(len(tokens) >= 2, "a token and a key were there")
    logs = glob.glob(farm.folder + "/home/.local/state/vpsml/logs/*/*/*.log")
    expect(logs, "there are logs")
    places = list(seen) + [(out + err).encode(), "\n".join(farm.calls()).encode()]
    for path in logs + [host.own + "/sshd.log" for host in farm.hosts]:
        with open(path, "rb") as file:
            places.append(file.read())
    for token in tokens:
        if not token.startswith(farm.pin):
            expect(not any(token.encode() in place for place in places), "a secret was to be seen: " + token)
    for host in farm.hosts:
        found = subprocess.run(["grep", "-rl", *[word for token in tokens for word in ("-e", token)], host.own + "/var",
                                host.own + "/etc"], stdout=subprocess.PIPE, text=True, check=False).stdout
        expect(not [path for path in found.split() if "/stub/" not in path], "left on the host: " + found)


@case(1)
def one_run_at_a_time(farm):
    farm.write_inventory(roles=["control-plane+worker"])
    farm.hosts[0].wrong("pause", "25")
    first = farm.start("up")
    wait_until(lambda: farm.calls("apt-get"), "the first run")
    done = farm.run("up")
    expect(done.returncode == 1 and "another run is at work on this cluster" in done.stderr, "refused", done)
    first.send_signal(signal.SIGKILL)
    first.communicate()


@case(2)
def wrong_host_key(farm):
    up(farm)
    os.remove(farm.folder + "/host")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", farm.folder + "/host"], input=b"y\n",
                   check=True, stdout=subprocess.DEVNULL)
    for host in farm.hosts:
        host.stop()
        host.write("sshd.log", "")
        host.start()
    done = farm.run("up")
    expect(done.returncode == 6, "exit 6", done)
    expect(not any("session" in host.read("sshd.log") for host in farm.hosts), "no command was sent")


@case(3)
def remove_and_down(farm):
    up(farm)
    done = farm.run("remove", "h3", "--yes", "--cluster", "other")
    expect(done.returncode == 2, "another cluster's name", done)
    done = farm.run("remove", "h1", "--yes", "--cluster", "stub")
    expect(done.returncode == 2 and "no control plane would be left" in done.stderr, "the last control plane", done)
    done = farm.run("remove", "h3", "--yes", "--cluster", "stub")
    expect(not done.returncode, "remove", done)
    with open(farm.folder + "/cluster.yaml", encoding="utf-8") as file:
        expect("h3" not in file.read(), "the file lost it")
    expect(not farm.hosts[2].exists("etc/kubernetes/kubelet.conf"), "it was reset")
    expect(not farm.hosts[2].exists("var/lib/vpsml/state"), "and is nobody's")
    done = farm.run("down", "--yes", "--cluster", "stub")
    expect(not done.returncode, "down", done)
    with open(farm.folder + "/home/kubeconfig", encoding="utf-8") as file:
        expect("stub" not in file.read(), "the kubeconfig lost it")
    farm.forget_calls()
    done = up(farm)
    expect(len(inits(farm)) == 1 and not farm.calls("apt-get install"), "up after down", done)


def run(vpsml, name):
    function, count, _ = CASES[name]
    with tempfile.TemporaryDirectory(prefix="vpsml-boot-") as folder:
        farm = stub_hosts.Farm(folder, count, vpsml)
        try:
            function(farm)
        finally:
            farm.close()


def main():
    if not stub_hosts.is_possible():
        print("needs root, namespaces and sshd")
        sys.exit(77)
    names, bad = sys.argv[2:] or list(CASES), 0
    for number, name in enumerate(names):
        start = time.monotonic()
        try:
            run(os.path.abspath(sys.argv[1]), name)
            print("ok %d - %s # %.1f s" % (number + 1, name, time.monotonic() - start))
        except Fault as fault:
            bad += 1
            print("not ok %d - %s\n# %s" % (number + 1, name, str(fault).replace("\n", "\n# ")))
        sys.stdout.flush()
    print("1..%d" % len(names))
    sys.exit(bool(bad))


main()
