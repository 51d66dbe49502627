#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every option of every `render` command stands in a case of tests/golden/render.

usage: options_covered.py VPSML CASES

The options are those of --help, which the binary makes from its own table.
"""

import os
import re
import subprocess
import sys

GENERAL = {"--help", "--quiet", "--verbose"}


def help_of(vpsml, *verbs):
    return subprocess.run(
        [vpsml, *verbs, "--help"], stdout=subprocess.PIPE, check=True, text=True
    ).stdout


def verbs_of(text):
    sections = text.split("\n\n")
    lines = [line for section in sections for line in section.splitlines()[1:]]
    return [m[1] for m in (re.match(r"  ([a-z]+) {2,}\S", line) for line in lines) if m]


def options_of(text):
    """Pairs of long name and short form, which may be empty."""
    found = re.findall(r"^  (?:(-\w), |    )(--[a-z][a-z0-9-]*)", text, re.MULTILINE)
    return [(name, letter) for letter, name in found if name not in GENERAL]


def commands_in(folder):
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read().replace("\\\n", " ")
        for line in re.findall(r"^\$ (.*)$", text, re.MULTILINE):
            found = re.search(r"vpsml render (\S+) ?(.*)", line)
            if found:
                yield {"deploy": "deployment"}.get(found[1], found[1]), found[2]


def main():
    vpsml, folder = sys.argv[1:]
    lines = {}
    for verb, line in commands_in(folder):
        lines[verb] = "%s %s" % (lines.get(verb, ""), line)
    missing, count = [], 0
    for verb in verbs_of(help_of(vpsml, "render")):
        for name, letter in options_of(help_of(vpsml, "render", verb)):
            count += 1
            form = "%s\\b(?!-)" % name + ("|%s\\b" % letter if letter else "")
            # a workload's own options count once, wherever a workload is rendered
            shared = ("job", "pod", "deployment") if verb in ("job", "pod", "deployment") else (verb,)
            if not any(re.search("(?:^| )(?:%s)" % form, lines.get(v, "")) for v in shared):
                missing.append("render %s %s" % (verb, name))
    if not count:
        sys.exit("no options in --help: has its form changed?")
    print("%d options, %d in no case" % (count, len(missing)))
    sys.exit("\n".join(missing) or 0)


if __name__ == "__main__":
    main()
