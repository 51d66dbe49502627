// SPDX-License-Identifier: MIT
// kube/kubeconfig: any file is read or refused with its place, and a second reading adds nothing.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "kube/kubeconfig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_kube_config_ struct kube_config config = KUBE_CONFIG_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	size_t clusters, users, contexts;

	if (!kube_config_add(&config, "f", "folder", (const char *)data, len, &err)) {
		if (err.kind != ERR_USAGE && err.kind != ERR_FAILED)
			abort();
		return 0;
	}
	clusters = config.cluster_count;
	users = config.user_count;
	contexts = config.context_count;
	if (!kube_config_add(&config, "f", "folder", (const char *)data, len, &err) ||
	    clusters != config.cluster_count || users != config.user_count ||
	    contexts != config.context_count)
		abort();
	for (size_t i = 0; i < users; i++)
		if (!kube_config_user(&config, config.users[i].name))
			abort();
	return 0;
}
