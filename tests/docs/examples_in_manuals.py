#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command under EXAMPLES of a man page runs, in the shell that the text before it names.
One that needs a cluster or a host is right up to there: it fails because none answers, and only so.

usage: examples_in_manuals.py VPSML PAGE...
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

# What must have happened in a start file before the line of the example.
BEFORE = {"zsh": "autoload -Uz compinit; compinit -u -D; "}
NO_START_FILES = {"bash": ["--noprofile", "--norc", "-e"], "zsh": ["-f", "-e"], "fish": ["--no-config"]}
ESCAPES = {r"\e": "\\", r"\-": "-", r"\&": "", r"\(aq": "'", r"\(ti": "~", r"\(ha": "^", r"\(ga": "`", r"\(dq": '"'}
# A server at a port where nothing listens.
KUBECONFIG = """apiVersion: v1
kind: Config
current-context: nowhere
contexts: [{name: nowhere, context: {cluster: nowhere, user: nobody}}]
clusters: [{name: nowhere, cluster: {server: "http://127.0.0.1:9"}}]
users: [{name: nobody, user: {}}]
"""


# Options of commands that talk to others, and what they say where nobody answers.
TALKATIVE = {"kubeconfig", "jump"}
NOBODY = re.compile("connection refused|resolve|not known|no address", re.IGNORECASE)


def talkative_commands(vpsml):
    rows = subprocess.run([vpsml, "__options"], stdout=subprocess.PIPE, text=True, check=True).stdout
    fields = [row.split("\t") for row in rows.splitlines()]
    return {row[0] for row in fields if row[fields[0].index("long")] in TALKATIVE}


def is_fine(text, done, talkative):
    if any(text.startswith(command + " ") for command in talkative):
        return done.returncode != 0 and NOBODY.search(done.stderr)
    return done.returncode == 0


def examples(page):
    """(shell, text) of each example in the page."""
    with open(page, encoding="utf-8") as file:
        sections = re.split(r"^\.Sh ", file.read(), flags=re.MULTILINE)
    text = next((section for section in sections if section.startswith("EXAMPLES\n")), "")
    for before, body in re.findall(r"^(.*)\n\.Bd -literal.*\n((?:.*\n)*?)\.Ed$", text, re.MULTILINE):
        shell = re.match("(bash|zsh|fish): ", before)
        yield shell.group(1) if shell else "bash", re.sub(r"\\(e|-|&|\(..)", lambda m: ESCAPES[m.group()], body)


def run(shell, text, environment):
    argv = [shell, *NO_START_FILES[shell], "-c", BEFORE.get(shell, "") + text]
    return subprocess.run(
        argv, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )


def main():
    vpsml, pages, number, bad = os.path.abspath(sys.argv[1]), sys.argv[2:], 0, 0
    talkative = talkative_commands(vpsml)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(vpsml, os.path.join(folder, "vpsml"))
        environment = {"PATH": folder + ":/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"}
        environment["KUBECONFIG"] = os.path.join(folder, "kubeconfig")
        with open(environment["KUBECONFIG"], "w", encoding="utf-8") as file:
            file.write(KUBECONFIG)
        for page in pages:
            for shell, text in examples(page):
                number += 1
                name = "%s: %s" % (os.path.basename(page), " ".join(text.split()))
                if not shutil.which(shell):
                    print("ok %d - %s # SKIP no %s here" % (number, name, shell))
                    continue
                done = run(shell, text, environment)
                is_ok = is_fine(text, done, talkative)
                bad += not is_ok
                print("%sok %d - %s" % ("" if is_ok else "not ", number, name))
                if not is_ok:
                    print("# status %d: %s" % (done.returncode, done.stderr.strip().replace("\n", "\n# ")))
    print("1..%d" % number)
    return 1 if bad or not number else 0


if __name__ == "__main__":
    sys.exit(main())
