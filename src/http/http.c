// SPDX-License-Identifier: MIT
#include "http/http.h"

#include <errno.h>

#include "base/mem.h"

enum { FEW_FDS = 64 };

bool http_start(struct http *http, const struct http_request *request, uint64_t *ret_id,
                struct err *err)
{
	return http->functions->start(http, request, ret_id, err);
}

void http_cancel(struct http *http, uint64_t id)
{
	http->functions->cancel(http, id);
}

size_t http_poll_fds(struct http *http, struct pollfd *fds, size_t max)
{
	return http->functions->poll_fds(http, fds, max);
}

int http_poll_timeout(struct http *http)
{
	return http->functions->poll_timeout(http);
}

bool http_dispatch(struct http *http, const struct pollfd *fds, size_t count, struct err *err)
{
	return http->functions->dispatch(http, fds, count, err);
}

bool http_run(struct http *http, int timeout_ms, struct err *err)
{
	struct pollfd few[FEW_FDS], *fds = few;
	_cleanup_free_ struct pollfd *many = NULL;
	size_t count = http_poll_fds(http, few, FEW_FDS);
	int due_ms = http_poll_timeout(http);

	if (count > FEW_FDS) {
		fds = many = mem_alloc(count * sizeof(*many));
		if (!many)
			return err_memory(err);
		count = http_poll_fds(http, many, count);
	}
	if (due_ms >= 0 && (timeout_ms < 0 || due_ms < timeout_ms))
		timeout_ms = due_ms;
	if (poll(fds, (nfds_t)count, timeout_ms) < 0) {
		if (errno != EINTR)
			return err_errno(err, "poll");
		count = 0;
	}
	return http_dispatch(http, fds, count, err);
}

void http_free(struct http *http)
{
	if (http)
		http->functions->free(http);
}

void http_freep(struct http **http)
{
	http_free(*http);
}
