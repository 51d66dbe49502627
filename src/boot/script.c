// SPDX-License-Identifier: MIT
#include "boot/script.h"

#include <stdio.h>
#include <string.h>

#include "ssh/quote.h"

const char boot_script_keeper[] =
	"umask 077\n"
	"mkdir -p /var/lib/vpsml && d=$(mktemp -d /var/lib/vpsml/run.XXXXXX) || exit 73\n"
	"cat >\"$d/script\"\n"
	"if [ \"$(sha256sum <\"$d/script\" | cut -c1-64)\" != \"$1\" ]; then\n"
	"\trm -rf \"$d\"\n"
	"\techo 'the script was cut off on its way' >&2\n"
	"\texit 74\n"
	"fi\n"
	": >\"$d/out\"\n"
	"(trap '' HUP; exec setsid /bin/sh \"$d/script\" \"$d\" </dev/null >\"$d/out\" 2>&1) &\n"
	"p=$!\n"
	"tail -s 0.1 -n +1 -f --pid=$p \"$d/out\"\n"
	"wait $p\n"
	"s=$?\n"
	"rm -rf \"$d\"\n"
	"exit $s\n";

static void add_path(struct strbuf *out, const char *path)
{
	if (!strncmp(path, "run:", 4)) {
		strbuf_add(out, "\"$RUN\"/");
		path += 4;
	}
	quote_word(out, path);
}

// The content stands between lines that cannot be in it.
static void add_file(struct strbuf *out, const struct boot_file *file, const char *token)
{
	size_t len = file->content ? strlen(file->content) : 0;
	bool is_cut = len && file->content[len - 1] != '\n';

	if (!file->content) {
		strbuf_add(out, "rm -f ");
		add_path(out, file->path);
		strbuf_add_char(out, '\n');
		return;
	}
	if (is_cut)
		strbuf_addf(out, "head -c %zu <<'%s-file' | ", len, token);
	strbuf_add(out, "put ");
	add_path(out, file->path);
	strbuf_addf(out, " %04o %s", file->mode, file->is_backed_up ? "backup" : "-");
	if (!len)
		strbuf_add(out, " </dev/null\n");
	else if (is_cut)
		strbuf_addf(out, "\n%s\n%s-file\n", file->content, token);
	else
		strbuf_addf(out, " <<'%s-file'\n%s%s-file\n", token, file->content, token);
}

static void add_function(struct strbuf *out, const char *name, size_t index, const char *text)
{
	strbuf_addf(out, "%s_%zu() {\n%s", name, index, text);
	if (*text && text[strlen(text) - 1] != '\n')
		strbuf_add_char(out, '\n');
	strbuf_add(out, "}\n");
}

static void add_step(struct strbuf *out, const struct boot_step *step, size_t index,
                     const char *token)
{
	strbuf_addf(out, "\n# %s\n", step->name);
	add_function(out, "check", index, step->check ? step->check : "false\n");
	strbuf_addf(out, "act_%zu() {\n", index);
	for (size_t i = 0; i < step->file_count; i++)
		add_file(out, &step->files[i], token);
	strbuf_add(out, step->act ? step->act : ":\n");
	strbuf_add(out, "}\n");
	add_function(out, "verify", index, step->verify ? step->verify : ":\n");
	strbuf_addf(out, "step %s %zu\n", step->name, index);
}

bool boot_script_render(const struct boot_script *script, struct strbuf *out, struct err *err)
{
	strbuf_addf(out, "N=%s\nCLUSTER=", script->token);
	quote_word(out, script->cluster);
	strbuf_add(out, "\nRUN_ID=");
	quote_word(out, script->run);
	strbuf_add_char(out, '\n');
	strbuf_add(out, boot_script_script);
	for (size_t i = 0; i < script->steps->count; i++)
		if (script->phases >> script->steps->items[i].phase & 1)
			add_step(out, &script->steps->items[i], i, script->token);
	if (script->payload)
		strbuf_addf(out, "\npayload file %s\n", script->payload);
	strbuf_addf(out, "finish %s\n", script->is_last ? "1" : "\"$DONE\"");
	return strbuf_ok(out, err);
}

// Output

void boot_output_init(struct boot_output *output, const char *token,
                      const struct boot_output_calls *calls)
{
	*output = (struct boot_output){
		.calls = *calls,
		.line = STRBUF_INIT(BOOT_OUTPUT_LINE_MAX_BYTES),
	};
	snprintf(output->token, sizeof(output->token), "%s", token);
}

static void end_line(struct boot_output *output)
{
	static const char *const words[BOOT_SAYS_COUNT] = {
		"begin", "skip", "end", "fail", "note", "journal", "payload", "done",
	};
	const char *line = strbuf_get(&output->line);
	size_t len = strlen(output->token);

	if (strncmp(line, output->token, len) != 0 || line[len] != ' ') {
		output->calls.line(output->calls.context, line);
		return;
	}
	line += len + 1;
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		len = strlen(words[i]);
		if (!strncmp(line, words[i], len) && (!line[len] || line[len] == ' ')) {
			output->calls.say(output->calls.context, (enum boot_word)i,
			                  line[len] ? line + len + 1 : "");
			return;
		}
	}
}

void boot_output_feed(struct boot_output *output, const char *data, size_t len)
{
	while (len) {
		const char *stop = memchr(data, '\n', len);
		size_t piece = stop ? (size_t)(stop - data) : len;
		size_t room = output->line.max - output->line.len;

		strbuf_add_n(&output->line, data, piece < room ? piece : room);
		if (stop) {
			end_line(output);
			strbuf_clear(&output->line);
			piece++;
		}
		data += piece;
		len -= piece;
	}
}

void boot_output_release(struct boot_output *output)
{
	strbuf_release(&output->line);
}
