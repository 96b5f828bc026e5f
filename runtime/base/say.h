/* What the profiler tells its user: lines on standard error, "hcct: ...". */
#ifndef HCCT_RUNTIME_BASE_SAY_H
#define HCCT_RUNTIME_BASE_SAY_H

#include <stddef.h>

/* HCCT_OPTIONS=verbosity. */
extern __attribute__((visibility("hidden"))) int hcct_say_verbosity;

/* Once, before anything is said: lines go to what standard error is now. */
void hcct_say_start(void);
/* One line, if verbosity >= level. Async-signal-safe; `parts` end with NULL. */
void hcct_say(int level, const char *const *parts);
#define HCCT_SAY(level, ...) hcct_say(level, (const char *const[]){ "hcct: ", __VA_ARGS__, "\n", NULL })
/* Decimal digits of `value`, somewhere in `buffer`. */
const char *hcct_decimal(unsigned long value, char *buffer, size_t size);
/* The path of the executable. */
const char *hcct_program_path(void);

#endif
