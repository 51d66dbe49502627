// SPDX-License-Identifier: MIT
#include "boot/containerd.h"

#include <string.h>

#include "unit.h"

static const struct boot_version one = {1, 7, 28}, two = {2, 2, 0};

static void check(const char *text, const struct boot_version *version, bool has_gpu,
                  const char *settings, const char *root, const char *drop_in)
{
	struct boot_inventory inventory = {
		.kubernetes = {1, 34, 4},
		.images = {.repository = (char *)(uintptr_t) "registry.k8s.io"},
	};
	_cleanup_strbuf_ struct strbuf first = STRBUF_INIT(65536), second = STRBUF_INIT(65536);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree =
		settings ? json_parse(settings, strlen(settings), &err) : NULL;
	const char *body;

	inventory.containerd = tree;
	if (!boot_containerd_render(&inventory, text, version, has_gpu, &first, &second, &err))
		fail_msg("%s", err_message(&err));
	assert_string_equal(strbuf_get(&first), root);
	body = strstr(strbuf_get(&second), "version = ");
	assert_non_null(body);
	assert_string_equal(body, drop_in);
}

#define RUNC(table) \
	"\n[" table ".containerd.runtimes.runc]\nruntime_type = \"io.containerd.runc.v2\"\n"

static void no_file_with_containerd_2(void **state)
{
	(void)state;
	check(
		NULL, &two, true, "{\"SystemdCgroup\": false, \"restrict_oom_score_adj\": true}",
		"version = 3\nimports = [\"/etc/containerd/conf.d/*.toml\"]\n",
		"version = 3\n"
		"\n[plugins.\"io.containerd.cri.v1.runtime\".cni]\nbin_dir = \"/opt/cni/bin\"\n" RUNC(
			"plugins.\"io.containerd.cri.v1.runtime\"") "\n[plugins.\"io.containerd.cri.v1."
														"runtime\".containerd.runtimes.runc."
														"options]\n"
														"SystemdCgroup = false\n"
														"\n[plugins.\"io.containerd.cri.v1."
														"runtime\"]\nrestrict_oom_score_adj = "
														"true\n"
														"\n[plugins.\"io.containerd.cri.v1."
														"runtime\".containerd.runtimes.nvidia]\n"
														"runtime_type = \"io.containerd.runc.v2\"\n"
														"\n[plugins.\"io.containerd.cri.v1."
														"runtime\".containerd.runtimes.nvidia."
														"options]\n"
														"BinaryName = "
														"\"/usr/bin/"
														"nvidia-container-runtime\"\nSystemdCgroup "
														"= false\n"
														"\n[plugins.\"io.containerd.cri.v1."
														"images\".pinned_images]\n"
														"sandbox = "
														"\"registry.k8s.io/pause:3.10.1\"\n");
}

// containerd#4581, kubernetes#131164: the package's file switches the CRI plugin off.
static void containerd_4581_cri_is_disabled(void **state)
{
	_cleanup_strbuf_ struct strbuf drop_in = STRBUF_INIT(4096);

	(void)state;
	strbuf_add(
		&drop_in,
		"version = 2\n\n[plugins.\"io.containerd.grpc.v1.cri\"]\n"
		"sandbox_image = \"registry.k8s.io/pause:3.10.1\"\n"
		"\n[plugins.\"io.containerd.grpc.v1.cri\".cni]\nbin_dir = \"/opt/cni/bin\"\n" RUNC(
			"plugins.\"io.containerd.grpc.v1.cri\"") "\n[plugins.\"io.containerd.grpc.v1.cri\"."
													 "containerd.runtimes.runc.options]\n"
													 "SystemdCgroup = true\n");
	check("disabled_plugins = [\"cri\"]\n#root = \"/var/lib/containerd\"\n", &one, false, NULL,
	      "version = 2\nimports = [\"/etc/containerd/conf.d/*.toml\"]\n"
	      "disabled_plugins = []\n#root = \"/var/lib/containerd\"\n",
	      strbuf_get(&drop_in));
}

// sealos#4809, CAREN#1613: containerd 2 with a file of version 2 that has mirrors.
static void sealos_4809_mirrors_stay(void **state)
{
	static const char text[] = "version = 2\nimports = [ \"/etc/x.toml\" "
							   "]\n[plugins.\"io.containerd.grpc.v1.cri\".registry."
							   "mirrors.\"docker.io\"]\n  endpoint = [\"https://m\"]\n";
	_cleanup_strbuf_ struct strbuf first = STRBUF_INIT(65536), second = STRBUF_INIT(65536);
	struct boot_inventory inventory = {
		.kubernetes = {1, 34, 4},
		.images = {.repository = (char *)(uintptr_t) "r"},
	};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf again = STRBUF_INIT(65536), same = STRBUF_INIT(65536);

	(void)state;
	assert_true(boot_containerd_render(&inventory, text, &two, false, &first, &second, &err));
	assert_non_null(strstr(strbuf_get(&first),
	                       "imports = [\"/etc/containerd/conf.d/*.toml\", \"/etc/x.toml\" ]\n"));
	assert_non_null(strstr(strbuf_get(&second), "version = 2\n"));
	assert_non_null(strstr(strbuf_get(&second), "registry.mirrors.\"docker.io\"]\nendpoint = "
	                                            "[\"https://m\"]\n"));
	// and doing it again changes nothing
	assert_true(
		boot_containerd_render(&inventory, strbuf_get(&first), &two, false, &again, &same, &err));
	assert_string_equal(strbuf_get(&again), strbuf_get(&first));
	assert_string_equal(strbuf_get(&same), strbuf_get(&second));
}

static void version_1_is_refused(void **state)
{
	struct boot_inventory inventory = {.images = {.repository = (char *)(uintptr_t) "r"}};
	_cleanup_strbuf_ struct strbuf first = STRBUF_INIT(65536), second = STRBUF_INIT(65536);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_false(boot_containerd_render(&inventory, "[plugins.cri]\nx = 1\n", &one, false, &first,
	                                    &second, &err));
	assert_non_null(strstr(err_message(&err), "of version 1"));
}

static void which_containerd_serves(void **state)
{
	static const struct {
		struct boot_version containerd, kubernetes;
		bool serves;
	} rows[] = {
		{{1, 6, 20}, {1, 34, 4}, false}, {{1, 6, 39}, {1, 34, 4}, true},
		{{1, 7, 24}, {1, 34, 4}, false}, {{1, 7, 28}, {1, 34, 4}, true},
		{{2, 0, 6}, {1, 34, 4}, true},   {{1, 7, 28}, {1, 36, 0}, false},
		{{2, 2, 1}, {1, 36, 0}, true},   {{2, 1, 4}, {1, 35, 0}, false},
		{{1, 6, 20}, {1, 30, 0}, true},  {{1, 5, 9}, {1, 30, 0}, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (boot_containerd_serves(&rows[i].containerd, &rows[i].kubernetes) != rows[i].serves)
			fail_msg("row %zu", i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_file_with_containerd_2),
		cmocka_unit_test(containerd_4581_cri_is_disabled),
		cmocka_unit_test(sealos_4809_mirrors_stay),
		cmocka_unit_test(version_1_is_refused),
		cmocka_unit_test(which_containerd_serves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
