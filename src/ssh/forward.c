// SPDX-License-Identifier: MIT
// Streams: a pair of local sockets, one end of which is pumped to and from a channel.
#include "ssh/forward.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "ssh/backend.h"

struct forward {
	struct ssh_channel *channel;
	struct ssh_forward_calls calls;
	int fd; // our end
	struct loop_watch watch;
	bool wants_input; // the channel waits for something to send
	bool is_hung_up;  // the other local end is closed, not only its writing side
	char *pending;    // what the local end does not take yet
	size_t pending_len, pending_sent;
};

static void forward_free(void *owner)
{
	struct forward *forward = owner;

	loop_unwatch(&forward->watch);
	if (forward->fd >= 0)
		close(forward->fd);
	mem_free(forward->pending);
	mem_free(forward);
}

static void on_ready(void *context, short ready);

static void watch(struct forward *forward)
{
	short events = 0;

	if (forward->wants_input)
		events |= POLLIN;
	if (forward->pending_len)
		events |= POLLOUT;
	loop_watch(forward->channel->link->ssh->options.loop, &forward->watch, forward->fd, events,
	           on_ready, forward);
}

static void finish(struct forward *forward, const struct err *failure)
{
	struct ssh_channel *channel = forward->channel;
	struct ssh_forward_calls calls = forward->calls;

	channel->owner = NULL;
	ssh_channel_end(channel);
	forward_free(forward);
	if (calls.ended)
		calls.ended(calls.context, failure);
}

// How much of DATA the local end took; -1 if it is closed.
static ssize_t write_some(struct forward *forward, const char *data, size_t len)
{
	ssize_t sent = send(forward->fd, data, len, MSG_NOSIGNAL);

	if (sent >= 0)
		return sent;
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
}

// Writes what is pending; false if the stream is over.
static bool flush(struct forward *forward)
{
	ssize_t sent = write_some(forward, forward->pending + forward->pending_sent,
	                          forward->pending_len - forward->pending_sent);

	if (sent < 0)
		return false;
	forward->pending_sent += (size_t)sent;
	if (forward->pending_sent < forward->pending_len)
		return true;
	mem_free(forward->pending);
	forward->pending = NULL;
	forward->pending_len = forward->pending_sent = 0;
	forward->channel->is_paused = false;
	forward->channel->link->ssh->functions->wake(forward->channel);
	return true;
}

static void on_ready(void *context, short ready)
{
	struct forward *forward = context;

	if (forward->pending_len && !flush(forward)) {
		finish(forward, NULL);
		return;
	}
	forward->is_hung_up |= (ready & (POLLHUP | POLLERR)) != 0;
	if (ready & (POLLIN | POLLHUP | POLLERR)) {
		forward->wants_input = false;
		forward->channel->link->ssh->functions->wake(forward->channel);
	}
	watch(forward);
}

static void opened(struct ssh_channel *channel)
{
	struct forward *forward = channel->owner;

	if (forward->calls.opened)
		forward->calls.opened(forward->calls.context);
}

static void data(struct ssh_channel *channel, enum ssh_stream stream, const char *bytes, size_t len)
{
	struct forward *forward = channel->owner;
	_cleanup_err_ struct err err = ERR_INIT;
	ssize_t sent;

	if (stream != SSH_OUT)
		return; // a forward has one stream
	sent = write_some(forward, bytes, len);
	if (sent < 0) {
		finish(forward, NULL);
		return;
	}
	if ((size_t)sent == len)
		return;
	forward->pending = mem_dup_n(bytes + sent, len - (size_t)sent);
	if (!forward->pending) {
		err_memory(&err);
		finish(forward, &err);
		return;
	}
	forward->pending_len = len - (size_t)sent;
	channel->is_paused = true;
	watch(forward);
}

static enum ssh_input input(struct ssh_channel *channel, char *bytes, size_t max, size_t *ret_len)
{
	struct forward *forward = channel->owner;
	ssize_t got = recv(forward->fd, bytes, max, 0);

	if (got > 0) {
		*ret_len = (size_t)got;
		return SSH_INPUT_SOME;
	}
	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
		forward->wants_input = true;
		watch(forward);
		return SSH_INPUT_LATER;
	}
	if (forward->is_hung_up)
		finish(forward, NULL); // nobody would read what still comes
	return SSH_INPUT_END;
}

static void ended(struct ssh_channel *channel, const struct ssh_exit *exit,
                  const struct err *failure)
{
	(void)exit;
	finish(channel->owner, failure);
}

static const struct ssh_channel_events events = {opened, data, input, ended};

static bool make_pair(int pair[2], struct err *err)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return err_errno(err, "socketpair");
	for (size_t i = 0; i < 2; i++)
		fcntl(pair[i], F_SETFD, FD_CLOEXEC);
	fcntl(pair[0], F_SETFL, O_NONBLOCK);
	return true;
}

static struct forward *forward_new(struct ssh_link *link, const char *host, uint16_t port,
                                   struct err *err)
{
	struct forward *forward = mem_alloc(sizeof(*forward));
	struct ssh_channel *channel = forward ? ssh_channel_new(link, err) : NULL;

	if (!channel) {
		mem_free(forward);
		err_memory(err);
		return NULL;
	}
	forward->channel = channel;
	forward->fd = -1;
	channel->kind = SSH_CHANNEL_FORWARD;
	channel->events = &events;
	channel->owner = forward;
	channel->free_owner = forward_free;
	channel->port = port;
	channel->host = mem_dup(host);
	if (channel->host)
		return forward;
	ssh_channel_free(channel);
	err_memory(err);
	return NULL;
}

bool ssh_forward_open(struct ssh_link *link, const char *host, uint16_t port,
                      const struct ssh_forward_calls *calls, uint64_t *ret_id, int *ret_fd,
                      struct err *err)
{
	struct forward *forward = forward_new(link, host, port, err);
	int pair[2];

	if (!forward)
		return err_wrap(err, "ssh");
	if (!make_pair(pair, err)) {
		ssh_channel_free(forward->channel);
		return err_wrap(err, "ssh");
	}
	forward->fd = pair[0];
	forward->calls = *calls;
	*ret_id = forward->channel->id;
	*ret_fd = pair[1];
	ssh_channel_start(forward->channel);
	return true;
}

bool ssh_forward(struct ssh_link *link, const char *host, uint16_t port,
                 void (*ended_call)(void *context, const struct err *failure), void *context,
                 uint64_t *ret_id, int *ret_fd, struct err *err)
{
	struct ssh_forward_calls calls = {.ended = ended_call, .context = context};

	return ssh_forward_open(link, host, port, &calls, ret_id, ret_fd, err);
}
