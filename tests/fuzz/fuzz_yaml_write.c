// SPDX-License-Identifier: MIT
// yaml/yaml: what is written is read back as it was. The input is JSON, or else one string that
// stands in several places.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "base/text.h"
#include "yaml/yaml.h"

enum { TEXT_MAX_BYTES = 64 * 1024 * 1024, INPUT_MAX_BYTES = 100000 };

static const struct yaml_limits limits = {
	.bytes = TEXT_MAX_BYTES, .depth = JSON_MAX_DEPTH, .events = 10000000, .has_aliases = true};

// Names that come twice in an object are legal JSON, and refused in YAML.
static bool has_duplicates(const struct json *value)
{
	for (const struct json *a = json_first(value); a; a = json_next(a)) {
		if (has_duplicates(a))
			return true;
		for (const struct json *b = json_next(a); b && json_name(a); b = json_next(b))
			if (!strcmp(json_name(a), json_name(b)))
				return true;
	}
	return false;
}

static void check(const struct json *tree)
{
	_cleanup_strbuf_ struct strbuf before = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf after = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf yaml = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_yaml_document_ struct yaml_document document = YAML_DOCUMENT_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!yaml_write(&yaml, tree, &err) ||
	    !yaml_parse_one("f", strbuf_get(&yaml), yaml.len, &limits, &document, &err))
		abort();
	json_write(&before, tree);
	json_write(&after, document.root);
	if (strcmp(strbuf_get(&before), strbuf_get(&after)))
		abort();
}

static void put_everywhere(struct json_build *b, const char *text)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "value", text);
	json_put_string(b, text, text);
	json_build_open_array(b, "list");
	json_put_string(b, NULL, text);
	json_build_open_array(b, NULL);
	json_put_string(b, NULL, text);
	json_build_close(b);
	json_build_open_object(b, NULL);
	json_build_open_array(b, text);
	json_put_string(b, NULL, text);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

static void check_string(const char *text)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;
	_cleanup_err_ struct err err = ERR_INIT;

	put_everywhere(&b, text);
	tree = json_build_take(&b, &err);
	if (!tree)
		abort();
	if (!has_duplicates(tree)) // TEXT is not "value" or "list"
		check(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_free_ char *text = mem_dup_n((const char *)data, len);
	_cleanup_json_ struct json *tree = NULL;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!text_is_utf8(text, len) || len > INPUT_MAX_BYTES)
		return 0;
	tree = json_parse(text, len, &err);
	if (!tree)
		check_string(text);
	else if (!has_duplicates(tree))
		check(tree);
	return 0;
}
