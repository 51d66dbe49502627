// SPDX-License-Identifier: MIT
#include "kube/mount.h"

#include <string.h>

#include "base/mem.h"
#include "base/strv.h"
#include "kube/name.h"

static const char shm_path[] = "/dev/shm";

static void release_mount(struct kube_mount *mount)
{
	mem_free(mount->server);
	mem_free(mount->source);
	mem_free(mount->path);
}

// Takes the strings over; frees them on failure.
static bool append(struct kube_mounts *mounts, struct kube_mount mount, struct err *err)
{
	bool is_complete = mount.source && mount.path && (mount.kind != KUBE_MOUNT_NFS || mount.server);

	if (is_complete && mem_append(&mounts->items, &mounts->count, &mount, sizeof(mount)))
		return true;
	release_mount(&mount);
	return err_memory(err);
}

// Splits TEXT at ":" and takes a last part "ro" (or "rw") off.
static bool split(const char *text, struct strv *parts, bool *is_read_only, struct err *err)
{
	if (!strv_split(parts, text, ':', err))
		return false;
	*is_read_only = !strcmp(parts->items[parts->count - 1], "ro");
	if (parts->count > 1 && (*is_read_only || !strcmp(parts->items[parts->count - 1], "rw")))
		mem_free(TAKE(parts->items[--parts->count]));
	return true;
}

static bool is_absolute(const char *path)
{
	return path[0] == '/';
}

bool kube_mounts_parse_claim(struct kube_mounts *mounts, const char *text, struct err *err)
{
	_cleanup_strv_ struct strv parts = STRV_INIT;
	struct kube_mount mount = {.kind = KUBE_MOUNT_CLAIM};

	if (!split(text, &parts, &mount.is_read_only, err))
		return false;
	if (parts.count != 2 || !is_absolute(parts.items[1]))
		return err_set(err, ERR_USAGE, "\"%s\" is not CLAIM:/PATH[:ro]", text);
	mount.source = mem_dup(parts.items[0]);
	mount.path = mem_dup(parts.items[1]);
	return append(mounts, mount, err);
}

bool kube_mounts_parse_host(struct kube_mounts *mounts, const char *text, struct err *err)
{
	_cleanup_strv_ struct strv parts = STRV_INIT;
	struct kube_mount mount = {.kind = KUBE_MOUNT_HOST};

	if (!split(text, &parts, &mount.is_read_only, err))
		return false;
	if (parts.count > 2 || !is_absolute(parts.items[0]) ||
	    !is_absolute(parts.items[parts.count - 1]))
		return err_set(err, ERR_USAGE, "\"%s\" is not /HOST[:/PATH][:ro]", text);
	mount.source = mem_dup(parts.items[0]);
	mount.path = mem_dup(parts.items[parts.count - 1]);
	return append(mounts, mount, err);
}

bool kube_mounts_parse_nfs(struct kube_mounts *mounts, const char *text, struct err *err)
{
	_cleanup_strv_ struct strv parts = STRV_INIT;
	struct kube_mount mount = {.kind = KUBE_MOUNT_NFS};

	if (!split(text, &parts, &mount.is_read_only, err))
		return false;
	if (parts.count != 3 || !*parts.items[0] || !is_absolute(parts.items[1]) ||
	    !is_absolute(parts.items[2]))
		return err_set(err, ERR_USAGE, "\"%s\" is not SERVER:/EXPORT:/PATH[:ro]", text);
	mount.server = mem_dup(parts.items[0]);
	mount.source = mem_dup(parts.items[1]);
	mount.path = mem_dup(parts.items[2]);
	return append(mounts, mount, err);
}

// Do the paths differ by slashes at their ends at most?
static bool is_same_path(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b);

	while (a_len > 1 && a[a_len - 1] == '/')
		a_len--;
	while (b_len > 1 && b[b_len - 1] == '/')
		b_len--;
	return a_len == b_len && !memcmp(a, b, a_len);
}

// The API server refuses such a folder of the host, since it hides which one is meant.
static bool has_parent_step(const char *path)
{
	for (; path; path = strchr(path, '/')) {
		path += strspn(path, "/");
		if (!strncmp(path, "..", 2) && (path[2] == '/' || !path[2]))
			return true;
	}
	return false;
}

void kube_mounts_check(const struct kube_mounts *mounts, bool has_shm, struct faults *faults)
{
	for (size_t i = 0; i < mounts->count; i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		const struct kube_mount *mount = &mounts->items[i];
		bool is_twice = has_shm && is_same_path(mount->path, shm_path);

		for (size_t j = 0; j < i; j++)
			is_twice |= is_same_path(mount->path, mounts->items[j].path);
		if (is_twice)
			faults_add(faults, "two mounts at \"%s\"", mount->path);
		if (mount->kind == KUBE_MOUNT_HOST && has_parent_step(mount->source))
			faults_add(faults, "--data-dir: \"%s\" has a \"..\" in it", mount->source);
		if (mount->kind == KUBE_MOUNT_CLAIM && !kube_name_check_subdomain(mount->source, &err)) {
			err_wrap(&err, "--data");
			faults_take(faults, &err);
		}
	}
}

// The first mount with the same storage: its volume serves this one too.
static size_t volume_of(const struct kube_mounts *mounts, size_t index)
{
	const struct kube_mount *mount = &mounts->items[index];

	for (size_t i = 0; i < index; i++) {
		const struct kube_mount *other = &mounts->items[i];

		if (other->kind == mount->kind && !strcmp(other->source, mount->source) &&
		    (mount->kind != KUBE_MOUNT_NFS || !strcmp(other->server, mount->server)))
			return i;
	}
	return index;
}

static void put_name(struct json_build *b, size_t volume)
{
	char name[32];

	snprintf(name, sizeof(name), "data-%zu", volume);
	json_put_string(b, "name", name);
}

static void put_source(const struct kube_mount *mount, struct json_build *b)
{
	switch (mount->kind) {
	case KUBE_MOUNT_CLAIM:
		json_build_open_object(b, "persistentVolumeClaim");
		json_put_string(b, "claimName", mount->source);
		break;
	case KUBE_MOUNT_HOST:
		json_build_open_object(b, "hostPath");
		json_put_string(b, "path", mount->source);
		break;
	case KUBE_MOUNT_NFS:
		json_build_open_object(b, "nfs");
		json_put_string(b, "server", mount->server);
		json_put_string(b, "path", mount->source);
		break;
	}
	json_build_close(b);
}

static void put_shm_volume(const struct kube_quantity *shm, struct json_build *b)
{
	_cleanup_strbuf_ struct strbuf size = STRBUF_INIT(64);

	kube_quantity_write(&size, shm);
	json_build_open_object(b, NULL);
	json_put_string(b, "name", "shm");
	json_build_open_object(b, "emptyDir");
	json_put_string(b, "medium", "Memory");
	json_put_text(b, "sizeLimit", &size);
	json_build_close(b);
	json_build_close(b);
}

void kube_mounts_put_volumes(const struct kube_mounts *mounts, const struct kube_quantity *shm,
                             struct json_build *b)
{
	if (!mounts->count && !shm->is_set)
		return;
	json_build_open_array(b, "volumes");
	for (size_t i = 0; i < mounts->count; i++) {
		if (volume_of(mounts, i) != i)
			continue;
		json_build_open_object(b, NULL);
		put_name(b, i);
		put_source(&mounts->items[i], b);
		json_build_close(b);
	}
	if (shm->is_set)
		put_shm_volume(shm, b);
	json_build_close(b);
}

void kube_mounts_put_container(const struct kube_mounts *mounts, const struct kube_quantity *shm,
                               struct json_build *b)
{
	if (!mounts->count && !shm->is_set)
		return;
	json_build_open_array(b, "volumeMounts");
	for (size_t i = 0; i < mounts->count; i++) {
		json_build_open_object(b, NULL);
		put_name(b, volume_of(mounts, i));
		json_put_string(b, "mountPath", mounts->items[i].path);
		if (mounts->items[i].is_read_only)
			json_put_bool(b, "readOnly", true);
		json_build_close(b);
	}
	if (shm->is_set) {
		json_build_open_object(b, NULL);
		json_put_string(b, "name", "shm");
		json_put_string(b, "mountPath", shm_path);
		json_build_close(b);
	}
	json_build_close(b);
}

void kube_mounts_release(struct kube_mounts *mounts)
{
	for (size_t i = 0; i < mounts->count; i++)
		release_mount(&mounts->items[i]);
	mem_free(mounts->items);
	*mounts = (struct kube_mounts){NULL, 0};
}
