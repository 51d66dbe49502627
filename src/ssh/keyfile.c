// SPDX-License-Identifier: MIT
#include "ssh/keyfile.h"

#include <string.h>

#include "base/digest.h"
#include "base/secret.h"
#include "ssh/known_hosts.h"

bool wire_u32(const unsigned char **pos, const unsigned char *end, unsigned *ret)
{
	const unsigned char *p = *pos;

	if (end - p < 4)
		return false;
	*ret = (unsigned)p[0] << 24 | (unsigned)p[1] << 16 | (unsigned)p[2] << 8 | p[3];
	*pos = p + 4;
	return true;
}

const unsigned char *wire_string(const unsigned char **pos, const unsigned char *end,
                                 size_t *ret_len)
{
	const unsigned char *p = *pos;
	unsigned len;

	if (!wire_u32(&p, end, &len) || len > (size_t)(end - p))
		return NULL;
	*ret_len = len;
	*pos = p + len;
	return p;
}

static bool set_key(struct keyfile *file, const void *key, size_t key_len)
{
	size_t len;
	const char *type = known_hosts_key_type(key, key_len, &len);

	if (!type || len >= sizeof(file->type))
		return false;
	snprintf(file->type, sizeof(file->type), "%.*s", (int)len, type);
	strbuf_clear(&file->key);
	strbuf_add_n(&file->key, key, key_len);
	return !file->key.failed;
}

// PROTOCOL.key of OpenSSH: magic, cipher, KDF, its options, how many keys, the first public one.
static bool read_openssh(const unsigned char *pos, const unsigned char *end, struct keyfile *file)
{
	static const char magic[] = "openssh-key-v1";
	const unsigned char *cipher, *key;
	size_t cipher_len, key_len, unused;
	unsigned count;

	if ((size_t)(end - pos) < sizeof(magic) || memcmp(pos, magic, sizeof(magic)) != 0)
		return false;
	pos += sizeof(magic);
	cipher = wire_string(&pos, end, &cipher_len);
	if (!cipher || !wire_string(&pos, end, &unused) || !wire_string(&pos, end, &unused) ||
	    !wire_u32(&pos, end, &count) || count != 1)
		return false;
	key = wire_string(&pos, end, &key_len);
	file->is_encrypted = cipher_len != 4 || memcmp(cipher, "none", 4) != 0;
	return key && set_key(file, key, key_len);
}

// Adds the bytes of the base64 between the first line and the "-----END".
static bool read_body(const char *body, const char *end, struct strbuf *out)
{
	_cleanup_strbuf_ struct strbuf letters = STRBUF_INIT(KEYFILE_MAX_BYTES);
	bool is_ok;

	for (; body < end && *body != '-'; body++)
		if (*body != '\n' && *body != '\r')
			strbuf_add_char(&letters, *body);
	is_ok = base64_decode(out, strbuf_get(&letters), letters.len);
	if (letters.data) // the secret half of a key without a passphrase
		secret_wipe(letters.data, letters.len);
	return is_ok;
}

static bool starts_with(const char *text, const char *end, const char *start)
{
	size_t len = strlen(start);

	return (size_t)(end - text) >= len && !memcmp(text, start, len);
}

// The first line's words between "-----BEGIN " and "-----", or NULL.
static const char *find_label(const char *text, const char *end, size_t *ret_len)
{
	static const char begin[] = "-----BEGIN ";
	const char *pos = text, *stop;

	while (!starts_with(pos, end, begin)) {
		pos = memchr(pos, '\n', (size_t)(end - pos));
		if (!pos)
			return NULL;
		pos++;
	}
	pos += sizeof(begin) - 1;
	stop = memchr(pos, '-', (size_t)(end - pos));
	*ret_len = stop ? (size_t)(stop - pos) : 0;
	return stop ? pos : NULL;
}

static bool is_label(const char *label, size_t len, const char *expected)
{
	return len == strlen(expected) && !memcmp(label, expected, len);
}

static bool has_encryption_header(const char *text, size_t len)
{
	static const char header[] = "ENCRYPTED";

	for (size_t i = 0; i + sizeof(header) - 1 <= len; i++)
		if (!memcmp(text + i, header, sizeof(header) - 1))
			return true;
	return false;
}

static bool refuse(struct err *err)
{
	return err_set(err, ERR_AUTH, "not a private key that vpsml can read");
}

static bool parse_openssh(const char *body, const char *end, struct keyfile *file, struct err *err)
{
	struct strbuf bytes = STRBUF_INIT(KEYFILE_MAX_BYTES);
	bool is_ok = read_body(body, end, &bytes) && bytes.len &&
	             read_openssh((const unsigned char *)bytes.data,
	                          (const unsigned char *)bytes.data + bytes.len, file);

	if (bytes.data)
		secret_wipe(bytes.data, bytes.len);
	strbuf_release(&bytes);
	return is_ok || refuse(err);
}

bool keyfile_parse(const char *text, size_t len, struct keyfile *ret, struct err *err)
{
	const char *end = text + len, *label, *body;
	size_t label_len;

	*ret = (struct keyfile){.key = STRBUF_INIT(KEYFILE_MAX_BYTES)};
	if (starts_with(text, end, "PuTTY-User-Key-File")) {
		refuse(err);
		return err_hint(err, "convert it: puttygen KEY -O private-openssh -o NEW");
	}
	label = find_label(text, end, &label_len);
	if (!label)
		return refuse(err);
	body = memchr(label, '\n', (size_t)(end - label));
	if (is_label(label, label_len, "OPENSSH PRIVATE KEY"))
		return body ? parse_openssh(body + 1, end, ret, err) : refuse(err);
	if (is_label(label, label_len, "RSA PRIVATE KEY"))
		snprintf(ret->type, sizeof(ret->type), "ssh-rsa");
	else if (is_label(label, label_len, "DSA PRIVATE KEY"))
		snprintf(ret->type, sizeof(ret->type), "ssh-dss");
	else if (!is_label(label, label_len, "EC PRIVATE KEY") &&
	         !is_label(label, label_len, "PRIVATE KEY") &&
	         !is_label(label, label_len, "ENCRYPTED PRIVATE KEY"))
		return refuse(err);
	ret->is_encrypted = has_encryption_header(text, len);
	return true;
}

bool keyfile_parse_public(const char *text, struct keyfile *ret)
{
	_cleanup_strbuf_ struct strbuf key = STRBUF_INIT(KEYFILE_MAX_BYTES);
	const char *start = strchr(text, ' ');
	size_t len = start ? strcspn(start + 1, " \r\n") : 0;

	return len && base64_decode(&key, start + 1, len) && set_key(ret, key.data, key.len);
}

void keyfile_release(struct keyfile *file)
{
	strbuf_release(&file->key);
}
