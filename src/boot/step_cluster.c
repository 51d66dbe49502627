// SPDX-License-Identifier: MIT
// kubeadm init, join and reset, and what is around them.
#include <string.h>

#include "boot/kubeadm.h"
#include "boot/step_list.h"
#include "ssh/quote.h"

enum {
	INIT_LIMIT_S = 1200,
	JOIN_LIMIT_S = 900,
	RESET_LIMIT_S = 420,
	PULL_LIMIT_S = 1800,
};

static void fail(struct step_list *list)
{
	list->is_failed = true;
}

static enum boot_membership membership(const struct step_list *list)
{
	const char *server;

	return boot_facts_membership(list->facts, list->inventory->name,
	                             list->join ? list->join->ca_pin : NULL, &server);
}

// Reset: of a host that a run of ours has left half done, and of one that leaves its cluster.

static void add_reset_text(struct step_list *list, struct boot_step *step)
{
	step_text(list, &step->act,
	          "if command -v kubeadm >/dev/null; then\n"
	          "\ttimeout 300 kubeadm reset --force --cri-socket " BOOT_CRI_SOCKET
	          " </dev/null || :\n"
	          "fi\n"
	          "systemctl stop kubelet 2>/dev/null || :\n"
	          "clean_up_after_reset\n");
	step_text(
		list, &step->verify,
		"for path in /etc/kubernetes/*.conf /etc/kubernetes/manifests/*.yaml "
		"/var/lib/etcd/member; do\n"
		"\tif [ -e \"$path\" ]; then\n\t\techo \"$path is still there\" >&2\n\t\texit 1\n\tfi\n"
		"done\n"
		"for link in cni0 flannel.1 vxlan.calico; do\n"
		"\tif [ -e \"/sys/class/net/$link\" ]; then\n"
		"\t\techo \"the link $link is still there\" >&2\n\t\texit 1\n\tfi\ndone\n");
}

static void add_partial_reset(struct step_list *list, enum boot_phase phase)
{
	struct boot_step *step = step_add(list, phase, BOOT_WORK_KUBEADM, "kubeadm-reset",
	                                  RESET_LIMIT_S, "undo what an earlier run has left half done");

	step_text(list, &step->why, "an earlier run broke off in step %s",
	          list->facts->mark.step ? list->facts->mark.step : "?");
	// kubeone#2319: what broke off may be our connection, or the host may have been restarted; an
	// API server that comes up after all is not to be thrown away
	if (phase == BOOT_INIT)
		step_text(list, &step->check, "[ -r /etc/kubernetes/admin.conf ] && api_comes_up 90\n");
	add_reset_text(list, step);
}

bool boot_steps_for_reset(const struct boot_inventory *inventory, const struct boot_facts *facts,
                          struct boot_steps *ret, struct err *err)
{
	struct step_list list = {.inventory = inventory, .facts = facts, .steps = ret, .err = err};
	const char *server;
	struct boot_step *step;

	*ret = (struct boot_steps){NULL};
	switch (boot_facts_membership(facts, inventory->name, NULL, &server)) {
	case BOOT_FOREIGN:
		err_set(err, ERR_FAILED, "it is part of another cluster%s%s", server ? ": " : "",
		        server ? server : "");
		return err_hint(err, "nothing was changed on it");
	case BOOT_CLEAN:
		if (!facts->links.count && !facts->mark.is_set)
			return true;
		break;
	default:
		break;
	}
	step = step_add(&list, BOOT_RESET, BOOT_WORK_KUBEADM, "kubeadm-reset", RESET_LIMIT_S,
	                "kubeadm reset, and clean up what it leaves");
	add_reset_text(&list, step);
	step_text(&list, &step->act, "leave_cluster\n");
	if (list.is_failed)
		boot_steps_release(ret);
	return !list.is_failed;
}

// Init

static void add_document(struct step_list *list, struct boot_step *step, const char *path,
                         bool (*render)(const struct boot_inventory *inventory, size_t index,
                                        const struct boot_join *join, struct strbuf *out,
                                        struct err *err))
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(STEP_TEXT_MAX_BYTES);

	if (list->is_failed)
		return;
	if (!render(list->inventory, list->index, list->join, &text, list->err))
		fail(list);
	else
		step_file(list, step, path, 0600, strbuf_get(&text))->is_secret = true;
}

static void add_pull(struct step_list *list, enum boot_phase phase)
{
	struct boot_step *step = step_add(list, phase, BOOT_WORK_PULL, "images", PULL_LIMIT_S,
	                                  "pull the control plane's images");

	add_document(list, step, "run:init.yaml", boot_kubeadm_certificates);
	if (phase == BOOT_INIT)
		step_text(list, &step->check, "api_is_ready\n");
	step_text(list, &step->act,
	          "timeout %d kubeadm config images pull --config \"$RUN/init.yaml\" </dev/null\n",
	          PULL_LIMIT_S - 60);
}

static void add_init(struct step_list *list)
{
	struct boot_step *step =
		step_add(list, BOOT_INIT, BOOT_WORK_KUBEADM, "kubeadm-init", INIT_LIMIT_S, "kubeadm init");

	add_document(list, step, "run:init.yaml", boot_kubeadm_init);
	step_text(list, &step->check, "api_is_ready\n");
	step_text(list, &step->act,
	          "timeout %d kubeadm init --config \"$RUN/init.yaml\" --upload-certs "
	          "--skip-token-print --skip-certificate-key-print </dev/null\n"
	          ": >\"$RUN/initialized\"\n",
	          INIT_LIMIT_S - 120);
	step_text(list, &step->verify,
	          "api_comes_up 90 || {\n\techo 'the API server does not answer' >&2\n\texit 1\n}\n");
}

// The rest of an init that broke off when its API server was up already: phases that may be
// repeated.
static void add_finish(struct step_list *list)
{
	static const char *const phases[] = {
		"upload-config all",    "upload-certs --upload-certs --skip-certificate-key-print",
		"mark-control-plane",   "bootstrap-token --skip-token-print",
		"kubelet-finalize all", "addon all",
	};
	struct boot_step *step = step_add(list, BOOT_INIT, BOOT_WORK_KUBEADM, "kubeadm-finish", 600,
	                                  "finish the init that broke off");

	step_text(list, &step->why, "the API server is up, but the run that made it did not end");
	add_document(list, step, "run:init.yaml", boot_kubeadm_init);
	step_text(list, &step->check, "[ -e \"$RUN/initialized\" ]\n");
	for (size_t i = 0; i < COUNT_OF(phases); i++)
		step_text(list, &step->act,
		          "timeout 240 kubeadm init phase %s --config \"$RUN/init.yaml\" </dev/null\n",
		          phases[i]);
}

static void add_first(struct step_list *list)
{
	switch (membership(list)) {
	case BOOT_CLEAN:
		add_pull(list, BOOT_INIT);
		add_init(list);
		break;
	case BOOT_PARTIAL:
		add_partial_reset(list, BOOT_INIT);
		add_pull(list, BOOT_INIT);
		add_init(list);
		add_finish(list);
		break;
	default:
		if (list->facts->mark.is_set && !list->facts->mark.is_done)
			add_finish(list);
	}
}

// Join

static void add_join(struct step_list *list)
{
	bool is_control = list->host->is_control_plane;
	enum boot_phase phase = is_control ? BOOT_JOIN_CONTROL : BOOT_JOIN_WORKER;
	enum boot_membership state = membership(list);
	struct boot_step *step;

	if (state == BOOT_MEMBER && (!list->facts->mark.is_set || list->facts->mark.is_done))
		return;
	if (state == BOOT_MEMBER) {
		step = step_add(list, phase, BOOT_WORK_OWN, "joined", 60, "note that it has joined");
		step_text(list, &step->act, ":\n");
		return;
	}
	if (state == BOOT_PARTIAL)
		add_partial_reset(list, phase);
	if (is_control)
		add_pull(list, phase);
	step = step_add(list, phase, BOOT_WORK_KUBEADM, "kubeadm-join", JOIN_LIMIT_S,
	                is_control ? "kubeadm join, as a control plane" : "kubeadm join");
	add_document(list, step, "run:join.yaml", boot_kubeadm_join);
	step_text(list, &step->act, "timeout %d kubeadm join --config \"$RUN/join.yaml\" </dev/null\n",
	          JOIN_LIMIT_S - 120);
	step_text(
		list, &step->verify,
		"for path in /etc/kubernetes/kubelet.conf "
		"/var/lib/kubelet/pki/kubelet-client-current.pem; do\n"
		"\tif [ ! -e \"$path\" ]; then\n\t\techo \"$path is not there\" >&2\n\t\texit 1\n\tfi\n"
		"done\n");
}

static void add_kubelet_start(struct step_list *list)
{
	struct boot_step *step;

	if (membership(list) != BOOT_MEMBER || strv_contains(&list->facts->active_units, "kubelet"))
		return;
	step = step_add(list, BOOT_CONFIGURE, BOOT_WORK_OWN, "kubelet-start", 60, "start the kubelet");
	step_text(list, &step->why, "it does not run");
	step_text(list, &step->act, "systemctl start kubelet\n");
}

void step_add_cluster(struct step_list *list)
{
	add_kubelet_start(list);
	if (list->is_first)
		add_first(list);
	else
		add_join(list);
}

// Invite

static void add_token(struct step_list *list)
{
	struct boot_step *step = step_add(list, BOOT_INVITE, BOOT_WORK_KUBEADM, "token", 120,
	                                  "make a bootstrap token that lives one hour");
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	if (list->is_failed)
		return;
	if (!boot_token_secret(list->join->token, "@ENDS@", &text, list->err))
		fail(list);
	else
		step_file(list, step, "run:token.json", 0600, strbuf_get(&text))->is_secret = true;
	step_text(list, &step->act,
	          "ends=$(date -u -d '+1 hour' +%%Y-%%m-%%dT%%H:%%M:%%SZ)\n"
	          "sed -i \"s/@ENDS@/$ends/\" \"$RUN/token.json\"\n"
	          "kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f \"$RUN/token.json\" "
	          ">/dev/null\n");
}

static void add_certificates(struct step_list *list)
{
	struct boot_step *step = step_add(list, BOOT_INVITE, BOOT_WORK_KUBEADM, "certificates", 240,
	                                  "upload the certificates for other control planes");

	add_document(list, step, "run:certificates.yaml", boot_kubeadm_certificates);
	step_text(list, &step->act,
	          "timeout 200 kubeadm init phase upload-certs --upload-certs "
	          "--skip-certificate-key-print --config \"$RUN/certificates.yaml\" </dev/null\n");
}

// A machine that joins anew and the Node that it was: known by its machine id.
static void add_forgetting(struct step_list *list, const struct boot_facts *const *guests)
{
	struct boot_step *step = step_add(list, BOOT_INVITE, BOOT_WORK_OWN, "stale-nodes", 120,
	                                  "delete nodes that hosts have left behind");

	step_text(list, &step->act, "export KUBECONFIG=/etc/kubernetes/admin.conf\n");
	for (size_t i = 0; i < list->inventory->host_count; i++) {
		_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(1024), id = STRBUF_INIT(1024);

		if (!guests[i] || !guests[i]->machine_id)
			continue;
		quote_word(&name, list->inventory->hosts[i].name);
		quote_word(&id, guests[i]->machine_id);
		step_text(list, &step->act,
		          "id=$(kubectl get node %s --ignore-not-found -o "
		          "'jsonpath={.status.nodeInfo.machineID}')\n"
		          "if [ \"$id\" = %s ]; then kubectl delete node %s --wait=false; fi\n",
		          strbuf_get(&name), strbuf_get(&id), strbuf_get(&name));
	}
}

bool boot_steps_for_invite(const struct boot_inventory *inventory, const struct boot_join *join,
                           const struct boot_facts *const *guests, struct boot_steps *ret,
                           struct err *err)
{
	struct step_list list = {
		.inventory = inventory,
		.join = join,
		.index = boot_inventory_first(inventory),
		.steps = ret,
		.err = err,
	};

	*ret = (struct boot_steps){NULL};
	add_forgetting(&list, guests);
	add_token(&list);
	for (size_t i = 0; i < inventory->host_count; i++) {
		if (!guests[i] || !inventory->hosts[i].is_control_plane)
			continue;
		add_certificates(&list);
		break;
	}
	if (list.is_failed)
		boot_steps_release(ret);
	return !list.is_failed;
}
