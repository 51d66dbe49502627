#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What it takes to start: vpsml beside kubectl in the same run.

usage: startup.py VPSML KUBECTL [ROUNDS]
"""
import sys

import measure

PAIRS = {
    "version": (["version"], ["version", "--client"]),
    "--help": (["--help"], ["--help"]),
    "render job": (["render", "job", "x", "--image", "i", "--cpu", "1", "--memory", "1Gi", "--", "true"],
                   ["create", "job", "x", "--image", "i", "--dry-run=client", "-o", "yaml", "--", "true"]),
}


def main(vpsml, kubectl, rounds="20"):
    targets = measure.Targets()
    print(f"start-up, {rounds} rounds, {measure.load()}")
    for name, (own, peer) in PAIRS.items():
        best = measure.in_turn({"vpsml": [vpsml, *own], "kubectl": [kubectl, *peer]}, int(rounds))
        for program, cost in best.items():
            print(f"{program + ' ' + name:20} {cost.cpu_s * 1000:6.1f} ms CPU {cost.peak_mb:5.1f} MB")
        targets.at_most(f"{name}, CPU of kubectl's", best["vpsml"].cpu_s / best["kubectl"].cpu_s, 0.25)
        targets.at_most(f"{name}, memory", best["vpsml"].peak_mb, 12, " MB")
    targets.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
