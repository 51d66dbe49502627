# SPDX-License-Identifier: MIT
"""A scripted HTTP/1.1 server that misbehaves as a case file says.

Each request takes the first exchange of the case that is left and checks itself against it;
then the answer goes out with the faults that the exchange asks for. README.md lists the keys.
"""
import gzip
import socket
import ssl
import threading
import time

REASONS = {200: "OK", 201: "Created", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
           404: "Not Found", 409: "Conflict", 410: "Gone", 422: "Unprocessable Entity",
           429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
           503: "Service Unavailable", 504: "Gateway Timeout"}


class Closed(Exception):
    """The client is gone."""


class Connection:
    def __init__(self, server, sock, number):
        self.server, self.sock, self.number = server, sock, number
        self.pending = b""

    def read_until(self, mark):
        while mark not in self.pending:
            self.fill()
        head, self.pending = self.pending.split(mark, 1)
        return head

    def fill(self):
        data = self.sock.recv(65536)
        if not data:
            raise Closed()
        self.pending += data

    def read_request(self):
        lines = self.read_until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        headers = [line.split(":", 1) for line in lines[1:]]
        headers = [(name.lower(), value.strip()) for name, value in headers]
        length = int(dict(headers).get("content-length", 0))
        while len(self.pending) < length:
            self.fill()
        body, self.pending = self.pending[:length], self.pending[length:]
        return lines[0], headers, body

    def send(self, data, piece):
        for at in range(0, len(data), piece):
            self.sock.sendall(data[at:at + piece])

    def serve(self):
        try:
            while True:
                line, headers, body = self.read_request()
                exchange = self.server.take(self.number, line, headers, body)
                if exchange is None:
                    break
                is_kept = self.answer(exchange)
                self.server.end()
                if not is_kept:
                    break
        except (Closed, OSError):
            pass
        finally:
            try:
                # Say goodbye, so that the client sees an end and no reset, unless one is wanted.
                self.sock.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            self.sock.close()

    def answer(self, exchange):
        time.sleep(exchange.get("delay_s", 0))
        if exchange.get("drop"):
            return False
        if "tunnel" in exchange:
            return self.tunnel(exchange)
        if "raw" in exchange:
            self.sock.sendall(exchange["raw"].encode("latin-1"))
            return not exchange.get("close", True)
        body = body_of(exchange)
        is_cut = "cut_after" in exchange
        try:
            self.send(head_of(exchange, len(body)) + chunked(exchange, body[:exchange.get(
                "cut_after", len(body))], not is_cut), exchange.get("piece", 65536))
        finally:
            # The pause before the next request is counted from here.
            self.server.answered = time.monotonic()
        time.sleep(exchange.get("hold_s", 0))
        return not is_cut and not exchange.get("close")

    def tunnel(self, exchange):
        """CONNECT: relay to the scripted server itself."""
        target = socket.create_connection(("127.0.0.1", self.server.port))
        self.sock.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        threading.Thread(target=relay, args=(target, self.sock), daemon=True).start()
        relay(self.sock, target)
        return False


def relay(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def body_of(exchange):
    body = exchange.get("body", "")
    if "body_hex" in exchange:
        body = bytes.fromhex(exchange["body_hex"])
    else:
        body = body.encode()
    if "repeat" in exchange:
        count, text = exchange["repeat"]
        body += text.encode() * count
    body += exchange.get("tail", "").encode()
    if exchange.get("gzip_bomb_mb"):
        unit = gzip.compress(bytes(1024 * 1024 * 16), 9)
        # Members one after another make one longer stream; libcurl reads the first at least.
        body = unit * (exchange["gzip_bomb_mb"] // 16)
    elif exchange.get("gzip"):
        body = gzip.compress(body)
    return body


def head_of(exchange, length):
    status = exchange.get("status", 200)
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}"] + exchange.get("headers", [])
    if exchange.get("gzip") or exchange.get("gzip_bomb_mb"):
        lines.append("Content-Encoding: gzip")
    if exchange.get("chunked"):
        lines.append("Transfer-Encoding: chunked")
    elif not exchange.get("endless"):
        lines.append(f"Content-Length: {exchange.get('content_length', length)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def chunked(exchange, body, is_whole):
    if not exchange.get("chunked"):
        return body
    out = b""
    for at in range(0, len(body), 4096):
        piece = body[at:at + 4096]
        out += b"%x\r\n%s\r\n" % (len(piece), piece)
    return out + (b"0\r\n\r\n" if is_whole else b"")


class Server:
    def __init__(self, case, contexts):
        self.exchanges = list(case.get("exchange", []))
        self.greeting = case.get("greeting", "").encode()
        self.in_flight = self.in_flight_max = 0
        self.contexts = contexts  # one TLS context for each connection, the last for the rest
        self.is_unordered = case.get("unordered", False)
        self.faults = []
        self.lock = threading.Lock()
        self.answered = None
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        if case.get("refusing"):
            self.listener.close()
        else:
            threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            threading.Thread(target=self.start, args=(sock, self.connections), daemon=True).start()

    def start(self, sock, number):
        try:
            if self.contexts:
                context = self.contexts[min(number, len(self.contexts)) - 1]
                sock = context.wrap_socket(sock, server_side=True) if context else sock
        except (OSError, ssl.SSLError):
            sock.close()
            return
        sock.sendall(self.greeting)
        Connection(self, sock, number).serve()

    def take(self, connection, line, headers, body):
        with self.lock:
            at = 0
            if self.is_unordered:
                wanted = [i for i, e in enumerate(self.exchanges) if matches(e, line)]
                at = wanted[0] if wanted else 0
            if not self.exchanges:
                self.faults.append(f"request behind the last one: {line}")
                return None
            exchange = self.exchanges.pop(at)
            self.faults += faults_of(exchange, connection, line, headers, body)
            self.check_pause(exchange, line)
            self.in_flight += 1
            self.in_flight_max = max(self.in_flight_max, self.in_flight)
            return exchange

    def end(self):
        with self.lock:
            self.in_flight -= 1

    def check_pause(self, exchange, line):
        if "pause_s" not in exchange or self.answered is None:
            return
        low, high = exchange["pause_s"]
        pause = time.monotonic() - self.answered
        if not low <= pause <= high:
            self.faults.append(f"{line}: came after {pause:.2f} s, not {low} to {high} s")

    def close(self):
        self.listener.close()
        return self.faults + [f"never asked for: {e.get('request')}" for e in self.exchanges
                              if not e.get("optional")]


def matches(exchange, line):
    return "request" not in exchange or line == exchange["request"] + " HTTP/1.1"


def faults_of(exchange, connection, line, headers, body):
    faults = []
    if not matches(exchange, line):
        faults.append(f"request is  {line}\n  expected  {exchange['request']} HTTP/1.1")
    sent = {f"{name}: {value}" for name, value in headers}
    for header in exchange.get("has", []):
        if header not in sent:
            faults.append(f"{line}: no header \"{header}\" in {sorted(sent)}")
    for name in exchange.get("hasnt", []):
        if any(name == n for n, _ in headers):
            faults.append(f"{line}: header \"{name}\" was sent")
    if "sent" in exchange and body.decode() != exchange["sent"]:
        faults.append(f"{line}: body is  {body.decode()!r}\n  expected  {exchange['sent']!r}")
    if exchange.get("connection", connection) != connection:
        faults.append(f"{line}: on connection {connection}, not {exchange['connection']}")
    return faults
