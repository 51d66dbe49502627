#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How vpsml behaves towards what is around it: terminals, pipes, signals, locales, arguments.

usage: surroundings.py VPSML      VPSML_WRAPPER, if set, is a command that vpsml runs under
"""

import os
import pty
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

VPSML = shlex.split(os.environ.get("VPSML_WRAPPER", "")) + [os.path.abspath(sys.argv.pop(1))]
WARNS = ["render", "job", "x", "--image", "i", "-o", "name"]
FAILS = ["render", "job", "x", "--imge", "i"]
PLENTY = ["render", "job", "x", "-q", "--image", "i", "-e", "A=" + "x" * 100000]
ESC = "\033"


def run(*args, env=None, program=None, **more):
    """Runs vpsml with ENV added to a plain environment."""
    sanitizers = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
    surroundings = dict({"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, **sanitizers)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    return subprocess.run([*(program or VPSML), *args], env=dict(surroundings, **(env or {})), check=False, **dict(streams, **more))


def on_terminal(*args, env=None):
    """What a terminal gets on its standard error."""
    ours, theirs = pty.openpty()
    try:
        run(*args, env=env, stderr=theirs)
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # Linux says so when the other end has gone
                break
            if not piece:
                break
            shown += piece
        return shown.decode()
    finally:
        os.close(ours)


class Colours(unittest.TestCase):
    def test_on_a_terminal(self):
        self.assertIn(ESC + "[1;31merror: " + ESC + "[0munknown option", on_terminal(*FAILS, env={"TERM": "xterm"}))
        self.assertIn(ESC + "[1;33mwarning: ", on_terminal(*WARNS, env={"TERM": "xterm"}))

    def test_not_wanted(self):
        for env in ({"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}, {}):
            shown = on_terminal(*FAILS, env=env)
            self.assertIn("error: unknown option", shown)
            self.assertNotIn(ESC, shown)

    def test_empty_no_color_means_nothing(self):
        self.assertIn(ESC, on_terminal(*FAILS, env={"TERM": "xterm", "NO_COLOR": ""}))

    def test_not_off_a_terminal(self):
        for args in (FAILS, WARNS):
            done = run(*args, env={"TERM": "xterm"})
            self.assertNotIn(ESC.encode(), done.stderr + done.stdout)

    def test_escapes_that_were_typed_stay_out(self):
        shown = on_terminal("render", "job", ESC + "]0;title\a" + ESC + "[2J", "--image", "i", env={"TERM": "dumb"})
        self.assertIn("^[]0;title^G^[[2J", shown)
        self.assertNotIn(ESC, shown)


class Pipes(unittest.TestCase):
    def with_no_reader(self, *args, ignored):
        reader, writer = os.pipe()
        os.close(reader)

        def ignore():
            signal.signal(signal.SIGPIPE, signal.SIG_IGN if ignored else signal.SIG_DFL)

        try:
            return run(*args, stdout=writer, preexec_fn=ignore, restore_signals=False)
        finally:
            os.close(writer)

    def test_reader_has_gone(self):
        for args in (PLENTY, ["--help"], ["render", "priority"]):
            done = self.with_no_reader(*args, ignored=False)
            self.assertIn(done.returncode, (-signal.SIGPIPE, 128 + signal.SIGPIPE))
            self.assertEqual(done.stderr, b"")

    def test_reader_has_gone_and_sigpipe_is_ignored(self):
        for args in (PLENTY, ["--help"], ["render", "priority"]):
            done = self.with_no_reader(*args, ignored=True)
            self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGPIPE, b""))

    def test_reader_takes_a_little(self):
        line = "%s | head -c 1" % shlex.join([*VPSML, *PLENTY])
        for trap in ("", "trap '' PIPE; "):
            done = subprocess.run(["bash", "-c", trap + line], capture_output=True, check=False)
            self.assertEqual((done.stdout, done.stderr), (b"a", b""))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            for args in (PLENTY, ["--help"], ["version"]):
                done = run(*args, stdout=full)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr, b"vpsml: error: standard output: No space left on device\n")

    def test_closed_streams(self):
        done = subprocess.run(
            ["bash", "-c", "%s <&- 2>&-" % shlex.join([*VPSML, *FAILS])], capture_output=True, check=False
        )
        self.assertEqual((done.returncode, done.stdout), (2, b""))

    @unittest.skipIf(len(VPSML) > 1, "a wrapper's own files would take the place of standard output")
    def test_closed_standard_output(self):
        done = subprocess.run(
            ["bash", "-c", "%s render priority >&-" % shlex.join(VPSML)], capture_output=True, check=False
        )
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"vpsml: error: standard output: Bad file descriptor\n")

    # What curl and git do: else the connection would be our standard output.
    @unittest.skipIf(len(VPSML) > 1, "a wrapper's own files would take their place")
    def test_closed_streams_are_not_given_away(self):
        with tempfile.TemporaryDirectory() as folder:
            plugin = os.path.join(folder, "plugin")
            with open(plugin, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nfor fd in 0 1 2; do readlink /proc/$PPID/fd/$fd; done >%s/seen\n" % folder)
            os.chmod(plugin, 0o700)
            with open(os.path.join(folder, "conf"), "w", encoding="utf-8") as file:
                file.write(
                    "clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\n"
                    "users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1,"
                    " command: %s, interactiveMode: Never}}}]\n"
                    "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n" % plugin
                )
            command = "%s list --kubeconfig %s/conf <&- >&- 2>&-" % (shlex.join(VPSML), folder)
            self.assertEqual(subprocess.run(["bash", "-c", command], check=False).returncode, 6)
            with open(os.path.join(folder, "seen"), encoding="utf-8") as file:
                self.assertEqual(file.read(), 3 * "/dev/null\n")


class Locales(unittest.TestCase):
    ARGS = "render job x --image i --cpu 1.5 --memory 2.5Gi -e E=ü -e F=漢字 --label a=1 -- run İı".split()

    def test_same_everywhere(self):
        wanted = run(*self.ARGS).stdout
        self.assertIn(b'cpu: "1500m"', wanted)
        for name in ("C", "POSIX", "en_US.ISO-8859-1", "nosuch", ""):
            done = run(*self.ARGS, env={"LC_ALL": name, "LANG": name})
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, wanted, b""))

    def test_decimal_comma_and_odd_letters(self):
        if not shutil.which("localedef") or not os.path.exists("/usr/share/i18n/locales/tr_TR"):
            self.skipTest("no localedef with its locales here")
        wanted = run(*self.ARGS).stdout
        # glibc's setlocale itself keeps what it makes of LOCPATH, which LeakSanitizer and valgrind
        # would report: the program runs alone here.
        no_leaks = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        with tempfile.TemporaryDirectory() as folder:
            for name in ("de_DE", "tr_TR"):
                path = os.path.join(folder, name + ".UTF-8")
                subprocess.run(["localedef", "-i", name, "-f", "UTF-8", path], check=True, capture_output=True)
                done = run(*self.ARGS, program=VPSML[-1:], env={"LOCPATH": folder, "LC_ALL": name + ".UTF-8", "ASAN_OPTIONS": no_leaks})
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, wanted, b""))


class Arguments(unittest.TestCase):
    def test_not_utf8(self):
        for args in (
            ["render", "job", b"a\xff", "--image", "i"],
            ["render", "job", "x", "--image", b"\xc3"],
            ["render", "job", "x", "--image", "i", "-e", b"A=\xed\xa0\x80"],
            ["render", "job", "x", "--image", "i", "--", b"\xf5\x80\x80\x80"],
            [b"\xff"],
            [b"--\xff"],
            ["render", "job", b"--\xff=1"],
        ):
            done = run(*args)
            self.assertEqual((done.returncode, done.stdout), (2, b""), args)
            done.stderr.decode("utf-8")  # what is shown is
            self.assertTrue(done.stderr.startswith(b"vpsml: error: "))

    def test_not_utf8_in_the_environment(self):
        done = run("render", "job", "x", "--image", "i", "-e", "A", env={"A": os.fsdecode(b"\xff")})
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertEqual(done.stderr, b'vpsml: error: --env: the value of "A" is not UTF-8\n')

    def test_rancher_dashboard_2148_too_much(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("A=%s\n" % ("x" * 200 * 1024))
            file.flush()
            done = run("render", "job", "x", "-q", "--image", "i", "--env-file", file.name)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(b"131071", done.stderr)
            self.assertLess(len(done.stderr), 1000)
            file.write("B=y\n" * 1000 * 1000)
            file.flush()
            done = run("render", "job", "x", "-q", "--image", "i", "--env-file", file.name)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(b"--env-file", done.stderr)

    def test_very_many(self):
        many = [word for i in range(2000) for word in ("-e", "A%d=%d" % (i, i))]
        done = run("render", "job", "x", "-q", "--image", "i", *many)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b'- name: A1999\n          value: "1999"\n', done.stdout)

    def test_no_program_name(self):
        done = subprocess.run([], executable=VPSML[-1], capture_output=True, check=False)
        self.assertEqual(done.returncode % 256, 2)


class Kubectl(unittest.TestCase):
    """`kubectl vpsml` starts us by another name, and by a third one to complete the line."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def started_as(self, name, *args):
        link = os.path.join(self.folder.name, name)
        if not os.path.islink(link):
            os.symlink(VPSML[-1], link)
        done = run(*args, program=VPSML[:-1] + [link])
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_usage(self):
        for args, line in (
            (["--help"], "Usage: kubectl vpsml COMMAND [OPTION...]"),
            (["help", "render", "job"], "Usage: kubectl vpsml render job NAME [OPTION...] [-- COMMAND...]"),
            (["ps", "-h"], "Usage: kubectl vpsml list [OPTION...]"),
        ):
            status, out, err = self.started_as("kubectl-vpsml", *args)
            self.assertEqual((status, out.splitlines()[0], err), (0, line, ""))
        self.assertIn("\n  kubectl vpsml wait cnn nlp\n", self.started_as("kubectl-vpsml", "wait", "--help")[1])

    def test_messages(self):
        self.assertEqual(
            self.started_as("kubectl-vpsml", "render"),
            (2, "", 'vpsml: error: no command: see "kubectl vpsml render --help"\n'),
        )

    def test_the_rest_is_the_same(self):
        for args in (["version"], ["--version"], ["render", "job", "x", "-q", "--image", "i"]):
            done = run(*args)
            self.assertEqual(
                self.started_as("kubectl-vpsml", *args), (done.returncode, done.stdout.decode(), done.stderr.decode())
            )

    def test_completion(self):
        for args, out in (
            (["comp"], "completion\tprint the script that completes vpsml's command line\n:4\n"),
            (["completion", ""], "bash\nzsh\nfish\n:4\n"),
            (["render", "job", "x", "--env-file", ""], ":0\n"),
            (["bogus", ""], ":4\n"),
            ([], ""),
        ):
            self.assertEqual(self.started_as("kubectl_complete-vpsml", *args), (0, out, ""))


if __name__ == "__main__":
    unittest.main()
