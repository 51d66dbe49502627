// SPDX-License-Identifier: MIT
#include "base/interrupt.h"

#include <signal.h>

static volatile sig_atomic_t count, last;

static void on_signal(int number)
{
	last = number;
	count++;
}

void interrupt_catch(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	count = last = 0;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

int interrupt_count(void)
{
	return count;
}

int interrupt_signal(void)
{
	return last;
}
