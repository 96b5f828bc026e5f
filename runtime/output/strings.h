/* The strings of a file: each stands there once, found by content. Offset 0 is the empty string.
 * Memory: reserved, pages come as they are touched. Threads: none of its own. */
#ifndef HCCT_RUNTIME_OUTPUT_STRINGS_H
#define HCCT_RUNTIME_OUTPUT_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hcct_string {
    uint32_t offset, hash;
};

struct hcct_strings {
    char *bytes;
    size_t size, capacity;
    struct hcct_string *table; /* by content, open addressing */
    size_t table_size, count;
    bool failed; /* memory was short */
};

bool hcct_strings_open(struct hcct_strings *strings);
void hcct_strings_close(struct hcct_strings *strings);
/* The offset of `text`; 0 for NULL, and if memory is short. */
uint32_t hcct_strings_add(struct hcct_strings *strings, const char *text);
uint64_t hcct_strings_hash(const char *text, size_t length);
/* A growing array in reserved memory: `capacity` is what the address space gave, pages come as they are
 * touched. */
void *hcct_strings_reserve(size_t *capacity, size_t element);

#endif
