// SPDX-License-Identifier: MIT
// A container's environment: literal values, and values from Secrets.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/faults.h"
#include "base/json_build.h"

struct kube_env_var {
	char *name;
	char *value;               // literal, or NULL:
	char *secret, *secret_key; // then the value is this key of this Secret
};

struct kube_env {
	struct kube_env_var *items; // in the order given; of equal names the last one counts
	size_t count;
};

// Appends a variable with a literal value; both are copied, and checked by kube_env_check.
bool kube_env_add(struct kube_env *env, const char *name, const char *value,
                  struct err *err) _nodiscard_;

// "NAME=VALUE", or "NAME" with its value from LOOK_UP (getenv fits); refused where that knows none.
bool kube_env_parse(struct kube_env *env, const char *text, char *(*look_up)(const char *),
                    struct err *err) _nodiscard_;

// "NAME=SECRET:KEY".
bool kube_env_parse_secret(struct kube_env *env, const char *text, struct err *err) _nodiscard_;

// Lines "NAME=VALUE" or "NAME", blank lines and "#" comments; the value is the rest of the line as it
// is, without quoting (docker's --env-file). Errors name the line.
bool kube_env_parse_file(struct kube_env *env, const char *text, size_t len,
                         char *(*look_up)(const char *), struct err *err) _nodiscard_;

// Adds every fault to FAULTS: names, values over 128 KiB (execve's limit), one name twice (warning).
// OPTION is what the user typed.
void kube_env_check(const struct kube_env *env, const char *option, struct faults *faults);

// The same for the variables of files, with a warning at quotes, which other readers take away.
void kube_env_check_file(const struct kube_env *env, struct faults *faults);

// Is there a variable of this name?
bool kube_env_has(const struct kube_env *env, const char *name);

// Puts the variables into the array that is open; those that OVERRIDE (may be NULL) names are left
// out, and of equal names all but the last.
void kube_env_put(const struct kube_env *env, const struct kube_env *override_by,
                  struct json_build *b);

// Puts one variable: a literal value (shown to the container as it stands), or the pod's
// annotation KEY.
void kube_env_put_value(struct json_build *b, const char *name, const char *value);
void kube_env_put_annotation(struct json_build *b, const char *name, const char *key);

void kube_env_release(struct kube_env *env);
