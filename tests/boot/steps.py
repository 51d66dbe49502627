#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is due on hosts: each file in cases/ is an inventory, what a host says of itself, and the steps
that follow, split by lines of dashes. The script that carries them out is read by shellcheck, kubeadm's
documents by kubeadm, where these are.

usage: steps.py RENDER_STEPS CASES [--accept]
"""

import os
import shutil
import subprocess
import sys
import tempfile

KUBEADM = os.path.join(os.environ.get("VPSML_LAB", os.path.expanduser("~/.cache/vpsml-lab")), "bin/kubeadm")
# variables and functions that only some phases use; words of ufw that are several on purpose
IGNORED = "SC2317,SC2034,SC2086,SC2329"


def run(*words, text=None):
    return subprocess.run(words, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def checks(render, folder, host, kind):
    """(what, faults) of each program that looks at what was rendered."""
    files = [os.path.join(folder, "cluster.yaml"), os.path.join(folder, "facts"), host]
    script = run(render, "reset" if kind == "reset" else "script", *files).stdout
    if shutil.which("shellcheck"):
        yield "shellcheck", run("shellcheck", "-s", "sh", "-e", IGNORED, "-", text=script).stdout
    yield "sh -n", run("/bin/sh", "-n", text=script).stdout
    if not os.path.exists(KUBEADM) or kind not in ("init", "join"):
        return
    document = os.path.join(folder, "kubeadm.yaml")
    with open(document, "w", encoding="utf-8") as file:
        file.write(run(render, kind, *files).stdout)
    done = run(KUBEADM, "config", "validate", "--config", document)
    is_too_old = "only supports deploying clusters" in done.stdout  # for this kubeadm
    yield "kubeadm config validate", done.stdout if done.returncode and not is_too_old else ""


def try_case(path, render, is_accepted):
    with open(path, encoding="utf-8") as file:
        head, inventory, facts, wanted = file.read().split("\n---\n", 3)
    host, kind = head.split()[1:3]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("cluster.yaml", inventory), ("facts", facts)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text + "\n")
        word = "reset-list" if kind == "reset" else "list"
        found = run(render, word, folder + "/cluster.yaml", folder + "/facts", host).stdout
        if is_accepted:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n---\n".join((head, inventory, facts, found)))
        elif found != wanted:
            yield "wanted:\n%s\nfound:\n%s" % (wanted, found)
        for what, fault in checks(render, folder, host, kind):
            if fault.strip():
                yield "%s: %s" % (what, fault)


def main():
    render, cases = sys.argv[1:3]
    bad, names = 0, sorted(name for name in os.listdir(cases) if name.endswith(".steps"))
    for number, name in enumerate(names):
        faults = list(try_case(os.path.join(cases, name), os.path.abspath(render), "--accept" in sys.argv))
        bad += bool(faults)
        print("%sok %d - %s" % ("not " if faults else "", number + 1, name))
        for fault in faults:
            print("# " + fault.replace("\n", "\n# "))
    print("1..%d" % len(names))
    sys.exit(bool(bad or not names))


main()
