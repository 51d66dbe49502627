// SPDX-License-Identifier: MIT
// Where pods may run: affinity, tolerations, and pairs.
#include "kube/affinity.h"

#include <string.h>

#include "kube/pairs.h"
#include "kube/toleration.h"
#include "unit.h"

static void expect_affinity(const char *const *rules, size_t count, const char *json)
{
	struct kube_affinity affinity = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = NULL;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	for (size_t i = 0; i < count; i++)
		if (!kube_affinity_parse(&affinity, rules[i], &err))
			fail_msg("%s", err_message(&err));
	tree = kube_affinity_build(&affinity, &err);
	assert_non_null(tree);
	json_write(&text, tree);
	assert_string_equal(strbuf_get(&text), json);
	kube_affinity_release(&affinity);
}

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

// A server reads an unquoted true as a truth value; here it is a string in the tree.
static void rook_2249_true_is_a_string(void **state)
{
	static const char *const rules[] = {"gpu=true"};

	(void)state;
	expect_affinity(rules, 1,
	                "{\"affinity\":{\"nodeAffinity\":{\"" REQUIRED
	                "\":{\"nodeSelectorTerms\":[{\"matchExpressions\":["
	                "{\"key\":\"gpu\",\"operator\":\"In\",\"values\":[\"true\"]}]}]}}}}");
}

static void every_operator(void **state)
{
	static const char *const rules[] = {"a.io/b=x,y", "c!=z,", "d", "!e", "f>5", "g<0"};

	(void)state;
	expect_affinity(rules, COUNT_OF(rules),
	                "{\"affinity\":{\"nodeAffinity\":{\"" REQUIRED
	                "\":{\"nodeSelectorTerms\":[{\"matchExpressions\":["
	                "{\"key\":\"a.io/b\",\"operator\":\"In\",\"values\":[\"x\",\"y\"]},"
	                "{\"key\":\"c\",\"operator\":\"NotIn\",\"values\":[\"z\",\"\"]},"
	                "{\"key\":\"d\",\"operator\":\"Exists\"},"
	                "{\"key\":\"e\",\"operator\":\"DoesNotExist\"},"
	                "{\"key\":\"f\",\"operator\":\"Gt\",\"values\":[\"5\"]},"
	                "{\"key\":\"g\",\"operator\":\"Lt\",\"values\":[\"0\"]}]}]}}}}");
}

static void preferences_are_terms_of_their_own(void **state)
{
	static const char *const rules[] = {"a=b@1", "c@100"};

	(void)state;
	expect_affinity(rules, COUNT_OF(rules),
	                "{\"affinity\":{\"nodeAffinity\":{\"" PREFERRED "\":["
	                "{\"weight\":1,\"preference\":{\"matchExpressions\":["
	                "{\"key\":\"a\",\"operator\":\"In\",\"values\":[\"b\"]}]}},"
	                "{\"weight\":100,\"preference\":{\"matchExpressions\":["
	                "{\"key\":\"c\",\"operator\":\"Exists\"}]}}]}}}");
	expect_affinity(NULL, 0, "{}");
}

static void refuses_rules_that_say_nothing(void **state)
{
	static const char *const bad[] = {"",
	                                  "=",
	                                  "=a",
	                                  "!",
	                                  "!a=b",
	                                  "a>",
	                                  "a>b",
	                                  "a>-1",
	                                  "a>+1",
	                                  "a<1,2",
	                                  "a b=c",
	                                  "a=b c",
	                                  "a=b@",
	                                  "a=b@0",
	                                  "a=b@101",
	                                  "a@x",
	                                  "@5",
	                                  "a==b",
	                                  "a!b",
	                                  "a=_x",
	                                  "-a=b",
	                                  "a=b@-1",
	                                  "a>9223372036854775808",
	                                  "a/b/c",
	                                  "a=\xC3\xA9"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct kube_affinity affinity = {NULL, 0};
		_cleanup_err_ struct err err = ERR_INIT;

		if (kube_affinity_parse(&affinity, bad[i], &err))
			fail_msg("\"%s\" was taken", bad[i]);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_non_null(err.hint);
		assert_int_equal(affinity.count, 0);
		kube_affinity_release(&affinity);
	}
}

static bool wants_gpus(const char *rule)
{
	struct kube_affinity affinity = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;
	bool is_wanted;

	assert_true(kube_affinity_parse(&affinity, rule, &err));
	is_wanted = kube_affinity_wants_gpu_nodes(&affinity);
	kube_affinity_release(&affinity);
	return is_wanted;
}

static void knows_who_wants_gpu_nodes(void **state)
{
	(void)state;
	assert_true(wants_gpus("gpu=true"));
	assert_false(wants_gpus("gpu=true@100"));
	assert_false(wants_gpus("gpu!=true"));
	assert_false(wants_gpus("gpu=true,false"));
	assert_false(wants_gpus("gpu"));
}

static bool rules_out(const char *rule, const char *value)
{
	struct kube_affinity affinity = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;
	bool is_out;

	assert_true(kube_affinity_parse(&affinity, rule, &err));
	is_out = kube_affinity_rules_out(&affinity, "k", value);
	kube_affinity_release(&affinity);
	return is_out;
}

static void knows_what_a_rule_rules_out(void **state)
{
	(void)state;
	assert_false(rules_out("k=a,b", "a"));
	assert_true(rules_out("k=a,b", "c"));
	assert_true(rules_out("k!=a", "a"));
	assert_false(rules_out("k!=a", "b"));
	assert_false(rules_out("k", "a"));
	assert_true(rules_out("!k", "a"));
	assert_true(rules_out("k>5", "a"));
	assert_true(rules_out("k>5", "5"));
	assert_false(rules_out("k>5", "6"));
	assert_false(rules_out("k<5", "-4"));
	assert_false(rules_out("k!=a@100", "a"));
	assert_false(rules_out("other=a", "b"));
}

static void expect_tolerations(const char *const *texts, size_t count, const char *gpu_key,
                               const char *json)
{
	struct kube_tolerations list = {NULL, 0};
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = NULL;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	for (size_t i = 0; i < count; i++)
		if (!kube_tolerations_parse(&list, texts[i], &err))
			fail_msg("%s", err_message(&err));
	json_build_open_object(&b, NULL);
	kube_tolerations_put(&list, gpu_key, &b);
	json_build_close(&b);
	tree = json_build_take(&b, &err);
	assert_non_null(tree);
	json_write(&text, tree);
	assert_string_equal(strbuf_get(&text), json);
	kube_tolerations_release(&list);
}

static void reads_tolerations(void **state)
{
	static const char *const texts[] = {"all", "a.io/b", "c=d:NoExecute", "e:NoSchedule", "f="};

	(void)state;
	expect_tolerations(
		texts, COUNT_OF(texts), NULL,
		"{\"tolerations\":[{\"operator\":\"Exists\"},"
		"{\"key\":\"a.io/b\",\"operator\":\"Exists\"},"
		"{\"key\":\"c\",\"operator\":\"Equal\",\"value\":\"d\",\"effect\":\"NoExecute\"},"
		"{\"key\":\"e\",\"operator\":\"Exists\",\"effect\":\"NoSchedule\"},"
		"{\"key\":\"f\",\"operator\":\"Equal\",\"value\":\"\"}]}");
	expect_tolerations(NULL, 0, NULL, "{}");
}

static void adds_the_gpu_taint_once(void **state)
{
	static const char *const own[] = {"nvidia.com/gpu"}, *const all[] = {"all"},
							 *const narrow[] = {"nvidia.com/gpu:NoSchedule"};

	(void)state;
	expect_tolerations(NULL, 0, "nvidia.com/gpu",
	                   "{\"tolerations\":[{\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\"}]}");
	expect_tolerations(own, 1, "nvidia.com/gpu",
	                   "{\"tolerations\":[{\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\"}]}");
	expect_tolerations(all, 1, "nvidia.com/gpu", "{\"tolerations\":[{\"operator\":\"Exists\"}]}");
	expect_tolerations(
		narrow, 1, "nvidia.com/gpu",
		"{\"tolerations\":[{\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\"},"
		"{\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\",\"effect\":\"NoSchedule\"}]}");
}

static void refuses_tolerations_that_say_nothing(void **state)
{
	static const char *const bad[] = {"",      "bad key",    "a:",    "a:Never", "a:noschedule",
	                                  "=a",    ":x",         "a=b=c", "a=b:c:d", "ALL THINGS",
	                                  "a/b/c", ":NoSchedule"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct kube_tolerations list = {NULL, 0};
		_cleanup_err_ struct err err = ERR_INIT;

		if (kube_tolerations_parse(&list, bad[i], &err))
			fail_msg("\"%s\" was taken", bad[i]);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_int_equal(list.count, 0);
		kube_tolerations_release(&list);
	}
}

static void pairs_keep_the_last_of_equal_keys(void **state)
{
	struct kube_pairs pairs = {NULL, 0};
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = NULL;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	(void)state;
	assert_true(kube_pairs_parse(&pairs, "a=1", &err) && kube_pairs_parse(&pairs, "b=x=y", &err) &&
	            kube_pairs_parse(&pairs, "a=", &err));
	assert_false(kube_pairs_parse(&pairs, "x", &err));
	assert_string_equal(err_message(&err), "\"x\" is not KEY=VALUE");
	assert_string_equal(kube_pairs_get(&pairs, "a"), "");
	assert_null(kube_pairs_get(&pairs, "x"));
	json_build_open_object(&b, NULL);
	kube_pairs_put(&pairs, &b);
	json_build_close(&b);
	tree = json_build_take(&b, &err);
	json_write(&text, tree);
	assert_string_equal(strbuf_get(&text), "{\"b\":\"x=y\",\"a\":\"\"}");
	kube_pairs_release(&pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rook_2249_true_is_a_string),
		cmocka_unit_test(every_operator),
		cmocka_unit_test(preferences_are_terms_of_their_own),
		cmocka_unit_test(refuses_rules_that_say_nothing),
		cmocka_unit_test(knows_who_wants_gpu_nodes),
		cmocka_unit_test(knows_what_a_rule_rules_out),
		cmocka_unit_test(reads_tolerations),
		cmocka_unit_test(adds_the_gpu_taint_once),
		cmocka_unit_test(refuses_tolerations_that_say_nothing),
		cmocka_unit_test(pairs_keep_the_last_of_equal_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
