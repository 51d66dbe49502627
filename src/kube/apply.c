// SPDX-License-Identifier: MIT
#include "kube/apply.h"

#include <string.h>

#include "base/strbuf.h"

enum { PATH_MAX_BYTES = 8192, CONTENT_MAX_BYTES = 4 * 1024 * 1024 };

static const char own_manager[] = "vpsml";

const char *const kube_apply_words[] = {"failed", "created", "changed", "unchanged", NULL};

// Where in an object a value stands.
enum place { PLACE_OBJECT, PLACE_METADATA, PLACE_BELOW };

static bool is_same(const struct json *a, const struct json *b, enum place place);

// What the server writes by itself.
static bool is_counted(const char *name, enum place place)
{
	static const char *const in_metadata[] = {"managedFields", "resourceVersion", "generation"};

	if (place == PLACE_OBJECT)
		return !strcmp(name, "status");
	for (size_t i = 0; place == PLACE_METADATA && i < COUNT_OF(in_metadata); i++)
		if (!strcmp(name, in_metadata[i]))
			return true;
	return false;
}

static const struct json *skip_counted(const struct json *child, enum place place)
{
	while (child && json_name(child) && is_counted(json_name(child), place))
		child = json_next(child);
	return child;
}

static enum place place_of(const char *name, enum place outer)
{
	bool is_metadata = outer == PLACE_OBJECT && name && !strcmp(name, "metadata");

	return is_metadata ? PLACE_METADATA : PLACE_BELOW;
}

static bool has_same_children(const struct json *a, const struct json *b, enum place place)
{
	const struct json *x = skip_counted(json_first(a), place);
	const struct json *y = skip_counted(json_first(b), place);

	for (; x && y; x = skip_counted(json_next(x), place), y = skip_counted(json_next(y), place)) {
		const char *x_name = json_name(x), *y_name = json_name(y);

		if (!x_name != !y_name || (x_name && strcmp(x_name, y_name) != 0) ||
		    !is_same(x, y, place_of(x_name, place)))
			return false;
	}
	return !x && !y;
}

// Trees are at most JSON_MAX_DEPTH deep.
static bool is_same(const struct json *a, const struct json *b, enum place place)
{
	enum json_type type = json_type(a);

	if (type != json_type(b))
		return false;
	switch (type) {
	case JSON_OBJECT:
	case JSON_ARRAY:
		return has_same_children(a, b, place);
	case JSON_STRING:
		return !strcmp(json_string(a), json_string(b));
	case JSON_NUMBER:
		return json_number(a) <= json_number(b) && json_number(a) >= json_number(b);
	case JSON_BOOL:
		return json_is_true(a) == json_is_true(b);
	case JSON_NULL:
		break;
	}
	return true;
}

bool kube_apply_is_same(const struct json *a, const struct json *b)
{
	return is_same(a, b, PLACE_OBJECT);
}

// One object on its way.
struct application {
	struct kube_client *client;
	const struct kube_apply_options *options;
	struct strbuf path, content;
	struct json *before; // NULL: is not there
};

// What there is now.
static bool look(struct application *application, struct err *err)
{
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_err_ struct err failure = ERR_INIT;

	if (kube_client_call(application->client, "GET", strbuf_get(&application->path), NULL, NULL,
	                     NULL, &reply, &failure)) {
		application->before = json_parse(reply.body, reply.body_len, err);
		return application->before;
	}
	return reply.status == 404 || err_copy(err, &failure);
}

static void add_query(struct application *application)
{
	const struct kube_apply_options *options = application->options;

	kube_query_add(&application->path, "fieldManager",
	               options->manager ? options->manager : own_manager);
	kube_query_add(&application->path, "fieldValidation", "Strict");
	if (options->takes_over)
		kube_query_add(&application->path, "force", "true");
	if (options->is_dry_run)
		kube_query_add(&application->path, "dryRun", "All");
}

static enum kube_apply_outcome compare(const struct application *application,
                                       const struct kube_reply *reply, struct err *err)
{
	_cleanup_json_ struct json *after = NULL;

	if (!application->before)
		return KUBE_APPLY_CREATED;
	after = json_parse(reply->body, reply->body_len, err);
	if (!after)
		return KUBE_APPLY_FAILED;
	return kube_apply_is_same(application->before, after) ? KUBE_APPLY_UNCHANGED
	                                                      : KUBE_APPLY_CHANGED;
}

static enum kube_apply_outcome send_it(struct application *application, struct err *err)
{
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_err_ struct err failure = ERR_INIT;

	add_query(application);
	if (!strbuf_ok(&application->path, err) || !strbuf_ok(&application->content, err))
		return KUBE_APPLY_FAILED;
	// JSON is YAML, and every server takes apply patches under this name alone.
	if (kube_client_call(application->client, "PATCH", strbuf_get(&application->path),
	                     "application/apply-patch+yaml", strbuf_get(&application->content), NULL,
	                     &reply, &failure))
		return compare(application, &reply, err);
	if (application->options->is_dry_run && reply.status == 404 && !application->before)
		return KUBE_APPLY_CREATED;
	err_copy(err, &failure);
	if (reply.status == 409)
		err_hint(err,
		         "somebody else has set these fields: take them out there, or change them back");
	return KUBE_APPLY_FAILED;
}

enum kube_apply_outcome kube_apply(struct kube_client *client,
                                   const struct kube_collection *collection, const char *namespace,
                                   const struct json *object,
                                   const struct kube_apply_options *options, struct err *err)
{
	struct application application = {.client = client,
	                                  .options = options,
	                                  .path = STRBUF_INIT(PATH_MAX_BYTES),
	                                  .content = STRBUF_INIT(CONTENT_MAX_BYTES)};
	enum kube_apply_outcome outcome = KUBE_APPLY_FAILED;
	const char *name;

	if (json_get_string(object, "metadata.name", &name, err)) {
		kube_path_write(&application.path, collection, namespace, name);
		json_write(&application.content, object);
		if (look(&application, err))
			outcome = send_it(&application, err);
		if (outcome == KUBE_APPLY_FAILED)
			err_wrap(err, "%s \"%s\"", collection->word, name);
	}
	json_free(application.before);
	strbuf_release(&application.path);
	strbuf_release(&application.content);
	return outcome;
}
