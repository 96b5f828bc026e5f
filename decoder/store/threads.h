/* What profiles tell of threads (struct hcct_file_thread), found by key. */
#ifndef HCCT_DECODER_STORE_THREADS_H
#define HCCT_DECODER_STORE_THREADS_H

#include "decoder/store/table.h"
#include "format/layout.h"

struct hcct_threads {
    struct hcct_file_thread *threads; /* each once */
    uint32_t count, capacity;
    struct hcct_table table;
};

/* Adds those that are not there yet. False when memory is out. */
bool hcct_threads_add(struct hcct_threads *to, const struct hcct_file_thread *threads, uint32_t count);
/* NULL: there is none of that key. */
const struct hcct_file_thread *hcct_threads_find(const struct hcct_threads *threads, uint64_t key);
void hcct_threads_free(struct hcct_threads *threads);

#endif
