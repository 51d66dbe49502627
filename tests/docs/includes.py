#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A folder includes only what its layer may, foreign headers stay in .c files of their folder,
pure code includes nothing that reaches outside, and #include lines are in order.

usage: includes.py TOP [--fix [FILE...]]      --fix: put the #include lines in order

Order in a .c file: its own header (or the one that it tests), system, project; in a .h file:
system, project. A blank line between, each sorted.
"""

import fnmatch
import os
import re
import sys

import c_source
import tree

BELOW_CMD = "base yaml cli http ssh kube sched jobs boot sim mon sandbox tui".split()

# What a folder under src/ may include, beside itself and base.
LAYERS = {
    "base": [],
    "yaml": [],
    "cli": [],
    "http": [],
    "ssh": [],
    "kube": ["yaml", "http"],
    "sched": [],
    "jobs": ["kube", "sched"],
    "boot": ["ssh", "kube", "yaml"],
    "sim": ["kube", "sched", "yaml"],
    "mon": ["ssh", "kube", "jobs"],
    "sandbox": ["sim"],
    "tui": ["mon"],
    "cmd": BELOW_CMD,
    "gen": ["cli", "cmd"],
    "": BELOW_CMD + ["cmd"],  # main.c
}

# Headers of libraries, and the .c files that may include them.
FOREIGN = {
    "cjson/cJSON.h": "src/base/*.c",
    "openssl/*": "src/base/*.c",
    "yaml.h": "src/yaml/*.c",
    "curl/*": "src/http/*.c",
    "libssh2*.h": "src/ssh/*.c",
    "microhttpd.h": "src/sandbox/*.c",
    "*curses*": "src/tui/term_curses.c",
    "term.h": "src/tui/term_curses.c",
    "ut*.h": "src/*.c",
    "linux/landlock.h": "src/base/*.c",
    "cmocka.h": "tests/*",
    "valgrind/*": "tests/*",
}

# C17 and POSIX.1-2008. Anything else must be named in FOREIGN.
SYSTEM = set(
    """assert ctype errno fenv float inttypes limits locale math setjmp signal stdalign stdarg stdatomic
    stdbool stddef stdint stdio stdlib stdnoreturn string time wchar wctype arpa/inet dirent dlfcn fcntl
    fnmatch glob grp iconv langinfo libgen net/if netdb netinet/in netinet/tcp poll pthread pwd regex sched
    semaphore spawn strings sys/file sys/mman sys/resource sys/select sys/socket sys/stat sys/statvfs
    sys/time sys/types sys/uio sys/un sys/utsname sys/wait syslog termios unistd utime sys/ioctl""".split()
)

# No I/O and no clock in these.
PURE = """jobs/amount jobs/needs jobs/quota kube/affinity kube/array kube/container kube/deployment kube/env kube/event kube/expand
    kube/hpa kube/image kube/job kube/manifest kube/meta kube/mount kube/name kube/node kube/pairs kube/pod
    kube/priority kube/quantity kube/resources kube/service kube/toleration kube/workload
    kube/workload_check sched/* boot/plan sim/* mon/alerts mon/allocation
    mon/history mon/infer mon/join mon/model mon/record* mon/show mon/totals mon/value mon/workloads
    tui/canvas tui/filter
    tui/frame tui/header tui/keys tui/layout tui/list tui/map tui/pen tui/prompt tui/screen tui/segments
    tui/style tui/table tui/view*""".split()
REACHING_OUT = """fcntl.h netdb.h poll.h pthread.h spawn.h sys/socket.h sys/stat.h time.h unistd.h
    stdio.h base/clock.h base/file.h base/log.h base/loop.h base/xdg.h http/*""".split()

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def matches(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: c_source.blank(m[0]), text, flags=re.DOTALL)


def includes(text):
    """(line, is in quotes, name) of each."""
    code = without_comments(text)
    return [(code.count("\n", 0, m.start()) + 1, m[1] == '"', m[2]) for m in INCLUDE.finditer(code)]


def layer_fault(path, name):
    """Why PATH in src may not include the project's NAME, or None."""
    own = os.path.dirname(path)[len("src/") :].split("/")[0]
    other = name.split("/")[0] if "/" in name else None
    if own not in LAYERS:
        return "src/%s is no layer: see includes.py" % own
    if other is None or other not in LAYERS:
        return 'write "FOLDER/FILE.h", as seen from src'
    if other != own and other != "base" and other not in LAYERS[own]:
        return "%s may not include %s" % (own or "main.c", other)
    return None


def system_fault(path, name):
    for pattern, where in FOREIGN.items():
        if fnmatch.fnmatch(name, pattern):
            return None if fnmatch.fnmatch(path, where) else "only %s may include it" % where
    if name.endswith(".h") and name[:-2] in SYSTEM:
        return None
    return "neither C17 nor POSIX, nor a library that includes.py knows"


def pure_fault(path, name):
    module = os.path.splitext(path)[0][len("src/") :]
    if matches(module, PURE) and matches(name, REACHING_OUT):
        return "pure code does no I/O and reads no clock"
    return None


def own_header(path, top):
    """The header that PATH implements, if there is one."""
    header = os.path.splitext(path)[0][len("src/") :] + ".h"
    has_one = path.endswith(".c") and path.startswith("src/")
    return header if has_one and os.path.exists(os.path.join(top, "src", header)) else None


def blocks_of(text):
    """The blocks of #include lines, each (first line, [(is in quotes, name)])."""
    blocks, last = [], None
    for line, is_project, name in includes(text):
        if last is None or line != last + 1:
            blocks.append((line, []))
        blocks[-1][1].append((is_project, name))
        last = line
    return blocks


def right_order(path, top, found):
    """The blocks as they should be, each a list of (is in quotes, name)."""
    first, rest = [], list(found)
    own = own_header(path, top)
    if path.endswith(".c") and own and (True, own) in rest:
        first = [(True, own)]
    elif path.endswith(".c") and not own and rest and rest[0][0]:
        first = [rest[0]]  # a command's "cmd/commands.h"; the header that a test is about
    rest = [include for include in rest if include not in first]
    system = sorted(include for include in rest if not include[0])
    project = sorted(include for include in rest if include[0])
    return [block for block in (first, system, project) if block]


def is_conditional(text):
    """Does an #include depend on an #if? Then their order is not ours to say."""
    code = without_comments(text)
    *_, last = INCLUDE.finditer(code)
    return bool(re.search(r"^[ \t]*#[ \t]*if", code[: last.start()], re.MULTILINE))


def order_fault(path, top, text):
    blocks = blocks_of(text)
    found = [include for _, block in blocks for include in block]
    wanted = right_order(path, top, found)
    if is_conditional(text) or (False, "cmocka.h") in found:  # which wants others before it
        return None
    if [block for _, block in blocks] != wanted:
        shown = " | ".join(" ".join(name for _, name in block) for block in wanted)
        return "%s:%d: the order of #include lines is: %s" % (path, blocks[0][0], shown)
    return None


def check_file(top, path):
    text, faults = tree.read(top, path), []
    for line, is_project, name in includes(text):
        if is_project:
            fault = layer_fault(path, name) if path.startswith("src/") else None
        else:
            fault = system_fault(path, name)
        fault = fault or (pure_fault(path, name) if path.startswith("src/") else None)
        if fault:
            faults.append("%s:%d: %s: %s" % (path, line, name, fault))
    fault = order_fault(path, top, text) if includes(text) else None
    return faults + ([fault] if fault else [])


def sources(top):
    found = tree.files(top, (".c", ".h"), "src") + tree.files(top, (".c", ".h"), "tests")
    return [path for path in found if not path.startswith("tests/lab/")]


def check(top):
    return [fault for path in sources(top) for fault in check_file(top, path)]


def fix(top, path):
    text = tree.read(top, path)
    if not includes(text) or not order_fault(path, top, text):
        return
    lines, blocks = text.split("\n"), blocks_of(text)
    first, last = blocks[0][0] - 1, blocks[-1][0] - 1 + len(blocks[-1][1])
    between = [line for line in lines[first:last] if line.strip() and not INCLUDE.match(line)]
    if between:
        print("%s: not touched, #include lines stand apart" % path)
        return
    kept = {name: line for line in lines[first:last] for _, _, name in includes(line)}
    wanted = right_order(path, top, [include for _, block in blocks for include in block])
    lines[first:last] = "\n\n".join("\n".join(kept[n] for _, n in block) for block in wanted).split("\n")
    with open(os.path.join(top, path), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    print(path)


if __name__ == "__main__":
    if "--fix" in sys.argv:
        for source in sys.argv[3:] or sources(sys.argv[1]):
            fix(sys.argv[1], source)
    else:
        tree.main(check)
