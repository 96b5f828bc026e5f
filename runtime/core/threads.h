/* The threads of the program, for threads=split: their numbers, and what is known of each.
 *
 * A thread gets its number, from 1, when it takes its block. The roots of its contexts are made from the
 * number (encoding/context.h), so nothing else has to tell threads apart: not slots, tables, nor algorithms.
 * Names and first functions are for the decoder. They are kept for HCCT_THREADS_KNOWN threads; later ones
 * have their number only.
 * Atomics: each thread writes its own element; the one that writes a profile reads all. */
#ifndef HCCT_RUNTIME_CORE_THREADS_H
#define HCCT_RUNTIME_CORE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/layout.h"
#include "runtime/core/settings.h"

#define HCCT_THREADS_KNOWN (1u << 16)

struct hcct_block;

static inline bool hcct_threads_are_split(void)
{
    return hcct_core_settings.threads == HCCT_THREADS_SPLIT;
}

/* After the options were read, before there is a second thread. */
void hcct_threads_start(void);
/* The number of the next thread; 0 if threads are not split. Async-signal-safe. */
uint32_t hcct_threads_add(void);
/* The thread begins with the function whose first context is `base`. A later call for the same thread changes
 * nothing. Async-signal-safe. */
void hcct_threads_begin(uint32_t number, uint64_t base);
/* Reads the name of the block's thread, or of all threads that have one. Under the table lock. */
void hcct_threads_read_name(const struct hcct_block *block);
void hcct_threads_read_names(void);
/* What is known; all zeros if nothing is. */
struct hcct_file_thread hcct_threads_known(uint32_t number);

#endif
