// SPDX-License-Identifier: MIT
// base/json: what is read can be written, and is then read as the same.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

enum { TEXT_MAX_BYTES = 64 * 1024 * 1024 };

static void write_both(const struct json *tree, struct strbuf *line, struct strbuf *pretty)
{
	json_write(line, tree);
	json_write_pretty(pretty, tree);
	if (line->failed || pretty->failed)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf pretty = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf again = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = json_parse((const char *)data, len, &err), *copy = NULL;

	if (!tree)
		return 0;
	write_both(tree, &line, &pretty);
	copy = json_parse(strbuf_get(&pretty), pretty.len, &err);
	if (!copy)
		abort();
	json_write(&again, copy);
	if (strcmp(strbuf_get(&line), strbuf_get(&again)))
		abort();
	return 0;
}
