// SPDX-License-Identifier: MIT
// Writes the committed files that come from the command rows: completion scripts as a whole, man
// pages between their marks. Part of the build alone.
//
//     gen FILE...           write them anew
//     gen --check FILE...   only say which of them are stale; exit status 1 if any is
#include "base/file.h"

#include "cli/complete.h"
#include "cli/manual.h"
#include "cmd/commands.h"

enum { FILE_MAX_BYTES = 4 * 1024 * 1024 };

static const struct {
	const char *name;
	enum cli_shell shell;
} scripts[] = {
	{"vpsml.bash", CLI_SHELL_BASH},
	{"_vpsml", CLI_SHELL_ZSH},
	{"vpsml.fish", CLI_SHELL_FISH},
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

// What the file PATH must hold; a man page has its prose in OLD.
static bool generate(struct strbuf *out, const char *path, const char *old, struct err *err)
{
	for (size_t i = 0; i < COUNT_OF(scripts); i++) {
		if (strcmp(base_name(path), scripts[i].name) != 0)
			continue;
		cli_complete(out, scripts[i].shell, &cmd_root);
		return strbuf_ok(out, err);
	}
	return cli_manual_fill(out, old, &cmd_root, err) && strbuf_ok(out, err);
}

// Not file_write, which keeps others from reading what it writes.
static bool replace(const char *path, const struct strbuf *text, struct err *err)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return err_errno(err, "%s", path);
	if (fwrite(text->data, 1, text->len, file) != text->len) {
		fclose(file);
		return err_set(err, ERR_FAILED, "%s: not written", path);
	}
	return fclose(file) == 0 || err_errno(err, "%s", path);
}

static bool handle(const char *path, bool is_check, struct err *err)
{
	_cleanup_strbuf_ struct strbuf old = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FILE_MAX_BYTES);

	if (!file_read(path, &old, err))
		return false;
	if (!generate(&text, path, strbuf_get(&old), err))
		return err_wrap(err, "%s", path);
	if (!strcmp(strbuf_get(&old), strbuf_get(&text)))
		return true;
	if (is_check)
		return err_set(err, ERR_FAILED, "%s is stale, mended by: ninja -C build docs", path);
	return replace(path, &text, err);
}

int main(int argc, char **argv)
{
	bool is_check = argc > 1 && !strcmp(argv[1], "--check");
	int status = 0;

	for (int i = 1 + is_check; i < argc; i++) {
		_cleanup_err_ struct err err = ERR_INIT;

		if (handle(argv[i], is_check, &err))
			continue;
		fprintf(stderr, "gen: %s\n", err_message(&err));
		status = 1;
	}
	return status;
}
