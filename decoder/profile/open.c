#include "decoder/profile/open.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/profile/reader.h"
#include "decoder/profile/recover.h"
#include "format/error.h"

bool hcct_profile_open(struct hcct_profile *profile, const void *bytes, size_t length,
                       struct hcct_error *error)
{
    void *recovered;
    size_t recovered_length;
    if (!hcct_recover_is_live(bytes, length))
        return hcct_reader_read(profile, bytes, length, error);
    *profile = (struct hcct_profile){ 0 };
    if (!hcct_recover(bytes, length, &recovered, &recovered_length, error))
        return false;
    if (!hcct_reader_read(profile, recovered, recovered_length, error)) {
        free(recovered);
        return false;
    }
    profile->is_live = true;
    profile->recovered = recovered;
    return true;
}
