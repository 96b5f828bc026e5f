/* Messages of the profiler to its user: lines on standard error, "hcct: ...". */
#ifndef HCCT_RUNTIME_BASE_SAY_H
#define HCCT_RUNTIME_BASE_SAY_H

#include <stddef.h>

/* HCCT_OPTIONS=verbosity. */
extern __attribute__((visibility("hidden"))) int hcct_say_verbosity;

/* Once, before the first message. Messages go to the file that is standard error now. */
void hcct_say_start(void);
/* Writes one line if verbosity >= level. `parts` ends with NULL. Async-signal-safe. */
void hcct_say(int level, const char *const *parts);
#define HCCT_SAY(level, ...) hcct_say(level, (const char *const[]){ "hcct: ", __VA_ARGS__, "\n", NULL })
/* The decimal digits of `value`, as text that ends where `buffer` ends. */
const char *hcct_say_decimal(unsigned long value, char *buffer, size_t size);
/* The path of a file that /proc has of a thread of this process: "comm", for example. The process's own files
 * are empty once its first thread has ended. Calls nothing of the C library. Returns `path`. */
enum { HCCT_SAY_THREAD_PATH_BYTES = 64 };
const char *hcct_say_thread_path(long thread, const char *file, char path[HCCT_SAY_THREAD_PATH_BYTES]);
/* The path of the executable. */
const char *hcct_say_program_path(void);

#endif
