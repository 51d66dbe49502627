#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The addons' objects, compared with stored ones: addons.py PROGRAM FOLDER [--accept]

A file FOLDER/A_B.yaml is what PROGRAM A B prints. Prints TAP; --accept writes the files."""
import difflib
import pathlib
import subprocess
import sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
stored = sorted(folder.glob("*.yaml"))
print(f"1..{len(stored)}")
for number, path in enumerate(stored, 1):
    printed = subprocess.run([program, *path.stem.split("_")], capture_output=True, text=True, check=True).stdout
    if "--accept" in sys.argv:
        path.write_text(printed, encoding="utf-8")
    wanted = path.read_text(encoding="utf-8")
    print(f"{'ok' if printed and printed == wanted else 'not ok'} {number} - {path.stem}")
    for line in difflib.unified_diff(wanted.splitlines(), printed.splitlines(), path.name, "printed", lineterm=""):
        print(f"# {line}")
