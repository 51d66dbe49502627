// SPDX-License-Identifier: MIT
// trainer [OPTION…] [STEPS [MIB [EXIT]]] - stands in for a training program. Each
// step burns CPU and prints a line with a falling loss; MIB of memory stay touched
// all along; the exit status is EXIT.
//   -b MS     CPU time that a step burns (1000)
//   -w MS     time that a step then waits (0)
//   -g MIB    memory that each step adds and keeps, to be killed for it (0)
//   -l LINES  numbered lines to print first, as quickly as may be (0)
//   -c FILE   checkpoint: its step is where the run goes on; written after each step
//   -s MS     on SIGTERM, time to save the checkpoint before the exit with 143 (0)
//   -i        on SIGTERM, say so and go on
//   -n        exit with 4 unless the nvidia runtime left its mark (/run/vpsml-lab-runtime)
//   -d COUNT  exit with 5 unless NVIDIA_VISIBLE_DEVICES names so many GPUs
//   -x        end by a bad memory access in place of an exit status (139)
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct run {
	long steps, mib, status;
	long burn_ms, wait_ms, grow_mib, lines, save_ms, devices;
	const char *checkpoint;
	bool ignore_term, need_mark, crash;
};

static volatile sig_atomic_t terminated;

static void on_term(int sig)
{
	(void)sig;
	terminated = 1;
}

static long number(const char *text)
{
	char *end;
	errno = 0;
	long n = strtol(text, &end, 10);
	if (end == text || *end || errno || n < 0 || n > INT_MAX) {
		fprintf(stderr, "trainer: '%s' is no number\n", text);
		exit(2);
	}
	return n;
}

static void sleep_ms(long ms)
{
	struct timespec left = {ms / 1000, ms % 1000 * 1000000};
	while (nanosleep(&left, &left) && errno == EINTR && !terminated)
		;
}

static double cpu_ms(void)
{
	return (double)clock() * 1000 / CLOCKS_PER_SEC;
}

static void hold(long mib)
{
	size_t size = (size_t)mib << 20;
	char *memory = size ? malloc(size) : NULL;
	if (size && !memory) {
		fprintf(stderr, "trainer: no %ld MiB of memory\n", mib);
		exit(1);
	}
	for (size_t at = 0; at < size; at += 4096)
		((volatile char *)memory)[at] = 1;
}

static long visible_devices(const char *list)
{
	if (!list || !*list || !strcmp(list, "void") || !strcmp(list, "none"))
		return 0;
	long n = 1;
	for (; *list; list++)
		n += *list == ',';
	return n;
}

// The surroundings: which replica this is, which GPUs it sees, what started it.
static void greet(const struct run *run)
{
	char host[256] = "?", mark[256] = "none\n";
	const char *index = getenv("JOB_COMPLETION_INDEX"), *gpus = getenv("NVIDIA_VISIBLE_DEVICES");
	gethostname(host, sizeof host - 1);
	FILE *file = fopen("/run/vpsml-lab-runtime", "r");
	if (file) {
		if (fgets(mark, sizeof mark, file))
			mark[strcspn(mark, "\n")] = 0;
		fclose(file);
	}
	printf("host %s index %s gpus %s runtime %s\n", host, index ? index : "-", gpus ? gpus : "-",
	       file ? "nvidia" : "runc");
	fflush(stdout);
	if (run->need_mark && !file) {
		fprintf(stderr, "trainer: not started by the nvidia runtime\n");
		exit(4);
	}
	if (run->devices >= 0 && visible_devices(gpus) != run->devices) {
		fprintf(stderr, "trainer: %ld GPUs visible, want %ld\n", visible_devices(gpus),
		        run->devices);
		exit(5);
	}
}

static long resume(const char *path)
{
	FILE *file = path ? fopen(path, "r") : NULL;
	char text[32] = "";
	if (!file)
		return 0;
	if (!fgets(text, sizeof text, file))
		text[0] = 0;
	fclose(file);
	text[strcspn(text, "\n")] = 0;
	long step = number(text);
	printf("resumed at step %ld\n", step);
	return step;
}

static void save(const char *path, long step)
{
	FILE *file = path ? fopen(path, "w") : NULL;
	if (!file) {
		if (path)
			perror(path);
		return;
	}
	fprintf(file, "%ld\n", step);
	if (fclose(file))
		perror(path);
}

static void stop_if_told(const struct run *run, long step)
{
	if (!terminated)
		return;
	terminated = 0;
	if (run->ignore_term) {
		printf("SIGTERM ignored at step %ld\n", step);
		return;
	}
	sleep_ms(run->save_ms);
	save(run->checkpoint, step);
	printf("checkpoint saved at step %ld\n", step);
	exit(128 + SIGTERM);
}

static void train(const struct run *run)
{
	long mib = run->mib, step = resume(run->checkpoint);
	double loss = 4;
	for (long done = 0; done < step; done++)
		loss *= 0.9;
	while (step < run->steps) {
		for (double end = cpu_ms() + (double)run->burn_ms; cpu_ms() < end && !terminated;)
			;
		sleep_ms(run->wait_ms);
		stop_if_told(run, step);
		hold(run->grow_mib);
		mib += run->grow_mib;
		step++;
		loss *= 0.9;
		save(run->checkpoint, step);
		printf("step %ld/%ld loss %.4f memory %ld MiB\n", step, run->steps, loss, mib);
		fflush(stdout);
	}
}

static void parse(int argc, char **argv, struct run *run)
{
	long *positions[] = {&run->steps, &run->mib, &run->status};
	int option;
	while ((option = getopt(argc, argv, "b:w:g:l:c:s:ind:x")) != -1) {
		switch (option) {
		case 'b':
			run->burn_ms = number(optarg);
			break;
		case 'w':
			run->wait_ms = number(optarg);
			break;
		case 'g':
			run->grow_mib = number(optarg);
			break;
		case 'l':
			run->lines = number(optarg);
			break;
		case 'c':
			run->checkpoint = optarg;
			break;
		case 's':
			run->save_ms = number(optarg);
			break;
		case 'i':
			run->ignore_term = true;
			break;
		case 'n':
			run->need_mark = true;
			break;
		case 'd':
			run->devices = number(optarg);
			break;
		case 'x':
			run->crash = true;
			break;
		default:
			exit(2);
		}
	}
	for (int i = 0; i < 3 && optind < argc; i++)
		*positions[i] = number(argv[optind++]);
	if (optind < argc) {
		fprintf(stderr, "trainer: '%s' is one argument too many\n", argv[optind]);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct run run = {.steps = 5, .mib = 16, .burn_ms = 1000, .devices = -1};
	struct sigaction term = {.sa_handler = on_term};
	parse(argc, argv, &run);
	sigaction(SIGTERM, &term, NULL);
	greet(&run);
	for (long i = 1; i <= run.lines; i++)
		printf("line %ld of %ld: the quick brown fox jumps over the lazy dog\n", i, run.lines);
	fflush(stdout);
	hold(run.mib);
	train(&run);
	if (run.crash)
		*(volatile char *volatile)NULL = 0;
	printf("exit %ld\n", run.status);
	return (int)run.status;
}
