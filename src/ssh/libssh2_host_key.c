// SPDX-License-Identifier: MIT
// Who the host is: what is known of it orders the key types, and the key that it shows is judged
// before anything else is sent.
#include <libssh2.h>
#include <string.h>

#include "base/mem.h"
#include "ssh/libssh2_link.h"

static bool is_same_list(const struct strv *a, const struct strv *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->items[i], b->items[i]) != 0)
			return false;
	return true;
}

static bool load_hosts(struct hosts_cache *cache, const struct strv *files, struct err *err)
{
	for (size_t i = 0; i < files->count; i++)
		if (!strv_add(&cache->files, files->items[i], err) ||
		    !known_hosts_load(&cache->hosts, files->items[i], err))
			return false;
	return true;
}

// What the link's files say; read at the first use.
static struct known_hosts *hosts_get(struct link *link, struct err *err)
{
	struct backend *backend = backend_of(link);
	struct hosts_cache *cache;

	for (cache = backend->hosts; cache; cache = cache->next)
		if (is_same_list(&cache->files, &link->base.known_hosts))
			return &cache->hosts;
	cache = mem_alloc(sizeof(*cache));
	if (cache && load_hosts(cache, &link->base.known_hosts, err)) {
		cache->next = backend->hosts;
		backend->hosts = cache;
		return &cache->hosts;
	}
	if (!cache) {
		err_memory(err);
		return NULL;
	}
	known_hosts_release(&cache->hosts);
	strv_release(&cache->files);
	mem_free(cache);
	return NULL;
}

void link_prefer_known_host_keys(struct link *link)
{
	static const char *const all[] = {"ssh-ed25519",         "ecdsa-sha2-nistp256",
	                                  "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
	                                  "rsa-sha2-512",        "rsa-sha2-256"};
	_cleanup_strbuf_ struct strbuf order = STRBUF_INIT(4096);
	_cleanup_strv_ struct strv types = STRV_INIT;
	_cleanup_err_ struct err ignored = ERR_INIT;
	const struct known_hosts *hosts = hosts_get(link, &ignored);

	if (!hosts || !known_hosts_types(hosts, link->base.known_as, link->base.port, &types, &ignored))
		return; // the check itself will say so
	for (size_t turn = 0; turn < 2; turn++) {
		for (size_t i = 0; i < COUNT_OF(all); i++) {
			const char *key_type = strncmp(all[i], "rsa-", 4) ? all[i] : "ssh-rsa";

			if (strv_contains(&types, key_type) == !turn)
				strbuf_addf(&order, "%s%s", order.len ? "," : "", all[i]);
		}
	}
	if (!order.failed)
		link_set_methods(link, LIBSSH2_METHOD_HOSTKEY, strbuf_get(&order));
}

static bool ask(struct link *link, const struct known_hosts *hosts,
                const struct known_hosts_result *result, const void *key, size_t key_len,
                bool *ret_yes, struct err *err)
{
	const struct ssh_options *options = &link->base.ssh->options;
	_cleanup_strbuf_ struct strbuf fingerprint = STRBUF_INIT(64), type = STRBUF_INIT(64);
	size_t type_len = 0;
	const char *type_text = known_hosts_key_type(key, key_len, &type_len);
	struct ssh_host_key_question question = {
		.host = link->base.name,
		.known_as = link->base.known_as,
		.port = link->base.port,
		.file = hosts->files.count ? hosts->files.items[0] : "",
		.other_type = result->other_type ? result->other_type->type : NULL,
	};
	int64_t start = clock_system.monotonic_ms(NULL);
	bool is_ok;

	strbuf_add_n(&type, type_text, type_len);
	if (!known_hosts_add_fingerprint(&fingerprint, key, key_len, err) || !strbuf_ok(&type, err))
		return false;
	question.type = strbuf_get(&type);
	question.fingerprint = strbuf_get(&fingerprint);
	is_ok = options->ask_host_key(options->context, &question, ret_yes, err);
	loop_postpone(options->loop, clock_system.monotonic_ms(NULL) - start);
	return is_ok;
}

// Nobody can be asked, or the answer was no: refused as by "strict".
static bool refuse_unknown(const struct link *link, const struct known_hosts *hosts,
                           const void *key, size_t key_len, struct err *err)
{
	const struct host_key_rule strict = {.policy = HOST_KEY_STRICT};

	return host_key_judge(&strict, hosts, link->base.known_as, link->base.port, key, key_len,
	                      err) == HOST_KEY_ACCEPTED;
}

static bool settle_question(struct link *link, struct known_hosts *hosts, const void *key,
                            size_t key_len, struct err *err)
{
	struct known_hosts_result result;
	bool is_yes = false;

	if (!link->base.ssh->options.ask_host_key)
		return refuse_unknown(link, hosts, key, key_len, err);
	if (!known_hosts_check(hosts, link->base.known_as, link->base.port, key, key_len, &result,
	                       err) ||
	    !ask(link, hosts, &result, key, key_len, &is_yes, err))
		return false;
	return is_yes || refuse_unknown(link, hosts, key, key_len, err);
}

// A home folder that cannot be written does not keep anybody from working.
static void remember(struct link *link, struct known_hosts *hosts, const void *key, size_t key_len)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!known_hosts_add(hosts, link->base.known_as, link->base.port, key, key_len, &err))
		ssh_log(&link->base, "host key is not remembered: %s", err_message(&err));
	else
		ssh_log(&link->base, "host key is remembered in %s", hosts->files.items[0]);
}

bool link_check_host_key(struct link *link, struct err *err)
{
	size_t key_len = 0;
	int type = 0;
	const char *key = libssh2_session_hostkey(link->session, &key_len, &type);
	struct known_hosts *hosts = hosts_get(link, err);
	enum host_key_verdict verdict;

	if (!hosts)
		return false;
	if (!key || !key_len)
		return err_set(err, ERR_AUTH, "the server has shown no host key");
	verdict = host_key_judge(&link->base.host_key, hosts, link->base.known_as, link->base.port, key,
	                         key_len, err);
	if (verdict == HOST_KEY_QUESTION) {
		if (!settle_question(link, hosts, key, key_len, err))
			return false;
		verdict = HOST_KEY_NEW;
	}
	if (verdict == HOST_KEY_NEW)
		remember(link, hosts, key, key_len);
	return verdict != HOST_KEY_REFUSED;
}
