#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the API server has understood what was sent: each object that it returned has all that was sent,
with the same values. What it adds of its own does not count; a quantity may be written in another way.

usage: reads_same.py RETURNED SENT...    (RETURNED: objects in JSON, one after another; SENT: YAML or JSON)
"""

import fractions
import json
import re
import sys

import yaml

SUFFIXES = {"n": (10, -9), "u": (10, -6), "m": (10, -3), "": (10, 0), "k": (10, 3), "M": (10, 6), "G": (10, 9),
            "T": (10, 12), "P": (10, 15), "E": (10, 18), "Ki": (2, 10), "Mi": (2, 20), "Gi": (2, 30), "Ti": (2, 40),
            "Pi": (2, 50), "Ei": (2, 60)}
GROWING = {"tolerations", "volumes", "volumeMounts"}  # a pod's, to which admission adds at the end
AMOUNTS = {"limits", "requests", "sizeLimit", "averageValue"}  # the fields that are quantities, or maps of them


def amount(value):
    match = re.fullmatch(r"([0-9.]+)([a-zA-Z]*)", str(value))
    if not match or match[2] not in SUFFIXES:
        return value
    base, power = SUFFIXES[match[2]]
    return fractions.Fraction(match[1]) * fractions.Fraction(base) ** power


def has_length(got, length, path):
    return len(got) == length or (len(got) > length and path.rsplit(".", 1)[1] in GROWING)


def faults(sent, got, path, is_amount=False):
    """What of SENT is not in GOT."""
    if isinstance(sent, dict) and isinstance(got, dict):
        for key, value in sent.items():
            yield from faults(value, got.get(key), path + "." + key, is_amount or key in AMOUNTS)
    elif isinstance(sent, list) and isinstance(got, list) and has_length(got, len(sent), path):
        for i, value in enumerate(sent):
            yield from faults(value, got[i], "%s[%d]" % (path, i))
    elif is_amount and amount(sent) == amount(got):
        pass
    elif not sent and got is None:
        pass  # what is empty may be left out
    elif type(sent) is not type(got) or sent != got:
        yield "%s: %.80r was sent, %.80r came back" % (path, sent, got)


def objects(tree):
    return tree["items"] if tree["kind"] == "List" else [tree]


def returned(text):
    decoder, at, found = json.JSONDecoder(), 0, {}
    while at < len(text):
        tree, at = decoder.raw_decode(text, at)
        at += len(text) - at - len(text[at:].lstrip())
        for one in objects(tree):
            found.setdefault((one["kind"], one["metadata"]["name"]), []).append(one)
    return found


def main(path, *sent):
    with open(path, encoding="utf-8") as file:
        found = returned(file.read())
    same, wrong = 0, []
    for name in sent:
        with open(name, encoding="utf-8") as file:
            trees = [tree for tree in yaml.safe_load_all(file) if tree]
        for one in [one for tree in trees for one in objects(tree)]:
            key = (one["kind"], one["metadata"]["name"])
            answers = found.get(key)
            if answers:
                found_here = list(faults(one, answers.pop(0), ""))
                same += not found_here
                wrong += ["%s: %s/%s%s" % (name, *key, fault) for fault in found_here]
    print(*wrong, "%d objects read the same" % same, sep="\n")
    sys.exit(0 if same and not wrong else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
