// SPDX-License-Identifier: MIT
#include "base/secret.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include "base/mem.h"

void secret_wipe(void *data, size_t len)
{
	if (data)
		OPENSSL_cleanse(data, len);
}

bool secret_set(struct secret *secret, const char *data, size_t len, struct err *err)
{
	char *copy = mem_dup_n(data, len);

	if (!copy)
		return err_memory(err);
	secret_release(secret);
	secret->data = copy;
	secret->len = len;
	return true;
}

void secret_release(struct secret *secret)
{
	secret_wipe(secret->data, secret->len);
	mem_free(secret->data);
	*secret = (struct secret)SECRET_INIT;
}

void secret_strbuf_release(struct strbuf *buf)
{
	secret_wipe(buf->data, buf->capacity);
	strbuf_release(buf);
}

void secret_strbuf_reserve(struct strbuf *buf, size_t len)
{
	size_t old = buf->len;

	strbuf_add_repeat(buf, '\0', len);
	if (!buf->failed) {
		buf->len = old;
		buf->data[old] = '\0';
	}
}

bool secret_random(void *ret, size_t len, struct err *err)
{
	if (len <= INT_MAX && RAND_bytes(ret, (int)len) == 1)
		return true;
	return err_set(err, ERR_FAILED, "no random numbers");
}
