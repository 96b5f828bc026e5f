#include "decoder/profile/open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/profile/reader.h"
#include "format/error.h"
#include "format/section_reader.h"

/* A file of `unpacked` bytes, when it is unpacked. */
static bool open_packed(struct hcct_profile *profile, const void *bytes, size_t length, size_t unpacked,
                        struct hcct_error *error)
{
    void *plain = malloc(unpacked);
    if (!plain)
        return hcct_error_out_of_memory(error);
    hcct_section_unpack(plain, unpacked, bytes);
    if (!hcct_reader_read_unpacked(profile, plain, unpacked, bytes, length, NULL, error)) {
        free(plain);
        return false;
    }
    profile->unpacked = plain;
    return true;
}

bool hcct_profile_read(FILE *in, hcct_wanted_bytes *wanted, void **bytes, size_t *length)
{
    size_t capacity = 0, got = 1;
    *bytes = NULL;
    *length = 0;
    for (uint64_t most; got && (most = wanted(*bytes, *length)) > *length; *length += got) {
        size_t twice = capacity ? capacity * 2 : 1 << 16, larger = most < twice ? (size_t)most : twice;
        if (*length == capacity) {
            void *moved = larger > capacity ? realloc(*bytes, larger) : NULL;
            if (!moved) {
                errno = ENOMEM;
                return false;
            }
            *bytes = moved;
            capacity = larger;
        }
        got = fread((char *)*bytes + *length, 1, capacity - *length, in);
    }
    return !ferror(in);
}

bool hcct_profile_open(struct hcct_profile *profile, const void *bytes, size_t length,
                       struct hcct_error *error)
{
    size_t unpacked;
    *profile = (struct hcct_profile){ 0 };
    return hcct_section_unpacked_bytes(bytes, length, &unpacked, error) &&
           (unpacked ? open_packed(profile, bytes, length, unpacked, error)
                     : hcct_reader_read(profile, bytes, length, error));
}
