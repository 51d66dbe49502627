#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/packages names the package of every library that a meson.build asks for, and no other.

usage: packages.py TOP
"""

import os
import re

import tree

PART_OF_LIBC = {"threads"}


def check(top):
    known = {}
    for line in tree.read(top, "scripts/packages").splitlines():
        words = line.split()
        if words and words[0] != "#" and len(words) == 3:
            known[words[2]] = words[0]
    faults, wanted = [], set(PART_OF_LIBC)
    for path in tree.files(top, ("meson.build",)):
        for name in re.findall(r"\bdependency\(\s*'([^']+)'", tree.read(top, path)):
            wanted.add(name)
            kind = known.get(name)
            in_tests = os.path.dirname(path).startswith("tests")
            if name not in PART_OF_LIBC and kind != "build" and not (in_tests and kind):
                faults.append("%s: scripts/packages has no package for %s" % (path, name))
    return faults + ["scripts/packages: nothing asks for %s" % name for name in sorted(set(known) - wanted)]


if __name__ == "__main__":
    tree.main(check)
