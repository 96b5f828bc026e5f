/* The page's reports of single phases (struct hcct_report_part). */
#ifndef HCCT_DECODER_COMMANDS_PHASE_PAGES_H
#define HCCT_DECODER_COMMANDS_PHASE_PAGES_H

#include "decoder/report/report.h"
#include "decoder/store/profile.h"

/* One for each phase of the summary, from malloc. `options` are those of the page. On false *error tells why,
 * and there is nothing to free. */
bool hcct_phase_pages_make(struct hcct_report_part **pages, const struct hcct_profile *profile,
                           const struct hcct_summary *summary, const struct hcct_report_options *options,
                           struct hcct_error *error);
void hcct_phase_pages_free(struct hcct_report_part *pages, uint32_t phase_count);

#endif
