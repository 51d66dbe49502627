// SPDX-License-Identifier: MIT
#include "boot/manifest.h"

#include <string.h>

#include "unit.h"

static const char calico[] = "kind: ServiceAccount\napiVersion: v1\nmetadata: {name: calico-node}\n"
							 "---\n# nothing\n---\n"
							 "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
							 "metadata: {name: bgppeers.crd.projectcalico.org}\n"
							 "---\napiVersion: v1\nkind: List\nitems:\n"
							 "- {apiVersion: v1, kind: Namespace, metadata: {name: a}}\n"
							 "- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n";
// By sha256sum.
#define SUM "ff263bcabaad5a6b7cac66566673b31a6c2b7df992ed9bfb11219e0366bba181"
#define WRONG "0000000000000000000000000000000000000000000000000000000000000000"

static void definitions_come_first(void **state)
{
	static const char *const wanted[] = {"bgppeers.crd.projectcalico.org", "a", "calico-node", "b"};
	_cleanup_boot_objects_ struct boot_objects objects = BOOT_OBJECTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(boot_manifest_parse("calico.yaml", calico, strlen(calico), &objects, &err));
	assert_int_equal(objects.count, COUNT_OF(wanted));
	for (size_t i = 0; i < objects.count; i++)
		assert_string_equal(boot_object_name(&objects.items[i]), wanted[i]);
}

static void refuse(const char *text, const char *message)
{
	_cleanup_boot_objects_ struct boot_objects objects = BOOT_OBJECTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	assert_false(boot_manifest_parse("m", text, strlen(text), &objects, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err_message(&err), message);
}

static void what_is_no_object(void **state)
{
	(void)state;
	refuse("", "m: has no objects");
	refuse("# nothing\n", "m: has no objects");
	refuse("kind: X\nmetadata: {name: a}\n", "m:1:1: is no object of Kubernetes: no apiVersion");
	refuse("404: Not Found\n", "m:1:1: is no object of Kubernetes: no apiVersion");
	refuse("[1]\n", "m:1:1: is no object of Kubernetes: no apiVersion");
	refuse("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: X}\n",
	       "m:4:3: is no object of Kubernetes: no metadata.name");
}

// What a URL leads to.
static bool fetch(void *context, const char *url, struct strbuf *out, struct err *err)
{
	(void)err;
	strbuf_add(context, url);
	strbuf_add(out, calico);
	return true;
}

static bool load(const char *url, const char *sha256, struct strbuf *asked, struct err *err)
{
	_cleanup_boot_objects_ struct boot_objects objects = BOOT_OBJECTS_INIT;
	struct boot_network network = {
		.plugin = BOOT_PLUGIN_CALICO, .manifest = {.url = (char *)url}, .sha256 = (char *)sha256};
	bool is_ok = boot_manifest_load(&network, fetch, asked, &objects, err);

	assert_int_equal(objects.count, is_ok ? 4 : 0);
	return is_ok;
}

static void checksum(void **state)
{
	_cleanup_strbuf_ struct strbuf asked = STRBUF_INIT(1024);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(load("https://m/c.yaml", SUM, &asked, &err));
	assert_string_equal(strbuf_get(&asked), "https://m/c.yaml");
	assert_false(load("https://m/c.yaml", WRONG, &asked, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err_message(&err), "https://m/c.yaml: its SHA-256 is " SUM ", not " WRONG);
}

static void release_that_we_know(void **state)
{
	_cleanup_strbuf_ struct strbuf asked = STRBUF_INIT(1024);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(load(NULL, NULL, &asked, &err));
	assert_non_null(strstr(strbuf_get(&asked), "/calico/v3."));
}

static void no_plugin(void **state)
{
	_cleanup_boot_objects_ struct boot_objects objects = BOOT_OBJECTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	struct boot_network network = {.plugin = BOOT_PLUGIN_NONE};

	(void)state;
	assert_true(boot_manifest_load(&network, fetch, NULL, &objects, &err));
	assert_int_equal(objects.count, 0);
	network = (struct boot_network){.plugin = BOOT_PLUGIN_FILE,
	                                .manifest = {.path = (char *)"/nosuch/net.yaml"}};
	assert_false(boot_manifest_load(&network, fetch, NULL, &objects, &err));
	assert_string_equal(err_message(&err), "/nosuch/net.yaml: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(definitions_come_first),
		cmocka_unit_test(what_is_no_object),
		cmocka_unit_test(checksum),
		cmocka_unit_test(release_that_we_know),
		cmocka_unit_test(no_plugin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
