# SPDX-License-Identifier: MIT
"""The files of the source tree, and how a check reports. Each check is a function of the tree's
top folder that returns its faults, so that checks_can_fail.py can give it bad trees."""

import os
import sys

SKIP_STATUS = 77


def is_left_out(name):
    return name in (".git", "__pycache__") or name.startswith("build")


def files(top, ends=("",), under=""):
    """Paths below TOP, relative to it, sorted, whose names end in one of ENDS."""
    found = []
    for folder, folders, names in os.walk(os.path.join(top, under)):
        inner = os.path.relpath(folder, top)
        at_top = inner == "."
        folders[:] = [f for f in folders if not (is_left_out(f) and (at_top or f == "__pycache__"))]
        found += [
            name if at_top else os.path.join(inner, name) for name in names if name.endswith(tuple(ends))
        ]
    # .git is a file where several trees share one repository
    return sorted(f for f in found if f != ".git" and os.path.isfile(os.path.join(top, f)))


def read(top, path):
    with open(os.path.join(top, path), encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def shell_scripts(top):
    """Files that a shell reads: by their first line, or by their name."""
    found = []
    for path in files(top):
        with open(os.path.join(top, path), "rb") as file:
            first = file.readline(80)
        if path.endswith(".sh") or (first.startswith(b"#!") and first.rstrip().endswith((b"/sh", b"bash"))):
            found.append(path)
    return found


def main(check):
    """Runs CHECK on the tree given as the first argument; prints its faults."""
    faults = check(sys.argv[1])
    for fault in faults:
        print(fault)
    print("%d faults" % len(faults))
    sys.exit(1 if faults else 0)


def skip(reason):
    print("skipped: " + reason)
    sys.exit(SKIP_STATUS)
