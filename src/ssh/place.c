// SPDX-License-Identifier: MIT
#include "ssh/place.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "ssh/config.h"

static const char *read_env(const struct ssh_wishes *wishes, const char *name)
{
	const char *value = wishes->getenv ? wishes->getenv(name) : getenv(name);

	return value && *value ? value : NULL;
}

static bool dup_text(char **field, const char *text, struct err *err)
{
	*field = mem_dup(text);
	return *field || err_memory(err);
}

static bool add_all(struct strv *list, const struct strv *items, struct err *err)
{
	for (size_t i = 0; i < items->count; i++)
		if (!strv_add(list, items->items[i], err))
			return false;
	return true;
}

// A file in the user's ~/.ssh.
static bool add_own(struct strv *list, const struct ssh_wishes *wishes, const char *name,
                    struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(4096);
	const char *home = read_env(wishes, "HOME");

	if (!home)
		return true;
	strbuf_addf(&path, "%s/.ssh/%s", home, name);
	return strbuf_ok(&path, err) && strv_add(list, strbuf_get(&path), err);
}

static bool set_known_hosts(struct ssh_place *place, const struct ssh_wishes *wishes,
                            const struct ssh_config *config, struct err *err)
{
	if (config->known_hosts.count)
		return add_all(&place->known_hosts, &config->known_hosts, err);
	return add_own(&place->known_hosts, wishes, "known_hosts", err) &&
	       strv_add(&place->known_hosts, "/etc/ssh/ssh_known_hosts", err);
}

static bool set_identities(struct ssh_place *place, const struct ssh_wishes *wishes,
                           const struct ssh_config *config, struct err *err)
{
	if (wishes->identities && wishes->identities->count)
		return add_all(&place->identities, wishes->identities, err);
	if (config->identity_files.count)
		return add_all(&place->identities, &config->identity_files, err);
	return add_own(&place->identities, wishes, "id_ed25519", err) &&
	       add_own(&place->identities, wishes, "id_ecdsa", err) &&
	       add_own(&place->identities, wishes, "id_rsa", err);
}

// IdentityAgent: a path, "none", or a variable's name.
static bool set_agent(struct ssh_place *place, const struct ssh_wishes *wishes,
                      const struct ssh_config *config, struct err *err)
{
	const char *agent = config->identity_agent;

	if (agent && !strcmp(agent, "none"))
		return true;
	if (!agent || !strcmp(agent, "SSH_AUTH_SOCK"))
		agent = read_env(wishes, "SSH_AUTH_SOCK");
	else if (*agent == '$')
		agent = read_env(wishes, agent + 1);
	return !agent || dup_text(&place->agent, agent, err);
}

static const char *local_user(const struct ssh_wishes *wishes)
{
	const struct passwd *entry = getpwuid(getuid());
	const char *name = entry ? entry->pw_name : read_env(wishes, "USER");

	return name ? name : "root";
}

static struct host_key_rule choose_rule(const struct ssh_wishes *wishes,
                                        const struct ssh_config *config)
{
	const char *strict = config->strict_host_key ? config->strict_host_key : "";

	if (wishes->has_host_key)
		return wishes->host_key;
	if (!strcmp(strict, "true") || !strcmp(strict, "yes"))
		return (struct host_key_rule){.policy = HOST_KEY_STRICT};
	if (!strcmp(strict, "accept-new"))
		return (struct host_key_rule){.policy = HOST_KEY_ACCEPT_NEW};
	return (struct host_key_rule){.policy = HOST_KEY_ASK}; // "no" too: keys are always checked
}

static bool set_jump(struct ssh_place *place, const struct ssh_wishes *wishes,
                     const struct ssh_config *config, struct err *err)
{
	const char *jump = wishes->jump ? wishes->jump : config->proxy_jump;

	if (!wishes->jump && config->proxy_command && !config->proxy_jump) {
		err_set(err, ERR_USAGE, "ssh_config wants a ProxyCommand, which libssh2 cannot run");
		return err_hint(err, "use ProxyJump or --jump, or --ssh=openssh");
	}
	if (!jump || !strcmp(jump, "none"))
		return true;
	if (strchr(jump, ',')) {
		err_set(err, ERR_USAGE, "\"%s\": only one jump host is possible", jump);
		return err_hint(err, "use --ssh=openssh for more");
	}
	return dup_text(&place->jump, strncmp(jump, "ssh://", 6) ? jump : jump + 6, err);
}

static bool fill(struct ssh_place *place, const char *word, const struct ssh_address *typed,
                 const struct ssh_wishes *wishes, const struct ssh_config *config, struct err *err)
{
	const char *address = config->host_name ? config->host_name : typed->host;
	const char *user = typed->user ? typed->user : wishes->user;

	if (!user)
		user = config->user ? config->user : local_user(wishes);
	place->target.port = typed->port ? typed->port : wishes->port;
	if (!place->target.port)
		place->target.port = config->port ? config->port : 22;
	place->target.host_key = choose_rule(wishes, config);
	place->target.is_identities_only = config->is_identities_only;
	return dup_text(&place->name, word, err) && dup_text(&place->address, address, err) &&
	       dup_text(&place->user, user, err) &&
	       dup_text(&place->known_as, config->host_key_alias ? config->host_key_alias : address,
	                err) &&
	       set_known_hosts(place, wishes, config, err) &&
	       set_identities(place, wishes, config, err) && set_agent(place, wishes, config, err) &&
	       set_jump(place, wishes, config, err);
}

static void point(struct ssh_place *place)
{
	place->target.name = place->name;
	place->target.address = place->address;
	place->target.user = place->user;
	place->target.known_as = place->known_as;
	place->target.agent = place->agent;
	place->target.known_hosts = &place->known_hosts;
	place->target.identities = &place->identities;
}

bool ssh_place_find(const char *word, const struct ssh_wishes *wishes, struct ssh_place *ret,
                    struct err *err)
{
	_cleanup_ssh_address_ struct ssh_address typed = {0};
	_cleanup_ssh_config_ struct ssh_config config = SSH_CONFIG_INIT;
	uint16_t port;

	*ret = (struct ssh_place){.known_hosts = STRV_INIT, .identities = STRV_INIT};
	if (!ssh_address_parse(word, &typed, err))
		return false;
	port = typed.port ? typed.port : wishes->port;
	if ((!wishes->config || strcmp(wishes->config, "none") != 0) &&
	    !ssh_config_ask(typed.host, typed.user ? typed.user : wishes->user, port, wishes->config,
	                    &config, err))
		return false;
	if (!fill(ret, word, &typed, wishes, &config, err)) {
		ssh_place_release(ret);
		return false;
	}
	point(ret);
	return true;
}

void ssh_place_release(struct ssh_place *place)
{
	mem_free(place->jump);
	mem_free(place->name);
	mem_free(place->address);
	mem_free(place->user);
	mem_free(place->known_as);
	mem_free(place->agent);
	strv_release(&place->known_hosts);
	strv_release(&place->identities);
	*place = (struct ssh_place){0};
}
