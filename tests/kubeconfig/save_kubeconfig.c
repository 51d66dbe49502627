// SPDX-License-Identifier: MIT
// What `vpsml kubeconfig` does with a file, for saves.py:
//     save_kubeconfig add FILE FRESH NAME [SERVER]     prints the name of the context
//     save_kubeconfig keep FILE FRESH NAME             leaves current-context
//     save_kubeconfig drop FILE FRESH
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "kube/kubeconfig_save.h"

static bool run(char **argv, struct err *err)
{
	_cleanup_strbuf_ struct strbuf fresh = STRBUF_INIT(1024 * 1024);
	_cleanup_kube_config_saved_ struct kube_config_saved saved = {NULL};
	struct kube_config_addition addition = {0};

	if (!file_read(argv[3], &fresh, err))
		return false;
	if (!strcmp(argv[1], "drop"))
		return kube_config_drop(argv[2], strbuf_get(&fresh), fresh.len, &clock_system, &saved, err);
	addition = (struct kube_config_addition){.fresh = strbuf_get(&fresh),
	                                         .fresh_len = fresh.len,
	                                         .name = argv[4],
	                                         .server = argv[5],
	                                         .keeps_current = !strcmp(argv[1], "keep")};
	if (!kube_config_save(argv[2], &addition, &clock_system, &saved, err))
		return false;
	printf("%s%s\n", saved.context, saved.is_changed ? "" : " (as it was)");
	return true;
}

int main(int argc, char **argv)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (argc < 4 || (strcmp(argv[1], "drop") != 0 && argc < 5))
		return 2;
	if (run(argv, &err))
		return 0;
	fprintf(stderr, "%s\n%s\n", err_message(&err), err.hint ? err.hint : "");
	return 1;
}
