/* A profile in memory, checked: a view of the bytes of one ids.bin (format/layout.h). After it was opened
 * (open.h),
 *   1. every invariant of layout.h holds, so that no index and no string needs a test again;
 *   2. `index` is a valid numbering: every walk to the root ends;
 *   3. the arrays point into the given bytes, which the caller keeps until hcct_profile_close, or into
 *      `unpacked`. */
#ifndef HCCT_DECODER_PROFILE_PROFILE_H
#define HCCT_DECODER_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "encoding/index.h"
#include "format/layout.h"

struct hcct_profile {
    const unsigned char *bytes; /* what the arrays point into */
    const unsigned char *file;  /* as it was given: packed, or `bytes` */
    size_t length;              /* of `file` */
    const struct hcct_file_run *run;
    const char *strings;
    const struct hcct_file_function *functions;
    const struct hcct_file_site *sites;
    const struct hcct_file_inlined *inlined;
    const struct hcct_file_prefix *prefixes;
    const struct hcct_file_entry *entries;
    const struct hcct_file_object *objects;
    const struct hcct_file_pin *pins;
    const struct hcct_file_thread *threads;       /* with threads=split */
    const struct hcct_file_phase *phases;         /* that the program named; none: it did not */
    const struct hcct_file_bursts *bursts;        /* NULL: the counts are no estimates from bursts */
    const struct hcct_file_times *times;          /* NULL: not known */
    const struct hcct_file_heap *heap;            /* metric=heap: of each entry, and the rest; else NULL */
    const struct hcct_file_heap_sampled *sampled; /* heap_sample: as `heap`; else NULL */
    const struct hcct_file_curve *curve;          /* metric=heap, of one run; else NULL */
    const struct hcct_file_spread
        *spread; /* of a sum: of each entry, and of contexts without one; NULL: not known, or no sum */
    const struct hcct_file_spread *spread_rest; /* of a sum: the last element; else NULL */
    const uint64_t *strip_words;                /* of a sum: the section's words, or NULL */
    uint32_t string_bytes, function_count, site_count, inlined_count, prefix_count, entry_count, object_count,
        pin_count, thread_count, name_count, heap_count, sampled_count, spread_count, new_word_count,
        phase_count, curve_count, strip_word_count;
    const char *name; /* what messages and sums call it: that of its file; NULL: it has none */
    /* A filter of the names of all functions of the program (layout.h), of name_count words. None: the
     * profile has all functions. */
    const uint64_t *names;
    const uint64_t *new_words; /* with known=: which contexts are new (new.h); else NULL */
    struct hcct_index index;   /* its edges are the sites */
    uint32_t *first_site;      /* [function_count + 1] into site_order */
    uint32_t *site_order;      /* [site_count] sites by caller, then by id */
    void *memory;              /* what the index and the two arrays above stand in */
    void *unpacked;            /* what was unpacked, and the arrays point into; else NULL */
    const char *phase;         /* the one that the counts are of; NULL: the whole run */
    const char *only;          /* of a sum of one profile: what that was called; else NULL */
    int heap_value;            /* enum hcct_heap_value: what the counts are */
    void *resized_heap;        /* what `heap` points into, if the file has elements of another size */
    bool is_one_value;         /* it was chosen: heap[] is no longer beside entries[] */
    /* what `run` and `entries` point into, if that is not the first one (heap.h, new.h, phases.h) */
    void *chosen;
    bool is_capped;      /* the sum of all counts of the run stopped at 2^64 - 1 (hcct_sum) */
    bool only_new;       /* the other entries were left out */
    uint32_t line_count; /* sites whose line is known */
    /* What tells names and places: the `fixed` part of combine/records.h; NULL: this profile. */
    const struct hcct_profile *records;
    bool folded; /* recursion is folded: by the run, or in the decoder */
};

void hcct_profile_close(struct hcct_profile *profile);
/* Has recursion folded in all of them, if one of them is or if it is asked for: contexts would not meet
 * otherwise. */
void hcct_profiles_fold(struct hcct_profile *profiles, uint32_t count, bool asked);

/* Whether it is a sum of several numberings (format/layout.h). */
static inline bool hcct_profile_is_of_several(const struct hcct_profile *profile)
{
    return profile->run->build_id == HCCT_FILE_BUILD_BY_NAMES ||
           profile->run->build_id == HCCT_FILE_BUILD_BY_OBJECTS;
}
/* The executable's build id; the path of one that is not instrumented: it has nothing that would have to be
 * the same. Empty: not known. */
const char *hcct_profile_executable(const struct hcct_profile *profile);
/* Whether the two are of one executable, whatever else it loaded. */
bool hcct_profile_is_same_program(const struct hcct_profile *a, const struct hcct_profile *b);
/* Whether it is of that program: a path, or the last part of one. */
bool hcct_profile_is_of(const struct hcct_profile *profile, const char *program);

/* The site of `function` with that id, or HCCT_NO_INDEX. O(log sites of the function). */
uint32_t hcct_profile_site(const struct hcct_profile *profile, uint32_t function, uint64_t id);

/* The number of profiles that were added up. */
static inline uint32_t hcct_profile_parts(const struct hcct_profile *profile)
{
    return profile->spread_rest ? profile->spread_rest->absent : 1;
}

static inline const char *hcct_profile_string(const struct hcct_profile *profile, uint32_t offset)
{
    return profile->strings + offset;
}

#endif
