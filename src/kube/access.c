// SPDX-License-Identifier: MIT
#include "kube/access.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "kube/name.h"

static const char pod_folder[] = "/var/run/secrets/kubernetes.io/serviceaccount";

enum { PEM_MAX_BYTES = 1024 * 1024, LINE_MAX_BYTES = 64 * 1024, NAMES_MAX = 1000, NAMES_SHOWN = 8 };

// In a pod

static bool add_path(char **ret, const char *folder, const char *name, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(LINE_MAX_BYTES);

	strbuf_addf(&path, "%s/%s", folder, name);
	*ret = strbuf_take(&path, err);
	return *ret != NULL;
}

static bool is_file(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

// Makes a cluster and a user of what the kubelet gives every pod; *is_pod stays false where we
// are in none.
static bool read_pod(struct kube_access *access, const struct kube_access_options *options,
                     bool *is_pod, struct err *err)
{
	const char *folder = options->service_account ? options->service_account : pod_folder;
	const char *host = options->getenv_fn("KUBERNETES_SERVICE_HOST");
	const char *port = options->getenv_fn("KUBERNETES_SERVICE_PORT");
	_cleanup_strbuf_ struct strbuf server = STRBUF_INIT(LINE_MAX_BYTES);
	struct kube_cluster *cluster = &access->pod_cluster;

	if (!host || !*host || !port || !*port)
		return true;
	strbuf_addf(&server, strchr(host, ':') ? "https://[%s]:%s" : "https://%s:%s", host, port);
	cluster->server = strbuf_take(&server, err);
	if (!cluster->server || !add_path(&access->pod_user.token_path, folder, "token", err) ||
	    !add_path(&cluster->ca_path, folder, "ca.crt", err))
		return false;
	if (!is_file(access->pod_user.token_path))
		return true;
	if (!is_file(cluster->ca_path)) { // client-go takes the system's authorities then
		mem_free(cluster->ca_path);
		cluster->ca_path = NULL;
	}
	access->pod_user.name = mem_dup("service account");
	*is_pod = access->is_in_cluster = true;
	return access->pod_user.name || err_memory(err);
}

// Choosing

// Names the contexts there are, the first ones of many.
static bool hint_contexts(const struct kube_config *config, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(LINE_MAX_BYTES);

	if (!config->context_count)
		return err_hint(err, "the kubeconfig has no contexts at all");
	strbuf_add(&text, "it has ");
	for (size_t i = 0; i < config->context_count && i < NAMES_SHOWN; i++)
		strbuf_addf(&text, "%s%s", i ? ", " : "", config->contexts[i].name);
	if (config->context_count > NAMES_SHOWN)
		strbuf_addf(&text, " and %zu more", config->context_count - NAMES_SHOWN);
	return err_hint(err, "%s", strbuf_get(&text));
}

static bool no_context(const struct kube_config *config, const char *name, struct err *err)
{
	const char *names[NAMES_MAX], *nearest;
	size_t count = 0;

	for (; count < config->context_count && count < NAMES_MAX; count++)
		names[count] = config->contexts[count].name;
	nearest = text_nearest(name, names, count);
	err_set(err, ERR_USAGE, "there is no context \"%s\" in the kubeconfig", name);
	if (nearest)
		return err_hint(err, "did you mean \"%s\"?", nearest);
	return hint_contexts(config, err);
}

static bool nothing_configured(const struct kube_config *config, struct err *err)
{
	if (config->context_count) {
		err_set(err, ERR_USAGE, "the kubeconfig has no current context");
		return err_hint(err, "name one with --context, or with kubectl config use-context");
	}
	err_set(err, ERR_USAGE, "no cluster is configured");
	return err_hint(err, "set KUBECONFIG or --kubeconfig, or make a cluster with vpsml init");
}

struct choice {
	const struct kube_cluster *cluster;
	const struct kube_user *user;
	const struct kube_context *context;
};

// The context's cluster and user. A user that is not there is nobody: the server decides.
static bool choose_context(struct kube_access *access, const char *name, struct choice *choice,
                           struct err *err)
{
	const struct kube_config *config = &access->config;
	const char *cluster;

	choice->context = kube_config_context(config, name);
	if (!choice->context)
		return no_context(config, name, err);
	cluster = choice->context->cluster ? choice->context->cluster : "";
	choice->cluster = kube_config_cluster(config, cluster);
	if (choice->context->user)
		choice->user = kube_config_user(config, choice->context->user);
	access->context = choice->context->name;
	access->user = choice->user ? choice->user->name : "";
	if (choice->cluster)
		return true;
	return err_set(err, ERR_USAGE, "context \"%s\": there is no cluster \"%s\" in the kubeconfig",
	               name, cluster);
}

static bool choose(struct kube_access *access, const struct kube_access_options *options,
                   struct choice *choice, struct err *err)
{
	const struct kube_config *config = &access->config;
	const char *name =
		options->context && *options->context ? options->context : config->current_context;
	bool is_pod = false;

	if (name)
		return choose_context(access, name, choice, err);
	if (!config->cluster_count && !config->context_count &&
	    !read_pod(access, options, &is_pod, err))
		return false;
	if (!is_pod)
		return nothing_configured(config, err);
	choice->cluster = &access->pod_cluster;
	choice->user = &access->pod_user;
	return true;
}

// The cluster

static bool read_authority(struct kube_access *access, const struct kube_cluster *cluster,
                           struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(PEM_MAX_BYTES);

	if (!cluster->ca_data && !cluster->ca_path)
		return true;
	if (cluster->is_insecure)
		return err_set(err, ERR_USAGE,
		               "insecure-skip-tls-verify together with a certificate authority");
	if (!cluster->ca_data && !file_read(cluster->ca_path, &text, err))
		return err_wrap(err, "certificate-authority");
	access->ca = mem_dup(cluster->ca_data ? cluster->ca_data : strbuf_get(&text));
	access->tls.ca = access->ca;
	return access->ca || err_memory(err);
}

static bool read_cluster(struct kube_access *access, const struct kube_cluster *cluster,
                         const struct kube_access_options *options, struct faults *faults,
                         struct err *err)
{
	if (!cluster->server)
		return err_set(err, ERR_USAGE, "it has no server");
	if (!http_url_parse(&access->server, cluster->server, err) ||
	    !read_authority(access, cluster, err))
		return false;
	access->tls.server_name = cluster->tls_server_name;
	access->tls.is_unchecked = cluster->is_insecure;
	access->is_uncompressed = cluster->is_uncompressed;
	access->may_send_secrets = access->server.is_https || options->may_be_plain ||
	                           http_url_is_loopback(access->server.host);
	if (cluster->is_insecure)
		faults_warn(faults, "insecure-skip-tls-verify: whoever answers at %s gets our credentials",
		            cluster->server);
	if (cluster->proxy_url)
		return http_proxy_from_url(&access->proxy, cluster->proxy_url, err) ||
		       err_wrap(err, "proxy-url");
	return http_proxy_from_environment(&access->proxy, &access->server, options->getenv_fn, err);
}

// Namespace and impersonation

static bool read_pod_namespace(struct kube_access *access,
                               const struct kube_access_options *options, struct err *err)
{
	const char *folder = options->service_account ? options->service_account : pod_folder;
	const char *value = options->getenv_fn("POD_NAMESPACE");
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(LINE_MAX_BYTES);
	_cleanup_free_ char *path = NULL;
	_cleanup_err_ struct err ignored = ERR_INIT;

	if (value && *value) {
		access->namespace_ = mem_dup(value);
		return access->namespace_ || err_memory(err);
	}
	if (!add_path(&path, folder, "namespace", err))
		return false;
	if (!file_read(path, &text, &ignored))
		return true;
	while (text.len && strchr(" \t\r\n", text.data[text.len - 1]))
		text.data[--text.len] = '\0';
	access->namespace_ = text.len ? strbuf_take(&text, err) : NULL;
	return !text.len || access->namespace_;
}

static bool choose_namespace(struct kube_access *access, const struct kube_access_options *options,
                             const struct kube_context *context, struct err *err)
{
	const char *name = NULL;

	if (options->namespace_ && *options->namespace_)
		name = options->namespace_;
	else if (context && context->namespace_)
		name = context->namespace_;
	else if (access->is_in_cluster && !read_pod_namespace(access, options, err))
		return false;
	if (!access->namespace_)
		access->namespace_ = mem_dup(name ? name : "default");
	if (!access->namespace_)
		return err_memory(err);
	if (kube_name_check_label(access->namespace_, err))
		return true;
	return err_wrap(err, name && name == options->namespace_ ? "--namespace" : "namespace");
}

static bool add_header(struct kube_access *access, const char *name, const char *value,
                       struct err *err)
{
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(LINE_MAX_BYTES);

	strbuf_addf(&line, "%s: %s", name, value);
	return strbuf_ok(&line, err) && strv_add(&access->headers, strbuf_get(&line), err);
}

// KEY=VALUE; a key is percent-encoded, as not all of them are good header names.
static bool add_extra_header(struct kube_access *access, const char *pair, struct err *err)
{
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(LINE_MAX_BYTES);
	size_t len = strcspn(pair, "=");
	_cleanup_free_ char *key = mem_dup_n(pair, len);

	if (!key)
		return err_memory(err);
	strbuf_add(&name, "Impersonate-Extra-");
	http_url_encode(&name, key);
	return strbuf_ok(&name, err) && add_header(access, strbuf_get(&name), pair + len + 1, err);
}

static bool add_groups(struct kube_access *access, const struct strv *groups, struct err *err)
{
	for (size_t i = 0; groups && i < groups->count; i++)
		if (!add_header(access, "Impersonate-Group", groups->items[i], err))
			return false;
	return true;
}

// A flag takes the place of the kubeconfig's value; groups and extra values belong to their user.
static bool read_impersonation(struct kube_access *access,
                               const struct kube_access_options *options,
                               const struct kube_user *user, struct err *err)
{
	const char *as = options->as ? options->as : user ? user->as : NULL;
	const char *uid = options->as_uid ? options->as_uid : user ? user->as_uid : NULL;
	bool has_groups = options->as_groups && options->as_groups->count;

	if (!as && (options->as_uid || has_groups))
		return err_set(err, ERR_USAGE, "--as-group and --as-uid need --as");
	if (!as)
		return true;
	if (!add_header(access, "Impersonate-User", as, err) ||
	    (uid && !add_header(access, "Impersonate-Uid", uid, err)) ||
	    !add_groups(access,
	                has_groups ? options->as_groups
	                : user     ? &user->as_groups
	                           : NULL,
	                err))
		return false;
	for (size_t i = 0; user && i < user->as_extra.count; i++)
		if (!add_extra_header(access, user->as_extra.items[i], err))
			return false;
	return true;
}

static bool replace_text(char **field, const char *text, struct err *err)
{
	mem_free(*field);
	*field = mem_dup(text);
	return *field || err_memory(err);
}

static bool load_text(struct kube_access *access, const struct kube_access_options *options,
                      struct err *err)
{
	struct kube_config *config = &access->config;

	if (!kube_config_add(config, "kubeconfig", "", options->text, strlen(options->text), err))
		return false;
	for (size_t i = 0; options->server && i < config->cluster_count; i++)
		if (!replace_text(&config->clusters[i].server, options->server, err) ||
		    !replace_text(&config->clusters[i].tls_server_name, options->tls_server_name, err))
			return false;
	return true;
}

static bool load(struct kube_access *access, const struct kube_access_options *options,
                 struct faults *faults, struct err *err)
{
	if (options->text)
		return load_text(access, options, err);
	return kube_config_load(&access->config, options->kubeconfig, options->getenv_fn, faults, err);
}

// Who may say which programs run: the caller, else kubectl's preferences.
static bool open_credential(struct kube_access *access, const struct kube_access_options *options,
                            const struct choice *choice, struct err *err)
{
	struct kube_exec_options exec = options->exec;
	bool has_program = choice->user && choice->user->exec.command;

	if (has_program && exec.policy.rule == KUBE_EXEC_ALLOW_ALL) {
		if (!kube_kuberc_read(&access->kuberc, options->getenv_fn, err))
			return false;
		exec.policy = access->kuberc.policy;
	}
	return kube_credential_open(&access->credential, choice->user, choice->cluster, access->ca,
	                            &exec, options->clock, err);
}

static bool open_access(struct kube_access *access, const struct kube_access_options *options,
                        struct faults *faults, struct err *err)
{
	struct choice choice = {0};

	access->context = access->cluster = access->user = "";
	if (!load(access, options, faults, err) || !choose(access, options, &choice, err))
		return false;
	access->cluster = choice.cluster->name ? choice.cluster->name : "";
	if (!read_cluster(access, choice.cluster, options, faults, err))
		return err_wrap(err, "cluster \"%s\"", access->cluster);
	return choose_namespace(access, options, choice.context, err) &&
	       read_impersonation(access, options, choice.user, err) &&
	       open_credential(access, options, &choice, err);
}

bool kube_access_open(struct kube_access *access, const struct kube_access_options *options,
                      struct faults *faults, struct err *err)
{
	memset(access, 0, sizeof(*access));
	if (open_access(access, options, faults, err))
		return true;
	kube_access_release(access);
	return false;
}

void kube_access_release(struct kube_access *access)
{
	kube_credential_release(&access->credential);
	kube_kuberc_release(&access->kuberc);
	kube_config_release(&access->config);
	http_url_release(&access->server);
	http_proxy_release(&access->proxy);
	strv_release(&access->headers);
	mem_free(access->namespace_);
	mem_free(access->ca);
	mem_free(access->pod_cluster.server);
	mem_free(access->pod_cluster.ca_path);
	mem_free(access->pod_user.token_path);
	mem_free(access->pod_user.name);
	memset(access, 0, sizeof(*access));
}
