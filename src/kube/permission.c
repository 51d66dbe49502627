// SPDX-License-Identifier: MIT
#include "kube/permission.h"

#include <stddef.h>
#include <string.h>

#include "base/attr.h"

// A part of the message, borrowed.
struct word {
	const char *text;
	size_t len;
};

// What names of the API are made of: nothing else goes into a command that people copy.
static const char name_chars[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._*:";

// The word behind FRONT; false where FRONT is not there.
static bool find(const char *message, const char *front, struct word *ret)
{
	const char *at = strstr(message, front);

	if (!at)
		return false;
	ret->text = at + strlen(front);
	ret->len = strspn(ret->text, name_chars);
	return true;
}

// Cluster-wide resources that we ask for: -A would say nothing of them.
static bool is_cluster_wide(const struct word *resource)
{
	static const char *const names[] = {"nodes",          "namespaces", "priorityclasses",
	                                    "runtimeclasses", "users",      "groups"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (strlen(names[i]) == resource->len && !strncmp(names[i], resource->text, resource->len))
			return true;
	return false;
}

static void add(struct strbuf *out, const char *front, const struct word *word)
{
	strbuf_add(out, front);
	strbuf_add_n(out, word->text, word->len);
}

bool kube_permission_write(struct strbuf *out, const char *message)
{
	struct word verb, resource, group, namespace;

	if (!find(message, " cannot ", &verb) || !verb.len ||
	    !find(verb.text, " resource \"", &resource) || !resource.len)
		return false;
	add(out, "kubectl auth can-i ", &verb);
	add(out, " ", &resource);
	if (find(resource.text, "\" in API group \"", &group) && group.len)
		add(out, ".", &group);
	if (resource.text[resource.len] == '/') {
		struct word part = {resource.text + resource.len + 1, 0};

		part.len = strspn(part.text, name_chars);
		add(out, " --subresource=", &part);
	}
	if (find(resource.text, " in the namespace \"", &namespace) && namespace.len)
		add(out, " -n ", &namespace);
	else if (!is_cluster_wide(&resource))
		strbuf_add(out, " -A");
	return true;
}
