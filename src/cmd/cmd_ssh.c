// SPDX-License-Identifier: MIT
// vpsml ssh: one command on many hosts at once.
#include "cmd/commands.h"

#include <errno.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/output.h"
#include "cmd/cluster_file.h"
#include "cmd/hosts.h"

enum { HOSTS_MAX = 1000, LINE_MAX_BYTES = 64 << 10 };

struct ssh_command_options {
	struct cmd_hosts_options hosts;
	struct cmd_file_options file;
	bool is_all;
	bool is_root_wanted;
	int64_t limit_s; // 0: none
};

static const struct cli_option rows[] = {
	{.name = "all",
     .kind = CLI_FLAG,
     .offset = offsetof(struct ssh_command_options, is_all),
     .help = "on every host of the cluster's file, by their names there"},
	{.name = "sudo",
     .kind = CLI_FLAG,
     .offset = offsetof(struct ssh_command_options, is_root_wanted),
     .help = "run the command as root, by sudo where the user is another"},
	{.name = "timeout",
     .kind = CLI_DURATION,
     .min = 1,
     .offset = offsetof(struct ssh_command_options, limit_s),
     .metavar = "DURATION",
     .help = "wait at most so long for the command to end (default: no limit)"},
};
static const struct cli_group group = {"Command", rows, COUNT_OF(rows)};

static void init(void *data)
{
	cmd_hosts_options_init(&((struct ssh_command_options *)data)->hosts);
}

static void release(void *data)
{
	struct ssh_command_options *options = data;

	cmd_hosts_options_release(&options->hosts);
	cmd_file_options_release(&options->file);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	const struct ssh_command_options *options = data;

	if (!context->words.count && !options->is_all)
		faults_add(faults, "which hosts? [USER@]HOST[:PORT]..., or --all");
	if (context->words.count && options->is_all)
		faults_add(faults, "--all: excludes hosts that are named");
	if (!options->is_all && (options->file.file || options->file.limit.count))
		faults_add(faults, "%s: goes with --all", options->file.file ? "--file" : "--limit");
	if (!context->command.count)
		faults_add(faults, "which command? -- COMMAND...");
}

// The command on one host.

struct fan_out;

struct run {
	struct fan_out *all;
	const char *host;
	size_t link;            // its index among the hosts
	struct strbuf lines[2]; // what is not a whole line yet
};

struct fan_out {
	struct cli_context *context;
	const struct ssh_command_options *options;
	struct cmd_hosts *hosts;
	const char *const *argv;
	struct run *runs;
	size_t count, started, ended;
	struct strbuf failures; // a line each
	size_t failed;
	struct err first; // what the first failure of ours was
	bool is_output_over;
	struct err output_failure; // why; unset if whoever read it has gone
};

static FILE *file_of(const struct run *run, enum ssh_stream stream)
{
	return stream == SSH_OUT ? run->all->context->out : run->all->context->err;
}

static void flush(struct fan_out *all, FILE *file, const struct strbuf *text)
{
	struct err *err = &all->output_failure;

	if (!strbuf_ok(text, err)) {
		all->is_output_over = true;
		return;
	}
	errno = 0;
	if (fwrite(strbuf_get(text), 1, text->len, file) == text->len && !fflush(file))
		return;
	all->is_output_over = true;
	if (errno != EPIPE)
		err_errno(err, "output");
}

// Writes whole lines, behind the host's name where there are several. A terminal gets them harmless,
// a file or pipe as they came.
static void write_lines(struct run *run, enum ssh_stream stream, const char *data, size_t len)
{
	FILE *file = file_of(run, stream);
	bool is_terminal = isatty(fileno(file));
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1 << 20);

	if (run->all->is_output_over)
		return;
	while (len) {
		const char *stop = memchr(data, '\n', len);
		size_t line = stop ? (size_t)(stop - data) + 1 : len;

		if (run->all->count > 1)
			strbuf_addf(&text, "%s: ", run->host);
		if (is_terminal)
			text_sanitize(&text, data, line, TEXT_KEEP_LINES);
		else
			strbuf_add_n(&text, data, line);
		if (!stop && run->all->count > 1)
			strbuf_add_char(&text, '\n');
		data += line;
		len -= line;
	}
	flush(run->all, file, &text);
}

static void on_output(void *context, enum ssh_stream stream, const char *data, size_t len)
{
	struct run *run = context;
	struct strbuf *held = &run->lines[stream];
	size_t whole = len;

	if (run->all->count == 1) {
		write_lines(run, stream, data, len);
		return;
	}
	while (whole && data[whole - 1] != '\n')
		whole--;
	if (whole || held->len + len > held->max) { // a line without end is cut
		strbuf_add_n(held, data, whole < held->max - held->len ? whole : held->max - held->len);
		write_lines(run, stream, strbuf_get(held), held->len);
		strbuf_clear(held);
	}
	if (len - whole < held->max - held->len)
		strbuf_add_n(held, data + whole, len - whole);
}

static void note_failure(struct run *run, const struct ssh_result *result,
                         const struct err *failure)
{
	struct fan_out *all = run->all;

	if (!failure && !result->status)
		return;
	all->failed++;
	if (failure && all->first.kind == ERR_NONE) {
		err_set(&all->first, failure->kind, "%s", err_message(failure));
		if (failure->hint)
			err_hint(&all->first, "%s", failure->hint);
	}
	strbuf_addf(&all->failures, "%s%s: ", all->failures.len ? "\n" : "", run->host);
	if (failure)
		strbuf_add(&all->failures, err_message(failure));
	else
		strbuf_addf(&all->failures, "the command ended with status %d", result->status);
}

static void start_more(struct fan_out *all);

static void end_of_run(struct run *run, const struct ssh_result *result, const struct err *failure)
{
	for (size_t stream = 0; stream < COUNT_OF(run->lines); stream++)
		write_lines(run, (enum ssh_stream)stream, strbuf_get(&run->lines[stream]),
		            run->lines[stream].len);
	note_failure(run, result, failure);
	run->all->ended++;
}

static void on_done(void *context, const struct ssh_result *result, const struct err *failure)
{
	struct run *run = context;

	end_of_run(run, result, failure);
	start_more(run->all);
}

static void start(struct run *run, struct ssh_link *link)
{
	struct fan_out *all = run->all;
	struct ssh_exec exec = {
		.argv = all->argv,
		.as_root = all->options->is_root_wanted,
		.timeout_ms = all->options->limit_s * 1000,
		.output = on_output,
		.done = on_done,
		.context = run,
	};
	_cleanup_err_ struct err err = ERR_INIT;
	uint64_t unused;

	if (!ssh_exec(link, &exec, &unused, &err))
		end_of_run(run, NULL, &err);
}

// Keeps --parallel hosts at work.
static void start_more(struct fan_out *all)
{
	while (all->started < all->count &&
	       all->started - all->ended < (size_t)all->options->hosts.parallel) {
		size_t index = all->started++;

		start(&all->runs[index], cmd_hosts_link(all->hosts, all->runs[index].link));
	}
}

static bool fan_out_add(struct fan_out *all, const char *host, size_t link, struct err *err)
{
	const struct strbuf empty = STRBUF_INIT(LINE_MAX_BYTES);
	const struct run run = {all, host, link, {empty, empty}};

	return mem_append(&all->runs, &all->count, &run, sizeof(run)) || err_memory(err);
}

// The hosts that were named, or those of the file that --limit leaves.
static bool fan_out_init(struct fan_out *all, const struct boot_inventory *inventory,
                         struct err *err)
{
	const struct strv *words = &all->context->words;

	for (size_t i = 0; i < words->count; i++)
		if (!fan_out_add(all, words->items[i], i, err))
			return false;
	for (size_t i = 0; i < inventory->host_count; i++)
		if (cmd_file_wants(&all->options->file, &inventory->hosts[i]) &&
		    !fan_out_add(all, inventory->hosts[i].name, i, err))
			return false;
	return true;
}

static void fan_out_release(struct fan_out *all)
{
	for (size_t i = 0; all->runs && i < all->count; i++)
		for (size_t stream = 0; stream < COUNT_OF(all->runs[i].lines); stream++)
			strbuf_release(&all->runs[i].lines[stream]);
	mem_free(all->runs);
	strbuf_release(&all->failures);
	err_clear(&all->first);
	err_clear(&all->output_failure);
}

// What the command comes to: nothing if all hosts are done, the failure of a single host, or a
// line a host.
static bool conclude(struct fan_out *all, struct err *err)
{
	if (all->is_output_over) {
		*err = all->output_failure;
		all->output_failure = (struct err)ERR_INIT;
		return false;
	}
	if (!all->failed)
		return true;
	err_set(err, all->count == 1 && all->first.kind != ERR_NONE ? all->first.kind : ERR_HOSTS, "%s",
	        all->failures.failed ? "many hosts failed" : strbuf_get(&all->failures));
	if (all->first.hint)
		err_hint(err, "%s", all->first.hint);
	return false;
}

// One word is a line for the shell, as with ssh; several are an argv, in which nothing is special.
static bool fan_out_run(struct fan_out *all, struct cli_context *context, struct err *err)
{
	const char *const line[] = {"/bin/sh", "-c", context->command.items[0], NULL};

	all->argv = context->command.count == 1 ? line : (const char *const *)context->command.items;
	start_more(all);
	while (all->ended < all->count && !all->is_output_over)
		if (!loop_run(cmd_hosts_loop(all->hosts), -1, err))
			return false;
	return conclude(all, err);
}

static struct cmd_hosts *open_hosts(struct cli_context *context,
                                    const struct ssh_command_options *options,
                                    struct boot_inventory *inventory, struct err *err)
{
	if (!options->is_all)
		return cmd_hosts_open(context, &options->hosts, &context->words, err);
	if (!cmd_file_load(context, &options->file, inventory, err))
		return NULL;
	return cmd_hosts_open_inventory(context, &options->hosts, inventory, err);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	const struct ssh_command_options *options = data;
	_cleanup_boot_inventory_ struct boot_inventory inventory = {0};
	_cleanup_cmd_hosts_ struct cmd_hosts *hosts = open_hosts(context, options, &inventory, err);
	struct fan_out all = {
		.context = context,
		.options = options,
		.hosts = hosts,
		.failures = STRBUF_INIT(1 << 20),
	};
	bool is_ok = hosts && fan_out_init(&all, &inventory, err) && fan_out_run(&all, context, err);

	cmd_hosts_close(TAKE(hosts)); // what still runs may point into the following
	fan_out_release(&all);
	return is_ok;
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_file_group, offsetof(struct ssh_command_options, file)},
	{&cmd_hosts_group, offsetof(struct ssh_command_options, hosts)},
};

static const struct cli_example examples[] = {
	{"one command on three hosts", "vpsml ssh root@gpu-1 root@gpu-2 ops@10.0.0.5:2222 -- uptime"},
	{"a line for the shell is one word", "vpsml ssh root@gpu-1 -- 'df -h / | tail -n 1'"},
	{"on every host of cluster.yaml", "vpsml ssh --all --sudo -- 'apt-get -q update'"},
	{"as root, through a jump host", "vpsml ssh --sudo --jump me@bastion ops@10.1.0.7 -- id"},
};

const struct cli_command cmd_ssh = {
	.name = "ssh",
	.page = "vpsml-ssh",
	.section = "Cluster",
	.args = "[[USER@]HOST[:PORT]...]",
	.summary = "run a command on hosts at once",
	.about = "Runs a command on one or many hosts over SSH, at once, and shows what it writes. "
			 "Nothing need be installed there.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_max = HOSTS_MAX,
	.takes_command = true,
	.options_size = sizeof(struct ssh_command_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
