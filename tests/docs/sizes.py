#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions have at most 60 lines and files at most 600; most functions are much shorter.

usage: sizes.py TOP
"""

import c_source
import tree

FUNCTION_MAX, FILE_MAX = 60, 600
FUNCTION_P90_MAX, FUNCTION_MEDIAN_MAX = 40, 15  # aimed at: 40 and 10
SOURCES = (".c", ".h", ".py", ".sh")


def at(lengths, share):
    return sorted(lengths)[min(int(len(lengths) * share), len(lengths) - 1)]


def measure(top, path, faults):
    """The lengths of the functions in a C file, macros with them."""
    text = tree.read(top, path)
    try:
        found = c_source.functions(text)
    except ValueError as error:
        faults.append("%s: %s" % (path, error))
        return []
    for name, line, length in found + list(c_source.macros(text)):
        if length > FUNCTION_MAX:
            faults.append("%s:%d: %s has %d lines, %d are allowed" % (path, line, name, length, FUNCTION_MAX))
    return [length for _, _, length in found]


def check(top):
    faults, function_lengths, file_lengths = [], [], []
    for path in tree.files(top, SOURCES, "src") + tree.files(top, SOURCES, "tests"):
        length = tree.read(top, path).count("\n")
        if length > FILE_MAX:
            faults.append("%s has %d lines, %d are allowed" % (path, length, FILE_MAX))
        if not path.endswith((".c", ".h")):
            continue
        lengths = measure(top, path, faults)
        if path.startswith("src"):
            function_lengths += lengths
            file_lengths.append(length)
    if not function_lengths:
        return faults + ["no functions in src"]
    for what, lengths in (("functions", function_lengths), ("files", file_lengths)):
        print(
            "%d %s in src: median %d lines, 90th percentile %d, longest %d"
            % (len(lengths), what, at(lengths, 0.5), at(lengths, 0.9), max(lengths))
        )
    for share, most in ((0.5, FUNCTION_MEDIAN_MAX), (0.9, FUNCTION_P90_MAX)):
        if at(function_lengths, share) > most:
            faults.append("%d %% of the functions must have at most %d lines" % (share * 100, most))
    return faults


if __name__ == "__main__":
    tree.main(check)
