// SPDX-License-Identifier: MIT
// Functions that do not compile in this tree, each with what to use instead.
// The build includes this file in front of every source file.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(name, instead)                                \
	((int)sizeof(struct {                                    \
		_Static_assert(0, #name " is banned: use " instead); \
		int unused;                                          \
	}))

#undef strcpy
#define strcpy(...) BANNED(strcpy, "strbuf_add")
#undef strcat
#define strcat(...) BANNED(strcat, "strbuf_add")
#undef strncpy
#define strncpy(...) BANNED(strncpy, "strbuf_add")
#undef strncat
#define strncat(...) BANNED(strncat, "strbuf_add")
#undef sprintf
#define sprintf(...) BANNED(sprintf, "strbuf_addf or snprintf")
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf, "strbuf_vaddf or vsnprintf")
#undef strtok
#define strtok(...) BANNED(strtok, "strv_split")
#undef atoi
#define atoi(...) BANNED(atoi, "parse_i64")
#undef atol
#define atol(...) BANNED(atol, "parse_i64")
#undef atoll
#define atoll(...) BANNED(atoll, "parse_i64")
#undef atof
#define atof(...) BANNED(atof, "parse_i64 or kube_quantity_parse")
#undef localtime
#define localtime(...) BANNED(localtime, "localtime_r")
#undef gmtime
#define gmtime(...) BANNED(gmtime, "gmtime_r")
#undef ctime
#define ctime(...) BANNED(ctime, "strftime")
#undef asctime
#define asctime(...) BANNED(asctime, "strftime")
