// SPDX-License-Identifier: MIT
#include "cmd/plan_cluster.h"

#include "base/mem.h"
#include "boot/api.h"
#include "boot/finish.h"
#include "cmd/cluster_access.h"
#include "cmd/fetch_url.h"

static void on_say(void *data, const char *what)
{
	struct cmd_plan *plan = data;
	struct boot_cluster_step step = {"apply", mem_dup(what)};

	if (step.title && mem_append(&plan->cluster.items, &plan->cluster.count, &step, sizeof(step)))
		return;
	mem_free(step.title);
	plan->faults.is_out_of_memory = true;
}

// The hosts that are nodes already.
static bool *find_joined(const struct cmd_plan *plan, struct err *err)
{
	bool *joined = mem_alloc(plan->inventory.host_count + 1);
	const char *server;

	if (!joined)
		err_memory(err);
	for (size_t i = 0; joined && i < plan->inventory.host_count; i++)
		joined[i] = plan->facts[i] && cmd_plan_membership(plan, i, &server) == BOOT_MEMBER;
	return joined;
}

static bool ask(struct cli_context *context, struct cmd_plan *plan, const bool *joined,
                struct err *err)
{
	_cleanup_secret_ struct secret admin_conf = {0};
	_cleanup_boot_api_ struct boot_api *api =
		cmd_access_open(context, plan->hosts, &plan->inventory, &admin_conf, err);
	struct boot_finish finish = {
		.loop = cmd_hosts_loop(plan->hosts),
		.inventory = &plan->inventory,
		.facts = plan->facts,
		.joined = joined,
		.fetch = cmd_fetch_url,
		.fetch_context = context,
		.is_dry_run = true,
		.say = on_say,
		.context = plan,
	};

	if (!api)
		return false;
	finish.client = boot_api_client(api);
	return boot_finish_network(&finish, err) && boot_finish_rest(&finish, &plan->faults, err);
}

bool cmd_plan_ask_cluster(struct cli_context *context, struct cmd_plan *plan, struct err *err)
{
	_cleanup_free_ bool *joined = find_joined(plan, err);
	_cleanup_err_ struct err failure = ERR_INIT;

	if (!joined)
		return false;
	if (ask(context, plan, joined, &failure))
		return true;
	if (failure.kind == ERR_MEMORY)
		return err_copy(err, &failure);
	faults_warn(&plan->faults, "the cluster was not asked what would change in it: %s",
	            err_message(&failure));
	return true;
}
