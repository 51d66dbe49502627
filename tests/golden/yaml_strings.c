// SPDX-License-Identifier: MIT
// For roundtrip.py: `yaml_strings write` turns JSON on standard input into YAML on standard
// output, `yaml_strings read` turns YAML into JSON, a document a line.
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "yaml/yaml.h"

enum { TEXT_MAX_BYTES = 256 * 1024 * 1024 };

static const struct yaml_limits limits = {
	.bytes = TEXT_MAX_BYTES, .depth = JSON_MAX_DEPTH, .events = 10000000, .has_aliases = true};

static bool write_yaml(const struct strbuf *in, struct strbuf *out, struct err *err)
{
	_cleanup_json_ struct json *tree = json_parse(strbuf_get(in), in->len, err);

	return tree && yaml_write(out, tree, err);
}

static bool read_yaml(const struct strbuf *in, struct strbuf *out, struct err *err)
{
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;

	if (!yaml_parse("stdin", strbuf_get(in), in->len, &limits, &documents, err))
		return false;
	for (size_t i = 0; i < documents.count; i++) {
		json_write(out, documents.items[i].root);
		strbuf_add_char(out, '\n');
	}
	return strbuf_ok(out, err);
}

int main(int argc, char **argv)
{
	_cleanup_strbuf_ struct strbuf in = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;
	bool is_write = argc == 2 && !strcmp(argv[1], "write");

	if (!file_read("-", &in, &err) ||
	    !(is_write ? write_yaml(&in, &out, &err) : read_yaml(&in, &out, &err))) {
		fprintf(stderr, "%s\n", err_message(&err));
		return 1;
	}
	return fwrite(strbuf_get(&out), 1, out.len, stdout) != out.len;
}
