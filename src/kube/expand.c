// SPDX-License-Identifier: MIT
#include "kube/expand.h"

#include "base/strbuf.h"

enum { EXPANDED_MAX_BYTES = 4 * 1024 * 1024 };

void kube_expand_put_verbatim(struct json_build *b, const char *name, const char *text)
{
	_cleanup_strbuf_ struct strbuf escaped = STRBUF_INIT(EXPANDED_MAX_BYTES);

	for (; *text; text++) {
		if (*text == '$' && (text[1] == '$' || text[1] == '('))
			strbuf_add_char(&escaped, '$');
		strbuf_add_char(&escaped, *text);
	}
	json_put_text(b, name, &escaped);
}
