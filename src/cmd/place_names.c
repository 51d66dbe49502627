// SPDX-License-Identifier: MIT
#include "cmd/place_names.h"

#include <string.h>

#include "base/mem.h"
#include "cli/parse_args.h"
#include "cmd/cluster.h"
#include "kube/kubeconfig.h"
#include "kube/names.h"

enum {
	NAMES_MAX_COUNT = 200,
	LIMIT_MS = 2000,
	PROGRAM_LIMIT_MS = 1500, // of a credential program; some of the two seconds must be left
	PAGES_LIMIT_MS = 200,
	PATH_MAX_BYTES = 4096,
};

struct found {
	const struct cli_place *place;
	struct strv *names;
	bool *has_more;
};

static bool take_cluster_options(const struct cli_command *command, char *options,
                                 struct cmd_cluster_options *ret)
{
	for (size_t i = 0; i < command->group_count; i++) {
		struct cmd_cluster_options *found;

		if (command->groups[i].group != &cmd_cluster_group)
			continue;
		found = (struct cmd_cluster_options *)(void *)(options + command->groups[i].offset);
		*ret = *found;
		*found = (struct cmd_cluster_options){NULL};
		return true;
	}
	return false;
}

// What the shell would do once the line is finished.
static bool expand_home(const struct cli_context *context, char **path, struct err *err)
{
	_cleanup_strbuf_ struct strbuf full = STRBUF_INIT(PATH_MAX_BYTES);
	const char *home = cli_getenv(context, "HOME");

	if (!*path || strncmp(*path, "~/", 2) != 0 || !home)
		return true;
	strbuf_addf(&full, "%s%s", home, *path + 1);
	mem_free(*path);
	*path = strbuf_take(&full, err);
	return *path != NULL;
}

// Reads the words as the command itself would; their faults are nobody's business yet.
static bool read_cluster_options(const struct cli_context *context, const struct cli_place *place,
                                 struct cmd_cluster_options *ret, struct err *err)
{
	const struct cli_command *command = place->command;
	struct cli_context inner = {.out = context->out,
	                            .err = context->err,
	                            .getenv = context->getenv,
	                            .clock = context->clock};
	_cleanup_free_ char *options = mem_alloc(command->options_size);
	_cleanup_faults_ struct faults ignored = FAULTS_INIT;
	size_t count = context->command.count - 1 - place->verb_count;
	bool is_found;

	if (!options)
		return err_memory(err);
	if (command->init)
		command->init(options);
	cli_parse_args(command, options, &inner, (int)count, context->command.items + place->verb_count,
	               &ignored);
	is_found = take_cluster_options(command, options, ret);
	if (command->release)
		command->release(options);
	cli_context_release(&inner);
	if (!is_found)
		return err_set(err, ERR_FAILED, "the command needs no cluster");
	return expand_home(context, &ret->kubeconfig, err);
}

// Names

static const struct kube_collection *collection_of(enum cli_completion completion)
{
	switch (completion) {
	case CLI_COMPLETE_JOB:
		return &kube_jobs;
	case CLI_COMPLETE_NODE:
		return &kube_nodes;
	case CLI_COMPLETE_NAMESPACE:
		return &kube_namespaces;
	case CLI_COMPLETE_CLASS:
		return &kube_priority_classes;
	default:
		return NULL;
	}
}

static bool ask_server(struct cli_context *context, struct cmd_cluster_options *options,
                       const struct kube_collection *collection, struct found *found,
                       struct err *err)
{
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster = NULL;
	struct kube_names_query query = {.collection = collection,
	                                 .prefix = found->place->typed,
	                                 .max_count = NAMES_MAX_COUNT,
	                                 .page_limit_ms = PAGES_LIMIT_MS,
	                                 .limit_ms = LIMIT_MS};

	options->program_limit_ms = PROGRAM_LIMIT_MS;
	cluster = cmd_cluster_open(context, options, err);
	if (!cluster)
		return false;
	query.namespace = collection->is_cluster_wide ? NULL : cmd_cluster_namespace(cluster);
	return kube_names_search(cmd_cluster_client(cluster), &query, found->names, found->has_more,
	                         err);
}

static bool read_contexts(const struct cli_context *context,
                          const struct cmd_cluster_options *options, struct found *found,
                          struct err *err)
{
	_cleanup_kube_config_ struct kube_config config = KUBE_CONFIG_INIT;
	_cleanup_faults_ struct faults ignored = FAULTS_INIT;
	const char *typed = found->place->typed;

	if (!kube_config_load(&config, options->kubeconfig, context->getenv, &ignored, err))
		return false;
	for (size_t i = 0; i < config.context_count; i++) {
		if (strncmp(config.contexts[i].name, typed, strlen(typed)) != 0)
			continue;
		*found->has_more = found->names->count >= NAMES_MAX_COUNT;
		if (*found->has_more)
			break;
		if (!strv_add(found->names, config.contexts[i].name, err))
			return false;
	}
	return true;
}

bool cmd_place_names(struct cli_context *context, const struct cli_place *place, struct strv *names,
                     bool *ret_has_more, struct err *err)
{
	struct cmd_cluster_options options = {NULL};
	enum cli_completion completion = cli_place_completion(place);
	const struct kube_collection *collection = collection_of(completion);
	struct found found = {place, names, ret_has_more};
	bool is_ok;

	if (!collection && completion != CLI_COMPLETE_CONTEXT)
		return true;
	is_ok = read_cluster_options(context, place, &options, err) &&
	        (collection ? ask_server(context, &options, collection, &found, err)
	                    : read_contexts(context, &options, &found, err));
	cmd_cluster_options_release(&options);
	return is_ok;
}
