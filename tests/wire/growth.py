#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kubeclient_622: 1,000 polls of 1,000 pods in one process hold no more memory than 10 did.

usage: growth.py DRIVER
"""
import http.server
import os
import subprocess
import sys
import tempfile
import threading

POLLS, PODS, ALLOWED = 1000, 1000, 1.05
BODY = ('{"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[' + ",".join(
    '{"metadata":{"name":"pod-%d","namespace":"default","uid":"%032x","labels":{"a":"b"}}}' % (i, i)
    for i in range(PODS)) + "]}").encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, *_):
        pass


def main():
    if os.environ.get("WIRE_WRAPPER") or os.environ.get("WIRE_SANITIZED"):
        print("skipped: instrumented memory is not ours")
        return 77
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([os.path.abspath(sys.argv[1]), "poll", str(POLLS), f"http://127.0.0.1:{server.server_port}"],
                              cwd=folder, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr)
    rows = [[int(word) for word in line.split()] for line in done.stdout.splitlines()]
    if done.returncode or [row[:2] for row in rows] != [[10, 10 * PODS], [POLLS, POLLS * PODS]]:
        return 1
    if not rows[0][2]:
        print("skipped: no /proc here")
        return 77
    print("%.3f times what 10 polls held" % (rows[1][2] / rows[0][2]))
    return 0 if rows[1][2] <= ALLOWED * rows[0][2] else 1


if __name__ == "__main__":
    sys.exit(main())
