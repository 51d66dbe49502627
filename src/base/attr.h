// SPDX-License-Identifier: MIT
// Compiler attributes, each behind a short name.
#pragma once

#define _nodiscard_ __attribute__((warn_unused_result))
#define _printf_(string, first) __attribute__((format(printf, string, first)))
#define _unused_ __attribute__((unused))

// _cleanup_(f): call f(&variable) when the variable goes out of scope.
#define _cleanup_(f) __attribute__((cleanup(f)))

// TAKE(p): hand over the pointer p and leave NULL behind.
#define TAKE(p)                        \
	__extension__({                    \
		__typeof__(p) *take_ = &(p);   \
		__typeof__(p) taken_ = *take_; \
		*take_ = NULL;                 \
		taken_;                        \
	})

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
