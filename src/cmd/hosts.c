// SPDX-License-Identifier: MIT
#include "cmd/hosts.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/prompt.h"
#include "ssh/place.h"

enum { PARALLEL_DEFAULT = 32, PARALLEL_MAX = 1000, CONNECT_DEFAULT_S = 10 };

// Options

static bool parse_host_key(struct cli_context *context, const char *text, void *field,
                           struct err *err)
{
	struct cmd_hosts_options *options =
		(struct cmd_hosts_options *)(void *)((char *)field -
	                                         offsetof(struct cmd_hosts_options, host_key));

	(void)context;
	options->has_host_key = host_key_rule_parse(text, &options->host_key, err);
	return options->has_host_key;
}

static const char *const backends[] = {"libssh2", "openssh", NULL};
static const char *const host_key_words[] = {"ask", "accept-new", "strict", NULL};

static const struct cli_option rows[] = {
	{.name = "user",
     .kind = CLI_STRING,
     .offset = offsetof(struct cmd_hosts_options, user),
     .metavar = "USER",
     .help = "log in as this user (default: ssh_config's)"},
	{.name = "port",
     .kind = CLI_INT,
     .min = 1,
     .max = 65535,
     .offset = offsetof(struct cmd_hosts_options, port),
     .metavar = "N",
     .help = "port of sshd (default: ssh_config's)"},
	{.name = "identity",
     .letter = 'i',
     .kind = CLI_LIST,
     .offset = offsetof(struct cmd_hosts_options, identities),
     .metavar = "FILE",
     .completion = CLI_COMPLETE_FILE,
     .help = "private key to log in with (default: ssh_config's)"},
	{.name = "jump",
     .letter = 'J',
     .kind = CLI_STRING,
     .offset = offsetof(struct cmd_hosts_options, jump),
     .metavar = "HOST",
     .help = "go through this host; none (default: ssh_config's ProxyJump)"},
	{.name = "host-key",
     .kind = CLI_VALUE,
     .offset = offsetof(struct cmd_hosts_options, host_key),
     .metavar = "RULE",
     .words = host_key_words,
     .parse = parse_host_key,
     .help = "which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)"},
	{.name = "ssh-config",
     .letter = 'F',
     .kind = CLI_STRING,
     .offset = offsetof(struct cmd_hosts_options, config),
     .metavar = "FILE",
     .completion = CLI_COMPLETE_FILE,
     .help = "another ssh_config; none (default: the user's and the system's)"},
	{.name = "ssh",
     .kind = CLI_WORD,
     .offset = offsetof(struct cmd_hosts_options, backend),
     .metavar = "WAY",
     .words = backends,
     .help = "how to speak SSH: libssh2, openssh (default: libssh2)"},
	{.name = "parallel",
     .kind = CLI_INT,
     .min = 1,
     .max = PARALLEL_MAX,
     .offset = offsetof(struct cmd_hosts_options, parallel),
     .metavar = "N",
     .help = "connect to so many hosts at a time (default: 32)"},
	{.name = "connect-timeout",
     .kind = CLI_DURATION,
     .min = 1,
     .offset = offsetof(struct cmd_hosts_options, connect_limit_s),
     .metavar = "DURATION",
     .help = "wait at most so long for a connection (default: 10s)"},
};
const struct cli_group cmd_hosts_group = {"SSH", rows, COUNT_OF(rows)};

void cmd_hosts_options_init(struct cmd_hosts_options *options)
{
	options->backend = backends[SSH_LIBSSH2];
	options->parallel = PARALLEL_DEFAULT;
	options->connect_limit_s = CONNECT_DEFAULT_S;
}

void cmd_hosts_options_release(struct cmd_hosts_options *options)
{
	mem_free(options->user);
	strv_release(&options->identities);
	mem_free(options->jump);
	mem_free(options->config);
}

// Questions

struct cmd_hosts {
	struct cli_context *context;
	struct loop *loop;
	struct ssh *ssh;
	struct ssh_link **links; // one a word
	size_t count;
	struct jump {
		char *word;
		struct ssh_link *link;
	} * jumps;
	size_t jump_count;
	struct secret passwords[2]; // of users, and for sudo: one for all hosts, once it is known
};

static void add_harmless(struct strbuf *out, const char *text)
{
	text_sanitize(out, text, strlen(text), TEXT_ONE_LINE);
}

static void write_question(struct strbuf *out, const struct ssh_question *question)
{
	if (question->tries)
		strbuf_add(out, "wrong; ");
	switch (question->kind) {
	case SSH_ASK_PASSPHRASE:
		strbuf_add(out, "passphrase of ");
		add_harmless(out, question->subject);
		break;
	case SSH_ASK_PASSWORD:
		strbuf_addf(out, "password of %s on ", question->user);
		add_harmless(out, question->host);
		break;
	case SSH_ASK_SUDO:
		strbuf_addf(out, "sudo password of %s on ", question->user);
		add_harmless(out, question->host);
		break;
	case SSH_ASK_ANSWER:
		add_harmless(out, question->host);
		strbuf_add(out, " asks: ");
		add_harmless(out, question->subject);
	}
	strbuf_add(out, ": ");
}

static struct secret *known_password(struct cmd_hosts *hosts, enum ssh_question_kind kind)
{
	if (kind == SSH_ASK_PASSWORD)
		return &hosts->passwords[0];
	return kind == SSH_ASK_SUDO ? &hosts->passwords[1] : NULL;
}

// A password is asked for once and used for all hosts: none gets it twice, so that a wrong one
// locks nobody out.
static bool ask_secret(void *data, const struct ssh_question *question, struct secret *ret,
                       struct err *err)
{
	struct cmd_hosts *hosts = data;
	struct secret *known = known_password(hosts, question->kind);
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);

	if (known && known->data)
		return secret_set(ret, known->data, known->len, err);
	write_question(&text, question);
	if (!strbuf_ok(&text, err) || !cli_ask(strbuf_get(&text), question->is_echo_wanted, ret, err))
		return false;
	return !known || secret_set(known, ret->data, ret->len, err);
}

static bool ask_host_key(void *data, const struct ssh_host_key_question *question, bool *ret_yes,
                         struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	(void)data;
	add_harmless(&text, question->host);
	strbuf_add(&text, ": host key is not known: ");
	add_harmless(&text, question->type);
	strbuf_addf(&text, " %s\n", question->fingerprint);
	if (question->other_type) {
		strbuf_add(&text, "known for it is another key, of type ");
		add_harmless(&text, question->other_type);
		strbuf_add(&text, ", which it did not show: somebody may be listening\n");
	}
	strbuf_add(&text, "trust it, and remember it in ");
	add_harmless(&text, question->file);
	strbuf_add(&text, " (yes/no)? ");
	return strbuf_ok(&text, err) && cli_ask_yes(strbuf_get(&text), ret_yes, err);
}

static void on_log(void *data, const char *host, const char *line)
{
	const struct cmd_hosts *hosts = data;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(128 << 10);

	strbuf_addf(&text, "%s: %s", host, line);
	cli_show_log(hosts->context, 1, strbuf_get(&text));
}

// Links

static struct ssh_wishes make_wishes(const struct cli_context *context,
                                     const struct cmd_hosts_options *options)
{
	return (struct ssh_wishes){
		.user = options->user,
		.port = (uint16_t)options->port,
		.identities = &options->identities,
		.jump = options->jump,
		.config = options->config,
		.host_key = options->host_key,
		.has_host_key = options->has_host_key,
		.getenv = context->getenv,
	};
}

// Options are for the hosts; the jump host has ssh_config's own user and port, and a rule about
// host keys that names no single key.
static bool open_jump(struct cmd_hosts *hosts, const struct ssh_wishes *wishes, const char *word,
                      struct ssh_link **ret, struct err *err)
{
	struct ssh_wishes own = *wishes;
	_cleanup_ssh_place_ struct ssh_place place = {0};
	struct jump jump;

	for (size_t i = 0; i < hosts->jump_count; i++) {
		if (!strcmp(hosts->jumps[i].word, word)) {
			*ret = hosts->jumps[i].link;
			return true;
		}
	}
	own.user = NULL;
	own.port = 0;
	own.jump = "none";
	own.has_host_key = wishes->has_host_key && wishes->host_key.policy != HOST_KEY_PIN;
	if (!ssh_place_find(word, &own, &place, err))
		return err_wrap(err, "jump host");
	jump.link = ssh_open(hosts->ssh, &place.target, err);
	jump.word = mem_dup(word);
	if (!jump.link || !jump.word ||
	    !mem_append(&hosts->jumps, &hosts->jump_count, &jump, sizeof(jump))) {
		mem_free(jump.word);
		return jump.link ? err_memory(err) : false;
	}
	*ret = jump.link;
	return true;
}

// NAME: what messages call the host; NULL: the word.
static bool open_link(struct cmd_hosts *hosts, const struct ssh_wishes *wishes, const char *word,
                      const char *name, struct err *err)
{
	_cleanup_ssh_place_ struct ssh_place place = {0};
	struct ssh_link *link;

	if (!ssh_place_find(word, wishes, &place, err))
		return false;
	if (place.jump && !open_jump(hosts, wishes, place.jump, &place.target.jump, err))
		return err_wrap(err, "%s", word);
	if (name)
		place.target.name = name;
	link = ssh_open(hosts->ssh, &place.target, err);
	if (!link)
		return false;
	if (mem_append(&hosts->links, &hosts->count, &link, sizeof(link)))
		return true;
	return err_memory(err);
}

static bool open_all(struct cmd_hosts *hosts, const struct cmd_hosts_options *options,
                     const struct strv *words, struct err *err)
{
	struct ssh_wishes wishes = make_wishes(hosts->context, options);
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	for (size_t i = 0; i < words->count; i++)
		if (!open_link(hosts, &wishes, words->items[i], NULL, err))
			faults_take(&faults, err);
	return faults_none(&faults, err);
}

static bool open_host(struct cmd_hosts *hosts, const struct ssh_wishes *typed,
                      const struct boot_host *host, struct err *err)
{
	const struct boot_ssh *ssh = &host->ssh;
	bool is_v6 = strchr(ssh->address, ':');
	struct ssh_wishes wishes = *typed;
	_cleanup_strv_ struct strv identities = STRV_INIT;
	_cleanup_strbuf_ struct strbuf word = STRBUF_INIT(1024);

	if (!wishes.user)
		wishes.user = ssh->user;
	if (!wishes.port)
		wishes.port = ssh->port;
	if (!wishes.jump)
		wishes.jump = ssh->jump;
	if (!wishes.has_host_key && ssh->has_host_key) {
		wishes.host_key = ssh->host_key;
		wishes.has_host_key = true;
	}
	if (!wishes.identities->count && ssh->identity) {
		if (!strv_add(&identities, ssh->identity, err))
			return false;
		wishes.identities = &identities;
	}
	strbuf_addf(&word, "%s%s%s", is_v6 ? "[" : "", ssh->address, is_v6 ? "]" : "");
	return strbuf_ok(&word, err) && open_link(hosts, &wishes, strbuf_get(&word), host->name, err);
}

static bool open_inventory(struct cmd_hosts *hosts, const struct cmd_hosts_options *options,
                           const struct boot_inventory *inventory, struct err *err)
{
	struct ssh_wishes wishes = make_wishes(hosts->context, options);
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	for (size_t i = 0; i < inventory->host_count; i++) {
		if (open_host(hosts, &wishes, &inventory->hosts[i], err))
			continue;
		err_wrap(err, "%s", inventory->hosts[i].name);
		faults_take(&faults, err);
	}
	return faults_none(&faults, err);
}

static bool start(struct cmd_hosts *hosts, const struct cmd_hosts_options *options, struct err *err)
{
	bool can_ask = cli_can_ask();
	struct ssh_options full = {
		.backend = !strcmp(options->backend, backends[SSH_OPENSSH]) ? SSH_OPENSSH : SSH_LIBSSH2,
		.ask_secret = can_ask ? ask_secret : NULL,
		.ask_host_key = can_ask ? ask_host_key : NULL,
		.log = hosts->context->general.verbosity ? on_log : NULL,
		.context = hosts,
		.connect_ms = options->connect_limit_s * 1000,
		.max_connecting = (size_t)options->parallel,
	};

	hosts->loop = loop_new(hosts->context->clock, err);
	full.loop = hosts->loop;
	hosts->ssh = hosts->loop ? ssh_new(&full, err) : NULL;
	return hosts->ssh;
}

struct cmd_hosts *cmd_hosts_open(struct cli_context *context,
                                 const struct cmd_hosts_options *options, const struct strv *words,
                                 struct err *err)
{
	struct cmd_hosts *hosts = mem_alloc(sizeof(*hosts));

	if (!hosts) {
		err_memory(err);
		return NULL;
	}
	hosts->context = context;
	if (start(hosts, options, err) && open_all(hosts, options, words, err))
		return hosts;
	cmd_hosts_close(hosts);
	return NULL;
}

struct cmd_hosts *cmd_hosts_open_inventory(struct cli_context *context,
                                           const struct cmd_hosts_options *options,
                                           const struct boot_inventory *inventory, struct err *err)
{
	struct cmd_hosts *hosts = mem_alloc(sizeof(*hosts));

	if (!hosts) {
		err_memory(err);
		return NULL;
	}
	hosts->context = context;
	if (start(hosts, options, err) && open_inventory(hosts, options, inventory, err))
		return hosts;
	cmd_hosts_close(hosts);
	return NULL;
}

struct loop *cmd_hosts_loop(const struct cmd_hosts *hosts)
{
	return hosts->loop;
}

struct ssh_link *cmd_hosts_link(const struct cmd_hosts *hosts, size_t index)
{
	return hosts->links[index];
}

struct ssh_link *const *cmd_hosts_links(const struct cmd_hosts *hosts)
{
	return hosts->links;
}

void cmd_hosts_close(struct cmd_hosts *hosts)
{
	if (!hosts)
		return;
	for (size_t i = 0; i < hosts->count; i++)
		ssh_close(hosts->links[i]); // before the jump hosts that they go through
	ssh_free(hosts->ssh);
	loop_free(hosts->loop);
	for (size_t i = 0; i < hosts->jump_count; i++)
		mem_free(hosts->jumps[i].word);
	mem_free(hosts->jumps);
	mem_free(hosts->links);
	for (size_t i = 0; i < COUNT_OF(hosts->passwords); i++)
		secret_release(&hosts->passwords[i]);
	mem_free(hosts);
}

void cmd_hosts_closep(struct cmd_hosts **hosts)
{
	cmd_hosts_close(*hosts);
}
