# SPDX-License-Identifier: MIT
"""A small API server that remembers what was made, for tests that count objects. What it does to a
request before or behind the work is the test's: `plan(method, path)` returns a Fault or None.
"""
import json
import socket
import struct
import threading
import time
import urllib.parse

LISTS = {
    "nodes": [{"metadata": {"name": "n1", "labels": {"gpu": "true"}},
               "status": {"allocatable": {"cpu": "16", "memory": "64Gi", "nvidia.com/gpu": "4"}}}],
    "priorityclasses": [{"metadata": {"name": "vpsml-normal"}}],
}
GROUPS = {
    "/version": {"major": "1", "minor": "34"},
    "/apis/autoscaling": {"versions": [{"version": "v1"}, {"version": "v2"}]},
    "/apis/metrics.k8s.io": {"versions": [{"version": "v1beta1"}]},
}
REASONS = {200: "OK", 201: "Created", 400: "BadRequest", 403: "Forbidden", 404: "Not Found", 409: "Conflict", 422: "Unprocessable Entity",
           429: "Too Many Requests"}


class Fault:
    """What goes wrong with one request: no answer (cut 0), an answer cut after so many bytes, one
    of the server's own, or a late one."""

    def __init__(self, commits=True, cut=None, is_reset=False, status=0, retry_after=None, delay_s=0):
        self.commits, self.cut, self.is_reset = commits, cut, is_reset
        self.status, self.retry_after, self.delay_s = status, retry_after, delay_s


def refusal(code, reason, message):
    return code, {"kind": "Status", "status": "Failure", "code": code, "reason": reason,
                  "message": message}


class Api:
    def __init__(self, plan=None):
        self.plan = plan or (lambda method, path: None)
        self.objects = {}  # path: object
        self.requests = []  # (method, path)
        self.lists, self.groups = dict(LISTS), dict(GROUPS)
        self.connections = self.in_flight = self.in_flight_max = 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def close(self):
        self.listener.close()

    def serve(self, sock):
        stream = sock.makefile("rb")
        try:
            while self.one(sock, stream):
                pass
        except OSError:
            pass
        stream.close()
        sock.close()

    def one(self, sock, stream):
        line = stream.readline().decode("latin-1").split()
        if len(line) != 3:
            return False
        length = 0
        while (header := stream.readline().decode("latin-1").strip()):
            name, value = header.split(":", 1)
            length = int(value) if name.lower() == "content-length" else length
        body = stream.read(length)
        with self.lock:
            self.in_flight += 1
            self.in_flight_max = max(self.in_flight_max, self.in_flight)
        try:
            return self.answer(sock, line[0], line[1], body)
        finally:
            with self.lock:
                self.in_flight -= 1

    def answer(self, sock, method, target, body):
        url = urllib.parse.urlsplit(target)
        query = dict(urllib.parse.parse_qsl(url.query))
        with self.lock:
            self.requests.append((method, target))
            fault = self.plan(method, target) or Fault(cut=None)
            code, answer = 0, {}
            if fault.status:
                code, answer = refusal(fault.status, REASONS[fault.status].replace(" ", ""), "not now")
            elif fault.commits:
                code, answer = self.work(method, url.path, query, body)
        time.sleep(fault.delay_s)
        text = json.dumps(answer).encode()
        length = "Transfer-Encoding: chunked" if "watch" in query else "Content-Length: %d" % len(text)
        head = "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\n%s\r\n" % (
            code, REASONS.get(code, "Status"), length)
        if fault.retry_after is not None:
            head += "Retry-After: %s\r\n" % fault.retry_after
        whole = head.encode() + b"\r\n" + (b"" if "watch" in query else text)
        sock.sendall(whole if fault.cut is None else whole[:fault.cut])
        if fault.cut is None:
            return not self.watch(sock, query)
        if fault.is_reset:  # close(2) then sends RST in place of FIN
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            sock.shutdown(socket.SHUT_WR)
        return False

    @staticmethod
    def watch(sock, query):
        """A watch brings nothing new, and ends with its client."""
        while "watch" in query and sock.recv(4096):
            pass
        return "watch" in query

    def work(self, method, path, query, body):
        name = path.rsplit("/", 1)[1]
        if path in self.groups:
            return 200, self.groups[path]
        if method == "POST":
            return self.create(path, json.loads(body), "dryRun" in query)
        if path in self.objects:
            found = self.objects[path]
            if method == "DELETE":
                del self.objects[path]
            return 200, found
        if method == "GET" and name.endswith("s"):
            made = [each for own, each in self.objects.items() if own.rsplit("/", 1)[0] == path]
            return 200, {"metadata": {"resourceVersion": "1"}, "items": self.lists.get(name, []) + made}
        return refusal(404, "NotFound", '"%s" not found' % name)

    def create(self, path, body, is_dry_run):
        own = path + "/" + body["metadata"]["name"]
        if own in self.objects:
            return refusal(409, "AlreadyExists", '"%s" already exists' % body["metadata"]["name"])
        body["metadata"]["uid"] = "uid-%d" % len(self.requests)
        if not is_dry_run:
            self.objects[own] = body
        return 201, body
