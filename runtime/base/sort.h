/* Sorts by a key of 64 bits in each element: by its digits, the last one first (radix sort), and where
 * elements are few, or memory is short, by heapsort. No malloc of the program's. */
#ifndef HCCT_RUNTIME_BASE_SORT_H
#define HCCT_RUNTIME_BASE_SORT_H

#include "encoding/heapsort.h"
#include "runtime/base/memory.h"

enum { HCCT_SORT_BITS = 11, HCCT_SORT_DIGITS = 1 << HCCT_SORT_BITS, HCCT_SORT_FEW = HCCT_SORT_DIGITS / 2 };

/* Where the elements begin that have each digit, by ascending digits. False if all have the same. */
static inline __attribute__((always_inline)) bool hcct_sort_places(const char *elements, size_t count,
                                                                   size_t bytes, unsigned shift,
                                                                   hcct_heapsort_key *key, size_t *places)
{
    size_t sum = 0;
    memset(places, 0, HCCT_SORT_DIGITS * sizeof *places);
    for (size_t i = 0; i < count; i++)
        places[key(elements + i * bytes, NULL) >> shift & (HCCT_SORT_DIGITS - 1)]++;
    if (places[key(elements, NULL) >> shift & (HCCT_SORT_DIGITS - 1)] == count)
        return false;
    for (size_t digit = 0; digit < HCCT_SORT_DIGITS; digit++) {
        size_t size = places[digit];
        places[digit] = sum;
        sum += size;
    }
    return true;
}

/* By ascending keys. Inlined, as hcct_heapsort is. `places` is scratch memory of HCCT_SORT_DIGITS; it is the
 * caller's, as a handler's stack may be small. */
static inline __attribute__((always_inline)) void hcct_sort(void *elements, size_t count, size_t bytes,
                                                            hcct_heapsort_key *key, size_t *places)
{
    char *spare = count > HCCT_SORT_FEW ? hcct_memory_map(count * bytes) : NULL, *from = elements,
         *to = spare;
    for (unsigned shift = 0; spare && shift < 64; shift += HCCT_SORT_BITS) {
        if (!hcct_sort_places(from, count, bytes, shift, key, places))
            continue;
        for (size_t i = 0; i < count; i++) {
            const char *element = from + i * bytes;
            memcpy(to + bytes * places[key(element, NULL) >> shift & (HCCT_SORT_DIGITS - 1)]++, element,
                   bytes);
        }
        char *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != (char *)elements)
        memcpy(elements, from, count * bytes);
    if (!spare)
        hcct_heapsort(elements, count, bytes, key, NULL);
    hcct_memory_unmap(spare, count * bytes);
}

#endif
