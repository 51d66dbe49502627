// SPDX-License-Identifier: MIT
// In builds without libFuzzer: gives a harness every file of the folders in argv.
#include "fuzz.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/file.h"
#include "base/mem.h"

enum { INPUT_MAX_BYTES = 16 * 1024 * 1024 };

// The input stands in a block of its exact size, so that a read beyond it is seen.
static bool replay_file(const char *path, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(INPUT_MAX_BYTES);
	_cleanup_free_ char *block = NULL;

	if (!file_read(path, &text, err))
		return false;
	block = mem_alloc(text.len);
	if (!block)
		return err_memory(err);
	if (text.len)
		memcpy(block, text.data, text.len);
	LLVMFuzzerTestOneInput((const uint8_t *)block, text.len);
	return true;
}

static int replay_folder(const char *folder)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(4096);
	_cleanup_err_ struct err err = ERR_INIT;
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int count = 0;

	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		strbuf_clear(&path);
		strbuf_addf(&path, "%s/%s", folder, entry->d_name);
		if (!replay_file(strbuf_get(&path), &err)) {
			fprintf(stderr, "%s\n", err_message(&err));
			count = -1;
			break;
		}
		count++;
	}
	if (dir)
		closedir(dir);
	printf("%s: %d inputs\n", folder, count);
	return count;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (replay_folder(argv[i]) <= 0)
			return 1;
	return argc < 2;
}
