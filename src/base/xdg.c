// SPDX-License-Identifier: MIT
#include "base/xdg.h"

#include "base/strbuf.h"

char *xdg_folder(enum xdg_kind kind, xdg_getenv_fn *getenv_fn, struct err *err)
{
	static const struct {
		const char *variable, *below_home;
	} kinds[] = {
		[XDG_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
		[XDG_CACHE] = {"XDG_CACHE_HOME", ".cache"},
		[XDG_STATE] = {"XDG_STATE_HOME", ".local/state"},
	};
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(4096);
	const char *base = getenv_fn(kinds[kind].variable);
	const char *home = getenv_fn("HOME");

	if (base && *base == '/') {
		strbuf_addf(&path, "%s/vpsml", base);
	} else if (home && *home) {
		strbuf_addf(&path, "%s/%s/vpsml", home, kinds[kind].below_home);
	} else {
		err_set(err, ERR_FAILED, "no home folder: HOME is not set");
		return NULL;
	}
	return strbuf_take(&path, err);
}
