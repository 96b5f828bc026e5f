/* See phase_pages.h. A phase's report is made like any other, of profiles in which the phase is chosen. */
#include "decoder/commands/phase_pages.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/profile/phases.h"
#include "decoder/report/formats/viewer/html.h"

/* The profiles that have the phase, each a copy with the phase's counts. */
static bool choose(struct hcct_profile *chosen, uint32_t *chosen_count, const struct hcct_profile *profiles,
                   uint32_t count, const char *name, struct hcct_error *error)
{
    *chosen_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_profile *copy = &chosen[*chosen_count];
        *copy = profiles[i];
        if (!hcct_phases_have(copy, name))
            continue;
        if (copy->phase_count && !hcct_phases_choose(copy, name, error))
            return false;
        ++*chosen_count;
    }
    return true;
}

static bool print(struct hcct_report_part *page, struct hcct_merge *merge,
                  const struct hcct_report_options *options, struct hcct_error *error)
{
    struct hcct_report_options part = *options;
    part.format = &hcct_html_part;
    part.phases = NULL;
    FILE *out = open_memstream(&page->text, &page->length);
    bool done = out ? hcct_report_print(out, merge, &part, error) : hcct_error_out_of_memory(error);
    if (out && fclose(out))
        done = hcct_error_out_of_memory(error);
    return done;
}

static bool make(struct hcct_report_part *page, const struct hcct_profile *profiles, uint32_t count,
                 const char *name, bool force, const struct hcct_report_options *options,
                 struct hcct_error *error)
{
    struct hcct_profile *chosen = calloc((size_t)count + 1, sizeof *chosen);
    struct hcct_merge merge;
    uint32_t chosen_count = 0, which;
    if (!chosen)
        return hcct_error_out_of_memory(error);
    bool done = choose(chosen, &chosen_count, profiles, count, name, error) &&
                hcct_merge_build(&merge, chosen, chosen_count, force, 0, &which, error);
    if (done) {
        done = print(page, &merge, options, error);
        hcct_merge_free(&merge);
    }
    for (uint32_t i = 0; i < chosen_count; i++)
        if (chosen[i].phase)
            free(chosen[i].chosen);
    free(chosen);
    return done;
}

bool hcct_phase_pages_make(struct hcct_report_part **pages, const struct hcct_profile *profiles,
                           uint32_t count, const struct hcct_summary *summary, bool force,
                           const struct hcct_report_options *options, struct hcct_error *error)
{
    bool done = true;
    *pages = calloc((size_t)summary->phase_count + 1, sizeof **pages);
    if (!*pages)
        return hcct_error_out_of_memory(error);
    for (uint32_t i = 0; done && i < summary->phase_count; i++)
        done = make(&(*pages)[i], profiles, count, summary->phases[i].name, force, options, error);
    if (!done)
        hcct_phase_pages_free(*pages, summary->phase_count);
    return done;
}

void hcct_phase_pages_free(struct hcct_report_part *pages, uint32_t phase_count)
{
    for (uint32_t i = 0; pages && i < phase_count; i++)
        free(pages[i].text);
    free(pages);
}
