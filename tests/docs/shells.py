#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shellcheck has nothing to say about any shell script of the tree.

usage: shells.py TOP
"""

import shutil
import subprocess

import tree


def check(top):
    scripts = tree.shell_scripts(top)
    if not scripts:
        return ["no shell scripts"]
    done = subprocess.run(
        ["shellcheck", "-x", "-f", "gcc", *scripts], cwd=top, stdout=subprocess.PIPE, text=True, check=False
    )
    faults = done.stdout.splitlines()
    return faults or (["shellcheck: status %d" % done.returncode] if done.returncode else [])


if __name__ == "__main__":
    if not shutil.which("shellcheck"):
        tree.skip("no shellcheck here")
    tree.main(check)
