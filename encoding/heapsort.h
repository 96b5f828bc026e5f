/* Heapsort: no worst case, no memory, no recursion. The C library's qsort may call the program's malloc. */
#ifndef HCCT_ENCODING_HEAPSORT_H
#define HCCT_ENCODING_HEAPSORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { HCCT_HEAPSORT_ELEMENT_BYTES = 32 }; /* at most */

/* What elements are sorted by. */
typedef uint64_t hcct_heapsort_key(const void *element, const void *context);

/* Lets `item` sink from `at` in a heap of `count` elements whose greatest is on top. */
static inline __attribute__((always_inline)) void hcct_heapsort_sink(char *heap, size_t at, size_t count,
                                                                     size_t bytes, const void *item,
                                                                     hcct_heapsort_key *key,
                                                                     const void *context)
{
    uint64_t own = key(item, context);
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count &&
            key(heap + child * bytes, context) < key(heap + (child + 1) * bytes, context))
            child++;
        if (key(heap + child * bytes, context) <= own)
            break;
        memcpy(heap + at * bytes, heap + child * bytes, bytes);
    }
    memcpy(heap + at * bytes, item, bytes);
}

/* Sorts `count` elements of `bytes` each by ascending keys; O(count) if they are sorted. Inlined, so that a
 * constant `bytes` and a known `key` cost no call. */
static inline __attribute__((always_inline)) void hcct_heapsort(void *elements, size_t count, size_t bytes,
                                                                hcct_heapsort_key *key, const void *context)
{
    char *heap = elements, item[HCCT_HEAPSORT_ELEMENT_BYTES];
    size_t sorted = 1;
    while (sorted < count && key(heap + (sorted - 1) * bytes, context) <= key(heap + sorted * bytes, context))
        sorted++;
    if (sorted >= count)
        return;
    for (size_t i = count / 2; i-- > 0;) {
        memcpy(item, heap + i * bytes, bytes);
        hcct_heapsort_sink(heap, i, count, bytes, item, key, context);
    }
    for (size_t end = count; end-- > 1;) {
        memcpy(item, heap + end * bytes, bytes);
        memcpy(heap + end * bytes, heap, bytes);
        hcct_heapsort_sink(heap, 0, end, bytes, item, key, context);
    }
}

#endif
