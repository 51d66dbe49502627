// SPDX-License-Identifier: MIT
// Files, through `cat`: SFTP may be switched off, cannot write as root, and is where libssh2 had
// its holes.
#include <string.h>

#include "base/digest.h"
#include "base/mem.h"
#include "base/text.h"
#include "ssh/backend.h"

struct upload {
	void (*done)(void *context, const struct err *failure);
	void *context;
	char *path;
	char sum[2 * DIGEST_SHA256_BYTES + 1];
};

enum { STATUS_OTHER_SUM = 9 };

// $1 the path, $2 the mode, $3 the sum. What is written is compared before it takes the old file's
// place.
static const char script[] = "umask 077; t=$1.vpsml-$$; trap 'rm -f \"$t\"' EXIT HUP INT TERM\n"
							 "cat >\"$t\" || exit 1\n"
							 "s=$(sha256sum <\"$t\") || exit 1\n"
							 "[ \"${s%% *}\" = \"$3\" ] || exit 9\n"
							 "chmod \"$2\" \"$t\" && mv -f \"$t\" \"$1\"";

static void upload_free(void *context)
{
	struct upload *upload = context;

	mem_free(upload->path);
	mem_free(upload);
}

static void describe(const struct upload *upload, const struct ssh_result *result, struct err *err)
{
	_cleanup_strbuf_ struct strbuf words = STRBUF_INIT(8192);
	size_t len = result->err_len < 300 ? result->err_len : 300;

	while (len && result->err[len - 1] == '\n')
		len--;
	if (result->status == STATUS_OTHER_SUM) {
		err_set(err, ERR_FAILED, "ssh: %s: the host received something else than was sent",
		        upload->path);
		return;
	}
	text_sanitize(&words, result->err, len, TEXT_ONE_LINE);
	err_set(err, ERR_FAILED, "ssh: %s: cannot write it: %s", upload->path, strbuf_get(&words));
}

static void on_done(void *context, const struct ssh_result *result, const struct err *failure)
{
	struct upload *upload = context;
	_cleanup_err_ struct err err = ERR_INIT;

	if (result && result->status) {
		describe(upload, result, &err);
		failure = &err;
	}
	upload->done(upload->context, failure);
}

static struct upload *upload_new(const struct ssh_put *put, struct err *err)
{
	struct upload *upload = mem_alloc(sizeof(*upload));
	_cleanup_strbuf_ struct strbuf hex = STRBUF_INIT(sizeof(upload->sum) - 1);
	unsigned char sum[DIGEST_SHA256_BYTES];

	if (!upload) {
		err_memory(err);
		return NULL;
	}
	upload->done = put->done;
	upload->context = put->context;
	upload->path = mem_dup(put->path);
	if (!upload->path || !digest_sha256(put->data, put->len, sum, err)) {
		if (!upload->path)
			err_memory(err);
		upload_free(upload);
		return NULL;
	}
	digest_add_hex(&hex, sum, sizeof(sum));
	snprintf(upload->sum, sizeof(upload->sum), "%s", strbuf_get(&hex));
	return upload;
}

bool ssh_put(struct ssh_link *link, const struct ssh_put *put, uint64_t *ret_id, struct err *err)
{
	struct upload *upload;
	char mode[16];

	if (put->path[0] != '/')
		return err_set(err, ERR_USAGE, "ssh: \"%s\" is not an absolute path", put->path);
	upload = upload_new(put, err);
	if (!upload)
		return err_wrap(err, "ssh");
	snprintf(mode, sizeof(mode), "%04o", put->mode & 07777U);
	ssh_log(link, "file: %s, %zu bytes", put->path, put->len);
	if (ssh_exec(link,
	             &(struct ssh_exec){
					 .argv = (const char *const[]){"/bin/sh", "-c", script, "sh", put->path, mode,
	                                               upload->sum, NULL},
					 .as_root = put->as_root,
					 .input = put->data,
					 .input_len = put->len,
					 .timeout_ms = put->timeout_ms,
					 .done = on_done,
					 .free_context = upload_free,
					 .context = upload,
				 },
	             ret_id, err))
		return true;
	upload_free(upload);
	return false;
}
