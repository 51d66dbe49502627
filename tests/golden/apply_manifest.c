// SPDX-License-Identifier: MIT
// Applies a manifest as `vpsml up` does, to the cluster of $KUBECONFIG: apply_manifest FILE [SHA256]
// Prints a line an object: what came of it.
#include <stdio.h>
#include <stdlib.h>

#include "boot/manifest.h"
#include "http/http.h"

struct stack {
	struct kube_access access;
	struct http *http;
	struct loop *loop;
	struct kube_client *client;
};

static bool open_stack(struct stack *stack, struct err *err)
{
	struct kube_access_options access = {.getenv_fn = getenv, .clock = &clock_system};
	struct http_options http = {.clock = &clock_system};
	struct kube_client_options client = {.access = &stack->access};
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	if (!kube_access_open(&stack->access, &access, &faults, err))
		return false;
	stack->http = client.http = http_new(&http, err);
	stack->loop = client.loop = stack->http ? loop_new(&clock_system, err) : NULL;
	stack->client = stack->loop ? kube_client_new(&client, err) : NULL;
	return stack->client;
}

static void close_stack(struct stack *stack)
{
	kube_client_free(stack->client);
	loop_free(stack->loop);
	http_free(stack->http);
	kube_access_release(&stack->access);
}

static void on_object(void *context, const struct boot_object *object,
                      enum kube_apply_outcome outcome)
{
	(void)context;
	printf("%s/%s %s\n", boot_object_kind(object), boot_object_name(object),
	       kube_apply_words[outcome]);
}

static bool run(struct stack *stack, char **argv, struct err *err)
{
	struct boot_network network = {
		.plugin = BOOT_PLUGIN_FILE, .manifest = {.path = argv[1]}, .sha256 = argv[2]};
	_cleanup_boot_objects_ struct boot_objects objects = BOOT_OBJECTS_INIT;
	struct boot_apply apply = {.on_object = on_object};

	if (!boot_manifest_load(&network, NULL, NULL, &objects, err) || !open_stack(stack, err))
		return false;
	apply.client = stack->client;
	return boot_objects_apply(&objects, &apply, err);
}

int main(int argc, char **argv)
{
	struct stack stack = {.http = NULL};
	_cleanup_err_ struct err err = ERR_INIT;
	bool is_ok = argc > 1 && run(&stack, argv, &err);

	if (!is_ok)
		fprintf(stderr, "%s\n", err_message(&err));
	close_stack(&stack);
	return is_ok ? 0 : err_exit_status(err.kind);
}
