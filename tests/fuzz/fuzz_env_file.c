// SPDX-License-Identifier: MIT
// kube/env: a file of variables is refused, or each variable reaches the API object as it stands.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/faults.h"
#include "base/json_build.h"
#include "base/mem.h"
#include "kube/env.h"
#include "yaml/yaml.h"

enum { YAML_BYTES = 16 * 1024 * 1024 };

static char *look_up(const char *name)
{
	static char value[] = "from outside";

	return name[0] == 'A' ? value : NULL;
}

// Each literal value is somewhere in the file, which has no NUL.
static void check_values(const struct kube_env *env, const char *text)
{
	for (size_t i = 0; i < env->count; i++) {
		const char *value = env->items[i].value;

		if (!*env->items[i].name || strpbrk(env->items[i].name, " \t\n="))
			abort();
		if (strcmp(value, "from outside") != 0 && !strstr(text, value))
			abort();
	}
}

static void check_written(const struct kube_env *env)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(YAML_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_array(&b, NULL);
	kube_env_put(env, NULL, &b);
	json_build_close(&b);
	tree = json_build_take(&b, &err);
	if (!tree || !yaml_write(&out, tree, &err))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct kube_env env = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	// A block of its own, so that a read behind its end is seen.
	_cleanup_free_ char *text = malloc(len ? len : 1);

	memcpy(text, data, len);
	if (kube_env_parse_file(&env, text, len, look_up, &err)) {
		_cleanup_free_ char *copy = mem_dup_n(text, len);

		check_values(&env, copy);
		kube_env_check_file(&env, &faults);
		check_written(&env);
	} else if (err.kind != ERR_USAGE || !strstr(err_message(&err), "line ")) {
		abort();
	}
	kube_env_release(&env);
	return 0;
}
