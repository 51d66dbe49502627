// SPDX-License-Identifier: MIT
#include "kube/kubeconfig.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/secret.h"

enum { FILE_MAX_BYTES = 1024 * 1024, PATH_MAX_BYTES = 4096 };

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return mem_dup("");
	return mem_dup_n(path, slash == path ? 1 : (size_t)(slash - path));
}

static bool load_file(struct kube_config *config, const char *path, struct err *err)
{
	_cleanup_(secret_strbuf_release) struct strbuf text = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_free_ char *folder = folder_of(path);

	if (!folder)
		return err_memory(err);
	return file_read(path, &text, err) && strv_add(&config->paths, path, err) &&
	       kube_config_add(config, path, folder, strbuf_get(&text), text.len, err);
}

static bool exists(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 || errno != ENOENT;
}

// Adds the files to read; *is_listed: by $KUBECONFIG.
static bool list_files(struct strv *files, xdg_getenv_fn *getenv_fn, bool *is_listed,
                       struct err *err)
{
	_cleanup_strv_ struct strv listed = STRV_INIT;
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	const char *value = getenv_fn("KUBECONFIG"), *home = getenv_fn("HOME");

	*is_listed = value && *value;
	if (*is_listed) {
		if (!strv_split(&listed, value, ':', err))
			return false;
		for (size_t i = 0; i < listed.count; i++)
			if (*listed.items[i] && !strv_contains(files, listed.items[i]) &&
			    !strv_add(files, listed.items[i], err))
				return false;
		return true;
	}
	if (!home || !*home)
		return true;
	strbuf_addf(&path, "%s/.kube/config", home);
	return strbuf_ok(&path, err) && strv_add(files, strbuf_get(&path), err);
}

static void warn_of_missing(const struct strv *files, struct faults *faults)
{
	_cleanup_strbuf_ struct strbuf names = STRBUF_INIT(FILE_MAX_BYTES);

	for (size_t i = 0; i < files->count; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", files->items[i]);
	faults_warn(faults, "no kubeconfig found: %s", strbuf_get(&names));
}

bool kube_config_load(struct kube_config *config, const char *path, xdg_getenv_fn *getenv_fn,
                      struct faults *faults, struct err *err)
{
	_cleanup_strv_ struct strv files = STRV_INIT;
	_cleanup_faults_ struct faults broken = FAULTS_INIT;
	bool is_listed;

	if (path && *path)
		return load_file(config, path, err);
	if (!list_files(&files, getenv_fn, &is_listed, err))
		return false;
	for (size_t i = 0; i < files.count; i++) {
		_cleanup_err_ struct err one = ERR_INIT;

		if (exists(files.items[i]) && !load_file(config, files.items[i], &one))
			faults_take(&broken, &one);
	}
	if (!faults_none(&broken, err))
		return false;
	if (is_listed && !config->paths.count)
		warn_of_missing(&files, faults);
	return true;
}

const struct kube_cluster *kube_config_cluster(const struct kube_config *config, const char *name)
{
	for (size_t i = 0; i < config->cluster_count; i++)
		if (!strcmp(config->clusters[i].name, name))
			return &config->clusters[i];
	return NULL;
}

const struct kube_user *kube_config_user(const struct kube_config *config, const char *name)
{
	for (size_t i = 0; i < config->user_count; i++)
		if (!strcmp(config->users[i].name, name))
			return &config->users[i];
	return NULL;
}

const struct kube_context *kube_config_context(const struct kube_config *config, const char *name)
{
	for (size_t i = 0; i < config->context_count; i++)
		if (!strcmp(config->contexts[i].name, name))
			return &config->contexts[i];
	return NULL;
}

static void free_secret(char *text)
{
	if (text)
		secret_wipe(text, strlen(text));
	mem_free(text);
}

static void release_cluster(struct kube_cluster *cluster)
{
	mem_free(cluster->name);
	mem_free(cluster->server);
	mem_free(cluster->tls_server_name);
	mem_free(cluster->ca_path);
	mem_free(cluster->ca_data);
	free_secret(cluster->proxy_url); // may hold a password
	mem_free(cluster->exec_config);
}

static void release_exec(struct kube_exec *exec)
{
	mem_free(exec->command);
	strv_release(&exec->args);
	strv_release(&exec->env);
	mem_free(exec->api_version);
	mem_free(exec->install_hint);
}

static void release_user(struct kube_user *user)
{
	mem_free(user->name);
	mem_free(user->certificate_path);
	mem_free(user->certificate_data);
	mem_free(user->key_path);
	free_secret(user->key_data);
	free_secret(user->token);
	mem_free(user->token_path);
	mem_free(user->username);
	free_secret(user->password);
	mem_free(user->as);
	mem_free(user->as_uid);
	strv_release(&user->as_groups);
	strv_release(&user->as_extra);
	release_exec(&user->exec);
	mem_free(user->auth_provider);
}

static void release_context(struct kube_context *context)
{
	mem_free(context->name);
	mem_free(context->cluster);
	mem_free(context->user);
	mem_free(context->namespace_);
}

void kube_config_release(struct kube_config *config)
{
	for (size_t i = 0; i < config->cluster_count; i++)
		release_cluster(&config->clusters[i]);
	for (size_t i = 0; i < config->user_count; i++)
		release_user(&config->users[i]);
	for (size_t i = 0; i < config->context_count; i++)
		release_context(&config->contexts[i]);
	mem_free(config->clusters);
	mem_free(config->users);
	mem_free(config->contexts);
	mem_free(config->current_context);
	strv_release(&config->paths);
	*config = (struct kube_config)KUBE_CONFIG_INIT;
}
