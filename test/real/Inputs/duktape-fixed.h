/* Included before duktape.c: the same pivots in every build. Its own generator is seeded by time and addresses. */
#define _GNU_SOURCE
#define DUK_COMPILING_DUKTAPE
#include <duk_config.h>
#define DUK_USE_GET_RANDOM_DOUBLE(udata) 0.5
