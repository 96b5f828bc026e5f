/* Numbers that the link wrote into an executable: the interface between whoever links (wrapper/numbers.c) and
 * the runtime (runtime/objects/linked.c).
 *
 * The link writes base, contexts and deltas into the states (hcct/abi.h) of the linked file, as the runtime
 * would at start if the executable were the program's only instrumented object. Then it fills in this
 * structure, which is the runtime's own and has a section of its own. The numbers hold if and only if
 *   1. `magic` and `abi` are those of the runtime, so that both mean the same by `check`;
 *   2. the records are at the distance `records`, and there are `function_count` of them;
 *   3. hcct_linked_check of the records and states is `check`;
 *   4. no other object with records is loaded at start, and no guide is given.
 * Nothing else matters, as an executable's own functions are never replaced by those of other objects.
 *
 * Besides, the link computes what the profile tells of the whole build: its hash, and the filter of names
 * (runtime/output/). The latter has at most 16 bits for each function, so it lies in the states, 32 bits in
 * each of the first ones. With them it writes each function's place, by ascending bases, into its record. */
#ifndef HCCT_LINKED_H
#define HCCT_LINKED_H

#include <string.h>

#include "hcct/abi.h"

#define HCCT_LINKED_SECTION "hcct_linked"
#define HCCT_LINKED_NOT UINT64_C(0x3074696e6b6e696c)      /* "linknit0" */
#define HCCT_LINKED_NUMBERED UINT64_C(0x326d756e6b6e696c) /* "linknum2": the numbers hold, see above */

struct hcct_linked {
    uint64_t magic;
    uint32_t abi; /* HCCT_ABI_VERSION */
    uint32_t function_count;
    int64_t records;     /* distance in bytes from this structure to the first record */
    uint64_t id_count;   /* that functions have, from HCCT_ID_FIRST on */
    uint64_t build;      /* runtime/output/build.h; 0: not known, and no places either */
    uint64_t name_words; /* of the filter, each in two states; 0: there is none */
    uint64_t check;
};

/* A check of words and of their order: `first` is the sum of all words, `second` the sum of what `first` was
 * after each word. */
struct hcct_linked_sums {
    uint64_t first, second;
};

/* Some 2.5 instructions for each word. */
static inline void hcct_linked_add(struct hcct_linked_sums *sums, const void *from, const void *end)
{
    enum { AT_ONCE = 8 };
    uint64_t words[AT_ONCE], first = sums->first, second = sums->second;
    const char *at = from;
    for (; (const char *)end - at >= (ptrdiff_t)sizeof words; at += sizeof words) {
        memcpy(words, at, sizeof words);
        for (int i = 0; i < AT_ONCE; i++)
            second += first += words[i];
    }
    for (; at < (const char *)end; at += sizeof words[0]) {
        memcpy(words, at, sizeof words[0]);
        second += first += words[0];
    }
    *sums = (struct hcct_linked_sums){ first, second };
}

/* The value of hcct_linked.check: of the records in [start, stop), of their states, and of what else the link
 * computed. `own`: what the object has of its own, bits of enum hcct_library. States mostly stand one behind
 * the other, so that they are read as one range. */
static inline uint64_t hcct_linked_check(const struct hcct_function *start, const struct hcct_function *stop,
                                         uint32_t own, const struct hcct_linked *linked)
{
    const uint64_t others[] = { own, linked->build, linked->name_words };
    struct hcct_linked_sums sums = { 0, 0 };
    const char *from = NULL, *end = NULL;
    hcct_linked_add(&sums, others, others + sizeof others / sizeof others[0]);
    hcct_linked_add(&sums, start, stop);
    for (const struct hcct_function *f = start; f < stop; f++) {
        const char *state = hcct_rel_get(&f->state);
        if (state != end) {
            hcct_linked_add(&sums, from, end);
            from = state;
        }
        end = state + sizeof(struct hcct_state) + f->delta_count * sizeof(int64_t);
    }
    hcct_linked_add(&sums, from, end);
    return hcct_mix(sums.first, UINT64_C(0x9e3779b97f4a7c15)) ^ sums.second;
}

_Static_assert(sizeof(struct hcct_linked) == 56, "the link writes this layout");

#endif
