// SPDX-License-Identifier: MIT
// What is the same for every backend about links and channels.
#include "ssh/transport.h"

#include <stdarg.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "ssh/backend.h"

static int64_t or_default(int64_t value, int64_t fallback)
{
	return value > 0 ? value : fallback;
}

struct ssh *ssh_new(const struct ssh_options *options, struct err *err)
{
	struct ssh_options full = *options;

	full.connect_ms = or_default(options->connect_ms, 10000);
	full.banner_ms = or_default(options->banner_ms, 15000);
	full.auth_ms = or_default(options->auth_ms, 30000);
	full.retry_ms = or_default(options->retry_ms, 60000);
	if (!full.max_connecting)
		full.max_connecting = 32;
	if (options->backend == SSH_LIBSSH2)
		return ssh_libssh2_new(&full, err);
	err_set(err, ERR_USAGE, "ssh: this vpsml cannot use the system's ssh yet");
	err_hint(err, "leave --ssh out");
	return NULL;
}

void ssh_log(const struct ssh_link *link, const char *format, ...)
{
	const struct ssh_options *options = &link->ssh->options;
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(8192), harmless = STRBUF_INIT(65536);
	va_list args;

	if (!options->log)
		return;
	va_start(args, format);
	strbuf_vaddf(&line, format, args);
	va_end(args);
	text_sanitize(&harmless, strbuf_get(&line), line.len, TEXT_ONE_LINE);
	options->log(options->context, link->name, strbuf_get(&harmless));
}

void ssh_copy_error(struct err *ret, const struct err *failure)
{
	if (failure->kind == ERR_MEMORY) {
		err_memory(ret);
		return;
	}
	err_set(ret, failure->kind, "%s", err_message(failure));
	if (failure->hint)
		err_hint(ret, "%s", failure->hint);
}

bool ssh_ask_secret(struct ssh *ssh, const struct ssh_question *question, struct secret *ret,
                    struct err *err)
{
	const struct ssh_options *options = &ssh->options;
	int64_t start = clock_system.monotonic_ms(NULL);
	bool is_ok;

	if (!options->ask_secret)
		return err_set(err, ERR_AUTH, "nobody is there to ask");
	is_ok = options->ask_secret(options->context, question, ret, err);
	loop_postpone(options->loop, clock_system.monotonic_ms(NULL) - start);
	return is_ok;
}

// Links

static bool dup_if(char **field, const char *text)
{
	*field = text ? mem_dup(text) : NULL;
	return !text || *field;
}

static bool copy_list(struct strv *ret, const struct strv *list, struct err *err)
{
	for (size_t i = 0; list && i < list->count; i++)
		if (!strv_add(ret, list->items[i], err))
			return false;
	return true;
}

static bool copy_target(struct ssh_link *link, const struct ssh_target *target, struct err *err)
{
	const char *address = target->address ? target->address : target->name;

	link->port = target->port ? target->port : 22;
	link->host_key = target->host_key;
	link->is_identities_only = target->is_identities_only;
	link->jump = target->jump;
	if (!dup_if(&link->name, target->name) || !dup_if(&link->address, address) ||
	    !dup_if(&link->user, target->user) || !dup_if(&link->agent, target->agent) ||
	    !dup_if(&link->known_as, target->known_as ? target->known_as : address))
		return err_memory(err);
	return copy_list(&link->known_hosts, target->known_hosts, err) &&
	       copy_list(&link->identities, target->identities, err);
}

static void link_release(struct ssh_link *link)
{
	mem_free(link->name);
	mem_free(link->address);
	mem_free(link->user);
	mem_free(link->known_as);
	mem_free(link->agent);
	strv_release(&link->known_hosts);
	strv_release(&link->identities);
	secret_release(&link->sudo_password);
	while (link->waiters) {
		struct ssh_waiter *waiter = link->waiters;

		link->waiters = waiter->next;
		mem_free(waiter);
	}
}

struct ssh_link *ssh_open(struct ssh *ssh, const struct ssh_target *target, struct err *err)
{
	struct ssh_link *link;

	if (!target->name || !*target->name || !target->user || !*target->user) {
		err_set(err, ERR_USAGE, "ssh: a host and a user are needed");
		return NULL;
	}
	link = ssh->functions->open(ssh, target, err);
	if (!link)
		return NULL;
	link->ssh = ssh;
	link->next = ssh->links;
	ssh->links = link;
	if (copy_target(link, target, err))
		return link;
	ssh_close(link);
	return NULL;
}

bool ssh_connect(struct ssh_link *link, void (*done)(void *context, const struct err *failure),
                 void *context, struct err *err)
{
	struct ssh_waiter *waiter = mem_alloc(sizeof(*waiter)), **end = &link->waiters;

	if (!waiter)
		return err_memory(err);
	waiter->done = done;
	waiter->context = context;
	while (*end)
		end = &(*end)->next;
	*end = waiter;
	link->ssh->functions->connect(link);
	return true;
}

static void call_waiters(struct ssh_link *link, const struct err *failure)
{
	struct ssh_waiter *waiter = link->waiters, *next;

	link->waiters = NULL; // those that the calls add wait for another connection
	for (; waiter; waiter = next) {
		next = waiter->next;
		waiter->done(waiter->context, failure);
		mem_free(waiter);
	}
}

void ssh_link_connected(struct ssh_link *link)
{
	link->is_connected = true;
	call_waiters(link, NULL);
}

void ssh_link_lost(struct ssh_link *link, const struct err *failure)
{
	_cleanup_err_ struct err copy = ERR_INIT;
	struct ssh_exit unknown = {.status = -1};
	struct ssh_channel *channels = link->channels;

	link->is_connected = false;
	link->channels = NULL; // what the calls start is for the next connection
	ssh_copy_error(&copy, failure);
	while (channels) {
		struct ssh_channel *channel = channels;

		channels = channel->next;
		channel->next = NULL;
		if (!channel->is_cancelled)
			channel->events->ended(channel, &unknown, &copy);
		ssh_channel_free(channel);
	}
	call_waiters(link, &copy);
}

bool ssh_is_connected(const struct ssh_link *link)
{
	return link->is_connected;
}

const char *ssh_name(const struct ssh_link *link)
{
	return link->name;
}

void ssh_close(struct ssh_link *link)
{
	struct ssh_link **place;

	if (!link)
		return;
	for (place = &link->ssh->links; *place != link;)
		place = &(*place)->next;
	*place = link->next;
	while (link->channels)
		ssh_channel_free(link->channels);
	link_release(link);
	link->ssh->functions->close(link);
}

void ssh_free(struct ssh *ssh)
{
	if (!ssh)
		return;
	while (ssh->links)
		ssh_close(ssh->links);
	ssh->functions->free(ssh);
}

void ssh_freep(struct ssh **ssh)
{
	ssh_free(*ssh);
}

// Channels

struct ssh_channel *ssh_channel_new(struct ssh_link *link, struct err *err)
{
	struct ssh_channel *channel = link->ssh->functions->channel_new(), **end = &link->channels;

	if (!channel) {
		err_memory(err);
		return NULL;
	}
	channel->link = link;
	channel->id = ++link->ssh->last_id;
	while (*end)
		end = &(*end)->next;
	*end = channel;
	return channel;
}

void ssh_channel_start(struct ssh_channel *channel)
{
	channel->link->ssh->functions->connect(channel->link);
	channel->link->ssh->functions->wake(channel);
}

static void release_owner(struct ssh_channel *channel)
{
	if (channel->owner)
		channel->free_owner(channel->owner);
	channel->owner = NULL;
}

void ssh_channel_end(struct ssh_channel *channel)
{
	channel->is_cancelled = true;
	release_owner(channel);
	channel->link->ssh->functions->wake(channel);
}

void ssh_channel_free(struct ssh_channel *channel)
{
	struct ssh_channel **place = &channel->link->channels;

	while (*place && *place != channel)
		place = &(*place)->next;
	if (*place)
		*place = channel->next;
	release_owner(channel);
	mem_free(channel->command);
	mem_free(channel->host);
	channel->link->ssh->functions->channel_free(channel);
}

void ssh_cancel(struct ssh_link *link, uint64_t id)
{
	for (struct ssh_channel *channel = link->channels; channel; channel = channel->next) {
		if (channel->id == id && !channel->is_cancelled) {
			ssh_channel_end(channel);
			return;
		}
	}
}
