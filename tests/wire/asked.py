#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What submit and autoscale ask a server before they post, and what they make of its answers.
asked.py VPSML TEST; the tests are the functions below."""
import json
import re

import api
import bench_of
from bench_of import COMMAND, FLAGS, JOBS, check, jobs, manifest, stream

CORE = "/api/v1/namespaces/default/"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"


def submit(bench, *more, name="a", flags=FLAGS):
    return bench.run("submit", name, *flags, *more, *COMMAND)


def said(done, status, *parts):
    check(done.returncode == status, "exit %d, not %d: %s" % (done.returncode, status, done.stderr))
    for part in parts:
        check(part in done.stderr, "%r not in %s" % (part, done.stderr))


def silent(done):
    check(done.returncode == 0 and not done.stderr, "exit %d: %s" % (done.returncode, done.stderr))


def quota(name, hard, used=None, **spec):
    return {"metadata": {"name": name}, "spec": dict({"hard": hard}, **spec),
            "status": {"hard": hard, "used": used or {key: "0" for key in hard}}}


def serve(bench, version="34", plan=None, **lists):
    server = bench.serve(plan)
    server.lists.update(lists)
    server.groups["/version"] = {"major": "1", "minor": version}
    return server


def refuse(*kinds):
    """A plan that forbids to read these."""
    def plan(method, target):
        path = target.split("?")[0].split("/")
        return api.Fault(status=403) if method == "GET" and set(kinds) & set(path) else None

    return plan


def k8s_90124_quota_below_the_job(bench):
    """k/k#90124: quota memory=200Mi, job 500Mi: accepted, and then without pods. A warning before."""
    serve(bench, resourcequotas=[quota("q", {"memory": "200Mi"})])
    done = submit(bench, flags=["--image", "i", "--cpu", "1", "--memory", "500Mi"])
    said(done, 0, 'warning: quota "q" allows 200Mi of memory in all, and a pod asks for 500Mi: none will ever be made')
    serve(bench, resourcequotas=[quota("q", {"requests.memory": "4Gi"}, {"requests.memory": "3584Mi"})])
    said(submit(bench), 0, 'quota "q" has 512Mi of requests.memory left, and the pod asks for 1Gi: it waits until others end')
    done = submit(bench, "--workers", "3", name="b", flags=["--image", "i", "--cpu", "1", "--memory", "512Mi"])
    said(done, 0, "has 512Mi of requests.memory left, and the pods ask for 1.5Gi: some wait until others end")


def pai_5215_quota_on_limits(bench):
    """pai#5215: a quota on limits.cpu wants them in every container; a limit range may fill them in."""
    serve(bench, resourcequotas=[quota("q", {"limits.cpu": "8", "requests.nvidia.com/gpu": "1", "pods": "10"})])
    said(submit(bench), 0, 'quota "q" counts limits.cpu, and container "a" names none: no pod will be made; give --cpu-limit')
    silent(submit(bench, "--cpu-limit", "2", name="b"))
    said(submit(bench, "--cpu-limit", "2", "--gpus", "2", name="c"), 0,
         'quota "q" allows 1 of requests.nvidia.com/gpu in all, and a pod asks for 2')
    limits = {"metadata": {"name": "l"}, "spec": {"limits": [
        {"type": "Pod", "max": {"cpu": "1m"}},
        {"type": "Container", "default": {"cpu": "1"}, "max": {"cpu": "4", "memory": "8Gi"}}]}}
    serve(bench, resourcequotas=[quota("q", {"limits.cpu": "8"})], limitranges=[limits])
    silent(submit(bench))
    said(submit(bench, "--cpu-limit", "6", name="b"), 0,
         'limit range "l" allows a container at most 4 of cpu, and "b" asks for 6: no pod will be made')


def quota_of_some_pods_alone(bench):
    """A quota with scopes counts other pods, perhaps: nothing is said."""
    serve(bench, resourcequotas=[quota("q", {"memory": "1Mi"}, scopes=["BestEffort"])])
    silent(submit(bench))


def secrets_are_there(bench):
    """A Secret, or a key of it, that is not there: named before anything is posted."""
    server = serve(bench)
    server.objects[CORE + "secrets/db"] = {"metadata": {"name": "db"}, "data": {"password": "aHVudGVyMg=="}}
    done = submit(bench, "--secret", "PW=db:pasword", "--secret", "T=nosuch:t", "--image-pull-secret", "reg")
    said(done, 2, '--secret: no key in Secret "db" is called "pasword": did you mean "password"?',
         '--secret: no Secret "nosuch"', '--image-pull-secret: no Secret "reg"')
    check(not jobs(bench) and "aHVudGVy" not in done.stderr, done.stderr)
    silent(submit(bench, "--secret", "PW=db:password"))


def all_is_asked_at_once(bench):
    """Preflight is one round: no question waits for the answer of another."""
    import threading
    import time
    server = serve(bench)
    answer = server.answer

    def slow(*arguments):
        time.sleep(0.3)
        return answer(*arguments)

    server.answer = slow
    start = time.monotonic()
    done = submit(bench, "--secret", "A=x:a", "--data", "c:/c", "--service-account", "s", "--gpus", "1")
    took = time.monotonic() - start
    said(done, 2, 'no Secret "x"', 'no claim "c"', 'no service account "s"')
    asked = len(server.requests)
    check(asked >= 9 and took < 0.3 * 3, "%d requests took %.1f s" % (asked, took))
    check(server.in_flight_max >= 6, "%d at once of %d" % (server.in_flight_max, threading.active_count()))


def forbidden_is_no_failure(bench):
    """A 403 on a question is no failure; -v says what could not be checked."""
    plan = refuse("nodes", "resourcequotas", "secrets", "priorityclasses")
    serve(bench, plan=plan)
    silent(submit(bench, "--secret", "A=x:a"))
    done = submit(bench, "--secret", "A=x:a", "-v", name="b")
    said(done, 0, "not checked, as we may not read them: nodes", 'of namespace "default"', 'Secret "x"')


def priority_nosuch(bench):
    """The admission of priority classes: a class that is not there, told before the POST."""
    serve(bench, priorityclasses=[{"metadata": {"name": n}} for n in ("vpsml-high", "vpsml-low")])
    said(submit(bench, "--priority", "vpsml-hihg"), 2, '--priority: no priority class "vpsml-hihg": did you mean "vpsml-high"?')
    check(not jobs(bench), "a job was made")


def old_servers_get_what_they_know(bench):
    """Fields that the server is too old for are left out aloud, or refused where they were asked for."""
    server = serve(bench, version="25")
    said(submit(bench), 0, "warning: the server is Kubernetes 1.25: left out podFailurePolicy")
    spec = server.objects[JOBS + "/a"]["spec"]
    check(not {"podFailurePolicy", "podReplacementPolicy", "backoffLimitPerIndex"} & set(spec), str(spec))
    said(submit(bench, "--retry", "2", "--retry-on-exit", "3", name="b"), 2,
         "--retry-on-exit: the server is Kubernetes 1.25, and podFailurePolicy came with 1.26")
    server = serve(bench, version="28+")
    said(submit(bench, "--array", "0-3"), 0, "backoffLimitPerIndex (one task that fails ends the array)")
    check("podFailurePolicy" in server.objects[JOBS + "/a"]["spec"], "no podFailurePolicy on 1.28")
    text = stream(manifest("m", successPolicy={"rules": [{"succeededIndexes": "0"}]}, managedBy="x/y"))
    done = bench.run("submit", "-f", "-", text=text)
    said(done, 2, "stdin:1:", "the server is Kubernetes 1.28, and spec.successPolicy came with 1.31",
         "spec.managedBy came with 1.32")
    serve(bench)
    silent(submit(bench, "--array", "0-3"))
    silent(bench.run("submit", "-f", "-", text=text))


def files_are_checked_at_their_place(bench):
    """Preflight of files says where: line and column of the name that is not there."""
    serve(bench)
    text = """apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec:
  template:
    spec:
      restartPolicy: Never
      priorityClassName: nosuch
      volumes:
      - name: d
        persistentVolumeClaim: {claimName: data}
      containers:
      - name: c
        image: i
        resources: {limits: {nvidia.com/gpu: 8}}
        env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}}]
"""
    done = bench.run("submit", "-f", "-", text=text)
    said(done, 2, 'stdin:8:26: no priority class "nosuch"', 'stdin:11:44: no claim "data"')
    check("Secret" not in done.stderr, done.stderr)
    text = re.sub("priorityClassName.*", "terminationGracePeriodSeconds: 1", text).replace("claimName: data", "claimName: d")
    bench.server.lists["persistentvolumeclaims"] = [{"metadata": {"name": "d"}}]
    done = bench.run("submit", "-f", "-", text=text)
    said(done, 0, "warning: stdin:1:1: no node has 8 nvidia.com/gpu: the largest has 4: it will wait")


def server_names_the_field(bench):
    """What the server refuses is told at the line of the field, strict decoding too."""
    server = serve(bench)
    create = server.create

    def strict(path, body, is_dry_run):
        if "parallelizm" in body["spec"]:
            return api.refusal(400, "BadRequest", 'Job in version "v1" cannot be handled as a Job: '
                               'strict decoding error: unknown field "spec.parallelizm"')
        if body["metadata"]["name"] == "b":
            code, status = api.refusal(422, "Invalid", "Job.batch is invalid")
            status["details"] = {"causes": [{"reason": "FieldValueInvalid", "message": "Invalid value: -1",
                                             "field": "spec.completions"}]}
            return code, status
        return create(path, body, is_dry_run)

    server.create = strict
    text = json.dumps(manifest("a", parallelizm=2), indent=1) + "\n---\n" + \
        json.dumps(manifest("b", completions=-1), indent=1)
    lines = text.split("\n")
    first = next(i for i, line in enumerate(lines) if "parallelizm" in line) + 1
    second = next(i for i, line in enumerate(lines) if "completions" in line) + 1
    done = bench.run("submit", "-f", "-", text=text)
    said(done, 4, 'stdin:%d:' % first, 'unknown field "spec.parallelizm"', 'stdin:%d:' % second,
         'job "b": spec.completions: Invalid value: -1', "nothing was made")
    check(not jobs(bench), "made %s" % jobs(bench))


def duplicate_name(bench):
    """kubectl: the same name twice: already exists, with what to do; --name-prefix and --replace do it."""
    server = serve(bench)
    silent(submit(bench))
    said(submit(bench), 4, 'job "a" already exists', "--replace takes its place", "--name-prefix")
    old = server.objects[JOBS + "/a"]["metadata"]["uid"]
    silent(submit(bench, "--replace"))
    check(server.objects[JOBS + "/a"]["metadata"]["uid"] != old, "not replaced")
    deletes = [target for method, target in server.requests if method == "DELETE"]
    check(deletes == [JOBS + "/a"], str(deletes))
    done = submit(bench, "--name-prefix", "-q")
    check(re.fullmatch(r"a-\w{5}\n", done.stdout), done.stdout)
    said(submit(bench, "--replace", "--dry-run", "server"), 0)


def rancher_2148_object_too_large(bench):
    """rancher dashboard#2148, k/k#83955: 2 MiB of variables, one of 200 KiB: told here, nothing is asked."""
    server = serve(bench)
    (bench.folder / "env").write_text("".join("V%d=%s\n" % (i, "x" * 100000) for i in range(14)))
    (bench.folder / "long").write_text("V=%s\n" % ("x" * 200 * 1024))
    (bench.folder / "huge").write_text("".join("V%d=%s\n" % (i, "x" * 100000) for i in range(21)))
    said(submit(bench, "--env-file", "long"), 2, "V")
    said(submit(bench, "--env-file", "huge"), 2, "huge")
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}, "data": {"A": "x" * 2 * 1024 * 1024}}
    said(bench.run("submit", "-f", "-", text=json.dumps(config)), 2, "the object has more than 1536 KiB")
    check(not server.requests, "asked %s" % server.requests)
    silent(submit(bench, "--env-file", "env"))


def kinds_are_looked_up(bench):
    """A kind that is not ours is found on the server; one that it does not have is told."""
    server = serve(bench)
    server.groups["/apis/kubeflow.org/v1"] = {"resources": [
        {"name": "pytorchjobs", "kind": "PyTorchJob", "namespaced": True},
        {"name": "pytorchjobs/status", "kind": "PyTorchJob", "namespaced": True}]}
    job = {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "t"}, "spec": {}}
    done = bench.run("submit", "-f", "-", text=stream(job))
    check(done.stdout == "pytorchjob.kubeflow.org/t created\n", done.stdout + done.stderr)
    done = bench.run("submit", "-f", "-", text=stream(dict(job, kind="Sparkle")))
    said(done, 2, "stdin:1:1: the server has no kind Sparkle in kubeflow.org/v1")


def k8s_101584_image_that_is_not_there(bench):
    """k/k#101584, trainer#2001: an image error is no end of its own: it is one after --start-timeout, with
    125 and kubelet's words."""
    words = 'Back-off pulling image "nosuch/x:y"'
    waiting = {"name": "a", "state": {"waiting": {"reason": "ImagePullBackOff", "message": words}}}
    pod = {"metadata": {"name": "a-x", "namespace": "default", "labels": {"job-name": "a"}}, "spec": {"nodeName": "n1"},
           "status": {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "True"}],
                      "containerStatuses": [waiting]}}
    serve(bench, pods=[pod])
    done = bench.run("submit", "a", "--image", "nosuch/x:y", "--cpu", "1", "--memory", "1Gi", "--wait",
                     "--start-timeout", "2s", *COMMAND)
    said(done, 125, "ImagePullBackOff", words)
    check(done.stdout == "job.batch/a created\n", done.stdout)


def namespace_is_missing(bench):
    """A namespace that is not there: said so, and nothing else of it; unless the same file makes it."""
    server = serve(bench)
    server.objects["/api/v1/namespaces/team"] = {"metadata": {"name": "team"}}
    said(submit(bench, "-n", "taem", "--data", "c:/c"), 4, 'no namespace "taem"', "team")
    job = dict(manifest("a"), metadata={"name": "a", "namespace": "new"})
    said(bench.run("submit", "-f", "-", text=stream(job)), 2, 'stdin:1:1: no namespace "new"')
    made = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "new"}}
    done = bench.run("submit", "-f", "-", text=stream(job, made))
    silent(done)
    check(done.stdout == "job.batch/a created\nnamespace/new created\n", done.stdout)


def deployment(name="web", requests=None, replicas=2):
    container = {"name": "c", "image": "i", "resources": {"requests": requests or {}}}
    return {"metadata": {"name": name}, "spec": {"replicas": replicas, "template": {"spec": {"containers": [container]}}},
            "kind": "Deployment"}


def hpas(version):
    return "/apis/autoscaling/%s/namespaces/default/horizontalpodautoscalers" % version


def scalable(bench, versions=("v1", "v2"), **more):
    server = serve(bench)
    server.groups["/apis/autoscaling"] = {"versions": [{"version": v} for v in versions]}
    server.objects[DEPLOYMENTS + "/web"] = deployment(**dict({"requests": {"cpu": "500m", "memory": "1Gi"}}, **more))
    return server


def autoscale(bench, *more, target=("deploy/web",)):
    return bench.run("autoscale", *target, "--min", "1", "--max", "5", *more)


def coredns_helm_101_newest_version_that_is_there(bench):
    """coredns/helm PR 101, sumologic#2625: v2, else v2beta2, else v1, each in its shape."""
    for versions, wanted in (("v1", "v2"), "v2"), (("v1", "v2beta1", "v2beta2"), "v2beta2"), (("v1", "v2beta1"), "v1"):
        server = scalable(bench, versions)
        done = autoscale(bench, "--cpu-target", "50%")
        silent(done)
        check(done.stdout == "horizontalpodautoscaler.autoscaling/web created\n", done.stdout)
        made = server.objects[hpas(wanted) + "/web"]
        check(made["apiVersion"] == "autoscaling/" + wanted, made["apiVersion"])
        spec = made["spec"]
        if wanted == "v1":
            check(spec["targetCPUUtilizationPercentage"] == 50 and "metrics" not in spec, str(spec))
        else:
            target = {"type": "Utilization", "averageUtilization": 50}
            check(spec["metrics"] == [{"type": "Resource", "resource": {"name": "cpu", "target": target}}], str(spec))
        check(spec["scaleTargetRef"] == {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, str(spec))


def sumologic_2625_memory_on_v1(bench):
    """autoscaling/v1 knows no memory: refused before anything is posted."""
    server = scalable(bench, ("v1",))
    said(autoscale(bench, "--memory-target", "200Mi"), 2, "--memory-target: autoscaling/v1 knows CPU only")
    check(not any(method == "POST" for method, _ in server.requests), "posted")
    done = bench.run("submit", "w", "--kind", "deployment", *FLAGS, "--autoscale", "1-3", "--memory-target", "80%")
    said(done, 2, "--memory-target: autoscaling/v1 knows CPU only")
    check(not any(method == "POST" for method, _ in server.requests), "posted")


def website_41394_a_job_has_no_scale(bench):
    """website#41394: an autoscaler for a Job is accepted and does nothing: refused, with what works."""
    server = scalable(bench)
    done = autoscale(bench, "--cpu-target", "50%", target=("job/x",))
    said(done, 2, "a Job has no scale, so no autoscaler can change it", "deploy/NAME")
    said(autoscale(bench, "--cpu-target", "50%", target=("job", "x")), 2, "a Job has no scale")
    check(not server.requests, str(server.requests))


def k8s_79365_pods_without_a_request(bench):
    """k/k#79365: a share of a request that is not there; and a cluster without metrics."""
    server = scalable(bench, requests={"memory": "1Gi"})
    done = autoscale(bench, "--cpu-target", "50%")
    said(done, 0, 'warning: --cpu-target: container "c" of deployment "web" requests no CPU')
    server = scalable(bench, replicas=9)
    del server.groups["/apis/metrics.k8s.io"]
    done = autoscale(bench, "--cpu-target", "500m")
    said(done, 0, "the cluster serves no metrics (metrics.k8s.io)", "--max: deployment \"web\" has 9 replicas now: 5 will stay")
    check("requests no CPU" not in done.stderr, done.stderr)


def autoscaler_is_there_already(bench):
    """One of the name: said, and --replace; another one of the same target: two would stop each other."""
    server = scalable(bench)
    silent(autoscale(bench, "--cpu-target", "50%", target=("deployment", "web")))
    said(autoscale(bench, "--cpu-target", "70%"), 4, 'autoscaler "web" already exists', "--replace takes its place")
    silent(autoscale(bench, "--cpu-target", "70%", "--replace"))
    check("70" in json.dumps(server.objects[hpas("v2") + "/web"]), "not replaced")
    server.lists["horizontalpodautoscalers"] = [{"metadata": {"name": "old"}, "spec": {
        "scaleTargetRef": {"kind": "Deployment", "name": "web"}}}]
    said(autoscale(bench, "--cpu-target", "70%", "--name", "new"), 2,
         'autoscaler "old" scales deployment "web" already', "--name old --replace")


def autoscale_what_is_not_there(bench):
    """A target that is not there, with the nearest one."""
    server = scalable(bench)
    server.lists["deployments"] = [deployment("web")]
    said(autoscale(bench, "--cpu-target", "50%", target=("deploy/wb",)), 4, 'no deployment "wb"', "web")


def autoscale_dry_runs(bench):
    """client asks nobody; server makes nothing; -o shows what the server has."""
    server = scalable(bench)
    done = autoscale(bench, "--cpu-target", "50%", "--dry-run", "client")
    check(done.stdout.startswith("apiVersion: autoscaling/v2\n") and not server.requests, done.stdout + done.stderr)
    done = autoscale(bench, "--cpu-target", "50%", "--dry-run", "server")
    check(done.stdout == "horizontalpodautoscaler.autoscaling/web would be created (server dry run)\n", done.stdout)
    check(hpas("v2") + "/web" not in server.objects, "made")
    done = autoscale(bench, "--memory-target", "200Mi", "-o", "json")
    made = json.loads(done.stdout)
    check(made["metadata"]["uid"].startswith("uid-") and made["spec"]["maxReplicas"] == 5, done.stdout)
    check(made["spec"]["metrics"][0]["resource"]["target"] == {"type": "AverageValue", "averageValue": "200Mi"}, done.stdout)


def deployment_brings_its_autoscaler(bench):
    """submit --kind deployment --autoscale: the autoscaler is of the version that the server has."""
    server = scalable(bench, ("v1", "v2beta2"))
    silent(bench.run("submit", "srv", "--kind", "deployment", *FLAGS, "--autoscale", "1-3", "--cpu-target", "50%"))
    check(server.objects[hpas("v2beta2") + "/srv"]["apiVersion"] == "autoscaling/v2beta2", str(list(server.objects)))


if __name__ == "__main__":
    bench_of.main(globals())
