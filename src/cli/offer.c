// SPDX-License-Identifier: MIT
#include "cli/offer.h"

#include <string.h>

#include "cli/walk.h"

static bool begins_with(const char *text, const char *typed)
{
	return !strncmp(text, typed, strlen(typed));
}

static void offer_verbs(struct strbuf *out, const struct cli_place *place)
{
	for (size_t i = 0; place->command->verbs[i]; i++) {
		const struct cli_command *verb = place->command->verbs[i];

		if (!verb->is_hidden && begins_with(verb->name, place->typed))
			strbuf_addf(out, "%s\t%s\n", verb->name, verb->summary);
	}
}

static void offer_options(struct strbuf *out, const struct cli_place *place)
{
	struct cli_cursor cursor = {0, 0};
	const struct cli_option *option;

	while ((option = cli_next_option(place->command, &cursor))) {
		_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(256);

		strbuf_addf(&name, "--%s", option->name);
		if (begins_with(strbuf_get(&name), place->typed))
			strbuf_addf(out, "%s\t%s\n", strbuf_get(&name), option->help);
		out->failed |= name.failed;
	}
}

static void offer_words(struct strbuf *out, const char *const *words, const char *typed)
{
	for (size_t i = 0; words && words[i]; i++)
		if (begins_with(words[i], typed))
			strbuf_addf(out, "%s\n", words[i]);
}

void cli_offer(struct strbuf *out, const struct cli_place *place)
{
	switch (place->wish) {
	case CLI_WISH_VERB:
		offer_verbs(out, place);
		break;
	case CLI_WISH_OPTION:
		offer_options(out, place);
		break;
	case CLI_WISH_VALUE:
		offer_words(out, place->option->words, place->typed);
		break;
	case CLI_WISH_WORD:
		offer_words(out, place->command->arg_words, place->typed);
		break;
	case CLI_WISH_NOTHING:
		break;
	}
}
