// SPDX-License-Identifier: MIT
#include "ssh/agent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "ssh/keyfile.h"

enum {
	MESSAGE_MAX_BYTES = 256 << 10,
	REQUEST_IDENTITIES = 11,
	IDENTITIES_ANSWER = 12,
	SIGN_REQUEST = 13,
	SIGN_RESPONSE = 14,
	SIGN_RSA_SHA2_256 = 2,
	SIGN_RSA_SHA2_512 = 4,
};

static void add_u32(struct strbuf *out, size_t value)
{
	const char bytes[4] = {(char)(value >> 24 & 255), (char)(value >> 16 & 255),
	                       (char)(value >> 8 & 255), (char)(value & 255)};

	strbuf_add_n(out, bytes, 4);
}

static void add_string(struct strbuf *out, const void *data, size_t len)
{
	add_u32(out, len);
	strbuf_add_n(out, data, len);
}

// The socket

static int connect_to(const char *path, struct err *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd;

	if (strlen(path) >= sizeof(address.sun_path)) {
		err_set(err, ERR_FAILED, "%s: longer than a socket's name may be (%zu bytes)", path,
		        sizeof(address.sun_path) - 1);
		return -1;
	}
	memcpy(address.sun_path, path, strlen(path));
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		err_errno(err, "%s", path);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

static bool wait_for(int fd, short events, int64_t until_ms, struct err *err)
{
	struct pollfd pollfd = {fd, events, 0};
	int64_t left;
	int ready;

	do {
		left = until_ms - clock_system.monotonic_ms(NULL);
		ready = left > 0 ? poll(&pollfd, 1, (int)left) : 0;
	} while (ready < 0 && errno == EINTR);
	return ready > 0 || err_set(err, ERR_FAILED, "the agent does not answer");
}

static bool would_block(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static bool send_all(int fd, const struct strbuf *message, int64_t until_ms, struct err *err)
{
	size_t done = 0;

	while (done < message->len) {
		ssize_t sent = send(fd, message->data + done, message->len - done, MSG_NOSIGNAL);

		if (sent < 0 && !would_block())
			return err_errno(err, "agent");
		if (sent < 0 && !wait_for(fd, POLLOUT, until_ms, err))
			return false;
		done += sent > 0 ? (size_t)sent : 0;
	}
	return true;
}

static bool receive(int fd, struct strbuf *out, size_t len, int64_t until_ms, struct err *err)
{
	char block[4096];

	while (len) {
		ssize_t got = recv(fd, block, len < sizeof(block) ? len : sizeof(block), 0);

		if (!got)
			return err_set(err, ERR_FAILED, "the agent hung up");
		if (got < 0 && !would_block())
			return err_errno(err, "agent");
		if (got < 0 && !wait_for(fd, POLLIN, until_ms, err))
			return false;
		if (got > 0) {
			strbuf_add_n(out, block, (size_t)got);
			len -= (size_t)got;
		}
	}
	return strbuf_ok(out, err);
}

// Sends BODY and appends the body of the answer.
static bool ask_on(int fd, int timeout_ms, const struct strbuf *body, struct strbuf *answer,
                   struct err *err)
{
	int64_t until_ms = clock_system.monotonic_ms(NULL) + timeout_ms;
	_cleanup_strbuf_ struct strbuf message = STRBUF_INIT(MESSAGE_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf header = STRBUF_INIT(4);
	const unsigned char *pos;
	unsigned len;

	add_string(&message, strbuf_get(body), body->len);
	if (!strbuf_ok(body, err) || !strbuf_ok(&message, err) ||
	    !send_all(fd, &message, until_ms, err) || !receive(fd, &header, 4, until_ms, err))
		return false;
	pos = (const unsigned char *)header.data;
	if (!wire_u32(&pos, pos + 4, &len) || !len || len > MESSAGE_MAX_BYTES)
		return err_set(err, ERR_FAILED, "the agent answers nonsense");
	return receive(fd, answer, len, until_ms, err);
}

static bool ask(const char *path, int timeout_ms, const struct strbuf *body, struct strbuf *answer,
                struct err *err)
{
	int fd = connect_to(path, err);
	bool is_ok;

	if (fd < 0)
		return false;
	is_ok = ask_on(fd, timeout_ms, body, answer, err);
	close(fd);
	return is_ok;
}

// Messages

static bool nonsense(struct err *err)
{
	return err_set(err, ERR_FAILED, "the agent answers nonsense");
}

static bool add_key(struct agent_keys *keys, const unsigned char **pos, const unsigned char *end,
                    struct err *err)
{
	size_t key_len, comment_len;
	const unsigned char *key = wire_string(pos, end, &key_len);
	const unsigned char *comment = key ? wire_string(pos, end, &comment_len) : NULL;
	struct agent_key item;

	if (!comment)
		return nonsense(err);
	item.key_len = key_len;
	item.key = mem_dup_n((const char *)key, key_len);
	item.comment = mem_dup_n((const char *)comment, comment_len);
	if (item.key && item.comment && mem_append(&keys->items, &keys->count, &item, sizeof(item)))
		return true;
	mem_free(item.key);
	mem_free(item.comment);
	return err_memory(err);
}

bool agent_list(const char *path, int timeout_ms, struct agent_keys *ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf request = STRBUF_INIT(1),
								   answer = STRBUF_INIT(MESSAGE_MAX_BYTES);
	const unsigned char *pos, *end;
	unsigned count;

	*ret = (struct agent_keys){0};
	strbuf_add_char(&request, REQUEST_IDENTITIES);
	if (!ask(path, timeout_ms, &request, &answer, err))
		return false;
	pos = (const unsigned char *)answer.data;
	end = pos + answer.len;
	if (*pos++ != IDENTITIES_ANSWER || !wire_u32(&pos, end, &count))
		return nonsense(err);
	for (; count && ret->count < AGENT_MAX_KEYS; count--) {
		if (!add_key(ret, &pos, end, err)) {
			agent_keys_release(ret);
			return false;
		}
	}
	return true;
}

static size_t sign_flags(const char *algorithm)
{
	if (!strcmp(algorithm, "rsa-sha2-256"))
		return SIGN_RSA_SHA2_256;
	return strcmp(algorithm, "rsa-sha2-512") != 0 ? 0 : SIGN_RSA_SHA2_512;
}

bool agent_sign(const char *path, int timeout_ms, const void *key, size_t key_len, const void *data,
                size_t len, const char *algorithm, struct strbuf *ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf request = STRBUF_INIT(MESSAGE_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf answer = STRBUF_INIT(MESSAGE_MAX_BYTES);
	const unsigned char *pos, *end, *blob, *signature;
	size_t blob_len, name_len, signature_len;

	strbuf_add_char(&request, SIGN_REQUEST);
	add_string(&request, key, key_len);
	add_string(&request, data, len);
	add_u32(&request, sign_flags(algorithm));
	if (!ask(path, timeout_ms, &request, &answer, err))
		return false;
	pos = (const unsigned char *)answer.data;
	end = pos + answer.len;
	if (*pos++ != SIGN_RESPONSE)
		return err_set(err, ERR_AUTH, "the agent refuses to sign");
	blob = wire_string(&pos, end, &blob_len);
	if (!blob)
		return nonsense(err);
	end = blob + blob_len;
	if (!wire_string(&blob, end, &name_len))
		return nonsense(err);
	signature = wire_string(&blob, end, &signature_len);
	if (!signature)
		return nonsense(err);
	strbuf_add_n(ret, (const char *)signature, signature_len);
	return strbuf_ok(ret, err);
}

void agent_keys_release(struct agent_keys *keys)
{
	for (size_t i = 0; i < keys->count; i++) {
		mem_free(keys->items[i].key);
		mem_free(keys->items[i].comment);
	}
	mem_free(keys->items);
	*keys = (struct agent_keys){0};
}
