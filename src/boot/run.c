// SPDX-License-Identifier: MIT
// A run as a whole: its hosts, the cluster's secrets, what one host waits for of another.
#include <string.h>

#include "base/certificate.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/parse.h"
#include "boot/run_link.h"
#include "kube/kubeconfig.h"

enum {
	INVITATION_MS = 40 * 60 * 1000, // a token lives for an hour; a join takes up to a quarter
	TOKEN_ID_LEN = 6,
	TOKEN_SECRET_LEN = 16,
};

// Secrets, chosen here

static bool make_word(char *ret, size_t len, struct err *err)
{
	static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	unsigned char random[64];

	for (size_t done = 0; done < len;) {
		if (!secret_random(random, sizeof(random), err))
			return false;
		for (size_t i = 0; i < sizeof(random) && done < len; i++)
			if (random[i] < 252) // 7 × 36: no letter is likelier than another
				ret[done++] = letters[random[i] % 36];
	}
	return true;
}

static bool make_secrets(struct boot_run *run, struct err *err)
{
	unsigned char key[32];
	_cleanup_strbuf_ struct strbuf hex = STRBUF_INIT(64);

	if (!make_word(run->token, TOKEN_ID_LEN, err) ||
	    !make_word(run->token + TOKEN_ID_LEN + 1, TOKEN_SECRET_LEN, err) ||
	    !secret_random(key, sizeof(key), err))
		return false;
	run->token[TOKEN_ID_LEN] = '.';
	digest_add_hex(&hex, key, sizeof(key));
	secret_wipe(key, sizeof(key));
	memcpy(run->certificate_key, strbuf_get(&hex), hex.len);
	secret_strbuf_release(&hex);
	return true;
}

struct boot_join run_join(const struct boot_run *run)
{
	const struct boot_facts *first = run->hosts[run->first].facts;
	struct boot_join join = {
		.token = run->token,
		.certificate_key = run->certificate_key,
		.ca_pin = run->pin[0] ? run->pin : NULL,
	};
	const char *server;

	if (!join.ca_pin && first &&
	    boot_facts_membership(first, run->options.inventory->name, NULL, &server) == BOOT_MEMBER)
		join.ca_pin = first->ca_pin;
	return join;
}

// The pin of the authority that a kubeconfig trusts.
static bool read_pin(struct boot_run *run, struct err *err)
{
	_cleanup_kube_config_ struct kube_config config = KUBE_CONFIG_INIT;
	_cleanup_certificate_ struct certificate certificate = {0};
	const char *pem;

	if (!kube_config_add(&config, "admin.conf", "", run->admin_conf.data, run->admin_conf.len, err))
		return false;
	pem = config.cluster_count ? config.clusters[0].ca_data : NULL;
	if (!pem)
		return err_set(err, ERR_FAILED, "admin.conf names no authority");
	if (!certificate_parse(pem, strlen(pem), &certificate, err))
		return err_wrap(err, "admin.conf");
	memcpy(run->pin, certificate.pin, sizeof(run->pin));
	return true;
}

bool run_take_admin_conf(struct boot_run *run, const char *base64, struct err *err)
{
	struct strbuf text = STRBUF_INIT(256 << 10);
	bool is_ok;

	secret_strbuf_reserve(&text, 128 << 10);
	is_ok = base64_decode(&text, base64, strlen(base64)) ||
	        err_set(err, ERR_FAILED, "admin.conf did not come through whole");
	is_ok = is_ok && secret_set(&run->admin_conf, strbuf_get(&text), text.len, err) &&
	        read_pin(run, err);
	secret_strbuf_release(&text);
	return is_ok;
}

const struct secret *boot_run_admin_conf(const struct boot_run *run)
{
	return &run->admin_conf;
}

// Where the time goes. Several hosts at the same kind of work count once.

static void work_changed(size_t *count, int64_t *since, int64_t *sum, int64_t now, bool has_begun)
{
	if (has_begun && !(*count)++)
		*since = now;
	else if (!has_begun && !--*count)
		*sum += now - *since;
}

static void note_work(struct boot_run *run, enum boot_work work, bool has_begun)
{
	int64_t now = loop_now_ms(run->options.loop);

	work_changed(&run->at_work[work], &run->since_ms[work], &run->sum.work_ms[work], now,
	             has_begun);
	if (work != BOOT_WORK_OWN)
		work_changed(&run->outside, &run->outside_since_ms, &run->sum.outside_ms, now, has_begun);
}

void run_work_began(struct boot_run *run, enum boot_work work)
{
	note_work(run, work, true);
}

void run_work_ended(struct boot_run *run, enum boot_work work)
{
	note_work(run, work, false);
}

void boot_run_sum(const struct boot_run *run, struct boot_run_summary *ret)
{
	*ret = run->sum;
	ret->wall_ms = loop_now_ms(run->options.loop) - run->began_ms;
	for (size_t i = 0; i < run->count; i++) {
		const struct host_run *host = &run->hosts[i];

		if (!run->options.wanted[i])
			continue;
		ret->done += host->state == HOST_DONE;
		ret->failed += host->state == HOST_FAILED;
		ret->changed += host->is_changed;
		if (host->execs > ret->execs_max)
			ret->execs_max = host->execs;
	}
}

// What hosts wait for

static bool is_idle(const struct host_run *host)
{
	return host->state == HOST_DONE || host->state == HOST_FAILED;
}

bool boot_run_is_over(const struct boot_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (!is_idle(&run->hosts[i]))
			return false;
	return true;
}

bool boot_run_host_is_done(const struct boot_run *run, size_t index)
{
	return run->hosts[index].state == HOST_DONE;
}

static bool is_member(const struct host_run *host)
{
	const char *server;

	return host->facts && boot_facts_membership(host->facts, host->run->options.inventory->name,
	                                            NULL, &server) == BOOT_MEMBER;
}

// A first control plane that invites others is at work again: the flag remembers.
bool boot_run_has_cluster(const struct boot_run *run)
{
	const struct host_run *first = &run->hosts[run->first];

	return run->has_cluster ||
	       (first->state == HOST_DONE && (run->options.wanted[run->first] || is_member(first)));
}

bool boot_run_is_decided(const struct boot_run *run)
{
	return boot_run_has_cluster(run) || run->hosts[run->first].state == HOST_FAILED ||
	       boot_run_is_over(run);
}

static void note_cluster(struct boot_run *run)
{
	run->has_cluster = boot_run_has_cluster(run);
	if (run->is_invited && loop_now_ms(run->options.loop) - run->invited_ms > INVITATION_MS)
		run->is_invited = false;
}

// Lets the hosts in that wait: a token and certificates, made on the first control plane.
static void invite(struct boot_run *run)
{
	struct host_run *first = &run->hosts[run->first];
	struct boot_join join = run_join(run);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_free_ const struct boot_facts **guests = mem_alloc(run->count * sizeof(*guests));

	for (size_t i = 0; guests && i < run->count; i++)
		if (i != run->first && run->options.wanted[i] && !is_member(&run->hosts[i]))
			guests[i] = run->hosts[i].facts;
	run->is_inviting = first->is_inviting = true;
	boot_steps_release(&first->steps);
	if ((!guests && !err_memory(&err)) || !make_secrets(run, &err) ||
	    !boot_steps_for_invite(run->options.inventory, &join, guests, &first->steps, &err) ||
	    !host_start_script(first, 1u << BOOT_INVITE, &err))
		host_fail(first, &err);
}

static void on_turn(void *data)
{
	struct boot_run *run = data;

	note_cluster(run);
	for (size_t i = 0; i < run->count; i++)
		if (run->hosts[i].state == HOST_WAITING)
			host_advance(&run->hosts[i]);
	for (size_t i = 0; i < run->count; i++)
		if (run->hosts[i].state == HOST_WAITING && run->has_cluster && !run->is_invited &&
		    !run->is_inviting && run->hosts[run->first].state == HOST_DONE &&
		    run->options.mode == BOOT_MODE_UP)
			invite(run);
}

void run_changed(struct boot_run *run)
{
	loop_defer(run->options.loop, &run->turn, on_turn, run);
}

static void on_start(void *data)
{
	struct boot_run *run = data;

	for (size_t i = 0; i < run->count; i++)
		if (run->hosts[i].state == HOST_READY)
			host_advance(&run->hosts[i]);
	on_turn(run);
}

// Making and ending

static void host_init(struct host_run *host, struct boot_run *run, size_t index)
{
	const struct boot_run_options *options = &run->options;

	host->run = run;
	host->index = index;
	host->host = &options->inventory->hosts[index];
	host->link = options->links[index];
	host->facts = options->facts[index];
	host->script = (struct strbuf)STRBUF_INIT(BOOT_SCRIPT_MAX_BYTES);
	host->state = options->wanted[index] ? HOST_READY : HOST_DONE;
	if (host->facts || !options->wanted[index])
		return;
	host->state = HOST_FAILED;
	if (options->failures && options->failures[index].kind != ERR_NONE)
		err_copy(&host->failure, &options->failures[index]);
	else
		err_set(&host->failure, ERR_UNREACHABLE, "was not reached");
}

struct boot_run *boot_run_new(const struct boot_run_options *options, struct err *err)
{
	struct boot_run *run = mem_alloc(sizeof(*run));
	size_t count = options->inventory->host_count;

	if (!run) {
		err_memory(err);
		return NULL;
	}
	run->options = *options;
	run->began_ms = loop_now_ms(options->loop);
	run->first = boot_inventory_first(options->inventory);
	run->hosts = mem_alloc(count * sizeof(*run->hosts));
	if (!run->hosts || !make_secrets(run, err)) {
		if (!run->hosts)
			err_memory(err);
		boot_run_free(run);
		return NULL;
	}
	boot_inventory_complete(options->inventory, options->facts);
	for (run->count = 0; run->count < count; run->count++) {
		struct host_run *host = &run->hosts[run->count];

		host_init(host, run, run->count);
		if (host->state == HOST_READY &&
		    !host_log_open(&host->log, options->folder, host->host->name, err)) {
			run->count++;
			boot_run_free(run);
			return NULL;
		}
	}
	loop_defer(options->loop, &run->turn, on_start, run);
	return run;
}

bool boot_run_conclude(const struct boot_run *run, struct err *err)
{
	_cleanup_strbuf_ struct strbuf lines = STRBUF_INIT(1 << 20);
	size_t failed = 0, refused = 0;
	const char *hint = NULL;

	for (size_t i = 0; i < run->count; i++) {
		const struct host_run *host = &run->hosts[i];

		if (host->state != HOST_FAILED || !run->options.wanted[i])
			continue;
		strbuf_addf(&lines, "%s%s: %s", failed ? "\n" : "", host->host->name,
		            err_message(&host->failure));
		if (!failed)
			hint = host->failure.hint;
		failed++;
		refused += host->failure.kind == ERR_AUTH;
	}
	if (!failed)
		return true;
	err_set(err, refused == failed ? ERR_AUTH : ERR_HOSTS, "%s", strbuf_get(&lines));
	if (hint)
		err_hint(err, "%s", hint);
	return false;
}

void boot_run_free(struct boot_run *run)
{
	if (!run)
		return;
	loop_defer_cancel(&run->turn);
	for (size_t i = 0; i < run->count; i++)
		host_release(&run->hosts[i]);
	mem_free(run->hosts);
	secret_release(&run->admin_conf);
	secret_wipe(run->token, sizeof(run->token));
	secret_wipe(run->certificate_key, sizeof(run->certificate_key));
	mem_free(run);
}

void boot_run_freep(struct boot_run **run)
{
	boot_run_free(*run);
}
