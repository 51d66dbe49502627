// SPDX-License-Identifier: MIT
// The state machine of a host.
#include <string.h>

#include "base/mem.h"
#include "base/secret.h"
#include "boot/run_link.h"

enum {
	RECONNECT_MS = 300000, // a host may be restarting
	LOSSES_MAX = 12,
	PAUSE_MS = 1000,
	PAUSE_MAX_MS = 15000,
	BUSY_PAUSE_MS = 3000,
	STATUS_CUT = 74,   // of the keeper: the script did not come through whole
	STATUS_STALE = 75, // of the script: an earlier run has changed the host meanwhile
};

#define BIT(phase) (1u << (phase))
#define JOINS (BIT(BOOT_JOIN_CONTROL) | BIT(BOOT_JOIN_WORKER))

void host_event(struct host_run *host, struct boot_event event)
{
	event.index = host->index;
	event.host = host->host->name;
	event.log = host->log.path;
	if (host->run->options.event)
		host->run->options.event(host->run->options.context, &event);
}

static void stop(struct host_run *host)
{
	loop_timer_stop(&host->deadline);
	loop_timer_stop(&host->pause);
	if (host->step)
		run_work_ended(host->run, host->step->work);
	host->step = NULL;
	secret_strbuf_release(&host->script);
}

void host_fail(struct host_run *host, struct err *failure)
{
	_cleanup_strv_ struct strv lines = STRV_INIT;
	_cleanup_err_ struct err ignored = ERR_INIT;
	const struct boot_step *step = host->step;

	if (host->failure.kind == ERR_NONE) {
		host->failure = *failure;
		*failure = (struct err)ERR_INIT;
	}
	if (step && !host_log_select(&host->log, &lines, &ignored))
		strv_release(&lines);
	host->state = HOST_FAILED;
	host_event(host, (struct boot_event){.kind = BOOT_EVENT_FAILED,
	                                     .step = step,
	                                     .failure = &host->failure,
	                                     .lines = &lines});
	stop(host);
	run_changed(host->run);
}

static void done(struct host_run *host)
{
	host->state = HOST_DONE;
	stop(host);
	host_event(host,
	           (struct boot_event){.kind = BOOT_EVENT_DONE,
	                               .ms = loop_now_ms(host->run->options.loop) - host->run->began_ms,
	                               .is_changed = host->is_changed});
	run_changed(host->run);
}

// What is due

static bool make_steps(struct host_run *host, struct err *err)
{
	const struct boot_run_options *options = &host->run->options;
	struct boot_join join = run_join(host->run);

	boot_steps_release(&host->steps);
	if (options->mode == BOOT_MODE_RESET)
		return boot_steps_for_reset(options->inventory, host->facts, &host->steps, err);
	return boot_steps_for_host(options->inventory, host->index, host->facts, options->texts, &join,
	                           &host->steps, err);
}

static unsigned due_phases(const struct host_run *host)
{
	unsigned phases = 0;

	for (size_t i = 0; i < host->steps.count; i++)
		phases |= BIT(host->steps.items[i].phase);
	return phases;
}

// After packages the host is looked at again: what they brought decides how containerd is
// configured.
static bool brings_packages(const struct host_run *host)
{
	for (size_t i = 0; i < host->steps.count; i++)
		if (host->steps.items[i].phase == BOOT_PREPARE &&
		    !strcmp(host->steps.items[i].name, "packages"))
			return true;
	return false;
}

// Does no other control plane join or leave just now? etcd takes one change at a time.
static bool is_its_turn(const struct host_run *host)
{
	const struct boot_run *run = host->run;

	if (!host->host->is_control_plane)
		return true;
	for (size_t i = 0; i < run->count; i++) {
		const struct host_run *other = &run->hosts[i];
		bool is_running = other->state != HOST_DONE && other->state != HOST_FAILED &&
		                  other->state != HOST_WAITING;

		if (other != host && is_running &&
		    other->phases & (BIT(BOOT_JOIN_CONTROL) | BIT(BOOT_RESET)) &&
		    other->host->is_control_plane)
			return false;
	}
	return true;
}

static void wait_for(struct host_run *host, const char *whom)
{
	if (host->state != HOST_WAITING)
		host_event(host, (struct boot_event){.kind = BOOT_EVENT_WAITING, .text = whom});
	host->state = HOST_WAITING;
}

static void start(struct host_run *host, unsigned phases)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!host_start_script(host, phases, &err))
		host_fail(host, &err);
}

// A host that is to join waits for the cluster, for a token, and for its turn.
static void join(struct host_run *host, unsigned phases)
{
	struct boot_run *run = host->run;
	_cleanup_err_ struct err err = ERR_INIT;

	if (run->hosts[run->first].state == HOST_FAILED && (!run->has_cluster || !run->is_invited)) {
		err_set(&err, ERR_HOSTS, "not joined: %s has failed", run->hosts[run->first].host->name);
		host_fail(host, &err);
	} else if (!run->has_cluster) {
		wait_for(host, run->hosts[run->first].host->name);
	} else if (!is_its_turn(host)) {
		wait_for(host, "its turn");
	} else if (!run->is_invited) {
		if (host->state != HOST_WAITING)
			run_changed(run); // it is made when somebody waits for it
		wait_for(host, "a token");
	} else if (make_steps(host, &err)) { // again: the token is known now
		start(host, phases);
	} else {
		host_fail(host, &err);
	}
}

static void reset(struct host_run *host, unsigned phases)
{
	if (host->host->is_control_plane && !is_its_turn(host))
		wait_for(host, "its turn");
	else
		start(host, phases);
}

static void on_pause(void *data)
{
	struct host_run *host = data;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!host_start_probe(host, &err))
		host_fail(host, &err);
}

static void pause(struct host_run *host, int64_t ms)
{
	host->state = HOST_PAUSED;
	loop_timer_set(host->run->options.loop, &host->pause, ms, on_pause, host);
}

static void event_busy(struct host_run *host)
{
	if (!host->is_busy)
		host_event(host, (struct boot_event){.kind = BOOT_EVENT_NOTE,
		                                     .text = "what was begun before goes on there"});
	host->is_busy = true;
}

void host_advance(struct host_run *host)
{
	_cleanup_err_ struct err err = ERR_INIT;
	unsigned phases;

	if (host->facts->busy) { // an earlier run's script: what it makes of the host decides
		event_busy(host);
		pause(host, BUSY_PAUSE_MS);
		return;
	}
	if (!make_steps(host, &err)) {
		host_fail(host, &err);
		return;
	}
	phases = due_phases(host);
	if (!phases)
		done(host);
	else if (phases & BIT(BOOT_RESET))
		reset(host, phases);
	else if (brings_packages(host))
		start(host, BIT(BOOT_PREPARE));
	else if (phases & JOINS)
		join(host, phases);
	else
		start(host, phases);
}

// Connections that are lost

// Tries again after a while, longer each time and not in step with others; or gives up.
static void lose(struct host_run *host, const struct err *failure)
{
	int64_t now = loop_now_ms(host->run->options.loop), wait = PAUSE_MS;
	_cleanup_err_ struct err err = ERR_INIT;
	unsigned char random = 0;

	if (!host->lost_ms) {
		host->lost_ms = now;
		host->losses++;
		host_event(host,
		           (struct boot_event){.kind = BOOT_EVENT_LOST, .text = err_message(failure)});
	}
	if (failure->kind == ERR_AUTH || now - host->lost_ms > RECONNECT_MS ||
	    host->losses > LOSSES_MAX) {
		err_copy(&err, failure);
		host_fail(host, &err);
		return;
	}
	for (unsigned i = 0; i < host->tries && wait < PAUSE_MAX_MS; i++)
		wait *= 2;
	host->tries++;
	if (!secret_random(&random, 1, &err))
		err_clear(&err);
	pause(host, wait + wait * random / 512);
}

static bool next_after_script(struct host_run *host)
{
	struct boot_run *run = host->run;

	if (host->index == run->first && host->phases & (BIT(BOOT_INIT) | BIT(BOOT_INVITE))) {
		run->is_invited = true;
		run->invited_ms = loop_now_ms(run->options.loop);
	}
	if (host->is_inviting) {
		host->is_inviting = run->is_inviting = false;
		host->state = HOST_DONE;
		stop(host);
		run_changed(run);
		return false;
	}
	return host->phases == BIT(BOOT_PREPARE);
}

void host_script_ended(struct host_run *host, const struct err *failure, int status)
{
	_cleanup_err_ struct err err = ERR_INIT;

	loop_timer_stop(&host->deadline);
	if (host->failure.kind != ERR_NONE) {
		host_fail(host, &err);
	} else if (host->is_finished) {
		if (next_after_script(host))
			on_pause(host); // look at it again
		else if (host->state == HOST_WORKING)
			done(host);
	} else if (failure && failure->kind == ERR_HOSTS) { // a deadline of ours
		err_copy(&err, failure);
		host_fail(host, &err);
	} else if (failure || status == STATUS_CUT) {
		if (!failure)
			err_set(&err, ERR_UNREACHABLE, "the script did not come through");
		if (host->step)
			run_work_ended(host->run, host->step->work);
		host->step = NULL;
		lose(host, failure ? failure : &err);
	} else if (status == STATUS_STALE) {
		on_pause(host);
	} else {
		err_set(&err, ERR_HOSTS, "the script ended with status %d before its end", status);
		host_fail(host, &err);
	}
}

void host_probe_ended(struct host_run *host, const struct err *failure)
{
	if (failure) {
		lose(host, failure);
		return;
	}
	host->tries = 0;
	host->lost_ms = 0;
	if (host->is_inviting && !host->facts->busy) { // again
		host->is_inviting = host->run->is_inviting = false;
		host->state = HOST_DONE;
		run_changed(host->run);
		return;
	}
	host_advance(host);
}

void host_release(struct host_run *host)
{
	stop(host);
	if (host->exec)
		ssh_cancel(host->link, host->exec);
	boot_steps_release(&host->steps);
	boot_facts_release(&host->fresh);
	boot_output_release(&host->output);
	host_log_release(&host->log);
	err_clear(&host->failure);
}
