/* The functions that neither call back into the program nor wait. */
#ifndef HCCT_PASS_SELECT_HARMLESS_H
#define HCCT_PASS_SELECT_HARMLESS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `name` is one of them. A call to it needs no context. */
bool hcct_harmless_is(const char *name, size_t length);

#endif
