// SPDX-License-Identifier: MIT
#include "boot/addon_build.h"

static const char rbac[] = "rbac.authorization.k8s.io",
				  rbac_version[] = "rbac.authorization.k8s.io/v1";

void boot_put_list(struct json_build *b, const char *name, boot_texts texts)
{
	json_build_open_array(b, name);
	for (; *texts; texts++)
		json_put_string(b, NULL, *texts);
	json_build_close(b);
}

void boot_put_map(struct json_build *b, const char *name, boot_texts pairs)
{
	json_build_open_object(b, name);
	for (; *pairs; pairs += 2)
		json_put_string(b, pairs[0], pairs[1]);
	json_build_close(b);
}

void boot_open_object(struct json_build *b, const char *version, const char *kind,
                      const char *namespace, const char *name, boot_texts labels)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "apiVersion", version);
	json_put_string(b, "kind", kind);
	json_build_open_object(b, "metadata");
	json_put_string(b, "name", name);
	if (namespace)
		json_put_string(b, "namespace", namespace);
	if (labels)
		boot_put_map(b, "labels", labels);
	json_build_close(b);
}

void boot_put_rule(struct json_build *b, boot_texts groups, boot_texts resources, boot_texts verbs)
{
	json_build_open_object(b, NULL);
	boot_put_list(b, "apiGroups", groups);
	boot_put_list(b, "resources", resources);
	boot_put_list(b, "verbs", verbs);
	json_build_close(b);
}

struct json *boot_build_binding(const char *namespace, const char *name, const char *role_kind,
                                const char *role, const char *account_namespace,
                                const char *account, boot_texts labels, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(&b, rbac_version, namespace ? "RoleBinding" : "ClusterRoleBinding", namespace,
	                 name, labels);
	boot_put_map(&b, "roleRef", BOOT_TEXTS("apiGroup", rbac, "kind", role_kind, "name", role));
	json_build_open_array(&b, "subjects");
	boot_put_map(
		&b, NULL,
		BOOT_TEXTS("kind", "ServiceAccount", "name", account, "namespace", account_namespace));
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

struct json *boot_build_account(const char *namespace, const char *name, boot_texts labels,
                                struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(&b, "v1", "ServiceAccount", namespace, name, labels);
	json_build_close(&b);
	return json_build_take(&b, err);
}

void boot_put_host_path(struct json_build *b, const char *name, const char *path, const char *type)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "name", name);
	json_build_open_object(b, "hostPath");
	json_put_string(b, "path", path);
	if (type)
		json_put_string(b, "type", type);
	json_build_close(b);
	json_build_close(b);
}

void boot_put_mount(struct json_build *b, const char *name, const char *path, bool is_read_only)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "name", name);
	json_put_string(b, "mountPath", path);
	if (is_read_only)
		json_put_bool(b, "readOnly", true);
	json_build_close(b);
}

void boot_put_field_env(struct json_build *b, const char *name, const char *path)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "name", name);
	json_build_open_object(b, "valueFrom");
	boot_put_map(b, "fieldRef", BOOT_TEXTS("fieldPath", path));
	json_build_close(b);
	json_build_close(b);
}

void boot_put_toleration(struct json_build *b, const char *key, const char *effect)
{
	json_build_open_object(b, NULL);
	if (key)
		json_put_string(b, "key", key);
	json_put_string(b, "operator", "Exists");
	if (effect)
		json_put_string(b, "effect", effect);
	json_build_close(b);
}

void boot_put_requests(struct json_build *b, const char *cpu, const char *memory)
{
	json_build_open_object(b, "resources");
	boot_put_map(b, "requests", BOOT_TEXTS("cpu", cpu, "memory", memory));
	json_build_close(b);
}
