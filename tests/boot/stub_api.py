# SPDX-License-Identifier: MIT
"""An API server that believes everything: what is applied is kept, and every host that has joined is a
node that is Ready."""

import http.server
import json
import os
import ssl
import threading
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        pass

    def reply(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def missing(self):
        self.reply(404, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound",
                         "message": "not found", "code": 404})

    def node(self, name):
        path = os.path.join(self.server.folder, "nodes", name)
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            machine = file.read().strip()
        kept = self.server.objects.setdefault("/api/v1/nodes/" + name, {
            "kind": "Node", "apiVersion": "v1", "metadata": {"name": name, "resourceVersion": "1", "labels": {}},
            "spec": {}})
        kept["status"] = {"nodeInfo": {"machineID": machine}, "allocatable": {"cpu": "2", "memory": "4Gi"},
                          "conditions": [{"type": "Ready", "status": "True"}]}
        return kept

    def do_GET(self):  # pylint: disable=invalid-name
        path = urllib.parse.urlsplit(self.path).path
        with self.server.lock:
            if path.startswith("/api/v1/nodes/"):
                found = self.node(path.split("/")[-1])
                return self.reply(200, found) if found else self.missing()
            if path == "/api/v1/nodes":
                names = sorted(os.listdir(os.path.join(self.server.folder, "nodes")))
                return self.reply(200, {"kind": "NodeList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"},
                                        "items": [self.node(name) for name in names]})
            if path in self.server.objects:
                return self.reply(200, self.server.objects[path])
            if path.rsplit("/", 1)[-1].endswith("s"):
                return self.reply(200, {"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": "1"},
                                        "items": []})
        return self.missing()

    def do_PATCH(self):  # pylint: disable=invalid-name
        path = urllib.parse.urlsplit(self.path).path
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            is_dry_run = "dryRun=All" in urllib.parse.urlsplit(self.path).query
            if not is_dry_run:
                self.server.patches.append(path)
            old = self.server.objects.get(path)
            body.setdefault("metadata", {})["resourceVersion"] = "2"
            body["metadata"]["uid"] = "u"
            new = merge(old, body) if old else body
            if not is_dry_run:
                self.server.objects[path] = new
            self.reply(200 if old else 201, new)

    def do_DELETE(self):  # pylint: disable=invalid-name
        path = urllib.parse.urlsplit(self.path).path
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        with self.server.lock:
            at = os.path.join(self.server.folder, "nodes", path.split("/")[-1])
            is_node = path.startswith("/api/v1/nodes/") and os.path.exists(at)
            if is_node:
                os.remove(at)
            if not self.server.objects.pop(path, None) and not is_node:
                return self.missing()
            return self.reply(200, {"kind": "Status", "apiVersion": "v1", "status": "Success"})


def merge(old, new):
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    return {key: merge(old.get(key), new[key]) if key in new else old[key] for key in {**old, **new}}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


def start(address, port, folder):
    """A server in a thread; FOLDER has server.pem and nodes/."""
    server = Server((address, port), Handler)
    server.folder, server.objects, server.patches, server.lock = folder, {}, [], threading.Lock()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "server.pem"))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
