// SPDX-License-Identifier: MIT
// The way to a host: addresses or a jump host, the socket, and what is next in each state.
#include <errno.h>
#include <fcntl.h>
#include <libssh2.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ssh/forward.h"
#include "ssh/libssh2_link.h"

static void fail(struct link *link, enum err_kind kind, bool is_retry, const char *format, ...)
	_printf_(4, 5);
static void fail(struct link *link, enum err_kind kind, bool is_retry, const char *format, ...)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);
	struct err err = ERR_INIT;
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	err_set(&err, kind, "%s", strbuf_get(&text));
	link_fail(link, &err, is_retry);
}

// Deadlines

static const char *state_text(const struct link *link)
{
	switch (link->state) {
	case LINK_RESOLVING:
		return "looking up the name";
	case LINK_HANDSHAKE:
		return link_has_version(link) ? "exchanging keys"
		                              : "waiting for the server to say that it speaks SSH";
	case LINK_AUTH:
		return "logging in";
	default:
		return "connecting";
	}
}

static void on_deadline(void *context)
{
	struct link *link = context;

	fail(link, ERR_UNREACHABLE, false, "%s:%u: timed out while %s", link->base.address,
	     (unsigned)link->base.port, state_text(link));
}

static void set_deadline(struct link *link, int64_t ms)
{
	loop_timer_set(loop_of(link), &link->deadline, ms, on_deadline, link);
}

// The socket

static void close_socket(struct link *link)
{
	loop_unwatch(&link->watch);
	if (link->fd >= 0)
		close(link->fd);
	link->fd = -1;
}

// Small packets go at once, and a peer that is gone is noticed by the kernel too.
static void set_tcp_options(int fd)
{
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &(int){1}, sizeof(int));
#ifdef TCP_USER_TIMEOUT
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &(int){LINK_SILENT_MS}, sizeof(int));
#endif
}

static void begin_session(struct link *link)
{
	struct err err = ERR_INIT;

	loop_unwatch(&link->watch);
	link->state = LINK_HANDSHAKE;
	set_deadline(link, link->base.ssh->options.banner_ms);
	if (link_session_begin(link, &err))
		link_step(link);
	else
		link_fail(link, &err, false);
}

static void connect_next(struct link *link, int last_errno);

static void on_connected(void *context, short ready)
{
	struct link *link = context;
	int code = 0;
	socklen_t len = sizeof(code);

	(void)ready;
	if (getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &code, &len))
		code = errno;
	if (!code) {
		begin_session(link);
		return;
	}
	close_socket(link);
	connect_next(link, code);
}

static void on_address_deadline(void *context)
{
	struct link *link = context;

	close_socket(link);
	connect_next(link, ETIMEDOUT);
}

static size_t count_addresses(const struct addrinfo *address)
{
	size_t count = 0;

	for (; address; address = address->ai_next)
		count++;
	return count;
}

// Starts on one address; false with errno set where that fails at once.
static bool connect_to(struct link *link, const struct addrinfo *address)
{
	link->fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
	if (link->fd < 0)
		return false;
	fcntl(link->fd, F_SETFD, FD_CLOEXEC);
	fcntl(link->fd, F_SETFL, O_NONBLOCK);
	set_tcp_options(link->fd);
	if (connect(link->fd, address->ai_addr, address->ai_addrlen) && errno != EINPROGRESS)
		return false;
	loop_watch(loop_of(link), &link->watch, link->fd, POLLOUT, on_connected, link);
	return true;
}

// Tries the addresses that are left, each with an equal share of the time that is left.
static void connect_next(struct link *link, int last_errno)
{
	int64_t left = link->connect_until_ms - clock_system.monotonic_ms(NULL);

	while (link->address && left > 0) {
		const struct addrinfo *address = link->address;
		size_t count = count_addresses(address);

		link->address = address->ai_next;
		if (connect_to(link, address)) {
			loop_timer_set(loop_of(link), &link->deadline, left / (int64_t)count,
			               on_address_deadline, link);
			return;
		}
		last_errno = errno;
		close_socket(link);
	}
	fail(link, ERR_UNREACHABLE, last_errno == ECONNRESET, "connect %s:%u: %s", link->base.address,
	     (unsigned)link->base.port, last_errno == ETIMEDOUT ? "timed out" : strerror(last_errno));
}

static void on_resolved(void *context, struct addrinfo *addresses, const struct err *failure)
{
	struct link *link = context;
	struct err err = ERR_INIT;

	link->resolve = NULL;
	if (failure) {
		ssh_copy_error(&err, failure);
		link_fail(link, &err, false);
		return;
	}
	link->addresses = link->address = addresses;
	link->state = LINK_CONNECTING;
	connect_next(link, ETIMEDOUT);
}

// The jump host

static void on_jump_opened(void *context)
{
	begin_session(context);
}

static void on_jump_ended(void *context, const struct err *failure)
{
	struct link *link = context;
	struct err err = ERR_INIT;

	link->jump_id = 0;
	if (!failure)
		return; // the socket tells
	ssh_copy_error(&err, failure);
	err_wrap(&err, "jump host %s", ssh_name(link->base.jump));
	link_fail(link, &err, false);
}

static bool jump(struct link *link, struct err *err)
{
	struct ssh_forward_calls calls = {on_jump_opened, on_jump_ended, link};

	link->state = LINK_JUMPING;
	if (!ssh_forward_open(link->base.jump, link->base.address, link->base.port, &calls,
	                      &link->jump_id, &link->fd, err))
		return false;
	fcntl(link->fd, F_SETFL, O_NONBLOCK);
	return true;
}

void link_connect(struct link *link)
{
	struct err err = ERR_INIT;
	int64_t limit_ms = link->base.ssh->options.connect_ms;

	ssh_log(&link->base, "connecting to %s:%u%s%s", link->base.address, (unsigned)link->base.port,
	        link->base.jump ? " through " : "", link->base.jump ? ssh_name(link->base.jump) : "");
	if (link->base.jump) {
		if (!jump(link, &err))
			link_fail(link, &err, false);
		return;
	}
	link->state = LINK_RESOLVING;
	link->connect_until_ms = clock_system.monotonic_ms(NULL) + limit_ms;
	set_deadline(link, limit_ms);
	link->resolve =
		resolve_start(loop_of(link), link->base.address, link->base.port, on_resolved, link, &err);
	if (!link->resolve)
		link_fail(link, &err, false);
}

void link_disconnect(struct link *link)
{
	link_auth_release(link);
	link_session_end(link);
	loop_timer_stop(&link->deadline);
	loop_timer_stop(&link->alive);
	loop_defer_cancel(&link->pump);
	resolve_cancel(link->resolve);
	link->resolve = NULL;
	if (link->addresses)
		freeaddrinfo(link->addresses);
	link->addresses = link->address = NULL;
	close_socket(link);
	if (link->jump_id)
		ssh_cancel(link->base.jump, link->jump_id);
	link->jump_id = 0;
	link->blocked = link->opening = NULL;
	link->max_channels = LINK_MAX_CHANNELS;
	link->was_opened = false;
}

// What is next

static void on_ready(void *context, short ready)
{
	(void)ready;
	link_step(context);
}

static void watch(struct link *link)
{
	int directions = libssh2_session_block_directions(link->session);
	// libssh2 reads for channels alone: what comes in on a link without one would wake the loop for ever
	short events = link->state == LINK_READY && !link->base.channels ? 0 : POLLIN;

	if (directions & LIBSSH2_SESSION_BLOCK_OUTBOUND)
		events |= POLLOUT;
	loop_watch(loop_of(link), &link->watch, link->fd, events, on_ready, link);
	if (link->is_starved)
		loop_defer(loop_of(link), &link->pump, link_step, link);
}

static bool has_paused_channel(const struct link *link)
{
	for (const struct ssh_channel *channel = link->base.channels; channel; channel = channel->next)
		if (channel->is_paused)
			return true;
	return false;
}

// Asks the server for a sign of life. One that says nothing for long is gone, unless we do not
// listen.
static void on_alive(void *context)
{
	struct link *link = context;
	int64_t silent_ms = loop_now_ms(loop_of(link)) - link->heard_ms;
	int unused;

	if (!link->base.channels)
		link->heard_ms = loop_now_ms(loop_of(link)); // nobody listens
	else if (silent_ms > LINK_SILENT_MS && !has_paused_channel(link)) {
		fail(link, ERR_UNREACHABLE, false, "connection lost: the host is silent since %d s",
		     (int)(silent_ms / 1000));
		return;
	}
	if (!link->blocked)
		libssh2_keepalive_send(link->session, &unused);
	loop_timer_set(loop_of(link), &link->alive, LINK_ALIVE_MS, on_alive, link);
	watch(link);
}

static void become_ready(struct link *link)
{
	link->state = LINK_READY;
	link_auth_release(link);
	loop_timer_stop(&link->deadline);
	loop_timer_set(loop_of(link), &link->alive, LINK_ALIVE_MS, on_alive, link);
	ssh_log(&link->base, "logged in as %s", link->base.user);
	link_next_turn(backend_of(link));
	ssh_link_connected(&link->base);
}

// One step in the link's state; true if the next one can follow at once.
static bool step(struct link *link, bool *ret_retry, struct err *err)
{
	enum step result;

	if (link->state == LINK_HANDSHAKE) {
		bool had_version = link_has_version(link);

		result = link_handshake_step(link, ret_retry, err);
		if (result == STEP_WAIT && !had_version && link_has_version(link))
			set_deadline(link, link->base.ssh->options.auth_ms); // a step of its own
		if (result != STEP_DONE)
			return false;
		*ret_retry = false;
		if (!link_check_host_key(link, err) || !link_auth_begin(link, err))
			return false;
		link->state = LINK_AUTH;
		set_deadline(link, link->base.ssh->options.auth_ms);
		return true;
	}
	if (link->state == LINK_AUTH) {
		result = link_auth_step(link, ret_retry, err);
		if (result == STEP_DONE)
			become_ready(link);
		return result == STEP_DONE && !link->is_closed;
	}
	if (link->base.waiters)
		ssh_link_connected(&link->base);
	if (!link->is_closed && !link_channels_pump(link, err) && err->kind == ERR_NONE)
		err_set(err, ERR_UNREACHABLE, "connection lost");
	return false;
}

void link_step(void *context)
{
	struct link *link = context;
	struct err err = ERR_INIT;
	bool is_retry = false;

	if (link->state < LINK_HANDSHAKE)
		return;
	link_enter(link);
	link->budget = LINK_TURN_BYTES;
	link->is_starved = false;
	while (step(link, &is_retry, &err))
		continue;
	if (link->is_closed)
		err_clear(&err);
	else if (err.kind != ERR_NONE)
		link_fail(link, &err, is_retry);
	else if (link->session)
		watch(link);
	link_leave(link);
}
