// SPDX-License-Identifier: MIT
#include "cmd/plan_cluster.h"

#include "base/mem.h"
#include "boot/api.h"
#include "boot/finish.h"
#include "boot/run.h"
#include "cmd/fetch_url.h"

enum { API_PORT = 6443 };

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

// Through the connection to the first control plane, with what lies there.
static struct boot_api *open_api(struct cli_context *context, const struct cmd_plan *plan,
                                 struct err *err)
{
	const struct boot_inventory *inventory = &plan->inventory;
	size_t first = boot_inventory_first(inventory);
	struct loop *loop = cmd_hosts_loop(plan->hosts);
	struct ssh_link *link = cmd_hosts_link(plan->hosts, first);
	uint16_t port = inventory->endpoint ? API_PORT : inventory->endpoint_port;
	_cleanup_secret_ struct secret admin_conf = {0};
	_cleanup_strbuf_ struct strbuf address = STRBUF_INIT(64);

	boot_ip_write(&address, &inventory->hosts[first].node_ip);
	if (!boot_fetch_file(loop, link, "/etc/kubernetes/admin.conf", &admin_conf, err))
		return NULL;
	return boot_api_open(loop, link, strbuf_get(&address), port, admin_conf.data, context->clock,
	                     context->getenv, err);
}

static bool ask(struct cli_context *context, struct cmd_plan *plan, const bool *joined,
                struct err *err)
{
	_cleanup_boot_api_ struct boot_api *api = open_api(context, plan, err);
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
