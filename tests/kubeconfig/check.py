#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares how we load sets of kubeconfig files with how kubectl does.

check.py DUMP           compares with what is recorded in cases/NAME/expected.json
check.py --record KUBECTL   records anew (client-go's answers, from `kubectl config view`)

A case is a folder with its files; `list` holds the value of KUBECONFIG, or `explicit` a path for
--kubeconfig. Where there is a file `carriage_returns`, the others get CR LF before they are read.
An expected.json of null says that kubectl refuses the set. `config view` shows paths of token files
and programs as they are written; `folder` says what client-go joins them to.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CASES = pathlib.Path(__file__).parent / "cases"


def with_carriage_returns(case, folder):
    """A copy of CASE in FOLDER, its lines ended by CR LF."""
    copy = pathlib.Path(folder) / case.name
    shutil.copytree(case, copy)
    for path in copy.rglob("*"):
        if path.is_file() and path.name != "list":
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    return copy


def call(command, case, explicit):
    if not (case / "carriage_returns").exists():
        return call_in(command, case, explicit)
    with tempfile.TemporaryDirectory() as folder:
        return call_in(command, with_carriage_returns(case, folder), explicit)


def call_in(command, case, explicit):
    environment = {"PATH": os.environ["PATH"], "HOME": str(case / "home")}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            environment[name] = os.environ[name]
    if (case / "list").exists():
        environment["KUBECONFIG"] = (case / "list").read_text().strip()
    command = command + ([explicit[0].format((case / "explicit").read_text().strip())]
                         if (case / "explicit").exists() else [])
    return subprocess.run(command, cwd=case, env=environment, capture_output=True, text=True)


def by_name(entries, key):
    return {entry["name"]: entry.get(key) or {} for entry in entries or []}


def without_nothing(value):
    if isinstance(value, dict):
        return {k: without_nothing(v) for k, v in value.items() if v not in (None, "", False, [])}
    return value


def normal_user(user, case):
    """kubectl's form of a user to ours: NAME=VALUE lists, absolute paths made relative."""
    user.pop("extensions", None)
    if "exec" in user:
        user["exec"]["env"] = [f"{e['name']}={e['value']}" for e in user["exec"].get("env") or []]
        if "/" in user["exec"]["command"]:
            user["exec"]["command"] = joined(user["exec"]["command"], case)
    if "as-user-extra" in user:
        user["as-user-extra"] = sorted(f"{k}={v}" for k, vs in user["as-user-extra"].items()
                                       for v in vs)
    if "auth-provider" in user:
        user["auth-provider"] = user["auth-provider"]["name"]
    if "tokenFile" in user:
        user["tokenFile"] = joined(user["tokenFile"], case)
    return user


def joined(path, case):
    return os.path.normpath(os.path.join((case / "folder").read_text().strip(), path))


def normal(config, case):
    clusters = by_name(config.get("clusters"), "cluster")
    for cluster in clusters.values():
        cluster.pop("extensions", None)
        if "certificate-authority-data" in cluster:  # data wins
            cluster.pop("certificate-authority", None)
    users = {name: normal_user(user, case) for name, user in
             by_name(config.get("users"), "user").items()}
    contexts = by_name(config.get("contexts"), "context")
    for context in contexts.values():
        context.pop("extensions", None)
    whole = {"current-context": config.get("current-context"), "clusters": clusters,
             "users": users, "contexts": contexts}
    return without_nothing(whole)


def record(kubectl):
    for case in sorted(CASES.iterdir()):
        flatten = [] if (case / "no_flatten").exists() else ["--flatten"]
        result = call([kubectl, "config", "view", "--raw", *flatten, "-o", "json"], case,
                      ["--kubeconfig={}"])
        expected = normal(json.loads(result.stdout), case) if result.returncode == 0 else None
        (case / "expected.json").write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n")
        (case / "kubectl_says").write_text(result.stderr.replace(str(case), "."))


def check(dump):
    failures = 0
    for case in sorted(CASES.iterdir()):
        result = call([dump], case, ["{}"])
        expected = json.loads((case / "expected.json").read_text())
        real = json.loads(result.stdout) if result.returncode == 0 else None
        for user in (real or {}).get("users", {}).values():
            if "tokenFile" in user:
                user["tokenFile"] = os.path.normpath(user["tokenFile"])
            if "/" in user.get("exec", {}).get("command", ""):
                user["exec"]["command"] = os.path.normpath(user["exec"]["command"])
            if "as-user-extra" in user:
                user["as-user-extra"].sort()
        real = without_nothing(real)
        if real == expected and result.returncode in (0, 1, 2):
            continue
        failures += 1
        print(f"{case.name}: exit {result.returncode} {result.stderr}\n  ours:     "
              f"{json.dumps(real, sort_keys=True)}\n  kubectl's: "
              f"{json.dumps(expected, sort_keys=True)}")
    return failures


if __name__ == "__main__":
    if sys.argv[1] == "--record":
        record(sys.argv[2])
    else:
        sys.exit(1 if check(os.path.abspath(sys.argv[1])) else 0)
