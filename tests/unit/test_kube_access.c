// SPDX-License-Identifier: MIT
#include "kube/access.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "unit.h"

// A folder with files for each test, an environment and a clock that the test sets.

static char folder[64];
static const char *variables[16];
static int64_t now_ms;

static char *test_getenv(const char *name)
{
	for (size_t i = 0; variables[i]; i += 2) {
		union {
			const char *in;
			char *out;
		} value = {.in = variables[i + 1]};

		if (!strcmp(variables[i], name))
			return value.out;
	}
	return NULL;
}

static int64_t test_now(void *context)
{
	(void)context;
	return now_ms;
}

static const struct clock test_clock = {test_now, test_now, NULL};

static int set_up(void **state)
{
	(void)state;
	memset(variables, 0, sizeof(variables));
	now_ms = 1000000;
	snprintf(folder, sizeof(folder), "/tmp/vpsml-access-XXXXXX");
	return mkdtemp(folder) ? 0 : 1;
}

static const char *path_of(const char *name)
{
	static char paths[4][512];
	static size_t next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static int tear_down(void **state)
{
	DIR *listing = opendir(folder);
	const struct dirent *entry;

	(void)state;
	while (listing && (entry = readdir(listing)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlink(path_of(entry->d_name));
	if (listing)
		closedir(listing);
	return rmdir(folder);
}

static void write_file(const char *name, const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(file_write(path_of(name), text, strlen(text), &err));
}

// Opens the access that the kubeconfig TEXT gives; what goes wrong stands in *err.
static bool open_text(struct kube_access *access, struct kube_access_options *options,
                      const char *text, struct faults *faults, struct err *err)
{
	write_file("config", text);
	options->kubeconfig = path_of("config");
	options->getenv_fn = test_getenv;
	options->clock = &test_clock;
	return kube_access_open(access, options, faults, err);
}

#define CLUSTER                                                    \
	"clusters: [{name: c, cluster: {server: 'https://h:6443'}}]\n" \
	"contexts: [{name: x, context: {cluster: c, user: u}}]\n"      \
	"current-context: x\n"

// The authorization that a kubeconfig with USER gives, or the error behind a "!".
static void authorize(struct kube_access *access, struct strbuf *out)
{
	_cleanup_err_ struct err err = ERR_INIT;

	strbuf_clear(out);
	if (!kube_credential_authorization(&access->credential, out, &err)) {
		strbuf_clear(out);
		strbuf_addf(out, "!%s", err_message(&err));
		if (err.hint)
			strbuf_addf(out, " (%s)", err.hint);
	}
}

static void check_user(const char *user, const char *expected)
{
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(65536), out = STRBUF_INIT(65536);
	struct kube_access_options options = {0};

	strbuf_addf(&text, CLUSTER "users: [{name: u, user: %s}]\n", user);
	if (!open_text(&access, &options, strbuf_get(&text), &faults, &err))
		strbuf_addf(&out, "!%s", err_message(&err));
	else
		authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), expected);
}

static void k8s_52919_token_file_ends_in_line_feed(void **state)
{
	(void)state;
	write_file("t", "abc\n");
	check_user("{tokenFile: t}", "Bearer abc");
}

static void ways_to_say_who_one_is(void **state)
{
	(void)state;
	check_user("{token: abc}", "Bearer abc");
	check_user("{username: me, password: secret}", "Basic bWU6c2VjcmV0");
	check_user("{token: abc, exec: {command: /nowhere, "
	           "apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}}",
	           "Bearer abc");
	check_user("{}", "");
	check_user("{tokenFile: nowhere, token: inline}", "Bearer inline");
	check_user("{token: a, username: b, password: c}",
	           "!user \"u\": both a token and a password; only one is allowed");
	check_user("{client-certificate-data: QUJD}",
	           "!user \"u\": a client-certificate without its client-key");
	check_user("{as-uid: x}", "!user \"u\": as-uid, as-groups or as-user-extra without as");
	check_user("{auth-provider: {name: gcp}}",
	           "!user \"u\": auth-provider \"gcp\" is not supported");
}

static void token_file_is_read_again(void **state)
{
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
	struct kube_access_options options = {0};

	(void)state;
	write_file("t", "one");
	assert_true(open_text(&access, &options,
	                      CLUSTER "users: [{name: u, user: {tokenFile: t, token: inline}}]",
	                      &faults, &err));
	authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), "Bearer one");
	write_file("t", " two\r\n");
	now_ms += 49999;
	authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), "Bearer one");
	now_ms += 1;
	authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), "Bearer two");
	unlink(path_of("t"));
	now_ms += 60000;
	authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), "Bearer two");
	write_file("t", "three");
	assert_true(kube_credential_renew(&access.credential));
	authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), "Bearer three");
}

// Exec plugins

static void write_program(const char *script)
{
	write_file("login", script);
	assert_int_equal(chmod(path_of("login"), 0700), 0);
}

#define EXEC(more)                                                            \
	"{exec: {command: ./login, apiVersion: client.authentication.k8s.io/v1, " \
	"interactiveMode: Never, " more "}}"
#define ANSWER(status)                                                                 \
	"{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\"," \
	"\"status\":" status "}"

static void program_prints_a_token(void **state)
{
	(void)state;
	write_program("#!/bin/sh\ncat <<'END'\n" ANSWER("{\"token\":\"abc\"}") "\nEND\n");
	check_user(EXEC(""), "Bearer abc");
}

// The C client joins the words to one string for a shell.
static void program_gets_its_words_and_environment(void **state)
{
	(void)state;
	write_program(
		"#!/bin/sh\n"
		"[ $# = 2 ] && [ \"$1\" = 'a b; touch /tmp/x' ] && [ \"$2\" = '$HOME' ] || exit 3\n"
		"[ \"$COLOUR\" = 'deep blue' ] || exit 4\n"
		"case $KUBERNETES_EXEC_INFO in *'\"interactive\":false'*) ;; *) exit 5;; esac\n"
		"case $KUBERNETES_EXEC_INFO in *'\"server\":\"https://h:6443\"'*) ;; *) exit 6;; esac\n"
		"read line && exit 7\n"
		"echo '" ANSWER("{\"token\":\"t\"}") "'\n");
	check_user(EXEC("args: ['a b; touch /tmp/x', $HOME], provideClusterInfo: true, "
	                "env: [{name: COLOUR, value: deep blue}]"),
	           "Bearer t");
}

static void c_177_token_of_12_kB(void **state)
{
	_cleanup_strbuf_ struct strbuf expected = STRBUF_INIT(65536);

	(void)state;
	strbuf_add(&expected, "Bearer ");
	strbuf_add_repeat(&expected, 'x', 12000);
	write_program("#!/bin/sh\nprintf '%s' '{\"kind\":\"ExecCredential\",\"apiVersion\":"
	              "\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"'\n"
	              "head -c 12000 /dev/zero | tr '\\0' x\necho '\"}}'\n");
	check_user(EXEC(""), strbuf_get(&expected));
}

static void check_failure(const char *user, const char *part)
{
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(65536), out = STRBUF_INIT(65536);
	struct kube_access_options options = {.exec = {.limit_ms = 1500}};

	strbuf_addf(&text, CLUSTER "users: [{name: u, user: %s}]\n", user);
	assert_true(open_text(&access, &options, strbuf_get(&text), &faults, &err));
	authorize(&access, &out);
	if (!strstr(strbuf_get(&out), part) || *strbuf_get(&out) != '!')
		fail_msg("\"%s\" is not in \"%s\"", part, strbuf_get(&out));
}

static void answers_that_are_no_good(void **state)
{
	(void)state;
	write_program("#!/bin/sh\nprintf 'not \\033[31mlogged in\\n' >&2\nexit 9\n");
	check_failure(EXEC(""), "login: exit status 9 (not ^[[31mlogged in)");
	check_failure(
		"{exec: {command: nowhere-to-be-found, installHint: \"get \\e[1mit\", apiVersion: "
		"client.authentication.k8s.io/v1beta1}}",
		" (get ^[[1mit)"); // what failed is worded differently under valgrind
	write_program("#!/bin/sh\nexec sleep 20\n");
	check_failure(EXEC(""), "no answer after 1 s");
	write_program("#!/bin/sh\nexec 1>&-\nsleep 20\n");
	check_failure(EXEC(""), "no answer after 1 s");
	write_program("#!/bin/sh\nhead -c 1100000 /dev/zero\n");
	check_failure(EXEC(""), "text longer than 1048576 bytes");
	write_program("#!/bin/sh\nkill -9 $$\n");
	check_failure(EXEC(""), "ended by signal 9");
	write_program("#!/bin/sh\necho 'token: [s3cret'\n");
	check_failure(EXEC(""), "its answer is not JSON or YAML");
	write_program("#!/bin/sh\necho '" ANSWER("{}") "'\n");
	check_failure(EXEC(""), "neither a token nor a certificate");
	write_program("#!/bin/sh\necho '" ANSWER("{\"clientKeyData\":\"k\"}") "'\n");
	check_failure(EXEC(""), "a key without its certificate");
	check_failure(
		"{exec: {command: ./login, apiVersion: client.authentication.k8s.io/v1beta1}}",
		"its answer has another apiVersion than \"client.authentication.k8s.io/v1beta1\"");
	check_failure("{exec: {command: ./login, apiVersion: client.authentication.k8s.io/v1alpha1}}",
	              "exec: apiVersion \"client.authentication.k8s.io/v1alpha1\" is not known");
	check_failure("{exec: {command: ./login, apiVersion: client.authentication.k8s.io/v1}}",
	              "interactiveMode is missing");
	check_failure("{exec: {command: ./login, apiVersion: client.authentication.k8s.io/v1, "
	              "interactiveMode: Always}}",
	              "standard input is no terminal");
}

static void answer_is_kept_until_it_expires(void **state)
{
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
	struct kube_access_options options = {0};
	const char *certificate, *key;

	(void)state;
	write_program("#!/bin/sh\necho x >>\"${0%/*}/count\"\nn=$(grep -c x \"${0%/*}/count\")\n"
	              "printf '%s' '" ANSWER("{\"token\":\"'$n'\",\"clientCertificateData\":\"C\","
	                                     "\"clientKeyData\":\"K\",\"expirationTimestamp\":"
	                                     "\"1970-01-01T01:00:00Z\"}") "'\n");
	assert_true(open_text(&access, &options, CLUSTER "users: [{name: u, user: " EXEC("") "}]",
	                      &faults, &err));
	authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), "Bearer 1");
	kube_credential_certificate(&access.credential, &certificate, &key);
	assert_string_equal(certificate, "C");
	assert_string_equal(key, "K");
	now_ms = 3590000 - 1;
	authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), "Bearer 1");
	now_ms++; // ten seconds before its end
	authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), "Bearer 2");
	now_ms = 0;
	assert_true(kube_credential_renew(&access.credential));
	authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), "Bearer 3");
}

// Choosing

static void check_open(const char *text, const char *expected_error)
{
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_access_options options = {.context = NULL};

	if (open_text(&access, &options, text, &faults, &err))
		assert_string_equal("", expected_error);
	else
		assert_string_equal(err_message(&err), expected_error);
}

static void what_cannot_be_chosen(void **state)
{
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_access_options options = {.context = "prodd"};

	(void)state;
	check_open("", "no cluster is configured");
	check_open("contexts: [{name: x, context: {cluster: c}}]",
	           "the kubeconfig has no current context");
	check_open("current-context: gone", "there is no context \"gone\" in the kubeconfig");
	check_open("contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x",
	           "context \"x\": there is no cluster \"c\" in the kubeconfig");
	check_open("clusters: [{name: c, cluster: {}}]\ncontexts: [{name: x, context: {cluster: "
	           "c}}]\ncurrent-context: x",
	           "cluster \"c\": it has no server");
	check_open(
		"clusters: [{name: c, cluster: {server: 'https://h', insecure-skip-tls-verify: true, "
		"certificate-authority-data: QUJD}}]\ncontexts: [{name: x, context: {cluster: "
		"c}}]\ncurrent-context: x",
		"cluster \"c\": insecure-skip-tls-verify together with a certificate authority");
	assert_false(
		open_text(&access, &options, "contexts: [{name: prod}, {name: test}]", &faults, &err));
	assert_string_equal(err.hint, "did you mean \"prod\"?");
}

static void a_user_that_is_missing_is_nobody(void **state)
{
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
	struct kube_access_options options = {0};

	(void)state;
	assert_true(open_text(&access, &options, CLUSTER, &faults, &err));
	authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), "");
	assert_string_equal(access.namespace_, "default");
	assert_string_equal(access.server.host, "h");
	assert_true(access.may_send_secrets);
}

static void check_plain(const char *server, bool may_be_plain, bool expected)
{
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(65536);
	struct kube_access_options options = {.may_be_plain = may_be_plain};

	strbuf_addf(&text,
	            "clusters: [{name: c, cluster: {server: '%s'}}]\n"
	            "contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n",
	            server);
	assert_true(open_text(&access, &options, strbuf_get(&text), &faults, &err));
	assert_int_equal(access.may_send_secrets, expected);
}

static void secrets_stay_off_open_ways(void **state)
{
	(void)state;
	check_plain("https://h", false, true);
	check_plain("http://h", false, false);
	check_plain("http://h", true, true);
	check_plain("http://127.0.0.1:8001", false, true);
	check_plain("http://[::1]:8001", false, true);
}

static void insecure_warns(void **state)
{
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_access_options options = {0};

	(void)state;
	assert_true(open_text(
		&access, &options,
		"clusters: [{name: c, cluster: {server: 'https://h', insecure-skip-tls-verify: true}}]\n"
		"contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n",
		&faults, &err));
	assert_true(access.tls.is_unchecked);
	assert_int_equal(faults.warnings.count, 1);
}

static void impersonation_headers(void **state)
{
	static const char text[] =
		CLUSTER "users: [{name: u, user: {as: jane, as-uid: '4', as-groups: [a, b], "
				"as-user-extra: {acme.com/p: [x, y z]}}}]\n";
	static const char *const expected[] = {"Impersonate-User: jane",
	                                       "Impersonate-Uid: 4",
	                                       "Impersonate-Group: a",
	                                       "Impersonate-Group: b",
	                                       "Impersonate-Extra-acme.com%2Fp: x",
	                                       "Impersonate-Extra-acme.com%2Fp: y z"};
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_access_options options = {0};

	(void)state;
	assert_true(open_text(&access, &options, text, &faults, &err));
	assert_int_equal(access.headers.count, COUNT_OF(expected));
	for (size_t i = 0; i < COUNT_OF(expected); i++)
		assert_string_equal(access.headers.items[i], expected[i]);
	kube_access_release(&access);
	options.as = "joe";
	assert_true(open_text(&access, &options, text, &faults, &err));
	assert_string_equal(access.headers.items[0], "Impersonate-User: joe");
}

// In a pod

static void in_a_pod(void **state)
{
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
	struct kube_access_options options = {
		.getenv_fn = test_getenv, .clock = &test_clock, .service_account = folder};

	(void)state;
	variables[0] = "KUBERNETES_SERVICE_HOST";
	variables[1] = "fd00::1";
	variables[2] = "KUBERNETES_SERVICE_PORT";
	variables[3] = "443";
	assert_false(kube_access_open(&access, &options, &faults, &err)); // no token, no pod
	write_file("token", "pod-token\n");
	write_file("ca.crt", "PEM");
	write_file("namespace", "team\n");
	assert_true(kube_access_open(&access, &options, &faults, &err));
	http_url_add(&out, &access.server);
	assert_string_equal(strbuf_get(&out), "https://[fd00::1]:443");
	assert_string_equal(access.tls.ca, "PEM");
	assert_string_equal(access.namespace_, "team");
	authorize(&access, &out);
	assert_string_equal(strbuf_get(&out), "Bearer pod-token");
	kube_access_release(&access);
	variables[4] = "POD_NAMESPACE";
	variables[5] = "other";
	assert_true(kube_access_open(&access, &options, &faults, &err));
	assert_string_equal(access.namespace_, "other");
	kube_access_release(&access);
	options.namespace_ = "flag";
	assert_true(kube_access_open(&access, &options, &faults, &err));
	assert_string_equal(access.namespace_, "flag");
}

static void a_kubeconfig_goes_before_the_pod(void **state)
{
	_cleanup_kube_access_ struct kube_access access;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_access_options options = {.service_account = folder};

	(void)state;
	variables[0] = "KUBERNETES_SERVICE_HOST";
	variables[1] = "10.0.0.1";
	variables[2] = "KUBERNETES_SERVICE_PORT";
	variables[3] = "443";
	write_file("token", "t");
	write_file("namespace", "team");
	assert_true(open_text(&access, &options, CLUSTER, &faults, &err));
	assert_false(access.is_in_cluster);
	assert_string_equal(access.server.host, "h");
	assert_string_equal(access.namespace_, "default");
}

static void every_failed_allocation_is_an_error(void **state)
{
	static const char text[] = CLUSTER
		"users: [{name: u, user: {token: t, as: j, as-groups: [a], as-user-extra: {k: [v]}, "
		"client-key-data: QUJD, client-certificate-data: QUJD, exec: {command: x, args: [z], "
		"env: [{name: a, value: b}]}}}]\n";
	bool is_ok = false;

	(void)state;
	write_file("config", text);
	for (size_t nth = 1; !is_ok; nth++) {
		_cleanup_kube_access_ struct kube_access access;
		_cleanup_faults_ struct faults faults = FAULTS_INIT;
		_cleanup_err_ struct err err = ERR_INIT;
		struct kube_access_options options = {
			.getenv_fn = test_getenv, .clock = &test_clock, .kubeconfig = path_of("config")};

		unit_fail_allocation(nth);
		is_ok = kube_access_open(&access, &options, &faults, &err);
		unit_fail_allocation(0);
		if (!is_ok && err.kind != ERR_MEMORY)
			fail_msg("allocation %zu: %s", nth, err_message(&err));
		assert_true(nth < 2000);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(k8s_52919_token_file_ends_in_line_feed),
		TEST(ways_to_say_who_one_is),
		TEST(token_file_is_read_again),
		TEST(program_prints_a_token),
		TEST(program_gets_its_words_and_environment),
		TEST(c_177_token_of_12_kB),
		TEST(answers_that_are_no_good),
		TEST(answer_is_kept_until_it_expires),
		TEST(what_cannot_be_chosen),
		TEST(a_user_that_is_missing_is_nobody),
		TEST(secrets_stay_off_open_ways),
		TEST(insecure_warns),
		TEST(impersonation_headers),
		TEST(in_a_pod),
		TEST(a_kubeconfig_goes_before_the_pod),
		TEST(every_failed_allocation_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
