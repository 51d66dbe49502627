#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writing kubeconfig files beside others: saves.py PROGRAM. Prints TAP."""
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import time

PROGRAM = sys.argv[1]
KILLS, WRITERS = 200, 20
OTHER = """# mine
apiVersion: v1
kind: Config
current-context: work
clusters: [{name: work, cluster: {server: 'https://work:6443', certificate-authority-data: d29yaw==}}]
contexts: [{name: work, context: {cluster: work, user: me, namespace: ml}}]
users: [{name: me, user: {token: "0123"}}]
extensions: [{name: x, extension: {a: [1, {b: null}]}}]
"""


def fresh(server, authority):
    """What kubeadm writes."""
    return f"""apiVersion: v1
clusters:
- cluster: {{certificate-authority-data: {authority}, server: '{server}'}}
  name: kubernetes
contexts:
- context: {{cluster: kubernetes, user: kubernetes-admin}}
  name: kubernetes-admin@kubernetes
current-context: kubernetes-admin@kubernetes
kind: Config
users:
- name: kubernetes-admin
  user: {{client-certificate-data: Y2VydA==, client-key-data: {'a2V5' * 2000}}}
"""


class Home:
    """A folder with FILE and what clusters gave."""

    def __init__(self, old=OTHER):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.file = os.path.join(self.folder, "config")
        if old is not None:
            self.write("config", old)
        self.write("one", fresh("https://10.0.0.5:6443", "b25l"))
        self.write("two", fresh("https://10.0.0.6:6443", "dHdv"))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name="config"):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def run(self, verb, which, *words, file=None, status=0):
        result = subprocess.run([PROGRAM, verb, file or self.file, os.path.join(self.folder, which), *words],
                                capture_output=True, text=True, timeout=60)
        assert result.returncode == status, f"exit {result.returncode}: {result.stderr}"
        return result.stdout.strip() if not status else result.stderr


def contexts(text):
    """Name and cluster of each context, by a reader that is not ours where there is one."""
    import yaml
    tree = yaml.safe_load(text)
    clusters = {one["name"]: one["cluster"] for one in tree["clusters"]}
    return {one["name"]: clusters[one["context"]["cluster"]]["server"] for one in tree["contexts"]}


def k3sup_81():
    """Other clusters, users and fields stay; there is a backup; the current context is the new one."""
    home = Home()
    assert home.run("add", "one", "lab") == "lab"
    text = home.read()
    assert contexts(text) == {"work": "https://work:6443", "lab": "https://10.0.0.5:6443"}, text
    assert "current-context: lab\n" in text and 'token: "0123"' in text and "namespace: ml" in text, text
    assert "extension:" in text and "b: null" in text, text
    assert home.read("config.backup") == OTHER
    assert home.run("add", "one", "lab") == "lab (as it was)"


def k8s_58921():
    """The address inside is private: the one that we reach it by goes in."""
    home = Home()
    home.run("add", "one", "lab", "https://203.0.113.10:6443")
    assert contexts(home.read())["lab"] == "https://203.0.113.10:6443"


def name_of_another_cluster():
    """Its context is not touched; ours gets a number, and keeps it."""
    home = Home()
    home.run("add", "one", "lab")
    assert home.run("add", "two", "lab") == "lab-2"
    assert home.run("add", "two", "lab", "https://h:1") == "lab-2"
    assert home.run("add", "one", "work") == "work-2"
    assert contexts(home.read()) == {"work": "https://work:6443", "lab": "https://10.0.0.5:6443",
                                     "lab-2": "https://h:1", "work-2": "https://10.0.0.5:6443"}


def keeps_current():
    home = Home()
    home.run("keep", "one", "lab")
    assert "current-context: work\n" in home.read()


def goes_without_trace():
    """What add brings, drop takes: and nothing else."""
    home = Home()
    home.run("keep", "one", "lab")
    before = home.read()
    home.run("add", "two", "lab")
    home.run("drop", "two")
    assert home.read() == before.replace("current-context: work", 'current-context: ""'), home.read()
    home.run("drop", "two")
    home.run("drop", "two", file=os.path.join(home.folder, "nosuch"))
    assert not os.path.exists(os.path.join(home.folder, "nosuch"))


def no_file_yet():
    home = Home(None)
    path = os.path.join(home.folder, ".kube", "config")
    home.run("add", "one", "lab", file=path)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    assert sorted(os.listdir(os.path.dirname(path))) == ["config"]


def link_stays():
    home = Home()
    os.mkdir(os.path.join(home.folder, "dotfiles"))
    target = os.path.join(home.folder, "dotfiles", "kube")
    os.rename(home.file, target)
    os.symlink("dotfiles/kube", home.file)
    os.chmod(target, 0o644)
    home.run("add", "one", "lab")
    assert os.readlink(home.file) == "dotfiles/kube" and "lab" in contexts(home.read())
    assert stat.S_IMODE(os.stat(target).st_mode) == 0o600
    if os.getuid() == 0:
        os.chown(target, 1234, 1234)
        home.run("add", "two", "zwei")
        assert os.stat(target).st_uid == 1234


def helmsman_197():
    """A lock that was left: its name, its age and the way out. Nothing is touched."""
    home = Home()
    lock = home.file + ".lock"
    home.write("config.lock", "")
    old = time.time() - 3 * 3600
    os.utime(lock, (old, old))
    begin = time.monotonic()
    said = home.run("add", "one", "lab", status=1)
    assert 4.5 < time.monotonic() - begin < 20, time.monotonic() - begin
    assert f"{lock} is held since 3h" in said and f"rm {lock}" in said, said
    assert home.read() == OTHER and os.path.exists(lock)


def k8s_100453():
    """The lock of a file that is not meant stops nobody."""
    home = Home()
    home.write("config.lock", "")
    other = os.path.join(home.folder, "other")
    home.run("add", "one", "lab", file=other)
    assert os.path.exists(other) and not os.path.exists(other + ".lock")


def broken_file_is_not_replaced():
    for text in ("clusters: {a: 1}\n", "a: [\n", "- 1\n", "a: 1\n---\nb: 2\n"):
        home = Home(text)
        home.run("add", "one", "lab", status=1)
        assert home.read() == text and not os.path.exists(home.file + ".lock")


def writers_at_once():
    """No context is lost."""
    home = Home()
    for i in range(WRITERS):
        home.write(f"c{i}", fresh(f"https://10.1.0.{i}:6443", f"YWFh{i:04d}"))
    running = [subprocess.Popen([PROGRAM, "add", home.file, os.path.join(home.folder, f"c{i}"), f"c{i}"],
                                stdout=subprocess.DEVNULL) for i in range(WRITERS)]
    assert [one.wait(timeout=90) for one in running] == [0] * WRITERS
    assert len(contexts(home.read())) == WRITERS + 1


def killed_at_any_point():
    """The file is the old or the new one, whole, whenever the writer dies."""
    home = Home()
    home.run("add", "one", "lab")
    new = home.read()
    home.write("config", OTHER)
    begin = time.monotonic()
    home.run("add", "one", "lab")
    whole = time.monotonic() - begin
    seen = {"old": 0, "new": 0}
    for _ in range(KILLS):
        home.write("config", OTHER)
        process = subprocess.Popen([PROGRAM, "add", home.file, os.path.join(home.folder, "one"), "lab"],
                                   stdout=subprocess.DEVNULL)
        time.sleep(random.uniform(0, whole * 1.2))
        process.send_signal(signal.SIGKILL)
        process.wait()
        text = home.read()
        assert text in (OTHER, new), text
        seen["old" if text == OTHER else "new"] += 1
        if os.path.exists(home.file + ".lock"):
            os.unlink(home.file + ".lock")
    print(f"# killed {KILLS} times: {seen}")


def terminated_leaves_no_lock():
    """SIGTERM waits until the lock is given back."""
    home = Home()
    for _ in range(20):
        process = subprocess.Popen([PROGRAM, "add", home.file, os.path.join(home.folder, "one"), "lab"],
                                   stdout=subprocess.DEVNULL)
        time.sleep(random.uniform(0, 0.02))
        process.terminate()
        process.wait()
        assert not os.path.exists(home.file + ".lock")


def main():
    try:
        import yaml  # noqa: F401
    except ImportError:
        print("1..0 # SKIP no PyYAML")
        return
    tests = [k3sup_81, k8s_58921, name_of_another_cluster, keeps_current, goes_without_trace, no_file_yet,
             link_stays, helmsman_197, k8s_100453, broken_file_is_not_replaced, writers_at_once,
             killed_at_any_point, terminated_leaves_no_lock]
    print(f"1..{len(tests)}")
    for number, test in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - {test.__name__}")
        except (AssertionError, OSError, KeyError, subprocess.TimeoutExpired) as failure:
            print(f"not ok {number} - {test.__name__}")
            print("\n".join("# " + line for line in str(failure).splitlines()))


main()
