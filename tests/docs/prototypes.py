#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Headers are the contract: above each prototype in src, or above its group (no blank line
between), a comment says what it does. What ends in _init, _release, _free, _freep or _clear does what
HACKING.md says of these words.

usage: prototypes.py TOP
"""

import re

import c_source
import tree

FIXED_WORDS = ("_init", "_release", "_free", "_freep", "_clear")
PROTOTYPE = re.compile(r"^(?!static\b|typedef\b|extern\b)[a-z_][\w\s*]*?[\s*](\w+)\((?!\*)", re.MULTILINE)


def groups(lines):
    """(first index, index behind the last) of what stands between blank lines."""
    begin = None
    for i, line in enumerate(lines + [""]):
        if line.strip() and begin is None:
            begin = i
        elif not line.strip() and begin is not None:
            yield begin, i
            begin = None


def bare(text):
    """TEXT without comments, directives and what is in braces; line numbers stay."""
    text = c_source.without_comments_and_strings(text)
    text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: c_source.blank(m[0]), text, flags=re.MULTILINE)
    return re.sub(r"\{[^{}]*\}", lambda m: c_source.blank(m[0]), text)


def check_header(path, text):
    lines, code_lines = text.split("\n"), bare(text).split("\n")
    for begin, end in groups(lines):
        for match in PROTOTYPE.finditer("\n".join(code_lines[begin:end])):
            at = begin + match.string.count("\n", 0, match.start(1))
            is_fixed = match[1].endswith(FIXED_WORDS)
            if not is_fixed and not re.search(r"//|/\*", "\n".join(lines[begin : at + 1])):
                yield "%s:%d: no comment above %s or its group" % (path, at + 1, match[1])


def check(top):
    faults = []
    for path in tree.files(top, (".h",), "src"):
        faults += check_header(path, tree.read(top, path))
    return faults


if __name__ == "__main__":
    tree.main(check)
