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
 * each of the first ones. */
#ifndef HCCT_LINKED_H
#define HCCT_LINKED_H

#include "hcct/abi.h"

#define HCCT_LINKED_SECTION "hcct_linked"
#define HCCT_LINKED_NOT UINT64_C(0x3074696e6b6e696c)      /* "linknit0" */
#define HCCT_LINKED_NUMBERED UINT64_C(0x316d756e6b6e696c) /* "linknum1": the numbers hold, see above */

struct hcct_linked {
    uint64_t magic;
    uint32_t abi; /* HCCT_ABI_VERSION */
    uint32_t function_count;
    int64_t records;     /* distance in bytes from this structure to the first record */
    uint64_t id_count;   /* that functions have, from HCCT_ID_FIRST on */
    uint64_t build;      /* runtime/output/build.h; 0: not known */
    uint64_t name_words; /* of the filter, each in two states; 0: there is none */
    uint64_t check;
};

/* One more word for a check, in four instructions: if a single word differs, so does the result. */
static inline uint64_t hcct_linked_add(uint64_t check, uint64_t word)
{
    return hcct_mix(check ^ word, UINT64_C(0x9e3779b97f4a7c15));
}

/* Of what of the records decides where states are, and of what numbering writes; and of
 * what else the link computed. `own` is of enum hcct_library. */
static inline uint64_t hcct_linked_check(const struct hcct_function *start, const struct hcct_function *stop,
                                         uint32_t own, const struct hcct_linked *linked)
{
    uint64_t check = hcct_linked_add(hcct_linked_add(own, linked->build), linked->name_words);
    for (const struct hcct_function *f = start; f < stop; f++) {
        const struct hcct_state *state = (const struct hcct_state *)hcct_rel_get(&f->state);
        check = hcct_linked_add(check, (uint64_t)(uint32_t)f->body << 32 | (uint32_t)f->state);
        check = hcct_linked_add(check, (uint64_t)f->delta_count << 32 | state->names);
        check = hcct_linked_add(check, state->base);
        check = hcct_linked_add(check, state->contexts ^ (uint64_t)f->flags << 60); /* below 2^60 */
        for (uint32_t i = 0; i < f->delta_count; i++)
            check = hcct_linked_add(check, (uint64_t)state->delta[i]);
    }
    return check;
}

_Static_assert(sizeof(struct hcct_linked) == 56, "the link writes this layout");

#endif
