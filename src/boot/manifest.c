// SPDX-License-Identifier: MIT
#include "boot/manifest.h"

#include <string.h>
#include <strings.h>

#include "base/digest.h"
#include "base/file.h"
#include "boot/upstream.h"
#include "yaml/yaml.h"

static const struct yaml_limits limits = {BOOT_MANIFEST_MAX_BYTES, 64, 1000000, true};

static const char *text_at(const struct json *tree, const char *path)
{
	const struct json *value = json_find(tree, path);

	return value ? json_string(value) : "";
}

// Those that others stand on.
static bool is_first(const struct json *object)
{
	const char *kind = text_at(object, "kind");

	return !strcmp(kind, "Namespace") || !strcmp(kind, "CustomResourceDefinition");
}

static bool check(const struct yaml_document *document, const struct json *object, struct err *err)
{
	static const char *const wanted[] = {"apiVersion", "kind", "metadata.name"};

	for (size_t i = 0; i < COUNT_OF(wanted); i++)
		if (json_type(object) != JSON_OBJECT || !*text_at(object, wanted[i]))
			return yaml_error_at(err, document, yaml_value_span(document, object),
			                     "is no object of Kubernetes: no %s", wanted[i]);
	return true;
}

static bool take(const struct yaml_document *document, const struct json *object, bool wants_first,
                 struct boot_objects *ret, struct err *err)
{
	struct json *copy;

	if (!check(document, object, err))
		return false;
	if (is_first(object) != wants_first)
		return true;
	copy = json_dup(object);
	return copy ? boot_objects_take(ret, NULL, copy, err) : err_memory(err);
}

static bool take_document(const struct yaml_document *document, bool wants_first,
                          struct boot_objects *ret, struct err *err)
{
	const struct json *items = json_find(document->root, "items");
	const char *kind = text_at(document->root, "kind");
	size_t len = strlen(kind);

	if (!items || len < 4 || strcmp(kind + len - 4, "List") != 0)
		return take(document, document->root, wants_first, ret, err);
	for (const struct json *item = json_first(items); item; item = json_next(item))
		if (!take(document, item, wants_first, ret, err))
			return false;
	return true;
}

bool boot_manifest_parse(const char *name, const char *text, size_t len, struct boot_objects *ret,
                         struct err *err)
{
	_cleanup_yaml_documents_ struct yaml_documents all = YAML_DOCUMENTS_INIT;

	if (!yaml_parse(name, text, len, &limits, &all, err))
		return false;
	if (!all.count)
		return err_set(err, ERR_USAGE, "%s: has no objects", name);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < all.count; i++)
			if (!take_document(&all.items[i], pass == 0, ret, err))
				return false;
	return true;
}

static bool check_sum(const char *name, const struct strbuf *text, const char *wanted,
                      struct err *err)
{
	_cleanup_strbuf_ struct strbuf hex = STRBUF_INIT(2 * DIGEST_SHA256_BYTES + 1);
	unsigned char digest[DIGEST_SHA256_BYTES];

	if (!wanted)
		return true;
	if (!digest_sha256(strbuf_get(text), text->len, digest, err))
		return false;
	digest_add_hex(&hex, digest, sizeof(digest));
	if (!strcasecmp(strbuf_get(&hex), wanted))
		return true;
	err_set(err, ERR_USAGE, "%s: its SHA-256 is %s, not %s", name, strbuf_get(&hex), wanted);
	return err_hint(err, "nothing of it was applied: look at what it is before sha256: is changed");
}

bool boot_manifest_load(const struct boot_network *network, boot_fetch_fn *fetch, void *context,
                        struct boot_objects *ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(BOOT_MANIFEST_MAX_BYTES);
	const char *path = network->manifest.path, *url = network->manifest.url;

	if (network->plugin != BOOT_PLUGIN_CALICO && network->plugin != BOOT_PLUGIN_FILE)
		return true;
	if (!path && !url)
		url = boot_upstream_calico_manifest;
	if (!path && !fetch(context, url, &text, err))
		return false;
	if (path && !file_read(path, &text, err))
		return false;
	return check_sum(path ? path : url, &text, network->sha256, err) &&
	       boot_manifest_parse(path ? path : url, strbuf_get(&text), text.len, ret, err);
}
