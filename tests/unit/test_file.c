// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

// Each test runs in a fresh folder, which is the working directory.
static char folder[] = "/tmp/vpsml-test-file-XXXXXX";

static int enter_folder(void **state)
{
	(void)state;
	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static void remove_all(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char child[4096];

	while (dir && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(child, sizeof(child), "%s/%s", path, entry->d_name);
		if (unlink(child))
			remove_all(child);
	}
	if (dir)
		closedir(dir);
	rmdir(path);
}

static int leave_folder(void **state)
{
	(void)state;
	if (chdir("/"))
		return -1;
	remove_all(folder);
	return 0;
}

static void expect_content(const char *path, const char *expected)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(file_read(path, &text, &err));
	assert_string_equal(strbuf_get(&text), expected);
}

// How many entries the folder has; a temporary file left behind is one too many.
static int count_entries(void)
{
	DIR *dir = opendir(".");
	int count = -2;

	assert_non_null(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void write_text(const char *path, const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!file_write(path, text, strlen(text), &err))
		fail_msg("%s", err_message(&err));
}

static void new_file_is_for_its_owner_only(void **state)
{
	mode_t before = umask(0);
	struct stat info;

	(void)state;
	write_text("config", "secret");
	umask(before);
	assert_int_equal(stat("config", &info), 0);
	assert_int_equal(info.st_mode & 07777, 0600);
	expect_content("config", "secret");
	assert_int_equal(count_entries(), 1);
}

static void replaces_the_whole_content(void **state)
{
	(void)state;
	write_text("config", "a long old content");
	write_text("config", "new");
	expect_content("config", "new");
	write_text("config", "");
	expect_content("config", "");
	assert_int_equal(count_entries(), 1);
}

static void symbolic_link_stays_and_its_target_changes(void **state)
{
	struct stat info;

	(void)state;
	assert_int_equal(mkdir("real", 0700), 0);
	write_text("real/config", "old");
	assert_int_equal(symlink("real/config", "middle"), 0);
	assert_int_equal(symlink("middle", "link"), 0);
	write_text("link", "new");
	assert_int_equal(lstat("link", &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_int_equal(lstat("real/config", &info), 0);
	assert_true(S_ISREG(info.st_mode));
	expect_content("real/config", "new");
}

static void owner_stays_where_we_may_set_it(void **state)
{
	struct stat info;

	(void)state;
	if (geteuid())
		skip();
	write_text("config", "old");
	assert_int_equal(chown("config", 1234, 2345), 0);
	write_text("config", "new");
	assert_int_equal(stat("config", &info), 0);
	assert_int_equal(info.st_uid, 1234);
	assert_int_equal(info.st_gid, 2345);
	assert_int_equal(info.st_mode & 07777, 0600);
}

// A full disk, here a file size limit: the old content stays, and no temporary file.
static void write_that_fails_leaves_the_old_file(void **state)
{
	const struct rlimit small = {.rlim_cur = 4, .rlim_max = RLIM_INFINITY};
	_cleanup_err_ struct err err = ERR_INIT;
	struct rlimit before;
	bool is_ok;

	(void)state;
	write_text("config", "old content");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	is_ok = file_write("config", "new content", 11, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_false(is_ok);
	assert_string_equal(err_message(&err), "config: File too large");
	expect_content("config", "old content");
	assert_int_equal(count_entries(), 1);
}

static void errors_name_the_path(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_false(file_read("missing", &text, &err));
	assert_string_equal(err_message(&err), "missing: No such file or directory");
	assert_false(file_read(".", &text, &err));
	assert_string_equal(err_message(&err), ".: Is a directory");
	assert_false(file_write("no/config", "x", 1, &err));
	assert_non_null(strstr(err_message(&err), "no/config"));
	assert_int_equal(symlink("nowhere", "dangling"), 0);
	assert_false(file_write("dangling", "x", 1, &err));
	assert_string_equal(err_message(&err), "dangling: No such file or directory");
}

static void read_holds_its_cap(void **state)
{
	_cleanup_strbuf_ struct strbuf exact = STRBUF_INIT(5), small = STRBUF_INIT(4);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	write_text("five", "12345");
	assert_true(file_read("five", &exact, &err));
	assert_false(file_read("five", &small, &err));
	assert_string_equal(err_message(&err), "five: text longer than 4 bytes");
}

static void reads_more_than_one_block(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(200000), back = STRBUF_INIT(200000);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i < 20000; i++)
		strbuf_addf(&text, "%06d\n", i);
	strbuf_add_n(&text, "\0end", 4);
	assert_true(file_write("large", text.data, text.len, &err));
	assert_true(file_read("large", &back, &err));
	assert_int_equal(back.len, text.len);
	assert_memory_equal(back.data, text.data, text.len);
}

static void dash_is_standard_input(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(100);
	_cleanup_err_ struct err err = ERR_INIT;
	int before = dup(STDIN_FILENO), fd;

	(void)state;
	write_text("input", "piped");
	fd = open("input", O_RDONLY);
	assert_true(dup2(fd, STDIN_FILENO) >= 0);
	close(fd);
	assert_true(file_read("-", &text, &err));
	assert_true(dup2(before, STDIN_FILENO) >= 0);
	close(before);
	assert_string_equal(strbuf_get(&text), "piped");
}

static void makes_missing_folders(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	mode_t before = umask(0);
	struct stat info;
	char absolute[64];

	(void)state;
	assert_true(file_make_folder("a/b//c", &err));
	assert_true(file_make_folder("a/b/c/", &err));
	snprintf(absolute, sizeof(absolute), "%s/d/e", folder);
	assert_true(file_make_folder(absolute, &err));
	assert_true(file_make_folder("/", &err));
	umask(before);
	assert_int_equal(stat("a/b", &info), 0);
	assert_int_equal(info.st_mode & 07777, 0700);
	assert_int_equal(stat("d/e", &info), 0);
}

static void a_file_in_the_way_is_an_error(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	write_text("file", "x");
	assert_false(file_make_folder("file", &err));
	assert_string_equal(err_message(&err), "file: Not a directory");
	assert_false(file_make_folder("file/below", &err));
	assert_string_equal(err_message(&err), "file: Not a directory");
	assert_false(file_make_folder("", &err));
	assert_string_equal(err_message(&err), ": No such file or directory");
}

static void every_failed_allocation_is_reported(void **state)
{
	(void)state;
	write_text("config", "old");
	for (size_t nth = 1;; nth++) {
		_cleanup_err_ struct err err = ERR_INIT;
		bool is_ok;

		errno = 0;
		unit_fail_allocation(nth);
		is_ok = file_write("config", "new", 3, &err);
		unit_fail_allocation(0);
		assert_int_equal(count_entries(), 1);
		if (is_ok)
			break;
		assert_int_equal(err.kind, ERR_MEMORY);
		expect_content("config", "old");
	}
	expect_content("config", "new");
}

#define folder_test(f) cmocka_unit_test_setup_teardown(f, enter_folder, leave_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		folder_test(new_file_is_for_its_owner_only),
		folder_test(replaces_the_whole_content),
		folder_test(symbolic_link_stays_and_its_target_changes),
		folder_test(owner_stays_where_we_may_set_it),
		folder_test(write_that_fails_leaves_the_old_file),
		folder_test(errors_name_the_path),
		folder_test(read_holds_its_cap),
		folder_test(reads_more_than_one_block),
		folder_test(dash_is_standard_input),
		folder_test(makes_missing_folders),
		folder_test(a_file_in_the_way_is_an_error),
		folder_test(every_failed_allocation_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
