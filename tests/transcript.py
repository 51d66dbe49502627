#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs transcripts: commands with what they print, as a terminal shows them.

usage: transcript.py VPSML [--accept] FILE|FOLDER...     in a folder: its *.case files

    # why this case is here
    $ vpsml render affinity gpu=true -o json
    {…}
    [stderr]
    vpsml: warning: …
    [exit 2]

A line "$ COMMAND" is given to bash; a backslash at its end goes on in the next line. What follows,
up to the next command, is expected on standard output; "[stderr]" begins what is expected there,
and "[exit N]" is the status where it is not 0. Comments and blank lines stand before a command.
The commands of a file run in one empty folder, with a small fixed environment. In a Markdown file
the blocks that begin with ```console are run: there, both streams are expected mixed, and a line
"..." stands for any lines.

--accept writes what the commands print into the file. VPSML_WRAPPER, if set, is a command that
each vpsml runs under. Prints TAP.
"""

import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile

TIMEOUT_S = 300


class Step:
    """One command, the lines around it, and what it is expected to print."""

    def __init__(self, before, command):
        self.before, self.command = before, command  # lists of lines
        self.stdout, self.stderr, self.status = [], [], 0

    def text(self):
        """The command as bash reads it."""
        return "\n".join(self.command)[2:]

    def lines(self):
        """The step as the file has it."""
        status = ["[exit %d]" % self.status] if self.status else []
        stderr = ["[stderr]"] + self.stderr if self.stderr else []
        return self.before + self.command + self.stdout + stderr + status


def take_command(lines):
    command = [lines.pop(0)]
    while command[-1].endswith("\\") and lines:
        command.append(lines.pop(0))
    return command


def read_case(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    steps, before = [], []
    while lines:
        if not lines[0].startswith("$ "):
            before.append(lines.pop(0))
            continue
        step = Step(before, take_command(lines))
        steps.append(step)
        before, where = [], step.stdout
        while lines and not lines[0].startswith("$ "):
            line = lines.pop(0)
            status = re.fullmatch(r"\[exit (\d+)\]", line)
            if line == "[stderr]":
                where = step.stderr
            elif status:
                step.status, where = int(status[1]), before
            else:
                where.append(line)
        if where is not before:
            before = split_comment(where)
    return steps, before


def split_comment(lines):
    """Takes the blank and "#" lines that stand before the next command off the end of LINES."""
    count = len(lines)
    while count and (not lines[count - 1] or lines[count - 1].startswith("#")):
        count -= 1
    taken = lines[count:]
    del lines[count:]
    return taken


def read_markdown(path, kind="console"):
    with open(path, encoding="utf-8") as file:
        blocks = re.findall(r"^```%s\n(.*?)^```$" % kind, file.read(), re.MULTILINE | re.DOTALL)
    steps = []
    for block in blocks:
        lines = block.splitlines()
        while lines:
            if not lines[0].startswith("$ "):
                sys.exit("%s: a console block begins with %r, not with a command" % (path, lines[0]))
            step = Step([], take_command(lines))
            while lines and not lines[0].startswith("$ "):
                step.stdout.append(lines.pop(0))
            steps.append(step)
    return steps


def make_program(folder, vpsml):
    """A folder with a `vpsml` in it, under VPSML_WRAPPER where that is set."""
    path = os.path.join(folder, "bin")
    os.mkdir(path)
    program = os.path.join(path, "vpsml")
    with open(program, "w", encoding="utf-8") as file:
        wrapper = os.environ.get("VPSML_WRAPPER", "")
        file.write("#!/bin/sh\nexec %s %s \"$@\"\n" % (wrapper, shlex.quote(vpsml)))
    os.chmod(program, 0o755)
    return path


def environment(folder, programs):
    """Little and fixed, but what the sanitizers are told."""
    passed_on = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
    return dict(
        passed_on,
        PATH=programs + ":/usr/local/bin:/usr/bin:/bin",
        HOME=folder,
        LC_ALL="C.UTF-8",
        TERM="dumb",
    )


def run(step, folder, env, is_mixed):
    done = subprocess.run(
        ["bash", "-c", step.text()],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if is_mixed else subprocess.PIPE,
        timeout=TIMEOUT_S,
        check=False,
    )
    actual = Step(step.before, step.command)
    actual.stdout = done.stdout.decode("utf-8", "backslashreplace").splitlines()
    actual.stderr = (done.stderr or b"").decode("utf-8", "backslashreplace").splitlines()
    actual.status = 0 if is_mixed else done.returncode % 256
    return actual


def agrees(expected, actual):
    """The same, or the same but for lines "..." in what was expected."""
    if expected.lines() == actual.lines():
        return True
    wanted = "".join(re.escape(line + "\n") if line != "..." else "(?:.*\n)?" for line in expected.stdout)
    shown = "".join(line + "\n" for line in actual.stdout)
    return "..." in expected.stdout and bool(re.fullmatch(wanted, shown, re.DOTALL))


def report(number, name, expected, actual):
    is_ok = agrees(expected, actual)
    print("%sok %d - %s" % ("" if is_ok else "not ", number, name.replace("#", "")))
    if not is_ok:
        for line in difflib.unified_diff(
            expected.lines(), actual.lines(), "expected", "printed", lineterm=""
        ):
            print("# " + line)
    return is_ok


def name_of(path, step):
    comment = [line[1:].strip() for line in step.before if line.startswith("#")]
    comment = [line for line in comment if not line.startswith("SPDX")]
    what = comment[0] if comment else step.text().splitlines()[0]
    return "%s: %s" % (os.path.splitext(os.path.basename(path))[0], what)


def files_of(paths):
    for path in paths:
        if os.path.isdir(path):
            for name in sorted(os.listdir(path)):
                if name.endswith(".case"):
                    yield os.path.join(path, name)
        else:
            yield path


def run_file(path, vpsml, number, accept):
    """Runs the steps of a file; returns how many there are and whether all agreed."""
    is_mixed = not path.endswith(".case")
    steps, rest = (read_markdown(path), []) if is_mixed else read_case(path)
    if not steps:
        sys.exit("%s: no command in it" % path)
    is_ok = True
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder, make_program(folder, vpsml))
        work = os.path.join(folder, "work")
        os.mkdir(work)
        actual = [run(step, work, env, is_mixed) for step in steps]
    for i, step in enumerate(steps):
        is_ok = report(number + i, name_of(path, step), step, actual[i]) and is_ok
    if accept and not is_mixed:
        with open(path, "w", encoding="utf-8") as file:
            lines = [line for step in actual for line in step.lines()] + rest
            file.write("\n".join(lines) + "\n")
    elif not is_ok:
        print("# to accept this: %s %s --accept %s" % (sys.argv[0], vpsml, path))
    return len(steps), is_ok


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--accept"]
    accept = len(arguments) < len(sys.argv) - 1
    vpsml, number, is_ok = os.path.abspath(arguments[0]), 1, True
    for path in files_of(arguments[1:]):
        count, is_file_ok = run_file(path, vpsml, number, accept)
        number += count
        is_ok = is_ok and is_file_ok
    print("1..%d" % (number - 1))
    sys.exit(0 if is_ok or accept else 1)


if __name__ == "__main__":
    main()
