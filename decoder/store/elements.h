/* The checks of a profile's elements, section by section (format/layout.h, invariants 4 and 5). */
#ifndef HCCT_DECODER_STORE_ELEMENTS_H
#define HCCT_DECODER_STORE_ELEMENTS_H

#include "decoder/store/profile.h"
#include "format/error.h"

bool hcct_elements_check(const struct hcct_profile *profile, struct hcct_error *error);

static inline uint64_t hcct_elements_offset(const struct hcct_profile *profile, const void *element)
{
    return (uint64_t)((const unsigned char *)element - profile->bytes);
}

#endif
