# SPDX-License-Identifier: MIT
"""CPU and memory of commands, peers in turn, and whether targets are met."""
import os
import resource
import subprocess
import sys
import time


class Cost:
    """Of one run: CPU of the command with its children, the most memory it had, time on the clock."""

    def __init__(self, cpu_s, peak_mb, wall_s, stdout):
        self.cpu_s, self.peak_mb, self.wall_s, self.stdout = cpu_s, peak_mb, wall_s, stdout


def run(argv, env=None, text=None):
    """Runs it once. time(1) starts it, since a child of Python begins with Python's memory."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    read, write = os.pipe()
    with os.fdopen(read) as peak:
        done = subprocess.run(["/usr/bin/time", "-q", "-o", f"/dev/fd/{write}", "-f", "%M", *argv], env=env, input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=[write], check=False)
        os.close(write)
        wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(f"{' '.join(argv)}: status {done.returncode}: {done.stderr[-1000:]}")
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Cost(cpu, int(peak.read()) / 1024, wall, done.stdout)


def in_turn(commands, rounds):
    """{name: argv or function that returns a Cost}, one after another, ROUNDS times. The least CPU and memory of each."""
    best = {}
    for _ in range(rounds):
        for name, command in commands.items():
            cost = command() if callable(command) else run(command)
            least = best.setdefault(name, cost)
            least.cpu_s, least.peak_mb = min(least.cpu_s, cost.cpu_s), min(least.peak_mb, cost.peak_mb)
            least.wall_s = min(least.wall_s, cost.wall_s)
    return best


def load():
    return "load " + " ".join(f"{load:.1f}" for load in os.getloadavg())


class Targets:
    """Prints each figure beside its target; at the end the status says whether all were met."""

    def __init__(self):
        self.missed = 0

    def at_most(self, what, figure, limit, unit=""):
        is_met = figure <= limit
        self.missed += not is_met
        print(f"{'met   ' if is_met else 'MISSED'} {what}: {figure:.4g}{unit}, at most {limit:g}{unit}", flush=True)

    def at_least(self, what, figure, limit, unit=""):
        is_met = figure >= limit
        self.missed += not is_met
        print(f"{'met   ' if is_met else 'MISSED'} {what}: {figure:.4g}{unit}, at least {limit:g}{unit}", flush=True)

    def end(self):
        sys.exit(1 if self.missed else 0)
