#include "decoder/store/open.h"

#include <errno.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "decoder/store/reader.h"
#include "format/checksum.h"
#include "format/error.h"
#include "format/section_reader.h"

enum { LARGE_BYTES = 1 << 27, PIECE_BYTES = 1 << 16 };

/* A file of `unpacked` bytes, when it is unpacked. */
static bool open_packed(struct hcct_profile *profile, const void *bytes, size_t length, size_t unpacked,
                        struct hcct_error *error)
{
    void *plain = malloc(unpacked);
    if (!plain)
        return hcct_error_out_of_memory(error);
    hcct_section_unpack(plain, unpacked, bytes);
    if (!hcct_reader_read_unpacked(profile, plain, unpacked, bytes, length, error)) {
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

/* The piece holds the start of the file. Leaves the file anywhere. */
static bool check_sections(FILE *in, unsigned char *piece, size_t got, uint64_t length,
                           struct hcct_error *error)
{
    struct hcct_file_header header;
    struct hcct_file_section sections[(PIECE_BYTES - sizeof header) / sizeof(struct hcct_file_section)];
    if (!hcct_section_head_check(piece, got, length, error))
        return false;
    memcpy(&header, piece, sizeof header);
    memcpy(sections, piece + sizeof header, header.section_count * sizeof *sections);
    for (uint32_t i = 0; i < header.section_count; i++) {
        uint32_t checksum = 0;
        uint64_t left = fseeko(in, (off_t)sections[i].offset, SEEK_SET) ? 0 : sections[i].bytes;
        for (; left; left -= got) {
            got = fread(piece, 1, left < PIECE_BYTES ? (size_t)left : PIECE_BYTES, in);
            if (!got) /* it has become shorter */
                break;
            checksum = hcct_checksum(checksum, piece, got);
        }
        if (left || checksum != sections[i].checksum)
            return hcct_error_set(error, HCCT_ERROR_CORRUPT, sections[i].offset,
                                  "the checksum of a section does not match");
    }
    return true;
}

bool hcct_profile_check_large(FILE *in, struct hcct_error *error)
{
    struct stat info;
    alignas(8) unsigned char piece[PIECE_BYTES];
    if (fstat(fileno(in), &info) || !S_ISREG(info.st_mode) || info.st_size < LARGE_BYTES || ftello(in))
        return true;
    size_t got = fread(piece, 1, sizeof piece, in);
    bool is_profile =
        got >= strlen(HCCT_FILE_MAGIC) && !memcmp(piece, HCCT_FILE_MAGIC, strlen(HCCT_FILE_MAGIC));
    bool done = !is_profile || check_sections(in, piece, got, (uint64_t)info.st_size, error);
    rewind(in);
    return done;
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
