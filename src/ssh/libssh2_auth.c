// SPDX-License-Identifier: MIT
// Logging in: the keys in the user's order, then what the server asks for in its own words, then
// the password. Nothing that the server has refused is tried twice.
#include <libssh2.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "ssh/kexinit.h"
#include "ssh/libssh2_link.h"

enum {
	AGENT_SIGN_MS = 30000, // a person may have to confirm
	PASSPHRASE_TRIES = 3,
	TRIED_MAX_BYTES = 4096,
	PROMPT_MAX_BYTES = 512,
	PROMPTS_MAX = 8,
};

// Words for the message

static void add_tried(struct auth *auth, const char *what, const char *outcome)
{
	strbuf_addf(&auth->tried, "%s%s: %s", auth->tried.len ? "; " : "", what, outcome);
}

static const char *offer_name(const struct offer *offer)
{
	return offer->identity ? offer->identity->path : "a key of the agent";
}

static const char *key_type(const void *key, size_t len, char ret[64])
{
	size_t type_len;
	const char *type = known_hosts_key_type(key, len, &type_len);

	snprintf(ret, 64, "%.*s", type ? (int)type_len : 1, type ? type : "?");
	return ret;
}

// What to offer

// libssh2 before 1.11 signs with SHA-1 only, which servers have refused since OpenSSH 8.8.
static bool can_use_rsa(void)
{
	return libssh2_version(0x010b00) != NULL;
}

static bool can_use_type(const char *type)
{
	static const char *const types[] = {"ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384",
	                                    "ecdsa-sha2-nistp521"};

	if (!strcmp(type, "ssh-rsa"))
		return can_use_rsa();
	for (size_t i = 0; i < COUNT_OF(types); i++)
		if (!strcmp(type, types[i]))
			return true;
	return !*type; // PEM does not say; libssh2 will
}

static void note_unusable(struct auth *auth, const char *name, const char *type)
{
	_cleanup_strbuf_ struct strbuf why = STRBUF_INIT(256);

	if (!strcmp(type, "ssh-rsa")) {
		auth->has_rsa = true;
		strbuf_addf(&why, "RSA, with which libssh2 %s cannot log in to current servers",
		            libssh2_version(0));
	} else {
		strbuf_addf(&why, "%s, which libssh2 cannot use", type);
	}
	add_tried(auth, name, strbuf_get(&why));
}

static void add_offer(struct auth *auth, struct identity *identity, const struct agent_key *key)
{
	char type[64];

	if (key)
		key_type(key->key, key->key_len, type);
	else
		snprintf(type, sizeof(type), "%s", identity->file.type);
	if (!can_use_type(type))
		note_unusable(auth, identity ? identity->path : "a key of the agent", type);
	else if (auth->offer_count < LINK_MAX_OFFERS)
		auth->offers[auth->offer_count++] = (struct offer){identity, key};
}

static const struct agent_key *find_in_agent(const struct agent_cache *agent,
                                             const struct strbuf *key)
{
	for (size_t i = 0; agent && key->len && i < agent->keys.count; i++)
		if (agent->keys.items[i].key_len == key->len &&
		    !memcmp(agent->keys.items[i].key, key->data, key->len))
			return &agent->keys.items[i];
	return NULL;
}

static bool is_offered(const struct auth *auth, const struct agent_key *key)
{
	for (size_t i = 0; i < auth->offer_count; i++)
		if (auth->offers[i].key == key)
			return true;
	return false;
}

// Key files in the user's order (signed for by the agent where it has them), then what else the
// agent has. coop#68: at most so many that the server does not hang up.
static bool collect_offers(struct link *link, struct err *err)
{
	struct backend *backend = backend_of(link);
	struct auth *auth = &link->auth;
	const struct agent_cache *agent = NULL;

	if (link->base.agent && !(agent = agent_get(backend, link->base.agent)))
		return err_memory(err);
	for (size_t i = 0; i < link->base.identities.count; i++) {
		struct identity *identity = identity_get(backend, link->base.identities.items[i]);

		if (!identity)
			return err_memory(err);
		if (identity->trouble)
			add_tried(auth, identity->path, identity->trouble);
		else if (!identity->is_missing)
			add_offer(auth, identity, find_in_agent(agent, &identity->file.key));
	}
	for (size_t i = 0; agent && !link->base.is_identities_only && i < agent->keys.count; i++)
		if (!is_offered(auth, &agent->keys.items[i]))
			add_offer(auth, NULL, &agent->keys.items[i]);
	if (agent && agent->trouble)
		add_tried(auth, "agent", agent->trouble);
	return true;
}

bool link_auth_begin(struct link *link, struct err *err)
{
	link->auth = (struct auth){
		.tried = STRBUF_INIT(TRIED_MAX_BYTES),
		.server_methods = STRBUF_INIT(1024),
		.signature = STRBUF_INIT(64 << 10),
	};
	return collect_offers(link, err);
}

void link_auth_release(struct link *link)
{
	err_clear(&link->auth.failure);
	strbuf_release(&link->auth.tried);
	strbuf_release(&link->auth.server_methods);
	strbuf_release(&link->auth.signature);
	link->auth = (struct auth){0};
}

// The outcome of a call

// True if CODE says that the server refused, rather than that the connection is lost.
static bool is_refusal(int code)
{
	return code == LIBSSH2_ERROR_AUTHENTICATION_FAILED ||
	       code == LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED || code == LIBSSH2_ERROR_METHOD_NONE;
}

static bool is_connection_loss(int code)
{
	return code == LIBSSH2_ERROR_SOCKET_DISCONNECT || code == LIBSSH2_ERROR_SOCKET_RECV ||
	       code == LIBSSH2_ERROR_SOCKET_SEND || code == LIBSSH2_ERROR_BANNER_RECV;
}

static enum step give_up(struct link *link, struct err *err)
{
	struct auth *auth = &link->auth;
	_cleanup_strbuf_ struct strbuf methods = STRBUF_INIT(4096);

	text_sanitize(&methods, strbuf_get(&auth->server_methods), auth->server_methods.len,
	              TEXT_ONE_LINE);
	err_set(err, ERR_AUTH, "cannot log in as %s (the server takes: %s)%s%s", link->base.user,
	        methods.len ? strbuf_get(&methods) : "?", auth->tried.len ? "; tried " : "",
	        auth->tried.len ? strbuf_get(&auth->tried) : "");
	if (auth->has_rsa)
		err_hint(err, "make an ed25519 key (ssh-keygen -t ed25519, ssh-copy-id), or use "
		              "--ssh=openssh");
	else if (!auth->offer_count && auth->can_key)
		err_hint(err, "make a key (ssh-keygen -t ed25519) and copy it to the host (ssh-copy-id), "
		              "or name it with --identity");
	else
		err_hint(err, "is the user right, and the key in the host's authorized_keys?");
	return STEP_FAILED;
}

static enum step lost(struct link *link, int code, struct err *err)
{
	struct auth *auth = &link->auth;

	if (is_connection_loss(code) && auth->tried.len) {
		add_tried(auth, "then", "the server hung up");
		return give_up(link, err);
	}
	link_libssh2_failure(link, ERR_UNREACHABLE, "logging in", err);
	return STEP_FAILED;
}

// Which methods there are

static enum step list_step(struct link *link, struct err *err)
{
	struct auth *auth = &link->auth;
	const char *list =
		libssh2_userauth_list(link->session, link->base.user, (unsigned)strlen(link->base.user));
	size_t len = list ? strlen(list) : 0;

	if (!list && libssh2_userauth_authenticated(link->session))
		return STEP_DONE; // nothing was asked for
	if (!list && link_would_block(link))
		return STEP_WAIT;
	if (!list)
		return lost(link, libssh2_session_last_errno(link->session), err);
	strbuf_add_n(&auth->server_methods, list, len < 200 ? len : 200);
	auth->can_key = kexinit_contains(list, len, "publickey", 9);
	auth->can_password = kexinit_contains(list, len, "password", 8);
	auth->can_interactive = kexinit_contains(list, len, "keyboard-interactive", 20);
	auth->stage = AUTH_KEYS;
	return STEP_WAIT;
}

// Keys

// The name of the algorithm in what is to be signed (RFC 4252 7): session, 50, user, service,
// "publickey", true, algorithm.
static void read_algorithm(const unsigned char *pos, size_t len, char ret[64])
{
	const unsigned char *end = pos + len, *name;
	size_t unused, name_len;

	*ret = '\0';
	if (!wire_string(&pos, end, &unused) || pos == end)
		return;
	pos++;
	if (!wire_string(&pos, end, &unused) || !wire_string(&pos, end, &unused) ||
	    !wire_string(&pos, end, &unused) || pos == end)
		return;
	pos++;
	name = wire_string(&pos, end, &name_len);
	if (name && name_len < 64)
		snprintf(ret, 64, "%.*s", (int)name_len, (const char *)name);
}

// Called by libssh2 once the server has said that it takes the key.
static int sign(LIBSSH2_SESSION *session, unsigned char **sig, size_t *sig_len,
                const unsigned char *data, size_t data_len, void **abstract)
{
	struct link *link = *abstract;
	struct auth *auth = &link->auth;
	const struct offer *offer = &auth->offers[auth->at];
	char algorithm[64];

	(void)session;
	auth->is_accepted = true;
	if (auth->is_probing)
		return -1;
	read_algorithm(data, data_len, algorithm);
	strbuf_clear(&auth->signature);
	if (!agent_sign(link->base.agent, AGENT_SIGN_MS, offer->key->key, offer->key->key_len, data,
	                data_len, algorithm, &auth->signature, &auth->failure))
		return -1;
	*sig = malloc(auth->signature.len); // libssh2 frees it
	if (!*sig)
		return -1;
	memcpy(*sig, auth->signature.data, auth->signature.len);
	*sig_len = auth->signature.len;
	return 0;
}

static int offer_public(struct link *link, const void *key, size_t len)
{
	void *abstract = link;

	return libssh2_userauth_publickey(link->session, link->base.user, key, len, sign, &abstract);
}

static int offer_private(struct link *link, const struct identity *identity)
{
	const char *user = link->base.user, *public_text = identity->public_text;

	return libssh2_userauth_publickey_frommemory(
		link->session, user, strlen(user), public_text, public_text ? strlen(public_text) : 0,
		identity->text.data, identity->text.len, identity->passphrase.data);
}

static bool needs_passphrase(const struct offer *offer)
{
	return !offer->key && offer->identity->file.is_encrypted && !offer->identity->passphrase.data;
}

static enum step next_offer(struct auth *auth, const char *outcome)
{
	const struct offer *offer = &auth->offers[auth->at++];

	add_tried(auth, offer_name(offer), outcome);
	auth->is_probing = auth->is_accepted = false;
	auth->passphrase_tries = 0;
	return STEP_WAIT;
}

// The server takes an encrypted key, or can be asked only with its secret: time for the question.
static enum step ask_passphrase(struct link *link, struct identity *identity, struct err *err)
{
	struct auth *auth = &link->auth;

	if (auth->passphrase_tries == PASSPHRASE_TRIES) {
		err_set(err, ERR_AUTH, "%s: wrong passphrase", identity->path);
		return STEP_FAILED;
	}
	if (!identity_ask_passphrase(link, identity, auth->passphrase_tries++, err))
		return STEP_FAILED;
	auth->is_probing = auth->is_accepted = false;
	return STEP_WAIT;
}

// k0sctl#133: the passphrase is asked for once, where a server takes the key, for all hosts.
static enum step probe(struct link *link, const struct offer *offer, struct err *err)
{
	struct identity *identity = offer->identity;
	struct auth *auth = &link->auth;
	int code;

	if (!identity->file.key.len)
		return ask_passphrase(link, identity, err);
	auth->is_probing = true;
	code = offer_public(link, identity->file.key.data, identity->file.key.len);
	if (code == LIBSSH2_ERROR_EAGAIN)
		return STEP_WAIT;
	if (auth->is_accepted)
		return ask_passphrase(link, identity, err);
	return is_refusal(code) ? next_offer(auth, "refused") : lost(link, code, err);
}

// What a failed offer of a file's key means. libssh2 finds out about a wrong passphrase only when
// the server has taken the key, and says that it could not sign.
static enum step private_failed(struct link *link, struct identity *identity, int code,
                                struct err *err)
{
	bool is_unsigned = code == LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED && identity->file.is_encrypted;

	if (is_refusal(code) && !is_unsigned)
		return next_offer(&link->auth, "refused");
	if (is_connection_loss(code))
		return lost(link, code, err);
	if (identity->file.is_encrypted) {
		secret_release(&identity->passphrase);
		return ask_passphrase(link, identity, err);
	}
	return next_offer(&link->auth, "libssh2 cannot read it");
}

static enum step key_step(struct link *link, struct err *err)
{
	struct auth *auth = &link->auth;
	const struct offer *offer = &auth->offers[auth->at];
	int code;

	if (!auth->can_key || auth->at == auth->offer_count) {
		auth->stage = AUTH_INTERACTIVE;
		return STEP_WAIT;
	}
	if (auth->is_probing || needs_passphrase(offer))
		return probe(link, offer, err);
	if (offer->key)
		code = offer_public(link, offer->key->key, offer->key->key_len);
	else
		code = offer_private(link, offer->identity);
	if (!code)
		return STEP_DONE;
	if (code == LIBSSH2_ERROR_EAGAIN)
		return STEP_WAIT;
	if (!offer->key)
		return private_failed(link, offer->identity, code, err);
	if (auth->failure.kind != ERR_NONE) {
		enum step result = next_offer(auth, err_message(&auth->failure));

		err_clear(&auth->failure);
		return result;
	}
	return is_refusal(code) ? next_offer(auth, "refused") : lost(link, code, err);
}

// Passwords

static bool ask_password(struct link *link, enum ssh_question_kind kind, const char *subject,
                         bool is_echo_wanted, struct secret *ret, struct err *err)
{
	struct ssh_question question = {
		.kind = kind,
		.host = link->base.name,
		.user = link->base.user,
		.subject = subject,
		.is_echo_wanted = is_echo_wanted,
	};

	return ssh_ask_secret(link->base.ssh, &question, ret, err);
}

// One answer, for libssh2 to free. The password is given once, to the first hidden question.
static bool answer(struct link *link, const LIBSSH2_USERAUTH_KBDINT_PROMPT *prompt,
                   LIBSSH2_USERAUTH_KBDINT_RESPONSE *response, struct err *err)
{
	_cleanup_strbuf_ struct strbuf words = STRBUF_INIT(4 * PROMPT_MAX_BYTES);
	_cleanup_secret_ struct secret asked = SECRET_INIT;
	size_t len = prompt->length < PROMPT_MAX_BYTES ? prompt->length : PROMPT_MAX_BYTES;
	bool is_password = !prompt->echo && !link->auth.was_password_sent;

	text_sanitize(&words, prompt->text ? prompt->text : "", prompt->text ? len : 0, TEXT_ONE_LINE);
	if (is_password && link->password.data) {
		if (!secret_set(&asked, link->password.data, link->password.len, err))
			return false;
	} else if (!ask_password(link, is_password ? SSH_ASK_PASSWORD : SSH_ASK_ANSWER,
	                         strbuf_get(&words), prompt->echo, &asked, err)) {
		return false;
	}
	link->auth.was_password_sent |= is_password;
	response->text = malloc(asked.len + 1);
	if (!response->text)
		return err_memory(err);
	memcpy(response->text, asked.data, asked.len + 1);
	response->length = (unsigned)asked.len;
	return !is_password || secret_set(&link->password, asked.data, asked.len, err);
}

static void on_prompts(const char *name, int name_len, const char *instruction, int instruction_len,
                       int count, const LIBSSH2_USERAUTH_KBDINT_PROMPT *prompts,
                       LIBSSH2_USERAUTH_KBDINT_RESPONSE *responses, void **abstract)
{
	struct link *link = *abstract;

	(void)name, (void)name_len, (void)instruction, (void)instruction_len;
	if (count > PROMPTS_MAX && link->auth.failure.kind == ERR_NONE)
		err_set(&link->auth.failure, ERR_AUTH, "the server asks too many questions");
	for (int i = 0; i < count && link->auth.failure.kind == ERR_NONE; i++)
		if (!answer(link, &prompts[i], &responses[i], &link->auth.failure) &&
		    link->auth.failure.kind == ERR_NONE)
			err_memory(&link->auth.failure);
}

// The outcome of a call that sent a password.
static enum step password_outcome(struct link *link, int code, const char *what, struct err *err)
{
	struct auth *auth = &link->auth;

	if (!code)
		return STEP_DONE;
	if (code == LIBSSH2_ERROR_EAGAIN)
		return STEP_WAIT;
	secret_release(&link->password);
	if (auth->failure.kind != ERR_NONE) {
		*err = auth->failure;
		auth->failure = (struct err)ERR_INIT;
		err_wrap(err, "%s", what);
		return STEP_FAILED;
	}
	if (code == LIBSSH2_ERROR_PASSWORD_EXPIRED) {
		err_set(err, ERR_AUTH, "the password of %s has expired", link->base.user);
		err_hint(err, "log in with ssh once and set a new one");
		return STEP_FAILED;
	}
	add_tried(auth, what, "refused");
	auth->stage = AUTH_OVER; // a second try with the same password would only lock the user out
	return is_refusal(code) ? STEP_WAIT : lost(link, code, err);
}

static enum step interactive_step(struct link *link, struct err *err)
{
	struct auth *auth = &link->auth;
	int code;

	if (!auth->can_interactive || (!link->base.ssh->options.ask_secret && !link->password.data)) {
		auth->stage = AUTH_PASSWORD;
		return STEP_WAIT;
	}
	code = libssh2_userauth_keyboard_interactive_ex(link->session, link->base.user,
	                                                (unsigned)strlen(link->base.user), on_prompts);
	if (is_refusal(code) && !auth->was_password_sent && auth->failure.kind == ERR_NONE) {
		auth->stage = AUTH_PASSWORD; // it has asked nothing
		return STEP_WAIT;
	}
	return password_outcome(link, code, "keyboard-interactive", err);
}

static enum step password_step(struct link *link, struct err *err)
{
	struct auth *auth = &link->auth;
	const char *user = link->base.user;

	if (!auth->can_password || (!link->base.ssh->options.ask_secret && !link->password.data)) {
		auth->stage = AUTH_OVER;
		return STEP_WAIT;
	}
	if (!link->password.data &&
	    !ask_password(link, SSH_ASK_PASSWORD, "", false, &link->password, err)) {
		err_wrap(err, "password");
		return STEP_FAILED;
	}
	auth->was_password_sent = true;
	return password_outcome(
		link,
		libssh2_userauth_password_ex(link->session, user, (unsigned)strlen(user),
	                                 link->password.data, (unsigned)link->password.len, NULL),
		"password", err);
}

static enum step stage_step(struct link *link, struct err *err)
{
	switch (link->auth.stage) {
	case AUTH_LIST:
		return list_step(link, err);
	case AUTH_KEYS:
		return key_step(link, err);
	case AUTH_INTERACTIVE:
		return interactive_step(link, err);
	case AUTH_PASSWORD:
		return password_step(link, err);
	default:
		return give_up(link, err);
	}
}

// While a person looks for the answer for one host, the others may hang up (LoginGraceTime): once,
// a login that had not been refused anything starts over.
static bool may_retry(struct link *link, const struct err *err)
{
	if (err->kind != ERR_UNREACHABLE || link->auth.tried.len || link->is_login_retried)
		return false;
	link->is_login_retried = true;
	link->first_try_ms = loop_now_ms(loop_of(link));
	return true;
}

// Goes on until it is done, has failed, or waits for the network: a stage that has changed is
// gone on with at once.
enum step link_auth_step(struct link *link, bool *ret_retry, struct err *err)
{
	struct auth *auth = &link->auth;
	enum auth_stage stage;
	enum step result;
	size_t at;
	int tries;

	do {
		stage = auth->stage;
		at = auth->at;
		tries = auth->passphrase_tries;
		result = stage_step(link, err);
	} while (result == STEP_WAIT &&
	         (stage != auth->stage || at != auth->at || tries != auth->passphrase_tries));
	*ret_retry = result == STEP_FAILED && may_retry(link, err);
	return result;
}
