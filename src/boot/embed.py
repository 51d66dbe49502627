#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Part of the build: a text as a C string, so that a shell script can be a file of its own, which
shellcheck reads.

usage: embed.py FILE NAME HEADER >FILE.c      defines `const char NAME[]`, which HEADER declares
"""

import sys


def main(path, name, header):
    with open(path, "rb") as file:
        data = file.read()
    print('// Made from %s by embed.py.\n#include "%s"\n\nconst char %s[] = {' % (path.split("/")[-1], header, name))
    for start in range(0, len(data), 24):
        print("\t%s," % ", ".join(str(byte) for byte in data[start : start + 24]))
    print("\t0,\n};")


main(*sys.argv[1:])
