// SPDX-License-Identifier: MIT
// What SSH reads from files and peers. The first byte chooses the parser:
//   k  known_hosts    c  ssh -G    p  a private key    x  a KEXINIT    m  output between marks
//   a  a host's address
// Output between marks comes out the same however it is cut.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ssh/config.h"
#include "ssh/kexinit.h"
#include "ssh/keyfile.h"
#include "ssh/known_hosts.h"
#include "ssh/marked.h"
#include "ssh/place.h"

static void try_known_hosts(const char *text, size_t len)
{
	static const unsigned char key[] = {0, 0, 0, 3, 'k', 'e', 'y', 1};
	_cleanup_known_hosts_ struct known_hosts hosts = KNOWN_HOSTS_INIT;
	_cleanup_strv_ struct strv types = STRV_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	struct known_hosts_result result;

	if (!known_hosts_parse(&hosts, "file", text, len, &err) ||
	    !known_hosts_check(&hosts, "host", 2222, key, sizeof(key), &result, &err) ||
	    !known_hosts_types(&hosts, "host", 22, &types, &err))
		abort();
	for (size_t i = 0; i < hosts.count; i++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(100);

		if (!known_hosts_line_fingerprint(&out, &hosts.lines[i], &err))
			abort();
	}
}

static void try_config(const char *text, size_t len)
{
	_cleanup_ssh_config_ struct ssh_config config = SSH_CONFIG_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_free_ char *copy = mem_dup_n(text, len);

	if (!ssh_config_parse(copy, &config, &err) && err.kind != ERR_USAGE)
		abort();
}

static void try_key(const char *text, size_t len)
{
	_cleanup_keyfile_ struct keyfile file, public_file = {.key = STRBUF_INIT(KEYFILE_MAX_BYTES)};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_free_ char *copy = mem_dup_n(text, len);

	if (!keyfile_parse(text, len, &file, &err) && err.kind != ERR_AUTH)
		abort();
	if (keyfile_parse_public(copy, &public_file) && !public_file.key.len)
		abort();
}

static void try_kexinit(const char *data, size_t len)
{
	static const char *const ours[KEXINIT_LISTS] = {
		"curve25519-sha256", "ssh-ed25519",   "aes128-ctr,aes256-ctr",
		"aes128-ctr",        "hmac-sha2-256", "hmac-sha2-256",
	};
	_cleanup_strbuf_ struct strbuf list = STRBUF_INIT(4096), greeting = STRBUF_INIT(4096);

	kexinit_mismatch(data, len, ours, &list);
	kexinit_add_greeting(&greeting, data, len);
	if (list.failed || greeting.failed)
		abort();
}

static void add(void *context, const char *data, size_t len)
{
	strbuf_add_n(context, data, len);
}

static void feed(struct marked *stream, const char *data, size_t len, size_t piece,
                 struct strbuf *out)
{
	_cleanup_err_ struct err err = ERR_INIT;

	marked_init(stream, "TOK");
	for (size_t at = 0; at < len; at += piece)
		if (!marked_feed(stream, data + at, len - at < piece ? len - at : piece, add, out, &err))
			abort();
}

static void try_marked(const char *data, size_t len)
{
	_cleanup_strbuf_ struct strbuf whole = STRBUF_INIT(len + 1), cut = STRBUF_INIT(len + 1);
	struct marked first, second;

	feed(&first, data, len, len ? len : 1, &whole);
	feed(&second, data, len, 1, &cut);
	if (whole.len != cut.len || memcmp(strbuf_get(&whole), strbuf_get(&cut), cut.len) ||
	    first.state != second.state || first.prompts != second.prompts ||
	    (first.state == MARKED_AFTER && first.status != second.status))
		abort();
	marked_release(&first);
	marked_release(&second);
}

static void try_address(const char *text, size_t len)
{
	_cleanup_ssh_address_ struct ssh_address address = {0};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_free_ char *copy = mem_dup_n(text, len);

	if (ssh_address_parse(copy, &address, &err) &&
	    (address.host[0] == '-' || strpbrk(address.host, " \n;$`")))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *text = (const char *)data + 1;

	if (!len)
		return 0;
	switch (*data) {
	case 'k':
		try_known_hosts(text, len - 1);
		break;
	case 'c':
		try_config(text, len - 1);
		break;
	case 'p':
		try_key(text, len - 1);
		break;
	case 'x':
		try_kexinit(text, len - 1);
		break;
	case 'm':
		try_marked(text, len - 1);
		break;
	case 'a':
		try_address(text, len - 1);
		break;
	default:
		break;
	}
	return 0;
}
