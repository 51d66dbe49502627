// SPDX-License-Identifier: MIT
// `vpsml render` from its arguments to the objects: every field, and what happens when memory runs
// out anywhere on the way.
#include "cmd/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/command.h"
#include "unit.h"

enum { ARGUMENTS_MAX = 96 };

static char *look_up(const char *name)
{
	static char value[] = "from outside";

	return !strcmp(name, "SET_HERE") ? value : NULL;
}

// What a command printed.
struct result {
	bool is_ok;
	struct err err;
	char *out, *messages;
	size_t out_len, messages_len;
};

static void release(struct result *result)
{
	err_clear(&result->err);
	free(result->out);
	free(result->messages);
}
#define _cleanup_result_ _cleanup_(release)

// Runs "render" with the words of LINE, divided by blanks ("^" stands for a blank in a word).
static struct result run(const char *line)
{
	struct cli_context context = {.getenv = look_up, .clock = &clock_system};
	struct result result = {.err = ERR_INIT};
	char text[8192], *argv[ARGUMENTS_MAX] = {(char[]){"render"}};
	int argc = 1;

	snprintf(text, sizeof(text), "%s", line);
	for (char *at = text; at && *at && argc < ARGUMENTS_MAX; argc++) {
		char *blank = strchr(at, ' ');

		argv[argc] = at;
		if (blank)
			*blank++ = '\0';
		for (char *p = at; (p = strchr(p, '^'));)
			*p = ' ';
		at = blank;
	}
	context.out = open_memstream(&result.out, &result.out_len);
	context.err = open_memstream(&result.messages, &result.messages_len);
	assert_non_null(context.out);
	result.is_ok = cli_dispatch(&cmd_root, &context, argc, argv, &result.err);
	fclose(context.out);
	fclose(context.err);
	cli_context_release(&context);
	return result;
}

// The object, or the list of them, that "render LINE -o json" prints.
static struct json *rendered(const char *line)
{
	char text[8192];
	_cleanup_err_ struct err err = ERR_INIT;
	struct json *tree;

	snprintf(text, sizeof(text), "%s", line);
	{
		_cleanup_result_ struct result result = run(text);

		if (!result.is_ok)
			fail_msg("%s", err_message(&result.err));
		tree = json_parse(result.out, result.out_len, &err);
	}
	if (!tree)
		fail_msg("%s", err_message(&err));
	return tree;
}

// The value at PATH as compact JSON is TEXT; NULL: it is not there.
static void expect(const struct json *tree, const char *path, const char *text)
{
	const struct json *value = json_find(tree, path);
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(64 * 1024);

	if (!value) {
		if (text)
			fail_msg("%s is absent", path);
		return;
	}
	json_write(&out, value);
	if (!text || strcmp(strbuf_get(&out), text) != 0)
		fail_msg("%s is %s, not %s", path, strbuf_get(&out), text ? text : "absent");
}

#define POD "spec.template.spec."
#define CONTAINER POD "containers[0]."

// The Job of the article behind this project.
static void the_articles_job(void **state)
{
	_cleanup_json_ struct json *job =
		rendered("job cnn-training-job --container training-container --image pytorch:2.0-gpu "
	             "--cpu 1 --memory 2Gi --gpus 1 --cpu-limit 2 --memory-limit 4Gi -o json");

	(void)state;
	expect(job, "apiVersion", "\"batch/v1\"");
	expect(job, "kind", "\"Job\"");
	expect(job, "metadata.name", "\"cnn-training-job\"");
	expect(job, CONTAINER "name", "\"training-container\"");
	expect(job, CONTAINER "image", "\"pytorch:2.0-gpu\"");
	expect(job, CONTAINER "resources",
	       "{\"requests\":{\"cpu\":\"1\",\"memory\":\"2Gi\"},"
	       "\"limits\":{\"cpu\":\"2\",\"memory\":\"4Gi\",\"nvidia.com/gpu\":\"1\"}}");
	expect(job, CONTAINER "env", NULL);
	expect(job, CONTAINER "command", NULL);
	expect(job, CONTAINER "volumeMounts", "[{\"name\":\"shm\",\"mountPath\":\"/dev/shm\"}]");
	expect(job, POD "volumes",
	       "[{\"name\":\"shm\",\"emptyDir\":{\"medium\":\"Memory\",\"sizeLimit\":\"2Gi\"}}]");
	expect(job, POD "restartPolicy", "\"Never\"");
	expect(job, POD "tolerations", "[{\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\"}]");
	expect(job, POD "affinity",
	       "{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":"
	       "{\"nodeSelectorTerms\":[{\"matchExpressions\":["
	       "{\"key\":\"gpu\",\"operator\":\"In\",\"values\":[\"true\"]}]}]}}}");
	expect(job, "spec.completions", "1");
	expect(job, "spec.parallelism", "1");
	expect(job, "spec.backoffLimit", "0");
	expect(job, "spec.completionMode", NULL);
	expect(job, "spec.suspend", NULL);
	expect(job, "spec.activeDeadlineSeconds", NULL);
	expect(job, "spec.ttlSecondsAfterFinished", NULL);
	expect(job, "spec.podReplacementPolicy", "\"Failed\"");
	expect(job, "spec.podFailurePolicy.rules",
	       "[{\"action\":\"Ignore\",\"onPodConditions\":["
	       "{\"type\":\"DisruptionTarget\",\"status\":\"True\"}]}]");
}

static void microk8s_2160_light_pods_see_no_gpu(void **state)
{
	_cleanup_json_ struct json *job = rendered("job a --image i --gpus 0 --cpu 1 -o json");
	_cleanup_json_ struct json *own =
		rendered("job a --image i -e NVIDIA_VISIBLE_DEVICES=all -o json --cpu 1");
	_cleanup_json_ struct json *only = rendered("pod a --image i --cpu-only --cpu 1 -o json");

	(void)state;
	expect(job, CONTAINER "env", "[{\"name\":\"NVIDIA_VISIBLE_DEVICES\",\"value\":\"void\"}]");
	expect(job, POD "affinity",
	       "{\"nodeAffinity\":{\"preferredDuringSchedulingIgnoredDuringExecution\":["
	       "{\"weight\":100,\"preference\":{\"matchExpressions\":["
	       "{\"key\":\"gpu\",\"operator\":\"NotIn\",\"values\":[\"true\"]}]}}]}}");
	expect(job, POD "tolerations", NULL);
	expect(job, POD "volumes", NULL);
	expect(own, CONTAINER "env", "[{\"name\":\"NVIDIA_VISIBLE_DEVICES\",\"value\":\"all\"}]");
	expect(only, "spec.affinity",
	       "{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":"
	       "{\"nodeSelectorTerms\":[{\"matchExpressions\":["
	       "{\"key\":\"gpu\",\"operator\":\"NotIn\",\"values\":[\"true\"]}]}]}}}");
}

static void gpu_rules_come_before_those_of_the_user(void **state)
{
	_cleanup_json_ struct json *job = rendered(
		"job a --image i --gpus 1 --gpu-resource amd.com/gpu --gpu-type MI300,MI250 --cpu 1 "
		"--affinity zone=z --affinity gpu=true --toleration x:NoExecute --selector k=v -o json");

	(void)state;
	expect(job,
	       POD "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
	           "nodeSelectorTerms[0].matchExpressions",
	       "[{\"key\":\"nvidia.com/"
	       "gpu.product\",\"operator\":\"In\",\"values\":[\"MI300\",\"MI250\"]},"
	       "{\"key\":\"zone\",\"operator\":\"In\",\"values\":[\"z\"]},"
	       "{\"key\":\"gpu\",\"operator\":\"In\",\"values\":[\"true\"]}]");
	expect(job, POD "tolerations",
	       "[{\"key\":\"amd.com/gpu\",\"operator\":\"Exists\"},"
	       "{\"key\":\"x\",\"operator\":\"Exists\",\"effect\":\"NoExecute\"}]");
	expect(job, POD "nodeSelector", "{\"k\":\"v\"}");
	expect(job, CONTAINER "resources.limits", "{\"amd.com/gpu\":\"1\"}");
}

static void ray_26514_the_command_stays_an_argv(void **state)
{
	_cleanup_json_ struct json *argv =
		rendered("job a --image i --cpu 1 -o json -- sh -c echo^$$^$(date)^$HOME;^echo^`b`^>^/x^*");
	_cleanup_json_ struct json *shell =
		rendered("job a --image i --cpu 1 --shell -o json -- echo^a^&&^b");
	_cleanup_json_ struct json *args =
		rendered("job a --image i --cpu 1 --keep-entrypoint -o json -- --epochs 3 -x");

	(void)state;
	expect(argv, CONTAINER "command",
	       "[\"sh\",\"-c\",\"echo $$$ $$(date) $HOME; echo `b` > /x *\"]");
	expect(shell, CONTAINER "command", "[\"/bin/sh\",\"-c\",\"echo a && b\"]");
	expect(args, CONTAINER "command", NULL);
	expect(args, CONTAINER "args", "[\"--epochs\",\"3\",\"-x\"]");
}

static void retries_time_and_grace(void **state)
{
	_cleanup_json_ struct json *job = rendered(
		"job a --image i --cpu 1 --retry 3 --retry-on-exit 34,33 --retry-on-exit 33 --time "
		"2h30m --ttl-after-finished 0 --grace 2m --suspend -o json");
	_cleanup_json_ struct json *pod = rendered("pod a --image i --cpu 1 --time 90s -o json");

	(void)state;
	expect(job, "spec.backoffLimit", "3");
	expect(job, "spec.activeDeadlineSeconds", "9000");
	expect(job, "spec.ttlSecondsAfterFinished", "0");
	expect(job, "spec.suspend", "true");
	expect(job, POD "terminationGracePeriodSeconds", "120");
	expect(
		job, "spec.podFailurePolicy.rules[1]",
		"{\"action\":\"FailJob\",\"onExitCodes\":{\"containerName\":\"a\",\"operator\":\"NotIn\","
		"\"values\":[33,34]}}");
	expect(pod, "spec.activeDeadlineSeconds", "90");
	expect(pod, "spec.restartPolicy", "\"Never\"");
	expect(pod, "spec.terminationGracePeriodSeconds", NULL);
}

static void workers_find_each_other(void **state)
{
	_cleanup_json_ struct json *list =
		rendered("job gan --image i --workers 3 --gpus 2 --cpu 8 --memory 32Gi -n ml -o json -- t");

	(void)state;
	expect(list, "kind", "\"List\"");
	expect(list, "items[2]", NULL);
	expect(list, "items[1].kind", "\"Service\"");
	expect(list, "items[1].metadata.name", "\"gan\"");
	expect(list, "items[1].metadata.namespace", "\"ml\"");
	expect(list, "items[1].spec",
	       "{\"clusterIP\":\"None\",\"publishNotReadyAddresses\":true,"
	       "\"selector\":{\"job-name\":\"gan\"}}");
	expect(list, "items[0].spec.completions", "3");
	expect(list, "items[0].spec.parallelism", "3");
	expect(list, "items[0].spec.completionMode", "\"Indexed\"");
	expect(list, "items[0].spec.backoffLimit", "0");
	expect(list, "items[0]." POD "subdomain", "\"gan\"");
	expect(list, "items[0]." POD "initContainers[0].name", "\"wait-for-rank-0\"");
	expect(list, "items[0]." POD "initContainers[0].command[4]", "\"gan-0.gan\"");
	expect(list, "items[0]." POD "initContainers[0].resources",
	       "{\"requests\":{\"cpu\":\"8\",\"memory\":\"32Gi\"},\"limits\":{\"memory\":\"32Gi\"}}");
}

// One kind of array numbers its tasks by the index, the other by a wrapper around the command.
static void arrays_number_their_tasks(void **state)
{
	_cleanup_json_ struct json *plain =
		rendered("job s --image i --cpu 1 --array 0-15%4 --retry 1 --retry-on-exit 9 -o json -- t");
	_cleanup_json_ struct json *stepped =
		rendered("job s --image i --cpu 1 --array 1-7:2 --shell -o json -- t^$VPSML_ARRAY_TASK_ID");

	(void)state;
	expect(plain, "spec.completions", "16");
	expect(plain, "spec.parallelism", "4");
	expect(plain, "spec.completionMode", "\"Indexed\"");
	expect(plain, "spec.backoffLimitPerIndex", "1");
	expect(plain, "spec.backoffLimit", NULL);
	expect(plain, "spec.podFailurePolicy.rules[1].action", "\"FailIndex\"");
	expect(plain, CONTAINER "command", "[\"t\"]");
	expect(plain, CONTAINER "env[0]",
	       "{\"name\":\"VPSML_ARRAY_TASK_ID\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":"
	       "\"metadata.annotations['batch.kubernetes.io/job-completion-index']\"}}}");
	expect(stepped, "spec.completions", "4");
	expect(stepped, "spec.parallelism", "4");
	expect(stepped, CONTAINER "command[3]", "\"sh\"");
	expect(stepped, CONTAINER "command[6]", "\"t $VPSML_ARRAY_TASK_ID\"");
	expect(stepped, CONTAINER "env[0]", "{\"name\":\"VPSML_ARRAY_TASK_COUNT\",\"value\":\"4\"}");
	expect(stepped, CONTAINER "env[2]", "{\"name\":\"VPSML_ARRAY_TASK_MAX\",\"value\":\"7\"}");
}

static void everything_else_of_a_pod(void **state)
{
	_cleanup_json_ struct json *pod = rendered(
		"pod all --image i --container c --memory 1Gi -e A=x -e SET_HERE --secret B=s:k --data "
		"p:/d:ro "
		"--data-dir /h:/x --nfs s:/e:/n --label l=1 --annotation a=b^c --priority vpsml-high "
		"--runtime-class nvidia --service-account sa --working-dir /w --image-pull-policy Always "
		"--image-pull-secret r --shm 64Mi -n team -o json");

	(void)state;
	expect(
		pod, "metadata",
		"{\"name\":\"all\",\"namespace\":\"team\",\"labels\":{\"app.kubernetes.io/name\":\"all\","
		"\"app.kubernetes.io/managed-by\":\"vpsml\",\"l\":\"1\"},\"annotations\":{\"a\":\"b c\"}}");
	expect(pod, "spec.priorityClassName", "\"vpsml-high\"");
	expect(pod, "spec.runtimeClassName", "\"nvidia\"");
	expect(pod, "spec.serviceAccountName", "\"sa\"");
	expect(pod, "spec.imagePullSecrets", "[{\"name\":\"r\"}]");
	expect(pod, "spec.containers[0].name", "\"c\"");
	expect(pod, "spec.containers[0].imagePullPolicy", "\"Always\"");
	expect(pod, "spec.containers[0].workingDir", "\"/w\"");
	expect(pod, "spec.containers[0].env",
	       "[{\"name\":\"NVIDIA_VISIBLE_DEVICES\",\"value\":\"void\"},{\"name\":\"A\",\"value\":"
	       "\"x\"},"
	       "{\"name\":\"SET_HERE\",\"value\":\"from outside\"},"
	       "{\"name\":\"B\",\"valueFrom\":{\"secretKeyRef\":{\"name\":\"s\",\"key\":\"k\"}}}]");
	expect(pod, "spec.volumes[3].emptyDir.sizeLimit", "\"64Mi\"");
	expect(pod, "spec.volumes[4]", NULL);
	expect(pod, "spec.priority", NULL);
	expect(pod, "spec.preemptionPolicy", NULL);
}

static void a_deployment_and_its_autoscaler(void **state)
{
	_cleanup_json_ struct json *plain = rendered("deploy web --image i --cpu 1 -o json");
	_cleanup_json_ struct json *list = rendered(
		"deployment web --image i --cpu 500m --autoscale 1-5 --cpu-target 50% -n ml -o json");

	(void)state;
	expect(plain, "apiVersion", "\"apps/v1\"");
	expect(plain, "spec.replicas", "1");
	expect(plain, "spec.selector", "{\"matchLabels\":{\"app.kubernetes.io/name\":\"web\"}}");
	expect(plain, POD "restartPolicy", NULL);
	expect(list, "items[0].spec.replicas", NULL);
	expect(list, "items[1].kind", "\"HorizontalPodAutoscaler\"");
	expect(list, "items[1].metadata", "{\"name\":\"web\",\"namespace\":\"ml\"}");
	expect(list, "items[1].spec.scaleTargetRef",
	       "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"web\"}");
}

// The label that a Deployment selects by is the one that its pods have.
static void the_users_name_label_is_selected(void **state)
{
	_cleanup_json_ struct json *tree =
		rendered("deployment web --image i --cpu 1 --label app.kubernetes.io/name=own -o json");

	(void)state;
	expect(tree, "spec.selector.matchLabels", "{\"app.kubernetes.io/name\":\"own\"}");
	expect(tree, "spec.template.metadata.labels",
	       "{\"app.kubernetes.io/managed-by\":\"vpsml\",\"app.kubernetes.io/name\":\"own\"}");
}

static void a_queue_is_a_label_of_the_job_alone(void **state)
{
	_cleanup_json_ struct json *job = rendered("job a --image i --cpu 1 --queue q -o json");

	(void)state;
	expect(job, "metadata.labels",
	       "{\"app.kubernetes.io/name\":\"a\",\"app.kubernetes.io/managed-by\":\"vpsml\","
	       "\"kueue.x-k8s.io/queue-name\":\"q\"}");
	expect(job, "spec.template.metadata.labels",
	       "{\"app.kubernetes.io/name\":\"a\",\"app.kubernetes.io/managed-by\":\"vpsml\"}");
	expect(job, "spec.suspend", NULL);
}

static void refused(const char *line, const char *message)
{
	_cleanup_result_ struct result result = run(line);

	if (result.is_ok)
		fail_msg("\"%s\" was taken", line);
	assert_int_equal(result.err.kind, ERR_USAGE);
	assert_string_equal(err_message(&result.err), message);
	assert_int_equal(result.out_len, 0);
}

static void what_the_api_server_refuses_is_refused_here(void **state)
{
	(void)state;
	refused("job a --image i --label job-name=b",
	        "--label: \"job-name\" is set by the API server itself");
	refused("job a --image i --label batch.kubernetes.io/controller-uid=b",
	        "--label: \"batch.kubernetes.io/controller-uid\" is set by the API server itself");
	refused("job a --image i --workers 2 --container wait-for-rank-0",
	        "--container: \"wait-for-rank-0\" is the name of another container: choose one");
	refused("job wait-for-rank-0 --image i --workers 2",
	        "--container: \"wait-for-rank-0\" is the name of another container: choose one");
	refused("pod a --image i --time 24856d", "--time: \"24856d\" is longer than 2147483647 s");
	refused("job a --image i --ttl-after-finished 24856d",
	        "--ttl-after-finished: \"24856d\" is longer than 2147483647 s");
	refused("job a --image i -- ^",
	        "command \" \" is one word with blanks: leave the quotes away, or "
	        "give --shell to let a shell read it");
	refused("job a --image i --gpus 1 --gpu-type a,,b", "--gpu-type: \"\" is not a product");
}

// Such a pod would wait for ever.
static void rules_that_leave_no_node(void **state)
{
	static const char none[] =
		"no node fits: GPU nodes have the label gpu=true, which --affinity or "
		"--selector rules out";

	(void)state;
	refused("job a --image i --gpus 1 --affinity gpu=false", none);
	refused("job a --image i --gpus 1 --affinity gpu!=true", none);
	refused("job a --image i --gpus 1 --affinity !gpu", none);
	refused("job a --image i --gpus 1 --selector gpu=false", none);
	refused("job a --image i --cpu-only --selector gpu=true",
	        "--cpu-only and --selector gpu=true exclude each other");
	refused("job a --image i --cpu-only --affinity gpu=true",
	        "--cpu-only and --affinity gpu=true exclude each other");
}

static void a_selector_may_ask_for_gpu_nodes(void **state)
{
	_cleanup_json_ struct json *job =
		rendered("job a --image i --cpu 1 --selector gpu=true -o json");

	(void)state;
	expect(job, CONTAINER "env", NULL);
	expect(job, POD "nodeSelector", "{\"gpu\":\"true\"}");
	expect(job, POD "tolerations", "[{\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\"}]");
	expect(job, POD "affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution", NULL);
}

static void an_option_may_be_half_remembered(void **state)
{
	(void)state;
	refused("job a --image i --mem 4Gi", "unknown option \"--mem\": did you mean \"--memory\"?");
	refused("job a --image i --ttl 4h",
	        "unknown option \"--ttl\": did you mean \"--ttl-after-finished\"?");
	refused("job a --image i --xyz", "unknown option \"--xyz\": see \"--help\"");
}

static void rancher_dashboard_2148_arguments_too_long_for_execve(void **state)
{
	static char line[8192];

	(void)state;
	refused("job a --image i --shell --keep-entrypoint -- x",
	        "--shell and --keep-entrypoint exclude each other");
	snprintf(line, sizeof(line), "job a --image i --shell -- a b");
	refused(line, "--shell: takes one string after \"--\", not 2");
}

// Each allocation on the way fails in turn: an error and nothing printed, or all of it. The sanitizer finds what leaks.
static void sweep(const char *line)
{
	_cleanup_result_ struct result whole = run(line);
	size_t nth = 1;

	for (bool is_over = false; !is_over; nth++) {
		_cleanup_result_ struct result result;

		unit_fail_allocation(nth);
		result = run(line);
		is_over = *unit_countdown() != 0;
		unit_fail_allocation(0);
		if (!result.is_ok && result.err.kind != ERR_MEMORY)
			fail_msg("%s: allocation %zu failed: %s", line, nth, err_message(&result.err));
		if (result.is_ok ? strcmp(result.out, whole.out) : result.out_len != 0)
			fail_msg("%s: allocation %zu failed, and this came out: %s", line, nth, result.out);
	}
	assert_true(nth > 20);
}

static void memory_may_run_out_anywhere(void **state)
{
	(void)state;
	sweep(
		"job a --image i --gpus 1 --gpu-type A,B --cpu 1 --memory 1Gi -e A=b -e A=c --secret S=s:k "
		"--data c:/d --data-dir /h --nfs s:/e:/n --label l=v --annotation x=y --toleration "
		"k=v:NoExecute "
		"--affinity zone=a,b@5 --selector s=t --retry 1 --retry-on-exit 3,4 --image-pull-secret p "
		"-- a $(b)");
	sweep("job a --image i --workers 2 --cpu 1 --memory 1Gi -o json -- t");
	sweep("job a --image i --array 1-9:2 --cpu 1 --shell -- t");
	sweep("deployment a --image i --cpu 1 --memory 1Gi --autoscale 1-5 --cpu-target 50% -o json");
	sweep("pod a --image i --cpu 1 -o name");
	sweep("hpa deploy/a --max 3 --cpu-target 50% --memory-target 1Gi -n x --name y");
	sweep("priority");
	sweep("affinity a=b !c d>5@7 -o json");
	sweep("job --help");
}

static void refusals_may_run_out_of_memory_too(void **state)
{
	static const char line[] =
		"job Bad_Name --image I --memory 8GB --cpu x --gpus 0.5 -e =x --label a "
		"--toleration b:c --data d --affinity = --array x --time 1x --shm 5";

	(void)state;
	for (size_t nth = 1;; nth++) {
		_cleanup_result_ struct result result;
		bool is_over;

		unit_fail_allocation(nth);
		result = run(line);
		is_over = *unit_countdown() != 0;
		unit_fail_allocation(0);
		assert_false(result.is_ok);
		assert_int_equal(result.out_len, 0);
		if (is_over)
			break;
		assert_true(result.err.kind == ERR_MEMORY || result.err.kind == ERR_USAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_articles_job),
		cmocka_unit_test(microk8s_2160_light_pods_see_no_gpu),
		cmocka_unit_test(gpu_rules_come_before_those_of_the_user),
		cmocka_unit_test(ray_26514_the_command_stays_an_argv),
		cmocka_unit_test(retries_time_and_grace),
		cmocka_unit_test(workers_find_each_other),
		cmocka_unit_test(arrays_number_their_tasks),
		cmocka_unit_test(everything_else_of_a_pod),
		cmocka_unit_test(a_deployment_and_its_autoscaler),
		cmocka_unit_test(the_users_name_label_is_selected),
		cmocka_unit_test(a_queue_is_a_label_of_the_job_alone),
		cmocka_unit_test(what_the_api_server_refuses_is_refused_here),
		cmocka_unit_test(rules_that_leave_no_node),
		cmocka_unit_test(a_selector_may_ask_for_gpu_nodes),
		cmocka_unit_test(an_option_may_be_half_remembered),
		cmocka_unit_test(rancher_dashboard_2148_arguments_too_long_for_execve),
		cmocka_unit_test(memory_may_run_out_anywhere),
		cmocka_unit_test(refusals_may_run_out_of_memory_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
