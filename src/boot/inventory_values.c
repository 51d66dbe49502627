// SPDX-License-Identifier: MIT
// Values of cluster.yaml that have rules of their own.
#include "boot/inventory_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kube/image.h"
#include "kube/name.h"
#include "ssh/place.h"

enum { PATH_MAX_BYTES = 4096, URL_MAX_BYTES = 2048 };

static bool is_printable(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text == 0x7f || strchr("\"'\\`$<>", *text))
			return false;
	return true;
}

// A URL goes into files on hosts, where a blank or a quote would mean something.
static bool is_url(const char *text)
{
	size_t scheme = !strncmp(text, "http://", 7) ? 7 : !strncmp(text, "https://", 8) ? 8 : 0;

	return scheme && text[scheme] && text[scheme] != '/' && strlen(text) <= URL_MAX_BYTES &&
	       is_printable(text);
}

static void set_url(struct boot_reader *reader, const struct json *value, const char *name,
                    const char *text, char **field)
{
	if (!is_url(text)) {
		boot_fault(reader, value, "%s: \"%s\" is not a URL: it starts with https:// or http://",
		           name, text);
		return;
	}
	boot_set_text(reader, field, text);
	for (size_t len = *field ? strlen(*field) : 0; len && (*field)[len - 1] == '/'; len--)
		(*field)[len - 1] = '\0';
}

void boot_read_url(struct boot_reader *reader, const struct json *value, const struct boot_key *key,
                   void *field)
{
	const char *text = boot_text(reader, value);

	if (text)
		set_url(reader, value, key->name, text, field);
}

void boot_read_mirror(struct boot_reader *reader, const struct json *value,
                      const struct boot_key *key, void *field)
{
	const char *text = boot_text(reader, value);

	if (text && !strcmp(text, "none"))
		boot_set_text(reader, field, text);
	else if (text)
		set_url(reader, value, key->name, text, field);
}

// apt, containerd and kubelet all speak to HTTP proxies, and to no others.
void boot_read_proxy(struct boot_reader *reader, const struct json *value,
                     const struct boot_key *key, void *field)
{
	const char *text = boot_text(reader, value);

	if (text && !strncmp(text, "socks", 5))
		boot_fault(reader, value, "%s: apt and containerd need an HTTP proxy, not SOCKS",
		           key->name);
	else if (text)
		set_url(reader, value, key->name, text, field);
}

static void set_path(struct boot_reader *reader, const struct json *value, const char *text,
                     char **field)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;
	const char *home = getenv("HOME");

	if (!strncmp(text, "~/", 2) && home)
		strbuf_addf(&path, "%s%s", home, text + 1);
	else if (*text == '/' || !strcmp(reader->folder, "."))
		strbuf_add(&path, text);
	else
		strbuf_addf(&path, "%s/%s", reader->folder, text);
	if (strbuf_ok(&path, &err))
		boot_set_text(reader, field, strbuf_get(&path));
	else
		boot_fault_take(reader, value, &err);
}

void boot_read_path(struct boot_reader *reader, const struct json *value,
                    const struct boot_key *key, void *field)
{
	const char *text = boot_text(reader, value);

	(void)key;
	if (text)
		set_path(reader, value, text, field);
}

void boot_read_source(struct boot_reader *reader, const struct json *value,
                      const struct boot_key *key, void *field)
{
	struct boot_source *source = field;
	const char *text = boot_text(reader, value);

	if (text && strstr(text, "://"))
		set_url(reader, value, key->name, text, &source->url);
	else if (text)
		set_path(reader, value, text, &source->path);
}

void boot_read_image(struct boot_reader *reader, const struct json *value,
                     const struct boot_key *key, void *field)
{
	const char *text = boot_text(reader, value);
	_cleanup_err_ struct err err = ERR_INIT;

	if (!text)
		return;
	if (kube_image_check(text, &err)) {
		boot_set_text(reader, field, text);
		return;
	}
	err_wrap(&err, "%s", key->name);
	boot_fault_take(reader, value, &err);
}

// HOST[:PORT][/PATH], in front of an image's name.
void boot_read_registry(struct boot_reader *reader, const struct json *value,
                        const struct boot_key *key, void *field)
{
	const char *text = boot_text(reader, value);

	if (!text)
		return;
	if (strstr(text, "://") || !is_printable(text) || text[strlen(text) - 1] == '/')
		boot_fault(reader, value, "%s: \"%s\" is not HOST[:PORT][/PATH]", key->name, text);
	else
		boot_set_text(reader, field, text);
}

void boot_read_sha256(struct boot_reader *reader, const struct json *value,
                      const struct boot_key *key, void *field)
{
	const char *text = boot_text(reader, value);

	if (!text)
		return;
	if (strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64)
		boot_set_text(reader, field, text);
	else
		boot_fault(reader, value, "%s: takes 64 hex digits in small letters", key->name);
}

void boot_read_version(struct boot_reader *reader, const struct json *value,
                       const struct boot_key *key, void *field)
{
	_cleanup_err_ struct err err = ERR_INIT;

	// `kubernetes: 1.34` is a number to YAML.
	if (json_type(value) == JSON_NUMBER)
		boot_fault(reader, value, "%s: takes an exact version, such as v1.34.4", key->name);
	else if (boot_text(reader, value) && !boot_version_parse(json_string(value), field, &err))
		boot_fault_take(reader, value, &err);
}

void boot_read_cidr(struct boot_reader *reader, const struct json *value,
                    const struct boot_key *key, void *field)
{
	const char *text = boot_text(reader, value);
	_cleanup_err_ struct err err = ERR_INIT;

	if (text && strchr(text, ','))
		boot_fault(reader, value, "%s: takes one network; two families at once are not done",
		           key->name);
	else if (text && !boot_cidr_parse(text, field, &err))
		boot_fault_take(reader, value, &err);
}

void boot_read_ip(struct boot_reader *reader, const struct json *value, const struct boot_key *key,
                  void *field)
{
	const char *text = boot_text(reader, value);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)key;
	if (text && !boot_ip_parse(text, field, &err))
		boot_fault_take(reader, value, &err);
}

void boot_read_port(struct boot_reader *reader, const struct json *value,
                    const struct boot_key *key, void *field)
{
	double port = json_number(value);

	if (json_type(value) != JSON_NUMBER || port < 1 || port > 65535 || port != (double)(int)port)
		boot_fault(reader, value, "%s: takes a number from 1 to 65535", key->name);
	else
		*(uint16_t *)field = (uint16_t)port;
}

static void add_pair(struct boot_reader *reader, struct boot_pairs *pairs, const char *key,
                     const char *value)
{
	struct boot_pair pair = {mem_dup(key), mem_dup(value)};

	if (pair.key && pair.value && mem_append(&pairs->items, &pairs->count, &pair, sizeof(pair)))
		return;
	mem_free(pair.key);
	mem_free(pair.value);
	reader->faults.is_out_of_memory = true;
}

void boot_read_pairs(struct boot_reader *reader, const struct json *value,
                     const struct boot_key *key, void *field)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (json_type(value) != JSON_OBJECT) {
		boot_fault(reader, value, "%s: takes a map", key->name);
		return;
	}
	for (const struct json *item = json_first(value); item; item = json_next(item)) {
		bool is_empty = json_type(item) == JSON_STRING && !*json_string(item);
		const char *text = is_empty ? "" : boot_text(reader, item);

		if (!text)
			continue;
		if (kube_name_check_key(json_name(item), &err) && kube_name_check_label_value(text, &err))
			add_pair(reader, field, json_name(item), text);
		else
			boot_fault(reader, item, "%s", err_message(&err));
		boot_note_memory(reader, &err);
		err_clear(&err);
	}
}

void boot_read_host_key(struct boot_reader *reader, const struct json *value,
                        const struct boot_key *key, void *field)
{
	struct boot_ssh *ssh = field;
	const char *text = boot_text(reader, value);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)key;
	if (!text)
		return;
	ssh->has_host_key = host_key_rule_parse(text, &ssh->host_key, &err);
	if (!ssh->has_host_key)
		boot_fault_take(reader, value, &err);
}

void boot_read_name(struct boot_reader *reader, const struct json *value,
                    const struct boot_key *key, void *field)
{
	const char *text = boot_text(reader, value);

	if (!text)
		return;
	if (*text == '-' || strchr(text, '@') || !is_printable(text))
		boot_fault(reader, value, "%s: \"%s\" is not a name", key->name, text);
	else
		boot_set_text(reader, field, text);
}

void boot_read_jump(struct boot_reader *reader, const struct json *value,
                    const struct boot_key *key, void *field)
{
	_cleanup_ssh_address_ struct ssh_address address = {0};
	const char *text = boot_text(reader, value);
	_cleanup_err_ struct err err = ERR_INIT;

	if (!text)
		return;
	if (ssh_address_parse(text, &address, &err)) {
		boot_set_text(reader, field, text);
		return;
	}
	err_wrap(&err, "%s", key->name);
	boot_fault_take(reader, value, &err);
}
