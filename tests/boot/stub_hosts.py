# SPDX-License-Identifier: MIT
"""Hosts for tests: a real sshd each, in a mount namespace of its own, so that what vpsml does to a host
stays there; the programs that it starts are stub_program.sh."""

import os
import shutil
import signal
import socket
import subprocess
import time

import stub_api

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = """kubeadm kubectl apt-get apt-cache dpkg-query dpkg apt-mark systemctl ip ss modprobe sysctl swapoff journalctl
    nft ufw firewall-cmd getenforce iptables iptables-save ip6tables-save iptables-restore ip6tables-restore
    update-ca-certificates cloud-init stub""".split()
CONFIG = """apiVersion: v1
kind: Config
current-context: c
clusters: [{name: c, cluster: {server: "https://%s1:6443", certificate-authority-data: %s}}]
users: [{name: u, user: {token: abcdefabcdef}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
"""
INVENTORY = """name: stub
kubernetes: v1.34.4
network: {plugin: none}
packages: {repository: none, containerd: containerd.io, containerdRepository: none}
metricsServer: {enabled: false}
firewall: off
hosts:
"""
START = """mount --make-rprivate / && hostname %(name)s &&
for at in etc var/lib run usr/local/bin usr/local/sbin usr/local/share; do mount --bind %(own)s/$at /$at || exit 1; done
mkdir -p /run/sshd && exec /usr/sbin/sshd -D -e -f /etc/sshd_config 2>>%(own)s/sshd.log"""


def openssl(*words, **more):
    subprocess.run(["openssl", *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)


class Host:
    def __init__(self, farm, number, name):
        self.farm, self.name, self.address = farm, name, farm.network + str(number)
        self.own = os.path.join(farm.folder, name)
        self.state = os.path.join(self.own, "var/lib/stub")
        for at in ("etc", "var/lib/stub", "run", "usr/local/bin", "usr/local/share"):
            os.makedirs(os.path.join(self.own, at))
        os.makedirs(os.path.join(self.own, "usr/local/sbin"))
        for program in PROGRAMS:
            os.symlink(os.path.join(farm.folder, "stub"), os.path.join(self.own, "usr/local/sbin", program))
        self.write("etc/stub", farm.folder)
        self.write("etc/address", self.address)
        self.write("etc/machine-id", "%032x\n" % number)
        self.write("etc/os-release", 'ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\n')
        self.write("etc/fstab", "/dev/vda1 / ext4 defaults 0 1\n")
        self.write("var/lib/stub/packages", "ii  ca-certificates 1\n")
        for path in ("passwd", "group", "shadow", "nsswitch.conf", "ld.so.cache", "ld.so.conf", "localtime", "hosts",
                     "login.defs", "alternatives", "ssl", "sudoers", "pam.d", "shells"):
            if os.path.exists("/etc/" + path):
                subprocess.run(["cp", "-a", "/etc/" + path, os.path.join(self.own, "etc")], check=True)
        self.write("etc/sshd_config",
                   "Port %d\nListenAddress %s\nHostKey %s/host\nAuthorizedKeysFile %s/id.pub\nPidFile none\n"
                   "StrictModes no\nUsePAM no\nUseDNS no\nPermitRootLogin yes\nMaxStartups 100\nLogLevel VERBOSE\n"
                   % (farm.port, self.address, farm.folder, farm.folder))
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-x509", "-days", "30",
                "-subj", "/O=system:nodes/CN=system:node:" + name, "-keyout", os.path.join(farm.folder, "key.tmp"),
                "-out", os.path.join(farm.folder, "certificates", name + ".pem"))
        self.sshd = None
        self.start()

    def write(self, path, text):
        with open(os.path.join(self.own, path), "w", encoding="utf-8") as file:
            file.write(text)

    def wrong(self, what, text=""):
        self.write("var/lib/stub/" + what, text)

    def exists(self, path):
        return os.path.lexists(os.path.join(self.own, path))

    def read(self, path):
        with open(os.path.join(self.own, path), encoding="utf-8") as file:
            return file.read()

    def start(self):
        self.sshd = subprocess.Popen(["unshare", "--mount", "--uts", "sh", "-c",
                                      START % {"own": self.own, "name": self.name}],
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            with socket.socket() as probe:
                if not probe.connect_ex((self.address, self.farm.port)):
                    return
            time.sleep(0.05)
        raise SystemExit("sshd does not start: " + self.read("sshd.log"))

    def stop(self):
        """sshd and its sessions end; what runs apart from them goes on."""
        for line in subprocess.run(["ps", "-eo", "pid,ppid,comm"], stdout=subprocess.PIPE, text=True,
                                   check=True).stdout.splitlines()[1:]:
            pid, parent, name = line.split(None, 2)
            if int(parent) == self.sshd.pid and name.startswith("sshd"):
                try:
                    os.kill(int(pid), signal.SIGKILL)
                except ProcessLookupError:  # it has ended meanwhile
                    pass
        self.sshd.kill()
        self.sshd.wait()


class Farm:
    def __init__(self, folder, count, vpsml):
        self.folder, self.vpsml = folder, vpsml
        self.network = "127.%d.%d." % (100 + os.getpid() // 250 % 100, os.getpid() % 250)  # one for each test process
        with socket.socket() as probe:
            probe.bind((self.network + "1", 0))
            self.port = probe.getsockname()[1]
        for name in ("nodes", "certificates", "home"):
            os.makedirs(os.path.join(folder, name))
        os.chmod(folder, 0o755)
        shutil.copy(os.path.join(HERE, "stub_program.sh"), os.path.join(folder, "stub"))
        os.chmod(os.path.join(folder, "stub"), 0o755)
        for key in ("host", "id"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(folder, key)], check=True)
        self.make_certificates()
        key = subprocess.run("openssl x509 -in %s/ca.crt -noout -pubkey | openssl pkey -pubin -outform der | sha256sum"
                             % folder, shell=True, stdout=subprocess.PIPE, text=True, check=True).stdout
        self.pin = key.split()[0]  # of the authority: no secret
        self.hosts = [Host(self, i + 1, "h%d" % (i + 1)) for i in range(count)]
        self.api = stub_api.start(self.network + "1", 6443, folder)
        self.write_inventory()

    def make_certificates(self):
        at = lambda name: os.path.join(self.folder, name)
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30"]
        openssl("req", "-x509", *key, "-subj", "/CN=ca", "-keyout", at("ca.key"), "-out", at("ca.crt"),
                "-addext", "basicConstraints=critical,CA:TRUE")
        openssl("req", "-x509", *key, "-subj", "/CN=api", "-CA", at("ca.crt"), "-CAkey", at("ca.key"), "-keyout",
                at("server.key"), "-out", at("server.crt"), "-addext", "subjectAltName=DNS:kubernetes.default.svc",
                "-addext", "basicConstraints=critical,CA:FALSE")
        with open(at("server.pem"), "w", encoding="utf-8") as file:
            for name in ("server.crt", "server.key"):
                with open(at(name), encoding="utf-8") as part:
                    file.write(part.read())
        import base64  # pylint: disable=import-outside-toplevel

        with open(at("ca.crt"), "rb") as file:
            text = CONFIG % (self.network, base64.b64encode(file.read()).decode())
        for name in ("admin.conf", "kubelet.conf"):
            with open(at(name), "w", encoding="utf-8") as file:
                file.write(text.replace("clusters: [{name: c, cluster: {server:", "clusters: [{name: c, cluster: {\n"
                                        "    server:"))

    def write_inventory(self, more="", roles=None):
        with open(os.path.join(self.folder, "cluster.yaml"), "w", encoding="utf-8") as file:
            file.write(INVENTORY.replace("hosts:\n", more + "hosts:\n"))
            for i, host in enumerate(self.hosts):
                role = roles[i] if roles else "control-plane" if not i else "worker"
                file.write("- {name: %s, ssh: root@%s, role: %s}\n" % (host.name, host.address, role))

    def start(self, *words):
        argv = [self.vpsml, *words, "--ssh-config", "none", "--identity", self.folder + "/id", "--port", str(self.port),
                "--host-key", "accept-new"]
        environment = dict(os.environ, HOME=os.path.join(self.folder, "home"),
                           KUBECONFIG=os.path.join(self.folder, "home", "kubeconfig"))
        environment.pop("XDG_STATE_HOME", None)
        return subprocess.Popen(argv, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=environment, start_new_session=True, text=True)

    def run(self, *words, timeout=300):
        process = self.start(*words)
        out, err = process.communicate(timeout=timeout)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def calls(self, *words):
        """What was called on hosts, as lines that hold all WORDS."""
        path = os.path.join(self.folder, "calls")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return [line for line in file.read().splitlines() if all(word in line for word in words)]

    def forget_calls(self):
        if os.path.exists(os.path.join(self.folder, "calls")):
            os.remove(os.path.join(self.folder, "calls"))

    def close(self):
        for host in self.hosts:
            host.stop()
        self.api.shutdown()
        self.api.server_close()


def is_possible():
    """Are we root, with namespaces and sshd?"""
    return not os.geteuid() and os.path.exists("/usr/sbin/sshd") and not subprocess.run(
        ["unshare", "--mount", "--uts", "true"], check=False, stderr=subprocess.DEVNULL).returncode
