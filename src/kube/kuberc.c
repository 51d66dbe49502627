// SPDX-License-Identifier: MIT
#include "kube/kuberc.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "yaml/yaml.h"

enum { FILE_MAX_BYTES = 1024 * 1024, PATH_MAX_BYTES = 4096 };

// Sets the path, unless it is turned off or there is no file at the usual place.
static bool find_file(struct kube_kuberc *kuberc, xdg_getenv_fn *getenv_fn, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	const char *named = getenv_fn("KUBERC"), *home = getenv_fn("HOME");
	const char *gate = getenv_fn("KUBECTL_KUBERC");

	if ((named && !strcmp(named, "off")) || (gate && !strcmp(gate, "false")))
		return true;
	if (named && *named)
		strbuf_add(&path, named);
	else if (home && *home)
		strbuf_addf(&path, "%s/.kube/kuberc", home);
	if (!strbuf_ok(&path, err))
		return false;
	if (!path.len || (!(named && *named) && access(path.data, F_OK) && errno == ENOENT))
		return true;
	kuberc->path = strbuf_take(&path, err);
	return kuberc->path != NULL;
}

// Entries have the name of a program, or its path. (1.36 calls it command.)
static bool read_allowed(struct kube_kuberc *kuberc, const struct json *preferences,
                         struct err *err)
{
	const struct json *list = json_find(preferences, "credentialPluginAllowlist");

	for (const struct json *entry = list ? json_first(list) : NULL; entry;
	     entry = json_next(entry)) {
		const char *name = NULL, *command = NULL;

		if (!json_get_string_optional(entry, "name", &name, err) ||
		    !json_get_string_optional(entry, "command", &command, err))
			return false;
		name = name ? name : command;
		if (name && *name && !strv_add(&kuberc->allowed, name, err))
			return false;
	}
	return true;
}

static bool read_policy(struct kube_kuberc *kuberc, const struct json *preferences, struct err *err)
{
	struct kube_exec_policy *policy = &kuberc->policy;
	const char *rule = "";

	if (!json_get_string_optional(preferences, "credentialPluginPolicy", &rule, err))
		return false;
	if (!rule || !*rule || !strcmp(rule, "AllowAll"))
		return true;
	policy->allowed = &kuberc->allowed;
	policy->folders = kuberc->folders;
	policy->source = kuberc->path;
	policy->rule = strcmp(rule, "Allowlist") != 0 ? KUBE_EXEC_DENY_ALL : KUBE_EXEC_ALLOW_LISTED;
	if (policy->rule == KUBE_EXEC_ALLOW_LISTED)
		return read_allowed(kuberc, preferences, err);
	return !strcmp(rule, "DenyAll") ||
	       err_set(err, ERR_AUTH, "credentialPluginPolicy is none of AllowAll, DenyAll, Allowlist");
}

// The file may hold preferences of several versions; only v1beta1 knows about programs.
static bool read_documents(struct kube_kuberc *kuberc, const struct yaml_documents *documents,
                           struct err *err)
{
	for (size_t i = 0; i < documents->count; i++) {
		const struct json *root = documents->items[i].root;
		const char *version = "";

		if (!json_get_string_optional(root, "apiVersion", &version, err))
			return false;
		if (version && !strcmp(version, "kubectl.config.k8s.io/v1beta1"))
			return read_policy(kuberc, root, err);
	}
	return true;
}

static bool read_file(struct kube_kuberc *kuberc, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;

	if (!file_read(kuberc->path, &text, err))
		return err_wrap(err, "kubectl's preferences");
	if (!yaml_parse(kuberc->path, strbuf_get(&text), text.len, &yaml_limits_aliases, &documents,
	                err))
		return false;
	return read_documents(kuberc, &documents, err) || err_wrap(err, "%s", kuberc->path);
}

bool kube_kuberc_read(struct kube_kuberc *kuberc, xdg_getenv_fn *getenv_fn, struct err *err)
{
	const char *folders = getenv_fn("PATH");

	*kuberc = (struct kube_kuberc){.policy = {.rule = KUBE_EXEC_ALLOW_ALL}};
	kuberc->folders = mem_dup(folders ? folders : "");
	if (!kuberc->folders)
		return err_memory(err);
	return find_file(kuberc, getenv_fn, err) && (!kuberc->path || read_file(kuberc, err));
}

void kube_kuberc_release(struct kube_kuberc *kuberc)
{
	strv_release(&kuberc->allowed);
	mem_free(kuberc->path);
	mem_free(kuberc->folders);
	*kuberc = (struct kube_kuberc){.path = NULL};
}
