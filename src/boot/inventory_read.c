// SPDX-License-Identifier: MIT
#include "boot/inventory_read.h"

#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/text.h"

enum { KEYS_MAX = 32, FAULT_MAX_BYTES = 4096 };

static void add(struct boot_reader *reader, const struct yaml_span *span, bool is_warning,
                const char *format, va_list args) _printf_(4, 0);
static void add(struct boot_reader *reader, const struct yaml_span *span, bool is_warning,
                const char *format, va_list args)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FAULT_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;

	strbuf_vaddf(&text, format, args);
	yaml_error_at(&err, reader->document, span, "%s", strbuf_get(&text));
	if (err.kind == ERR_USAGE && is_warning)
		faults_warn(&reader->faults, "%s", err_message(&err));
	else
		faults_take(&reader->faults, &err);
}

void boot_fault(struct boot_reader *reader, const struct json *value, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(reader, yaml_value_span(reader->document, value), false, format, args);
	va_end(args);
}

void boot_fault_key(struct boot_reader *reader, const struct json *value, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(reader, yaml_key_span(reader->document, value), false, format, args);
	va_end(args);
}

void boot_warn(struct boot_reader *reader, const struct json *value, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(reader, yaml_value_span(reader->document, value), true, format, args);
	va_end(args);
}

void boot_fault_take(struct boot_reader *reader, const struct json *value, struct err *err)
{
	if (err->kind == ERR_MEMORY)
		reader->faults.is_out_of_memory = true;
	else if (err->hint)
		boot_fault(reader, value, "%s: %s", err_message(err), err->hint);
	else
		boot_fault(reader, value, "%s", err_message(err));
	err_clear(err);
}

void boot_note_memory(struct boot_reader *reader, const struct err *err)
{
	if (err->kind == ERR_MEMORY)
		reader->faults.is_out_of_memory = true;
}

const char *boot_text(struct boot_reader *reader, const struct json *value)
{
	static const char *const kinds[] = {"nothing", "true or false", "a number",
	                                    "text",    "a list",        "a map"};
	enum json_type type = json_type(value);

	if (type == JSON_STRING && *json_string(value))
		return json_string(value);
	if (type == JSON_STRING)
		boot_fault(reader, value, "this is empty");
	else if (type == JSON_BOOL || type == JSON_NUMBER)
		boot_fault(reader, value, "this is %s where text is needed: put it in quotes", kinds[type]);
	else
		boot_fault(reader, value, "this is %s where text is needed", kinds[type]);
	return NULL;
}

void boot_set_text(struct boot_reader *reader, char **field, const char *text)
{
	mem_free(*field);
	*field = mem_dup(text);
	if (!*field)
		reader->faults.is_out_of_memory = true;
}

static void fault_unknown(struct boot_reader *reader, const struct json *value,
                          const struct boot_key *keys, size_t count)
{
	const char *names[KEYS_MAX], *nearest = NULL;

	for (size_t i = 0; i < count; i++) {
		names[i] = keys[i].name;
		if (!strcasecmp(json_name(value), names[i]))
			nearest = names[i];
	}
	if (!nearest)
		nearest = text_nearest(json_name(value), names, count);
	if (nearest && reader->meant_count < COUNT_OF(reader->meant))
		reader->meant[reader->meant_count++] = nearest;
	if (nearest)
		boot_fault_key(reader, value, "unknown key \"%s\": \"%s\"?", json_name(value), nearest);
	else
		boot_fault_key(reader, value, "unknown key \"%s\"", json_name(value));
}

static const struct boot_key *find_key(const struct boot_key *keys, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(keys[i].name, name))
			return &keys[i];
	return NULL;
}

void boot_read_keys(struct boot_reader *reader, const struct json *object,
                    const struct boot_key *keys, size_t count, void *record)
{
	for (const struct json *value = json_first(object); value; value = json_next(value)) {
		const struct boot_key *key = find_key(keys, count, json_name(value));

		if (!key)
			fault_unknown(reader, value, keys, count);
		else if (json_type(value) != JSON_NULL)
			key->read(reader, value, key, (char *)record + key->offset);
	}
}

void boot_read_map(struct boot_reader *reader, const struct json *value, const struct boot_key *key,
                   void *field)
{
	if (json_type(value) != JSON_OBJECT)
		boot_fault(reader, value, "%s: takes a map of keys", key->name);
	else
		boot_read_keys(reader, value, key->keys, key->key_count, field);
}

void boot_read_text(struct boot_reader *reader, const struct json *value,
                    const struct boot_key *key, void *field)
{
	const char *text = boot_text(reader, value);

	(void)key;
	if (text)
		boot_set_text(reader, field, text);
}

void boot_read_flag(struct boot_reader *reader, const struct json *value,
                    const struct boot_key *key, void *field)
{
	if (json_type(value) == JSON_BOOL)
		*(bool *)field = json_is_true(value);
	else
		boot_fault(reader, value, "%s: takes true or false", key->name);
}

void boot_read_choice(struct boot_reader *reader, const struct json *value,
                      const struct boot_key *key, void *field)
{
	enum boot_choice *choice = field;

	if (json_type(value) == JSON_BOOL)
		*choice = json_is_true(value) ? BOOT_YES : BOOT_NO;
	else if (!strcmp(json_string(value), "auto"))
		*choice = BOOT_AUTO;
	else
		boot_fault(reader, value, "%s: takes auto, true or false", key->name);
}

void boot_read_word(struct boot_reader *reader, const struct json *value,
                    const struct boot_key *key, void *field)
{
	_cleanup_strbuf_ struct strbuf words = STRBUF_INIT(FAULT_MAX_BYTES);

	for (size_t i = 0; key->words[i]; i++) {
		if (!strcmp(json_string(value), key->words[i])) {
			*(unsigned *)field = (unsigned)i;
			return;
		}
		strbuf_addf(&words, "%s%s", !i ? "" : key->words[i + 1] ? ", " : " or ", key->words[i]);
	}
	boot_fault(reader, value, "%s: takes %s", key->name, strbuf_get(&words));
}

void boot_read_texts(struct boot_reader *reader, const struct json *value,
                     const struct boot_key *key, void *field)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (json_type(value) != JSON_ARRAY) {
		boot_fault(reader, value, "%s: takes a list", key->name);
		return;
	}
	for (const struct json *item = json_first(value); item; item = json_next(item)) {
		const char *text = boot_text(reader, item);

		if (text && !strv_add(field, text, &err))
			boot_fault_take(reader, item, &err);
	}
}

void boot_read_object(struct boot_reader *reader, const struct json *value,
                      const struct boot_key *key, void *field)
{
	struct json **tree = field;

	if (json_type(value) != JSON_OBJECT) {
		boot_fault(reader, value, "%s: takes a map, which is passed on as it is", key->name);
		return;
	}
	json_free(*tree);
	*tree = json_dup(value);
	if (!*tree)
		reader->faults.is_out_of_memory = true;
}
