// SPDX-License-Identifier: MIT
#include "yaml/yaml.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"

// Sanitizers and valgrind change time and memory beyond any figure.
#if defined(__SANITIZE_ADDRESS__)
#define IS_MEASURABLE 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_MEASURABLE 0
#endif
#endif
#ifndef IS_MEASURABLE
#define IS_MEASURABLE 1
#endif
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

// The documents of TEXT as JSON, one a line.
static void expect_len(const char *text, size_t len, const char *json)
{
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
	_cleanup_err_ struct err err = ERR_INIT;

	if (!yaml_parse("f", text, len, &yaml_limits_aliases, &documents, &err))
		fail_msg("%s", err_message(&err));
	for (size_t i = 0; i < documents.count; i++) {
		if (i)
			strbuf_add_char(&out, '\n');
		json_write(&out, documents.items[i].root);
	}
	assert_string_equal(strbuf_get(&out), json);
}

static void expect(const char *text, const char *json)
{
	expect_len(text, strlen(text), json);
}

static void refuse_with(const struct yaml_limits *limits, const char *text, const char *message)
{
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	assert_false(yaml_parse("f", text, strlen(text), limits, &documents, &err));
	assert_string_equal(err_message(&err), message);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_int_equal(documents.count, 0);
}

static void refuse(const char *text, const char *message)
{
	refuse_with(&yaml_limits_aliases, text, message);
}

static void resolves_words_as_kubernetes_does(void **state)
{
	(void)state;
	expect("[true, True, TRUE, yes, Yes, YES, on, On, ON, y, Y]",
	       "[true,true,true,true,true,true,true,true,true,true,true]");
	expect("[false, False, no, NO, off, Off, n, N]",
	       "[false,false,false,false,false,false,false,false]");
	expect("[null, Null, NULL, ~, '']", "[null,null,null,null,\"\"]");
	expect("a:\nb: # nothing", "{\"a\":null,\"b\":null}");
	expect("[tRUE, yEs, nUll, nil, None]", "[\"tRUE\",\"yEs\",\"nUll\",\"nil\",\"None\"]");
}

static void resolves_numbers_as_kubernetes_does(void **state)
{
	(void)state;
	expect("[1e3, 0755, 0o755, 0x1F, 0b11, 1_000, 08, +1, .5, 1., -0x10, 1e-2, 007]",
	       "[1000,493,493,31,3,1000,8,1,0.5,1,-16,0.01,7]");
	expect(
		"[2001-12-14, 1:30, 1e400, -a, 0x, 0b2, 1.2.3, 10.0.0.5, ._5, -, 5Gi, 500m]",
		"[\"2001-12-14\",\"1:30\",\"1e400\",\"-a\",\"0x\",\"0b2\",\"1.2.3\",\"10.0.0.5\",\"._5\","
		"\"-\",\"5Gi\",\"500m\"]");
	expect("[.5_0, .5_, 1_, 0b102, 1e, 1e+, +, 0o8]",
	       "[0.5,\".5_\",1,\"0b102\",\"1e\",\"1e+\",\"+\",\"0o8\"]");
	expect("[9007199254740992, -9007199254740992]", "[9007199254740992,-9007199254740992]");
}

static void what_is_quoted_is_a_string(void **state)
{
	(void)state;
	expect("[\"true\", 'null', \"1\", '0x1', \"\\u00e9\\n\", 'it''s']",
	       "[\"true\",\"null\",\"1\",\"0x1\",\"\xC3\xA9\\n\",\"it's\"]");
	expect("a: |\n  1\nb: >-\n  x\n  y\n", "{\"a\":\"1\\n\",\"b\":\"x y\"}");
}

static void keys_stay_as_written(void **state)
{
	(void)state;
	expect("y: 1\non: 2\n1.30: 3\n0755: 4\n~: 5\n\"\": 6\n",
	       "{\"y\":1,\"on\":2,\"1.30\":3,\"0755\":4,\"~\":5,\"\":6}");
}

static void tags_choose_the_type(void **state)
{
	(void)state;
	expect("[!!str 1, !!int '7', !!float 1, !!bool 'yes', !!null '', ! 5, !!seq [], !!map {}]",
	       "[\"1\",7,1,true,null,\"5\",[],{}]");
	refuse("a: !!int x", "f:1:4: the value does not fit its tag");
	refuse("a: !!int 1.5", "f:1:4: the value does not fit its tag");
	refuse("a: !mine x", "f:1:4: tag \"!mine\" is not for this value");
	refuse("a: !!binary aGk=", "f:1:4: tag \"tag:yaml.org,2002:binary\" is not for this value");
	refuse("a: !!map [b]", "f:1:4: tag \"tag:yaml.org,2002:map\" is not for this value");
}

static void refuses_what_json_cannot_hold(void **state)
{
	static const char endless[] =
		"f:1:4: JSON has no infinity and no not-a-number; quote it if it is text";
	static const char large[] =
		"f:1:4: a whole number beyond 2^53 would change; quote it if it is text";

	(void)state;
	refuse("a: .inf", endless);
	refuse("a: -.INF", endless);
	refuse("a: .NaN", endless);
	refuse("a: 9007199254740993", large);
	refuse("a: 0xffffffffffffffff", large);
	refuse("a: \"x\\0y\"", "f:1:4: a string with a NUL character");
}

static void finds_every_document(void **state)
{
	(void)state;
	expect("a: 1\n---\nb: 2\n---\n- 3\n", "{\"a\":1}\n{\"b\":2}\n[3]");
	expect("a: 1\n...\n---\nb: 2\n", "{\"a\":1}\n{\"b\":2}");
	expect("", "");
	expect("# only a comment\n", "");
}

// kubernetes#34886: a second document was dropped without a word.
static void k8s_34886_first_document_empty(void **state)
{
	(void)state;
	expect("---\n---\n# nothing\n---\na: 1\n---\n", "{\"a\":1}");
	expect("\n# comment\n---\na: 1\n---\nb: 1\n", "{\"a\":1}\n{\"b\":1}");
	expect("---\n~\n---\n''\n", "null\n\"\"");
}

static void parse_one_wants_exactly_one(void **state)
{
	_cleanup_yaml_document_ struct yaml_document document = YAML_DOCUMENT_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_false(yaml_parse_one("f", "a: 1\n---\n\nb: 2", 14, &yaml_limits_plain, &document, &err));
	assert_string_equal(err_message(&err),
	                    "f:4:1: a second document starts here; only one is read");
	assert_false(yaml_parse_one("f", "---\n", 4, &yaml_limits_plain, &document, &err));
	assert_string_equal(err_message(&err), "f: empty");
	assert_true(yaml_parse_one("f", "---\na: 1", 8, &yaml_limits_plain, &document, &err));
	assert_int_equal(json_number(json_find(document.root, "a")), 1);
}

static void takes_byte_order_mark_and_crlf(void **state)
{
	static const char text[] = "\xEF\xBB\xBF"
							   "a: 1\r\nb:\r\n  - x\r\n";

	(void)state;
	expect(text, "{\"a\":1,\"b\":[\"x\"]}");
	refuse("\xEF\xBB\xBF"
	       "a: 1\r\nb: [\r\n",
	       "f:3:1: did not find expected node content");
}

static void says_where_a_tab_is(void **state)
{
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_false(
		yaml_parse("cluster.yaml", "a:\n\tb: 1\n", 9, &yaml_limits_plain, &documents, &err));
	assert_string_equal(err_message(&err), "cluster.yaml:2:1: a tab cannot stand here");
	assert_string_equal(err.hint, "indent with blanks");
}

static void says_where_the_syntax_breaks(void **state)
{
	(void)state;
	refuse("a: b: c", "f:1:5: mapping values are not allowed in this context");
	refuse("a: 1\n b: 2\n", "f:2:3: mapping values are not allowed in this context");
	refuse("a: \"x\n", "f:2:1: found unexpected end of stream");
	refuse("a: \x01\n", "f:1:4: control characters are not allowed (byte 0x1)");
	refuse("a: b\n\xC3\xA9: \x7F\n", "f:2:4: control characters are not allowed (byte 0x7f)");
	refuse("\xC3\xA9: \xFF\n", "f:1:4: not UTF-8 (byte 0xff)");
	refuse("? [a]\n: 1\n", "f:1:3: a key must be text, not a list, map or alias");
	refuse("?\n: 1\n", "f:1:2: a key is missing in front of \":\"");
}

static void refuses_duplicate_keys(void **state)
{
	(void)state;
	refuse("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", "f:5:3: key \"c\" stands already at 3:3");
	refuse("{x: 1, 'x': 2}", "f:1:8: key \"x\" stands already at 1:2");
	refuse("z: 1\na: 1\nz: 2\na: 2\nz: 3\n", "f:3:1: key \"z\" stands already at 1:1");
}

static void expands_aliases(void **state)
{
	(void)state;
	expect("a: &x [1, 2]\nb: *x\nc: &x 3\nd: *x\n", "{\"a\":[1,2],\"b\":[1,2],\"c\":3,\"d\":3}");
	refuse("a: *x\n", "f:1:4: alias *x has no anchor before it");
	refuse("a: &x 1\n---\nb: *x\n", "f:3:4: alias *x has no anchor before it");
}

static void merges_maps(void **state)
{
	(void)state;
	expect("base: &b {x: 1, y: 2}\nc:\n  y: 3\n  <<: *b\n  z: 4\n",
	       "{\"base\":{\"x\":1,\"y\":2},\"c\":{\"y\":3,\"z\":4,\"x\":1}}");
	expect("- &a {x: 1, y: 1}\n- &b {x: 2, z: 2, <<: {w: 9, z: 9}}\n- {<<: [*a, *b]}\n",
	       "[{\"x\":1,\"y\":1},{\"x\":2,\"z\":2,\"w\":9},{\"x\":1,\"y\":1,\"z\":2,\"w\":9}]");
	expect("{'<<': 1}", "{\"<<\":1}");
	refuse("{<<: 1}", "f:1:6: << takes a map or a list of maps");
	refuse("{<<: {a: 1}, <<: {b: 1}}", "f:1:14: << a second time: give it a list of maps");
}

static void refuses_aliases_where_they_are_not_read(void **state)
{
	(void)state;
	refuse_with(&yaml_limits_plain, "a: &x 1\nb: *x\n",
	            "f:2:4: alias *x: aliases are not read here");
	refuse_with(&yaml_limits_plain, "a: {<<: {b: 1}}\n",
	            "f:1:5: << is not read here: write the keys out");
}

static void refuses_a_cycle(void **state)
{
	(void)state;
	refuse("&a [*a]", "f:1:5: alias *a stands inside its own anchor");
	refuse("a: &a {b: [*a]}", "f:1:12: alias *a stands inside its own anchor");
	refuse("&a {<<: *a}", "f:1:9: alias *a stands inside its own anchor");
}

static void counts_anchors(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(65536);

	(void)state;
	for (int i = 0; i < 257; i++)
		strbuf_addf(&text, "- &a%d x\n", i);
	refuse(strbuf_get(&text), "f:257:3: more than 256 anchors");
}

static void refuses_numbers_too_long_to_read(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096), json = STRBUF_INIT(4096);

	(void)state;
	strbuf_add(&text, "- ");
	strbuf_add_repeat(&text, '7', 400);
	refuse(strbuf_get(&text), "f:1:3: a number of this length is not read; quote it if it is text");
	strbuf_add(&text, "a");
	strbuf_addf(&json, "[\"%s\"]", strbuf_get(&text) + 2);
	expect(strbuf_get(&text), strbuf_get(&json));
}

static void holds_its_limits(void **state)
{
	const struct yaml_limits small = {.bytes = 20, .depth = 2, .events = 9, .has_aliases = true};

	(void)state;
	refuse_with(&small, "a: 345678901234567890", "f: larger than 20 bytes");
	refuse_with(&small, "[[[]]]", "f:1:3: nested deeper than 2 levels");
	refuse_with(&small, "[1, 2, 3, 4, 5, 6]", "f:1:18: more than 9 values and keys");
	refuse_with(&small, "[&a [], [*a]]", "f:1:10: nested deeper than 2 levels");
}

// A lookup into a parsed inventory.
static void knows_where_everything_stands(void **state)
{
	static const char text[] = "# cluster\n"
							   "n\xC3\xA4me: \"\xC3\xA9\" # comment\n"
							   "nodes:\n"
							   "- host: a\n"
							   "  port: 22\n"
							   "\n"
							   "- {host: b}\n"
							   "\n"
							   "# end\n"
							   "last:\n";
	_cleanup_yaml_document_ struct yaml_document d = YAML_DOCUMENT_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	const struct yaml_span *span;
	const struct json *port, *nodes;

	(void)state;
	assert_true(yaml_parse_one("cluster.yaml", text, strlen(text), &yaml_limits_plain, &d, &err));
	port = json_find(d.root, "nodes[0].port");
	assert_non_null(port);
	span = yaml_key_span(&d, port);
	assert_int_equal(span->start.line, 5);
	assert_int_equal(span->start.column, 3);
	assert_memory_equal(text + span->start.offset, "port", span->end.offset - span->start.offset);
	assert_int_equal(span->end.offset - span->start.offset, 4);
	span = yaml_value_span(&d, port);
	assert_int_equal(span->start.column, 9);
	assert_memory_equal(text + span->start.offset, "22\n", 3);
	assert_false(yaml_error_at(&err, &d, yaml_key_span(&d, port), "unknown key \"%s\"", "port"));
	assert_string_equal(err_message(&err), "cluster.yaml:5:3: unknown key \"port\"");

	span = yaml_value_span(&d, json_find(d.root, "n\xC3\xA4me"));
	assert_int_equal(span->start.column, 7); // characters, not bytes
	assert_memory_equal(text + span->start.offset, "\"\xC3\xA9\" #", 6);
	assert_memory_equal(text + span->end.offset, " #", 2);

	nodes = json_find(d.root, "nodes");
	span = yaml_value_span(&d, nodes);
	assert_memory_equal(text + span->start.offset, "- host: a", 9);
	assert_memory_equal(text + span->end.offset, "\n\n# end", 7); // behind the last value
	span = yaml_value_span(&d, json_find(d.root, "nodes[0]"));
	assert_memory_equal(text + span->end.offset, "\n\n- {", 5);
	span = yaml_value_span(&d, json_find(d.root, "nodes[1]"));
	assert_memory_equal(text + span->start.offset, "{host: b}\n", 10);
	assert_memory_equal(text + span->end.offset, "\n\n#", 3);
	span = yaml_value_span(&d, json_find(d.root, "last"));
	assert_int_equal(span->start.offset, span->end.offset);
	assert_memory_equal(text + span->start.offset, "\n", 1);
	assert_ptr_equal(yaml_key_span(&d, d.root), yaml_value_span(&d, d.root));
	assert_null(yaml_value_span(&d, NULL));
}

static void expect_span(const char *text, const char *path, const char *expected)
{
	_cleanup_yaml_document_ struct yaml_document d = YAML_DOCUMENT_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	const struct yaml_span *span;

	assert_true(yaml_parse_one("f", text, strlen(text), &yaml_limits_aliases, &d, &err));
	span = yaml_value_span(&d, json_find(d.root, path));
	assert_non_null(span);
	assert_int_equal(span->end.offset - span->start.offset, strlen(expected));
	assert_memory_equal(text + span->start.offset, expected, strlen(expected));
}

static void spans_hold_the_whole_value(void **state)
{
	(void)state;
	expect_span("a: |\n  x\n\nb: 1\n", "a", "|\n  x\n\n");
	expect_span("a: !!str &x v # c\n", "a", "!!str &x v");
	expect_span("a: 'x\n  y'\n", "a", "'x\n  y'");
	expect_span("a: x\n  y\n\nb: 1\n", "a", "x\n  y");
	expect_span("a: [\n 1 ] \n", "a", "[\n 1 ]");
	expect_span("[a: b, c]", "[0]", "a: b");
	expect_span("l:\n  - a: 1\n    b:\n  - c\n", "l[0]", "a: 1\n    b:");
	expect_span("l:\n- a\n- b\nc: 1\n", "l", "- a\n- b");
}

static void offsets_count_the_byte_order_mark(void **state)
{
	static const char text[] = "\xEF\xBB\xBF"
							   "a: b";
	_cleanup_yaml_document_ struct yaml_document d = YAML_DOCUMENT_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	const struct yaml_span *span;

	(void)state;
	assert_true(yaml_parse_one("f", text, strlen(text), &yaml_limits_plain, &d, &err));
	span = yaml_value_span(&d, json_find(d.root, "a"));
	assert_int_equal(span->start.offset, 6);
	assert_int_equal(span->end.offset, 7);
	assert_int_equal(span->start.column, 4);
}

static void an_alias_stands_where_it_is_written(void **state)
{
	static const char text[] = "a: &x {b: 1}\nc: *x\n";
	_cleanup_yaml_document_ struct yaml_document d = YAML_DOCUMENT_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(yaml_parse_one("f", text, strlen(text), &yaml_limits_aliases, &d, &err));
	assert_int_equal(yaml_value_span(&d, json_find(d.root, "c"))->start.line, 2);
	assert_int_equal(yaml_value_span(&d, json_find(d.root, "c.b"))->start.line, 1);
}

static void survives_every_failed_allocation(void **state)
{
	static const char text[] = "a: &x {b: [1, two]}\nc: {<<: *x, d: \"e\"}\n---\nf: 1\n";

	(void)state;
	for (size_t nth = 1;; nth++) {
		_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;
		_cleanup_err_ struct err err = ERR_INIT;
		bool is_ok;

		unit_fail_allocation(nth);
		is_ok = yaml_parse("f", text, strlen(text), &yaml_limits_aliases, &documents, &err);
		unit_fail_allocation(0);
		if (is_ok) {
			assert_int_equal(documents.count, 2);
			assert_true(nth > 20);
			return;
		}
		assert_int_equal(err.kind, ERR_MEMORY);
	}
}

enum { REFUSED_MAX_MS = 50, REFUSED_MAX_KIB = 16 * 1024 };

static double cpu_ms(void)
{
	return (double)clock() * 1000 / CLOCKS_PER_SEC;
}

// Parses TEXT in a process of its own, so that its memory can be measured. The exit status says
// what went wrong: 1 it was accepted, 2 the kind, 3 the time, 4 the memory.
static int refusal_fault(const struct strbuf *text, const struct yaml_limits *limits)
{
	struct yaml_documents documents = YAML_DOCUMENTS_INIT;
	struct err err = ERR_INIT;
	double start = cpu_ms();
	bool is_ok = yaml_parse("f", strbuf_get(text), text->len, limits, &documents, &err);
	double spent = cpu_ms() - start;
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	print_message("%s: %.1f ms, %ld KiB\n", err_message(&err), spent, usage.ru_maxrss);
	if (is_ok || err.kind != ERR_USAGE)
		return is_ok ? 1 : 2;
	if (!IS_MEASURABLE || RUNNING_ON_VALGRIND)
		return 0;
	return spent > REFUSED_MAX_MS ? 3 : usage.ru_maxrss > REFUSED_MAX_KIB ? 4 : 0;
}

static void refuse_cheaply(const struct strbuf *text)
{
	const struct yaml_limits *const both[] = {&yaml_limits_plain, &yaml_limits_aliases};

	for (size_t i = 0; i < COUNT_OF(both); i++) {
		pid_t child = fork();
		int status;

		if (!child)
			_exit(refusal_fault(text, both[i]));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
}

// js-yaml#739, CVE-2019-11253
static void js_yaml_739_billion_laughs(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(65536);

	(void)state;
	strbuf_add(&text, "a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n");
	for (int i = 1; i < 9; i++) {
		strbuf_addf(&text, "a%d: &a%d [", i, i);
		for (int j = 0; j < 9; j++)
			strbuf_addf(&text, "%s*a%d", j ? "," : "", i - 1);
		strbuf_add(&text, "]\n");
	}
	refuse_cheaply(&text);
}

static void billion_laughs_by_merge(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(65536);

	(void)state;
	strbuf_add(&text, "a0: &a0 {k: 1}\n");
	for (int i = 1; i < 60; i++)
		strbuf_addf(&text, "a%d: &a%d {<<: [*a%d, *a%d]}\n", i, i, i - 1, i - 1);
	refuse_cheaply(&text);
}

static void one_long_string_many_times(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1024 * 1024);

	(void)state;
	strbuf_add(&text, "- &a ");
	strbuf_add_repeat(&text, 'x', 500000);
	for (int i = 0; i < 9000; i++)
		strbuf_add(&text, "\n- *a");
	refuse_cheaply(&text);
}

static void hundred_thousand_aliases_in_a_chain(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(16 * 1024 * 1024);

	(void)state;
	strbuf_add(&text, "- &a0 [x]\n");
	for (int i = 1; text.len < 1024 * 1024 - 64; i++)
		strbuf_addf(&text, "- &a%d [*a%d]\n", i, i - 1);
	refuse_cheaply(&text);
	strbuf_clear(&text);
	strbuf_add(&text, "- &a0 [x]\n");
	for (int i = 1; i < 100; i++)
		strbuf_addf(&text, "- &a%d [*a%d]\n", i, i - 1);
	refuse_cheaply(&text);
}

// libyaml#107: time and stack grow with the nesting.
static void libyaml_107_a_megabyte_of_brackets(void **state)
{
	static const char *const openers[] = {"[", "{", "- ", "? ", "{a: ", "[[{", "&a [", "!t ["};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(openers); i++) {
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1024 * 1024);

		while (text.len < 1024 * 1024 - 8)
			strbuf_add(&text, openers[i]);
		refuse_cheaply(&text);
	}
}

static void a_megabyte_of_directives(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1024 * 1024);

	(void)state;
	for (int i = 0; text.len < 1024 * 1024 - 32; i++)
		strbuf_addf(&text, "%%TAG !a%d! x\n", i);
	refuse_cheaply(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resolves_words_as_kubernetes_does),
		cmocka_unit_test(resolves_numbers_as_kubernetes_does),
		cmocka_unit_test(what_is_quoted_is_a_string),
		cmocka_unit_test(keys_stay_as_written),
		cmocka_unit_test(tags_choose_the_type),
		cmocka_unit_test(refuses_what_json_cannot_hold),
		cmocka_unit_test(finds_every_document),
		cmocka_unit_test(k8s_34886_first_document_empty),
		cmocka_unit_test(parse_one_wants_exactly_one),
		cmocka_unit_test(takes_byte_order_mark_and_crlf),
		cmocka_unit_test(says_where_a_tab_is),
		cmocka_unit_test(says_where_the_syntax_breaks),
		cmocka_unit_test(refuses_duplicate_keys),
		cmocka_unit_test(expands_aliases),
		cmocka_unit_test(merges_maps),
		cmocka_unit_test(refuses_aliases_where_they_are_not_read),
		cmocka_unit_test(refuses_a_cycle),
		cmocka_unit_test(counts_anchors),
		cmocka_unit_test(refuses_numbers_too_long_to_read),
		cmocka_unit_test(holds_its_limits),
		cmocka_unit_test(knows_where_everything_stands),
		cmocka_unit_test(spans_hold_the_whole_value),
		cmocka_unit_test(offsets_count_the_byte_order_mark),
		cmocka_unit_test(an_alias_stands_where_it_is_written),
		cmocka_unit_test(survives_every_failed_allocation),
		cmocka_unit_test(js_yaml_739_billion_laughs),
		cmocka_unit_test(billion_laughs_by_merge),
		cmocka_unit_test(one_long_string_many_times),
		cmocka_unit_test(hundred_thousand_aliases_in_a_chain),
		cmocka_unit_test(libyaml_107_a_megabyte_of_brackets),
		cmocka_unit_test(a_megabyte_of_directives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
