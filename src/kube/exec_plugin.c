// SPDX-License-Identifier: MIT
#include "kube/exec_plugin.h"

#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/json_build.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/text.h"
#include "kube/program.h"
#include "kube/timestamp.h"
#include "yaml/yaml.h"

enum {
	DEFAULT_LIMIT_MS = 60 * 1000,
	ANSWER_MAX_BYTES = 1024 * 1024,
	INFO_MAX_BYTES = 64 * 1024,
	HINT_MAX_BYTES = 4096,
	PATH_MAX_BYTES = 4096,
};

// Adds the file that NAME leads to: itself where it has a folder, else the first one of FOLDERS that
// has it as a program. Nothing where there is none.
static void look_up(struct strbuf *out, const char *name, const char *folders)
{
	if (strchr(name, '/')) {
		strbuf_add(out, name);
		return;
	}
	while (folders && *folders) {
		size_t len = strcspn(folders, ":");

		strbuf_clear(out);
		strbuf_addf(out, "%.*s/%s", (int)len, folders, name);
		if (len && !out->failed && !access(out->data, X_OK))
			return;
		folders += len + (folders[len] == ':');
	}
	strbuf_clear(out);
}

static bool is_listed(const struct kube_exec_policy *policy, const char *command)
{
	_cleanup_strbuf_ struct strbuf real = STRBUF_INIT(PATH_MAX_BYTES);

	if (strv_contains(policy->allowed, command))
		return true;
	look_up(&real, command, policy->folders);
	for (size_t i = 0; real.len && !real.failed && i < policy->allowed->count; i++) {
		_cleanup_strbuf_ struct strbuf allowed = STRBUF_INIT(PATH_MAX_BYTES);

		look_up(&allowed, policy->allowed->items[i], policy->folders);
		if (!allowed.failed && !strcmp(strbuf_get(&allowed), real.data))
			return true;
	}
	return false;
}

static bool check_policy(const struct kube_exec_policy *policy, const char *command,
                         struct err *err)
{
	const char *source = policy->source ? policy->source : "the settings";

	if (policy->rule == KUBE_EXEC_ALLOW_ALL)
		return true;
	if (policy->rule == KUBE_EXEC_DENY_ALL || !policy->allowed) {
		err_set(err, ERR_AUTH, "%s allows no credential program, so not \"%s\"", source, command);
		return err_hint(err, "credentialPluginPolicy there says so");
	}
	if (is_listed(policy, command))
		return true;
	err_set(err, ERR_AUTH, "%s does not allow the credential program \"%s\"", source, command);
	return err_hint(err, "add it to credentialPluginAllowlist there if you trust it");
}

static bool check(const struct kube_exec *exec, const struct kube_exec_options *options,
                  struct err *err)
{
	static const char group[] = "client.authentication.k8s.io/";
	const char *version = exec->api_version ? exec->api_version : "";

	if (!check_policy(&options->policy, exec->command, err))
		return false;
	if (strncmp(version, group, sizeof(group) - 1) != 0 ||
	    (strcmp(version + sizeof(group) - 1, "v1") != 0 &&
	     strcmp(version + sizeof(group) - 1, "v1beta1") != 0)) {
		err_set(err, ERR_USAGE, "exec: apiVersion \"%s\" is not known", version);
		return err_hint(err, "%sv1 and %sv1beta1 are; newer versions of the program have them",
		                group, group);
	}
	if (exec->mode == KUBE_EXEC_MODE_NONE && !strcmp(version + sizeof(group) - 1, "v1"))
		return err_set(err, ERR_USAGE, "exec: interactiveMode is missing, which v1 demands");
	if (exec->mode == KUBE_EXEC_ALWAYS && !options->has_terminal)
		return err_set(err, ERR_AUTH,
		               "the credential program must ask a person, and standard "
		               "input is no terminal");
	return true;
}

// What the program may know about us (KUBERNETES_EXEC_INFO)

static void put_optional(struct json_build *b, const char *name, const char *value)
{
	if (value)
		json_put_string(b, name, value);
}

static bool put_cluster(struct json_build *b, const struct kube_cluster *cluster, const char *ca,
                        struct err *err)
{
	_cleanup_strbuf_ struct strbuf data = STRBUF_INIT(ANSWER_MAX_BYTES);

	json_build_open_object(b, "cluster");
	json_put_string(b, "server", cluster->server ? cluster->server : "");
	put_optional(b, "tls-server-name", cluster->tls_server_name);
	if (cluster->is_insecure)
		json_put_bool(b, "insecure-skip-tls-verify", true);
	if (ca) {
		base64_add(&data, ca, strlen(ca));
		json_put_text(b, "certificate-authority-data", &data);
	}
	put_optional(b, "proxy-url", cluster->proxy_url);
	if (cluster->is_uncompressed)
		json_put_bool(b, "disable-compression", true);
	if (cluster->exec_config)
		json_put_tree(b, "config",
		              json_parse(cluster->exec_config, strlen(cluster->exec_config), err));
	json_build_close(b);
	return strbuf_ok(&data, err);
}

static bool write_info(struct strbuf *out, const struct kube_exec *exec,
                       const struct kube_cluster *cluster, const char *ca, bool is_interactive,
                       struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "kind", "ExecCredential");
	json_put_string(&b, "apiVersion", exec->api_version);
	json_build_open_object(&b, "spec");
	if (exec->wants_cluster && !put_cluster(&b, cluster, ca, err))
		return false;
	json_put_bool(&b, "interactive", is_interactive);
	json_build_close(&b);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (!tree)
		return false;
	strbuf_add(out, "KUBERNETES_EXEC_INFO=");
	json_write(out, tree);
	return strbuf_ok(out, err);
}

// Running it

static bool add_environment(struct strv *env, const struct kube_exec *exec, const char *info,
                            struct err *err)
{
	for (size_t i = 0; i < exec->env.count; i++)
		if (!strv_add(env, exec->env.items[i], err))
			return false;
	return strv_add(env, info, err);
}

static bool add_hint(const struct kube_exec *exec, struct err *err)
{
	_cleanup_strbuf_ struct strbuf hint = STRBUF_INIT(HINT_MAX_BYTES);

	if (!exec->install_hint)
		return false;
	text_sanitize(&hint, exec->install_hint, strlen(exec->install_hint), TEXT_KEEP_LINES);
	return err_hint(err, "%s", strbuf_get(&hint));
}

bool kube_exec_run(const struct kube_exec *exec, const struct kube_cluster *cluster, const char *ca,
                   const struct kube_exec_options *options, struct kube_exec_answer *ret,
                   struct err *err)
{
	bool is_interactive = options->has_terminal && exec->mode != KUBE_EXEC_NEVER;
	_cleanup_(secret_strbuf_release) struct strbuf answer = STRBUF_INIT(ANSWER_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf info = STRBUF_INIT(ANSWER_MAX_BYTES);
	_cleanup_strv_ struct strv argv = STRV_INIT, env = STRV_INIT;
	struct program program = {.is_interactive = is_interactive};

	if (!check(exec, options, err) || !write_info(&info, exec, cluster, ca, is_interactive, err) ||
	    !strv_add(&argv, exec->command, err) ||
	    !add_environment(&env, exec, strbuf_get(&info), err))
		return false;
	for (size_t i = 0; i < exec->args.count; i++)
		if (!strv_add(&argv, exec->args.items[i], err))
			return false;
	program.argv = &argv;
	program.env = &env;
	if (!is_interactive)
		program.limit_ms = options->limit_ms ? options->limit_ms : DEFAULT_LIMIT_MS;
	if (options->before)
		options->before(options->context, exec->command);
	secret_strbuf_reserve(&answer, INFO_MAX_BYTES);
	if (!program_run(&program, &answer, err)) {
		if (err->kind == ERR_FAILED)
			err->kind = ERR_AUTH;
		add_hint(exec, err);
		return err_wrap(err, "credential program");
	}
	return kube_exec_answer_parse(strbuf_get(&answer), answer.len, exec->api_version, ret, err);
}

// Its answer

static bool copy_text(const struct json *tree, const char *path, char **ret, struct err *err)
{
	const char *text = NULL;

	if (!json_get_string_optional(tree, path, &text, err))
		return false;
	if (!text || !*text)
		return true;
	*ret = mem_dup(text);
	return *ret || err_memory(err);
}

static bool read_status(const struct json *tree, struct kube_exec_answer *answer, struct err *err)
{
	const char *expiry = NULL;

	if (!copy_text(tree, "status.token", &answer->token, err) ||
	    !copy_text(tree, "status.clientCertificateData", &answer->certificate, err) ||
	    !copy_text(tree, "status.clientKeyData", &answer->key, err) ||
	    !json_get_string_optional(tree, "status.expirationTimestamp", &expiry, err))
		return false;
	if (expiry && !kube_timestamp_parse(expiry, &answer->expires_ms, err))
		return err_wrap(err, "status.expirationTimestamp");
	if (!answer->token && !answer->certificate && !answer->key)
		return err_set(err, ERR_AUTH, "neither a token nor a certificate");
	if (!answer->certificate != !answer->key)
		return err_set(err, ERR_AUTH,
		               "a certificate without its key, or a key without its "
		               "certificate");
	return true;
}

static bool read_answer(const char *text, size_t len, const char *api_version,
                        struct kube_exec_answer *answer, struct err *err)
{
	_cleanup_yaml_document_ struct yaml_document document = YAML_DOCUMENT_INIT;
	const char *kind = "", *version = "";

	// The text itself may be a secret, so no parser's message quotes it.
	if (!yaml_parse_one("answer", text, len, &yaml_limits_plain, &document, err))
		return err->kind == ERR_MEMORY ? false
		                               : err_set(err, ERR_AUTH, "its answer is not JSON or YAML");
	if (!json_get_string_optional(document.root, "kind", &kind, err) ||
	    !json_get_string_optional(document.root, "apiVersion", &version, err))
		return false;
	if (strcmp(kind, "ExecCredential") != 0)
		return err_set(err, ERR_AUTH, "its answer is not an ExecCredential");
	if (strcmp(version, api_version) != 0)
		return err_set(err, ERR_AUTH, "its answer has another apiVersion than \"%s\"", api_version);
	return read_status(document.root, answer, err);
}

bool kube_exec_answer_parse(const char *text, size_t len, const char *api_version,
                            struct kube_exec_answer *ret, struct err *err)
{
	_cleanup_kube_exec_answer_ struct kube_exec_answer answer = KUBE_EXEC_ANSWER_INIT;

	if (!read_answer(text, len, api_version, &answer, err)) {
		if (err->kind == ERR_FAILED)
			err->kind = ERR_AUTH;
		return err_wrap(err, "credential program");
	}
	kube_exec_answer_release(ret);
	*ret = answer;
	answer = (struct kube_exec_answer)KUBE_EXEC_ANSWER_INIT;
	return true;
}

static void free_secret(char *text)
{
	if (text)
		secret_wipe(text, strlen(text));
	mem_free(text);
}

void kube_exec_answer_release(struct kube_exec_answer *answer)
{
	free_secret(answer->token);
	mem_free(answer->certificate);
	free_secret(answer->key);
	*answer = (struct kube_exec_answer)KUBE_EXEC_ANSWER_INIT;
}
