// SPDX-License-Identifier: MIT
// pause - the process that holds a pod's namespaces and reaps its orphans.
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void reap(int sig)
{
	(void)sig;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static void quit(int sig)
{
	(void)sig;
	_exit(EXIT_SUCCESS);
}

int main(void)
{
	signal(SIGINT, quit);
	signal(SIGTERM, quit);
	signal(SIGCHLD, reap);
	for (;;)
		pause();
}
