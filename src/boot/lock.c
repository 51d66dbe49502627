// SPDX-License-Identifier: MIT
// The lock of a cluster, and reading a file: commands on one host that are waited for.
//
// The lock is flock(1) on a descriptor of a shell that lives as long as somebody reads what it
// writes: a connection that ends frees it within seconds, whatever became of us.
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "boot/run.h"

enum { ANSWER_LIMIT_MS = 60000, FILE_MAX_BYTES = 1 << 20 };

static const char locker[] =
	"umask 077\n"
	"mkdir -p /var/lib/vpsml && exec 9>>/var/lib/vpsml/cluster.lock || exit 1\n"
	"try=0\n"
	"until flock -n 9; do\n" // one that has just lost its connection goes within seconds
	"\ttry=$((try + 1))\n"
	"\tif [ $try -gt 15 ]; then\n"
	"\t\techo \"held $(cat /var/lib/vpsml/cluster.holder 2>/dev/null)\"\n"
	"\t\texit 0\n"
	"\tfi\n"
	"\tsleep 1\n"
	"done\n"
	"printf '%s\\n' \"$1\" >/var/lib/vpsml/cluster.holder\n"
	"echo locked\n"
	"while sleep 5 9>&-; do echo || exit; done\n";

struct boot_lock {
	struct ssh_link *link;
	uint64_t exec;
	struct strbuf said;
	bool is_over;
	struct err failure;
};

static void on_output(void *data, enum ssh_stream stream, const char *bytes, size_t len)
{
	struct boot_lock *lock = data;

	if (stream == SSH_OUT && lock->said.len + len <= lock->said.max)
		strbuf_add_n(&lock->said, bytes, len);
}

static void on_lock_done(void *data, const struct ssh_result *result, const struct err *failure)
{
	struct boot_lock *lock = data;

	(void)result;
	lock->exec = 0;
	lock->is_over = true;
	if (failure)
		err_copy(&lock->failure, failure);
}

static bool wait_for_word(struct loop *loop, struct boot_lock *lock, struct err *err)
{
	_cleanup_strbuf_ struct strbuf holder = STRBUF_INIT(4096);
	const char *said;

	while (!strchr(strbuf_get(&lock->said), '\n') && !lock->is_over)
		if (!loop_run(loop, -1, err))
			return false;
	said = strbuf_get(&lock->said);
	if (!strncmp(said, "locked\n", 7))
		return true;
	if (!strncmp(said, "held ", 5)) {
		text_sanitize(&holder, said + 5, strcspn(said + 5, "\n"), TEXT_ONE_LINE);
		err_set(err, ERR_FAILED, "another run is at work on this cluster: %s",
		        holder.len ? strbuf_get(&holder) : "it did not say whose");
		return err_hint(err, "wait until it has ended");
	}
	if (lock->failure.kind != ERR_NONE)
		return err_copy(err, &lock->failure);
	return err_set(err, ERR_FAILED, "the cluster's lock cannot be taken");
}

struct boot_lock *boot_lock_take(struct loop *loop, struct ssh_link *link, const char *holder,
                                 struct err *err)
{
	const char *const argv[] = {"/bin/sh", "-c", locker, "vpsml", holder, NULL};
	_cleanup_boot_lock_ struct boot_lock *lock = mem_alloc(sizeof(*lock));
	struct ssh_exec exec = {
		.argv = argv,
		.as_root = true,
		.output = on_output,
		.done = on_lock_done,
		.context = lock,
	};

	if (!lock) {
		err_memory(err);
		return NULL;
	}
	lock->link = link;
	lock->said = (struct strbuf)STRBUF_INIT(4096);
	if (!ssh_exec(link, &exec, &lock->exec, err) || !wait_for_word(loop, lock, err)) {
		err_wrap(err, "%s", ssh_name(link));
		return NULL;
	}
	return TAKE(lock);
}

void boot_lock_free(struct boot_lock *lock)
{
	if (!lock)
		return;
	if (lock->exec)
		ssh_cancel(lock->link, lock->exec);
	strbuf_release(&lock->said);
	err_clear(&lock->failure);
	mem_free(lock);
}

void boot_lock_freep(struct boot_lock **lock)
{
	boot_lock_free(*lock);
}

// A file

struct fetch {
	struct secret *ret;
	struct err *err;
	bool is_over, is_ok;
};

static void on_file(void *data, const struct ssh_result *result, const struct err *failure)
{
	struct fetch *fetch = data;

	fetch->is_over = true;
	if (failure)
		err_copy(fetch->err, failure);
	else if (result->status)
		err_set(fetch->err, ERR_FAILED, "cannot be read");
	else
		fetch->is_ok = secret_set(fetch->ret, result->out, result->out_len, fetch->err);
}

bool boot_fetch_file(struct loop *loop, struct ssh_link *link, const char *path, struct secret *ret,
                     struct err *err)
{
	const char *const argv[] = {"cat", "--", path, NULL};
	struct fetch fetch = {.ret = ret, .err = err};
	struct ssh_exec exec = {
		.argv = argv,
		.as_root = true,
		.timeout_ms = ANSWER_LIMIT_MS,
		.max_output_bytes = FILE_MAX_BYTES,
		.done = on_file,
		.context = &fetch,
	};
	uint64_t id;

	if (!ssh_exec(link, &exec, &id, err))
		return false;
	while (!fetch.is_over) {
		if (!loop_run(loop, -1, err)) {
			ssh_cancel(link, id);
			return false;
		}
	}
	return fetch.is_ok || err_wrap(err, "%s: %s", ssh_name(link), path);
}
