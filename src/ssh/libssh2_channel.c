// SPDX-License-Identifier: MIT
// Channels of a connection. libssh2's rule: a call that could not finish its write must be
// repeated, with the same arguments, before any other call that writes; so a link remembers the
// channel that it is blocked on, and the channel which call.
#include <libssh2.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "ssh/libssh2_link.h"

enum {
	WINDOW_BYTES = 2 << 20,
	PACKET_BYTES = 32 << 10,
	OPEN_REST_MS = 100,
	OPEN_RESTS = 100,
};

// What a step of a channel came to.
enum progress {
	PROGRESS_NONE,  // waits for the peer, or for the owner
	PROGRESS_SOME,  // go on
	PROGRESS_BLOCK, // the last call must be repeated first
	PROGRESS_GONE,  // the channels have changed: start over
	PROGRESS_LOST,  // the connection
};

static struct channel *channel_of(struct ssh_channel *base)
{
	return (struct channel *)base;
}

// After a call that returned LIBSSH2_ERROR_EAGAIN.
static enum progress waiting(struct channel *channel, enum channel_call call)
{
	struct link *link = link_of(channel->base.link);

	if (!(libssh2_session_block_directions(link->session) & LIBSSH2_SESSION_BLOCK_OUTBOUND))
		return PROGRESS_NONE;
	link->blocked = channel;
	channel->blocked = call;
	return PROGRESS_BLOCK;
}

static bool is_loss(int code)
{
	return code == LIBSSH2_ERROR_SOCKET_DISCONNECT || code == LIBSSH2_ERROR_SOCKET_RECV ||
	       code == LIBSSH2_ERROR_SOCKET_SEND || code == LIBSSH2_ERROR_BAD_USE ||
	       code == LIBSSH2_ERROR_DECRYPT || code == LIBSSH2_ERROR_INVALID_MAC ||
	       code == LIBSSH2_ERROR_PROTO || code == LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE;
}

// The end

static void on_close_deadline(void *context)
{
	struct channel *channel = context;
	struct link *link = link_of(channel->base.link);
	struct err err = ERR_INIT;

	err_set(&err, ERR_UNREACHABLE, "connection lost: the host does not answer any more");
	link_fail(link, &err, false);
}

// Tells the owner that it is over. The channel closes behind the owner's back.
static enum progress end(struct channel *channel, const struct err *failure)
{
	struct link *link = link_of(channel->base.link);
	unsigned generation = link->generation;
	struct ssh_exit exit = {.status = -1};
	char *signal = NULL;
	size_t len = 0;
	_cleanup_strbuf_ struct strbuf words = STRBUF_INIT(sizeof(exit.signal) - 1);

	if (channel->handle && !failure) {
		exit.status = libssh2_channel_get_exit_status(channel->handle);
		libssh2_channel_get_exit_signal(channel->handle, &signal, &len, NULL, NULL, NULL, NULL);
		text_sanitize(&words, signal ? signal : "", signal && len < 8 ? len : 0, TEXT_ONE_LINE);
		snprintf(exit.signal, sizeof(exit.signal), "%s", strbuf_get(&words));
		if (signal)
			libssh2_free(link->session, signal);
	}
	if (!channel->base.is_cancelled)
		channel->base.events->ended(&channel->base, &exit, failure);
	if (link->is_closed || link->generation != generation)
		return PROGRESS_GONE;
	channel->base.is_cancelled = true;
	return PROGRESS_SOME;
}

static enum progress drop(struct channel *channel)
{
	ssh_channel_free(&channel->base);
	return PROGRESS_GONE;
}

static void start_closing(struct channel *channel)
{
	struct link *link = link_of(channel->base.link);

	channel->state = CHANNEL_CLOSING;
	channel->blocked = CALL_NONE;
	loop_timer_set(loop_of(link), &channel->deadline, LINK_CHANNEL_CLOSE_MS, on_close_deadline,
	               channel);
}

// libssh2_channel_free closes first, and waits for the peer's answer.
static enum progress close_step(struct channel *channel)
{
	int code = libssh2_channel_free(channel->handle);

	if (code == LIBSSH2_ERROR_EAGAIN)
		return waiting(channel, CALL_NONE);
	channel->handle = NULL;
	return is_loss(code) ? PROGRESS_LOST : drop(channel);
}

// The beginning

static void on_open_deadline(void *context)
{
	on_close_deadline(context);
}

static size_t count_open(const struct link *link, enum ssh_channel_kind kind)
{
	size_t count = 0;

	for (const struct ssh_channel *base = link->base.channels; base; base = base->next)
		count += base->kind == kind && ((const struct channel *)base)->state != CHANNEL_QUEUED;
	return count;
}

static enum progress queue_step(struct channel *channel)
{
	struct link *link = link_of(channel->base.link);

	if (channel->base.is_cancelled)
		return drop(channel);
	if (link->opening || channel->is_resting)
		return PROGRESS_NONE;
	if (channel->base.kind == SSH_CHANNEL_EXEC &&
	    count_open(link, SSH_CHANNEL_EXEC) >= link->max_channels)
		return PROGRESS_NONE;
	link->opening = channel;
	channel->state = CHANNEL_OPENING;
	loop_timer_set(loop_of(link), &channel->deadline, LINK_CHANNEL_OPEN_MS, on_open_deadline,
	               channel);
	return PROGRESS_SOME;
}

static void on_rest_over(void *context)
{
	struct channel *channel = context;

	channel->is_resting = false;
	link_step(channel->base.link);
}

// To be opened later: when another one has closed, or after a rest.
static enum progress put_off(struct channel *channel)
{
	struct link *link = link_of(channel->base.link);

	channel->state = CHANNEL_QUEUED;
	channel->is_resting = true;
	loop_timer_set(loop_of(link), &channel->deadline, OPEN_REST_MS, on_rest_over, channel);
	return PROGRESS_NONE;
}

// The server refuses a channel. Where others are open it may allow no more (MaxSessions), and one
// that was closed counts there until its last process has gone.
static enum progress refused(struct channel *channel)
{
	struct link *link = link_of(channel->base.link);
	size_t others = count_open(link, channel->base.kind) - 1;
	_cleanup_err_ struct err err = ERR_INIT;

	loop_timer_stop(&channel->deadline);
	if (channel->base.kind == SSH_CHANNEL_EXEC && others > 0)
		link->max_channels = others;
	if (channel->base.kind == SSH_CHANNEL_EXEC && link->was_opened &&
	    (others > 0 || channel->rests++ < OPEN_RESTS))
		return put_off(channel);
	if (channel->base.kind == SSH_CHANNEL_FORWARD) {
		link_libssh2_failure(link, ERR_UNREACHABLE, "forward", &err);
		err_wrap(&err, "%s:%u", channel->base.host, (unsigned)channel->base.port);
		err_hint(&err, "does the host's sshd allow it (AllowTcpForwarding), and does anything "
		               "listen there?");
	} else {
		link_libssh2_failure(link, ERR_FAILED, "the host refuses a session", &err);
	}
	return end(channel, &err) == PROGRESS_GONE ? PROGRESS_GONE : drop(channel);
}

static enum progress open_step(struct channel *channel)
{
	struct link *link = link_of(channel->base.link);
	struct ssh_channel *base = &channel->base;
	int code;

	if (base->kind == SSH_CHANNEL_EXEC)
		channel->handle = libssh2_channel_open_ex(link->session, "session", 7, WINDOW_BYTES,
		                                          PACKET_BYTES, NULL, 0);
	else
		channel->handle =
			libssh2_channel_direct_tcpip_ex(link->session, base->host, base->port, "127.0.0.1", 22);
	code = channel->handle ? 0 : libssh2_session_last_errno(link->session);
	if (code == LIBSSH2_ERROR_EAGAIN)
		return waiting(channel, CALL_NONE);
	link->opening = NULL;
	if (code)
		return is_loss(code) ? PROGRESS_LOST : refused(channel);
	link->was_opened |= base->kind == SSH_CHANNEL_EXEC;
	channel->state = base->kind == SSH_CHANNEL_EXEC ? CHANNEL_REQUESTING : CHANNEL_RUNNING;
	if (base->kind == SSH_CHANNEL_EXEC)
		return PROGRESS_SOME;
	loop_timer_stop(&channel->deadline);
	if (!base->is_cancelled)
		base->events->opened(base);
	return PROGRESS_GONE; // whatever it did
}

static enum progress request_step(struct channel *channel)
{
	struct link *link = link_of(channel->base.link);
	struct ssh_channel *base = &channel->base;
	_cleanup_err_ struct err err = ERR_INIT;
	int code = libssh2_channel_process_startup(channel->handle, "exec", 4, base->command,
	                                           (unsigned)strlen(base->command));

	if (code == LIBSSH2_ERROR_EAGAIN)
		return waiting(channel, CALL_NONE);
	if (is_loss(code))
		return PROGRESS_LOST;
	loop_timer_stop(&channel->deadline);
	channel->state = CHANNEL_RUNNING;
	if (code) {
		link_libssh2_failure(link, ERR_FAILED, "the host refuses the command", &err);
		return end(channel, &err);
	}
	if (!base->is_cancelled)
		base->events->opened(base);
	return PROGRESS_GONE;
}

// Running

// Asks the owner for the next block.
static enum progress fill(struct channel *channel)
{
	struct link *link = link_of(channel->base.link);
	unsigned generation = link->generation;
	enum ssh_input input;
	size_t len = 0;

	if (!channel->block)
		channel->block = mem_alloc(CHANNEL_BLOCK_BYTES);
	if (!channel->block)
		return PROGRESS_LOST;
	input = channel->base.events->input(&channel->base, channel->block, CHANNEL_BLOCK_BYTES, &len);
	if (link->is_closed || link->generation != generation)
		return PROGRESS_GONE;
	channel->block_len = input == SSH_INPUT_SOME ? len : 0;
	channel->block_sent = 0;
	channel->is_input_over = input == SSH_INPUT_END;
	channel->is_input_awaited = input == SSH_INPUT_LATER;
	return input == SSH_INPUT_LATER ? PROGRESS_NONE : PROGRESS_SOME;
}

static enum progress write_step(struct channel *channel)
{
	ssize_t sent = libssh2_channel_write(channel->handle, channel->block + channel->block_sent,
	                                     channel->block_len - channel->block_sent);

	if (sent == LIBSSH2_ERROR_EAGAIN)
		return waiting(channel, CALL_WRITE);
	if (sent == LIBSSH2_ERROR_CHANNEL_CLOSED || sent == LIBSSH2_ERROR_CHANNEL_EOF_SENT) {
		channel->block_sent = channel->block_len; // nobody reads it any more
		channel->is_input_over = channel->is_eof_sent = true;
		return PROGRESS_SOME;
	}
	if (sent < 0)
		return PROGRESS_LOST;
	channel->block_sent += (size_t)sent;
	if (channel->block_sent == channel->block_len)
		secret_wipe(channel->block, channel->block_len);
	return sent ? PROGRESS_SOME : PROGRESS_NONE; // 0: the window is full
}

static enum progress eof_step(struct channel *channel)
{
	int code = libssh2_channel_send_eof(channel->handle);

	if (code == LIBSSH2_ERROR_EAGAIN)
		return waiting(channel, CALL_SEND_EOF);
	channel->is_eof_sent = true;
	return is_loss(code) ? PROGRESS_LOST : PROGRESS_SOME;
}

static enum progress send_step(struct channel *channel)
{
	if (channel->block_sent < channel->block_len)
		return write_step(channel);
	if (channel->is_eof_sent || channel->is_input_awaited)
		return PROGRESS_NONE;
	return channel->is_input_over ? eof_step(channel) : fill(channel);
}

static enum progress read_step(struct channel *channel, enum ssh_stream stream)
{
	struct link *link = link_of(channel->base.link);
	unsigned generation = link->generation;
	char block[CHANNEL_BLOCK_BYTES];
	ssize_t got = libssh2_channel_read_ex(
		channel->handle, stream == SSH_OUT ? 0 : SSH_EXTENDED_DATA_STDERR, block, sizeof(block));

	if (got == LIBSSH2_ERROR_EAGAIN)
		return waiting(channel, stream == SSH_OUT ? CALL_READ_OUT : CALL_READ_ERR);
	if (got == LIBSSH2_ERROR_CHANNEL_CLOSED || !got)
		return PROGRESS_NONE;
	if (got < 0)
		return PROGRESS_LOST;
	channel->base.events->data(&channel->base, stream, block, (size_t)got);
	return link->is_closed || link->generation != generation ? PROGRESS_GONE : PROGRESS_SOME;
}

static enum progress receive_step(struct channel *channel)
{
	enum progress out = PROGRESS_NONE, err = PROGRESS_NONE;

	if (channel->base.is_paused)
		return PROGRESS_NONE;
	out = read_step(channel, SSH_OUT);
	if (out > PROGRESS_SOME || channel->base.is_paused || channel->base.is_cancelled)
		return out;
	if (channel->base.kind == SSH_CHANNEL_EXEC)
		err = read_step(channel, SSH_ERR);
	if (err > PROGRESS_SOME || channel->base.is_cancelled)
		return err;
	if (out == PROGRESS_NONE && err == PROGRESS_NONE && libssh2_channel_eof(channel->handle))
		return end(channel, NULL);
	return out == PROGRESS_NONE ? err : out;
}

static enum progress run_step(struct channel *channel)
{
	enum progress sent, received;

	if (channel->base.is_cancelled) {
		start_closing(channel);
		return PROGRESS_SOME;
	}
	sent = send_step(channel);
	if (sent > PROGRESS_SOME || channel->base.is_cancelled)
		return sent;
	received = receive_step(channel);
	return received == PROGRESS_NONE ? sent : received;
}

// Repeats the call that the link is blocked on.
static enum progress repeat(struct channel *channel)
{
	enum channel_call call = channel->blocked;

	channel->blocked = CALL_NONE;
	switch (call) { // its progress does not matter: all channels get a round after it
	case CALL_WRITE:
		return write_step(channel);
	case CALL_SEND_EOF:
		return eof_step(channel);
	case CALL_READ_OUT:
		return read_step(channel, SSH_OUT);
	case CALL_READ_ERR:
		return read_step(channel, SSH_ERR);
	default:
		return PROGRESS_SOME; // the state itself repeats it
	}
}

static enum progress channel_step(struct channel *channel)
{
	switch (channel->state) {
	case CHANNEL_QUEUED:
		return queue_step(channel);
	case CHANNEL_OPENING:
		return open_step(channel);
	case CHANNEL_REQUESTING:
		return request_step(channel);
	case CHANNEL_RUNNING:
		return run_step(channel);
	default:
		return close_step(channel);
	}
}

// One round over the channels.
static enum progress pump_once(struct link *link)
{
	enum progress all = PROGRESS_NONE;

	for (struct ssh_channel *base = link->base.channels; base; base = base->next) {
		enum progress one = channel_step(channel_of(base));

		if (one > PROGRESS_SOME)
			return one;
		if (one == PROGRESS_SOME)
			all = PROGRESS_SOME;
	}
	return all;
}

static enum progress unblock(struct link *link)
{
	struct channel *channel = link->blocked;
	enum progress progress;

	link->blocked = NULL;
	progress = repeat(channel);
	if (progress > PROGRESS_SOME)
		return progress;
	return channel->blocked == CALL_NONE && channel->state != CHANNEL_RUNNING
	           ? channel_step(channel)
	           : PROGRESS_SOME;
}

bool link_channels_pump(struct link *link, struct err *err)
{
	enum progress progress = PROGRESS_SOME;

	while (!link->is_closed && (progress == PROGRESS_SOME || progress == PROGRESS_GONE)) {
		if (!link->budget) { // the others' turn
			link->is_starved = true;
			return true;
		}
		link->budget -= link->budget < 64 ? link->budget : 64; // a round is work too
		progress = link->blocked ? unblock(link) : pump_once(link);
	}
	if (progress != PROGRESS_LOST || link->is_closed)
		return true;
	link_libssh2_failure(link, ERR_UNREACHABLE, "connection lost", err);
	return false;
}
