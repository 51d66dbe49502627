// SPDX-License-Identifier: MIT
#include "jobs/needs.h"

#include <string.h>

#include "jobs/quota.h"
#include "unit.h"

// An object from JSON with ' for ".
static struct json *parse(const char *text)
{
	_cleanup_strbuf_ struct strbuf json = STRBUF_INIT(65536);
	_cleanup_err_ struct err err = ERR_INIT;
	struct json *tree;

	for (const char *c = text; *c; c++)
		strbuf_add_char(&json, *c == '\'' ? '"' : *c);
	tree = json_parse(strbuf_get(&json), json.len, &err);
	if (!tree)
		fail_msg("%s", err_message(&err));
	return tree;
}

static void read_needs(struct jobs_needs *needs, const struct json *object)
{
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(jobs_needs_read(needs, object, "default", &err));
}

#define POD(containers) "{'kind':'Pod','spec':{'containers':[" containers "]}}"

static void finds_every_name(void **state)
{
	static const char text[] =
		"{'kind':'Job','spec':{'parallelism':4,'completions':3,'template':{'spec':{"
		"'priorityClassName':'p','runtimeClassName':'r','serviceAccountName':'s',"
		"'imagePullSecrets':[{'name':'reg'},{}],"
		"'volumes':[{'persistentVolumeClaim':{'claimName':'c'}},{'secret':{'secretName':'v'}},"
		"{'configMap':{'name':'m'}},{'secret':{'secretName':'o','optional':true}},{'emptyDir':{}}],"
		"'initContainers':[{'envFrom':[{'secretRef':{'name':'all'}},{'configMapRef':{'name':'cm'}}]"
		"}],"
		"'containers':[{'env':[{'name':'A','value':'x'},"
		"{'valueFrom':{'secretKeyRef':{'name':'k','key':'key'}}},"
		"{'valueFrom':{'configMapKeyRef':{'name':'n','key':'b','optional':true}}}]}]}}}}";
	static const char *const names[] = {"p", "r", "s", "reg", "c", "v", "m", "all", "cm", "k"};
	_cleanup_json_ struct json *object = parse(text);
	struct jobs_needs needs;

	(void)state;
	read_needs(&needs, object);
	assert_int_equal(needs.pods, 3);
	assert_int_equal(needs.ref_count, COUNT_OF(names));
	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_string_equal(needs.refs[i].name, names[i]);
	assert_string_equal(needs.refs[9].key, "key");
	jobs_needs_release(&needs);
}

static void sums_containers(void **state)
{
	_cleanup_json_ struct json *object = parse(
		"{'kind':'CronJob','spec':{'jobTemplate':{'spec':{'parallelism':2,'template':{'spec':{"
		"'initContainers':[{'resources':{'requests':{'cpu':'8','memory':'1Gi'}}}],"
		"'containers':[{'resources':{'requests':{'cpu':'500m','memory':1024},'limits':{"
		"'nvidia.com/gpu':2}}},{'resources':{'limits':{'cpu':2}}},{'resources':{'requests':{"
		"'cpu':'x'}}}]}}}}}}");
	struct jobs_needs needs;

	(void)state;
	read_needs(&needs, object);
	assert_int_equal(needs.pods, 2);
	assert_int_equal(needs.pod.cpu_milli, 8000);
	assert_int_equal(needs.pod.memory_bytes, 1 << 30);
	assert_int_equal(needs.pod.gpus, 2);
	assert_string_equal(needs.gpu_resource, "nvidia.com/gpu");
	assert_int_equal(needs.container_count, 4);
	jobs_needs_release(&needs);
}

static void what_has_no_pods_needs_nothing(void **state)
{
	static const char *const texts[] = {
		"{'kind':'ConfigMap','data':{'a':'b'}}",
		"{'kind':'Job'}",
		"{'kind':'Job','spec':7}",
		"{'kind':'Pod','spec':'x'}",
		"{'kind':'Job','spec':{'template':[]}}",
		"{'kind':7}",
		"[]",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		_cleanup_json_ struct json *object = parse(texts[i]);
		struct jobs_needs needs;

		read_needs(&needs, object);
		assert_int_equal(needs.ref_count, 0);
		assert_int_equal(needs.container_count, 0);
		jobs_needs_release(&needs);
	}
}

static struct kube_quantity quantity(const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_quantity ret;

	assert_true(kube_quantity_parse(text, &ret, &err));
	return ret;
}

// The warning, or NULL, of a quota with one entry.
static void check_quota(const char *text, const char *resource, const char *hard, const char *used,
                        const struct kube_limit_info *limits, const char *expected)
{
	struct kube_quota_entry entry = {(char *)resource, quantity(hard), quantity(used)};
	struct kube_quota_info quota = {.name = (char *)"q", .entries = &entry, .count = 1};
	_cleanup_json_ struct json *object = parse(text);
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	struct jobs_needs needs;

	read_needs(&needs, object);
	jobs_quota_check(&needs, &quota, limits, limits ? 1 : 0, &faults);
	assert_int_equal(faults.warnings.count, expected != NULL);
	if (expected)
		assert_string_equal(faults.warnings.items[0], expected);
	jobs_needs_release(&needs);
}

#define ASKS(what) POD("{'name':'c','resources':{" what "}}")

static void quotas_are_kept_or_not(void **state)
{
	const struct kube_limit_info fills = {.cpu = {.limit = quantity("2")}};

	(void)state;
	check_quota(ASKS("'requests':{'cpu':'2'}"), "requests.cpu", "4", "2", NULL, NULL);
	check_quota(
		ASKS("'requests':{'cpu':'2'}"), "cpu", "4", "2500m", NULL,
		"quota \"q\" has 1500m of cpu left, and the pod asks for 2: it waits until others end");
	check_quota(ASKS("'limits':{'memory':'1Gi'}"), "memory", "200Mi", "0", NULL,
	            "quota \"q\" allows 200Mi of memory in all, and a pod asks for 1Gi: none will ever "
	            "be made");
	check_quota(
		ASKS("'requests':{'cpu':'2'}"), "limits.cpu", "4", "0", NULL,
		"quota \"q\" counts limits.cpu, and container \"c\" names none: no pod will be made; give "
		"--cpu-limit");
	check_quota(ASKS("'requests':{'cpu':'1'}"), "limits.cpu", "4", "0", &fills, NULL);
	check_quota(
		ASKS("'requests':{'cpu':'1'}"), "limits.cpu", "1", "0", &fills,
		"quota \"q\" allows 1 of limits.cpu in all, and a pod asks for 2: none will ever be made");
	check_quota(ASKS("'limits':{'amd.com/gpu':2}"), "requests.amd.com/gpu", "2", "1", NULL,
	            "quota \"q\" has 1 of requests.amd.com/gpu left, and the pod asks for 2: it waits "
	            "until others end");
	check_quota(ASKS("'limits':{'amd.com/gpu':2}"), "requests.nvidia.com/gpu", "0", "0", NULL,
	            NULL);
	check_quota(
		ASKS(""), "pods", "5", "5", NULL,
		"quota \"q\" has 0 of pods left, and the pod asks for 1: it waits until others end");
	check_quota(ASKS(""), "count/jobs.batch", "0", "0", NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_every_name),
		cmocka_unit_test(sums_containers),
		cmocka_unit_test(what_has_no_pods_needs_nothing),
		cmocka_unit_test(quotas_are_kept_or_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
