// SPDX-License-Identifier: MIT
// vpsml render priority: the classes that vpsml sets up, or one of the user's own.
#include "cmd/commands.h"

#include "base/mem.h"
#include "cmd/objects.h"
#include "kube/priority.h"

enum { VALUE_UNSET = INT32_MIN };

struct priority_options {
	int64_t value; // VALUE_UNSET: not given
	bool preempts;
	char *description;
	enum cli_format format;
};

static const struct cli_option rows[] = {
	{.name = "value",
     .kind = CLI_INT,
     .min = KUBE_PRIORITY_MIN,
     .max = KUBE_PRIORITY_MAX,
     .offset = offsetof(struct priority_options, value),
     .metavar = "N",
     .help = "higher goes first; at most 1000000000, and 0 is what pods without a class have"},
	{.name = "preempt",
     .kind = CLI_FLAG,
     .offset = offsetof(struct priority_options, preempts),
     .help = "evict pods of lower classes (default: only go first)"},
	{.name = "description",
     .kind = CLI_STRING,
     .offset = offsetof(struct priority_options, description),
     .metavar = "TEXT",
     .help = "what the class is for"},
};
static const struct cli_group group = {"Class", rows, COUNT_OF(rows)};

static void init(void *data)
{
	struct priority_options *options = data;

	options->value = VALUE_UNSET;
	options->format = CLI_FORMAT_YAML;
}

static void release(void *data)
{
	struct priority_options *options = data;

	mem_free(options->description);
}

static struct kube_priority from_options(const struct cli_context *context,
                                         const struct priority_options *options)
{
	return (struct kube_priority){context->words.items[0], options->value, options->preempts,
	                              options->description};
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct priority_options *options = data;
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_priority priority;

	if (!context->words.count) {
		if (options->value != VALUE_UNSET || options->preempts || options->description)
			faults_add(faults, "no name for the class: vpsml render priority NAME --value N");
		return;
	}
	priority = from_options(context, options);
	if (!kube_priority_check(&priority, &err))
		faults_take(faults, &err);
	if (options->value == VALUE_UNSET && !faults_has(faults, "--value"))
		faults_add(faults, "--value: missing");
}

static bool show_defaults(struct cli_context *context, enum cli_format format, struct err *err)
{
	struct json *objects[8] = {NULL};
	size_t count = 0;
	bool is_ok = true;

	for (; is_ok && count < kube_priority_default_count; count++) {
		objects[count] = kube_priority_build(&kube_priority_defaults[count], err);
		is_ok = objects[count];
	}
	is_ok =
		is_ok && cmd_show_objects(context, (const struct json *const *)objects, count, format, err);
	for (size_t i = 0; i < count; i++)
		json_free(objects[i]);
	return is_ok;
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct priority_options *options = data;
	_cleanup_json_ struct json *tree = NULL;
	const struct json *objects[1];
	struct kube_priority priority;

	if (!context->words.count)
		return show_defaults(context, options->format, err);
	priority = from_options(context, options);
	tree = kube_priority_build(&priority, err);
	objects[0] = tree;
	return tree && cmd_show_objects(context, objects, 1, options->format, err);
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_object_output_group, offsetof(struct priority_options, format)},
};

static const struct cli_example examples[] = {
	{"the four classes that vpsml uses", "vpsml render priority"},
	{"one of your own", "vpsml render priority nightly --value 500"},
};

const struct cli_command cmd_render_priority = {
	.name = "priority",
	.section = "Parts",
	.args = "[NAME]",
	.summary = "priority classes: ours, or one of your own",
	.about = "Writes the PriorityClasses that vpsml sets up, or one with the given name and value.",
	.page = "vpsml-render",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_max = 1,
	.options_size = sizeof(struct priority_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
