// SPDX-License-Identifier: MIT
#include "kube/pause.h"

static void on_over(void *context)
{
	*(bool *)context = true;
}

bool kube_pause(struct kube_client *client, int64_t ms, struct err *err)
{
	struct loop_timer timer = {.loop = NULL};
	bool is_over = false, is_ok = true;

	loop_timer_set(kube_client_loop(client), &timer, ms, on_over, &is_over);
	while (is_ok && !is_over)
		is_ok = loop_run(kube_client_loop(client), -1, err);
	loop_timer_stop(&timer);
	return is_ok;
}
