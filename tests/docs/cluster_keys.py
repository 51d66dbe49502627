#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vpsml-cluster(5) describes every key of cluster.yaml, and no other.

usage: cluster_keys.py TOP
"""

import os
import re

import tree

SOURCE, PAGE = "src/boot/inventory_keys.c", "man/vpsml-cluster.5"


def check(top):
    code, page = tree.read(top, SOURCE), tree.read(top, PAGE)
    keys = set(re.findall(r'(?:\.name = |MAP\()"(\w+)"', code))
    described = set(re.findall(r"^\.It Cm (\w+)$", page, re.MULTILINE))
    listed = set(re.findall(r"^\.Cm (\w+)", page, re.MULTILINE))
    faults = ["%s: the key %s is missing" % (PAGE, key) for key in sorted(keys - described - listed)]
    faults += ["%s: %s is no key" % (PAGE, key) for key in sorted(described - keys)]
    return faults if keys else ["%s: no keys found" % os.path.basename(SOURCE)]


if __name__ == "__main__":
    tree.main(check)
