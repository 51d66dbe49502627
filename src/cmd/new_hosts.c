// SPDX-License-Identifier: MIT
#include "cmd/new_hosts.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/mem.h"
#include "kube/name.h"
#include "ssh/place.h"

enum { WORD_MAX_BYTES = 1024, SSH_PORT = 22, PATH_BYTES = 4096 };

// [USER@]HOST[:PORT] of what was typed: in the word first, then in the options.
static char *make_ssh(const struct ssh_address *address, const struct cmd_hosts_options *options,
                      struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(WORD_MAX_BYTES);
	const char *user = address->user ? address->user : options->user;
	int64_t port = address->port ? address->port : options->port;
	bool is_v6 = strchr(address->host, ':');

	if (user)
		strbuf_addf(&text, "%s@", user);
	strbuf_addf(&text, "%s%s%s", is_v6 ? "[" : "", address->host, is_v6 ? "]" : "");
	if (port)
		strbuf_addf(&text, ":%lld", (long long)port);
	return strbuf_take(&text, err);
}

static bool is_taken(const struct boot_inventory *inventory, const char *name)
{
	return inventory && boot_inventory_host(inventory, name);
}

static char *make_name(const char *host, const struct boot_inventory *inventory, struct err *err)
{
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(WORD_MAX_BYTES);
	_cleanup_err_ struct err unused = ERR_INIT;
	struct boot_ip ip;
	size_t number = 1;

	if (!boot_ip_parse(host, &ip, &unused))
		for (const char *p = host; *p && *p != '.'; p++)
			strbuf_add_char(&name, *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p);
	err_clear(&unused);
	if (name.len && kube_name_check_label(strbuf_get(&name), &unused) &&
	    !is_taken(inventory, strbuf_get(&name)))
		return strbuf_take(&name, err);
	do {
		strbuf_clear(&name);
		strbuf_addf(&name, "vps%zu", number++);
	} while (is_taken(inventory, strbuf_get(&name)));
	return strbuf_take(&name, err);
}

static char *make_host_key(const struct host_key_rule *rule, struct err *err)
{
	static const char *const words[] = {"ask", "accept-new", "strict"};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(WORD_MAX_BYTES);

	if (rule->policy == HOST_KEY_PIN)
		strbuf_addf(&text, "sha256:%s", rule->pin + strlen("SHA256:"));
	else
		strbuf_add(&text, words[rule->policy]);
	return strbuf_take(&text, err);
}

// Relative paths in the file are to its folder, those that are typed to this one.
static char *make_path(const char *path, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(2 * PATH_BYTES);
	char here[PATH_BYTES];

	if (*path != '/' && *path != '~') {
		if (!getcwd(here, sizeof(here))) {
			err_errno(err, "the current folder");
			return NULL;
		}
		strbuf_addf(&text, "%s/", here);
	}
	strbuf_add(&text, path);
	return strbuf_take(&text, err);
}

static bool make(const char *word, const char *name, const struct cmd_hosts_options *options,
                 const struct boot_inventory *inventory, struct cmd_new_host *host, struct err *err)
{
	_cleanup_ssh_address_ struct ssh_address address = {0};

	if (!ssh_address_parse(word, &address, err))
		return false;
	host->ssh = make_ssh(&address, options, err);
	if (!host->ssh)
		return false;
	host->name = name ? mem_dup(name) : make_name(address.host, inventory, err);
	if (!host->name)
		return name ? err_memory(err) : false;
	if (options->identities.count) {
		host->identity = make_path(options->identities.items[0], err);
		if (!host->identity)
			return false;
	}
	if (options->has_host_key) {
		host->host_key = make_host_key(&options->host_key, err);
		if (!host->host_key)
			return false;
	}
	return true;
}

bool cmd_new_host_make(const char *word, const char *name, const struct cmd_hosts_options *options,
                       const struct boot_inventory *inventory, struct cmd_new_host *ret,
                       struct err *err)
{
	*ret = (struct cmd_new_host){.entry = {.jump = options->jump}};
	if (!make(word, name, options, inventory, ret, err)) {
		cmd_new_host_release(ret);
		return false;
	}
	ret->entry.name = ret->name;
	ret->entry.ssh = ret->ssh;
	ret->entry.identity = ret->identity;
	ret->entry.host_key = ret->host_key;
	return true;
}

void cmd_new_host_release(struct cmd_new_host *host)
{
	mem_free(host->name);
	mem_free(host->ssh);
	mem_free(host->identity);
	mem_free(host->host_key);
	*host = (struct cmd_new_host){.name = NULL};
}

bool cmd_new_host_find(const char *word, const struct cmd_hosts_options *options,
                       const struct boot_inventory *inventory, const struct boot_host **ret,
                       struct err *err)
{
	_cleanup_ssh_address_ struct ssh_address address = {0};

	*ret = boot_inventory_host(inventory, word);
	if (*ret)
		return true;
	if (!ssh_address_parse(word, &address, err))
		return false;
	if (!address.port)
		address.port = options->port ? (uint16_t)options->port : SSH_PORT;
	for (size_t i = 0; i < inventory->host_count; i++) {
		const struct boot_ssh *ssh = &inventory->hosts[i].ssh;

		if (!strcasecmp(ssh->address, address.host) &&
		    (ssh->port ? ssh->port : SSH_PORT) == address.port)
			*ret = &inventory->hosts[i];
	}
	return true;
}
