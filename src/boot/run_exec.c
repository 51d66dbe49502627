// SPDX-License-Identifier: MIT
// The commands of a run on a host: the script of its phases, and the facts.
#include <string.h>

#include "base/digest.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/text.h"
#include "boot/run_link.h"

enum {
	SILENCE_MS = 120000,    // before a script says its first word
	LOCK_WAIT_MS = 1900000, // while an earlier run holds the host
	GRACE_MS = 60000,       // over a step's own limit
	PROBE_MS = 180000,
	TOKEN_RANDOM_BYTES = 12,
};

static const char journal_mark[] = "--- its journal";

// Deadlines

static void on_deadline(void *data)
{
	struct host_run *host = data;
	_cleanup_err_ struct err err = ERR_INIT;

	ssh_cancel(host->link, host->exec);
	host->exec = 0;
	err_set(&err, ERR_HOSTS, "%s has not ended in time", host->step ? host->step->name : "it");
	err_hint(&err, "it may go on there; run vpsml up again to go on from where it is");
	host_script_ended(host, &err, 0);
}

static void set_deadline(struct host_run *host, int64_t ms)
{
	loop_timer_set(host->run->options.loop, &host->deadline, ms, on_deadline, host);
}

// Work at hand

static void end_step(struct host_run *host)
{
	if (host->step)
		run_work_ended(host->run, host->step->work);
	host->step = NULL;
}

static const struct boot_step *find_step(const struct host_run *host, const char *name)
{
	for (size_t i = 0; i < host->steps.count; i++)
		if (!strcmp(host->steps.items[i].name, name) &&
		    host->phases >> host->steps.items[i].phase & 1)
			return &host->steps.items[i];
	return NULL;
}

static void begin_step(struct host_run *host, const char *name)
{
	const struct boot_step *step = find_step(host, name);

	end_step(host);
	host_log_begin(&host->log, step ? step->name : "?");
	if (!step)
		return;
	host->step = step;
	host->step_began_ms = loop_now_ms(host->run->options.loop);
	run_work_began(host->run, step->work);
	set_deadline(host, step->timeout_s * 1000 + GRACE_MS);
	host_event(host, (struct boot_event){.kind = BOOT_EVENT_STEP, .step = step});
}

static void finish_step(struct host_run *host, enum boot_event_kind kind)
{
	const struct boot_step *step = host->step;
	int64_t ms = loop_now_ms(host->run->options.loop) - host->step_began_ms;

	if (!step)
		return;
	end_step(host);
	host->is_changed |= kind == BOOT_EVENT_ENDED;
	host_event(host, (struct boot_event){.kind = kind, .step = step, .ms = ms});
}

static void note(struct host_run *host, const char *text)
{
	_cleanup_strbuf_ struct strbuf harmless = STRBUF_INIT(8192);

	text_sanitize(&harmless, text, strlen(text) < 1000 ? strlen(text) : 1000, TEXT_ONE_LINE);
	host_log_add(&host->log, text);
	if (!strncmp(text, "waiting for an earlier run", 26))
		set_deadline(host, LOCK_WAIT_MS);
	host_event(host, (struct boot_event){.kind = BOOT_EVENT_NOTE, .text = strbuf_get(&harmless)});
}

// What a step said last before the journal that was added.
static const char *last_words(const struct host_run *host)
{
	const struct strv *lines = &host->log.lines;
	size_t count = lines->count;

	for (size_t i = 0; i < lines->count; i++)
		if (!strcmp(lines->items[i], journal_mark))
			count = i;
	while (count > 0)
		if (*lines->items[--count])
			return lines->items[count];
	return "it failed";
}

// The script has failed in a step. What it means is looked for in its last lines.
static void explain(struct host_run *host)
{
	struct err cause = ERR_INIT;

	if (host->failure.kind != ERR_NONE)
		return;
	if (!boot_cause(&host->log.lines, &cause))
		err_set(&cause, ERR_HOSTS, "%s", last_words(host));
	err_wrap(&cause, "%s", host->step ? host->step->name : "the lock");
	host->failure = cause;
}

static void on_say(void *data, enum boot_word word, const char *text)
{
	struct host_run *host = data;
	_cleanup_err_ struct err err = ERR_INIT;

	host->has_said = true;
	host->tries = 0;
	host->lost_ms = 0;
	switch (word) {
	case BOOT_SAYS_BEGIN:
		begin_step(host, text);
		break;
	case BOOT_SAYS_SKIP:
		finish_step(host, BOOT_EVENT_SKIPPED);
		break;
	case BOOT_SAYS_END:
		finish_step(host, BOOT_EVENT_ENDED);
		break;
	case BOOT_SAYS_FAIL:
		explain(host);
		break;
	case BOOT_SAYS_NOTE:
		note(host, text);
		break;
	case BOOT_SAYS_JOURNAL:
		host_log_add(&host->log, journal_mark);
		break;
	case BOOT_SAYS_PAYLOAD:
		if (!strncmp(text, "file ", 5) && !run_take_admin_conf(host->run, text + 5, &err))
			err_copy(&host->failure, &err);
		break;
	default:
		host->is_finished = true;
	}
}

static void on_line(void *data, const char *line)
{
	host_log_add(&((struct host_run *)data)->log, line);
}

static void on_output(void *data, enum ssh_stream stream, const char *bytes, size_t len)
{
	struct host_run *host = data;

	(void)stream;
	boot_output_feed(&host->output, bytes, len);
}

static void on_script_done(void *data, const struct ssh_result *result, const struct err *failure)
{
	struct host_run *host = data;

	host->exec = 0;
	host_script_ended(host, failure, result ? result->status : 0);
}

static bool make_token(char ret[BOOT_TOKEN_BYTES], struct err *err)
{
	unsigned char random[TOKEN_RANDOM_BYTES];
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(BOOT_TOKEN_BYTES - 1);

	if (!secret_random(random, sizeof(random), err))
		return false;
	strbuf_add(&text, "vpsml-");
	digest_add_hex(&text, random, sizeof(random));
	memcpy(ret, strbuf_get(&text), text.len + 1);
	return strbuf_ok(&text, err);
}

static bool render(struct host_run *host, const char *token, struct err *err)
{
	unsigned char digest[DIGEST_SHA256_BYTES];
	_cleanup_strbuf_ struct strbuf hash = STRBUF_INIT(64);
	unsigned last = 1u << BOOT_INIT | 1u << BOOT_JOIN_CONTROL | 1u << BOOT_JOIN_WORKER;
	struct boot_script script = {
		.cluster = host->run->options.inventory->name,
		.run = host->run->options.id,
		.token = token,
		.steps = &host->steps,
		.phases = host->phases,
		.is_last = host->phases & last,
		.payload =
			host->index == host->run->first && host->phases & (1u << BOOT_INIT | 1u << BOOT_INVITE)
				? "/etc/kubernetes/admin.conf"
				: NULL,
	};

	secret_strbuf_release(&host->script);
	host->script = (struct strbuf)STRBUF_INIT(BOOT_SCRIPT_MAX_BYTES);
	secret_strbuf_reserve(&host->script, 512 << 10);
	if (!boot_script_render(&script, &host->script, err) ||
	    !digest_sha256(strbuf_get(&host->script), host->script.len, digest, err))
		return false;
	digest_add_hex(&hash, digest, sizeof(digest));
	memcpy(host->hash, strbuf_get(&hash), sizeof(host->hash));
	return true;
}

bool host_start_script(struct host_run *host, unsigned phases, struct err *err)
{
	struct boot_output_calls calls = {on_say, on_line, host};
	const char *const argv[] = {"/bin/sh", "-c", boot_script_keeper, "vpsml", host->hash, NULL};
	char token[BOOT_TOKEN_BYTES];
	struct ssh_exec exec = {
		.as_root = true,
		.output = on_output,
		.done = on_script_done,
		.context = host,
	};

	host->phases = phases;
	if (!make_token(token, err) || !render(host, token, err))
		return false;
	memcpy(host->argv, argv, sizeof(argv));
	exec.argv = host->argv;
	exec.input = strbuf_get(&host->script);
	exec.input_len = host->script.len;
	boot_output_release(&host->output);
	boot_output_init(&host->output, token, &calls);
	host->is_finished = host->has_said = false;
	host->state = HOST_WORKING;
	host->execs++;
	set_deadline(host, SILENCE_MS);
	return ssh_exec(host->link, &exec, &host->exec, err);
}

// Facts

static void on_facts(void *data, const struct ssh_result *result, const struct err *failure)
{
	struct host_run *host = data;
	_cleanup_err_ struct err err = ERR_INIT;
	struct boot_facts facts;

	host->exec = 0;
	if (failure) {
		host_probe_ended(host, failure);
		return;
	}
	if (!boot_facts_parse(result->out, result->out_len, &facts, &err)) {
		host_probe_ended(host, &err);
		return;
	}
	boot_facts_release(&host->fresh);
	host->fresh = facts;
	host->facts = &host->fresh;
	host_probe_ended(host, NULL);
}

bool host_start_probe(struct host_run *host, struct err *err)
{
	const struct boot_inventory *inventory = host->run->options.inventory;
	const char *const argv[] = {"/bin/sh", "-s", inventory->endpoint ? inventory->endpoint : "",
	                            NULL};
	struct ssh_exec exec = {
		.as_root = true,
		.input = boot_facts_script,
		.input_len = strlen(boot_facts_script),
		.timeout_ms = PROBE_MS,
		.max_output_bytes = BOOT_FACTS_MAX_BYTES,
		.done = on_facts,
		.context = host,
	};

	memcpy(host->argv, argv, sizeof(argv));
	exec.argv = host->argv;
	host->state = HOST_PROBING;
	host->execs++;
	return ssh_exec(host->link, &exec, &host->exec, err);
}
