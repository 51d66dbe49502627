#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All C is formatted by clang-format-14 with the .clang-format of the tree.

usage: format.py TOP
"""

import os
import shutil
import subprocess
import sys

import tree

PROGRAM = "clang-format-14"  # another version formats differently


def check(top):
    paths = tree.files(top, (".c", ".h"), "src") + tree.files(top, (".c", ".h"), "tests")
    done = subprocess.run(
        [PROGRAM, "--dry-run", "-Werror", *paths], cwd=top, stderr=subprocess.PIPE, text=True, check=False
    )
    wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if ": error:" in line})
    faults = ["%s: not formatted: %s -i %s" % (path, PROGRAM, path) for path in wrong]
    return faults or ([done.stderr] if done.returncode else [])


if __name__ == "__main__":
    if not shutil.which(PROGRAM):
        tree.skip("no %s here" % PROGRAM)
    if not os.path.exists(os.path.join(sys.argv[1], ".clang-format")):
        sys.exit("no .clang-format")
    tree.main(check)
