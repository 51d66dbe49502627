// SPDX-License-Identifier: MIT
// Prints what kube_config_load makes of $KUBECONFIG (or of the file given as argument), in the
// form of `kubectl config view --raw --flatten -o json`.
#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/json_build.h"
#include "kube/kubeconfig.h"

enum { MAX_BYTES = 1024 * 1024 };

static void put_text(struct json_build *b, const char *name, const char *value)
{
	if (value)
		json_put_string(b, name, value);
}

static bool put_data(struct json_build *b, const char *name, const char *data, const char *path,
                     struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_BYTES), coded = STRBUF_INIT(MAX_BYTES);

	if (!data && !path)
		return true;
	if (data)
		strbuf_add(&text, data);
	else if (!file_read(path, &text, err))
		return false;
	base64_add(&coded, strbuf_get(&text), text.len);
	json_put_string(b, name, strbuf_get(&coded));
	return strbuf_ok(&coded, err);
}

static void put_texts(struct json_build *b, const char *name, const struct strv *texts)
{
	if (!texts->count)
		return;
	json_build_open_array(b, name);
	for (size_t i = 0; i < texts->count; i++)
		json_put_string(b, NULL, texts->items[i]);
	json_build_close(b);
}

static bool put_cluster(struct json_build *b, const struct kube_cluster *cluster, struct err *err)
{
	put_text(b, "server", cluster->server);
	put_text(b, "tls-server-name", cluster->tls_server_name);
	put_text(b, "proxy-url", cluster->proxy_url);
	if (cluster->is_insecure)
		json_put_bool(b, "insecure-skip-tls-verify", true);
	if (cluster->is_uncompressed)
		json_put_bool(b, "disable-compression", true);
	return put_data(b, "certificate-authority-data", cluster->ca_data, cluster->ca_path, err);
}

static void put_exec(struct json_build *b, const struct kube_exec *exec)
{
	static const char *const modes[] = {NULL, "Never", "IfAvailable", "Always"};

	if (!exec->command)
		return;
	json_build_open_object(b, "exec");
	put_text(b, "command", exec->command);
	put_texts(b, "args", &exec->args);
	put_texts(b, "env", &exec->env);
	put_text(b, "apiVersion", exec->api_version);
	put_text(b, "installHint", exec->install_hint);
	if (exec->wants_cluster)
		json_put_bool(b, "provideClusterInfo", true);
	put_text(b, "interactiveMode", modes[exec->mode]);
	json_build_close(b);
}

static bool put_user(struct json_build *b, const struct kube_user *user, struct err *err)
{
	put_text(b, "token", user->token);
	put_text(b, "tokenFile", user->token_path);
	put_text(b, "username", user->username);
	put_text(b, "password", user->password);
	put_text(b, "as", user->as);
	put_text(b, "as-uid", user->as_uid);
	put_texts(b, "as-groups", &user->as_groups);
	put_texts(b, "as-user-extra", &user->as_extra);
	put_exec(b, &user->exec);
	put_text(b, "auth-provider", user->auth_provider);
	return put_data(b, "client-certificate-data", user->certificate_data, user->certificate_path,
	                err) &&
	       put_data(b, "client-key-data", user->key_data, user->key_path, err);
}

static bool put_config(struct json_build *b, const struct kube_config *config, struct err *err)
{
	bool is_ok = true;

	json_build_open_object(b, NULL);
	put_text(b, "current-context", config->current_context);
	json_build_open_object(b, "clusters");
	for (size_t i = 0; is_ok && i < config->cluster_count; i++) {
		json_build_open_object(b, config->clusters[i].name);
		is_ok = put_cluster(b, &config->clusters[i], err);
		json_build_close(b);
	}
	json_build_close(b);
	json_build_open_object(b, "users");
	for (size_t i = 0; is_ok && i < config->user_count; i++) {
		json_build_open_object(b, config->users[i].name);
		is_ok = put_user(b, &config->users[i], err);
		json_build_close(b);
	}
	json_build_close(b);
	json_build_open_object(b, "contexts");
	for (size_t i = 0; i < config->context_count; i++) {
		json_build_open_object(b, config->contexts[i].name);
		put_text(b, "cluster", config->contexts[i].cluster);
		put_text(b, "user", config->contexts[i].user);
		put_text(b, "namespace", config->contexts[i].namespace_);
		json_build_close(b);
	}
	json_build_close(b);
	json_build_close(b);
	return is_ok;
}

static bool dump(const char *path, struct err *err)
{
	_cleanup_kube_config_ struct kube_config config = KUBE_CONFIG_INIT;
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(MAX_BYTES);
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_json_ struct json *tree = NULL;

	if (!kube_config_load(&config, path, getenv, &faults, err) || !put_config(&b, &config, err))
		return false;
	tree = json_build_take(&b, err);
	if (!tree)
		return false;
	json_write_pretty(&out, tree);
	for (size_t i = 0; i < faults.warnings.count; i++)
		fprintf(stderr, "warning: %s\n", faults.warnings.items[i]);
	puts(strbuf_get(&out));
	return strbuf_ok(&out, err);
}

int main(int argc, char **argv)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (dump(argc > 1 ? argv[1] : NULL, &err))
		return 0;
	fprintf(stderr, "%s\n", err_message(&err));
	return err_exit_status(err.kind);
}
