// SPDX-License-Identifier: MIT
// Files on this machine that go to the hosts.
#include "base/faults.h"

#include "base/file.h"
#include "base/mem.h"
#include "boot/plan.h"

static bool load(const char *path, char **ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(256 << 10);

	if (!path)
		return true;
	if (!file_read(path, &text, err))
		return false;
	*ret = strbuf_take(&text, err);
	return *ret;
}

bool boot_texts_load(const struct boot_inventory *inventory, struct boot_texts *ret,
                     struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	const struct {
		const char *path;
		char **field;
	} files[] = {
		{inventory->images.ca, &ret->images_ca},
		{inventory->packages.key.path, &ret->kubernetes_key},
		{inventory->packages.containerd_key.path, &ret->containerd_key},
		{inventory->packages.nvidia_key.path, &ret->nvidia_key},
	};

	*ret = (struct boot_texts){NULL};
	for (size_t i = 0; i < COUNT_OF(files); i++)
		if (!load(files[i].path, files[i].field, err))
			faults_take(&faults, err);
	if (faults_none(&faults, err))
		return true;
	boot_texts_release(ret);
	return false;
}

void boot_texts_release(struct boot_texts *texts)
{
	mem_free(texts->images_ca);
	mem_free(texts->kubernetes_key);
	mem_free(texts->containerd_key);
	mem_free(texts->nvidia_key);
	*texts = (struct boot_texts){NULL};
}
