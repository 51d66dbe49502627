// SPDX-License-Identifier: MIT
#include "base/certificate.h"

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <string.h>

#include "base/digest.h"
#include "base/mem.h"

static void free_time(ASN1_TIME **time)
{
	ASN1_TIME_free(*time);
}

static bool read_end(const X509 *x509, int64_t *ret)
{
	_cleanup_(free_time) ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
	int days, seconds;

	if (!epoch || !ASN1_TIME_diff(&days, &seconds, epoch, X509_get0_notAfter(x509)))
		return false;
	*ret = (int64_t)days * 86400 + seconds;
	return true;
}

static bool read_name(const X509 *x509, char **ret, struct err *err)
{
	const X509_NAME *subject = X509_get_subject_name(x509);
	int index = X509_NAME_get_index_by_NID((X509_NAME *)subject, NID_commonName, -1);
	const ASN1_STRING *text;

	if (index < 0)
		return true;
	text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index));
	*ret = mem_dup_n((const char *)ASN1_STRING_get0_data(text), (size_t)ASN1_STRING_length(text));
	return *ret || err_memory(err);
}

static bool read_pin(const X509 *x509, char ret[72], struct err *err)
{
	unsigned char *der = NULL, digest[DIGEST_SHA256_BYTES];
	int len = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(x509), &der);
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(71);
	bool is_ok = len > 0 && digest_sha256(der, (size_t)len, digest, err);

	OPENSSL_free(der);
	if (!is_ok)
		return len > 0 ? false : err_set(err, ERR_FAILED, "a certificate without a public key");
	strbuf_add(&text, "sha256:");
	digest_add_hex(&text, digest, sizeof(digest));
	if (!strbuf_ok(&text, err))
		return false;
	memcpy(ret, strbuf_get(&text), text.len + 1);
	return true;
}

static X509 *read_x509(const char *text, size_t len)
{
	const unsigned char *der = (const unsigned char *)text;
	BIO *bio;
	X509 *x509;

	if (len > 1 << 20)
		return NULL;
	if (len && der[0] == 0x30) // a SEQUENCE, which no PEM begins with
		return d2i_X509(NULL, &der, (long)len);
	bio = BIO_new_mem_buf(text, (int)len);
	x509 = bio ? PEM_read_bio_X509(bio, NULL, NULL, NULL) : NULL;
	BIO_free(bio);
	return x509;
}

bool certificate_parse(const char *text, size_t len, struct certificate *ret, struct err *err)
{
	X509 *x509 = read_x509(text, len);
	struct certificate found = {0};
	bool is_ok = x509 && read_end(x509, &found.ends_s);

	if (!is_ok)
		err_set(err, ERR_FAILED, "not a certificate");
	is_ok = is_ok && read_name(x509, &found.name, err) && read_pin(x509, found.pin, err);
	ERR_clear_error();
	X509_free(x509);
	if (is_ok)
		*ret = found;
	else
		mem_free(found.name);
	return is_ok;
}

void certificate_release(struct certificate *certificate)
{
	mem_free(certificate->name);
	*certificate = (struct certificate){0};
}
