// SPDX-License-Identifier: MIT
#include "cmd/objects.h"

#include <string.h>

#include "base/json_build.h"
#include "base/parse.h"
#include "yaml/yaml.h"

enum { SHOWN_MAX_BYTES = 64 * 1024 * 1024 };

static const char *const object_words[] = {"yaml", "json", "name", NULL};
static const char *const tree_words[] = {"yaml", "json", NULL};

// Any format of cli_parse_format, as long as it is one of WORDS.
static bool parse_one_of(const char *const *words, struct cli_context *context, const char *text,
                         void *field, struct err *err)
{
	size_t index;

	return parse_word(text, words, &index, err) && cli_parse_format(context, text, field, err);
}

static bool parse_object_format(struct cli_context *context, const char *text, void *field,
                                struct err *err)
{
	return parse_one_of(object_words, context, text, field, err);
}

static bool parse_tree_format(struct cli_context *context, const char *text, void *field,
                              struct err *err)
{
	return parse_one_of(tree_words, context, text, field, err);
}

static const struct cli_option object_output[] = {
	{.name = "output",
     .letter = 'o',
     .kind = CLI_VALUE,
     .metavar = "FORMAT",
     .words = object_words,
     .parse = parse_object_format,
     .help = "yaml, json or name (default: yaml)"},
};
static const struct cli_option tree_output[] = {
	{.name = "output",
     .letter = 'o',
     .kind = CLI_VALUE,
     .metavar = "FORMAT",
     .words = tree_words,
     .parse = parse_tree_format,
     .help = "yaml or json (default: yaml)"},
};
static const struct cli_option made_output[] = {
	{.name = "output",
     .letter = 'o',
     .kind = CLI_VALUE,
     .metavar = "FORMAT",
     .words = object_words,
     .parse = parse_object_format,
     .help = "yaml, json or name: show the object so (default: say what was made)"},
};
const struct cli_group cmd_made_output_group = {"Output", made_output, COUNT_OF(made_output)};
const struct cli_group cmd_object_output_group = {"Output", object_output, COUNT_OF(object_output)};
const struct cli_group cmd_tree_output_group = {"Output", tree_output, COUNT_OF(tree_output)};

static bool write_yaml(struct strbuf *out, const struct json *const *objects, size_t count,
                       struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			strbuf_add(out, "---\n");
		if (!yaml_write(out, objects[i], err))
			return false;
	}
	return true;
}

// Several objects are one List, which kubectl takes too.
static bool write_json(struct strbuf *out, const struct json *const *objects, size_t count,
                       struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *list = NULL;

	if (count == 1) {
		json_write_pretty(out, objects[0]);
		return true;
	}
	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "v1");
	json_put_string(&b, "kind", "List");
	json_build_open_array(&b, "items");
	for (size_t i = 0; i < count; i++)
		json_put_tree(&b, NULL, json_dup(objects[i]));
	json_build_close(&b);
	json_build_close(&b);
	list = json_build_take(&b, err);
	if (list)
		json_write_pretty(out, list);
	return list;
}

static void write_lower(struct strbuf *out, const char *word)
{
	for (; *word; word++)
		strbuf_add_char(out, *word >= 'A' && *word <= 'Z' ? (char)(*word - 'A' + 'a') : *word);
}

// job.batch/NAME, as kubectl names an object: kind, group of its API, name.
static bool write_names(struct strbuf *out, const struct json *const *objects, size_t count,
                        struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		const char *kind, *version, *name;
		size_t group;

		if (!json_get_string(objects[i], "kind", &kind, err) ||
		    !json_get_string(objects[i], "apiVersion", &version, err) ||
		    !json_get_string(objects[i], "metadata.name", &name, err))
			return false;
		write_lower(out, kind);
		group = strcspn(version, "/");
		if (version[group])
			strbuf_addf(out, ".%.*s", (int)group, version);
		strbuf_addf(out, "/%s\n", name);
	}
	return true;
}

bool cmd_show_objects(struct cli_context *context, const struct json *const *objects, size_t count,
                      enum cli_format format, struct err *err)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(SHOWN_MAX_BYTES);
	bool is_ok = true;

	if (format == CLI_FORMAT_YAML)
		is_ok = write_yaml(&out, objects, count, err);
	else if (format == CLI_FORMAT_JSON)
		is_ok = write_json(&out, objects, count, err);
	else
		is_ok = write_names(&out, objects, count, err);
	return is_ok && cli_write_out(context, &out, err);
}

bool cmd_show_tree(struct cli_context *context, const struct json *tree, enum cli_format format,
                   struct err *err)
{
	return cmd_show_objects(context, &tree, 1, format, err);
}

void cmd_write_made(struct strbuf *out, const struct cli_context *context,
                    const struct kube_collection *collection, const char *name, bool is_dry_run)
{
	const char *group_version = collection->group_version;
	size_t group_len = strcspn(group_version, "/");
	bool has_group = group_version[group_len];

	if (context->general.is_quiet) {
		strbuf_addf(out, "%s\n", name);
		return;
	}
	write_lower(out, collection->kind);
	strbuf_addf(out, "%s%.*s/%s %s\n", has_group ? "." : "", has_group ? (int)group_len : 0,
	            group_version, name, is_dry_run ? "would be created (server dry run)" : "created");
}
