// SPDX-License-Identifier: MIT
#include "kube/manifest.h"

#include <string.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "kube/collection.h"
#include "kube/meta.h"
#include "kube/name.h"

enum {
	FILE_MAX_BYTES = 32 * 1024 * 1024,
	FILE_MAX_EVENTS = 4 * 1000 * 1000,
	OBJECTS_MAX_COUNT = 5000,
	OBJECT_MAX_BYTES = 1536 * 1024, // what etcd takes in one request
	PLACE_MAX_BYTES = 8192,
};

static const struct yaml_limits limits = {FILE_MAX_BYTES, JSON_MAX_DEPTH, FILE_MAX_EVENTS, true};

// A fault with the place of VALUE (NULL: of the document) in front.
#define ADD_FAULT(faults, document, value, ...)                                            \
	do {                                                                                   \
		_cleanup_err_ struct err fault_ = ERR_INIT;                                        \
		yaml_error_at(&fault_, document, yaml_value_span(document, (value)), __VA_ARGS__); \
		faults_take(faults, &fault_);                                                      \
	} while (0)

static void add_fault_at(struct faults *faults, const struct yaml_document *document,
                         const struct json *value, struct err *err)
{
	ADD_FAULT(faults, document, value, "%s", err_message(err));
	err_clear(err);
}

// The string at PATH in OBJECT, NULL where there is none; anything else there is a fault.
static const char *get_string(const struct yaml_document *document, const struct json *object,
                              const char *path, struct faults *faults)
{
	const struct json *value = json_find(object, path);

	if (!value || json_type(value) == JSON_NULL)
		return NULL;
	if (json_type(value) != JSON_STRING) {
		ADD_FAULT(faults, document, value, "%s is not a string", path);
		return NULL;
	}
	return json_string(value);
}

// The name, or the prefix of one; whether it is legal is known for our kinds alone.
static void check_name(const struct kube_manifest *manifest, struct faults *faults)
{
	const struct json *value = json_find(
		manifest->object, manifest->is_prefix ? "metadata.generateName" : "metadata.name");
	_cleanup_err_ struct err err = ERR_INIT;

	if (manifest->is_prefix || !kube_collection_find(manifest->group_version, manifest->kind))
		return;
	if (!kube_name_check_subdomain(manifest->name, &err))
		add_fault_at(faults, manifest->document, value, &err);
	else if (!strcmp(manifest->kind, "Job") && strlen(manifest->name) > KUBE_LABEL_MAX_BYTES)
		ADD_FAULT(faults, manifest->document, value, "name \"%s\" has %zu bytes, %d are allowed",
		          manifest->name, strlen(manifest->name), KUBE_LABEL_MAX_BYTES);
}

static bool check_size(const struct kube_manifest *manifest, struct faults *faults, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(OBJECT_MAX_BYTES);

	json_write(&text, manifest->object);
	if (!text.failed)
		return true;
	if (!text.is_over_max)
		return err_memory(err);
	ADD_FAULT(faults, manifest->document, manifest->object,
	          "the object has more than %d KiB, which no API server takes",
	          OBJECT_MAX_BYTES / 1024);
	return true;
}

// metadata: who it is.
static bool read_identity(struct kube_manifest *manifest, struct faults *faults)
{
	const struct json *object = manifest->object, *metadata = json_find(object, "metadata");
	const char *prefix;

	if (metadata && json_type(metadata) != JSON_OBJECT) {
		ADD_FAULT(faults, manifest->document, metadata, "metadata is not a map");
		return false;
	}
	manifest->name = get_string(manifest->document, object, "metadata.name", faults);
	prefix = get_string(manifest->document, object, "metadata.generateName", faults);
	manifest->namespace = get_string(manifest->document, object, "metadata.namespace", faults);
	if ((!manifest->name || !*manifest->name) && prefix && *prefix) {
		manifest->name = prefix;
		manifest->is_prefix = true;
	}
	if (manifest->name && *manifest->name)
		return true;
	ADD_FAULT(faults, manifest->document, object, "%s without metadata.name", manifest->kind);
	return false;
}

static bool add_one(struct kube_manifests *manifests, const struct yaml_document *document,
                    const struct json *object, const char *group_version, const char *kind,
                    struct faults *faults, struct err *err)
{
	struct kube_manifest manifest = {
		.document = document, .object = object, .group_version = group_version, .kind = kind};

	if (manifests->count >= OBJECTS_MAX_COUNT)
		return err_set(err, ERR_USAGE, "more than %d objects", OBJECTS_MAX_COUNT);
	if (!read_identity(&manifest, faults))
		return true;
	check_name(&manifest, faults);
	return check_size(&manifest, faults, err) &&
	       (mem_append(&manifests->items, &manifests->count, &manifest, sizeof(manifest)) ||
	        err_memory(err));
}

static bool add_object(struct kube_manifests *manifests, const struct yaml_document *document,
                       const struct json *object, struct faults *faults, struct err *err);

static bool add_items(struct kube_manifests *manifests, const struct yaml_document *document,
                      const struct json *list, struct faults *faults, struct err *err)
{
	for (const struct json *item = json_first(list); item; item = json_next(item))
		if (!add_object(manifests, document, item, faults, err))
			return false;
	return true;
}

static bool add_object(struct kube_manifests *manifests, const struct yaml_document *document,
                       const struct json *object, struct faults *faults, struct err *err)
{
	const char *group_version, *kind;
	const struct json *items;

	if (json_type(object) != JSON_OBJECT) {
		ADD_FAULT(faults, document, object, "not an object of Kubernetes: no map");
		return true;
	}
	group_version = get_string(document, object, "apiVersion", faults);
	kind = get_string(document, object, "kind", faults);
	if (!group_version || !*group_version || !kind || !*kind) {
		if (!json_find(object, "apiVersion") || !json_find(object, "kind"))
			ADD_FAULT(faults, document, object,
			          "not an object of Kubernetes: no apiVersion or no kind");
		return true;
	}
	items = json_find(object, "items");
	if (items && json_type(items) == JSON_ARRAY && strlen(kind) >= strlen("List") &&
	    !strcmp(kind + strlen(kind) - strlen("List"), "List"))
		return add_items(manifests, document, items, faults, err);
	return add_one(manifests, document, object, group_version, kind, faults, err);
}

// JSON that no YAML reader takes (escapes of surrogates): one document without places.
static bool parse_json(const char *file, const char *text, size_t len, struct yaml_documents *ret)
{
	_cleanup_err_ struct err ignored = ERR_INIT;
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;

	documents.items = mem_alloc(sizeof(*documents.items));
	if (!documents.items)
		return false;
	documents.count = 1;
	documents.items[0].root = json_parse(text, len, &ignored);
	documents.items[0].name = mem_dup(file);
	if (!documents.items[0].root || !documents.items[0].name)
		return false;
	*ret = documents;
	documents = (struct yaml_documents)YAML_DOCUMENTS_INIT;
	return true;
}

static bool parse(const char *file, const char *text, size_t len, struct yaml_documents *ret,
                  struct faults *faults, struct err *err)
{
	_cleanup_err_ struct err one = ERR_INIT;

	if (yaml_parse(file, text, len, &limits, ret, &one) || parse_json(file, text, len, ret))
		return true;
	if (one.kind == ERR_MEMORY) {
		err_copy(err, &one);
		return false;
	}
	faults_take(faults, &one);
	return true;
}

bool kube_manifests_add(struct kube_manifests *manifests, const char *file, const char *text,
                        size_t len, struct faults *faults, struct err *err)
{
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;
	const struct yaml_documents *kept;
	size_t faults_before = faults->errors.count;

	if (!parse(file, text, len, &documents, faults, err))
		return false;
	if (!mem_append(&manifests->files, &manifests->file_count, &documents, sizeof(documents)))
		return err_memory(err);
	documents = (struct yaml_documents)YAML_DOCUMENTS_INIT;
	kept = &manifests->files[manifests->file_count - 1];
	for (size_t i = 0; i < kept->count; i++)
		if (!add_object(manifests, &kept->items[i], kept->items[i].root, faults, err))
			return false;
	if (!kept->count && faults->errors.count == faults_before)
		faults_add(faults, "%s: no object is in it", file);
	return true;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_same_object(const struct kube_manifest *a, const struct kube_manifest *b)
{
	return !a->is_prefix && !b->is_prefix && !strcmp(a->name, b->name) &&
	       !strcmp(a->kind, b->kind) && !strcmp(a->group_version, b->group_version) &&
	       is_same(a->namespace, b->namespace);
}

void kube_manifests_check_twice(const struct kube_manifests *manifests, struct faults *faults)
{
	for (size_t i = 0; i < manifests->count; i++)
		for (size_t j = 0; j < i; j++) {
			const struct kube_manifest *later = &manifests->items[i], *first = &manifests->items[j];
			_cleanup_strbuf_ struct strbuf place = STRBUF_INIT(PLACE_MAX_BYTES);

			if (!is_same_object(first, later))
				continue;
			kube_manifest_write_place(first, NULL, &place);
			ADD_FAULT(faults, later->document, later->object, "%s \"%s\" is in %s too", later->kind,
			          later->name, strbuf_get(&place));
			break;
		}
}

void kube_manifest_write_place(const struct kube_manifest *manifest, const struct json *value,
                               struct strbuf *out)
{
	const struct yaml_span *span =
		yaml_value_span(manifest->document, value ? value : manifest->object);

	strbuf_add(out, manifest->document->name);
	if (span)
		strbuf_addf(out, ":%u:%u", (unsigned)span->start.line, (unsigned)span->start.column);
}

// Puts the members of MAP but the one called WITHOUT.
static void put_others(const struct json *map, const char *without, struct json_build *b)
{
	for (const struct json *child = json_first(map); child; child = json_next(child))
		if (!without || strcmp(json_name(child), without) != 0)
			json_put_tree(b, json_name(child), json_dup(child));
}

// metadata.MAP with KEY as VALUE in place of what it has, or, where it IS_KEPT, only beside it.
static void put_map(const struct json *metadata, const char *map, const char *key,
                    const char *value, bool is_kept, struct json_build *b)
{
	const struct json *old = json_find(metadata, map);
	bool has_it = false;

	if (old && json_type(old) != JSON_OBJECT && json_type(old) != JSON_NULL) {
		json_put_tree(b, map, json_dup(old)); // the server says what is wrong with it
		return;
	}
	if (!value && (!old || json_type(old) == JSON_NULL))
		return;
	for (const struct json *child = old ? json_first(old) : NULL; child; child = json_next(child))
		has_it |= !strcmp(json_name(child), key);
	json_build_open_object(b, map);
	if (old)
		put_others(old, value && !is_kept ? key : NULL, b);
	if (value && !(has_it && is_kept))
		json_put_string(b, key, value);
	json_build_close(b);
}

static bool is_rewritten(const char *name)
{
	static const char *const names[] = {"name", "generateName", "namespace", "labels",
	                                    "annotations"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void put_metadata(const struct kube_manifest *manifest,
                         const struct kube_manifest_changes *changes, struct json_build *b)
{
	const struct json *metadata = json_find(manifest->object, "metadata");
	const char *namespace = changes->namespace ? changes->namespace : manifest->namespace;

	json_build_open_object(b, "metadata");
	json_put_string(b, "name", changes->name);
	if (namespace)
		json_put_string(b, "namespace", namespace);
	put_map(metadata, "labels", KUBE_LABEL_USER, changes->user, true, b);
	put_map(metadata, "annotations", KUBE_ANNOTATION_REQUEST_ID, changes->request_id, false, b);
	for (const struct json *child = json_first(metadata); child; child = json_next(child))
		if (!is_rewritten(json_name(child)))
			json_put_tree(b, json_name(child), json_dup(child));
	json_build_close(b);
}

struct json *kube_manifest_build(const struct kube_manifest *manifest,
                                 const struct kube_manifest_changes *changes, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	for (const struct json *child = json_first(manifest->object); child; child = json_next(child))
		if (!strcmp(json_name(child), "metadata"))
			put_metadata(manifest, changes, &b);
		else
			json_put_tree(&b, json_name(child), json_dup(child));
	json_build_close(&b);
	return json_build_take(&b, err);
}

void kube_manifests_release(struct kube_manifests *manifests)
{
	mem_free(manifests->items);
	for (size_t i = 0; i < manifests->file_count; i++)
		yaml_documents_release(&manifests->files[i]);
	mem_free(manifests->files);
	*manifests = (struct kube_manifests)KUBE_MANIFESTS_INIT;
}
