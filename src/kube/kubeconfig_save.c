// SPDX-License-Identifier: MIT
#include "kube/kubeconfig_save.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/strv.h"
#include "kube/timestamp.h"

enum { FILE_MAX_BYTES = 1024 * 1024, PATH_MAX_BYTES = 4096, POLL_MS = 20, WAIT_MAX_MS = 60000 };

// Makes *OUT from the old text. *ret_is_changed false: nothing is to be written.
typedef bool edit_fn(void *context, const char *path, const struct strbuf *old, struct strbuf *out,
                     bool *ret_is_changed, struct err *err);

char *kube_config_target(const char *path, xdg_getenv_fn *getenv_fn, struct err *err)
{
	_cleanup_strv_ struct strv listed = STRV_INIT;
	_cleanup_strbuf_ struct strbuf own = STRBUF_INIT(PATH_MAX_BYTES);
	const char *value = getenv_fn("KUBECONFIG"), *home = getenv_fn("HOME"), *last = NULL;

	if (path && *path) {
		strbuf_add(&own, path);
		return strbuf_take(&own, err);
	}
	if (value && *value && !strv_split(&listed, value, ':', err))
		return NULL;
	for (size_t i = 0; i < listed.count; i++) {
		if (!*listed.items[i])
			continue;
		last = listed.items[i];
		if (access(last, F_OK) == 0)
			break;
	}
	if (!last && (!home || !*home)) {
		err_set(err, ERR_USAGE, "no place for a kubeconfig: neither $KUBECONFIG nor $HOME is set");
		return NULL;
	}
	if (last)
		strbuf_add(&own, last);
	else
		strbuf_addf(&own, "%s/.kube/config", home);
	return strbuf_take(&own, err);
}

// Who holds the lock now: another file is another holder.
struct holder {
	ino_t inode;
	struct timespec since;
};

static bool is_same_holder(const struct holder *a, const struct holder *b)
{
	return a->inode == b->inode && a->since.tv_sec == b->since.tv_sec &&
	       a->since.tv_nsec == b->since.tv_nsec;
}

static bool refuse_locked(const char *lock, const struct holder *holder, const struct clock *clock,
                          struct err *err)
{
	_cleanup_strbuf_ struct strbuf age = STRBUF_INIT(64);

	kube_span_write(&age, clock->wall_ms(clock->context) / 1000 - holder->since.tv_sec);
	err_set(err, ERR_FAILED, "%s is held since %s: another program changes the file, or was killed",
	        lock, strbuf_get(&age));
	return err_hint(err, "if no kubectl or vpsml is at work: rm %s", lock);
}

// Looks at who holds LOCK. False: it is free by now, or cannot be seen (then errno is not ENOENT).
static bool see_holder(const char *lock, struct holder *ret)
{
	struct stat info;

	if (lstat(lock, &info))
		return false;
	*ret = (struct holder){info.st_ino, info.st_mtim};
	return true;
}

// While it is held, what ends a program waits: a lock that is left behind stops everybody.
static void block_signals(sigset_t *old)
{
	sigset_t ending;

	sigemptyset(&ending);
	sigaddset(&ending, SIGHUP);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGQUIT);
	sigaddset(&ending, SIGTERM);
	sigprocmask(SIG_BLOCK, &ending, old);
}

// One try. True: it is ours, and signals are blocked until give_lock. Else errno says why not. kubectl
// makes the file with mode 0, and does not look into it.
static bool try_lock(const char *lock, sigset_t *signals)
{
	int fd;

	block_signals(signals);
	fd = open(lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0);
	if (fd >= 0) {
		close(fd);
		return true;
	}
	sigprocmask(SIG_SETMASK, signals, NULL);
	return false;
}

static void give_lock(const char *lock, const sigset_t *signals)
{
	unlink(lock);
	sigprocmask(SIG_SETMASK, signals, NULL);
}

static bool take_lock(const char *lock, const struct clock *clock, sigset_t *signals,
                      struct err *err)
{
	struct holder first = {0}, now = {0};
	int64_t start_ms = clock->monotonic_ms(clock->context), since_ms = start_ms;

	while (!try_lock(lock, signals)) {
		int64_t now_ms = clock->monotonic_ms(clock->context);

		if (errno != EEXIST || (!see_holder(lock, &now) && errno != ENOENT))
			return err_errno(err, "%s", lock);
		if (!is_same_holder(&first, &now)) {
			first = now;
			since_ms = now_ms;
		}
		if (now_ms - since_ms >= KUBE_CONFIG_LOCK_WAIT_MS || now_ms - start_ms >= WAIT_MAX_MS)
			return refuse_locked(lock, &now, clock, err);
		poll(NULL, 0, POLL_MS);
	}
	return true;
}

// Copies the old file beside itself, for whoever misses something.
static bool back_up(const char *path, const struct strbuf *old, struct kube_config_saved *saved,
                    struct err *err)
{
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(PATH_MAX_BYTES);

	strbuf_addf(&name, "%s.backup", path);
	if (!strbuf_ok(&name, err) || !file_write(strbuf_get(&name), strbuf_get(old), old->len, err))
		return false;
	saved->backup = strbuf_take(&name, err);
	return saved->backup;
}

static bool edit_locked(const char *path, edit_fn *edit, void *context,
                        struct kube_config_saved *saved, struct err *err)
{
	_cleanup_(secret_strbuf_release) struct strbuf old = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_(secret_strbuf_release) struct strbuf new = STRBUF_INIT(FILE_MAX_BYTES);
	bool is_there = access(path, F_OK) == 0;

	if (is_there && !file_read(path, &old, err))
		return false;
	if (!edit(context, path, &old, &new, &saved->is_changed, err))
		return false;
	if (!strbuf_ok(&new, err))
		return err_wrap(err, "%s", path);
	if (!saved->is_changed ||
	    (new.len == old.len && !memcmp(strbuf_get(&new), strbuf_get(&old), new.len))) {
		saved->is_changed = false;
		return true;
	}
	return (!old.len || back_up(path, &old, saved, err)) &&
	       file_write(path, strbuf_get(&new), new.len, err);
}

static bool make_folder_of(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *folder =
		slash && slash != path ? mem_dup_n(path, (size_t)(slash - path)) : NULL;

	if (!slash || slash == path)
		return true;
	return folder ? file_make_folder(folder, err) : err_memory(err);
}

static bool edit_file(const char *path, edit_fn *edit, void *context, const struct clock *clock,
                      struct kube_config_saved *saved, struct err *err)
{
	_cleanup_strbuf_ struct strbuf lock = STRBUF_INIT(PATH_MAX_BYTES);
	sigset_t signals;
	bool is_ok;

	*saved = (struct kube_config_saved){.path = mem_dup(path), .is_changed = true};
	strbuf_addf(&lock, "%s.lock", path);
	if (!saved->path)
		return err_memory(err);
	if (!strbuf_ok(&lock, err))
		return false;
	if (!take_lock(strbuf_get(&lock), clock, &signals, err))
		return false;
	is_ok = edit_locked(path, edit, context, saved, err);
	give_lock(strbuf_get(&lock), &signals);
	return is_ok;
}

struct saving {
	const struct kube_config_addition *addition;
	struct kube_config_saved *saved;
};

static bool add(void *context, const char *path, const struct strbuf *old, struct strbuf *out,
                bool *ret_is_changed, struct err *err)
{
	struct saving *saving = context;

	(void)ret_is_changed;
	return kube_config_merge(path, strbuf_get(old), old->len, saving->addition, out,
	                         &saving->saved->context, err);
}

bool kube_config_save(const char *path, const struct kube_config_addition *addition,
                      const struct clock *clock, struct kube_config_saved *ret, struct err *err)
{
	struct saving saving = {addition, ret};

	*ret = (struct kube_config_saved){NULL};
	return make_folder_of(path, err) && edit_file(path, add, &saving, clock, ret, err);
}

struct dropping {
	const char *fresh;
	size_t fresh_len;
};

static bool drop(void *context, const char *path, const struct strbuf *old, struct strbuf *out,
                 bool *ret_is_changed, struct err *err)
{
	const struct dropping *dropping = context;
	size_t count;

	if (!kube_config_forget(path, strbuf_get(old), old->len, dropping->fresh, dropping->fresh_len,
	                        out, &count, err))
		return false;
	*ret_is_changed = out->len > 0;
	return true;
}

bool kube_config_drop(const char *path, const char *fresh, size_t fresh_len,
                      const struct clock *clock, struct kube_config_saved *ret, struct err *err)
{
	struct dropping dropping = {fresh, fresh_len};

	*ret = (struct kube_config_saved){NULL};
	if (access(path, F_OK) != 0 && errno == ENOENT)
		return true;
	return edit_file(path, drop, &dropping, clock, ret, err);
}

void kube_config_saved_release(struct kube_config_saved *saved)
{
	mem_free(saved->path);
	mem_free(saved->context);
	mem_free(saved->backup);
	*saved = (struct kube_config_saved){NULL};
}
