#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws recorded clusters and compares the screens with those in golden/: eight sizes, each in UTF-8 and
ASCII, in mono and with colours. The grids are kept for every size and charset, the colours for 80x24;
elsewhere colours are held to the grid: without the escape sequences it must be the same.

usage: golden.py DRAW FOLDER [--accept]
"""

import os
import re
import subprocess
import sys
import tempfile

SIZES = ("1x1", "10x3", "40x8", "79x23", "80x24", "120x40", "200x60", "500x200")
CHARSETS = ("utf8", "ascii")
DEPTHS = ("mono", "8", "16", "256")
VIEWS = {"nodes": "", "gpus": "g", "pods": "P", "jobs": "j", "queue": "u", "alerts": "a", "help": "<f1>",
         "filtered": "g\\gpu<5 & alloc>0<enter>", "sorted": "g<f6><f6>", "inside": "<down><enter>",
         "wrong-filter": "\\gpuu<5<enter>", "found": "/gpu-b<enter>"}
SGR = re.compile("\x1b\\[[0-9;]*m")

draw, folder = sys.argv[1:3]
accept = "--accept" in sys.argv
failures = cases = 0


def report(is_ok, name, why=""):
    global failures, cases
    cases += 1
    failures += not is_ok
    print("%sok %d - %s" % ("" if is_ok else "not ", cases, name))
    if not is_ok:
        print("\n".join("# " + line for line in why.split("\n")))


def screen(path, size, charset, depth, keys=""):
    done = subprocess.run([draw, path, size, charset, depth, keys], capture_output=True, encoding="utf-8")
    if done.returncode:
        return "exit %d: %s" % (done.returncode, done.stderr)
    return done.stdout


def compare(name, text):
    path = os.path.join(folder, "golden", name + ".txt")
    if accept:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    want = open(path, encoding="utf-8").read() if os.path.exists(path) else "there is no %s" % path
    lines = [(a, b) for a, b in zip(want.split("\n"), text.split("\n")) if a != b]
    shown = "\n".join("want %s\ngot  %s" % pair for pair in lines[:5])
    report(want == text, name, shown + "\nwrite it by: golden.py %s %s --accept" % (draw, folder))


def width_of(line):
    return sum(2 if "\u2e80" <= c <= "\uffdf" else 0 if "\u0300" <= c <= "\u036f" else 1 for c in line)


def plain(text):
    return "\n".join(line.rstrip() for line in SGR.sub("", text).split("\n"))


def check_size(name, size, text):
    columns, rows = (int(part) for part in size.split("x"))
    lines = text.split("\n")[:-1]
    bad = [line for line in lines if width_of(line) > columns]
    report(len(lines) == rows and not bad, name + " has its size", "%d lines, %r" % (len(lines), bad))


def check_record(name, path):
    for size in SIZES:
        for charset in CHARSETS:
            case = "%s-%s-%s" % (name, size, charset)
            text = screen(path, size, charset, "text")
            check_size(case, size, text)
            if size != "500x200" or (name, charset) == ("three", "ascii"):  # the others would be large files
                compare(case, text)
            if charset == "ascii":
                report(text.isascii() or name == "bad", case + " is ASCII")
            for depth in DEPTHS:
                coloured = screen(path, size, charset, depth)
                report(plain(coloured) == text, "%s-%s is the same grid" % (case, depth), coloured)
                report(depth != "mono" or not re.search("\x1b\\[[0-9;]*(3|9)[0-7]", coloured),
                       case + " has no colour in mono")


with tempfile.TemporaryDirectory() as place:
    for name in ("three", "many", "bad"):
        path = os.path.join(place, name)
        with open(path, "w", encoding="utf-8") as file:
            subprocess.run([sys.executable, os.path.join(folder, "fixture.py"), name], stdout=file, check=True)
        check_record(name, path)
    path = os.path.join(place, "three")
    for depth in DEPTHS:
        compare("three-80x24-colours-" + depth, screen(path, "80x24", "ascii", depth).replace("\x1b", "^["))
    for view, keys in VIEWS.items():
        for size in ("80x24", "120x40"):
            compare("view-%s-%s" % (view, size), screen(path, size, "ascii", "text", keys))
print("1..%d" % cases)
sys.exit(failures > 0)
