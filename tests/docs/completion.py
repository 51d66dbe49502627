#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completes lines in a real shell and compares what it offers.

usage: completion.py bash|zsh|fish VPSML ODD_COMMANDS

VPSML and ODD_COMMANDS print the scripts. Every shell gets the same lines and must offer the
same words; it runs with unset variables as errors where it has that. An API server of ours knows
jobs, namespaces and classes. Exit 77: no such shell.
"""
import http.server
import json
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

COMMANDS = ["(all commands)"]  # replaced by what the table has
VERBS = ["job", "pod", "deployment", "affinity", "hpa", "priority"]
ODD = ["a b", "c:d", "it's", 'q"q', "$HOME", "back\\slash", "star*", "[x]", "~x", "(brace)", "k=v"]
FILES = ["odd file", "plain.env", "sub/"]

JOBS = ["cnn", "cnn-2", "nlp"]
NAMESPACES = ["default", "kube-system", "many", "ml"]
NODES = ["cpu-1", "gpu-1", "gpu-2"]
CLASSES = ["system-node-critical", "vpsml-high", "vpsml-low"]
CONTEXTS = ["alpha", "asks", "dead", "odd: name"]
NAMES = {
    "/apis/batch/v1/namespaces/default/jobs": JOBS,
    "/apis/batch/v1/namespaces/ml/jobs": ["gan"],
    "/apis/batch/v1/namespaces/many/jobs": ["job-%03d" % i for i in range(300)],
    "/api/v1/namespaces": NAMESPACES,
    "/api/v1/nodes": NODES,
    "/apis/scheduling.k8s.io/v1/priorityclasses": CLASSES,
}

# What is typed, and all that is offered; a third entry names the shells that this holds for.
LINES = [
    ("vpsml ren", ["render"]),
    ("vpsml ", COMMANDS),
    ("vpsml render ", VERBS),
    ("vpsml render d", ["deployment"]),
    ("vpsml bogus ", []),
    ("vpsml __o", []),
    ("vpsml -", ["-h", "-q", "-v", "--help", "--quiet", "--verbose"], ["zsh", "fish"]),
    ("vpsml --", ["--help", "--quiet", "--verbose"]),
    ("vpsml render job x -v --verb", ["--verbose"]),  # given twice it says more
    ("vpsml --help ", [], ["bash", "fish"]),  # zsh offers options where there is nothing else
    ("vpsml completion ", ["bash", "zsh", "fish"]),
    ("vpsml completion f", ["fish"]),
    ("vpsml completion bash ", [], ["bash", "fish"]),
    ("vpsml completion -q z", ["zsh"]),
    ("vpsml help ", COMMANDS),
    ("vpsml help render ", VERBS),
    ("vpsml help render h", ["hpa"]),
    ("vpsml help render job ", []),
    ("vpsml render job x ", [], ["bash", "fish"]),
    ("vpsml render job x --imag", ["--image", "--image-pull-policy", "--image-pull-secret"]),
    ("vpsml render job x --output ", ["yaml", "json", "name"]),
    ("vpsml render job x --output=", ["yaml", "json", "name"]),
    ("vpsml render job x --output=y", ["yaml"]),
    ("vpsml render job x -o ", ["yaml", "json", "name"]),
    ("vpsml render job x -o y", ["yaml"]),
    ("vpsml render job x -oy", ["yaml"]),
    ("vpsml render job x -qo y", ["yaml"], ["bash", "zsh"]),
    ("vpsml render affinity gpu=true -o ", ["yaml", "json"]),
    ("vpsml render job x --image ", []),
    ("vpsml render job x --image=", []),
    ("vpsml render job x --nonsense", []),
    ("vpsml render job x --env-file ", FILES),
    ("vpsml render job x --env-file pl", ["plain.env"]),
    ("vpsml render job x --env-file=pl", ["plain.env"]),
    ("vpsml render job x --env-file sub/", ["sub/inner.env"]),
    ("vpsml render deploy x --autos", ["--autoscale"]),
    ("vpsml render job x --autos", []),
    # given once is not offered again, unless it may be repeated
    ("vpsml render job x --gpus 1 --gpu", ["--gpu-type", "--gpu-resource"]),
    ("vpsml render job x --gpus=1 --gpu", ["--gpu-type", "--gpu-resource"]),
    ("vpsml render job x --shell --she", []),
    ("vpsml render job x -o yaml --outp", []),
    ("vpsml render job x -e A=1 --env-file plain.env --env", ["--env", "--env-file"]),
    # words with what COMP_WORDBREAKS splits at
    ("vpsml render job x --image a:5000/b:c --image-pull-p", ["--image-pull-policy"]),
    ("vpsml render job x -e 'A=b c' --label=a=b --image-pull-p", ["--image-pull-policy"]),
    ("vpsml render job x --api-v", []),
    ("vpsml render hpa deploy/web --api-version ",
     ["autoscaling/v2", "autoscaling/v2beta2", "autoscaling/v1"]),
    # names that the cluster knows, or the kubeconfig
    ("vpsml logs ", JOBS),
    ("vpsml logs cn", ["cnn", "cnn-2"]),
    ("vpsml logs cnn ", [], ["bash", "fish"]),
    ("vpsml wait cnn ", ["cnn-2", "nlp"]),
    ("vpsml delete nl", ["nlp"]),
    ("vpsml describe ", JOBS),
    ("vpsml drain ", NODES),
    ("vpsml cordon gpu-1 g", ["gpu-2"]),
    ("vpsml logs -n ml ", ["gan"]),
    ("vpsml logs --namespace=ml ", ["gan"]),
    ("vpsml logs -f -n 'ml' ", ["gan"]),
    ("vpsml logs --namespace ", NAMESPACES),
    ("vpsml logs --namespace=k", ["kube-system"]),
    ("vpsml logs -nk", ["kube-system"], ["bash", "zsh"]),
    ("vpsml submit x --priority vpsml-", ["vpsml-high", "vpsml-low"]),
    ("vpsml list --context ", CONTEXTS),
    ("vpsml list --context=d", ["dead"]),
    ("vpsml list --context odd", ["odd: name"]),
    ("vpsml logs --context odd:\\ name ", JOBS),
    ("vpsml logs --context nobody ", []),
    ("vpsml logs --context dead ", []),
    ("vpsml logs --context asks ", []),
    ("vpsml logs --kubeconfig ~/other ", ["gan"]),
    ("vpsml logs -n many job-01", ["job-01%d" % i for i in range(10)]),
    # behind "--" there is another command
    ("vpsml render job x -- odd-comm", ["odd-command"]),
    ("vpsml render job x -- odd-command pl", ["plain.env"]),
    ("vpsml render job x -- odd-command --imag", []),
]
ODD_LINES = [
    ("vpsml ", ["inner"]),
    ("vpsml inner ", ["words", "file"]),
    ("vpsml i w --od", ["--odd"]),
    ("vpsml inner words --odd ", ODD),
    ("vpsml inner words --odd=", ODD),
    ("vpsml inner words -x ", ODD),
    ("vpsml inner words --odd a", ["a b"]),
    ("vpsml inner words --odd c", ["c:d"]),
    ("vpsml inner words --odd c:", ["c:d"]),
    ("vpsml inner words --odd=c:", ["c:d"]),
    ("vpsml inner words --odd k=", ["k=v"]),
    ("vpsml inner words --odd 'a", ["a b"]),
    ("vpsml inner words --odd a\\ ", ["a b"]),
    ("vpsml inner words ", ODD),
    ("vpsml inner words c:d ", ODD),
    ("vpsml inner words c:d k=v ", [], ["bash", "fish"]),
    ("vpsml inner words c:d k=v c", [], ["zsh"]),
    ("vpsml inner words --odd c:d --ma", ["--many"]),
    ("vpsml inner words --many c:d --ma", ["--many"]),
    ("vpsml inner words --folder ", ["sub/"]),
    ("vpsml inner words --folder=s", ["sub/"]),
    ("vpsml inner words -f pl", ["plain.env"]),
    ("vpsml inner words -fpl", ["plain.env"], ["bash", "zsh"]),  # beyond fish
    ("vpsml inner file p", ["plain.env"]),
]

FAILURES = []


class Terminal:
    """A shell at a pseudo-terminal. Keys go in; what its widget writes to a file comes out."""

    def __init__(self, argv, folder, environment):
        self.answer = folder / "answer"
        self.log = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder / "work")
            os.execvpe(argv[0], argv, environment)

    def read_for(self, seconds):
        if select.select([self.fd], [], [], seconds)[0]:
            try:
                self.log += os.read(self.fd, 65536)
            except OSError:
                pass

    def read_on(self):
        """Until nothing comes any more: what was drawn may come behind the answer."""
        size = -1
        while size != len(self.log):
            size = len(self.log)
            self.read_for(0.3)

    def ask(self, keys):
        self.answer.unlink(missing_ok=True)
        os.write(self.fd, keys.encode())
        end = time.monotonic() + 20
        while time.monotonic() < end:
            self.read_for(0.01)
            if self.answer.exists():
                text = self.answer.read_text()
                if text.endswith("\0"):
                    return text[:-1]
        sys.exit(f"no answer from the shell to {keys!r}; its screen:\n"
                 + self.log.decode(errors="replace")[-2000:])

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def split_last(line):
    """The line before its last word, which may be unfinished, and that word."""
    quote, start, i = "", 0, 0
    while i < len(line):
        if line[i] == "\\" and quote != "'":
            i += 1
        elif quote:
            quote = "" if line[i] == quote else quote
        elif line[i] in "'\"":
            quote = line[i]
        elif line[i] == " ":
            start = i + 1
        i += 1
    return line[:start], line[start:]


def without_option(word, typed):
    """A value without the "--option=" or "-o" that was typed in the same word."""
    if typed.startswith("--") and "=" in typed:
        return word.removeprefix(typed[:typed.index("=") + 1])
    if len(typed) > 2 and typed[0] == "-" and typed[1] != "-":
        return word.removeprefix(typed[:2])
    return word


class Bash:
    """Readline inserts all that it would offer into the line (insert-completions)."""

    def __init__(self, script, folder, environment):
        (folder / "bashrc").write_text(rf"""
PS1='> '
set -u
source {script}
answer() {{
    printf '%s\0' "$READLINE_LINE" >{folder}/answer
}}
bind 'set bell-style none'
bind 'set completion-query-items 0'
bind 'set page-completions off'
bind '"\C-xc": insert-completions'
bind -x '"\C-xa": answer'
""")
        self.terminal = Terminal(["bash", "--noprofile", "--rcfile", str(folder / "bashrc"), "-i"],
                                 folder, environment)

    def complete(self, line):
        head, typed = split_last(line)
        # Inserting all forgets an opening quote; the tab keeps it.
        keys = "\t" if typed[:1] in ("'", '"') else "\x18c"
        result = self.terminal.ask(f"\x15{line}{keys}\x18a")
        if result == line:
            return []
        if not result.startswith(head):
            return [f"(the line became {result!r})"]
        words = shlex.split(result[len(head):])
        return [without_option(words[0], typed)] + words[1:]

    def list(self, line):
        """The screen after the second tab."""
        self.terminal.log = b""
        self.terminal.ask(f"\x15{line}\t\t\x18a")
        self.terminal.read_on()
        return self.terminal.log.decode()

    def close(self):
        self.terminal.close()


class Zsh:
    """The completion system runs as for a listing; compadd tells what it was given."""

    def __init__(self, script, folder, environment):
        functions = folder / "functions"
        functions.mkdir()
        shutil.copy(script, functions / "_vpsml")
        (folder / ".zshrc").write_text(rf"""
PS1='> '
setopt nounset
fpath=({functions} $fpath)
autoload -Uz compinit
compinit -u -D
zstyle ':completion:*' verbose yes
compadd() {{
    local -a matches
    if (( ${{argv[(I)-[OAD]]}} )); then
        builtin compadd "$@"
    else
        builtin compadd -O matches "$@"
        (( ${{argv[(I)-*Q*]}} )) && matches=(${{(Q)matches}})
        offered+=($matches)
        builtin compadd "$@"
    fi
}}
answer() {{
    typeset -ga offered=()
    _main_complete
    compstate[insert]='' compstate[list]=''
    print -rN -- ${{(pj:\n:)offered}} >{folder}/answer
}}
zle -C answer list-choices answer
bindkey -e
bindkey '^Xa' answer
""")
        self.terminal = Terminal(["zsh", "-d", "-i"], folder, environment | {"ZDOTDIR": str(folder)})

    def complete(self, line):
        answer = self.terminal.ask(f"\x15{line}\x18a")
        typed = split_last(line)[1]
        folder = typed[:typed.rfind("/") + 1]  # zsh completes the last part of a path alone
        return [folder + without_option(word, typed) for word in answer.split("\n") if word]

    def close(self):
        self.terminal.close()


class Fish:
    """Fish answers without a terminal."""

    def __init__(self, script, folder, environment):
        self.script, self.folder, self.environment = script, folder, environment

    def complete(self, line):
        done = subprocess.run(
            ["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
             str(self.script), line],
            cwd=self.folder / "work", env=self.environment, text=True, capture_output=True,
            check=True, stdin=subprocess.DEVNULL)
        if done.stderr:
            return [f"(stderr: {done.stderr})"]
        typed = split_last(line)[1]
        return [without_option(row.split("\t")[0], typed) for row in done.stdout.splitlines()]

    def close(self):
        pass


SHELLS = {"bash": Bash, "zsh": Zsh, "fish": Fish}


class Api(http.server.BaseHTTPRequestHandler):
    """Names as a table, in pages, as an API server makes them."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        target = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(target.query))
        names = NAMES.get(target.path, [])
        start, limit = int(query.get("continue", 0)), int(query["limit"])
        meta = {"continue": str(start + limit)} if start + limit < len(names) else {}
        body = json.dumps({"kind": "Table", "metadata": meta,
                           "rows": [{"cells": [name, "x", 3]} for name in names[start:start + limit]]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def start_api(folder):
    """Starts it, and writes the kubeconfig of its user."""
    api = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
    threading.Thread(target=api.serve_forever, daemon=True).start()
    url = "http://127.0.0.1:%d" % api.server_port
    (folder / ".kube").mkdir()
    (folder / ".kube/config").write_text(f"""
clusters: [{{name: c, cluster: {{server: '{url}'}}}}, {{name: d, cluster: {{server: 'http://127.0.0.1:1'}}}}]
users: [{{name: a, user: {{exec: {{command: cat, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always}}}}}}]
contexts:
- {{name: 'odd: name', context: {{cluster: c}}}}
- {{name: alpha, context: {{cluster: c}}}}
- {{name: dead, context: {{cluster: d}}}}
- {{name: asks, context: {{cluster: c, user: a}}}}
current-context: alpha
""")
    (folder / "other").write_text(f"""
clusters: [{{name: c, cluster: {{server: '{url}'}}}}]
contexts: [{{name: x, context: {{cluster: c, namespace: ml}}}}]
current-context: x
""")


def make_folder(folder, vpsml):
    (folder / "work/sub").mkdir(parents=True)
    (folder / "bin").mkdir()
    for name in ["work/odd file", "work/plain.env", "work/sub/inner.env"]:
        (folder / name).write_text("")
    (folder / "bin/odd-command").write_text("#!/bin/sh\n")
    (folder / "bin/odd-command").chmod(0o755)
    (folder / "bin/vpsml").symlink_to(os.path.abspath(vpsml))
    start_api(folder)
    return {"HOME": str(folder), "PATH": f"{folder}/bin:/usr/bin:/bin", "TERM": "dumb",
            "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": f"{folder}/config", "COLUMNS": "80"}


def normal(words):
    return sorted({word.rstrip("/") for word in words})


def check(shell, vpsml, program, lines, listings):
    script = subprocess.run(program + [shell], check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = make_folder(folder, vpsml)
        (folder / "script").write_bytes(script)
        session = SHELLS[shell](folder / "script", folder, environment)
        for line, expected, *only in lines:
            if only and shell not in only[0]:
                continue
            offered = normal(session.complete(line))
            if offered != normal(expected):
                FAILURES.append(line)
                print(f"{shell}: {line!r}\n  offers   {offered}\n  expected {normal(expected)}")
        if shell == "bash":
            for listing in listings:
                check_listing(session, *listing)
        session.close()


def check_listing(bash, line, row):
    """Only where words are listed, and not inserted, their help stands beside them, and notes."""
    screen = bash.list(line)
    if not re.search(rf"^{row}\r?$", screen, re.MULTILINE):
        FAILURES.append(line)
        print(f"bash: no {row!r} on the screen:\n{screen}")


def load_commands(vpsml):
    rows = subprocess.run([vpsml, "__options"], check=True, capture_output=True, text=True).stdout
    paths = [row.split("\t")[0].split() for row in rows.splitlines()[1:]]
    COMMANDS[:] = {path[1] for path in paths if len(path) > 1}


def main():
    shell, vpsml, odd_commands = sys.argv[1:]
    if not shutil.which(shell):
        print(f"skipped: no {shell} here")
        return 77
    load_commands(vpsml)
    check(shell, vpsml, [vpsml, "completion"], LINES,
          [("vpsml ", "version +show the version"),
           ("vpsml logs -n many job-", r".*\(there are more than these 200: type some letters\).*")])
    check(shell, vpsml, [odd_commands], ODD_LINES, [("vpsml inner ", "file +takes a file")])
    print(f"{len(LINES) + len(ODD_LINES)} lines, {len(FAILURES)} wrong")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
