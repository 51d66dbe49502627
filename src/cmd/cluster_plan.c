// SPDX-License-Identifier: MIT
#include "cmd/cluster_plan.h"

#include "base/mem.h"

static bool reserve(struct cmd_plan *plan, struct err *err)
{
	size_t count = plan->inventory.host_count + 1;

	plan->gathered = mem_alloc(count * sizeof(*plan->gathered));
	plan->facts = mem_alloc(count * sizeof(*plan->facts));
	plan->steps = mem_alloc(count * sizeof(*plan->steps));
	return (plan->gathered && plan->facts && plan->steps) || err_memory(err);
}

static bool ask(struct cli_context *context, const struct cmd_file_options *file,
                const struct cmd_hosts_options *ssh, struct cmd_plan *plan, struct err *err)
{
	plan->hosts = cmd_hosts_open_inventory(context, ssh, &plan->inventory, err);
	if (!plan->hosts ||
	    !cmd_file_gather(context, plan->hosts, &plan->inventory, plan->gathered, err))
		return false;
	for (size_t i = 0; i < plan->inventory.host_count; i++) {
		plan->gathered[i].is_left_alone = !cmd_file_wants(file, &plan->inventory.hosts[i]);
		plan->facts[i] = plan->gathered[i].is_known ? &plan->gathered[i].facts : NULL;
	}
	return true;
}

// Steps of hosts that have a fault are not asked for: they would be wrong.
static bool make_steps(struct cmd_plan *plan, const struct boot_texts *texts, struct err *err)
{
	for (size_t i = 0; i < plan->inventory.host_count; i++) {
		_cleanup_err_ struct err failure = ERR_INIT;
		const char *server;

		if (!plan->facts[i] || cmd_plan_membership(plan, i, &server) == BOOT_FOREIGN)
			continue;
		if (boot_steps_for_host(&plan->inventory, i, plan->facts[i], texts, NULL, &plan->steps[i],
		                        &failure))
			continue;
		err_wrap(&failure, "%s", plan->inventory.hosts[i].name);
		faults_take(&plan->faults, &failure);
	}
	return cmd_plan_has_cluster(plan) ||
	       boot_cluster_steps(&plan->inventory, plan->facts, &plan->cluster, err);
}

static bool fill(struct cli_context *context, const struct cmd_file_options *file,
                 const struct cmd_hosts_options *ssh, struct cmd_plan *plan, struct err *err)
{
	_cleanup_boot_texts_ struct boot_texts texts = {NULL};

	if (!cmd_file_load(context, file, &plan->inventory, err) || !reserve(plan, err) ||
	    !boot_texts_load(&plan->inventory, &texts, err) || !ask(context, file, ssh, plan, err))
		return false;
	boot_gather_check(&plan->inventory, plan->gathered, &plan->faults);
	return make_steps(plan, &texts, err);
}

bool cmd_plan_make(struct cli_context *context, const struct cmd_file_options *file,
                   const struct cmd_hosts_options *ssh, struct cmd_plan *ret, struct err *err)
{
	*ret = (struct cmd_plan){.faults = FAULTS_INIT};
	if (fill(context, file, ssh, ret, err))
		return true;
	cmd_plan_release(ret);
	return false;
}

static const struct boot_facts *first_facts(const struct cmd_plan *plan)
{
	return plan->facts[boot_inventory_first(&plan->inventory)];
}

enum boot_membership cmd_plan_membership(const struct cmd_plan *plan, size_t index,
                                         const char **ret_server)
{
	const struct boot_facts *first = first_facts(plan);
	const char *name = plan->inventory.name, *pin = NULL;

	if (first && boot_facts_membership(first, name, NULL, ret_server) != BOOT_FOREIGN)
		pin = first->ca_pin;
	*ret_server = NULL;
	if (!plan->facts[index])
		return BOOT_CLEAN;
	return boot_facts_membership(plan->facts[index], name, pin, ret_server);
}

bool cmd_plan_has_cluster(const struct cmd_plan *plan)
{
	const char *server;

	return first_facts(plan) && boot_facts_membership(first_facts(plan), plan->inventory.name, NULL,
	                                                  &server) == BOOT_MEMBER;
}

const char *cmd_plan_role(const struct boot_host *host)
{
	if (host->is_control_plane)
		return host->is_worker ? "control-plane+worker" : "control-plane";
	return "worker";
}

void cmd_plan_release(struct cmd_plan *plan)
{
	size_t count = plan->inventory.host_count;

	cmd_hosts_close(plan->hosts);
	plan->hosts = NULL;
	for (size_t i = 0; plan->steps && i < count; i++)
		boot_steps_release(&plan->steps[i]);
	boot_gathered_release(plan->gathered, count);
	mem_free(plan->steps);
	mem_free(plan->gathered);
	mem_free(plan->facts);
	boot_cluster_steps_release(&plan->cluster);
	faults_release(&plan->faults);
	boot_inventory_release(&plan->inventory);
}
