#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mandoc has nothing to say about the man pages, and they fit 80 columns.

usage: manuals.py PAGE...
"""

import os
import re
import shutil
import subprocess
import sys

# Not about the page but about the machine that reads it: its other pages, its index of pages.
ABOUT_THE_MACHINE = re.compile("referenced manual not found|mandoc.db|^mandoc: see above")
WIDTH = 80


def run(*argv):
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout.splitlines()


def main():
    faults = []
    if not shutil.which("mandoc"):
        print("skipped: no mandoc here")
        return 77
    for page in sys.argv[1:]:
        faults += [line for line in run("mandoc", "-Tlint", "-Wstyle", page) if not ABOUT_THE_MACHINE.search(line)]
        for line in run("mandoc", "-Tutf8", "-Owidth=%d" % WIDTH, page):
            line = re.sub(".\b", "", line)
            if len(line) > WIDTH:
                faults.append("%s: %d columns: %s" % (os.path.basename(page), len(line), line))
    for text in faults:
        print(text)
    print("%d pages, %d faults" % (len(sys.argv) - 1, len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
