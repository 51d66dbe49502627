#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one wire case: run.py DRIVER VPSML CASE.toml. README.md says what a case holds."""
import difflib
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import server as scripted

LIMIT_S = 60


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def make_authority(folder, name):
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", f"{name}.key", "-out", f"{name}.crt", "-subj", f"/CN={name}", "-days", "2")


def make_certificate(folder, name, authority, names, days, usage="serverAuth"):
    (folder / f"{name}.ext").write_text(f"subjectAltName={names}\nextendedKeyUsage={usage}\n")
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/O=team/CN={name}")
    openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", f"{authority}.crt", "-CAkey",
            f"{authority}.key", "-CAcreateserial", "-out", f"{name}.crt", "-days", str(days),
            "-extfile", f"{name}.ext")


def make_tls(folder, kind):
    """A server's TLS context; the client's authority is ca.crt, its certificate client.crt."""
    if kind == "none":
        return None
    if not (folder / "ca.crt").exists():
        make_authority(folder, "ca")
        make_certificate(folder, "client", "ca", "DNS:client", 1, "clientAuth")
    names = "DNS:kubernetes" if kind == "wrong-name" else "DNS:localhost,IP:127.0.0.1"
    authority = "ca"
    if kind == "other-ca":
        make_authority(folder, "other")
        authority = "other"
    make_certificate(folder, f"server-{kind}", authority, names, -1 if kind == "expired" else 1)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / f"server-{kind}.crt", folder / f"server-{kind}.key")
    if kind == "client":
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(folder / "ca.crt")
    return context


def contexts_of(case, folder):
    kinds = case.get("tls", [])
    return [make_tls(folder, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)]


def fill(text, values):
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def use_cluster(case):
    """What the server is to vpsml: the cluster of a kubeconfig, unless the case has one."""
    case.setdefault("env", {}).setdefault("KUBECONFIG", "conf")
    case.setdefault("files", {}).setdefault(
        "conf", "clusters: [{name: c, cluster: {server: '{url}'}}]\n"
                "contexts: [{name: x, context: {cluster: c, namespace: ml}}]\ncurrent-context: x\n")


def write_files(case, folder, values):
    for name, text in case.get("files", {}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(fill(text, values))
        if text.startswith("#!"):
            path.chmod(0o700)


def run_for_lines(command, environment, folder, count):
    """Runs a command that goes on for ever: Ctrl-C when it has printed so many lines."""
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                          start_new_session=True, text=True, errors="backslashreplace") as process:
        limit = threading.Timer(LIMIT_S, process.kill)
        limit.start()
        lines = [process.stdout.readline() for _ in range(count)]
        process.send_signal(signal.SIGINT)
        rest, messages = process.communicate()
        limit.cancel()
    return subprocess.CompletedProcess(command, process.returncode, "".join(lines) + rest, messages)


def run(case, programs, folder, port):
    scheme = "https" if case.get("tls") else "http"
    values = {"url": f"{scheme}://127.0.0.1:{port}", "port": str(port), "dir": str(folder)}
    write_files(case, folder, values)
    command = [fill(word, values) for word in case["command"]]
    program = programs[case.get("program", "driver")]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
        if name in os.environ:
            environment[name] = os.environ[name]
    environment |= {name: fill(value, values) for name, value in case.get("env", {}).items()}
    start = time.monotonic()
    command = [*shlex.split(os.environ.get("WIRE_WRAPPER", "")), program, *command]
    if "interrupt_after_lines" in case:
        result = run_for_lines(command, environment, folder, case["interrupt_after_lines"])
    else:
        result = subprocess.run(command, env=environment, capture_output=True, timeout=LIMIT_S, cwd=folder,
                                start_new_session=True,  # there is no terminal to ask on
                                text=True, errors="backslashreplace")
    result.seconds = time.monotonic() - start
    shown = result.stdout.replace(f":{port}", ":PORT").replace(f"port {port}", "port PORT")
    result.stdout = shown.replace(str(folder), "DIR")
    result.stderr = result.stderr.replace(f":{port}", ":PORT").replace(str(folder), "DIR")
    return result


def faults_of(case, result):
    faults = []
    for stream in ("stdout", "stderr"):
        real = getattr(result, stream)
        if stream in case and real != case[stream]:
            faults.append("\n".join(difflib.unified_diff(case[stream].splitlines(),
                                                         real.splitlines(), "expected", stream,
                                                         lineterm="")))
        if f"{stream}_like" in case and not re.fullmatch(case[f"{stream}_like"].strip() + r"\n?",
                                                         real.strip() + "\n", re.S):
            faults.append(f"{stream} is\n{real}\nnot like\n{case[f'{stream}_like']}")
        for secret in case.get("secrets", []):
            if secret in real:
                faults.append(f"secret \"{secret}\" in {stream}")
    if result.returncode != case.get("exit", 0):
        faults.append(f"exit {result.returncode}, not {case.get('exit', 0)}\n{result.stderr}")
    low, high = case.get("seconds", [0, LIMIT_S])
    if not low <= result.seconds <= high:
        faults.append(f"took {result.seconds:.1f} s, not {low} to {high} s")
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    if "peak_mb" in case and not case_is_instrumented() and peak_mb > case["peak_mb"]:
        faults.append(f"{peak_mb:.0f} MB at most, not {case['peak_mb']}")
    return faults


def case_is_instrumented():
    return bool(os.environ.get("WIRE_WRAPPER") or os.environ.get("WIRE_SANITIZED"))


def main():
    programs = {"driver": os.path.abspath(sys.argv[1]), "vpsml": os.path.abspath(sys.argv[2])}
    case = tomllib.loads(pathlib.Path(sys.argv[3]).read_text())
    if "report" not in case:
        sys.exit("the case does not say what it stands for (report)")
    if case.get("program") == "vpsml":
        use_cluster(case)
    for exchange in case.get("exchange", []):
        if "body_file" in exchange:
            data = pathlib.Path(sys.argv[3]).parent.parent / "data" / exchange["body_file"]
            exchange["body"] = data.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        server = scripted.Server(case, contexts_of(case, folder))
        server.exchanges = json.loads(fill(json.dumps(server.exchanges), {"port": str(server.port)}))
        try:
            result = run(case, programs, folder, server.port)
            faults = faults_of(case, result)
        except subprocess.TimeoutExpired as timeout:
            faults = [f"still running after {LIMIT_S} s\n{timeout.stdout}"]
        faults += server.close()
        if server.in_flight_max > case.get("in_flight", 8):
            faults.append(f"{server.in_flight_max} requests at once")
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
