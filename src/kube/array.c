// SPDX-License-Identifier: MIT
#include "kube/array.h"

#include <string.h>

#include "base/mem.h"
#include "base/parse.h"

// Cuts SEPARATOR and the number behind it off TEXT; without one *RET keeps its value.
static bool cut_number(char *text, char separator, int64_t *ret, struct err *err)
{
	char *at = strchr(text, separator);

	if (!at)
		return true;
	*at = '\0';
	return parse_i64(at + 1, 1, KUBE_ARRAY_MAX_TASKS, ret, err);
}

static bool parse(char *text, struct kube_array *array, struct err *err)
{
	char *dash;

	array->step = 1;
	if (!cut_number(text, '%', &array->at_once, err) || !cut_number(text, ':', &array->step, err))
		return false;
	dash = strchr(text, '-');
	if (!dash || dash == text)
		return err_set(err, ERR_USAGE, "no range");
	*dash = '\0';
	if (!parse_i64(text, 0, INT32_MAX, &array->first, err) ||
	    !parse_i64(dash + 1, array->first, INT32_MAX, &array->last, err))
		return false;
	if (kube_array_count(array) > KUBE_ARRAY_MAX_TASKS)
		return err_set(err, ERR_USAGE, "more than %d tasks", KUBE_ARRAY_MAX_TASKS);
	array->last -= (array->last - array->first) % array->step;
	return true;
}

bool kube_array_parse(const char *text, struct kube_array *ret, struct err *err)
{
	struct kube_array array = {.is_set = true};
	_cleanup_free_ char *copy = mem_dup(text);

	if (!copy)
		return err_memory(err);
	if (!parse(copy, &array, err)) {
		err_wrap(err, "\"%s\"", text);
		return err_hint(err, "write it as 0-15, 1-7:2 or 0-99%%4");
	}
	*ret = array;
	return true;
}

int64_t kube_array_count(const struct kube_array *array)
{
	return (array->last - array->first) / array->step + 1;
}

bool kube_array_is_plain(const struct kube_array *array)
{
	return array->first == 0 && array->step == 1;
}
