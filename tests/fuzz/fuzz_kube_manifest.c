// SPDX-License-Identifier: MIT
// kube/manifest and jobs/needs: any file is taken or refused; what is taken can be built, and read again it
// is the same object.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "jobs/needs.h"
#include "kube/manifest.h"

static void use(const struct kube_manifest *manifest)
{
	const struct kube_manifest_changes changes = {.name = "a", .request_id = "id", .user = "u"};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4 << 20);
	_cleanup_json_ struct json *tree = kube_manifest_build(manifest, &changes, &err);
	const char *name;
	struct jobs_needs needs;

	if (!tree) {
		if (err.kind != ERR_MEMORY)
			abort();
		return;
	}
	if (!json_get_string(tree, "metadata.name", &name, &err) || strcmp(name, "a") != 0)
		abort();
	if (!jobs_needs_read(&needs, manifest->object, "default", &err))
		abort();
	needs.manifest = manifest;
	for (size_t i = 0; i < needs.ref_count; i++)
		jobs_needs_write_place(&needs, &needs.refs[i], &text);
	jobs_needs_release(&needs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_kube_manifests_ struct kube_manifests manifests = KUBE_MANIFESTS_INIT;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!kube_manifests_add(&manifests, "f", (const char *)data, len, &faults, &err)) {
		if (err.kind != ERR_USAGE && err.kind != ERR_MEMORY)
			abort();
		return 0;
	}
	kube_manifests_check_twice(&manifests, &faults);
	for (size_t i = 0; i < manifests.count; i++)
		use(&manifests.items[i]);
	return 0;
}
