// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}
#define _cleanup_fd_ _cleanup_(close_fd)

bool file_read(const char *path, struct strbuf *out, struct err *err)
{
	bool is_stdin = !strcmp(path, "-");
	_cleanup_fd_ int opened = is_stdin ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	int fd = is_stdin ? STDIN_FILENO : opened;
	char block[16384];
	ssize_t got;

	if (fd < 0)
		return err_errno(err, "%s", path);
	while ((got = read(fd, block, sizeof(block))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_errno(err, "%s", path);
		strbuf_add_n(out, block, (size_t)got);
		if (out->failed)
			break;
	}
	return strbuf_ok(out, err) || err_wrap(err, "%s", path);
}

static bool write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t wrote = write(fd, data, len);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return false;
		data += wrote;
		len -= (size_t)wrote;
	}
	return true;
}

// The file that PATH leads to: itself, or what a chain of symbolic links ends in.
static char *resolve(const char *path)
{
	struct stat info;

	if (!lstat(path, &info) && S_ISLNK(info.st_mode))
		return realpath(path, NULL);
	errno = ENOMEM;
	return mem_dup(path);
}

// A new file beside PATH; *TEMPORARY becomes its name.
static int open_beside(const char *path, char **temporary, struct err *err)
{
	struct strbuf name = STRBUF_INIT(4096);
	int fd;

	strbuf_addf(&name, "%s.XXXXXX", path);
	*temporary = strbuf_take(&name, err);
	strbuf_release(&name);
	if (!*temporary)
		return -1;
	fd = mkstemp(*temporary);
	if (fd < 0)
		err_errno(err, "%s", path);
	return fd;
}

// Gives the new file the owner of the one that it is to replace. That may be refused to
// anyone but root, and then the writer owns it.
static void keep_owner(int fd, const char *path)
{
	struct stat info;

	if (!stat(path, &info) && fchown(fd, info.st_uid, info.st_gid))
		errno = 0;
}

// Makes the rename itself durable.
static void sync_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *folder =
		slash ? mem_dup_n(path, slash == path ? 1 : (size_t)(slash - path)) : mem_dup(".");
	_cleanup_fd_ int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0)
		fsync(fd);
}

bool file_write(const char *path, const char *data, size_t len, struct err *err)
{
	_cleanup_free_ char *target = resolve(path);
	_cleanup_free_ char *temporary = NULL;
	_cleanup_fd_ int fd = -1;

	if (!target)
		return errno == ENOMEM ? err_memory(err) : err_errno(err, "%s", path);
	fd = open_beside(target, &temporary, err);
	if (fd < 0)
		return false;
	keep_owner(fd, target);
	if (!write_all(fd, data, len) || fsync(fd) || rename(temporary, target)) {
		err_errno(err, "%s", path);
		unlink(temporary);
		return false;
	}
	sync_folder_of(target);
	return true;
}

// Whether PATH, which mkdir could not make, is a folder already; if not, errno says what is wrong.
static bool is_folder(const char *path)
{
	struct stat info;

	if (errno != EEXIST || stat(path, &info))
		return false;
	errno = ENOTDIR;
	return S_ISDIR(info.st_mode);
}

bool file_make_folder(const char *path, struct err *err)
{
	_cleanup_free_ char *part = mem_dup(path);

	if (!part)
		return err_memory(err);
	for (char *p = part + (*part == '/');; p++) {
		char c = *p;

		if (c != '/' && c)
			continue;
		*p = '\0';
		if (mkdir(part, 0700) && !is_folder(part))
			return err_errno(err, "%s", part);
		*p = c;
		if (!c)
			return true;
	}
}
