// SPDX-License-Identifier: MIT
#include "cmd/cluster_access.h"

#include <netdb.h>
#include <string.h>

#include "base/mem.h"
#include "boot/run.h"

struct boot_api *cmd_access_open(struct cli_context *context, const struct cmd_hosts *hosts,
                                 const struct boot_inventory *inventory, struct secret *admin_conf,
                                 struct err *err)
{
	size_t index = boot_inventory_first(inventory);
	const struct boot_host *first = &inventory->hosts[index];
	struct loop *loop = cmd_hosts_loop(hosts);
	struct ssh_link *link = cmd_hosts_link(hosts, index);
	_cleanup_strbuf_ struct strbuf address = STRBUF_INIT(64);
	uint16_t port = inventory->endpoint ? 6443 : inventory->endpoint_port;

	if (!admin_conf->data &&
	    !boot_fetch_file(loop, link, "/etc/kubernetes/admin.conf", admin_conf, err))
		return NULL;
	if (first->node_ip.is_set)
		boot_ip_write(&address, &first->node_ip);
	else
		strbuf_add(&address, "127.0.0.1");
	return boot_api_open(loop, link, strbuf_get(&address), port, admin_conf->data, context->clock,
	                     context->getenv, err);
}

static bool can_resolve(const char *name)
{
	struct addrinfo *found = NULL;
	bool is_ok = !getaddrinfo(name, NULL, NULL, &found);

	if (found)
		freeaddrinfo(found);
	return is_ok;
}

void cmd_access_add_server(const struct boot_inventory *inventory, struct strbuf *out)
{
	const struct boot_ssh *ssh = &inventory->hosts[boot_inventory_first(inventory)].ssh;

	if (inventory->endpoint || ssh->jump || !ssh->address || !can_resolve(ssh->address))
		return;
	strbuf_addf(out, strchr(ssh->address, ':') ? "https://[%s]:%u" : "https://%s:%u", ssh->address,
	            (unsigned)inventory->endpoint_port);
}

bool cmd_access_save(struct cli_context *context, const struct boot_inventory *inventory,
                     const struct secret *admin_conf, const char *path,
                     struct kube_config_saved *ret, struct err *err)
{
	_cleanup_free_ char *target = kube_config_target(path, context->getenv, err);
	_cleanup_strbuf_ struct strbuf server = STRBUF_INIT(512);
	struct kube_config_addition addition = {
		.fresh = admin_conf->data,
		.fresh_len = admin_conf->len,
		.name = inventory->name,
	};

	if (!target)
		return false;
	cmd_access_add_server(inventory, &server);
	if (server.len)
		addition.server = strbuf_get(&server);
	return kube_config_save(target, &addition, context->clock, ret, err) ||
	       err_wrap(err, "kubeconfig");
}
