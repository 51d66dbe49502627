// SPDX-License-Identifier: MIT
#include "cmd/node_names.h"

#include "kube/name.h"

void cmd_check_node_names(struct cli_context *context, void *data, struct faults *faults)
{
	(void)data;
	for (size_t i = 0; i < context->words.count; i++) {
		_cleanup_err_ struct err err = ERR_INIT;

		if (!kube_name_check_path(context->words.items[i], &err))
			faults_take(faults, &err);
	}
}
