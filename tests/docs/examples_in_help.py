#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every example that a command's --help shows runs, where it needs no cluster.

usage: examples_in_help.py VPSML
"""

import os
import re
import subprocess
import sys
import tempfile

NEEDS_NOTHING = {"render", "help", "version", "completion"}


def help_of(vpsml, path):
    return subprocess.run([vpsml, *path, "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout


def commands(vpsml, path=()):
    """The path of each command that has no verbs of its own, with its --help."""
    text = help_of(vpsml, path)
    before = text.split("\nGeneral:\n")[0]
    verbs = re.findall(r"^  ([a-z][a-z-]*)(?: {2,}\S.*|)$", before, re.MULTILINE)
    if not re.search(r"^Usage: .* COMMAND ", text):
        yield path, text
        return
    for verb in verbs:
        yield from commands(vpsml, (*path, verb))


def examples(text):
    found = text.split("\nExamples:\n")[1:]
    return [] if not found else re.findall(r"^  (vpsml(?:.*\\\n)*.*)$", found[0], re.MULTILINE)


def main():
    vpsml, number, is_ok = os.path.abspath(sys.argv[1]), 0, True
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(vpsml, os.path.join(folder, "vpsml"))
        env = dict(os.environ, PATH=folder + ":/usr/bin:/bin")
        for path, text in commands(vpsml):
            for line in examples(text) if path[0] in NEEDS_NOTHING else []:
                number += 1
                line = line.split(" | ")[0]  # what another shell or program does with it is theirs
                done = subprocess.run(["bash", "-c", line], env=env, capture_output=True, check=False)
                fine = done.returncode == 0 and done.stdout
                is_ok = is_ok and fine
                print("%sok %d - %s" % ("" if fine else "not ", number, " ".join(line.split())))
                if not fine:
                    print("# status %d: %s" % (done.returncode, done.stderr.decode().strip()))
    print("1..%d" % number)
    sys.exit(0 if is_ok and number else 1)


if __name__ == "__main__":
    main()
