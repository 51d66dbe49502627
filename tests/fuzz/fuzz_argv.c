// SPDX-License-Identifier: MIT
// The whole way of `vpsml render`: arguments, divided by NUL, to YAML. Nothing is printed by a
// command that fails, and our own reader takes all YAML that is printed.
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/command.h"
#include "cli/offer.h"
#include "cmd/commands.h"
#include "yaml/yaml.h"

enum { ARGUMENTS_MAX = 64 };

static const struct yaml_limits limits = {
	.bytes = 64 * 1024 * 1024, .depth = JSON_MAX_DEPTH, .events = 1000000};

static char *look_up(const char *name)
{
	static char value[] = "from outside";

	return name[0] == 'A' ? value : NULL;
}

static void check_yaml(const char *text, size_t len)
{
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!yaml_parse("output", text, len, &limits, &documents, &err)) {
		fprintf(stderr, "%s\n%s", err_message(&err), text);
		abort();
	}
}

static void run(int argc, char *const *argv)
{
	struct cli_context context = {.getenv = look_up, .clock = &clock_system};
	_cleanup_err_ struct err err = ERR_INIT;
	char *out = NULL, *messages = NULL;
	size_t out_len, messages_len;
	bool is_ok;

	context.out = open_memstream(&out, &out_len);
	context.err = open_memstream(&messages, &messages_len);
	is_ok = cli_dispatch(&cmd_root, &context, argc, argv, &err);
	if (!is_ok)
		cli_show_error(&context, &err);
	fclose(context.out);
	fclose(context.err);
	if (is_ok ? !out_len : (out_len || !messages_len || err.kind == ERR_NONE))
		abort();
	if (is_ok && (!strncmp(out, "apiVersion:", 11) || !strncmp(out, "affinity:", 9)))
		check_yaml(out, out_len);
	cli_context_release(&context);
	free(out);
	free(messages);
}

// What a shell would ask about the same words while they are typed.
static void complete(int argc, char *const *argv)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(1024 * 1024);
	struct cli_place place;

	cli_place_find(&place, &cmd_root, argv, (size_t)argc);
	cli_offer(&out, &place);
	if (place.verb_count >= (size_t)argc || out.failed ||
	    cli_place_completion(&place) >= CLI_COMPLETE_COUNT)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_free_ char *text = mem_dup_n((const char *)data, len);
	char *argv[ARGUMENTS_MAX + 2] = {(char[]){"render"}};
	int argc = 1;

	for (size_t at = 0; at < len && argc <= ARGUMENTS_MAX; at += strlen(text + at) + 1) {
		// Files of this machine are not part of the input.
		if (strstr(text + at, "env-file"))
			return 0;
		argv[argc++] = text + at;
	}
	complete(argc, argv);
	run(argc, argv);
	return 0;
}
