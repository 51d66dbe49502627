// SPDX-License-Identifier: MIT
#include "mon/record.h"

#include <string.h>

#include "base/strbuf.h"
#include "mon/model.h"
#include "unit.h"

enum { MAX_LINE_BYTES = 1024 * 1024 };

#define HEAD "{\"vpsml_record\":1,\"time_ms\":1796095800000"

static struct mon_snapshot *parse(const char *line)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t now_ms;
	struct mon_snapshot *s = mon_record_parse(line, strlen(line), &now_ms, &err);

	if (!s)
		fail_msg("%s", err_message(&err));
	assert_true(mon_snapshot_finish(s, NULL, &mon_thresholds_default, now_ms, &err));
	return s;
}

static void assert_refused(const char *line, const char *message)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t now_ms;

	assert_null(mon_record_parse(line, strlen(line), &now_ms, &err));
	assert_string_equal(err_message(&err), message);
	assert_int_equal(err.kind, ERR_FAILED);
}

static void test_a_value_has_three_states(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s =
		parse(HEAD ",\"nodes\":[{\"name\":\"a\",\"gpus\":[{\"values\":{"
	               "\"util_pct\":[0,2000,\"ssh\"],\"power_w\":[null,2000,\"ssh\"],"
	               "\"temperature_c\":[61,60000,\"ssh\"]}}]}]}");
	const struct mon_value *values = s->gpus[0].values;

	(void)state;
	assert_int_equal(values[MON_GPU_UTIL_PCT].state, MON_NUMBER);
	assert_int_equal(values[MON_GPU_UTIL_PCT].at_ms, 1796095798000);
	assert_int_equal(values[MON_GPU_UTIL_PCT].source, MON_SOURCE_SSH);
	assert_int_equal(values[MON_GPU_POWER_W].state, MON_NA);
	assert_int_equal(values[MON_GPU_TEMPERATURE_C].state, MON_STALE);
	assert_int_equal(values[MON_GPU_ECC].state, MON_NONE);
	assert_int_equal(s->gpus[0].instance, MON_WHOLE_GPU);
}

// Every field survives writing and reading: what is written of the copy is the same text.
static void test_written_and_read_again(void **state)
{
	static const char line[] =
		HEAD ",\"cluster\":\"prod\",\"link\":\"down\",\"link_error\":\"401\",\"link_since_ms\":7,"
			 "\"interval_ms\":5000,\"nodes\":[{\"name\":\"a\",\"pool\":\"x\",\"role\":\"y\","
			 "\"version\":\"v1\",\"complaint\":\"ssh: timeout\",\"is_in_api\":true,"
			 "\"ready\":\"no\",\"not_ready_since_ms\":5,\"pressure\":3,\"is_cordoned\":true,"
			 "\"cpu_capacity_milli\":4000,\"cpu_allocatable_milli\":3900,"
			 "\"memory_capacity_bytes\":8,\"memory_allocatable_bytes\":7,\"skew_ms\":42000,"
			 "\"gpu_source\":\"exporter\",\"gpu_heard_ms\":9,\"malformed\":1,"
			 "\"values\":{\"cpu_milli\":[12.5,2000,\"kubelet\"]},"
			 "\"resources\":{\"nvidia.com/gpu\":8},\"gpu_history_pct\":[1,null,3],\"gpus\":[{"
			 "\"index\":3,\"uuid\":\"U\",\"model\":\"M\",\"health\":\"H\",\"is_lost\":true,"
			 "\"lost_since_ms\":4,\"quiet_since_ms\":5,\"xid_first_ms\":6,\"is_xid_old\":true,"
			 "\"values\":{\"xid\":[79,0,\"exporter\"]},\"owners\":[{\"how\":\"cgroup\","
			 "\"namespace\":\"ml\",\"pod\":\"p\",\"container\":\"c\",\"pod_uid\":\"u\"}],"
			 "\"util_history_pct\":[7]},{\"index\":4,\"instance\":2,"
			 "\"kind\":\"mig-instance\",\"profile\":\"3g.40gb\"}]}],"
			 "\"pods\":[{\"namespace\":\"ml\",\"name\":\"p\",\"uid\":\"u\",\"node_name\":\"a\","
			 "\"job_name\":\"j\",\"user\":\"eve\",\"reason\":\"OOMKilled\","
			 "\"gpu_resource\":\"nvidia.com/gpu\",\"phase\":\"failed\",\"is_terminating\":true,"
			 "\"is_oom_killed\":true,\"oom_ms\":8,\"exit_code\":0,\"restarts\":2,\"priority\":-5,"
			 "\"created_ms\":1,\"started_ms\":2,\"ended_ms\":3,\"gpus\":4,\"cpu_milli\":5,"
			 "\"memory_bytes\":6}],\"jobs\":[{\"namespace\":\"ml\",\"name\":\"j\","
			 "\"user\":\"eve\",\"priority_class\":\"high\",\"why\":\"w\",\"state\":\"failed\","
			 "\"priority\":9,\"gpus\":4,\"created_ms\":1,\"started_ms\":2,\"ended_ms\":3,"
			 "\"restarts\":1}],\"notes\":[{\"text\":\"t\",\"since_ms\":3}],\"history\":{}}\n";
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf first = STRBUF_INIT(MAX_LINE_BYTES);
	_cleanup_strbuf_ struct strbuf second = STRBUF_INIT(MAX_LINE_BYTES);
	_cleanup_mon_snapshot_ struct mon_snapshot *s = parse(line), *copy = NULL;

	(void)state;
	assert_true(mon_record_write(&first, s, false, &err));
	copy = parse(strbuf_get(&first));
	assert_true(mon_record_write(&second, copy, false, &err));
	assert_string_equal(strbuf_get(&first), strbuf_get(&second));
	for (const char *name = line; (name = strstr(name, ",\"")) != NULL; name++) {
		_cleanup_free_ char *member = mem_dup_n(name + 1, strcspn(name, ":[]{}"));

		assert_non_null(member);
		member[strcspn(member, ":")] = '\0';
		if (!strstr(member, "history") && strstr(name, ":") == name + 1 + strlen(member))
			assert_non_null(strstr(strbuf_get(&first), member));
	}
}

static void test_faults_are_named(void **state)
{
	(void)state;
	assert_refused("{}", "vpsml_record: missing");
	assert_refused("{\"vpsml_record\":2,\"time_ms\":1}",
	               "vpsml_record: version 2 is not known to this vpsml");
	assert_refused("{\"vpsml_record\":1,\"time_ms\":0}", "time_ms: not a time");
	assert_refused(HEAD ",\"nodes\":[{}]}", "nodes[0]: name: missing");
	assert_refused(HEAD ",\"nodes\":[{\"name\":\"\"}]}", "nodes[0]: name: not a name");
	assert_refused(HEAD ",\"nodes\":7}", "nodes: not a list");
	assert_refused(HEAD ",\"nodes\":[{\"name\":\"a\"},{\"name\":\"b\",\"ready\":3}]}",
	               "nodes[1]: ready: not a string");
	assert_refused(HEAD ",\"pods\":[{\"name\":\"p\",\"gpus\":1.5}]}",
	               "pods[0]: gpus: not an integer");
	assert_refused(HEAD ",\"nodes\":[{\"name\":\"a\",\"values\":{\"cpu_milli\":7}}]}",
	               "nodes[0]: cpu_milli: not [number or null, age in ms, source]");
}

static void test_outside_text_is_harmless(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s =
		parse(HEAD ",\"pods\":[{\"name\":\"a\\\"b\\\\\\u001b[2J\"}]}");

	(void)state;
	assert_string_equal(s->pods[0].name, "a\"b\\^[[2J");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_value_has_three_states),
		cmocka_unit_test(test_written_and_read_again),
		cmocka_unit_test(test_faults_are_named),
		cmocka_unit_test(test_outside_text_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
