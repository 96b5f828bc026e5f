/* See phase_pages.h. A phase's report is made like any other. */
#include "decoder/commands/phase_pages.h"

#include <stdlib.h>

#include "decoder/report/formats/viewer/html.h"
#include "decoder/text/memory.h"

static bool print(struct hcct_report_part *page, struct hcct_decoded *decoded,
                  const struct hcct_report_options *options, struct hcct_error *error)
{
    struct hcct_report_options part = *options;
    part.format = &hcct_html_part;
    part.phases = NULL;
    FILE *out = hcct_memory_got(open_memstream(&page->text, &page->length));
    bool done = hcct_report_print(out, decoded, &part, error);
    if (fclose(out))
        hcct_memory_end();
    return done;
}

static bool make(struct hcct_report_part *page, const struct hcct_profile *profile, const char *phase,
                 const struct hcct_report_options *options, struct hcct_error *error)
{
    const struct hcct_choice choice = { .phase = phase };
    struct hcct_decoded decoded;
    if (!hcct_decoded_open(&decoded, profile, &choice, 0, error))
        return false;
    bool done = print(page, &decoded, options, error);
    hcct_decoded_close(&decoded);
    return done;
}

bool hcct_phase_pages_make(struct hcct_report_part **pages, const struct hcct_profile *profile,
                           const struct hcct_summary *summary, const struct hcct_report_options *options,
                           struct hcct_error *error)
{
    bool done = true;
    *pages = hcct_memory_zeros(summary->phase_count, sizeof **pages);
    for (uint32_t i = 0; done && i < summary->phase_count; i++)
        done = make(&(*pages)[i], profile, summary->phases[i].name, options, error);
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
