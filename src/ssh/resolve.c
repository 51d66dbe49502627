// SPDX-License-Identifier: MIT
#include "ssh/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"

// Shared by the loop's thread and the look-up's; whoever lets go last frees it.
struct job {
	atomic_int holders;
	int write_end; // the look-up's
	char *name;
	char port[8];
	int code; // of getaddrinfo; read after the pipe has spoken
	struct addrinfo *addresses;
};

struct resolve {
	struct loop *loop;
	struct loop_watch watch;
	struct loop_deferred deferred; // a number needs no thread
	int read_end;
	struct job *job;
	void (*done)(void *context, struct addrinfo *addresses, const struct err *failure);
	void *context;
};

static void job_let_go(struct job *job)
{
	if (atomic_fetch_sub(&job->holders, 1) != 1)
		return;
	if (job->addresses)
		freeaddrinfo(job->addresses);
	if (job->write_end >= 0)
		close(job->write_end);
	mem_free(job->name);
	mem_free(job);
}

static int look_up(struct job *job, int flags)
{
	struct addrinfo hints = {
		.ai_flags = flags | AI_NUMERICSERV,
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
	};

	return getaddrinfo(job->name, job->port, &hints, &job->addresses);
}

static void *run(void *context)
{
	struct job *job = context;
	ssize_t written;

	job->code = look_up(job, 0);
	do
		written = write(job->write_end, "", 1);
	while (written < 0 && errno == EINTR);
	job_let_go(job);
	return NULL;
}

static void resolve_free(struct resolve *resolve)
{
	loop_unwatch(&resolve->watch);
	loop_defer_cancel(&resolve->deferred);
	if (resolve->read_end >= 0)
		close(resolve->read_end);
	if (resolve->job)
		job_let_go(resolve->job);
	mem_free(resolve);
}

static void finish(void *context)
{
	struct resolve *resolve = context;
	struct job *job = resolve->job;
	_cleanup_err_ struct err err = ERR_INIT;
	void (*done)(void *, struct addrinfo *, const struct err *) = resolve->done;
	void *done_context = resolve->context;
	struct addrinfo *addresses = TAKE(job->addresses);

	if (job->code) {
		err_set(&err, ERR_UNREACHABLE, "%s: %s", job->name, gai_strerror(job->code));
		addresses = NULL;
	}
	resolve_free(resolve);
	done(done_context, addresses, addresses ? NULL : &err);
}

static void on_answer(void *context, short ready)
{
	(void)ready;
	finish(context);
}

// A thread that takes no signals: they are the main thread's.
static bool start_thread(struct job *job, struct err *err)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, old;
	int code;

	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	code = pthread_create(&thread, &attributes, run, job);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attributes);
	errno = code;
	return !code || err_errno(err, "thread");
}

static bool start_look_up(struct resolve *resolve, struct err *err)
{
	int ends[2];

	if (pipe(ends))
		return err_errno(err, "pipe");
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	resolve->read_end = ends[0];
	resolve->job->write_end = ends[1];
	atomic_fetch_add(&resolve->job->holders, 1);
	if (!start_thread(resolve->job, err)) {
		atomic_fetch_sub(&resolve->job->holders, 1);
		return false;
	}
	loop_watch(resolve->loop, &resolve->watch, ends[0], POLLIN, on_answer, resolve);
	return true;
}

static struct resolve *resolve_new(const char *name, uint16_t port)
{
	struct resolve *resolve = mem_alloc(sizeof(*resolve));
	struct job *job = mem_alloc(sizeof(*job));

	if (!resolve || !job) {
		mem_free(resolve);
		mem_free(job);
		return NULL;
	}
	atomic_init(&job->holders, 1);
	job->write_end = -1;
	snprintf(job->port, sizeof(job->port), "%u", (unsigned)port);
	job->name = mem_dup(name);
	resolve->read_end = -1;
	resolve->job = job;
	if (job->name)
		return resolve;
	resolve_free(resolve);
	return NULL;
}

struct resolve *resolve_start(struct loop *loop, const char *name, uint16_t port,
                              void (*done)(void *context, struct addrinfo *addresses,
                                           const struct err *failure),
                              void *context, struct err *err)
{
	struct resolve *resolve = resolve_new(name, port);

	if (!resolve) {
		err_memory(err);
		return NULL;
	}
	resolve->loop = loop;
	resolve->done = done;
	resolve->context = context;
	if (!look_up(resolve->job, AI_NUMERICHOST)) {
		loop_defer(loop, &resolve->deferred, finish, resolve);
		return resolve;
	}
	if (start_look_up(resolve, err))
		return resolve;
	resolve_free(resolve);
	return NULL;
}

void resolve_cancel(struct resolve *resolve)
{
	if (resolve)
		resolve_free(resolve);
}
