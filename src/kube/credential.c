// SPDX-License-Identifier: MIT
#include "kube/credential.h"

#include <string.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/secret.h"

enum {
	PEM_MAX_BYTES = 1024 * 1024,
	TOKEN_MAX_BYTES = 1024 * 1024,
	// client-go reads a token file once a minute, and counts its token as old 10 s before that.
	TOKEN_FILE_MS = 50 * 1000,
	// A token that is about to expire may do so on the way.
	EXPIRY_LEEWAY_MS = 10 * 1000,
};

static void free_secret(char *text)
{
	if (text)
		secret_wipe(text, strlen(text));
	mem_free(text);
}

// What is in DATA, else in the file at PATH; *ret NULL where neither is set.
static bool load_pem(const char *data, const char *path, char **ret, struct err *err)
{
	_cleanup_(secret_strbuf_release) struct strbuf text = STRBUF_INIT(PEM_MAX_BYTES);

	if (!data && !path)
		return true;
	if (!data && !file_read(path, &text, err))
		return false;
	*ret = mem_dup(data ? data : strbuf_get(&text));
	return *ret || err_memory(err);
}

// clientcmd's validation of a user, except that data next to a file is no error: data wins.
static bool check_user(const struct kube_user *user, struct err *err)
{
	bool has_certificate = user->certificate_data || user->certificate_path;
	bool has_key = user->key_data || user->key_path;

	if (user->auth_provider) {
		err_set(err, ERR_USAGE, "auth-provider \"%s\" is not supported", user->auth_provider);
		return err_hint(err, "it was taken out of Kubernetes in favour of exec programs: "
		                     "gke-gcloud-auth-plugin, kubelogin, or kubectl oidc-login");
	}
	if (user->token && user->username && user->password)
		return err_set(err, ERR_USAGE, "both a token and a password; only one is allowed");
	if (has_certificate && !has_key)
		return err_set(err, ERR_USAGE, "a client-certificate without its client-key");
	if (!user->as && (user->as_uid || user->as_groups.count || user->as_extra.count))
		return err_set(err, ERR_USAGE, "as-uid, as-groups or as-user-extra without as");
	return true;
}

bool kube_credential_open(struct kube_credential *credential, const struct kube_user *user,
                          const struct kube_cluster *cluster, const char *ca,
                          const struct kube_exec_options *exec_options, const struct clock *clock,
                          struct err *err)
{
	*credential = (struct kube_credential){
		.user = user,
		.cluster = cluster,
		.ca = ca,
		.clock = clock,
		.exec_options = *exec_options,
		.answer = KUBE_EXEC_ANSWER_INIT,
	};
	if (!user)
		return true;
	if (check_user(user, err) &&
	    load_pem(user->certificate_data, user->certificate_path, &credential->certificate, err) &&
	    load_pem(user->key_data, user->key_path, &credential->key, err))
		return true;
	return err_wrap(err, "user \"%s\"", user->name);
}

static int64_t monotonic_ms(const struct kube_credential *credential)
{
	return credential->clock->monotonic_ms(credential->clock->context);
}

static char *trim(char *text)
{
	size_t len = strlen(text);

	while (len && strchr(" \t\r\n", text[len - 1]))
		text[--len] = '\0';
	return text + strspn(text, " \t\r\n");
}

// Reads the token file where it is due. The last good token stays where it cannot be read now.
static bool read_token_file(struct kube_credential *credential, struct err *err)
{
	const char *path = credential->user->token_path;
	_cleanup_(secret_strbuf_release) struct strbuf text = STRBUF_INIT(TOKEN_MAX_BYTES);
	_cleanup_err_ struct err failure = ERR_INIT;
	const char *token;

	if (credential->file_token && monotonic_ms(credential) < credential->file_due_ms)
		return true;
	strbuf_add(&text, "");
	if (!file_read(path, &text, &failure)) {
		if (credential->file_token || credential->user->token)
			return true;
		return err_set(err, ERR_AUTH, "token file: %s", err_message(&failure));
	}
	token = trim(text.data);
	if (!*token)
		return credential->file_token || err_set(err, ERR_AUTH, "token file %s: empty", path);
	free_secret(credential->file_token);
	credential->file_token = mem_dup(token);
	credential->file_due_ms = monotonic_ms(credential) + TOKEN_FILE_MS;
	return credential->file_token || err_memory(err);
}

static bool is_answer_good(const struct kube_credential *credential)
{
	int64_t now_ms = credential->clock->wall_ms(credential->clock->context);

	return credential->has_answer && (credential->answer.expires_ms == INT64_MAX ||
	                                  now_ms < credential->answer.expires_ms - EXPIRY_LEEWAY_MS);
}

// Requests under way may still point to the old answer's certificate: it is kept to the end.
static bool retire_certificate(struct kube_credential *credential, struct err *err)
{
	struct kube_exec_answer *answer = &credential->answer;

	if (!answer->certificate)
		return true;
	return strv_take(&credential->retired, TAKE(answer->certificate), err) &&
	       strv_take(&credential->retired, TAKE(answer->key), err);
}

static bool run_program(struct kube_credential *credential, struct err *err)
{
	if (is_answer_good(credential))
		return true;
	if (!retire_certificate(credential, err))
		return false;
	credential->has_answer =
		kube_exec_run(&credential->user->exec, credential->cluster, credential->ca,
	                  &credential->exec_options, &credential->answer, err);
	return credential->has_answer;
}

static void add_basic(const struct kube_user *user, struct strbuf *out)
{
	_cleanup_(secret_strbuf_release) struct strbuf pair = STRBUF_INIT(TOKEN_MAX_BYTES);

	strbuf_addf(&pair, "%s:%s", user->username ? user->username : "",
	            user->password ? user->password : "");
	strbuf_add(out, "Basic ");
	base64_add(out, strbuf_get(&pair), pair.len);
}

// Which of a user's ways is used: what stands in the file goes before a program, and the token
// file before the token beside it (client-go's order).
static bool add_authorization(struct kube_credential *credential, struct strbuf *out,
                              struct err *err)
{
	const struct kube_user *user = credential->user;
	const char *token = user->token;

	if (user->token_path) {
		if (!read_token_file(credential, err))
			return false;
		if (credential->file_token)
			token = credential->file_token;
	}
	if (!token && (user->username || user->password)) {
		add_basic(user, out);
		return true;
	}
	if (!token && user->exec.command) {
		if (!run_program(credential, err))
			return false;
		token = credential->answer.token;
	}
	if (token)
		strbuf_addf(out, "Bearer %s", token);
	return true;
}

bool kube_credential_authorization(struct kube_credential *credential, struct strbuf *out,
                                   struct err *err)
{
	if (!credential->user)
		return true;
	if (!add_authorization(credential, out, err) || !strbuf_ok(out, err))
		return err_wrap(err, "user \"%s\"", credential->user->name);
	return true;
}

void kube_credential_certificate(const struct kube_credential *credential, const char **ret,
                                 const char **ret_key)
{
	bool is_programs = credential->has_answer && credential->answer.certificate;

	*ret = is_programs ? credential->answer.certificate : credential->certificate;
	*ret_key = is_programs ? credential->answer.key : credential->key;
}

bool kube_credential_renew(struct kube_credential *credential)
{
	bool can_change = credential->has_answer || credential->file_token;

	credential->has_answer = false;
	credential->file_due_ms = 0;
	return can_change;
}

void kube_credential_release(struct kube_credential *credential)
{
	free_secret(credential->file_token);
	free_secret(credential->key);
	mem_free(credential->certificate);
	for (size_t i = 0; i < credential->retired.count; i++)
		secret_wipe(credential->retired.items[i], strlen(credential->retired.items[i]));
	strv_release(&credential->retired);
	kube_exec_answer_release(&credential->answer);
	memset(credential, 0, sizeof(*credential));
}
