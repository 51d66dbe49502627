#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a record (NDJSON, see src/mon/record.h) of a cluster that does not exist: the same bytes
always.

usage: fixture.py three|many|bad|thousand

three     3 nodes with 8 GPUs each: one idle, one hot, one lost, one MIG, one XID, one node silent
many      300 nodes with 8 GPUs each
bad       names and numbers from outside at their worst
thousand  1,000 nodes with 8 GPUs each, for measuring
"""

import json
import sys

NOW = 1796094847000  # 2026-12-01 03:14:07 UTC
GIB = 1024**3


class Dice:
    """Numbers that look random and are not: a linear congruential generator."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n

    def curve(self, around, spread):
        """120 samples of a graph."""
        return [max(0, min(100, around + self.below(2 * spread + 1) - spread)) for _ in range(120)]


def value(number, age_s=2, source="ssh"):
    return [number, age_s * 1000, source]


def gpu(index, node, util, used_gib, watts, celsius, owner=None, **more):
    values = {
        "util_pct": value(util),
        "vram_used_bytes": value(used_gib * GIB),
        "vram_reserved_bytes": value(0.6 * GIB),
        "vram_total_bytes": value(79.6 * GIB),
        "temperature_c": value(celsius),
        "power_w": value(watts),
        "power_limit_w": value(700),
        "throttle_bits": value(0),
        "ecc_errors": value(0),
        "xid": value(0, 12, "exporter"),
        "sm_clock_mhz": value(1410),
    }
    made = {"index": index, "uuid": "GPU-%s-%d" % (node, index), "model": "NVIDIA H100 80GB HBM3", "values": values}
    if owner:
        made["owners"] = [{"namespace": owner.split("/")[0], "pod": owner.split("/")[1]}]
    return {**made, **more}


def node(name, gpus, cpu, memory, allocatable=8, **more):
    return {
        "name": name,
        "pool": "h100",
        "version": "v1.31.2",
        "is_in_api": True,
        "ready": "yes",
        "cpu_capacity_milli": 128000,
        "cpu_allocatable_milli": 127000,
        "memory_capacity_bytes": 503 * GIB,
        "memory_allocatable_bytes": 500 * GIB,
        "gpu_source": "ssh",
        "gpu_heard_ms": NOW - 2000,
        "values": {
            "cpu_milli": value(cpu * 1280, 9, "api"),
            "memory_bytes": value(memory * 503 * GIB / 100, 9, "api"),
            "net_rx_bytes_per_second": value(1.2 * GIB),
            "net_tx_bytes_per_second": value(0.9 * GIB),
            "disk_used_bytes": value(410 * GIB, 9, "kubelet"),
            "disk_total_bytes": value(1000 * GIB, 9, "kubelet"),
        },
        "resources": {"nvidia.com/gpu": allocatable},
        "gpus": gpus,
        **more,
    }


def pod(name, node_name, gpus, phase="running", **more):
    namespace, name = name.split("/")
    return {
        "namespace": namespace,
        "name": name,
        "uid": "uid-" + name,
        "node_name": node_name,
        "phase": phase,
        "gpus": gpus,
        "gpu_resource": "nvidia.com/gpu",
        "user": "anna",
        "created_ms": NOW - 4 * 3600 * 1000,
        "started_ms": NOW - 4 * 3600 * 1000 + 2000,
        "cpu_milli": 8000,
        "memory_bytes": 64 * GIB,
        "values": {"cpu_milli": value(6200, 9, "api"), "memory_bytes": value(41 * GIB, 9, "api")},
        **more,
    }


def job(name, state, gpus, minutes, **more):
    namespace, name = name.split("/")
    times = {"created_ms": NOW - minutes * 60000}
    if state != "pending":
        times["started_ms"] = NOW - minutes * 60000
    return {"namespace": namespace, "name": name, "state": state, "gpus": gpus, "user": "anna",
            "priority_class": "vpsml-normal", "priority": 10000, **times, **more}


def record(nodes, pods, jobs, **more):
    return {"vpsml_record": 1, "time_ms": NOW, "cluster": "prod", "link": "live", "interval_ms": 5000,
            "nodes": nodes, "pods": pods, "jobs": jobs, **more}


def three():
    dice = Dice(3)
    worker = "ml/llama-7b-worker-0"
    a = [
        gpu(0, "gpu-a", 97, 61.2, 641, 66, worker, util_history_pct=dice.curve(90, 10)),
        gpu(1, "gpu-a", 95, 61.2, 655, 68, worker, util_history_pct=dice.curve(93, 7)),
        gpu(2, "gpu-a", 96, 61.0, 630, 87, worker, util_history_pct=dice.curve(95, 5)),
        gpu(3, "gpu-a", 0, 70.1, 88, 41, "ml/jupyter-anna", quiet_since_ms=NOW - 41 * 60000,
            util_history_pct=[0] * 120),
        gpu(4, "gpu-a", 0, 22.4, 210, 50, kind="mig-parent"),
        {"index": 4, "instance": 1, "kind": "mig-instance", "profile": "3g.40gb", "uuid": "GPU-gpu-a-4",
         "values": {"util_pct": value(83, 12, "exporter"), "vram_used_bytes": value(18.1 * GIB, 12, "exporter"),
                    "vram_total_bytes": value(39.4 * GIB, 12, "exporter")},
         "owners": [{"namespace": "infra", "pod": "serve-1"}]},
        {"index": 4, "instance": 2, "kind": "mig-instance", "profile": "4g.40gb", "uuid": "GPU-gpu-a-4",
         "values": {"util_pct": value(0, 12, "exporter")},
         "owners": [{"namespace": "infra", "pod": "serve-2"}]},
        gpu(5, "gpu-a", 55, 30.9, 402, 59, "infra/eval-2", util_history_pct=dice.curve(55, 30)),
        {"index": 6, "uuid": "GPU-gpu-a-6", "model": "NVIDIA H100 80GB HBM3", "is_lost": True,
         "lost_since_ms": NOW - 200000, "values": {}},
        gpu(7, "gpu-a", 0, 0.5, 71, 38),
    ]
    a[4]["values"]["util_pct"] = [None, 2000, "ssh"]
    b = [gpu(i, "gpu-b", 83 + i, 40 + i, 500 + i, 60 + i, "ml/sweep-40-%d" % i,
             util_history_pct=dice.curve(80, 19)) for i in range(6)]
    b[3]["values"]["xid"] = value(79, 12, "exporter")
    b[3]["xid_first_ms"] = NOW - 4 * 60000
    b += [gpu(i, "gpu-b", 0, 0.5, 70, 37) for i in (6, 7)]
    c = [gpu(i, "gpu-c", 40, 30, 300, 50) for i in range(8)]
    for card in c:
        card["values"] = {name: [cell[0], 47000, cell[2]] for name, cell in card["values"].items()}
    silent = node("gpu-c", c, 0, 0, gpu_heard_ms=NOW - 47000, complaint="ssh: timeout")
    silent["values"] = {}
    pods = [pod(worker, "gpu-a", 3, job_name="llama-7b"), pod("ml/jupyter-anna", "gpu-a", 1),
            pod("infra/serve-1", "gpu-a", 1), pod("infra/serve-2", "gpu-a", 1),
            pod("infra/eval-2", "gpu-a", 1, job_name="eval-2")]
    pods += [pod("ml/sweep-40-%d" % i, "gpu-b", 1, job_name="sweep-40") for i in range(6)]
    pods += [pod("ml/oldrun-0", "gpu-b", 1, "failed", is_oom_killed=True, oom_ms=NOW - 23 * 60000,
                 exit_code=137, reason="OOMKilled", job_name="oldrun"),
             pod("ml/sweep-41-0", "", 8, "pending", job_name="sweep-41", reason="no node has 8 free GPU")]
    jobs = [job("ml/llama-7b", "running", 3, 242), job("infra/eval-2", "running", 1, 12),
            job("ml/sweep-40", "running", 6, 55),
            job("ml/sweep-41", "pending", 8, 12, why="3 of 3 nodes: no free nvidia.com/gpu", priority=100000,
                priority_class="vpsml-high"),
            job("ml/night", "pending", 16, 2, why="3 of 3 nodes: no free nvidia.com/gpu"),
            job("ml/oldrun", "failed", 1, 120, why="OOMKilled (137) on gpu-b", ended_ms=NOW - 23 * 60000),
            job("ml/prep", "succeeded", 0, 300, ended_ms=NOW - 200 * 60000),
            job("infra/eval-1", "succeeded", 1, 400, ended_ms=NOW - 380 * 60000),
            job("ml/later", "suspended", 2, 60)]
    history = {"gpu_pct": dice.curve(66, 20), "vram_pct": dice.curve(46, 3), "cpu_pct": dice.curve(31, 12),
               "power_pct": dice.curve(36, 8)}
    nodes = [node("gpu-a", a, 38, 61, 7, gpu_history_pct=dice.curve(60, 25)),
             node("gpu-b", b, 12, 40, gpu_history_pct=dice.curve(83, 12)), silent]
    return record(nodes, pods, jobs, history=history)


def fleet(count):
    """COUNT nodes as a working day leaves them."""
    dice, nodes, pods, jobs = Dice(300), [], [], []
    for i in range(1, count + 1):
        name, kind = "gpu-%03d" % i, dice.below(100)
        util = 0 if kind < 12 else 55 + dice.below(45)
        owner = None if kind < 6 else "ml/run-%03d" % i
        cards = [gpu(k, name, max(0, util - dice.below(9)) if util else 0, 20 + dice.below(56),
                     90 if not util else 400 + dice.below(300), 40 + dice.below(25), owner)
                 for k in range(8)]
        made = node(name, cards, 20 + dice.below(50), 30 + dice.below(50))
        if 6 <= kind < 12:
            for card in cards:
                card["quiet_since_ms"] = NOW - (12 + dice.below(300)) * 60000
        if kind == 50:
            made.update(ready="no", not_ready_since_ms=NOW - 61000)
        if kind == 51:
            cards[3]["values"]["xid"] = value(31, 12, "exporter")
        if kind == 52:
            made.update(gpu_heard_ms=NOW - 180000, complaint="ssh: timeout", values={})
            for card in cards:
                card["values"] = {}
        nodes.append(made)
        if owner:
            pods.append(pod(owner, name, 8, job_name="run-%03d" % i))
            jobs.append(job("ml/run-%03d" % i, "running", 8, 30 + dice.below(3000)))
    for i in range(31):
        jobs.append(job("ml/wait-%02d" % i, "pending", 8 * (1 + dice.below(4)), 5 + dice.below(200),
                        why="%d of %d nodes: no free nvidia.com/gpu" % (count, count)))
    return record(nodes, pods, jobs)


def bad():
    """What must not break a screen."""
    odd = "多GPU节点-一二三四五六七八九十"
    cards = [gpu(0, "x", 4294967295, 0, 1e300, -40, "ns/" + odd), gpu(123456, "x", 100, 1e9, 0, 999)]
    cards[0]["values"]["vram_total_bytes"] = value(0)
    cards[0]["model"] = "e\u0301" * 40
    return record(
        [node(odd, cards, 900, 262, complaint="evil \u001b[2J\u001b]0;title\u0007"),
         {"name": "\u202eabc"}, {"name": "n" * 300, "resources": {"nvidia.com/gpu": 0}},
         node("skew", [], 0, 0, skew_ms=42000)],
        [pod("ns/" + odd, odd, 9007199254740991), pod("ns/a\"b\\", "nowhere", -1, "unknown")],
        [job("ns/" + "j" * 200, "pending", 9007199254740991, 999999999, why="w" * 4000)],
        notes=[{"text": "metrics.k8s.io: 503: metrics-server is down", "since_ms": NOW - 40000},
               {"text": "bad \u001b[31m note"}])


MADE = {"three": three, "many": lambda: fleet(300), "bad": bad, "thousand": lambda: fleet(1000)}

if __name__ == "__main__":
    print(json.dumps(MADE[sys.argv[1]](), ensure_ascii=False, separators=(",", ":")))
