// SPDX-License-Identifier: MIT
#include "boot/tunnel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"

enum { BUFFER_BYTES = 32 << 10, CONNECTIONS_MAX = 32 };

// One direction of a connection.
struct flow {
	struct pipe *pipe;
	int from, to;
	char data[BUFFER_BYTES];
	size_t len, sent;
	bool is_ended; // no more comes
	bool is_shut;  // and that was told
	struct loop_watch in, out;
};

struct pipe {
	struct pipe *next;
	struct boot_tunnel *tunnel;
	uint64_t forward;
	int fds[2]; // accepted; the forward's end
	struct flow flows[2];
	bool is_dead;
};

struct boot_tunnel {
	struct loop *loop;
	struct ssh_link *link;
	char *host;
	uint16_t port;
	int fd;
	struct loop_watch watch;
	struct pipe *pipes;
	size_t count;
};

static void pipe_free(struct pipe *pipe)
{
	struct pipe **at = &pipe->tunnel->pipes;

	while (*at != pipe)
		at = &(*at)->next;
	*at = pipe->next;
	pipe->tunnel->count--;
	for (size_t i = 0; i < 2; i++) {
		loop_unwatch(&pipe->flows[i].in);
		loop_unwatch(&pipe->flows[i].out);
	}
	ssh_cancel(pipe->tunnel->link, pipe->forward);
	close(pipe->fds[0]);
	close(pipe->fds[1]);
	mem_free(pipe);
}

static void on_ready(void *data, short ready);

// Waits for what the flow needs next: room at its end, or something at its start.
static void flow_watch(struct flow *flow)
{
	struct loop *loop = flow->pipe->tunnel->loop;

	loop_unwatch(&flow->in);
	loop_unwatch(&flow->out);
	if (flow->len > flow->sent)
		loop_watch(loop, &flow->out, flow->to, POLLOUT, on_ready, flow);
	else if (!flow->is_ended)
		loop_watch(loop, &flow->in, flow->from, POLLIN, on_ready, flow);
}

static bool would_wait(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

// False: the connection is broken.
static bool flow_pump(struct flow *flow)
{
	ssize_t got;

	if (flow->len == flow->sent && !flow->is_ended) {
		got = read(flow->from, flow->data, sizeof(flow->data));
		if (got < 0)
			return would_wait();
		flow->len = (size_t)got;
		flow->sent = 0;
		flow->is_ended = !got;
	}
	while (flow->sent < flow->len) {
		got = send(flow->to, flow->data + flow->sent, flow->len - flow->sent, MSG_NOSIGNAL);
		if (got < 0)
			return would_wait();
		flow->sent += (size_t)got;
	}
	if (flow->is_ended && !flow->is_shut) {
		shutdown(flow->to, SHUT_WR);
		flow->is_shut = true;
	}
	return true;
}

static void on_ready(void *data, short ready)
{
	struct flow *flow = data;
	struct pipe *pipe = flow->pipe;

	(void)ready;
	if (!flow_pump(flow) || (pipe->flows[0].is_shut && pipe->flows[1].is_shut)) {
		pipe_free(pipe);
		return;
	}
	flow_watch(flow);
}

static void set_flow(struct pipe *pipe, size_t index)
{
	struct flow *flow = &pipe->flows[index];

	flow->pipe = pipe;
	flow->from = pipe->fds[index];
	flow->to = pipe->fds[1 - index];
}

static bool make_ready(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && !fcntl(fd, F_SETFL, flags | O_NONBLOCK) && !fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static void on_connection(void *data, short ready)
{
	struct boot_tunnel *tunnel = data;
	int fd = accept(tunnel->fd, NULL, NULL);
	struct pipe *pipe =
		fd < 0 || tunnel->count >= CONNECTIONS_MAX ? NULL : mem_alloc(sizeof(*pipe));
	_cleanup_err_ struct err ignored = ERR_INIT; // whoever connected sees the end of it

	(void)ready;
	if (!pipe || !make_ready(fd) ||
	    !ssh_forward(tunnel->link, tunnel->host, tunnel->port, NULL, NULL, &pipe->forward,
	                 &pipe->fds[1], &ignored)) {
		mem_free(pipe);
		if (fd >= 0)
			close(fd);
		return;
	}
	pipe->tunnel = tunnel;
	pipe->fds[0] = fd;
	pipe->next = tunnel->pipes;
	tunnel->pipes = pipe;
	tunnel->count++;
	for (size_t i = 0; i < 2; i++) {
		set_flow(pipe, i);
		flow_watch(&pipe->flows[i]);
	}
	if (!make_ready(pipe->fds[1]))
		pipe_free(pipe);
}

static int listen_here(uint16_t *ret_port, struct err *err)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd >= 0 && make_ready(fd) && !bind(fd, (struct sockaddr *)&address, len) &&
	    !listen(fd, 16) && !getsockname(fd, (struct sockaddr *)&address, &len)) {
		*ret_port = ntohs(address.sin_port);
		return fd;
	}
	err_errno(err, "a port on 127.0.0.1");
	if (fd >= 0)
		close(fd);
	return -1;
}

struct boot_tunnel *boot_tunnel_open(struct loop *loop, struct ssh_link *link, const char *host,
                                     uint16_t port, uint16_t *ret_port, struct err *err)
{
	struct boot_tunnel *tunnel = mem_alloc(sizeof(*tunnel));

	if (!tunnel) {
		err_memory(err);
		return NULL;
	}
	*tunnel = (struct boot_tunnel){.loop = loop, .link = link, .port = port, .fd = -1};
	tunnel->host = mem_dup(host);
	if (tunnel->host)
		tunnel->fd = listen_here(ret_port, err);
	else
		err_memory(err);
	if (tunnel->fd < 0) {
		boot_tunnel_close(tunnel);
		return NULL;
	}
	loop_watch(loop, &tunnel->watch, tunnel->fd, POLLIN, on_connection, tunnel);
	return tunnel;
}

void boot_tunnel_close(struct boot_tunnel *tunnel)
{
	if (!tunnel)
		return;
	while (tunnel->pipes)
		pipe_free(tunnel->pipes);
	loop_unwatch(&tunnel->watch);
	if (tunnel->fd >= 0)
		close(tunnel->fd);
	mem_free(tunnel->host);
	mem_free(tunnel);
}

void boot_tunnel_closep(struct boot_tunnel **tunnel)
{
	boot_tunnel_close(*tunnel);
}
