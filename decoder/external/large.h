/* A profile whose file stands in a temporary file, mapped, and of which only a part is resident: the bytes of
 * the large sections go back as they are read. A packed one is unpacked into another temporary file. */
#ifndef HCCT_DECODER_EXTERNAL_LARGE_H
#define HCCT_DECODER_EXTERNAL_LARGE_H

#include "decoder/profile/profile.h"
#include "format/error.h"

struct hcct_large {
    void *bytes, *plain; /* mappings; `plain` is NULL if it is not packed */
    size_t length, plain_length;
};

/* Reads the profile whose bytes are mapped in large->bytes (external/window.h). What a killed program left is
 * recovered in memory. In any case hcct_large_close comes after hcct_profile_close. */
bool hcct_large_read(struct hcct_large *large, struct hcct_profile *profile, struct hcct_error *error);
void hcct_large_close(struct hcct_large *large);

#endif
