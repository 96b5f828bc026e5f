/* See large.h. */
#include "decoder/external/large.h"

#include <errno.h>
#include <string.h>

#include "decoder/external/temporary.h"
#include "decoder/external/window.h"
#include "decoder/profile/open.h"
#include "decoder/profile/reader.h"

static bool unpack(struct hcct_large *large, size_t length, struct hcct_error *error)
{
    large->plain = hcct_window_zeros(length);
    if (!large->plain)
        return hcct_error_set(error, HCCT_ERROR_MEMORY, HCCT_ERROR_NOWHERE, HCCT_TEMPORARY_FAILED,
                              strerror(errno));
    large->plain_length = length;
    hcct_section_unpack_passing(large->plain, length, large->bytes, hcct_window_pass);
    return true;
}

bool hcct_large_read(struct hcct_large *large, struct hcct_profile *profile, struct hcct_error *error)
{
    size_t unpacked;
    *profile = (struct hcct_profile){ 0 };
    if (!hcct_section_unpacked_bytes_passing(large->bytes, large->length, hcct_window_pass, &unpacked,
                                             error) ||
        (unpacked && !unpack(large, unpacked, error)))
        return false;
    return hcct_reader_read_unpacked(profile, unpacked ? large->plain : large->bytes,
                                     unpacked ? unpacked : large->length, large->bytes, large->length,
                                     hcct_window_pass, error);
}

void hcct_large_close(struct hcct_large *large)
{
    if (large->plain)
        hcct_window_unmap(large->plain, large->plain_length);
    if (large->bytes)
        hcct_window_unmap(large->bytes, large->length);
    *large = (struct hcct_large){ 0 };
}
