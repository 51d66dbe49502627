#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""client_go_374, k8s_48638: a peer that is gone without a word is noticed within 50 s, and the watch goes on.

usage: half_open.py DRIVER     in a network of its own, whose loopback goes down under an open watch

Exit 77: no such network can be made here.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

import server as scripted

LIMIT_S = 50
WATCH = "GET /api/v1/namespaces/default/pods?watch=1&allowWatchBookmarks=true&timeoutSeconds=290&resourceVersion=%d"
EVENT = '{"type":"ADDED","object":{"metadata":{"name":"%s","resourceVersion":"%d"}}}\n'
CASE = {"exchange": [
    {"body": '{"metadata":{"resourceVersion":"10"},"items":[]}'},
    {"request": WATCH % 10, "chunked": True, "hold_s": 600, "body": EVENT % ("a", 11)},
    {"request": WATCH % 11, "chunked": True, "hold_s": 600, "body": EVENT % ("b", 12)},
]}


def link(state):
    subprocess.run(["ip", "link", "set", "lo", state], check=True)


def enter():
    """Starts this again in a user and network namespace of its own."""
    wrapper = ["unshare", "--user", "--map-root-user", "--net"]
    if not (shutil.which("unshare") and shutil.which("ip")) or \
            subprocess.run([*wrapper, "ip", "link", "set", "lo", "up"], capture_output=True, check=False).returncode:
        print("skipped: no network namespace can be made here")
        sys.exit(77)
    os.execvp(wrapper[0], [*wrapper, sys.executable, *sys.argv, "inside"])


def expect(driver, start):
    line = driver.stdout.readline()
    print("%r" % line)
    if not line.startswith(start):
        sys.exit(f"{line!r}, where {start!r} was expected")


def main():
    if len(sys.argv) < 3:
        enter()
    link("up")
    server = scripted.Server(CASE, [])
    with tempfile.TemporaryDirectory() as folder:
        driver = subprocess.Popen([os.path.abspath(sys.argv[1]), "watch", "2", f"http://127.0.0.1:{server.port}"],
                                  cwd=folder, stdout=subprocess.PIPE, text=True)
        for start in ("from the start", "synced", "added a"):
            expect(driver, start)
        link("down")
        began = time.monotonic()
        expect(driver, f"trouble: 127.0.0.1:{server.port} has fallen silent")
        link("up")
        seconds = time.monotonic() - began
        expect(driver, "added b")
        driver.kill()
        driver.wait()
    print("noticed after %.1f s" % seconds)
    return 0 if seconds <= LIMIT_S else 1


if __name__ == "__main__":
    sys.exit(main())
