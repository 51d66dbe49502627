// SPDX-License-Identifier: MIT
#include "cli/walk.h"

#include <string.h>

enum { PATH_MAX_BYTES = 256 };

void cli_walk(const struct cli_command *command, const char *path, cli_walk_fn *visit, void *data)
{
	if (command->is_hidden)
		return;
	visit(command, path, data);
	for (size_t i = 0; command->verbs && command->verbs[i]; i++) {
		char below[PATH_MAX_BYTES];

		snprintf(below, sizeof(below), "%s %s", path, command->verbs[i]->name);
		cli_walk(command->verbs[i], below, visit, data);
	}
}

const struct cli_command *cli_find_path(const struct cli_command *root, const char *path)
{
	size_t len = strcspn(path, " ");

	if (strncmp(root->name, path, len) != 0 || root->name[len])
		return NULL;
	if (!path[len])
		return root;
	for (size_t i = 0; root->verbs && root->verbs[i]; i++) {
		const struct cli_command *found = cli_find_path(root->verbs[i], path + len + 1);

		if (found)
			return found;
	}
	return NULL;
}

const struct cli_group *cli_cursor_group(const struct cli_command *command,
                                         const struct cli_cursor *cursor)
{
	if (cursor->group < command->group_count)
		return command->groups[cursor->group].group;
	return &cli_general_group;
}

const struct cli_option *cli_next_option(const struct cli_command *command,
                                         struct cli_cursor *cursor)
{
	while (cursor->group <= command->group_count) {
		const struct cli_group *group = cli_cursor_group(command, cursor);

		if (cursor->option < group->count)
			return &group->options[cursor->option++];
		cursor->group++;
		cursor->option = 0;
	}
	return NULL;
}
