#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command under EXAMPLES of a man page runs, in the shell that the text before it names.
One that needs a cluster or a host is right up to there: it runs without a network, and fails
because of that alone.

usage: examples_in_manuals.py VPSML PAGE...
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

# What must have happened in a start file before the line of the example.
BEFORE = {"bash": "set -o pipefail; ", "zsh": "autoload -Uz compinit; compinit -u -D; "}
NO_START_FILES = {"bash": ["--noprofile", "--norc", "-e"], "zsh": ["-f", "-e"], "fish": ["--no-config"]}
ESCAPES = {r"\e": "\\", r"\-": "-", r"\&": "", r"\(aq": "'", r"\(ti": "~", r"\(ha": "^", r"\(ga": "`", r"\(dq": '"'}
# A server that nobody reaches.
KUBECONFIG = """apiVersion: v1
kind: Config
current-context: nowhere
contexts: [{name: nowhere, context: {cluster: nowhere, user: nobody}}]
clusters: [{name: nowhere, cluster: {server: "http://127.0.0.1:9"}}]
users: [{name: nobody, user: {}}]
"""
# What examples read.
FILES = {
    "jobs.yaml": "{apiVersion: batch/v1, kind: Job, metadata: {name: a}, spec: {template: {}}}\n",
}
# What commands find that work by cluster.yaml.
CLUSTER = """name: lab
kubernetes: v1.34.4
hosts:
- {name: vps1, ssh: root@vps1.example.org, role: control-plane}
- {name: gpu-1, ssh: root@gpu-1.example.org, role: worker}
"""

DONE_IN_S, TRYING_FOR_S = 120, 6

# Options of commands that talk to others, what keeps them from it, and what they say where nobody answers.
TALKATIVE = {"kubeconfig", "jump"}
ALONE = "--dry-run client"
NOBODY = re.compile("network is unreachable|name resolution", re.IGNORECASE)
WITHOUT_NETWORK = ["unshare", "--map-root-user", "--net"]


def talkative_commands(vpsml):
    rows = subprocess.run([vpsml, "__options"], stdout=subprocess.PIPE, text=True, check=True).stdout
    fields = [row.split("\t") for row in rows.splitlines()]
    return {row[0] for row in fields if row[fields[0].index("long")] in TALKATIVE}


def is_talkative(text, commands):
    words = " ".join(text.replace("\\\n", " ").split())
    return ALONE not in words and any(words.split()[: len(command.split())] == command.split() for command in commands)


def can_be_without_network():
    return shutil.which("unshare") and not subprocess.run([*WITHOUT_NETWORK, "true"], check=False).returncode


def examples(page):
    """(shell, text) of each example in the page."""
    with open(page, encoding="utf-8") as file:
        sections = re.split(r"^\.Sh ", file.read(), flags=re.MULTILINE)
    text = next((section for section in sections if section.startswith("EXAMPLES\n")), "")
    for before, body in re.findall(r"^(.*)\n\.Bd -literal.*\n((?:.*\n)*?)\.Ed$", text, re.MULTILINE):
        shell = re.match("(bash|zsh|fish): ", before)
        yield shell.group(1) if shell else "bash", re.sub(r"\\(e|-|&|\(..)", lambda m: ESCAPES[m.group()], body)


def run(shell, text, environment, prefix, limit_s):
    """A command that goes on trying is ended after a while; what it said counts."""
    argv = [*prefix, shell, *NO_START_FILES[shell], "-c", BEFORE.get(shell, "") + text]
    process = subprocess.Popen(
        argv,
        env=environment,
        cwd=environment["HOME"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        out, err = process.communicate()
    return subprocess.CompletedProcess(argv, process.returncode, out, err)


def try_example(shell, text, environment, talks):
    """(is it right, why not or why it was skipped)"""
    if not shutil.which(shell):
        return True, "# SKIP no %s here" % shell
    if talks and not can_be_without_network():
        return True, "# SKIP no network namespace here"
    if talks:
        done = run(shell, text, environment, WITHOUT_NETWORK, TRYING_FOR_S)
        is_ok = bool(done.returncode and NOBODY.search(done.stderr))
    else:
        done = run(shell, text, environment, [], DONE_IN_S)
        is_ok = done.returncode == 0
    return is_ok, "" if is_ok else "\n# status %d: %s" % (done.returncode, done.stderr.strip().replace("\n", "\n# "))


def main():
    vpsml, pages, number, bad = os.path.abspath(sys.argv[1]), sys.argv[2:], 0, 0
    talkative = talkative_commands(vpsml)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(vpsml, os.path.join(folder, "vpsml"))
        environment = {"PATH": folder + ":/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"}
        environment["KUBECONFIG"] = os.path.join(folder, "kubeconfig")
        with open(environment["KUBECONFIG"], "w", encoding="utf-8") as file:
            file.write(KUBECONFIG)
        with open(os.path.join(folder, "cluster.yaml"), "w", encoding="utf-8") as file:
            file.write(CLUSTER)
        for name, text in FILES.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for page in pages:
            for shell, text in examples(page):
                number += 1
                is_ok, remark = try_example(shell, text, environment, is_talkative(text, talkative))
                bad += not is_ok
                name = "%s: %s" % (os.path.basename(page), " ".join(text.split()))
                print("%sok %d - %s %s" % ("" if is_ok else "not ", number, name, remark))
    print("1..%d" % number)
    return 1 if bad or not number else 0


if __name__ == "__main__":
    sys.exit(main())
