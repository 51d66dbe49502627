#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a terminal shows while a server takes its time, byte for byte.

usage: progress.py VPSML
"""
import fcntl
import http.server
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest

VPSML = os.path.abspath(sys.argv.pop(1))
ERASE = "\r\033[K"
EMPTY = b'{"metadata":{"resourceVersion":"1"},"items":[]}'
JOB = (b'{"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"cnn","namespace":"default",'
       b'"creationTimestamp":"2026-05-01T10:00:00Z"}}]}')
FORBIDDEN = b'{"kind":"Status","status":"Failure","reason":"Forbidden","code":403,"message":"not you"}'


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, delay_s, status=200, jobs=EMPTY):
        super().__init__(("127.0.0.1", 0), Handler)
        self.delay_s, self.status, self.jobs = delay_s, status, jobs
        threading.Thread(target=self.serve_forever, daemon=True).start()


    def handle_error(self, request, client_address):
        pass  # vpsml need not wait for an answer that it cannot use


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        time.sleep(self.server.delay_s)
        body = FORBIDDEN if self.server.status != 200 else self.server.jobs if "/jobs" in self.path else EMPTY
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def read_all(fd):
    shown = b""
    while True:
        try:
            piece = os.read(fd, 4096)
        except OSError:  # Linux says so when the other end has gone
            break
        if not piece:
            break
        shown += piece
    os.close(fd)
    return shown.decode().replace("\r\n", "\n")


def run(server, *words, terminal=("stderr",), term="xterm", columns=80):
    """What the terminal got, and standard output where that was none."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    streams = {name: theirs if name in terminal else subprocess.PIPE for name in ("stdout", "stderr")}
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/conf", "w", encoding="utf-8") as conf:
            conf.write("clusters: [{name: c, cluster: {server: 'http://127.0.0.1:%d'}}]\n"
                       "contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n" % server.server_port)
        sanitizers = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
        process = subprocess.Popen([VPSML, *words], stdin=subprocess.DEVNULL, **streams,
                                   env=dict(sanitizers, PATH="/usr/bin:/bin", LC_ALL="C.UTF-8", TERM=term,
                                            HOME=folder, KUBECONFIG=folder + "/conf"))
        os.close(theirs)
        shown = read_all(ours)
        piped = b"".join(out for out in process.communicate(timeout=60) if out).decode()
    return shown.replace(str(server.server_port), "PORT"), piped


class Progress(unittest.TestCase):
    def test_a_line_from_the_first_second_on(self):
        shown, _ = run(Server(2.5), "list", "-A")
        self.assertEqual(shown, ERASE + "vpsml: waiting for 127.0.0.1:PORT, 1 s" +
                         ERASE + "vpsml: waiting for 127.0.0.1:PORT, 2 s" +
                         ERASE + 'no jobs\n')

    def test_nothing_for_an_answer_that_comes_at_once(self):
        self.assertEqual(run(Server(0), "list", "-A"), ('no jobs\n', ""))

    def test_nothing_where_it_is_not_wanted(self):
        for words, more in ((("list", "-A", "-q"), {}), (("list", "-A"), {"term": "dumb"})):
            self.assertNotIn("waiting", run(Server(1.5), *words, **more)[0])
        shown, piped = run(Server(1.5), "list", "-A", terminal=("stdout",))
        self.assertEqual((shown, piped), ("", 'no jobs\n'))

    def test_it_is_gone_before_the_output(self):
        shown, _ = run(Server(1.5, jobs=JOB), "list", "-A", "-o", "name", terminal=("stdout", "stderr"))
        self.assertTrue(shown.endswith(" s" + ERASE + "job.batch/cnn\n"), shown)

    def test_it_is_gone_before_an_error(self):
        shown, _ = run(Server(1.5, status=403), "list", "-A")
        self.assertTrue(shown.startswith(ERASE + "vpsml: waiting for 127.0.0.1:PORT, 1 s" + ERASE + "vpsml: "), shown)

    def test_it_is_gone_before_the_log(self):
        shown, _ = run(Server(1.5), "list", "-A", "-v")
        self.assertIn("1 s" + ERASE + "vpsml: GET http", shown)

    def test_it_fits_a_narrow_terminal(self):
        shown, _ = run(Server(1.5), "list", "-A", columns=24)
        self.assertIn(ERASE + "vpsml: waiting for 127.", shown)
        self.assertNotIn("127.0", shown)


if __name__ == "__main__":
    unittest.main()
