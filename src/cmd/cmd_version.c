// SPDX-License-Identifier: MIT
// vpsml version
#include "cmd/commands.h"

#include "cli/output.h"

static bool run(struct cli_context *context, void *options, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(256);

	(void)options;
	strbuf_addf(&text, "vpsml %s\n", VPSML_VERSION);
	return cli_write_out(context, &text, err);
}

const struct cli_command cmd_version = {
	.name = "version",
	.section = "Other",
	.summary = "show the version",
	.about = "Shows the version of vpsml.",
	.page = "vpsml",
	.run = run,
};
