/* The checks of a profile's elements, section by section (format/layout.h, invariants 4 and 5). */
#ifndef HCCT_DECODER_STORE_ELEMENTS_H
#define HCCT_DECODER_STORE_ELEMENTS_H

#include "decoder/store/profile.h"
#include "format/error.h"

/* Checks all sections but the rows: prefixes, contexts and cells. *text_left is set to how many bytes of text
 * the marks of the cells may still refer to, for hcct_elements_check_rows. */
bool hcct_elements_check(const struct hcct_profile *profile, uint64_t *text_left, struct hcct_error *error);
bool hcct_elements_check_rows(const struct hcct_profile *profile, uint64_t *text_left,
                              struct hcct_error *error);

/* The parts of it, for rows that are not in memory: what is wrong with an element, or NULL. The cells of a
 * column are at contexts from `least_context` on. */
bool hcct_elements_check_places(const struct hcct_profile *profile, struct hcct_error *error);
const char *hcct_elements_prefix_fault(const struct hcct_file_prefix *prefix, uint32_t index);
const char *hcct_elements_context_fault(const struct hcct_profile *profile,
                                        const struct hcct_file_context *context);
const char *hcct_elements_cell_fault(const struct hcct_profile *profile,
                                     const struct hcct_file_column *column, const struct hcct_file_cell *cell,
                                     uint32_t least_context);
/* Takes a text from what is left. False: it is too long for that. */
bool hcct_elements_take_text(const struct hcct_profile *profile, uint64_t *text_left, uint32_t offset);

static inline uint64_t hcct_elements_offset(const struct hcct_profile *profile, const void *element)
{
    return (uint64_t)((const unsigned char *)element - profile->bytes);
}

#endif
