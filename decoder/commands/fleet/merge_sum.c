/* See merge_sum.h. */
#include "decoder/commands/fleet/merge_sum.h"
#include "decoder/combine/one_build/combine_write.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/external/large.h"
#include "decoder/external/temporary.h"
#include "decoder/external/window.h"

/* Shares of the memory: buffers of sorters, which need about as much again while they are sorted or read;
 * what is resident of an array by prefix; the largest file that is read into memory, which may be packed. */
enum { BUFFERS_SHARE = 4, WINDOW_SHARE = 8, FILE_SHARE = 32 };
/* A sum of fewer bytes, in units of all memory, is left alone. */
enum { SHRINKS_AT = 16, GROWS_BY = 8 };

void hcct_merge_memory_open(struct hcct_merge_memory *memory, uint64_t bytes)
{
    memory->bytes = bytes;
    if (bytes) /* what is freed goes back to the system */
        mallopt(M_MMAP_THRESHOLD, 1 << 17);
    hcct_spill_open(&memory->spill, bytes / BUFFERS_SHARE);
}

uint64_t hcct_merge_memory_of_file(const struct hcct_merge_memory *memory)
{
    return memory->bytes ? memory->bytes / FILE_SHARE : UINT64_MAX;
}

void hcct_merge_memory_close(struct hcct_merge_memory *memory)
{
    if (memory->bytes)
        hcct_spill_close(&memory->spill);
}

struct hcct_build_sum *hcct_build_sum_new(struct hcct_merge_memory *memory, bool leaves_spread,
                                          const char *first)
{
    struct hcct_build_sum *sum = calloc(1, sizeof *sum);
    if (!sum)
        return NULL;
    sum->combine.leaves_spread = leaves_spread;
    sum->first = strdup(first); /* without a name it has that of its host */
    sum->shrinks_at = memory->bytes * SHRINKS_AT;
    if (memory->bytes)
        hcct_external_open(&sum->external, &sum->combine, &memory->spill);
    return sum;
}

/* Forgets what was added. */
static void empty(struct hcct_build_sum *sum)
{
    bool leaves_spread = sum->combine.leaves_spread;
    hcct_external_close(&sum->external);
    hcct_combine_free(&sum->combine);
    sum->combine.leaves_spread = leaves_spread;
}

/* What there is, as a profile in a temporary file. */
struct draft {
    struct hcct_large large;
    struct hcct_profile profile;
};

static bool fail(struct hcct_error *error, int reason)
{
    return reason == ENOMEM ? hcct_error_out_of_memory(error)
                            : hcct_error_set(error, HCCT_ERROR_MEMORY, HCCT_ERROR_NOWHERE,
                                             HCCT_TEMPORARY_FAILED, strerror(reason));
}

static void close_draft(struct draft *draft)
{
    hcct_profile_close(&draft->profile);
    hcct_large_close(&draft->large);
}

static bool open_draft(struct hcct_build_sum *sum, struct draft *draft, struct hcct_error *error)
{
    *draft = (struct draft){ .large.bytes = NULL };
    int file = hcct_temporary_open();
    if (file < 0)
        return fail(error, errno);
    bool done = hcct_external_write(&sum->external, file, error);
    if (done && !(draft->large.bytes = hcct_window_map(file, &draft->large.length)))
        done = fail(error, errno);
    else if (!done && errno)
        fail(error, errno);
    close(file);
    done = done && hcct_large_read(&draft->large, &draft->profile, error);
    if (!done)
        hcct_large_close(&draft->large);
    draft->profile.name = sum->first;
    return done;
}

bool hcct_build_sum_to_memory(struct hcct_build_sum *sum, struct hcct_error *error)
{
    struct draft draft;
    if (!sum->external.spill)
        return true;
    if (!sum->external.file_count) {
        empty(sum);
        return true;
    }
    if (!open_draft(sum, &draft, error))
        return false;
    empty(sum);
    bool done = hcct_combine_add(&sum->combine, &draft.profile, error);
    close_draft(&draft);
    return done;
}

static bool shrink(struct hcct_build_sum *sum, const struct hcct_merge_memory *memory,
                   struct hcct_error *error)
{
    struct draft draft;
    struct hcct_spill *spill = sum->external.spill;
    if (!open_draft(sum, &draft, error))
        return false;
    empty(sum);
    hcct_external_open(&sum->external, &sum->combine, spill);
    bool done = hcct_external_add(&sum->external, &draft.profile, memory->bytes / WINDOW_SHARE, error);
    uint64_t bytes = hcct_external_bytes(&sum->external);
    if (bytes * GROWS_BY > sum->shrinks_at)
        sum->shrinks_at = bytes * GROWS_BY;
    close_draft(&draft);
    return done;
}

bool hcct_build_sum_add(struct hcct_build_sum *sum, struct hcct_merge_memory *memory,
                        const struct hcct_profile *profile, struct hcct_error *error)
{
    if (sum->external.spill && !hcct_external_takes(profile) && !hcct_build_sum_to_memory(sum, error))
        return false;
    if (!sum->external.spill)
        return hcct_combine_add(&sum->combine, profile, error);
    return hcct_external_add(&sum->external, profile, memory->bytes / WINDOW_SHARE, error) &&
           (hcct_external_bytes(&sum->external) <= sum->shrinks_at || sum->external.file_count == 1 ||
            shrink(sum, memory, error));
}

bool hcct_build_sum_write(struct hcct_build_sum *sum, int file, struct hcct_error *error)
{
    return sum->external.spill ? hcct_external_write(&sum->external, file, error)
                               : hcct_combine_write_into(&sum->combine, file);
}

void hcct_build_sum_free(struct hcct_build_sum *sum)
{
    hcct_external_close(&sum->external);
    hcct_combine_free(&sum->combine);
    free(sum->first);
    free(sum);
}
