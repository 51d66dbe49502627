// SPDX-License-Identifier: MIT
#include "jobs/files.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "jobs/submit.h"
#include "kube/discovery.h"
#include "kube/job.h"

enum { TEXT_MAX_BYTES = 64 * 1024 };

static bool write_place(const struct kube_manifest *manifest, char **ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);

	kube_manifest_write_place(manifest, NULL, &text);
	*ret = strbuf_take(&text, err);
	return *ret;
}

// The name that it gets: its own, or one that is made.
static bool name_file(struct jobs_file *file, bool is_name_prefix, struct err *err)
{
	const struct kube_manifest *manifest = file->manifest;
	_cleanup_strbuf_ struct strbuf prefix = STRBUF_INIT(TEXT_MAX_BYTES);

	if (manifest->is_prefix || is_name_prefix) {
		strbuf_addf(&prefix, "%s%s", manifest->name, manifest->is_prefix ? "" : "-");
		return strbuf_ok(&prefix, err) && jobs_make_name(strbuf_get(&prefix), &file->name, err);
	}
	file->name = mem_dup(manifest->name);
	return file->name || err_memory(err);
}

static void check_namespace(const struct jobs_file *file, const struct jobs_files_options *options,
                            struct faults *faults)
{
	const char *own = file->manifest->namespace;

	if (own && options->namespace && strcmp(own, options->namespace) != 0)
		faults_add(faults, "%s: namespace \"%s\" is not the one of --namespace \"%s\"", file->place,
		           own, options->namespace);
}

// Others refer to most objects by their name.
static void check_prefix(const struct jobs_file *file, struct faults *faults)
{
	const char *kind = file->manifest->kind;

	if (strcmp(kind, "Job") != 0 && strcmp(kind, "Pod") != 0)
		faults_add(faults, "%s: --name-prefix is for jobs and pods, and this is a %s", file->place,
		           kind);
}

static bool prepare_one(struct jobs_files *files, size_t i, const struct kube_manifest *manifest,
                        const struct jobs_files_options *options, struct faults *faults,
                        struct err *err)
{
	struct jobs_file *file = &files->files[i];
	struct kube_manifest_changes changes = {.namespace = options->namespace, .user = options->user};

	file->manifest = manifest;
	file->namespace = options->namespace    ? options->namespace
	                  : manifest->namespace ? manifest->namespace
	                                        : options->default_namespace;
	if (!write_place(manifest, &file->place, err) ||
	    !name_file(file, options->is_name_prefix, err) ||
	    (!options->is_only_shown && !jobs_make_request_id(&file->request_id, err)))
		return false;
	check_namespace(file, options, faults);
	if (options->is_name_prefix)
		check_prefix(file, faults);
	changes.name = file->name;
	changes.request_id = file->request_id;
	file->tree = kube_manifest_build(manifest, &changes, err);
	return file->tree;
}

bool jobs_files_prepare(struct jobs_files *files, const struct kube_manifests *manifests,
                        const struct jobs_files_options *options, struct faults *faults,
                        struct err *err)
{
	size_t count = manifests->count;

	*files = (struct jobs_files){.count = count,
	                             .files = mem_alloc((count + 1) * sizeof(*files->files)),
	                             .items = mem_alloc((count + 1) * sizeof(*files->items)),
	                             .needs = mem_alloc((count + 1) * sizeof(*files->needs))};
	if (!files->files || !files->items || !files->needs) {
		files->count = 0;
		return err_memory(err);
	}
	for (size_t i = 0; i < count; i++)
		if (!prepare_one(files, i, &manifests->items[i], options, faults, err))
			return false;
	return true;
}

static bool lower(const char *word, char **ret, struct err *err)
{
	*ret = mem_dup(word);
	for (char *c = *ret; c && *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return *ret || err_memory(err);
}

// One that came before it and is of the same kind.
static const struct jobs_file *find_alike(const struct jobs_files *files, size_t i)
{
	const struct kube_manifest *own = files->files[i].manifest;

	for (size_t j = 0; j < i; j++)
		if (files->files[j].collection.plural &&
		    !strcmp(files->files[j].manifest->kind, own->kind) &&
		    !strcmp(files->files[j].manifest->group_version, own->group_version))
			return &files->files[j];
	return NULL;
}

static bool discover(struct jobs_file *file, struct kube_client *client, struct faults *faults,
                     struct err *err)
{
	const struct kube_manifest *manifest = file->manifest;
	struct kube_kind kind = {NULL, false};

	if (!kube_discover_kind(client, manifest->group_version, manifest->kind, &kind, err))
		return false;
	if (!kind.plural) {
		faults_add(faults, "%s: the server has no kind %s in %s", file->place, manifest->kind,
		           manifest->group_version);
		return true;
	}
	file->plural = TAKE(kind.plural);
	if (!lower(manifest->kind, &file->word, err))
		return false;
	file->collection = (struct kube_collection){.group_version = manifest->group_version,
	                                            .plural = file->plural,
	                                            .word = file->word,
	                                            .kind = manifest->kind,
	                                            .is_cluster_wide = !kind.is_namespaced};
	return true;
}

static bool find_collection(struct jobs_files *files, size_t i, struct kube_client *client,
                            struct faults *faults, struct err *err)
{
	struct jobs_file *file = &files->files[i];
	const struct kube_manifest *manifest = file->manifest;
	const struct kube_collection *known =
		kube_collection_find(manifest->group_version, manifest->kind);
	const struct jobs_file *alike = known ? NULL : find_alike(files, i);

	if (!known && !alike)
		return discover(file, client, faults, err);
	file->collection = known ? *known : alike->collection;
	file->collection.group_version = manifest->group_version;
	return true;
}

static bool find_collections(struct jobs_files *files, struct kube_client *client,
                             struct faults *faults, struct err *err)
{
	for (size_t i = 0; i < files->count; i++) {
		struct jobs_file *file = &files->files[i];

		if (!find_collection(files, i, client, faults, err))
			return false;
		files->items[i] = (struct jobs_batch_item){
			.collection = &file->collection,
			.namespace = file->collection.is_cluster_wide ? NULL : file->namespace,
			.object = file->tree,
			.request_id = file->request_id,
			.failure = ERR_INIT};
	}
	return true;
}

static bool read_needs(struct jobs_files *files, struct err *err)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct jobs_file *file = &files->files[i];

		if (!jobs_needs_read(&files->needs[i], file->manifest->object, file->namespace, err))
			return false;
		files->needs[i].manifest = file->manifest;
	}
	return true;
}

// Old servers drop, or refuse with less clear words, what they do not know.
static void check_fields(const struct jobs_file *file, int64_t minor, struct faults *faults)
{
	if (strcmp(file->manifest->kind, "Job") != 0)
		return;
	for (size_t i = 0; kube_job_fields[i].path; i++) {
		const struct kube_job_field *field = &kube_job_fields[i];
		const struct json *value = json_find(file->manifest->object, field->path);
		_cleanup_strbuf_ struct strbuf place = STRBUF_INIT(TEXT_MAX_BYTES);

		if (!value || json_type(value) == JSON_NULL || minor >= field->minor)
			continue;
		kube_manifest_write_place(file->manifest, value, &place);
		faults_add(faults,
		           "%s: the server is Kubernetes 1.%" PRId64 ", and %s came with 1.%" PRId64,
		           strbuf_get(&place), minor, field->path, field->minor);
	}
}

// The field that a server's message is about: "spec.x: …", "… unknown field "spec.x"".
static const struct json *find_field(const struct jobs_file *file, const char *line, size_t len)
{
	static const char unknown[] = "unknown field \"";
	_cleanup_free_ char *text = mem_dup_n(line, len);
	char *path = text ? strstr(text, unknown) : NULL;

	if (!text)
		return NULL;
	path = path ? path + strlen(unknown) : text;
	path[strcspn(path, ":\" ")] = '\0';
	// json_find takes indices between brackets alone.
	for (const char *c = strchr(path, '['); c; c = strchr(c + 1, '['))
		if (c[1] < '0' || c[1] > '9')
			return NULL;
	return *path ? json_find(file->manifest->object, path) : NULL;
}

// Each line of the message with its place and object in front.
static void add_failure(const struct jobs_file *file, const struct err *failure,
                        struct faults *faults)
{
	_cleanup_strbuf_ struct strbuf object = STRBUF_INIT(TEXT_MAX_BYTES);
	const char *line = err_message(failure);

	strbuf_addf(&object, "%s \"%s\"", file->collection.word, file->name);
	for (;;) {
		size_t len = strcspn(line, "\n");
		bool has_object = !strncmp(line, strbuf_get(&object), object.len);
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);

		kube_manifest_write_place(file->manifest, find_field(file, line, len), &text);
		strbuf_addf(&text, ": %s%s", has_object ? "" : strbuf_get(&object), has_object ? "" : ": ");
		strbuf_add_n(&text, line, len);
		faults_add(faults, "%s", strbuf_get(&text));
		if (!line[len])
			return;
		line += len + 1;
	}
}

static enum err_kind worse(enum err_kind a, enum err_kind b)
{
	return err_exit_status(b) > err_exit_status(a) ? b : a;
}

// Reports what failed, and what was not sent after it.
static enum err_kind add_failures(struct jobs_files *files, struct faults *faults)
{
	enum err_kind worst = ERR_NONE;
	size_t unsent = 0;

	for (size_t i = 0; i < files->count; i++) {
		const struct jobs_batch_item *item = &files->items[i];

		unsent += item->state == JOBS_BATCH_NOT_SENT && !item->is_skipped;
		if (item->state != JOBS_BATCH_FAILED)
			continue;
		files->has_taken |= item->is_taken;
		add_failure(&files->files[i], &item->failure, faults);
		worst = worst == ERR_NONE ? item->failure.kind : worse(worst, item->failure.kind);
	}
	if (unsent)
		faults_add(faults, "%zu of %zu were not sent", unsent, files->count);
	return worst;
}

// What is in a namespace, or of a kind, that the same call makes cannot be tried before it is there.
static bool is_made_here(const struct jobs_files *files, const struct jobs_file *file)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct jobs_file *other = &files->files[i];

		if (!strcmp(other->manifest->kind, "Namespace") && !file->collection.is_cluster_wide &&
		    !strcmp(other->name, file->namespace))
			return true;
	}
	return false;
}

// An admission webhook that cannot do without effects has the server refuse dry runs.
static void forgive(struct jobs_batch_item *item)
{
	if (item->state != JOBS_BATCH_FAILED ||
	    !strstr(err_message(&item->failure), "does not support dry run"))
		return;
	err_clear(&item->failure);
	item->state = JOBS_BATCH_DONE;
}

static bool try_all(struct jobs_files *files, struct kube_client *client, bool replaces,
                    struct faults *faults, enum err_kind *ret_refused, struct err *err)
{
	struct jobs_batch_options options = {.is_dry_run = true, .replaces = replaces};
	bool is_ok;

	for (size_t i = 0; i < files->count; i++)
		files->items[i].is_skipped = is_made_here(files, &files->files[i]);
	is_ok = jobs_batch_post(client, files->items, files->count, &options, err);
	for (size_t i = 0; i < files->count; i++)
		forgive(&files->items[i]);
	if (is_ok)
		*ret_refused = add_failures(files, faults);
	jobs_batch_clear(files->items, files->count);
	for (size_t i = 0; i < files->count; i++)
		files->items[i].is_skipped = false;
	return is_ok;
}

bool jobs_files_check(struct jobs_files *files, struct kube_client *client,
                      const struct jobs_preflight *preflight, bool replaces,
                      enum err_kind *ret_refused, struct err *err)
{
	struct faults *faults = preflight->faults;
	int64_t minor = INT64_MAX;

	*ret_refused = ERR_NONE;
	if (!find_collections(files, client, faults, err) || !read_needs(files, err) ||
	    !jobs_preflight_objects(client, files->needs, files->count, preflight, &minor, err))
		return false;
	for (size_t i = 0; i < files->count; i++)
		check_fields(&files->files[i], minor, faults);
	return faults->errors.count || try_all(files, client, replaces, faults, ret_refused, err);
}

bool jobs_files_post(struct jobs_files *files, struct kube_client *client,
                     const struct jobs_batch_options *options, struct faults *faults,
                     enum err_kind *ret_worst, struct err *err)
{
	if (!jobs_batch_post(client, files->items, files->count, options, err))
		return false;
	*ret_worst = add_failures(files, faults);
	return true;
}

void jobs_files_release(struct jobs_files *files)
{
	if (files->items)
		jobs_batch_clear(files->items, files->count);
	for (size_t i = 0; i < files->count; i++) {
		struct jobs_file *file = &files->files[i];

		json_free(file->tree);
		mem_free(file->name);
		mem_free(file->request_id);
		mem_free(file->plural);
		mem_free(file->word);
		mem_free(file->place);
		jobs_needs_release(&files->needs[i]);
	}
	mem_free(files->files);
	mem_free(files->items);
	mem_free(files->needs);
	*files = (struct jobs_files){.count = 0};
}
