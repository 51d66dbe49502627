// SPDX-License-Identifier: MIT
#include "kube/kuberc.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "unit.h"

#define V1 "client.authentication.k8s.io/v1"

static char folder[32], login[64], kuberc[64];
static const char *named, *home, *folders;

static char *test_getenv(const char *name)
{
	union {
		const char *in;
		char *out;
	} value = {.in = NULL};

	if (!strcmp(name, "KUBERC"))
		value.in = named;
	else if (!strcmp(name, "HOME"))
		value.in = home;
	else if (!strcmp(name, "PATH"))
		value.in = folders;
	return value.out;
}

static void write_text(const char *path, const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(file_write(path, text, strlen(text), &err));
}

static int set_up(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/vpsml-kuberc-XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	snprintf(login, sizeof(login), "%s/login", folder);
	snprintf(kuberc, sizeof(kuberc), "%s/kuberc", folder);
	write_text(login, "#!/bin/sh\n"
	                  "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"" V1 "\","
	                  "\"status\":{\"token\":\"t\"}}'\n");
	named = kuberc;
	folders = "/nowhere";
	return chmod(login, 0700);
}

static int tear_down(void **state)
{
	(void)state;
	unlink(login);
	unlink(kuberc);
	return rmdir(folder);
}

// What comes of the program under the preferences TEXT (NULL: no such file): its token, or the message
// and its hint.
static void check_command(char *command, const char *text, const char *expected)
{
	_cleanup_kube_kuberc_ struct kube_kuberc preferences;
	_cleanup_kube_exec_answer_ struct kube_exec_answer answer = KUBE_EXEC_ANSWER_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_exec exec = {.command = command, .mode = KUBE_EXEC_NEVER};
	struct kube_exec_options options = {.limit_ms = 30000};
	char version[] = V1;
	char shown[512];

	exec.api_version = version;
	unlink(kuberc);
	if (text)
		write_text(kuberc, text);
	if (kube_kuberc_read(&preferences, test_getenv, &err)) {
		options.policy = preferences.policy;
		if (kube_exec_run(&exec, NULL, NULL, &options, &answer, &err)) {
			assert_string_equal(answer.token, expected);
			return;
		}
	}
	snprintf(shown, sizeof(shown), "%s%s%s", err_message(&err), err.hint ? ": " : "",
	         err.hint ? err.hint : "");
	assert_string_equal(shown, expected);
}

static void check(const char *text, const char *expected)
{
	check_command(login, text, expected);
}

#define BETA "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n"
#define ALPHA "apiVersion: kubectl.config.k8s.io/v1alpha1\nkind: Preference\n"
#define DENY "credentialPluginPolicy: DenyAll\n"
#define LISTED BETA "credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: "

static void all_or_nothing(void **state)
{
	char denied[512];

	(void)state;
	snprintf(denied, sizeof(denied),
	         "%s allows no credential program, so not \"%s\": credentialPluginPolicy there says so",
	         kuberc, login);
	check("", "t");
	check(BETA, "t");
	check(BETA "credentialPluginPolicy: ''", "t");
	check(BETA "credentialPluginPolicy: AllowAll", "t");
	check(BETA DENY, denied);
	check(ALPHA DENY, "t"); // knows nothing of programs
	check(ALPHA "---\n" BETA DENY, denied);
}

// kubectl's rule: a path, or a name that $PATH leads to the same file. A name is not every file of that
// name, wherever it lies.
static void listed_ones_alone(void **state)
{
	char text[256], other[512], name[] = "login";

	(void)state;
	snprintf(other, sizeof(other),
	         "%s does not allow the credential program \"%s\": add it to "
	         "credentialPluginAllowlist there if you trust it",
	         kuberc, login);
	snprintf(text, sizeof(text), LISTED "[{name: other}, {name: %s}]", login);
	check(text, "t");
	check(LISTED "[{name: login}]", other);
	check(LISTED "[]", other);
	check(LISTED "[{name: ''}, {}]", other);
	check(BETA "credentialPluginPolicy: Allowlist", other);
	folders = folder;
	check(LISTED "[{name: login}]", "t");
	check(LISTED "[{command: login}]", "t");
	setenv("PATH", folder, 1);
	check_command(name, text, "t");
	check_command(name, LISTED "[{name: login}]", "t");
}

// A file that is there must be understood: a rule may stand in it.
static void files(void **state)
{
	char text[512];

	(void)state;
	snprintf(text, sizeof(text),
	         "%s: credentialPluginPolicy is none of AllowAll, DenyAll, Allowlist", kuberc);
	check(BETA "credentialPluginPolicy: allow", text);
	snprintf(text, sizeof(text), "kubectl's preferences: %s: No such file or directory", kuberc);
	check(NULL, text);
	named = "off";
	check(BETA DENY, "t");
	named = NULL;
	home = folder;
	check(NULL, "t");
	home = NULL;
	check(NULL, "t");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_or_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(listed_ones_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(files, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
