#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every option of the binary's own table is in --help, in its man page and in the completions,
and the table keeps its rules: names, letters, wording, width.

usage: options.py VPSML TOP
"""

import csv
import os
import re
import subprocess
import sys

WIDTH = 80
# What a help text may begin with although it is upper case: see starts_well.
PROPER = {"Always", "Kueue", "Secret", "Kubernetes"}
# -f is the file of a cluster or a job, and follow in logs, as in kubectl.
LETTERS_WITH_TWO_MEANINGS = {"f"}

FAULTS = []


def fault(text, *args):
    FAULTS.append(text % args)


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def load(vpsml):
    done = subprocess.run([vpsml, "__options"], stdout=subprocess.PIPE, text=True, check=True)
    return list(csv.DictReader(done.stdout.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def helps(vpsml, commands):
    """--help of each command: at most 80 columns, on standard output, without a message."""
    texts = {}
    for command in commands:
        argv = [vpsml] + command.split()[1:] + ["--help"]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        texts[command] = done.stdout
        if done.returncode or done.stderr or not done.stdout:
            fault("%s --help: status %d: %s", command, done.returncode, done.stderr)
        for line in done.stdout.splitlines():
            if len(line) > WIDTH or line.rstrip() != line:
                fault("%s --help: %d columns: %r", command, len(line), line)
    return texts


def starts_well(text):
    """Lower case, or a word that is not: a name, one in capitals (GPUs, COMMAND), a kind (PriorityClass)."""
    word = re.match(r"[\w/.-]*", text).group()
    return not word[:1].isupper() or word in PROPER or len(re.findall("[A-Z]", word)) > 1 or len(word) == 1


def check_row(row):
    where = "%(command)s --%(long)s" % row
    if not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", row["long"]):
        fault("%s: not a name", where)
    if not re.fullmatch("[A-Za-z]?", row["letter"]):
        fault("%s: -%s is no letter", where, row["letter"])
    if not row["help"] or row["help"].endswith(".") or row["help"] != row["help"].strip():
        fault("%s: help %r is empty or ends in a full stop", where, row["help"])
    if not starts_well(row["help"]):
        fault("%s: help %r begins in upper case", where, row["help"])
    if (row["kind"] in ("flag", "count")) == bool(row["metavar"]):
        fault("%s: a %s with the value %r", where, row["kind"], row["metavar"])
    if (row["kind"] == "word" and not row["words"]) or (row["kind"] == "flag" and row["words"]):
        fault("%s: a %s with the words %r", where, row["kind"], row["words"])
    if row["kind"] == "list" and row["times"] != "many":
        fault("%s: a list that takes one", where)
    if not row["page"]:
        fault("%s: no man page", where)


def check_names(rows):
    seen, meanings = set(), {}
    for row in rows:
        for name in filter(None, (row["long"], row["letter"])):
            if (row["command"], name) in seen:
                fault("%s: two options are called %s", row["command"], name)
            seen.add((row["command"], name))
        if row["letter"] and row["letter"] not in LETTERS_WITH_TWO_MEANINGS:
            if meanings.setdefault(row["letter"], row["long"]) != row["long"]:
                fault("-%s means --%s and --%s", row["letter"], meanings[row["letter"]], row["long"])


def check_summaries(text, command):
    """The summaries of verbs, in the help of the command above."""
    for verb, summary in re.findall(r"^  ([a-z][\w-]*) {2,}(\S.*)$", text.split("\nGeneral:")[0], re.MULTILINE):
        if summary.endswith(".") or not starts_well(summary):
            fault("%s %s: summary %r", command, verb, summary)


def synopsis(row):
    left = "-%s, " % row["letter"] if row["letter"] else "    "
    return "  %s--%s%s" % (left, row["long"], " " + row["metavar"] if row["metavar"] else "")


def is_in_help(row, text):
    group = text.split("\n%s:\n" % row["group"])
    return len(group) > 1 and any(
        re.match(re.escape(synopsis(row)) + r"(  |$)", line)
        for part in group[1:]
        for line in part.split("\n\n")[0].splitlines()
    )


def unescape(text):
    for escape, char in (r"\&", ""), (r"\-", "-"), (r"\(ti", "~"), (r"\(ha", "^"), (r"\(dq", '"'), (r"\e", "\\"):
        text = text.replace(escape, char)
    return text


def man_item(row):
    letter = "Fl %s , " % row["letter"] if row["letter"] else ""
    metavar = " Ar %s" % row["metavar"] if row["metavar"] else ""
    return ".It %sFl -%s%s" % (letter, row["long"], metavar)


def is_in_page(row, page):
    """Below a heading of its group that names the command, or names none."""
    verb = row["command"].split()[-1]
    for part in page.split("\n.Ss ")[1:]:
        heading, _, body = part.partition("\n")
        name, _, verbs = heading.partition(" (")
        if name != row["group"] or (verbs and verb not in verbs.rstrip(")").split(", ")):
            continue
        if man_item(row) in unescape(body).splitlines():
            return True
    return False


def case_of(script, command):
    """The rows of a command in the scripts of bash and zsh."""
    found = re.search(r"^\t'%s'\)\n(.*?)^\t\t;;$" % re.escape(command), script, re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


def is_in_bash(row, script):
    names = "--" + row["long"] + (" -" + row["letter"] if row["letter"] else "")
    return re.search(r"^\t+'%s:%s:" % (names, row["times"]), case_of(script, row["command"]), re.MULTILINE)


def is_in_zsh(row, script):
    rows = case_of(script, row["command"])
    long = re.search(r"^\t+'(\*|\([^)]*\))?--%s=?\[" % row["long"], rows, re.MULTILINE)
    letter = re.search(r"^\t+'(\*|\([^)]*\))?-%s\+?\[" % row["letter"], rows, re.MULTILINE)
    return long and (letter or not row["letter"])


def is_in_fish(row, script):
    verbs = " ".join(row["command"].split()[1:])
    letter = " -s " + row["letter"] if row["letter"] else ""
    return re.search(
        r'^complete -c vpsml -n "__vpsml_\w+( \w+ %s \'\w?\')?%s"%s -l %s '
        % (row["long"], " " + verbs if verbs else "", letter, row["long"]),
        script,
        re.MULTILINE,
    )


def main():
    vpsml, top = sys.argv[1:]
    rows = load(vpsml)
    commands = sorted({row["command"] for row in rows})
    texts = helps(vpsml, commands)
    pages = {page: read(top, "man", page + ".1") for page in {row["page"] for row in rows} if page}
    scripts = {
        "bash": (is_in_bash, read(top, "completions", "vpsml.bash")),
        "zsh": (is_in_zsh, read(top, "completions", "_vpsml")),
        "fish": (is_in_fish, read(top, "completions", "vpsml.fish")),
    }
    check_names(rows)
    for command, text in texts.items():
        check_summaries(text, command)
    for row in rows:
        where = "%(command)s --%(long)s" % row
        check_row(row)
        if not is_in_help(row, texts[row["command"]]):
            fault("%s: not in --help", where)
        if row["page"] and not is_in_page(row, pages[row["page"]]):
            fault("%s: not in %s(1)", where, row["page"])
        for shell, (is_in, script) in scripts.items():
            if not is_in(row, script):
                fault("%s: not in the completion of %s", where, shell)
    for text in FAULTS:
        print(text)
    print("%d options of %d commands, %d faults" % (len(rows), len(commands), len(FAULTS)))
    return 1 if FAULTS or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
