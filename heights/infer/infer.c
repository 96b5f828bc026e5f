#include "heights/infer/infer.h"

#include <stdlib.h>

#include "heights/infer/wrappers.h"

static void find(struct hcct_inferred *inferred, const struct hcct_stack_paths *paths,
                 const struct hcct_stack_sample *sample)
{
    int64_t frame;
    uint32_t from = 0, to = 0, function = hcct_wrappers_sampled(paths->binary, sample->pc, &frame);
    if (function == HCCT_STACK_NONE) { /* start-up code, the linkage table */
        inferred->elsewhere += sample->count;
        return;
    }
    if (frame != HCCT_HEIGHT_UNKNOWN)
        hcct_paths_find(paths, function, sample->height - frame, &from, &to);
    if (from == to) {
        inferred->alone[function] += sample->count;
        *(frame == HCCT_HEIGHT_UNKNOWN ? &inferred->no_frame : &inferred->missing) += sample->count;
        return;
    }
    bool is_sure = to - from == 1 && !sample->outside;
    *(sample->outside ? &inferred->unsure
      : is_sure       ? &inferred->precise
                      : &inferred->ambiguous) += sample->count;
    for (; from < to; from++) {
        uint32_t path = paths->cids[from].path;
        inferred->high[path] += sample->count;
        inferred->sure[path] += is_sure ? sample->count : 0;
    }
}

bool hcct_infer(struct hcct_inferred *inferred, const struct hcct_stack_paths *paths,
                const struct hcct_stack_samples *samples)
{
    *inferred = (struct hcct_inferred){ .taken = samples->taken, .elsewhere = samples->lost };
    inferred->high = calloc(paths->count, sizeof *inferred->high);
    inferred->sure = calloc(paths->count, sizeof *inferred->sure);
    inferred->alone = calloc((size_t)paths->binary->function_count + 1, sizeof *inferred->alone);
    if (!inferred->high || !inferred->sure || !inferred->alone)
        return false;
    for (uint32_t i = 0; i < samples->count; i++)
        find(inferred, paths, &samples->samples[i]);
    return true;
}

void hcct_infer_free(struct hcct_inferred *inferred)
{
    free(inferred->high);
    free(inferred->sure);
    free(inferred->alone);
}
