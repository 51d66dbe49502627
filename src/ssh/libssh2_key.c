// SPDX-License-Identifier: MIT
// What to log in with: key files and the agent's keys, each read once for all hosts.
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/mem.h"
#include "ssh/libssh2_link.h"

enum { AGENT_LIST_MS = 5000 };

static void identity_free(struct identity *identity)
{
	mem_free(identity->path);
	secret_release(&identity->text);
	keyfile_release(&identity->file);
	mem_free(identity->public_text);
	secret_release(&identity->passphrase);
	mem_free(identity->trouble);
	mem_free(identity);
}

static bool read_secret(const char *path, struct secret *ret, struct err *err)
{
	struct strbuf text = STRBUF_INIT(KEYFILE_MAX_BYTES);
	bool is_ok;

	secret_strbuf_reserve(&text, KEYFILE_MAX_BYTES);
	is_ok = file_read(path, &text, err) && secret_set(ret, text.data, text.len, err);
	secret_strbuf_release(&text);
	return is_ok;
}

// PEM files do not say their public half: a .pub file beside them does.
static void read_public_file(struct identity *identity)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(4096), text = STRBUF_INIT(KEYFILE_MAX_BYTES);
	_cleanup_err_ struct err ignored = ERR_INIT;

	strbuf_addf(&path, "%s.pub", identity->path);
	if (!path.failed && file_read(strbuf_get(&path), &text, &ignored) &&
	    !keyfile_parse_public(strbuf_get(&text), &identity->file))
		strbuf_clear(&identity->file.key);
}

static bool make_public_text(struct identity *identity, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(2 * KEYFILE_MAX_BYTES);

	if (!identity->file.key.len)
		return true;
	strbuf_addf(&text, "%s ", identity->file.type);
	base64_add(&text, identity->file.key.data, identity->file.key.len);
	identity->public_text = strbuf_take(&text, err);
	return identity->public_text;
}

static void load(struct identity *identity)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (access(identity->path, F_OK)) {
		identity->is_missing = true;
		return;
	}
	if (read_secret(identity->path, &identity->text, &err) &&
	    keyfile_parse(identity->text.data, identity->text.len, &identity->file, &err)) {
		if (!identity->file.key.len)
			read_public_file(identity);
		if (make_public_text(identity, &err))
			return;
	}
	identity->trouble = mem_dup(err_message(&err));
}

// "~/" in front is the home folder's.
static char *expand(const char *path)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);
	_cleanup_err_ struct err ignored = ERR_INIT;
	const char *home = getenv("HOME");

	if (strncmp(path, "~/", 2) != 0 || !home)
		return mem_dup(path);
	strbuf_addf(&text, "%s%s", home, path + 1);
	return strbuf_take(&text, &ignored);
}

struct identity *identity_get(struct backend *backend, const char *path)
{
	_cleanup_free_ char *full = expand(path);
	struct identity *identity;

	for (identity = backend->identities; full && identity; identity = identity->next)
		if (!strcmp(identity->path, full))
			return identity;
	identity = full ? mem_alloc(sizeof(*identity)) : NULL;
	if (!identity)
		return NULL;
	identity->path = TAKE(full);
	load(identity);
	identity->next = backend->identities;
	backend->identities = identity;
	return identity;
}

bool identity_ask_passphrase(struct link *link, struct identity *identity, int tries,
                             struct err *err)
{
	struct ssh_question question = {
		.kind = SSH_ASK_PASSPHRASE,
		.host = link->base.name,
		.user = link->base.user,
		.subject = identity->path,
		.tries = tries,
	};

	secret_release(&identity->passphrase);
	if (ssh_ask_secret(link->base.ssh, &question, &identity->passphrase, err))
		return true;
	err_wrap(err, "%s has a passphrase", identity->path);
	return err->hint ? false : err_hint(err, "add the key to an agent: ssh-add %s", identity->path);
}

const struct agent_cache *agent_get(struct backend *backend, const char *path)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct agent_cache *agent;

	for (agent = backend->agents; agent; agent = agent->next)
		if (!strcmp(agent->path, path))
			return agent;
	agent = mem_alloc(sizeof(*agent));
	if (!agent)
		return NULL;
	agent->path = mem_dup(path);
	if (!agent->path) {
		mem_free(agent);
		return NULL;
	}
	if (!agent_list(path, AGENT_LIST_MS, &agent->keys, &err))
		agent->trouble = mem_dup(err_message(&err));
	agent->next = backend->agents;
	backend->agents = agent;
	return agent;
}

void keys_free(struct backend *backend)
{
	while (backend->identities) {
		struct identity *identity = backend->identities;

		backend->identities = identity->next;
		identity_free(identity);
	}
	while (backend->agents) {
		struct agent_cache *agent = backend->agents;

		backend->agents = agent->next;
		agent_keys_release(&agent->keys);
		mem_free(agent->path);
		mem_free(agent->trouble);
		mem_free(agent);
	}
}
