// SPDX-License-Identifier: MIT
#include "cmd/hpa_options.h"

#include "base/mem.h"

static bool parse_cpu(struct cli_context *context, const char *text, void *field, struct err *err)
{
	(void)context;
	return kube_hpa_parse_cpu(text, field, err);
}

static bool parse_memory(struct cli_context *context, const char *text, void *field,
                         struct err *err)
{
	(void)context;
	return kube_hpa_parse_memory(text, field, err);
}

static const struct cli_option rows[] = {
	{.name = "name",
     .kind = CLI_STRING,
     .offset = offsetof(struct kube_hpa, name),
     .metavar = "NAME",
     .help = "the autoscaler's name (default: its target's)"},
	{.name = "min",
     .kind = CLI_INT,
     .min = 1,
     .max = INT32_MAX,
     .offset = offsetof(struct kube_hpa, min_replicas),
     .metavar = "N",
     .help = "replicas at least (default: 1)"},
	{.name = "max",
     .kind = CLI_INT,
     .min = 1,
     .max = INT32_MAX,
     .offset = offsetof(struct kube_hpa, max_replicas),
     .metavar = "N",
     .help = "replicas at most (required)"},
	{.name = "cpu-target",
     .kind = CLI_VALUE,
     .offset = offsetof(struct kube_hpa, cpu),
     .metavar = "TARGET",
     .parse = parse_cpu,
     .help = "CPU use to keep to: 50% of the request, or 500m a pod"},
	{.name = "memory-target",
     .kind = CLI_VALUE,
     .offset = offsetof(struct kube_hpa, memory),
     .metavar = "TARGET",
     .parse = parse_memory,
     .help = "memory use to keep to: 80% of the request, or 200Mi a pod"},
};
const struct cli_group cmd_hpa_group = {"Autoscaler", rows, COUNT_OF(rows)};

bool cmd_hpa_take_target(const struct cli_context *context, struct kube_hpa *hpa, struct err *err)
{
	const struct strv *words = &context->words;
	_cleanup_strbuf_ struct strbuf target = STRBUF_INIT(4096);

	if (!words->count)
		return true;
	strbuf_add(&target, words->items[0]);
	if (words->count > 1)
		strbuf_addf(&target, "/%s", words->items[1]);
	return strbuf_ok(&target, err) && kube_hpa_parse_target(hpa, strbuf_get(&target), err);
}
