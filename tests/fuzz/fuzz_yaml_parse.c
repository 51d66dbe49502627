// SPDX-License-Identifier: MIT
// yaml/yaml: any text is read or refused with a place in it, and every value has one.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "yaml/yaml.h"

static void check_span(const struct yaml_span *span, size_t len)
{
	if (!span || !span->start.line || !span->start.column || span->end.offset > len ||
	    span->start.offset > span->end.offset)
		abort();
}

static void check_places(const struct yaml_document *document, const struct json *value, size_t len)
{
	check_span(yaml_value_span(document, value), len);
	check_span(yaml_key_span(document, value), len);
	for (const struct json *child = json_first(value); child; child = json_next(child))
		check_places(document, child, len);
}

static void check(const char *text, size_t len, const struct yaml_limits *limits)
{
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!yaml_parse("f", text, len, limits, &documents, &err)) {
		if (err.kind != ERR_USAGE || strncmp(err_message(&err), "f:", 2))
			abort();
		return;
	}
	for (size_t i = 0; i < documents.count; i++)
		check_places(&documents.items[i], documents.items[i].root, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	check((const char *)data, len, &yaml_limits_plain);
	check((const char *)data, len, &yaml_limits_aliases);
	return 0;
}
