#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a line of any file may not hold, and what a source file must: no absolute path of the
machine that it was written on, clean line ends, an SPDX line, a name that says something.

usage: words.py TOP
"""

import os
import re

import tree

# Places that differ from machine to machine. Hosts of the lab have /root and /home.
PLACES = re.compile(r"(?<![\w.$}])/(?:work|home/(?!ubuntu\b|ops\b|USER\b)[a-z]\w*|Users)/\w")
SOURCE = (".c", ".h", ".py", ".sh", ".go", ".awk", "meson.build", "meson_options.txt")
SAYS_NOTHING = ("utils", "util", "common", "misc", "helper", "helpers")
SPDX = "SPDX-License-Identifier: MIT"


def own_places(top):
    """The tree's own place, and the names of servers that this machine downloads through."""
    places = {os.path.abspath(top) + "/"}
    for name, value in os.environ.items():
        if re.search("(?i)proxy|index_url|registry", name):
            places |= set(re.findall(r"://(?:[^/@]*@)?([\w.-]+\.[\w.-]+)", value))
    return places - {"proxy.golang.org", "pypi.org", "registry.npmjs.org", "127.0.0.1", "sum.golang.org"}


def line_faults(path, text, places):
    markdown = path.endswith(".md")
    for number, line in enumerate(text.split("\n"), 1):
        where = "%s:%d: " % (path, number)
        if "\r" in line:
            yield where + "ends in CR"
        if line != line.rstrip() and not markdown:
            yield where + "ends in blanks"
        found = PLACES.search(line)
        if found or any(place in line for place in places):
            yield where + "names a place on one machine: " + line.strip()


def source_faults(path, text):
    lines = text.split("\n")
    if SPDX not in "\n".join(lines[: 2 if lines[0].startswith("#!") else 1]):
        yield path + ": the first line (after #!) is not %s" % SPDX
    name = os.path.basename(path).split(".")[0]
    if path.startswith("src/") and name in SAYS_NOTHING:
        yield path + ": the name says nothing"


def check(top):
    faults, places = [], own_places(top)
    scripts = set(tree.shell_scripts(top))
    for path in tree.files(top):
        if path.startswith("tests/fuzz/corpus/"):  # any bytes at all
            continue
        text = tree.read(top, path)
        if "\0" in text:
            continue
        if text and not text.endswith("\n"):
            faults.append(path + ": the last line does not end")
        faults += line_faults(path, text, places)
        if path.endswith(SOURCE) or path in scripts:
            faults += source_faults(path, text)
    return faults


if __name__ == "__main__":
    tree.main(check)
