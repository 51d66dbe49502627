// SPDX-License-Identifier: MIT
#include "kube/env.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "kube/expand.h"
#include "kube/name.h"

static void release_var(struct kube_env_var *var)
{
	mem_free(var->name);
	mem_free(var->value);
	mem_free(var->secret);
	mem_free(var->secret_key);
}

// Takes the strings over; frees them on failure.
static bool append(struct kube_env *env, struct kube_env_var var, bool is_complete, struct err *err)
{
	if (is_complete && mem_append(&env->items, &env->count, &var, sizeof(var)))
		return true;
	release_var(&var);
	return err_memory(err);
}

bool kube_env_add(struct kube_env *env, const char *name, const char *value, struct err *err)
{
	struct kube_env_var var = {.name = mem_dup(name), .value = mem_dup(value)};

	return append(env, var, var.name && var.value, err);
}

bool kube_env_parse(struct kube_env *env, const char *text, char *(*look_up)(const char *),
                    struct err *err)
{
	const char *equals = strchr(text, '=');
	_cleanup_free_ char *name = mem_dup_n(text, equals ? (size_t)(equals - text) : strlen(text));
	const char *value = equals ? equals + 1 : NULL;

	if (!name)
		return err_memory(err);
	if (!kube_name_check_env(name, NULL, err))
		return false;
	if (!value)
		value = look_up(name);
	if (!value) {
		err_set(err, ERR_USAGE, "\"%s\" is not set in the environment", name);
		return err_hint(err, "%s=VALUE?", name);
	}
	return kube_env_add(env, name, value, err);
}

bool kube_env_parse_secret(struct kube_env *env, const char *text, struct err *err)
{
	const char *equals = strchr(text, '=');
	const char *colon = equals ? strchr(equals, ':') : NULL;
	struct kube_env_var var = {.name = NULL};

	if (!colon || equals == text || colon == equals + 1 || !colon[1])
		return err_set(err, ERR_USAGE, "\"%s\" is not NAME=SECRET:KEY", text);
	var.name = mem_dup_n(text, (size_t)(equals - text));
	var.secret = mem_dup_n(equals + 1, (size_t)(colon - equals - 1));
	var.secret_key = mem_dup(colon + 1);
	return append(env, var, var.name && var.secret && var.secret_key, err);
}

// Shells' "export NAME=VALUE" and "NAME = VALUE" are not docker's, and no program reads such names.
static bool check_blanks(const char *text, struct err *err)
{
	size_t len = strcspn(text, "=");

	if (strcspn(text, " \t") >= len)
		return true;
	err_set(err, ERR_USAGE, "blank in the name \"%.*s\"", (int)len, text);
	return err_hint(err, "write it as NAME=VALUE, without \"export\" and blanks around \"=\"");
}

// One line, LEN bytes without its end.
static bool parse_line(struct kube_env *env, const char *line, size_t len,
                       char *(*look_up)(const char *), struct err *err)
{
	_cleanup_free_ char *text = mem_dup_n(line, len);
	size_t blanks;

	if (!text)
		return err_memory(err);
	if (memchr(line, '\0', len) || !text_is_utf8(line, len))
		return err_set(err, ERR_USAGE, "not UTF-8 text");
	blanks = strspn(text, " \t");
	if (!text[blanks] || text[blanks] == '#')
		return true;
	return check_blanks(text + blanks, err) && kube_env_parse(env, text + blanks, look_up, err);
}

bool kube_env_parse_file(struct kube_env *env, const char *text, size_t len,
                         char *(*look_up)(const char *), struct err *err)
{
	static const char byte_order_mark[] = "\xEF\xBB\xBF";
	const char *end = text + len;
	size_t number = 1;

	if (len >= 3 && !memcmp(text, byte_order_mark, 3))
		text += 3;
	for (; text < end; number++) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		size_t line_len = (size_t)((line_end ? line_end : end) - text);
		size_t kept = line_len && text[line_len - 1] == '\r' ? line_len - 1 : line_len;

		if (!parse_line(env, text, kept, look_up, err))
			return err_wrap(err, "line %zu", number);
		text += line_len + 1;
	}
	return true;
}

static void check_var(const struct kube_env_var *var, const char *option, struct faults *faults)
{
	_cleanup_err_ struct err err = ERR_INIT;
	bool is_old_style = true;

	if (var->secret)
		option = "--secret";
	if (!kube_name_check_env(var->name, &is_old_style, &err) ||
	    (var->secret && (!kube_name_check_subdomain(var->secret, &err) ||
	                     !kube_name_check_secret_key(var->secret_key, &err)))) {
		err_wrap(&err, "%s", option);
		faults_take(faults, &err);
	} else if (!is_old_style) {
		faults_warn(faults, "%s: \"%s\" is a variable's name only since Kubernetes 1.32", option,
		            var->name);
	}
	if (var->value && strlen(var->name) + strlen(var->value) + 2 > KUBE_EXEC_STRING_MAX_BYTES)
		faults_add(faults, "%s: \"%s\" has %zu bytes with its name, %d are allowed in a container",
		           option, var->name, strlen(var->name) + strlen(var->value) + 1,
		           KUBE_EXEC_STRING_MAX_BYTES - 1);
	// what was typed was looked at before; what comes from the environment was not
	if (var->value && !text_is_utf8(var->value, strlen(var->value)))
		faults_add(faults, "%s: the value of \"%s\" is not UTF-8", option, var->name);
}

// A name and where it stands, for sorting.
struct place {
	const char *name;
	size_t index;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->index > y->index) - (x->index < y->index);
}

// The variables sorted by name, then place; owned by the caller. NULL: out of memory.
static struct place *sorted(const struct kube_env *env)
{
	struct place *places = mem_alloc(env->count * sizeof(*places));

	for (size_t i = 0; places && i < env->count; i++)
		places[i] = (struct place){env->items[i].name, i};
	if (places)
		qsort(places, env->count, sizeof(*places), compare_places);
	return places;
}

void kube_env_check(const struct kube_env *env, const char *option, struct faults *faults)
{
	_cleanup_free_ struct place *places = sorted(env);

	faults->is_out_of_memory |= !places;
	for (size_t i = 0; i < env->count; i++)
		check_var(&env->items[i], option, faults);
	for (size_t i = 1; places && i < env->count; i++)
		if (!strcmp(places[i - 1].name, places[i].name))
			faults_warn(faults, "%s: \"%s\" is given twice, the last one counts", option,
			            places[i].name);
}

static bool is_quoted(const char *text)
{
	size_t len = strlen(text);

	return len > 1 && (text[0] == '"' || text[0] == '\'') && text[len - 1] == text[0];
}

void kube_env_check_file(const struct kube_env *env, struct faults *faults)
{
	kube_env_check(env, "--env-file", faults);
	for (size_t i = 0; i < env->count; i++)
		if (env->items[i].value && is_quoted(env->items[i].value))
			faults_warn(faults, "--env-file: the quotes around the value of \"%s\" belong to it",
			            env->items[i].name);
}

bool kube_env_has(const struct kube_env *env, const char *name)
{
	for (size_t i = 0; i < env->count; i++)
		if (!strcmp(env->items[i].name, name))
			return true;
	return false;
}

static void put_secret(const struct kube_env_var *var, struct json_build *b)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "name", var->name);
	json_build_open_object(b, "valueFrom");
	json_build_open_object(b, "secretKeyRef");
	json_put_string(b, "name", var->secret);
	json_put_string(b, "key", var->secret_key);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

void kube_env_put(const struct kube_env *env, const struct kube_env *override_by,
                  struct json_build *b)
{
	_cleanup_free_ struct place *places = sorted(env);
	_cleanup_free_ bool *is_left_out = mem_alloc(env->count);

	if (!places || !is_left_out) {
		b->failed = true;
		return;
	}
	for (size_t i = 1; i < env->count; i++)
		if (!strcmp(places[i - 1].name, places[i].name))
			is_left_out[places[i - 1].index] = true;
	for (size_t i = 0; i < env->count; i++) {
		const struct kube_env_var *var = &env->items[i];

		if (is_left_out[i] || (override_by && kube_env_has(override_by, var->name)))
			continue;
		if (var->value)
			kube_env_put_value(b, var->name, var->value);
		else
			put_secret(var, b);
	}
}

void kube_env_put_value(struct json_build *b, const char *name, const char *value)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "name", name);
	kube_expand_put_verbatim(b, "value", value);
	json_build_close(b);
}

void kube_env_put_annotation(struct json_build *b, const char *name, const char *key)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(512);

	strbuf_addf(&path, "metadata.annotations['%s']", key);
	json_build_open_object(b, NULL);
	json_put_string(b, "name", name);
	json_build_open_object(b, "valueFrom");
	json_build_open_object(b, "fieldRef");
	json_put_text(b, "fieldPath", &path);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

void kube_env_release(struct kube_env *env)
{
	for (size_t i = 0; i < env->count; i++)
		release_var(&env->items[i]);
	mem_free(env->items);
	*env = (struct kube_env){NULL, 0};
}
