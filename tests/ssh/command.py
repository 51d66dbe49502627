#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`vpsml ssh` as a user runs it, against a real sshd on 127.0.2.x.

usage: command.py VPSML
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

faults = []


class Host:
    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("0.0.0.0", 0))
            self.port = probe.getsockname()[1]
        for key in ("host", "id"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder + "/" + key], check=True)
        with open(folder + "/config", "w") as config:
            config.write("Port %d\nListenAddress 0.0.0.0\nHostKey %s/host\nAuthorizedKeysFile %s/id.pub\n"
                         "PidFile none\nStrictModes no\nUsePAM no\nUseDNS no\nPermitRootLogin yes\nSetEnv HOME=%s\n"
                         % (self.port, folder, folder, folder))
        os.makedirs("/run/sshd", exist_ok=True)
        self.start()

    def start(self):
        self.sshd = subprocess.Popen(["/usr/sbin/sshd", "-D", "-E", self.folder + "/log", "-f",
                                      self.folder + "/config"])
        for _ in range(600):
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", self.port)):
                    return
            time.sleep(0.05)
        raise SystemExit("sshd does not start")

    def stop(self):
        self.sshd.send_signal(signal.SIGTERM)
        self.sshd.wait()

    def run(self, *words, rule="accept-new"):
        argv = [sys.argv[1], "ssh", "--ssh-config", "none", "--identity", self.folder + "/id", "--user", "root",
                "--port", str(self.port), "--host-key", rule] + list(words)
        return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                              env=dict(os.environ, HOME=self.folder), start_new_session=True)


def expect(what, done, status, out=None, err=None):
    """Compares what a run came to; OUT is exact, ERR a part."""
    if done.returncode != status or (out is not None and done.stdout != out) or \
            (err is not None and err not in done.stderr):
        faults.append("%s: status %d, stdout %r, stderr %r" % (what, done.returncode, done.stdout, done.stderr))


def check(host):
    one, two, three = "127.0.2.1", "127.0.2.2", "127.0.2.3"
    expect("output is exact", host.run(one, "--", "printf 'a\\0\\033b'; echo err >&2"), 0, b"a\0\033b", b"err\n")
    expect("an argv is not for the shell", host.run(one, "--", "printf", "%s|", "$HOME", "a b"), 0, b"$HOME|a b|")
    done = host.run(one, two, three, "--", "echo x; printf y")
    expect("several hosts", done, 0)
    lines = [b"%s: %s\n" % (name.encode(), line) for name in (one, two, three) for line in (b"x", b"y")]
    if sorted(done.stdout.splitlines(True)) != sorted(lines):
        faults.append("prefixes: %r" % done.stdout)
    expect("status of the command", host.run(one, "--", "exit 7"), 5, b"", b"the command ended with status 7")
    expect("one host fails", host.run(one, two, "--", "test $(echo $SSH_CONNECTION | cut -d' ' -f3) != 127.0.2.2"),
           5, b"", b"127.0.2.2: the command ended with status 1")
    expect("deadline", host.run(one, "--timeout", "1s", "--", "sleep 60"), 3, b"", b"has not ended after 1 s")
    done = host.run(one, "-v", "--", "echo", "s3cret")
    expect("the steps with -v, without arguments", done, 0, b"s3cret\n", b"vpsml: 127.0.2.1: logged in as root\n")
    if b"command: echo\n" not in done.stderr or b"s3cret" in done.stderr:
        faults.append("log: %r" % done.stderr)
    expect("no host", host.run("--", "true"), 2)
    expect("no command", host.run(one), 2)
    expect("a word that is no host", host.run("-oProxyCommand=x", "--", "true"), 2)
    expect("all faults at once", host.run("a b", "c;d", "--", "true"), 2, b"", b"\"c;d\" is not [USER@]HOST[:PORT]")
    expect("openssh", host.run(one, "--ssh", "openssh", "--", "true"), 2)
    expect("unknown host key", host.run("127.0.2.9", "--", "true", rule="ask"), 6, b"", b"host key is not known")
    expect("wrong pin", host.run("127.0.2.9", "--", "true", rule="sha256:" + "A" * 43), 6, b"", b"is required")
    expect("nobody listens", host.run(one + ":1", "--", "true"), 3, b"", b"Connection refused")
    host.stop()
    os.remove(host.folder + "/host")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", host.folder + "/host"],
                   input=b"y\n", check=True, stdout=subprocess.DEVNULL)
    os.truncate(host.folder + "/log", 0)
    host.start()
    expect("host key has changed", host.run(one, "--", "true"), 6, b"", b"host key has changed")
    with open(host.folder + "/log") as log:
        if "Accepted" in log.read():
            faults.append("logged in to a host whose key has changed")


def main():
    if os.geteuid() or not os.path.exists("/usr/sbin/sshd"):
        print("needs root and sshd")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="vpsml-ssh-") as folder:
        os.chmod(folder, 0o755)
        host = Host(folder)
        try:
            check(host)
        finally:
            host.stop()
    for fault in faults:
        print(fault)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
