#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Any string that vpsml writes as YAML comes back byte for byte.

usage: roundtrip.py YAML_STRINGS [SEED [COUNT]]

Random strings, seeded, stand as values, keys and list items; what YAML_STRINGS writes is read
by PyYAML (YAML 1.1) and by vpsml's own reader, and must be what it was.
"""

import json
import os
import random
import subprocess
import sys

SKIP = 77
# Which python3 has PyYAML differs: the one in PATH may be one of several.
OTHER_PYTHONS = ["/usr/bin/python3", "/usr/local/bin/python3"]

try:
    import yaml
except ImportError:
    for other in OTHER_PYTHONS:
        if os.path.exists(other) and not os.environ.get("ROUNDTRIP_PYTHON"):
            if subprocess.call([other, "-c", "import yaml"], stderr=subprocess.DEVNULL) == 0:
                os.environ["ROUNDTRIP_PYTHON"] = other
                os.execv(other, [other] + sys.argv)
    print("skipped: no python3 with PyYAML")
    sys.exit(SKIP)

# PyYAML is two readers: one around libyaml, and a slow one of its own.
FAST_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

WORDS = """y Y yes Yes YES yEs n N no No NO true True TRUE tRUE false False on On ON off Off OFF null
Null NULL nil ~ nan .nan .NaN inf .inf -.inf +.Inf infinity = << - -- --- ... ? : , [ ] { } # & * ! | > ' "
% @ ` 0 00 07 0755 0o755 0x1F 0b11 08 1 -1 +1 1_000 1e3 1E3 1e+3 1.5e3 .5 1. 1.0 -0 1:30 1:30:00 190:20:30.15
2001-12-14 2001-12-14t21:59:43.10-05:00 12e03 685.230_15e+03 1e400 0xZ 0o8 9223372036854775808 -a *a &a !a !!int
a:b a:b:c a: :a a:1 pytorch:2.0-gpu nvidia.com/gpu system:node:x user@host k=v --flag=v http://h:80/p?q=1&r=2
a#b a#b #a a b a-b a,b [a] {a} {} [] "" '' a'b a"b \\ \\n \\x41 $HOME $(date) ${X} %TAG %YAML --- --x ... ...a
<nil> None True/False /a/b ./a ../a ~/a _ __ _1 e1 E5 x0 0x _0x1 a. a- a_ a/ 1.2.3 10.0.0.5 v1.34.0 1Gi 500m
""".split()

SPECIAL = (
    list("\t\n\r :#-?,[]{}&*!|>'\"%@`\\~=<.+_/0123456789abcdefxoyntYNTF")
    + [chr(c) for c in range(1, 0x21)]
    + ["\x7f", "\x80", "\x85", "\x9b", "\xa0", "\xad", "\u061c", "\u200b", "\u200e", "\u2028", "\u2029"]
    + ["\u202e", "\u2066", "\ufeff", "\ufffd", "\ufffe", "\uffff", "\ud7ff", "\ue000"]
    + ["é", "ß", "漢", "字", "🚀", "\U0010ffff", "\U0001f1e9", "e\u0301"]
)


def any_char(rng):
    kind = rng.randrange(10)
    if kind < 5:
        return chr(rng.randrange(0x20, 0x7F))
    if kind < 9:
        return rng.choice(SPECIAL)
    while True:
        code = rng.randrange(1, 0x110000)
        if not 0xD800 <= code < 0xE000:
            return chr(code)


def number_like(rng):
    return "".join(rng.choice("0123456789+-._eExob:TZaf") for _ in range(rng.randrange(1, 9)))


def lines(rng):
    pieces = []
    for _ in range(rng.randrange(1, 6)):
        pieces.append(rng.choice(["", " ", "  ", "\t"]) * rng.choice([0, 0, 0, 1]))
        pieces.append(" ".join(rng.choice(WORDS) for _ in range(rng.randrange(0, 4))))
        pieces.append(rng.choice(["\n", "\n", "\n", "\n\n", " \n", "\t\n", "\r\n"]))
    return "".join(pieces) + rng.choice(["", "end", "end\n", "\n", " "])


def any_string(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return rng.choice(WORDS)
    if kind == 1:
        return number_like(rng)
    if kind == 2:
        return lines(rng)
    if kind == 3:
        return rng.choice(["", " ", "\t", "\n"]) + rng.choice(WORDS) + rng.choice(["", " ", "\n", ":"])
    if kind == 4:
        return "".join(rng.choice("ab1 :/.-_@=+,") for _ in range(rng.randrange(1, 12)))
    if kind == 5:
        return "".join(any_char(rng) for _ in range(rng.randrange(20, 400)))
    if kind == 6:
        return "".join(rng.choice("abc:/-. ") for _ in range(rng.randrange(900, 1200)))
    return "".join(any_char(rng) for _ in range(rng.randrange(0, 12)))


def tree_of(strings):
    """Every string as a value, as a key, in lists, and in lists and maps inside each other."""
    return {
        "values": {"k%d" % i: s for i, s in enumerate(strings)},
        "keys": {s: i for i, s in enumerate(strings)},
        "keys of lists": {s: [s] for s in strings[::6]},
        "keys of maps": {s: {s: s} for s in strings[1::6]},
        "items": strings,
        "nested": [[s, {s: s}, [[s]]] for s in strings[::10]],
        "maps": [{s: s, "then": [], "and": {}} for s in strings[::10]],
        "empty": [{}, [], "", None, True, False],
        "numbers": [0, -1, 1.5, 1e20, -2.5e-7, 1e300, 2**53, 1000000000000000],
    }


def run(program, verb, text):
    done = subprocess.run([program, verb], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit("%s %s: %s" % (program, verb, done.stderr.decode(errors="replace")))
    return done.stdout


def difference(before, after, path=""):
    """The first place where two trees differ, or None."""
    if type(before) is not type(after) and not (
        isinstance(before, (int, float)) and isinstance(after, (int, float)) and before == after
    ):
        return "%s: %r became %r" % (path, before, after)
    if isinstance(before, dict):
        if list(before) != list(after):
            return "%s: keys differ: %r" % (path, set(before) ^ set(after))
        pairs = [(before[k], after[k], "%s.%r" % (path, k)) for k in before]
    elif isinstance(before, list):
        if len(before) != len(after):
            return "%s: %d items became %d" % (path, len(before), len(after))
        pairs = [(b, a, "%s[%d]" % (path, i)) for i, (b, a) in enumerate(zip(before, after))]
    else:
        return None if before == after else "%s: %r became %r" % (path, before, after)
    for b, a, where in pairs:
        found = difference(b, a, where)
        if found:
            return found
    return None


def check_file(text):
    """What people see in the file, whatever its strings are."""
    for number, line in enumerate(text.decode().split("\n"), 1):
        if line != line.rstrip(" \t"):
            sys.exit("line %d ends in blanks: %r" % (number, line))
        if any(ord(c) < 0x20 and c != "\t" or 0x7F <= ord(c) < 0xA0 for c in line):
            sys.exit("line %d has a control character: %r" % (number, line))


def check(program, strings, loader):
    before = tree_of(strings)
    text = run(program, "write", json.dumps(before, ensure_ascii=False).encode())
    check_file(text)
    for reader, after in (
        (loader.__name__, yaml.load(text, Loader=loader)),
        ("vpsml", json.loads(run(program, "read", text))),
    ):
        found = difference(before, after)
        if found:
            sys.exit("read by %s: %s" % (reader, found))


def main():
    program = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20260101
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 12000
    rng = random.Random(seed)
    strings = set(WORDS)
    while len(strings) < count:
        strings.add(any_string(rng))
    ordered = sorted(strings)
    check(program, ordered, FAST_LOADER)
    check(program, ordered[::12], yaml.SafeLoader)
    print("%d strings came back unchanged (seed %d)" % (len(strings), seed))


if __name__ == "__main__":
    main()
