#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each check of this folder finds what it is there to find: given a tree with one thing wrong, it
says so; given the tree without it, it says nothing.

usage: checks_can_fail.py TOP
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import c_source
import cluster_keys
import format
import includes
import prototypes
import shells
import sizes
import tree
import words

TOP = sys.argv.pop(1)
C = "// SPDX-License-Identifier: MIT\n"
SMALL = C + "static int f(void)\n{\n\treturn 0;\n}\n"


def long_function(head, lines):
    return head + "\n{\n" + "\tcall();\n" * (lines - 3) + "}\n"


class Checks(unittest.TestCase):
    """Every test makes a tree, checks it, breaks it and checks it again."""

    def faults(self, check, files):
        with tempfile.TemporaryDirectory() as top:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(top, path)) or top, exist_ok=True)
                with open(os.path.join(top, path), "w", encoding="utf-8", newline="") as file:
                    file.write(text)
            return list(check(top))

    def assert_finds(self, check, files, *parts):
        found = "\n".join(self.faults(check, files))
        for part in parts:
            self.assertIn(part, found)

    def assert_clean(self, check, files):
        self.assertEqual(self.faults(check, files), [])


class Sizes(Checks):
    def test_function_at_the_limit_and_over_it(self):
        many = "".join("static int g%d(void)\n{\n}\n" % i for i in range(40))
        fits = C + many + long_function("static void f(int a)", 60 - 1)
        self.assert_clean(sizes.check, {"src/base/a.c": fits})
        over = C + many + long_function("static void f(int a)", 62)
        self.assert_finds(sizes.check, {"src/base/a.c": over}, "src/base/a.c:122: f has 62 lines")

    def test_file_over_the_limit(self):
        self.assert_finds(
            sizes.check, {"src/base/a.c": SMALL + "int x;\n" * 600}, "src/base/a.c has 605 lines"
        )
        self.assert_finds(
            sizes.check, {"src/base/a.c": SMALL, "tests/unit/t.c": "int x;\n" * 601}, "tests/unit/t.c has 601"
        )

    def test_long_macro_counts(self):
        text = SMALL + "#define M \\\n" + "\tx; \\\n" * 61 + "\ty\n"
        self.assert_finds(sizes.check, {"src/base/a.c": text}, "M has 63 lines")

    def test_many_middling_functions(self):
        text = C + "".join(long_function("static int f%d(void)" % i, 50) for i in range(8))
        self.assert_finds(sizes.check, {"src/base/a.c": text}, "90 % of the functions")


class Functions(Checks):
    """Braces where they do not count, heads of every form."""

    def names(self, text):
        return [(name, line, length) for name, line, length in c_source.functions(text)]

    def test_braces_in_strings_comments_and_branches(self):
        text = (
            'static void a(void)\n{\n\tputs("}{{");\n\tputc(\'{\');\n\t// }\n\t/* }\n } */\n}\n'
            "#if X\nint b(int c)\n{\n#else\nint b(void)\n{\n#endif\n}\n"
            '#define OPEN {\n#define TEXT "a\\"{" \\\n\t"{"\nint c(void) { return 1; }\n'
        )
        self.assertEqual(self.names(text), [("a", 1, 8), ("b", 10, 7), ("c", 20, 1)])

    def test_heads(self):
        text = (
            "ROW(x, call(1))\nROW(y, call(2))\n"
            "static const struct s *\nlong_name(int (*f)(void), struct t t)\n{\n}\n"
            "struct s {\n\tint a;\n};\n"
            "static struct s table[] = {{f(1)}, {2}};\n"
            "static void (*chosen(int i))(void)\n{\n}\n"
            "int g(void) _printf_(1, 2)\n{\n}\n"
            "static inline int h(void) __attribute__((const))\n{\n\tif (x) {\n\t}\n}\n"
        )
        found = [name for name, _, _ in self.names(text)]
        self.assertEqual(found, ["long_name", "chosen", "g", "h"])

    def test_unbalanced_text_is_refused(self):
        for text in ("int f(void)\n{\n", "int f(void)\n{\n}}\n"):
            self.assert_finds(sizes.check, {"src/base/a.c": text}, "src/base/a.c: ")

    def test_agrees_with_ctags(self):
        if not shutil.which("ctags"):
            self.skipTest("no ctags here")
        paths = tree.files(TOP, (".c",), "src")
        done = subprocess.run(
            ["ctags", "--output-format=json", "--fields=+ne", "--kinds-C=f", "-f", "-", *paths],
            cwd=TOP,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            self.skipTest("ctags here is not Universal Ctags")
        ends = set()
        for line in done.stdout.splitlines():
            tag = json.loads(line)
            ends.add((tag["path"], tag["name"], tag.get("end")))
        for path in paths:
            for name, line, length in c_source.functions(tree.read(TOP, path)):
                self.assertIn((path, name, line + length - 1), ends)
                ends.discard((path, name, line + length - 1))
        self.assertEqual({end for end in ends if end[2]}, set())


class Includes(Checks):
    def assert_refused(self, path, lines, part):
        files = {path: C + lines, "src/kube/job.h": C}
        self.assert_finds(includes.check, files, part)

    def test_layers(self):
        self.assert_clean(
            includes.check,
            {
                "src/kube/job.h": C,
                "src/kube/job.c": C + '#include "kube/job.h"\n\n#include <string.h>\n\n#include "base/err.h"\n',
            },
        )
        self.assert_refused("src/base/a.c", '#include "kube/job.h"\n', "base may not include kube")
        self.assert_refused("src/kube/b.c", '#include "cmd/commands.h"\n', "kube may not include cmd")
        self.assert_refused("src/kube/b.c", '#include "ssh/ssh.h"\n', "kube may not include ssh")
        self.assert_refused("src/kube/b.c", '#include "job.h"\n', 'write "FOLDER/FILE.h"')
        self.assert_refused("src/new/b.c", '#include "base/err.h"\n', "src/new is no layer")

    def test_comments_do_not_hide_or_make_an_include(self):
        self.assert_refused("src/base/a.c", '#  include /* x */ "kube/job.h"\n', "base may not")
        self.assert_clean(includes.check, {"src/base/a.c": C + '/*\n#include "kube/job.h"\n*/\n'})

    def test_foreign_headers(self):
        self.assert_refused("src/kube/b.c", "#include <curl/curl.h>\n", "only src/http/*.c may")
        self.assert_refused("src/http/b.h", "#include <curl/curl.h>\n", "only src/http/*.c may")
        self.assert_refused("src/tui/views.c", "#include <ncurses.h>\n", "only src/tui/term_curses.c")
        self.assert_refused("src/base/a.c", "#include <sys/epoll.h>\n", "neither C17 nor POSIX")
        self.assert_clean(includes.check, {"src/http/b.c": C + "#include <curl/curl.h>\n"})

    def test_pure_code(self):
        self.assert_refused("src/kube/quantity.c", "#include <time.h>\n", "pure code")
        self.assert_refused("src/sched/a.c", '#include "base/file.h"\n', "pure code")

    def test_order(self):
        head = {"src/base/a.h": C, "src/base/err.h": C}
        for lines in (
            '#include <stdio.h>\n\n#include "base/a.h"\n',
            '#include "base/a.h"\n#include <stdio.h>\n',
            '#include "base/a.h"\n\n#include <string.h>\n#include <stdio.h>\n',
            '#include "base/a.h"\n\n#include "base/err.h"\n\n#include <stdio.h>\n',
        ):
            self.assert_finds(includes.check, dict(head, **{"src/base/a.c": C + lines}), "the order of")
        self.assert_finds(
            includes.check, {"src/base/b.h": C + '#include "base/a.h"\n\n#include <stdio.h>\n'}, "the order of"
        )


class Others(Checks):
    def test_format(self):
        if not shutil.which(format.PROGRAM):
            self.skipTest("no %s here" % format.PROGRAM)
        self.assert_clean(format.check, {".clang-format": "BasedOnStyle: LLVM\n", "src/a.c": "int a;\n"})
        self.assert_finds(
            format.check, {".clang-format": "BasedOnStyle: LLVM\n", "src/a.c": "int  a ;\n"}, "src/a.c: not"
        )

    def test_shells(self):
        if not shutil.which("shellcheck"):
            self.skipTest("no shellcheck here")
        self.assert_clean(shells.check, {"run": "#!/bin/bash\necho hello\n"})
        self.assert_finds(shells.check, {"run": "#!/bin/bash\nrm $1\n"}, "SC2086")
        self.assert_finds(shells.check, {"a.sh": "# shellcheck shell=sh\nrm $1\n"}, "SC2086")

    def test_words(self):
        self.assert_clean(words.check, {"src/base/a.c": SMALL, "README.md": "See /root/.kube/config.\n"})
        self.assert_finds(words.check, {"src/a.c": "int a;\n"}, "src/a.c: the first line")
        self.assert_finds(words.check, {"run": "#!/bin/sh\necho\n"}, "run: the first line")
        self.assert_finds(words.check, {"src/base/utils.c": SMALL}, "the name says nothing")
        self.assert_finds(words.check, {"a.yaml": "a: 1\r\n"}, "ends in CR")
        self.assert_finds(words.check, {"a.yaml": "a: 1 \n"}, "ends in blanks")
        self.assert_finds(words.check, {"a.yaml": "a: 1"}, "the last line does not end")
        place = "/" + "home/someone/vpsml"
        self.assert_finds(words.check, {"README.md": "cd %s\n" % place}, "a place on one machine")

    def test_cluster_keys(self):
        code = '{.name = "endpoint"}, MAP("proxy", proxy, keys)'
        good = ".It Cm endpoint\n.It Cm proxy\n"
        files = {"src/boot/inventory_keys.c": code, "man/vpsml-cluster.5": good}
        self.assert_clean(cluster_keys.check, files)
        files["man/vpsml-cluster.5"] = ".It Cm proxy\n.It Cm port\n"
        self.assert_finds(cluster_keys.check, files, "man/vpsml-cluster.5:", "endpoint is missing")
        self.assert_finds(cluster_keys.check, files, "man/vpsml-cluster.5:", "port is no key")

    def test_prototypes(self):
        for good in (
            C + "// Adds.\nint add(int a,\n        int b);\n",
            C + "// Both.\nint add(int a);\nint sub(int a);\n",
            C + "int a_get(void); // what it is\n",
            C + "void a_release(struct a *a);\n",
            C + "static inline int f(int a)\n{\n\treturn g(a);\n}\n",
        ):
            self.assert_clean(prototypes.check, {"src/base/a.h": good})
        for bad in (
            C + "\nint add(int a);\n",
            C + "// Adds.\n\nint add(int a);\n",
            C + "\nconst struct s *\nadd(int a) _nodiscard_;\n",
            C + "\nint sub(int a);\n// Adds.\nint add(int a);\n",
        ):
            self.assert_finds(prototypes.check, {"src/base/a.h": bad}, "src/base/a.h:", "no comment above")


if __name__ == "__main__":
    unittest.main()
