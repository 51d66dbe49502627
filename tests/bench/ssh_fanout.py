#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`true` on N hosts at once: vpsml ssh beside ssh, pssh, clush and pdsh in the same run.

usage: ssh_fanout.py VPSML [N [ROUNDS]]

The hosts are the addresses 127.0.1.1 and on, of one sshd with a configuration and keys of its own. Each tool
runs in turn, ROUNDS times; shown is the least CPU (of the client and its children) and the median of the wall
time. Needs root, because sshd does.
"""

import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

AT_ONCE = 32  # connections of each tool at a time


def start_sshd(folder):
    with socket.socket() as probe:
        probe.bind(("0.0.0.0", 0))
        port = probe.getsockname()[1]
    for key in ("host", "id"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder + "/" + key], check=True)
    with open(folder + "/config", "w") as config:
        config.write(
            "Port %d\nListenAddress 0.0.0.0\nHostKey %s/host\nAuthorizedKeysFile %s/id.pub\nPidFile none\n"
            "StrictModes no\nUsePAM no\nUseDNS no\nMaxStartups 1000\nPermitRootLogin yes\n"
            "SetEnv HOME=%s\n" % (port, folder, folder, folder))  # not what root's own .bashrc does
    os.makedirs("/run/sshd", exist_ok=True)
    sshd = subprocess.Popen(["/usr/sbin/sshd", "-D", "-E", folder + "/log", "-f", folder + "/config"])
    for _ in range(200):
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return sshd, port
        time.sleep(0.05)
    raise SystemExit("sshd does not start")


def tools(vpsml, folder, port, hosts):
    """Name and argv of each tool that is installed."""
    options = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
               "-i", folder + "/id", "-p", str(port), "-F", "none"]
    spaced = " ".join("-O " + option for option in options if "=" in option).split()
    with open(folder + "/hosts", "w") as listing:
        listing.writelines(host + "\n" for host in hosts)
    with open(folder + "/ssh_config", "w") as config:
        config.write("Host *\n Port %d\n User root\n IdentityFile %s/id\n StrictHostKeyChecking no\n"
                     " UserKnownHostsFile %s/known\n LogLevel ERROR\n" % (port, folder, folder))
    script = "xargs -P %d -I HOST ssh %s root@HOST true <%s/hosts" % (AT_ONCE, " ".join(options), folder)
    yield "vpsml", [vpsml, "ssh", "--ssh-config", "none", "--identity", folder + "/id", "--user", "root", "--port",
                    str(port), "--host-key", "accept-new", "--parallel", str(AT_ONCE)] + hosts + ["--", "true"]
    yield "vpsml, asking ssh -G", [vpsml, "ssh", "--ssh-config", folder + "/ssh_config", "--host-key", "accept-new",
                                   "--parallel", str(AT_ONCE)] + hosts + ["--", "true"]
    yield "ssh, xargs -P", ["sh", "-c", script]
    if shutil.which("parallel-ssh"):
        yield "pssh", ["parallel-ssh", "-h", folder + "/hosts", "-p", str(AT_ONCE), "-l", "root", "-x",
                       " ".join(options)] + spaced + ["true"]
    if shutil.which("clush"):
        yield "clush", ["clush", "-f", str(AT_ONCE), "-l", "root", "-o", " ".join(options), "-w", ",".join(hosts),
                        "true"]
    if shutil.which("pdsh"):
        yield "pdsh", ["env", "PDSH_SSH_ARGS=%s -l%%u %%h" % " ".join(options), "pdsh", "-R", "ssh", "-f",
                       str(AT_ONCE), "-l", "root", "-w", ",".join(hosts), "true"]


def measure(argv, home):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, HOME=home), start_new_session=True, timeout=300)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.stderr.write("%s: status %d: %s\n" % (argv[0], done.returncode, done.stdout[-500:]))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def main():
    vpsml = os.path.abspath(sys.argv[1])
    hosts = ["127.0.1.%d" % (i + 1) for i in range(int(sys.argv[2]) if len(sys.argv) > 2 else 100)]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    figures = {}
    with tempfile.TemporaryDirectory(prefix="vpsml-bench-") as folder:
        os.chmod(folder, 0o755)
        os.makedirs(folder + "/.ssh", 0o700)
        sshd, port = start_sshd(folder)
        try:
            for _ in range(rounds):
                for name, argv in tools(vpsml, folder, port, hosts):
                    figures.setdefault(name, []).append(measure(argv, folder))
        finally:
            sshd.terminate()
            sshd.wait()
    print("%d hosts, %d rounds, load %s" % (len(hosts), rounds, " ".join("%.1f" % load for load in os.getloadavg())))
    for name, values in figures.items():
        print("%-22s CPU %7.2f ms a host   wall %6.2f s" % (
            name, min(cpu for cpu, _ in values) * 1000 / len(hosts), statistics.median(wall for _, wall in values)))


main()
