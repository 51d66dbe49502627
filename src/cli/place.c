// SPDX-License-Identifier: MIT
#include "cli/place.h"

#include <string.h>

#include "cli/walk.h"

struct reader {
	struct cli_place *place;
	const struct cli_option *waiting; // its value comes next
	size_t word_count;                // arguments so far
	bool is_over;                     // "--" was there
};

static const struct cli_option *find_long(const struct cli_command *command, const char *name,
                                          size_t len)
{
	struct cli_cursor cursor = {0, 0};
	const struct cli_option *option;

	while ((option = cli_next_option(command, &cursor)))
		if (!strncmp(option->name, name, len) && !option->name[len])
			return option;
	return NULL;
}

static const struct cli_option *find_letter(const struct cli_command *command, char letter)
{
	struct cli_cursor cursor = {0, 0};
	const struct cli_option *option;

	while ((option = cli_next_option(command, &cursor)))
		if (option->letter == letter)
			return option;
	return NULL;
}

// The option of "--name", "--name=…" or "-abc…" that takes a value, and what follows it in the word
// (NULL: nothing, the value is the next word). NULL where there is none.
static const struct cli_option *find_valued(const struct cli_command *command, const char *word,
                                            const char **ret_attached)
{
	const struct cli_option *option = NULL;

	*ret_attached = NULL;
	if (word[1] == '-') {
		size_t len = strcspn(word + 2, "=");

		option = find_long(command, word + 2, len);
		if (word[2 + len])
			*ret_attached = word + 2 + len + 1;
		return option && !cli_option_is_bare(option) ? option : NULL;
	}
	for (const char *letter = word + 1; *letter; letter++) {
		option = find_letter(command, *letter);
		if (!option || cli_option_is_bare(option))
			continue;
		*ret_attached = letter[1] ? letter + 1 : NULL;
		return option;
	}
	return NULL;
}

static size_t follow_verbs(struct cli_place *place, char *const *words, size_t count)
{
	size_t at = 0;

	for (; at + 1 < count && place->command->verbs && words[at][0] != '-'; at++) {
		const struct cli_command *verb = cli_find_verb(place->command, words[at]);

		if (!verb)
			break;
		place->command = verb;
	}
	return at;
}

// A word before the cursor.
static void pass(struct reader *reader, const char *word)
{
	const struct cli_option *waiting = reader->waiting;
	const char *attached;

	reader->waiting = NULL;
	if (reader->is_over || (waiting && strncmp(word, "--", 2) != 0)) {
		reader->word_count += reader->is_over;
	} else if (!strcmp(word, "--")) {
		reader->is_over = true;
	} else if (word[0] == '-' && word[1]) {
		reader->waiting = find_valued(reader->place->command, word, &attached);
		if (attached)
			reader->waiting = NULL;
	} else {
		reader->word_count++;
	}
}

static void stop_at_value(struct cli_place *place, const struct cli_option *option,
                          const char *typed)
{
	place->wish = CLI_WISH_VALUE;
	place->option = option;
	place->typed = typed;
}

// The word at the cursor.
static void stop(struct reader *reader, const char *word)
{
	struct cli_place *place = reader->place;
	const struct cli_command *command = place->command;
	const struct cli_option *option;
	const char *attached;

	place->typed = word;
	if (reader->is_over && command->takes_command)
		return; // of another program
	if (reader->waiting && strncmp(word, "--", 2) != 0) {
		stop_at_value(place, reader->waiting, word);
	} else if (word[0] == '-' && !reader->is_over) {
		option = find_valued(command, word, &attached);
		if (option && attached)
			stop_at_value(place, option, attached);
		else
			place->wish = CLI_WISH_OPTION;
	} else if (command->verbs) {
		place->wish = reader->word_count ? CLI_WISH_NOTHING : CLI_WISH_VERB;
	} else if (reader->word_count < command->word_max) {
		place->wish = CLI_WISH_WORD;
	}
}

void cli_place_find(struct cli_place *place, const struct cli_command *root, char *const *words,
                    size_t count)
{
	struct reader reader = {.place = place};

	*place = (struct cli_place){.command = root};
	place->verb_count = follow_verbs(place, words, count);
	for (size_t i = place->verb_count; i + 1 < count; i++)
		pass(&reader, words[i]);
	stop(&reader, words[count - 1]);
}

enum cli_completion cli_place_completion(const struct cli_place *place)
{
	switch (place->wish) {
	case CLI_WISH_VALUE:
		return place->option->completion;
	case CLI_WISH_WORD:
		return place->command->arg_completion;
	default:
		return CLI_COMPLETE_NONE;
	}
}
