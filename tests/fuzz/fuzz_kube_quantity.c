// SPDX-License-Identifier: MIT
// kube/quantity: what was read is written and read again as the same amount.
#include "fuzz.h"

#include <stdlib.h>

#include "base/mem.h"
#include "kube/quantity.h"

static void check_round_trip(const struct kube_quantity *quantity)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64);
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_quantity again;

	kube_quantity_write(&text, quantity);
	if (text.failed || !kube_quantity_parse(strbuf_get(&text), &again, &err) ||
	    kube_quantity_compare(quantity, &again) != 0)
		abort();
}

static void check_any(const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_quantity quantity;

	if (!kube_quantity_parse(text, &quantity, &err)) {
		if (err.kind != ERR_USAGE)
			abort();
		return;
	}
	if (quantity.units < 0 || quantity.nanos < 0 || quantity.nanos > 999999999 ||
	    kube_quantity_ceil(&quantity) < quantity.units ||
	    kube_quantity_milli(&quantity) < quantity.units)
		abort();
	check_round_trip(&quantity);
}

static void check_used(const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_quantity quantity;

	if (kube_quantity_parse_memory(text, &quantity, &err)) {
		if (quantity.nanos || quantity.units < 1024 * 1024)
			abort();
		check_round_trip(&quantity);
	} else if (err.kind != ERR_USAGE) {
		abort();
	}
	err_clear(&err);
	if (kube_quantity_parse_cpu(text, &quantity, &err)) {
		if (quantity.nanos % 1000000 || kube_quantity_milli(&quantity) < 1)
			abort();
		check_round_trip(&quantity);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_free_ char *text = mem_dup_n((const char *)data, len);

	check_any(text);
	check_used(text);
	return 0;
}
