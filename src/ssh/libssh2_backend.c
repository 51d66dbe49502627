// SPDX-License-Identifier: MIT
// Links of the libssh2 backend: their states, and whose turn it is to connect.
#include <libssh2.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "ssh/libssh2_link.h"

void link_libssh2_failure(struct link *link, enum err_kind kind, const char *what, struct err *err)
{
	_cleanup_strbuf_ struct strbuf reason = STRBUF_INIT(4096);
	char *text = NULL;
	int len = 0, code = libssh2_session_last_error(link->session, &text, &len, 0);

	text_sanitize(&reason, text ? text : "", text && len > 0 ? (size_t)len : 0, TEXT_ONE_LINE);
	err_set(err, kind, "%s: %s (libssh2 %d)", what, strbuf_get(&reason), code);
}

bool link_would_block(struct link *link)
{
	return libssh2_session_last_errno(link->session) == LIBSSH2_ERROR_EAGAIN;
}

static bool is_connecting(const struct link *link)
{
	return link->state >= LINK_RESOLVING && link->state <= LINK_AUTH;
}

// Turns

static bool may_connect(const struct backend *backend, const struct link *link)
{
	size_t connecting = 0, jumping = 0;

	for (struct ssh_link *base = backend->ssh.links; base; base = base->next) {
		bool counts = is_connecting(link_of(base));

		connecting += counts;
		jumping += counts && base->jump && base->jump == link->base.jump;
	}
	return connecting < backend->ssh.options.max_connecting && jumping < LINK_MAX_JUMPING;
}

static struct link *first_queued(const struct backend *backend)
{
	struct link *first = NULL;

	for (struct ssh_link *base = backend->ssh.links; base; base = base->next) {
		struct link *link = link_of(base);

		if (link->state == LINK_QUEUED && (!first || link->turn < first->turn) &&
		    may_connect(backend, link))
			first = link;
	}
	return first;
}

static void start_queued(void *context)
{
	struct backend *backend = context;
	struct link *link;

	while ((link = first_queued(backend)))
		link_connect(link);
}

void link_next_turn(struct backend *backend)
{
	loop_defer(backend->ssh.options.loop, &backend->next_turn, start_queued, backend);
}

static void queue(struct link *link)
{
	link->state = LINK_QUEUED;
	link->turn = ++backend_of(link)->turns;
	link_next_turn(backend_of(link));
}

static void backend_connect(struct ssh_link *base)
{
	struct link *link = link_of(base);

	if (link->state != LINK_IDLE) {
		if (link->state == LINK_READY) // for a waiter; channels are woken by themselves
			loop_defer(loop_of(link), &link->pump, link_step, link);
		return;
	}
	link->tries = 0;
	link->is_login_retried = false;
	link->first_try_ms = loop_now_ms(loop_of(link));
	queue(link);
}

// Callbacks may close the link that they come from, which is then freed when its last user leaves.

static void link_free(struct link *link)
{
	struct backend *backend = backend_of(link);

	link_disconnect(link);
	secret_release(&link->password);
	mem_free(link);
	link_next_turn(backend);
}

void link_enter(struct link *link)
{
	link->busy++;
}

void link_leave(struct link *link)
{
	if (!--link->busy && link->is_closed)
		link_free(link);
}

// Failing and trying again

static void on_pause_over(void *context)
{
	queue(context);
}

// A server that hung up before it said who it is had too many callers (MaxStartups): ever longer
// pauses, of random length so that the callers spread out. Newer servers also punish callers for
// 15 s and more, and say so.
static int64_t pause_ms(const struct link *link)
{
	static const char penalty[] = "Not allowed at this time";
	uint16_t dice = 0;
	_cleanup_err_ struct err ignored = ERR_INIT;
	int64_t base = link->tries < 5 ? INT64_C(200) << link->tries : 5000;

	if (!secret_random(&dice, sizeof(dice), &ignored))
		dice = 0;
	if (link->sniffed_len >= sizeof(penalty) - 1 &&
	    !memcmp(link->sniffed, penalty, sizeof(penalty) - 1))
		base = 16000;
	return base / 2 + base * dice / UINT16_MAX;
}

static bool try_again(struct link *link, const struct err *failure)
{
	int64_t pause = pause_ms(link);
	int64_t spent = loop_now_ms(loop_of(link)) - link->first_try_ms;

	if (spent + pause > link->base.ssh->options.retry_ms)
		return false;
	link->tries++;
	ssh_log(&link->base, "%s; trying again in %.1f s", err_message(failure), (double)pause / 1000);
	link_disconnect(link);
	link->state = LINK_PAUSED;
	loop_timer_set(loop_of(link), &link->deadline, pause, on_pause_over, link);
	link_next_turn(backend_of(link));
	return true;
}

void link_fail(struct link *link, struct err *failure, bool is_retry)
{
	_cleanup_err_ struct err taken = *failure;

	*failure = (struct err)ERR_INIT;
	if (is_retry && try_again(link, &taken))
		return;
	err_wrap(&taken, "ssh");
	ssh_log(&link->base, "%s", err_message(&taken));
	link_enter(link);
	link_disconnect(link);
	link->state = LINK_IDLE;
	link_next_turn(backend_of(link));
	ssh_link_lost(&link->base, &taken);
	link_leave(link);
}

// The table

static struct ssh_link *backend_open(struct ssh *ssh, const struct ssh_target *target,
                                     struct err *err)
{
	struct link *link = mem_alloc(sizeof(*link));

	(void)ssh;
	(void)target;
	if (!link) {
		err_memory(err);
		return NULL;
	}
	link->fd = -1;
	link->max_channels = LINK_MAX_CHANNELS;
	return &link->base;
}

static void backend_close(struct ssh_link *base)
{
	struct link *link = link_of(base);

	link->is_closed = true;
	if (!link->busy)
		link_free(link);
}

static void backend_free(struct ssh *ssh)
{
	struct backend *backend = (struct backend *)ssh;

	loop_defer_cancel(&backend->next_turn);
	keys_free(backend);
	while (backend->hosts) {
		struct hosts_cache *hosts = backend->hosts;

		backend->hosts = hosts->next;
		known_hosts_release(&hosts->hosts);
		strv_release(&hosts->files);
		mem_free(hosts);
	}
	libssh2_exit();
	mem_free(backend);
}

static struct ssh_channel *channel_new(void)
{
	struct channel *channel = mem_alloc(sizeof(*channel));

	return channel ? &channel->base : NULL;
}

static void wake(struct ssh_channel *base)
{
	struct link *link = link_of(base->link);

	((struct channel *)base)->is_input_awaited = false;
	if (link->state == LINK_READY)
		loop_defer(loop_of(link), &link->pump, link_step, link);
}

static void channel_free(struct ssh_channel *base)
{
	struct channel *channel = (struct channel *)base;
	struct link *link = link_of(base->link);

	loop_timer_stop(&channel->deadline);
	if (link->opening == channel)
		link->opening = NULL;
	if (link->blocked == channel)
		link->blocked = NULL;
	link->generation++;
	secret_wipe(channel->block, channel->block_len);
	mem_free(channel->block);
	mem_free(channel);
}

static const struct ssh_functions functions = {
	.open = backend_open,
	.connect = backend_connect,
	.channel_new = channel_new,
	.wake = wake,
	.channel_free = channel_free,
	.close = backend_close,
	.free = backend_free,
};

struct ssh *ssh_libssh2_new(const struct ssh_options *options, struct err *err)
{
	struct backend *backend = mem_alloc(sizeof(*backend));

	if (!backend) {
		err_memory(err);
		return NULL;
	}
	if (libssh2_init(0)) {
		err_set(err, ERR_FAILED, "ssh: libssh2 does not start");
		mem_free(backend);
		return NULL;
	}
	backend->ssh.functions = &functions;
	backend->ssh.options = *options;
	return &backend->ssh;
}
