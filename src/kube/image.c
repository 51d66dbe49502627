// SPDX-License-Identifier: MIT
#include "kube/image.h"

#include <string.h>

enum { TAG_MAX_BYTES = 128, PATH_MAX_BYTES = 255, HUB_ID_BYTES = 64 };

#define DIGITS "0123456789"
#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// A piece of the reference.
struct part {
	const char *text;
	size_t len;
};

static bool consists_of(struct part part, const char *chars)
{
	for (size_t i = 0; i < part.len; i++)
		if (!strchr(chars, part.text[i]))
			return false;
	return part.len > 0;
}

static bool equals(struct part part, const char *text)
{
	return part.len == strlen(text) && !memcmp(part.text, text, part.len);
}

// Takes what stands in front of the first SEPARATOR off REST; all of it where there is none, and
// then REST has no text.
static struct part cut(struct part *rest, char separator)
{
	const char *at = memchr(rest->text, separator, rest->len);
	struct part head = {rest->text, at ? (size_t)(at - rest->text) : rest->len};

	*rest = at ? (struct part){at + 1, rest->len - head.len - 1} : (struct part){NULL, 0};
	return head;
}

// a-z, 0-9, and between them one ".", one or two "_", or any number of "-".
static bool is_path_part(struct part part)
{
	static const char ends[] = LOWER DIGITS;

	if (!consists_of(part, LOWER DIGITS "._-") || !strchr(ends, part.text[0]) ||
	    !strchr(ends, part.text[part.len - 1]))
		return false;
	for (size_t i = 1; i + 1 < part.len; i++) {
		size_t run = strspn(part.text + i, "._-");

		if (run > 1 && strspn(part.text + i, "-") < run &&
		    !(run == 2 && !strncmp(part.text + i, "__", 2)))
			return false;
		i += run;
	}
	return true;
}

// Names of letters, digits and "-" (at no end), with dots between them.
static bool is_domain(struct part host)
{
	while (host.text) {
		struct part label = cut(&host, '.');

		if (!consists_of(label, LOWER UPPER DIGITS "-") || label.text[0] == '-' ||
		    label.text[label.len - 1] == '-')
			return false;
	}
	return true;
}

// DOMAIN[:PORT] or [IPV6][:PORT]
static bool is_registry(struct part registry)
{
	struct part host, port = {NULL, 0};
	const char *bracket = memchr(registry.text, ']', registry.len);

	if (registry.text[0] != '[' || !bracket) {
		port = registry;
		host = cut(&port, ':');
		return is_domain(host) && (!port.text || consists_of(port, DIGITS));
	}
	host = (struct part){registry.text + 1, (size_t)(bracket - registry.text) - 1};
	port = (struct part){bracket + 1, registry.len - host.len - 2};
	return consists_of(host, "abcdefABCDEF" DIGITS ":") &&
	       (!port.len || (port.text[0] == ':' &&
	                      consists_of((struct part){port.text + 1, port.len - 1}, DIGITS)));
}

// The first of several parts is a registry if it has a dot, a colon or an upper-case letter, or is
// localhost. Else it is a folder of Docker Hub.
static bool is_hub_folder(struct part first)
{
	return !equals(first, "localhost") && !memchr(first.text, '.', first.len) &&
	       !memchr(first.text, ':', first.len) && strcspn(first.text, UPPER) >= first.len;
}

// PATH; without a registry it is one of Docker Hub, whose own images stand in library/.
static bool is_path(struct part path, bool has_registry)
{
	size_t len = path.len;

	if (!has_registry && !memchr(path.text, '/', path.len))
		len += strlen("library/");
	if (len > PATH_MAX_BYTES)
		return false;
	while (path.text)
		if (!is_path_part(cut(&path, '/')))
			return false;
	return true;
}

static bool is_tag(struct part tag)
{
	return tag.len <= TAG_MAX_BYTES && consists_of(tag, LOWER UPPER DIGITS "_.-") &&
	       tag.text[0] != '.' && tag.text[0] != '-';
}

static bool is_digest(struct part digest)
{
	static const struct {
		const char *name;
		size_t hex_digits;
	} algorithms[] = {{"sha256", 64}, {"sha384", 96}, {"sha512", 128}};
	struct part name = cut(&digest, ':');

	for (size_t i = 0; digest.text && i < COUNT_OF(algorithms); i++)
		if (equals(name, algorithms[i].name))
			return digest.len == algorithms[i].hex_digits && consists_of(digest, "abcdef" DIGITS);
	return false;
}

static bool is_image(const char *image)
{
	struct part whole = {image, strlen(image)}, digest = whole, rest, registry, path, tag;
	bool has_registry;

	// kubelet takes this for the id of an image.
	if (whole.len == HUB_ID_BYTES && consists_of(whole, "abcdef" DIGITS))
		return false;
	whole = cut(&digest, '@');
	rest = whole;
	registry = cut(&rest, '/');
	// "a_b.com" is no host, but a folder's name.
	has_registry =
		rest.text && !is_hub_folder(registry) && (is_registry(registry) || !is_path_part(registry));
	tag = has_registry ? rest : whole;
	path = cut(&tag, ':');
	return (!has_registry || is_registry(registry)) && is_path(path, has_registry) &&
	       (!tag.text || is_tag(tag)) && (!digest.text || is_digest(digest));
}

bool kube_image_check(const char *image, struct err *err)
{
	if (is_image(image))
		return true;
	err_set(err, ERR_USAGE, "\"%s\" is not an image", image);
	return err_hint(err, "[HOST[:PORT]/]NAME[:TAG], the name in lower case");
}
