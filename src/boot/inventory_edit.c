// SPDX-License-Identifier: MIT
#include "boot/inventory_edit.h"

#include <string.h>
#include <strings.h>

#include "yaml/yaml.h"

enum { BLOCK_MAX_BYTES = 8192, TREE_MAX_BYTES = 16 << 20 };

// The file, and the list of its hosts.
struct edit {
	const char *file, *text;
	size_t len;
	struct yaml_document document;
	const struct json *hosts; // NULL: none, or nothing behind the key
	const struct yaml_span *span;
};

// Writing.

// Can no reader of YAML take TEXT for anything but a string, in a list in braces either?
static bool is_plain(const char *text)
{
	static const char *const words[] = {"y",   "n",    "yes",   "no",  "on",
	                                    "off", "true", "false", "null"};
	const char *first_dot = strchr(text, '.');
	bool is_letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');

	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (!strcasecmp(text, words[i]))
			return false;
	for (const char *p = text; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@/+-:", *p) ||
		    (*p == ':' && (!p[1] || p[1] == ':')))
			return false;
	return is_letter || *text == '/' || (first_dot && strchr(first_dot + 1, '.'));
}

static void add_scalar(struct strbuf *out, const char *text)
{
	if (is_plain(text)) {
		strbuf_add(out, text);
		return;
	}
	strbuf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_add_char(out, '\\');
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			strbuf_addf(out, "\\x%02X", (unsigned char)*text);
		else
			strbuf_add_char(out, *text);
	}
	strbuf_add_char(out, '"');
}

static void add_pair(struct strbuf *out, const char *before, const char *key, const char *value)
{
	if (!value)
		return;
	strbuf_addf(out, "%s%s: ", before, key);
	add_scalar(out, value);
}

// The host's keys; BETWEEN stands between them.
static void add_keys(struct strbuf *out, const struct boot_new_host *host, const char *between)
{
	add_pair(out, "", "name", host->name);
	add_pair(out, between, "ssh", host->ssh);
	add_pair(out, between, "role", host->role);
	add_pair(out, between, "nodeIP", host->node_ip);
	add_pair(out, between, "identity", host->identity);
	add_pair(out, between, "jump", host->jump);
	add_pair(out, between, "hostKey", host->host_key);
}

static void add_block(struct strbuf *out, const struct boot_new_host *host, size_t indent)
{
	_cleanup_strbuf_ struct strbuf between = STRBUF_INIT(BLOCK_MAX_BYTES);

	strbuf_add_char(&between, '\n');
	strbuf_add_repeat(&between, ' ', indent + 2);
	strbuf_add_repeat(out, ' ', indent);
	strbuf_add(out, "- ");
	add_keys(out, host, strbuf_get(&between));
	strbuf_add_char(out, '\n');
}

static void add_braces(struct strbuf *out, const struct boot_new_host *host)
{
	strbuf_add_char(out, '{');
	add_keys(out, host, ", ");
	strbuf_add_char(out, '}');
}

static void add_line(struct strbuf *out, const char *before, const char *key, const char *value)
{
	add_pair(out, before, key, value);
	strbuf_add(out, value ? "\n" : "");
}

void boot_edit_new(const struct boot_new_cluster *cluster, struct strbuf *out)
{
	strbuf_add(out,
	           "# vpsml-cluster(5) describes the keys. `vpsml plan` shows what would be done to\n"
	           "# the hosts, `vpsml up` does it.\n");
	add_line(out, "", "name", cluster->name);
	add_line(out, "", "kubernetes", cluster->kubernetes);
	add_line(out, "", "endpoint", cluster->endpoint);
	if (cluster->plugin || cluster->pod_cidr || cluster->service_cidr)
		strbuf_add(out, "network:\n");
	add_line(out, "  ", "plugin", cluster->plugin);
	add_line(out, "  ", "podCIDR", cluster->pod_cidr);
	add_line(out, "  ", "serviceCIDR", cluster->service_cidr);
	strbuf_add(out, "hosts:\n");
	add_block(out, &cluster->host, 0);
}

// Finding the place.

static bool edit_open(struct edit *edit, struct err *err)
{
	const struct json *hosts;

	if (!yaml_parse_one(edit->file, edit->text, edit->len, &yaml_limits_aliases, &edit->document,
	                    err))
		return false;
	hosts = json_find(edit->document.root, "hosts");
	edit->hosts = hosts && json_type(hosts) == JSON_ARRAY ? hosts : NULL;
	edit->span = yaml_value_span(&edit->document, edit->hosts);
	return true;
}

static const struct json *find_host(const struct json *hosts, const char *name)
{
	for (const struct json *host = hosts ? json_first(hosts) : NULL; host; host = json_next(host))
		if (!strcmp(json_string(json_find(host, "name")), name))
			return host;
	return NULL;
}

static const struct json *last_of(const struct json *list)
{
	const struct json *last = NULL;

	for (const struct json *item = json_first(list); item; item = json_next(item))
		last = item;
	return last;
}

static size_t start_of(const struct edit *edit, const struct json *value)
{
	return yaml_value_span(&edit->document, value)->start.offset;
}

static size_t end_of(const struct edit *edit, const struct json *value)
{
	return yaml_value_span(&edit->document, value)->end.offset;
}

static size_t line_start(const struct edit *edit, size_t at)
{
	while (at && edit->text[at - 1] != '\n')
		at--;
	return at;
}

// Behind the line feed of the line that AT is in; AT itself at a line's start that is not the first
// (a block scalar ends there).
static size_t behind_line(const struct edit *edit, size_t at)
{
	if (at && edit->text[at - 1] == '\n')
		return at;
	while (at < edit->len && edit->text[at] != '\n')
		at++;
	return at < edit->len ? at + 1 : at;
}

static bool is_blank_line(const struct edit *edit, size_t at)
{
	while (at < edit->len && (edit->text[at] == ' ' || edit->text[at] == '\t'))
		at++;
	return at < edit->len && (edit->text[at] == '\n' || edit->text[at] == '\r');
}

// The "-" in front of an item of a block list, and nothing else on its line before it; false if
// something unexpected is there.
static bool find_dash(const struct edit *edit, const struct json *item, size_t *ret)
{
	size_t at = start_of(edit, item);

	while (at && strchr(" \t\r\n", edit->text[at - 1]))
		at--;
	if (!at || edit->text[at - 1] != '-')
		return false;
	*ret = at - 1;
	for (size_t i = line_start(edit, *ret); i < *ret; i++)
		if (edit->text[i] != ' ')
			return false;
	return true;
}

// Putting it together.

static void add_range(struct strbuf *out, const struct edit *edit, size_t from, size_t to)
{
	strbuf_add_n(out, edit->text + from, to - from);
}

static bool add_to_block(const struct edit *edit, const struct boot_new_host *host,
                         struct strbuf *out)
{
	const struct json *last = last_of(edit->hosts);
	size_t dash, at = behind_line(edit, end_of(edit, last));
	size_t indent;

	if (!find_dash(edit, last, &dash))
		return false;
	indent = dash - line_start(edit, dash);
	add_range(out, edit, 0, at);
	if (at && edit->text[at - 1] != '\n')
		strbuf_add_char(out, '\n');
	if (line_start(edit, dash) && json_first(edit->hosts) != last &&
	    is_blank_line(edit, line_start(edit, line_start(edit, dash) - 1)))
		strbuf_add_char(out, '\n');
	if (edit->text[start_of(edit, last)] == '{') {
		strbuf_add_repeat(out, ' ', indent);
		strbuf_add(out, "- ");
		add_braces(out, host);
		strbuf_add_char(out, '\n');
	} else {
		add_block(out, host, indent);
	}
	add_range(out, edit, at, edit->len);
	return true;
}

static bool add_to_brackets(const struct edit *edit, const struct boot_new_host *host,
                            struct strbuf *out)
{
	const struct json *last = last_of(edit->hosts);
	size_t at = last ? end_of(edit, last) : (size_t)edit->span->start.offset + 1;

	add_range(out, edit, 0, at);
	strbuf_add(out, last ? ", " : "");
	add_braces(out, host);
	add_range(out, edit, at, edit->len);
	return true;
}

// Where there is no list yet: behind the key, or a key at the end.
static bool add_list(const struct edit *edit, const struct boot_new_host *host, struct strbuf *out)
{
	const struct json *empty = json_find(edit->document.root, "hosts");
	const struct yaml_span *key = yaml_key_span(&edit->document, empty);
	size_t at = key ? behind_line(edit, key->end.offset) : edit->len;

	if (edit->text[start_of(edit, edit->document.root)] == '{' ||
	    (empty && json_type(empty) != JSON_NULL))
		return false;
	add_range(out, edit, 0, at);
	if (at && edit->text[at - 1] != '\n')
		strbuf_add_char(out, '\n');
	strbuf_add(out, key ? "" : "hosts:\n");
	add_block(out, host, 0);
	add_range(out, edit, at, edit->len);
	return true;
}

static bool add_anyhow(const struct edit *edit, const struct boot_new_host *host,
                       struct strbuf *out)
{
	char first = edit->hosts ? edit->text[edit->span->start.offset] : '\0';

	if (!edit->hosts)
		return add_list(edit, host, out);
	if (first == '[')
		return add_to_brackets(edit, host, out);
	return first == '-' && add_to_block(edit, host, out);
}

static bool remove_from_block(const struct edit *edit, const struct json *host, struct strbuf *out)
{
	size_t dash, from, to = behind_line(edit, end_of(edit, host));

	if (!find_dash(edit, host, &dash))
		return false;
	from = line_start(edit, dash);
	// One of the two blank lines around it goes along, or the one in front of the last host.
	if (from && is_blank_line(edit, line_start(edit, from - 1)) &&
	    (to == edit->len || is_blank_line(edit, to) || !json_next(host)))
		from = line_start(edit, from - 1);
	add_range(out, edit, 0, from);
	add_range(out, edit, to, edit->len);
	return true;
}

static bool remove_from_brackets(const struct edit *edit, const struct json *host,
                                 struct strbuf *out)
{
	const struct json *before = NULL;
	size_t from = start_of(edit, host), to = end_of(edit, host);

	for (const struct json *item = json_first(edit->hosts); item != host; item = json_next(item))
		before = item;
	if (before)
		from = end_of(edit, before);
	else if (json_next(host))
		to = start_of(edit, json_next(host));
	add_range(out, edit, 0, from);
	add_range(out, edit, to, edit->len);
	return true;
}

// Is the new text what was meant: the same values, but for one host?

static bool is_same(const struct json *a, const struct json *b)
{
	_cleanup_strbuf_ struct strbuf left = STRBUF_INIT(TREE_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf right = STRBUF_INIT(TREE_MAX_BYTES);

	json_write(&left, a);
	json_write(&right, b);
	return !left.failed && !right.failed && !strcmp(strbuf_get(&left), strbuf_get(&right));
}

// Do the lists agree, when in LONGER the host called NAME is passed over?
static bool is_one_longer(const struct json *shorter, const struct json *longer, const char *name)
{
	const struct json *a = shorter ? json_first(shorter) : NULL;
	const struct json *b = longer ? json_first(longer) : NULL;
	size_t passed = 0;

	for (; b; b = json_next(b)) {
		if (!strcmp(json_string(json_find(b, "name")), name)) {
			passed++;
			continue;
		}
		if (!a || !is_same(a, b))
			return false;
		a = json_next(a);
	}
	return !a && passed == 1;
}

static size_t count_members(const struct json *object)
{
	size_t count = 0;

	for (const struct json *item = json_first(object); item; item = json_next(item))
		count += strcmp(json_name(item), "hosts") != 0;
	return count;
}

static bool are_others_same(const struct json *before, const struct json *after)
{
	for (const struct json *item = json_first(before); item; item = json_next(item)) {
		const struct json *other = json_find(after, json_name(item));

		if (strcmp(json_name(item), "hosts") != 0 && (!other || !is_same(item, other)))
			return false;
	}
	return count_members(before) == count_members(after);
}

static bool is_as_meant(const struct edit *edit, const struct strbuf *out, const char *name,
                        bool is_added)
{
	struct edit after = {edit->file, strbuf_get(out), out->len, YAML_DOCUMENT_INIT, NULL, NULL};
	_cleanup_err_ struct err unused = ERR_INIT;
	bool is_ok = !out->failed && edit_open(&after, &unused) &&
	             json_type(after.document.root) == JSON_OBJECT &&
	             are_others_same(edit->document.root, after.document.root);

	if (is_ok && is_added)
		is_ok = is_one_longer(edit->hosts, after.hosts, name);
	else if (is_ok)
		is_ok = is_one_longer(after.hosts, edit->hosts, name);
	yaml_document_release(&after.document);
	return is_ok;
}

// One line: it is shown as a hint, and can be pasted.
static bool refuse_add(const struct edit *edit, const struct boot_new_host *host, struct err *err)
{
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(BLOCK_MAX_BYTES);

	add_braces(&line, host);
	err_set(err, ERR_USAGE, "%s: the list of hosts cannot be added to", edit->file);
	return err_hint(err, "write there, under \"hosts\": - %s", strbuf_get(&line));
}

static bool refuse_remove(const struct edit *edit, const struct json *host, struct err *err)
{
	const struct yaml_span *span = yaml_value_span(&edit->document, host);

	err_set(err, ERR_USAGE, "%s: host \"%s\" cannot be taken out", edit->file,
	        json_string(json_find(host, "name")));
	return err_hint(err, "delete it yourself: it starts at line %u", span->start.line);
}

static bool add_host(struct edit *edit, const struct boot_new_host *host, struct strbuf *out,
                     struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(out->max);

	if (!edit_open(edit, err))
		return false;
	if (json_type(edit->document.root) != JSON_OBJECT)
		return refuse_add(edit, host, err);
	if (find_host(edit->hosts, host->name))
		return yaml_error_at(err, &edit->document,
		                     yaml_value_span(&edit->document, find_host(edit->hosts, host->name)),
		                     "there is a host \"%s\" already", host->name);
	if (!add_anyhow(edit, host, &text) || !is_as_meant(edit, &text, host->name, true))
		return refuse_add(edit, host, err);
	strbuf_add_n(out, strbuf_get(&text), text.len);
	return strbuf_ok(out, err);
}

bool boot_edit_add_host(const char *file, const char *text, size_t len,
                        const struct boot_new_host *host, struct strbuf *out, struct err *err)
{
	struct edit edit = {file, text, len, YAML_DOCUMENT_INIT, NULL, NULL};
	bool is_ok = add_host(&edit, host, out, err);

	yaml_document_release(&edit.document);
	return is_ok;
}

static bool remove_anyhow(const struct edit *edit, const struct json *host, struct strbuf *out)
{
	char first = edit->text[edit->span->start.offset];

	if (first == '[')
		return remove_from_brackets(edit, host, out);
	return first == '-' && remove_from_block(edit, host, out);
}

static bool remove_host(struct edit *edit, const char *name, struct strbuf *out, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(out->max);
	const struct json *host;

	if (!edit_open(edit, err))
		return false;
	host = find_host(edit->hosts, name);
	if (!host)
		return err_set(err, ERR_USAGE, "%s: there is no host \"%s\"", edit->file, name);
	if (!json_next(json_first(edit->hosts))) {
		err_set(err, ERR_USAGE, "%s: \"%s\" is the only host", edit->file, name);
		return err_hint(err, "vpsml down takes the whole cluster apart");
	}
	if (!remove_anyhow(edit, host, &text) || !is_as_meant(edit, &text, name, false))
		return refuse_remove(edit, host, err);
	strbuf_add_n(out, strbuf_get(&text), text.len);
	return strbuf_ok(out, err);
}

bool boot_edit_remove_host(const char *file, const char *text, size_t len, const char *name,
                           struct strbuf *out, struct err *err)
{
	struct edit edit = {file, text, len, YAML_DOCUMENT_INIT, NULL, NULL};
	bool is_ok = remove_host(&edit, name, out, err);

	yaml_document_release(&edit.document);
	return is_ok;
}
