// SPDX-License-Identifier: MIT
// Ports of a node, for the hosts of the cluster only.
//
// Where ufw or firewalld is on, the ports are opened for the cluster's hosts. Where no firewall is,
// and nodes have public addresses, a table of our own closes etcd, the kubelet and the pod network
// to everybody else; 6443 stays open there, for kubectl, as its server lets nobody in unnamed. A
// ruleset of somebody else's that drops is not touched: `plan` warns.
#include "boot/step_list.h"

#define LIST_PATH "/etc/vpsml/firewall.list"
#define TABLE_PATH "/etc/vpsml/firewall.nft"
#define UNIT_PATH "/etc/systemd/system/vpsml-firewall.service"

static const struct {
	const char *protocol, *ports;
	bool is_control_plane; // only there
} openings[] = {
	{"tcp", "6443", true},  {"tcp", "2379:2380", true},    {"tcp", "10250", false},
	{"udp", "8472", false}, {"udp", "51820:51821", false}, {"udp", "4789", false},
	{"tcp", "179", false},  {"tcp", "5473", false},
};

// Calls ADD for every address of a node and for the pods' network.
static void each_source(const struct boot_inventory *inventory,
                        void (*add)(struct strbuf *out, const char *source, bool is_v6,
                                    const void *context),
                        struct strbuf *out, const void *context)
{
	for (size_t i = 0; i <= inventory->host_count; i++) {
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(128);
		bool is_v6;

		if (i == inventory->host_count) {
			boot_cidr_write(&text, &inventory->network.pod_cidr);
			is_v6 = inventory->network.pod_cidr.ip.is_v6;
		} else {
			if (!inventory->hosts[i].node_ip.is_set)
				continue;
			boot_ip_write(&text, &inventory->hosts[i].node_ip);
			is_v6 = inventory->hosts[i].node_ip.is_v6;
		}
		add(out, strbuf_get(&text), is_v6, context);
	}
}

// ufw: its rules are lines of the list, so that the old ones can be taken away.

static void add_ufw_rules(struct strbuf *out, const char *source, bool is_v6, const void *context)
{
	const struct step_list *list = context;

	(void)is_v6;
	for (size_t i = 0; i < COUNT_OF(openings); i++)
		if (!openings[i].is_control_plane || list->host->is_control_plane)
			strbuf_addf(out, "allow proto %s from %s to any port %s\n", openings[i].protocol,
			            source, openings[i].ports);
}

static void add_ufw(struct step_list *list)
{
	_cleanup_strbuf_ struct strbuf rules = STRBUF_INIT(1 << 20), cidr = STRBUF_INIT(64);
	struct boot_step *step;

	each_source(list->inventory, add_ufw_rules, &rules, list);
	boot_cidr_write(&cidr, &list->inventory->network.pod_cidr);
	strbuf_addf(&rules, "route allow from %s\nroute allow to %s\n", strbuf_get(&cidr),
	            strbuf_get(&cidr));
	if (!step_file_differs(list, LIST_PATH, strbuf_get(&rules)))
		return;
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_OWN, "firewall", 300,
	                "ufw: open the node's ports to the cluster's hosts");
	step_text(list, &step->why, "ufw is on");
	// The rules that are written there are in force; the file is replaced when they are.
	step_text(list, &step->act,
	          "mkdir -p /etc/vpsml\n"
	          "if [ -f " LIST_PATH " ]; then\n"
	          "\twhile read -r rule; do\n"
	          "\t\tcase $rule in\n"
	          "\t\troute*) ufw route delete ${rule#route } >/dev/null || : ;;\n"
	          "\t\t*) ufw delete $rule >/dev/null || : ;;\n"
	          "\t\tesac\n\tdone <" LIST_PATH "\nfi\n"
	          "cat >" LIST_PATH ".new <<'END'\n%sEND\n"
	          "while read -r rule; do ufw $rule >/dev/null; done <" LIST_PATH ".new\n"
	          "mv " LIST_PATH ".new " LIST_PATH "\n",
	          strbuf_get(&rules));
}

// firewalld: a zone of our own

static void add_zone_source(struct strbuf *out, const char *source, bool is_v6, const void *context)
{
	(void)is_v6;
	(void)context;
	strbuf_addf(out, "--add-source=%s\n", source);
}

static void add_firewalld(struct step_list *list)
{
	_cleanup_strbuf_ struct strbuf rules = STRBUF_INIT(1 << 20);
	struct boot_step *step;

	each_source(list->inventory, add_zone_source, &rules, list);
	for (size_t i = 0; i < COUNT_OF(openings); i++) {
		if (openings[i].is_control_plane && !list->host->is_control_plane)
			continue;
		strbuf_add(&rules, "--add-port=");
		for (const char *at = openings[i].ports; *at; at++)
			strbuf_add_char(&rules, *at == ':' ? '-' : *at);
		strbuf_addf(&rules, "/%s\n", openings[i].protocol);
	}
	strbuf_add(&rules, "--add-forward\n");
	if (!step_file_differs(list, LIST_PATH, strbuf_get(&rules)))
		return;
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_OWN, "firewall", 300,
	                "firewalld: open the node's ports to the cluster's hosts");
	step_text(list, &step->why, "firewalld is on");
	step_text(
		list, &step->act,
		"mkdir -p /etc/vpsml\n"
		"firewall-cmd -q --permanent --delete-zone=vpsml 2>/dev/null || :\n"
		"firewall-cmd -q --permanent --new-zone=vpsml\n"
		"cat >" LIST_PATH ".new <<'END'\n%sEND\n"
		"while read -r rule; do\n"
		"\tfirewall-cmd -q --permanent --zone=vpsml \"$rule\" || [ \"$rule\" = --add-forward ]\n"
		"done <" LIST_PATH ".new\n"
		"firewall-cmd -q --reload\n"
		"mv " LIST_PATH ".new " LIST_PATH "\n",
		strbuf_get(&rules));
}

// nft

static void add_element(struct strbuf *out, const char *source, bool is_v6, const void *context)
{
	if (is_v6 == *(const bool *)context)
		strbuf_addf(out, "\t\t\t%s,\n", source);
}

static void add_set(struct strbuf *out, const struct boot_inventory *inventory, bool is_v6)
{
	_cleanup_strbuf_ struct strbuf elements = STRBUF_INIT(256 << 10);

	each_source(inventory, add_element, &elements, &is_v6);
	strbuf_addf(out, "\tset hosts%d {\n\t\ttype ipv%d_addr\n\t\tflags interval\n", is_v6 ? 6 : 4,
	            is_v6 ? 6 : 4);
	if (elements.len)
		strbuf_addf(out, "\t\telements = {\n%s\t\t}\n", strbuf_get(&elements));
	strbuf_add(out, "\t}\n");
}

static void add_nft(struct step_list *list)
{
	static const char unit[] = "[Unit]\n"
							   "Description=Ports of the Kubernetes node, for the cluster's hosts\n"
							   "Before=network-pre.target\nWants=network-pre.target\n\n"
							   "[Service]\nType=oneshot\nRemainAfterExit=yes\n"
							   "ExecStart=/usr/sbin/nft -f " TABLE_PATH "\n"
							   "ExecStop=/usr/sbin/nft delete table inet vpsml\n\n"
							   "[Install]\nWantedBy=multi-user.target\n";
	_cleanup_strbuf_ struct strbuf table = STRBUF_INIT(1 << 20);
	struct boot_step *step;

	strbuf_add(&table, "# Written by vpsml.\ntable inet vpsml\ndelete table inet vpsml\n"
	                   "table inet vpsml {\n");
	add_set(&table, list->inventory, false);
	add_set(&table, list->inventory, true);
	strbuf_add(&table,
	           "\tchain input {\n"
	           "\t\ttype filter hook input priority -10; policy accept;\n"
	           "\t\tiif lo accept\n\t\tip saddr @hosts4 accept\n\t\tip6 saddr @hosts6 accept\n"
	           "\t\ttcp dport { 2379-2380, 10250, 179, 5473 } drop\n"
	           "\t\tudp dport { 8472, 51820-51821, 4789 } drop\n\t}\n}\n");
	if (!step_file_differs(list, TABLE_PATH, strbuf_get(&table)) &&
	    list->facts->is_vpsml_firewall_active)
		return;
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_OWN, "firewall", 600,
	                "nft: close etcd, kubelet and pod network to all but the cluster's hosts");
	step_text(list, &step->why, "the node's address is public, and no firewall is on");
	step_file(list, step, TABLE_PATH, 0644, strbuf_get(&table));
	step_file(list, step, UNIT_PATH, 0644, unit);
	step_text(list, &step->act,
	          "if ! command -v nft >/dev/null; then\n"
	          "\tapt_update\n\tapt_get install --no-install-recommends nftables\nfi\n"
	          "systemctl daemon-reload\nsystemctl enable vpsml-firewall\n"
	          "systemctl restart vpsml-firewall\n");
	step_text(list, &step->verify, "nft list table inet vpsml >/dev/null\n");
}

void step_add_firewall(struct step_list *list)
{
	const struct boot_facts *facts = list->facts;

	if (!list->inventory->has_firewall)
		return;
	// a host that has not answered would be shut out
	for (size_t i = 0; i < list->inventory->host_count; i++)
		if (!list->inventory->hosts[i].node_ip.is_set)
			return;
	if (facts->is_ufw_active)
		add_ufw(list);
	else if (facts->is_firewalld_running)
		add_firewalld(list);
	else if (!facts->has_nft_drop && list->node_ip.is_set && boot_ip_is_public(&list->node_ip))
		add_nft(list);
}
