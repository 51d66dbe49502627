// SPDX-License-Identifier: MIT
#include "kube/mount.h"

#include <string.h>

#include "unit.h"

typedef bool parse_fn(struct kube_mounts *, const char *, struct err *);

// SOURCE NULL: it is refused.
static void check(parse_fn *parse, const char *text, const char *source, const char *path,
                  bool is_read_only)
{
	struct kube_mounts mounts = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;

	if (parse(&mounts, text, &err) != (source != NULL))
		fail_msg("\"%s\": %s", text, source ? err_message(&err) : "taken");
	if (source) {
		assert_string_equal(mounts.items[0].source, source);
		assert_string_equal(mounts.items[0].path, path);
		assert_int_equal(mounts.items[0].is_read_only, is_read_only);
	} else {
		assert_int_equal(err.kind, ERR_USAGE);
		assert_int_equal(mounts.count, 0);
	}
	kube_mounts_release(&mounts);
}

static void reads_claims(void **state)
{
	static const char *const bad[] = {
		"", "c", "c:", "c:p", "c:/p:", "c:/p:x", "c:/p:RO", "c:/p:/q", "c:/p:ro:ro", "/a"};

	(void)state;
	check(kube_mounts_parse_claim, "c:/p", "c", "/p", false);
	check(kube_mounts_parse_claim, "c:/p:ro", "c", "/p", true);
	check(kube_mounts_parse_claim, "c:/p:rw", "c", "/p", false);
	check(kube_mounts_parse_claim, "ro:/p", "ro", "/p", false);
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		check(kube_mounts_parse_claim, bad[i], NULL, NULL, false);
}

static void reads_folders_of_the_host(void **state)
{
	static const char *const bad[] = {"",   "a",   "./a", "/a:b", "/a:/b:/c",
	                                  "ro", "/a:", ":/a", "~/a"};

	(void)state;
	check(kube_mounts_parse_host, "/a", "/a", "/a", false);
	check(kube_mounts_parse_host, "/a:ro", "/a", "/a", true);
	check(kube_mounts_parse_host, "/a:/b", "/a", "/b", false);
	check(kube_mounts_parse_host, "/a:/b:ro", "/a", "/b", true);
	check(kube_mounts_parse_host, "/a b,c", "/a b,c", "/a b,c", false);
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		check(kube_mounts_parse_host, bad[i], NULL, NULL, false);
}

static void reads_nfs_exports(void **state)
{
	static const char *const bad[] = {"", "s", "s:/a", ":/a:/b", "s:a:/b", "s:/a:b", "s:/a:/b:/c"};

	(void)state;
	check(kube_mounts_parse_nfs, "s:/a:/b", "/a", "/b", false);
	check(kube_mounts_parse_nfs, "10.0.0.1:/a:/b:ro", "/a", "/b", true);
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		check(kube_mounts_parse_nfs, bad[i], NULL, NULL, false);
}

static void finds_every_fault(void **state)
{
	struct kube_mounts mounts = {NULL, 0};
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(kube_mounts_parse_claim(&mounts, "a:/x", &err) &&
	            kube_mounts_parse_host(&mounts, "/h:/x/", &err) &&
	            kube_mounts_parse_claim(&mounts, "Bad_Claim:/y", &err) &&
	            kube_mounts_parse_host(&mounts, "/a/../b", &err) &&
	            kube_mounts_parse_host(&mounts, "/..", &err) &&
	            kube_mounts_parse_host(&mounts, "/..a/b..", &err) &&
	            kube_mounts_parse_claim(&mounts, "a:/dev/shm", &err));
	kube_mounts_check(&mounts, false, &faults);
	assert_int_equal(faults.errors.count, 4);
	assert_string_equal(faults.errors.items[0], "two mounts at \"/x/\"");
	assert_non_null(strstr(faults.errors.items[1], "--data: \"Bad_Claim\" is not a name"));
	assert_string_equal(faults.errors.items[2], "--data-dir: \"/a/../b\" has a \"..\" in it");
	assert_string_equal(faults.errors.items[3], "--data-dir: \"/..\" has a \"..\" in it");
	kube_mounts_check(&mounts, true, &faults);
	assert_int_equal(faults.errors.count, 9);
	assert_string_equal(faults.errors.items[8], "two mounts at \"/dev/shm\"");
	kube_mounts_release(&mounts);
}

static void expect_written(const struct kube_mounts *mounts, const struct kube_quantity *shm,
                           const char *json)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = NULL;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	json_build_open_object(&b, NULL);
	kube_mounts_put_volumes(mounts, shm, &b);
	kube_mounts_put_container(mounts, shm, &b);
	json_build_close(&b);
	tree = json_build_take(&b, &err);
	assert_non_null(tree);
	json_write(&text, tree);
	assert_string_equal(strbuf_get(&text), json);
}

// arena's map allowed one mount a claim.
static void one_volume_serves_several_mounts(void **state)
{
	struct kube_mounts mounts = {NULL, 0};
	struct kube_quantity shm = {.is_set = false};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	expect_written(&mounts, &shm, "{}");
	assert_true(kube_mounts_parse_claim(&mounts, "a:/x", &err) &&
	            kube_mounts_parse_claim(&mounts, "a:/y:ro", &err) &&
	            kube_mounts_parse_nfs(&mounts, "s:/e:/z", &err) &&
	            kube_mounts_parse_nfs(&mounts, "t:/e:/w", &err));
	shm = (struct kube_quantity){true, 1 << 20, 0, KUBE_QUANTITY_BINARY};
	expect_written(&mounts, &shm,
	               "{\"volumes\":["
	               "{\"name\":\"data-0\",\"persistentVolumeClaim\":{\"claimName\":\"a\"}},"
	               "{\"name\":\"data-2\",\"nfs\":{\"server\":\"s\",\"path\":\"/e\"}},"
	               "{\"name\":\"data-3\",\"nfs\":{\"server\":\"t\",\"path\":\"/e\"}},"
	               "{\"name\":\"shm\",\"emptyDir\":{\"medium\":\"Memory\",\"sizeLimit\":\"1Mi\"}}],"
	               "\"volumeMounts\":["
	               "{\"name\":\"data-0\",\"mountPath\":\"/x\"},"
	               "{\"name\":\"data-0\",\"mountPath\":\"/y\",\"readOnly\":true},"
	               "{\"name\":\"data-2\",\"mountPath\":\"/z\"},"
	               "{\"name\":\"data-3\",\"mountPath\":\"/w\"},"
	               "{\"name\":\"shm\",\"mountPath\":\"/dev/shm\"}]}");
	kube_mounts_release(&mounts);
}

static void writes_a_folder_of_the_host(void **state)
{
	struct kube_mounts mounts = {NULL, 0};
	struct kube_quantity shm = {.is_set = false};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(kube_mounts_parse_host(&mounts, "/h:/x", &err));
	expect_written(&mounts, &shm,
	               "{\"volumes\":[{\"name\":\"data-0\",\"hostPath\":{\"path\":\"/h\"}}],"
	               "\"volumeMounts\":[{\"name\":\"data-0\",\"mountPath\":\"/x\"}]}");
	kube_mounts_release(&mounts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_claims),
		cmocka_unit_test(reads_folders_of_the_host),
		cmocka_unit_test(reads_nfs_exports),
		cmocka_unit_test(finds_every_fault),
		cmocka_unit_test(one_volume_serves_several_mounts),
		cmocka_unit_test(writes_a_folder_of_the_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
