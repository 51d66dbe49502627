#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Jobs posted to a server that counts them. counted.py VPSML TEST; the tests are the functions below."""
import json
import re

import api
import bench_of
from bench_of import COMMAND, FLAGS, JOBS, check, jobs, manifest, stream
def once(fault):
    """A plan under which FAULT befalls the first POST that is no dry run."""
    left = [fault]

    def plan(method, target):
        return left.pop() if method == "POST" and left and "dryRun" not in target else None

    return plan


def cuts():
    """200 ways to lose a reply: before the work, and behind it at every few bytes of the answer."""
    for is_reset in (False, True):
        for _ in range(10):
            yield api.Fault(commits=False, cut=0, is_reset=is_reset)
        for place in range(90):
            yield api.Fault(cut=place * 7, is_reset=is_reset)


def reply_lost_after_post_200_cuts(bench):
    """client.md B: the reply is lost, 200 cut connections: always exactly one Job and exit 0."""
    all_cuts = list(cuts())
    check(len(all_cuts) == 200, "%d cuts" % len(all_cuts))
    for number, fault in enumerate(all_cuts):
        server = bench.serve(once(fault))
        done = bench.run("submit", "once", *FLAGS, *COMMAND)
        where = "cut %d (commits %s, after %s bytes, reset %s)" % (number, fault.commits, fault.cut,
                                                                   fault.is_reset)
        check(done.returncode == 0, "%s: exit %d: %s" % (where, done.returncode, done.stderr))
        check(jobs(bench) == ["once"], "%s: jobs %s" % (where, jobs(bench)))
        posts = sum(method == "POST" for method, _ in server.requests)
        check(posts == (1 if fault.commits else 2), "%s: %d POSTs" % (where, posts))


def reply_lost_in_many(bench):
    """The same for objects out of a file: every third reply is lost, each Job is made once."""
    seen = []

    def plan(method, target):
        if method != "POST" or "dryRun" in target:
            return None
        seen.append(target)
        return api.Fault(commits=len(seen) % 2 == 0, cut=len(seen)) if len(seen) % 3 == 0 else None

    bench.serve(plan)
    names = ["j%02d" % i for i in range(30)]
    done = bench.run("submit", "-f", "-", text=stream(*map(manifest, names)))
    check(done.returncode == 0, done.stderr)
    check(jobs(bench) == names, "jobs %s" % jobs(bench))
    check(done.stdout == "".join("job.batch/%s created\n" % name for name in names), done.stdout)


def dstack_2790_all_made(bench):
    """dstack#2790: 100 submits at once, the API says 429: Retry-After is honoured, all are made."""
    refused = {}

    def plan(method, target):
        if method != "POST" or "dryRun" in target:
            return None
        refused["count"] = refused.get("count", 0) + 1
        return api.Fault(status=429, retry_after=1) if refused["count"] % 5 == 0 else None

    server = bench.serve(plan)
    names = ["j%03d" % i for i in range(100)]
    done = bench.run("submit", "-f", "-", text=stream(*map(manifest, names)))
    check(done.returncode == 0, done.stderr)
    check(jobs(bench) == names, "%d jobs" % len(jobs(bench)))
    check(done.stdout.split("\n") == ["job.batch/%s created" % name for name in names] + [""], done.stdout)
    check(server.in_flight_max <= 8, "%d requests at once" % server.in_flight_max)
    check(server.connections <= 12, "%d connections for %d requests" % (server.connections, len(server.requests)))


def dstack_2790_all_reported(bench):
    """The same where the server has no end of it: each that was not made is named."""
    def plan(method, target):
        is_late = "dryRun" not in target and len(jobs(bench)) >= 3
        return api.Fault(status=429) if method == "POST" and is_late else None

    bench.serve(plan)
    names = ["j%d" % i for i in range(6)]
    done = bench.run("submit", "-f", "-", text=stream(*map(manifest, names)))
    made = jobs(bench)
    check(done.returncode == 4, "exit %d: %s" % (done.returncode, done.stderr))
    for name in names:
        told, failed = "job.batch/%s created" % name in done.stdout, 'job "%s"' % name in done.stderr
        check(told == (name in made) and failed != told, "%s: %s %s" % (name, done.stdout, done.stderr))
    check("3 of 6 were made" in done.stderr, done.stderr)


def all_faults_before_anything_is_made(bench):
    """One bad document: every fault is told with its place, and nothing is made."""
    server = bench.serve()
    text = "%s\n---\n%s\n---\nkind: Job\n---\n- 1\n" % (json.dumps(manifest("a")), json.dumps(manifest("B_d")))
    done = bench.run("submit", "-f", "-", text=text)
    check(done.returncode == 2 and not done.stdout, done.stderr)
    for part in ("stdin:3:", '"B_d"', "stdin:5:1: ", "stdin:7:1: "):
        check(part in done.stderr, "%s not in %s" % (part, done.stderr))
    check(not server.requests, "asked %s" % server.requests)


def taken_name_stops_all_before(bench):
    """A name that is taken comes out of the server's dry run: nothing is made; --replace takes its place."""
    server = bench.serve()
    check(bench.run("submit", "b", *FLAGS, *COMMAND).returncode == 0, "the first one")
    old = server.objects[JOBS + "/b"]["metadata"]["uid"]
    done = bench.run("submit", "-f", "-", text=stream(manifest("a"), manifest("b")))
    check(done.returncode == 4, "exit %d" % done.returncode)
    check('stdin:3:1: job "b" already exists' in done.stderr, done.stderr)
    check("nothing was made; --replace takes the place" in done.stderr and jobs(bench) == ["b"], "%s" % jobs(bench))
    done = bench.run("submit", "-f", "-", "--replace", text=stream(manifest("a"), manifest("b")))
    check(done.returncode == 0 and jobs(bench) == ["a", "b"], done.stderr)
    check(server.objects[JOBS + "/b"]["metadata"]["uid"] != old, "b is the old one")


def one_is_refused_the_others_are_made(bench):
    """Between check and work somebody took a name: that one is told, the others are made, exit 4."""
    def plan(method, target):
        if method == "POST" and "dryRun" not in target and JOBS + "/j1" not in bench.server.objects:
            bench.server.objects[JOBS + "/j1"] = {"metadata": {"name": "j1", "uid": "theirs"}}
        return None

    bench.serve(plan)
    done = bench.run("submit", "-f", "-", text=stream(*(manifest("j%d" % i) for i in range(3))))
    check(done.returncode == 4 and done.stdout == "job.batch/j0 created\njob.batch/j2 created\n",
          done.stdout + done.stderr)
    check('job "j1" already exists' in done.stderr and "2 of 3 were made" in done.stderr, done.stderr)


def server_goes_away(bench):
    """A server that is gone stops the rest; what was made and what not adds up."""
    def plan(method, target):
        if method == "POST" and "dryRun" not in target and len(jobs(bench)) >= 10:
            bench.server.close()
            return api.Fault(commits=False, cut=0, is_reset=True)
        return None

    bench.serve(plan)
    done = bench.run("submit", "-f", "-", text=stream(*(manifest("j%03d" % i) for i in range(50))))
    told = done.stdout.count(" created\n")
    rest = re.search(r"(\d+) of 50 were not sent", done.stderr)
    failed = len(set(re.findall(r'job "(j\d+)": ', done.stderr)))
    check(done.returncode == 3, "exit %d: %s" % (done.returncode, done.stderr))
    check(rest and told + failed + int(rest[1]) == 50, "%d %d\n%s" % (told, failed, done.stderr))
    check(told >= 10, "%d told" % told)


def interrupted(bench):
    """Ctrl-C: no more are sent, those on their way are waited for, what was made is told; exit 130."""
    def plan(method, target):
        if method == "POST" and "dryRun" not in target:
            if len(jobs(bench)) == 5:
                bench.interrupt()
            return api.Fault(delay_s=0.1)
        return None

    bench.serve(plan)
    done = bench.run("submit", "-f", "-", text=stream(*(manifest("j%03d" % i) for i in range(60))))
    made, told = len(jobs(bench)), done.stdout.count(" created\n")
    rest = re.search(r"(\d+) of 60 were not sent", done.stderr)
    check(done.returncode == 130, "exit %d: %s" % (done.returncode, done.stderr))
    check(5 <= made < 60 and told == made, "%d made, %d told" % (made, told))
    check(rest and int(rest[1]) == 60 - made and "%d of 60 were made" % made in done.stderr, done.stderr)


def dry_runs_make_nothing(bench):
    """--dry-run client asks nobody, server makes nothing; -q, -o name and --name-prefix."""
    server = bench.serve()
    text = stream(manifest("a"), manifest("b"))
    done = bench.run("submit", "-f", "-", "--dry-run", "client", "-o", "name", text=text)
    check(done.stdout == "job.batch/a\njob.batch/b\n" and not server.requests, done.stdout + done.stderr)
    done = bench.run("submit", "-f", "-", "--dry-run", "server", text=text)
    check(done.stdout == "".join("job.batch/%s would be created (server dry run)\n" % n for n in "ab"),
          done.stdout + done.stderr)
    check(not server.objects, "made %s" % list(server.objects))
    done = bench.run("submit", "-f", "-", "-q", "--name-prefix", text=text)
    check(re.fullmatch(r"a-\w{5}\nb-\w{5}\n", done.stdout), done.stdout + done.stderr)
    done = bench.run("submit", "-f", "-", "-o", "json", text=text)
    check([item["metadata"]["uid"][:4] for item in json.loads(done.stdout)["items"]] == ["uid-"] * 2,
          done.stdout + done.stderr)
    labels = server.objects[JOBS + "/a"]["metadata"]
    check(labels["labels"] == {"vpsml.dev/user": "tester"}, str(labels))
    check(len(labels["annotations"]["vpsml.dev/request-id"]) == 32, str(labels))


def settings_come_first(bench):
    """What jobs refer to and the same file makes is no fault, and is made before them."""
    server = bench.serve()
    job = manifest("a")
    job["spec"]["template"]["spec"]["containers"][0]["envFrom"] = [{"configMapRef": {"name": "m"}}]
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}, "data": {"A": "1"}}
    done = bench.run("submit", "-f", "-", text=stream(job, config))
    check(done.returncode == 0, done.stderr)
    posts = [target.split("?")[0].rsplit("/", 1)[1] for method, target in server.requests
             if method == "POST" and "dryRun" not in target]
    check(posts == ["configmaps", "jobs"], str(posts))


if __name__ == "__main__":
    bench_of.main(globals())
