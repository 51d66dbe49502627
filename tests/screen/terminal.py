#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vpsml top on a real pseudo terminal: keys, sizes, signals, and what is left behind.

usage: terminal.py VPSML FIXTURE.PY
"""

import fcntl
import http.server
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

vpsml, fixture = sys.argv[1:3]
WAIT_S = 20  # for what must happen; a machine may be busy
failures = cases = 0


def report(is_ok, name, why=""):
    global failures, cases
    cases += 1
    failures += not is_ok
    print("%sok %d - %s" % ("" if is_ok else "not ", cases, name))
    if not is_ok:
        print("# " + repr(why)[-900:])


class Screen:
    """top on a terminal of its own; TEXT is all that it has sent."""

    def __init__(self, *arguments, columns=80, rows=24, **environment):
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        env.update({name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ})
        self.process = subprocess.Popen([vpsml, "top", *arguments], stdin=self.slave, stdout=self.slave,
                                        stderr=self.slave, env={**env, **environment}, start_new_session=True)
        self.text = ""

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if hasattr(self, "process"):
            self.process.send_signal(signal.SIGWINCH)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and select.select([self.master], [], [], end - time.monotonic())[0]:
            try:
                self.text += os.read(self.master, 65536).decode("utf-8", "replace")
            except OSError:
                return

    def wait_for(self, word):
        """Until WORD has been sent; then what was sent before is forgotten. Is it there?"""
        end = time.monotonic() + WAIT_S
        while word not in self.text and time.monotonic() < end:
            self.read(0.1)
        found = word in self.text
        self.text = self.text.split(word, 1)[-1]
        return found

    def press(self, keys):
        os.write(self.master, keys.encode())

    def quit(self):
        """Presses q. Returns the ms until the first screen is back."""
        began = time.monotonic()
        self.press("q")
        while "\x1b[?1049l" not in self.text and time.monotonic() - began < WAIT_S:
            self.read(0.005)
        took_ms = (time.monotonic() - began) * 1000
        print("# q took %.0f ms" % took_ms)
        return took_ms

    def status(self):
        end = time.monotonic() + WAIT_S
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.02)
        if self.process.poll() is None:
            self.process.kill()
        self.read(0.05)
        return self.process.wait()

    def is_restored(self):
        """The first screen, the cursor, and the settings of the terminal are as before."""
        return ("\x1b[?1049l" in self.text and re.search(r"\x1b\[\?(12;|12l\x1b\[\?)?25h", self.text)
                and "\x1b[?2004l" in self.text and termios.tcgetattr(self.slave) == self.before)


def check_keys(path):
    screen = Screen("--replay", path)
    report(screen.wait_for("gpu-c"), "the nodes are shown", screen.text)
    screen.press("g")
    report(screen.wait_for("IDLE 41m"), "g shows the GPUs", screen.text)
    screen.press("\\gpuu<5\r")
    report(screen.wait_for("did you mean gpu"), "a wrong filter is explained", screen.text)
    screen.press("\x1b[200~q\x1b[201~j")
    report(screen.wait_for("oldrun"), "turm 19967cb: pasted text presses no key", screen.text)
    screen.quit()
    report(screen.status() == 0, "q leaves", screen.text)
    report(screen.is_restored(), "the terminal is as before", screen.text)


def check_resizing(path):
    screen = Screen("--replay", path)
    screen.wait_for("gpu-c")
    for view in "ngPjua?":
        screen.press(view)
        for size in ((200, 60), (10, 3), (1, 1), (80, 24)) * 4:
            screen.resize(*size)
            screen.read(0.01)
    screen.press("xn\x0c")
    report(screen.wait_for("gpu-c"), "bottom#238: 112 sizes, and it still draws", screen.text)
    screen.press("q")
    report(screen.status() == 0 and screen.is_restored(), "and leaves", screen.text)


def check_signals(path):
    for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGSEGV, -signal.SIGSEGV),
                           (signal.SIGABRT, -signal.SIGABRT), (signal.SIGHUP, -signal.SIGHUP)):
        name = "all-smi#240: %s" % number.name
        screen = Screen("--replay", path, ASAN_OPTIONS="handle_segv=0:handle_abort=0:detect_leaks=0")
        screen.wait_for("gpu-c")
        screen.process.send_signal(number)
        got = screen.status()
        report(got == status, name + " ends it", got)
        report(screen.is_restored(), name + " leaves the terminal as before", screen.text)


def check_gone_terminal(path):
    screen = Screen("--replay", path)
    screen.wait_for("gpu-c")
    os.close(screen.slave)
    os.close(screen.master)
    try:
        screen.process.wait(WAIT_S)
        report(True, "bottom#1230: a closed terminal ends it")
    except subprocess.TimeoutExpired:
        screen.process.kill()
        report(False, "bottom#1230: a closed terminal ends it")


def check_looks(path):
    screen = Screen("--replay", path, NO_COLOR="1")
    screen.wait_for("gpu-c")
    screen.read(0.3)
    report(not re.search(r"\x1b\[[0-9;]*(3[0-8]|9[0-7])(;|m)", screen.text), "NO_COLOR is heard", screen.text)
    screen.press("q")
    screen.status()
    for name, arguments, environment in (("--ascii", ["--ascii"], {}), ("a locale without UTF-8", [], {"LC_ALL": "C"})):
        screen = Screen("--replay", path, *arguments, **environment)
        screen.wait_for("gpu-c")
        screen.read(0.3)
        report(screen.text.isascii() and "|||" in screen.text, "btop#231: ASCII with " + name, screen.text)
        screen.press("q")
        screen.status()


def check_without_screen(path):
    for name, arguments, environment in (("TERM=dumb", [], {"TERM": "dumb"}), ("no TERM", [], {"TERM": ""}),
                                         ("--once", ["--once"], {})):
        screen = Screen("--replay", path, *arguments, **environment)
        got = screen.status()
        report(got == 0 and "jupyter-anna" in screen.text and "\x1b[?1049h" not in screen.text,
               name + " shows one picture", screen.text)
    screen = Screen("--replay", path, TERM="no-such-terminal")
    got = screen.status()
    report(got == 1 and "no-such-terminal" in screen.text and "--once" in screen.text,
           "an unknown TERM is named", screen.text)
    done = subprocess.run([vpsml, "top", "--replay", path, "-o", "json"], capture_output=True, encoding="utf-8")
    report(done.returncode == 0 and len(json.loads(done.stdout)["nodes"]) == 3, "JSON of a record", done.stderr)
    report("1 lines could not be read" in done.stderr, "one bad line costs one line", done.stderr)
    done = subprocess.run([vpsml, "top", "--replay", "/nonexistent/x"], capture_output=True, encoding="utf-8")
    report(done.returncode == 1 and "/nonexistent/x" in done.stderr, "a record that is not there", done.stderr)


NODE = {"metadata": {"name": "gpu-1"}, "spec": {}, "status": {
    "capacity": {"cpu": "8", "memory": "32Gi"}, "allocatable": {"cpu": "8", "memory": "32Gi", "nvidia.com/gpu": "2"},
    "conditions": [{"type": "Ready", "status": "True"}]}}
PODS = [
    {"metadata": {"name": "cnn-0", "namespace": "ml", "labels": {"job-name": "cnn"}},
     "spec": {"nodeName": "gpu-1", "containers": [{"name": "c", "resources": {"requests": {"nvidia.com/gpu": "2"}}}]},
     "status": {"phase": "Running"}},
    {"metadata": {"name": "dcgm-exporter-x", "namespace": "gpu",
                  "labels": {"app.kubernetes.io/name": "dcgm-exporter"}},
     "spec": {"nodeName": "gpu-1", "containers": [{"name": "c"}]}, "status": {"phase": "Running"}},
    {"metadata": {"name": "sweep-0", "namespace": "ml", "labels": {"job-name": "sweep"},
                  "creationTimestamp": "2026-12-01T00:00:00Z"},
     "spec": {"containers": [{"name": "c", "resources": {"requests": {"nvidia.com/gpu": "4"}}}]},
     "status": {"phase": "Pending", "conditions": [{
         "type": "PodScheduled", "status": "False", "reason": "Unschedulable",
         "message": "0/1 nodes are available: 1 Insufficient nvidia.com/gpu."}]}},
]
PAGE = "".join('DCGM_FI_DEV_GPU_UTIL{gpu="%d",UUID="GPU-%d",namespace="ml",pod="cnn-0"} %d\n' % (i, i, 90 + i)
               for i in range(2))


class Api(http.server.BaseHTTPRequestHandler):
    """As much of an API server as top asks for; where it HANGS it never answers."""

    hangs = False
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if Api.hangs:
            time.sleep(3600)
        body, status = json.dumps({"metadata": {}, "items": [NODE]}), 200
        if self.path.startswith("/api/v1/pods"):
            body = json.dumps({"metadata": {}, "items": PODS})
        elif "/proxy/" in self.path:
            body = PAGE
        elif not self.path.startswith("/api/v1/nodes"):
            body, status = json.dumps({"kind": "Status", "status": "Failure", "code": 404, "reason": "NotFound"}), 404
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


def check_live(place):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    config, made = os.path.join(place, "config"), os.path.join(place, "made")
    with open(config, "w", encoding="utf-8") as out:
        out.write("clusters: [{name: c, cluster: {server: 'http://127.0.0.1:%d'}}]\n"
                  "contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n" % server.server_port)
    screen = Screen("--record", made, "--interval", "2s", "--view", "gpus", columns=120, KUBECONFIG=config)
    report(screen.wait_for("ml/cnn-0"), "a cluster's GPU is shown with its owner", screen.text)
    report(screen.wait_for("91%"), "and its use", screen.text)
    screen.press("u")
    report(screen.wait_for("no free nvidia.com/gpu"), "and why the next job waits", screen.text)
    screen.press("q")
    report(screen.status() == 0 and screen.is_restored(), "q leaves", screen.text)
    done = subprocess.run([vpsml, "top", "--replay", made, "-o", "json"], capture_output=True, encoding="utf-8")
    uses = [gpu["util_pct"] for gpu in json.loads(done.stdout or "{}").get("gpus", [])]
    report(uses == [90, 91], "--record keeps what was shown", done.stdout + done.stderr)
    Api.hangs = True
    screen = Screen(KUBECONFIG=config)
    report(screen.wait_for("connecting"), "k9s#754: a server that hangs: the screen is there", screen.text)
    screen.read(0.5)
    took_ms = screen.quit()
    report(screen.status() == 0 and screen.is_restored(), "k9s#754: and q leaves", screen.text)
    report(took_ms < 1000, "k9s#754: at once, on a machine with other work too", took_ms)


with tempfile.TemporaryDirectory() as place:
    check_live(place)
    record = os.path.join(place, "record")
    line = subprocess.run([sys.executable, fixture, "three"], capture_output=True, check=True).stdout
    with open(record, "wb") as out:
        out.write(b'{"vpsml_record":1,\n' + line)
    check_keys(record)
    check_resizing(record)
    check_signals(record)
    check_gone_terminal(record)
    check_looks(record)
    check_without_screen(record)
print("1..%d" % cases)
sys.exit(failures > 0)
