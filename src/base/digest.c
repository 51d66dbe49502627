// SPDX-License-Identifier: MIT
#include "base/digest.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdint.h>

static bool failed(struct err *err, const char *what)
{
	return err_set(err, ERR_FAILED, "libcrypto cannot do %s", what);
}

bool digest_sha256(const void *data, size_t len, unsigned char ret[DIGEST_SHA256_BYTES],
                   struct err *err)
{
	return EVP_Digest(data, len, ret, NULL, EVP_sha256(), NULL) == 1 || failed(err, "SHA-256");
}

bool digest_hmac_sha1(const void *key, size_t key_len, const void *data, size_t len,
                      unsigned char ret[DIGEST_SHA1_BYTES], struct err *err)
{
	return (key_len <= INT_MAX && HMAC(EVP_sha1(), key, (int)key_len, data, len, ret, NULL)) ||
	       failed(err, "HMAC-SHA1");
}

// A struct digest is an EVP_MD_CTX under a name of ours.
static EVP_MD_CTX *context_of(struct digest *digest)
{
	return (EVP_MD_CTX *)(void *)digest;
}

struct digest *digest_new(struct err *err)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();

	if (context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1)
		return (struct digest *)(void *)context;
	EVP_MD_CTX_free(context);
	failed(err, "SHA-256");
	return NULL;
}

bool digest_add(struct digest *digest, const void *data, size_t len, struct err *err)
{
	return EVP_DigestUpdate(context_of(digest), data, len) == 1 || failed(err, "SHA-256");
}

bool digest_end(struct digest *digest, unsigned char ret[DIGEST_SHA256_BYTES], struct err *err)
{
	return EVP_DigestFinal_ex(context_of(digest), ret, NULL) == 1 || failed(err, "SHA-256");
}

void digest_free(struct digest *digest)
{
	EVP_MD_CTX_free(context_of(digest));
}

void digest_freep(struct digest **digest)
{
	digest_free(*digest);
}

void digest_add_hex(struct strbuf *out, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < len; i++)
		strbuf_addf(out, "%02x", bytes[i]);
}

static const char base64_letters[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_add(struct strbuf *out, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < len; i += 3) {
		size_t left = len - i;
		uint32_t group = (uint32_t)bytes[i] << 16;
		char text[4];

		if (left > 1)
			group |= (uint32_t)bytes[i + 1] << 8;
		if (left > 2)
			group |= bytes[i + 2];
		text[0] = base64_letters[group >> 18];
		text[1] = base64_letters[group >> 12 & 63];
		text[2] = left > 1 ? base64_letters[group >> 6 & 63] : '=';
		text[3] = left > 2 ? base64_letters[group & 63] : '=';
		strbuf_add_n(out, text, 4);
	}
}

// The value of a letter, or -1.
static int base64_value(char c)
{
	const char *found = c ? strchr(base64_letters, c) : NULL;

	return found ? (int)(found - base64_letters) : -1;
}

// Four characters, the last PADDING of which are "=".
static bool decode_group(struct strbuf *out, const char *text, size_t padding)
{
	uint32_t group = 0;
	char bytes[3];

	for (size_t i = 0; i < 4; i++) {
		int value = i < 4 - padding ? base64_value(text[i]) : 0;

		if (value < 0)
			return false;
		group = group << 6 | (uint32_t)value;
	}
	bytes[0] = (char)(group >> 16 & 255);
	bytes[1] = (char)(group >> 8 & 255);
	bytes[2] = (char)(group & 255);
	for (size_t i = 3 - padding; i < 3; i++)
		if (bytes[i])
			return false; // bits that mean nothing must be 0, or one value has several texts
	strbuf_add_n(out, bytes, 3 - padding);
	return true;
}

bool base64_decode(struct strbuf *out, const char *text, size_t len)
{
	if (len % 4)
		return false;
	for (size_t i = 0; i < len; i += 4) {
		size_t padding = 0;

		if (i + 4 == len && text[i + 3] == '=')
			padding = text[i + 2] == '=' ? 2 : 1;
		if (!decode_group(out, text + i, padding))
			return false;
	}
	return !out->failed;
}
