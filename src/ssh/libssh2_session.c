// SPDX-License-Identifier: MIT
// The session: which algorithms it may use, how it reads and writes, and the handshake.
#include <errno.h>
#include <libssh2.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "ssh/kexinit.h"
#include "ssh/libssh2_link.h"

// Elliptic curves only: in the other methods the server chooses numbers that old libssh2 does not
// check well. No SHA-1, MD5 or CBC. Names that a libssh2 does not know are skipped by it.
static const char kex_methods[] =
	"curve25519-sha256,curve25519-sha256@libssh.org,ecdh-sha2-nistp256,ecdh-sha2-nistp384,"
	"ecdh-sha2-nistp521";
static const char host_key_methods[] =
	"ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,rsa-sha2-512,"
	"rsa-sha2-256";
static const char ciphers[] =
	"chacha20-poly1305@openssh.com,aes256-gcm@openssh.com,aes128-gcm@openssh.com,aes256-ctr,"
	"aes192-ctr,aes128-ctr";
static const char macs[] =
	"hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com,hmac-sha2-256,hmac-sha2-512";

static const struct {
	int method;
	const char *names;
	const char *what;
} methods[KEXINIT_LISTS] = {
	[KEXINIT_KEX] = {LIBSSH2_METHOD_KEX, kex_methods, "key exchanges"},
	[KEXINIT_HOST_KEY] = {LIBSSH2_METHOD_HOSTKEY, host_key_methods, "host keys"},
	[KEXINIT_CIPHER_OUT] = {LIBSSH2_METHOD_CRYPT_CS, ciphers, "ciphers"},
	[KEXINIT_CIPHER_IN] = {LIBSSH2_METHOD_CRYPT_SC, ciphers, "ciphers"},
	[KEXINIT_MAC_OUT] = {LIBSSH2_METHOD_MAC_CS, macs, "MACs"},
	[KEXINIT_MAC_IN] = {LIBSSH2_METHOD_MAC_SC, macs, "MACs"},
};

// Reading and writing

static void sniff(struct link *link, const void *data, size_t len)
{
	size_t room = LINK_SNIFF_BYTES - link->sniffed_len;

	if (!link->sniffed)
		return;
	if (len > room)
		len = room;
	memcpy(link->sniffed + link->sniffed_len, data, len);
	link->sniffed_len += len;
}

// A peer that sends without end would keep libssh2 busy inside one call: each turn has a budget,
// after which there seems to be nothing left for now.
static ssize_t on_receive(libssh2_socket_t fd, void *buffer, size_t len, int flags, void **abstract)
{
	struct link *link = *abstract;
	ssize_t got;

	if (link->is_dead)
		return -ECONNRESET;
	if (!link->budget) {
		link->is_starved = true;
		return -EAGAIN;
	}
	got = recv(fd, buffer, len, flags);
	if (got < 0)
		return errno == EWOULDBLOCK || errno == EINTR ? -EAGAIN : -errno;
	link->budget -= (size_t)got < link->budget ? (size_t)got : link->budget;
	link->heard_ms = loop_now_ms(loop_of(link));
	if (link->state == LINK_HANDSHAKE)
		sniff(link, buffer, (size_t)got);
	return got;
}

static ssize_t on_send(libssh2_socket_t fd, const void *buffer, size_t len, int flags,
                       void **abstract)
{
	const struct link *link = *abstract;
	ssize_t sent;

	if (link->is_dead)
		return -EPIPE;
	sent = send(fd, buffer, len, flags | MSG_NOSIGNAL);
	if (sent < 0)
		return errno == EWOULDBLOCK || errno == EINTR ? -EAGAIN : -errno;
	return sent;
}

static void set_callback(LIBSSH2_SESSION *session, int type, void (*callback)(void))
{
#if LIBSSH2_VERSION_NUM >= 0x010b01
	libssh2_session_callback_set2(session, type, (libssh2_cb_generic *)callback);
#else
	union {
		void (*function)(void);
		void *object;
	} pun = {callback};

	libssh2_session_callback_set(session, type, pun.object);
#endif
}

// Choosing

static bool is_supported(const char *const *supported, int count, const char *name, size_t len)
{
	for (int i = 0; i < count; i++)
		if (strlen(supported[i]) == len && !memcmp(supported[i], name, len))
			return true;
	return false;
}

// Those of NAMES that this libssh2 knows, in the same order.
static void add_supported(const struct link *link, int method, const char *names,
                          struct strbuf *out)
{
	const char **supported = NULL;
	int count = libssh2_session_supported_algs(link->session, method, &supported);

	while (*names) {
		size_t len = strcspn(names, ",");

		if (is_supported(supported, count, names, len)) {
			if (out->len)
				strbuf_add_char(out, ',');
			strbuf_add_n(out, names, len);
		}
		names += len + (names[len] == ',');
	}
	if (supported)
		libssh2_free(link->session, supported);
}

// libssh2 leaves out names that it does not know by itself, but 1.10 does so with memcpy on
// memory that overlaps.
bool link_set_methods(struct link *link, int method, const char *names)
{
	_cleanup_strbuf_ struct strbuf known = STRBUF_INIT(2048);

	add_supported(link, method, names, &known);
	return known.len && !known.failed &&
	       !libssh2_session_method_pref(link->session, method, strbuf_get(&known));
}

// Begin and end

bool link_session_begin(struct link *link, struct err *err)
{
	link->sniffed = mem_alloc(LINK_SNIFF_BYTES);
	link->sniffed_len = 0;
	link->is_dead = false;
	link->session = link->sniffed ? libssh2_session_init_ex(NULL, NULL, NULL, link) : NULL;
	if (!link->session)
		return err_memory(err);
	libssh2_session_set_blocking(link->session, 0);
	set_callback(link->session, LIBSSH2_CALLBACK_RECV, (void (*)(void))on_receive);
	set_callback(link->session, LIBSSH2_CALLBACK_SEND, (void (*)(void))on_send);
	for (size_t i = 0; i < COUNT_OF(methods); i++)
		if (!link_set_methods(link, methods[i].method, methods[i].names))
			return err_set(err, ERR_FAILED, "libssh2 %s knows none of our %s", libssh2_version(0),
			               methods[i].what);
	link_prefer_known_host_keys(link);
	libssh2_keepalive_config(link->session, 1, LINK_ALIVE_MS / 1000);
	link->heard_ms = loop_now_ms(loop_of(link));
	return true;
}

// libssh2 would say good-bye to each channel first. The peer may never answer, so the socket is
// dead to it; what it still tries fails at once.
void link_session_end(struct link *link)
{
	if (link->session && link->state == LINK_READY && !link->blocked && !link->is_dead)
		libssh2_session_disconnect(link->session, "done");
	link->is_dead = true;
	if (link->session)
		for (int i = 0; i < 1000 && libssh2_session_free(link->session); i++)
			continue;
	link->session = NULL;
	mem_free(link->sniffed);
	link->sniffed = NULL;
	link->sniffed_len = 0;
}

// The handshake

bool link_has_version(const struct link *link)
{
	for (size_t i = 0; i + 4 <= link->sniffed_len; i++)
		if ((!i || link->sniffed[i - 1] == '\n') && !memcmp(link->sniffed + i, "SSH-", 4))
			return true;
	return false;
}

static bool explain_no_common(const struct link *link, struct err *err)
{
	struct strbuf known[KEXINIT_LISTS];
	const char *ours[KEXINIT_LISTS];
	_cleanup_strbuf_ struct strbuf theirs = STRBUF_INIT(4096);
	enum kexinit_list list;

	for (size_t i = 0; i < KEXINIT_LISTS; i++) {
		known[i] = (struct strbuf)STRBUF_INIT(2048);
		add_supported(link, methods[i].method, methods[i].names, &known[i]);
		ours[i] = strbuf_get(&known[i]);
	}
	list = kexinit_mismatch(link->sniffed, link->sniffed_len, ours, &theirs);
	for (size_t i = 0; i < KEXINIT_LISTS; i++)
		strbuf_release(&known[i]);
	if (list == KEXINIT_LISTS)
		return false;
	err_set(err, list == KEXINIT_HOST_KEY ? ERR_AUTH : ERR_FAILED,
	        "libssh2 %s can use none of the server's %s (%s)", libssh2_version(0),
	        methods[list].what, strbuf_get(&theirs));
	if (list == KEXINIT_HOST_KEY)
		err_hint(err, "give the host an ed25519 key (ssh-keygen -A), or use --ssh=openssh");
	else
		err_hint(err, "allow others in the host's sshd_config, or use --ssh=openssh");
	return true;
}

static void explain_failure(struct link *link, int code, struct err *err)
{
	_cleanup_strbuf_ struct strbuf greeting = STRBUF_INIT(4096);

	if (link_has_version(link)) {
		if (code == LIBSSH2_ERROR_SOCKET_DISCONNECT || code == LIBSSH2_ERROR_SOCKET_RECV ||
		    !explain_no_common(link, err))
			link_libssh2_failure(link, ERR_UNREACHABLE, "key exchange", err);
		return;
	}
	kexinit_add_greeting(&greeting, link->sniffed, link->sniffed_len);
	if (greeting.len)
		err_set(err, ERR_UNREACHABLE, "the server hung up, saying: %s", strbuf_get(&greeting));
	else
		err_set(err, ERR_UNREACHABLE, "the server hung up before it said that it speaks SSH");
}

enum step link_handshake_step(struct link *link, bool *ret_retry, struct err *err)
{
	int code;

	if (link->sniffed_len == LINK_SNIFF_BYTES && !link_has_version(link)) {
		err_set(err, ERR_UNREACHABLE, "this is no SSH server");
		return STEP_FAILED;
	}
	code = libssh2_session_handshake(link->session, link->fd);
	if (!code)
		return STEP_DONE;
	if (code == LIBSSH2_ERROR_EAGAIN)
		return STEP_WAIT;
	*ret_retry = !link_has_version(link);
	explain_failure(link, code, err);
	return STEP_FAILED;
}
