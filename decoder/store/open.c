#include "decoder/store/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "decoder/store/reader.h"
#include "decoder/store/rows_file.h"
#include "format/checksum.h"
#include "format/error.h"
#include "format/section_reader.h"

enum { LARGE_BYTES = 1 << 22, PIECE_BYTES = 1 << 16 };

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

/* --- large files ------------------------------------------------------------------------------------ */

/* The header and the section table of a profile in a large file. */
struct head {
    struct hcct_file_header header;
    struct hcct_file_section
        sections[(PIECE_BYTES - sizeof(struct hcct_file_header)) / sizeof(struct hcct_file_section)];
};

static bool read_head(FILE *in, uint64_t length, struct head *head, struct hcct_error *error)
{
    alignas(8) unsigned char piece[PIECE_BYTES];
    size_t got = fread(piece, 1, sizeof piece, in);
    if (!hcct_section_head_check(piece, got, length, error))
        return false;
    memcpy(&head->header, piece, sizeof head->header);
    memcpy(head->sections, piece + sizeof head->header, head->header.section_count * sizeof *head->sections);
    return true;
}

static bool check_section(FILE *in, const struct hcct_file_section *section, struct hcct_error *error)
{
    unsigned char piece[PIECE_BYTES];
    uint32_t checksum = 0;
    uint64_t left = fseeko(in, (off_t)section->offset, SEEK_SET) ? 0 : section->bytes;
    for (size_t got; left; left -= got) {
        got = fread(piece, 1, left < PIECE_BYTES ? (size_t)left : PIECE_BYTES, in);
        if (!got) /* it has become shorter */
            break;
        checksum = hcct_checksum(checksum, piece, got);
    }
    return (!left && checksum == section->checksum) ||
           hcct_error_set(error, HCCT_ERROR_CORRUPT, section->offset,
                          "the checksum of a section does not match");
}

/* A large file that is one, at its start. */
static bool is_large(FILE *in, uint64_t *length)
{
    struct stat info;
    bool is_one =
        !fstat(fileno(in), &info) && S_ISREG(info.st_mode) && info.st_size >= LARGE_BYTES && !ftello(in);
    *length = is_one ? (uint64_t)info.st_size : 0;
    return is_one;
}

static bool has_magic(FILE *in)
{
    char magic[sizeof HCCT_FILE_MAGIC - 1];
    bool has = fread(magic, sizeof magic, 1, in) == 1 && !memcmp(magic, HCCT_FILE_MAGIC, sizeof magic);
    rewind(in);
    return has;
}

bool hcct_profile_check_large(FILE *in, struct hcct_error *error)
{
    struct head head;
    uint64_t length;
    if (!is_large(in, &length) || !has_magic(in))
        return true;
    bool done = read_head(in, length, &head, error);
    for (uint32_t i = 0; done && i < head.header.section_count; i++)
        done = check_section(in, &head.sections[i], error);
    rewind(in);
    return done;
}

/* Where the section of rows of that kind belongs; NULL: it holds no rows. */
static struct hcct_file_section *section_of(struct hcct_rows_file *rows, uint32_t kind)
{
    return kind == HCCT_FILE_PREFIXES   ? &rows->prefixes
           : kind == HCCT_FILE_CONTEXTS ? &rows->contexts
           : kind == HCCT_FILE_CELLS    ? &rows->cells
                                        : NULL;
}

/* The file with empty sections of rows, as a file; from malloc. Where the rows are goes into `rows`. NULL: it
 * has become shorter, or memory is out. */
static unsigned char *read_without_rows(FILE *in, struct head *head, struct hcct_rows_file *rows,
                                        size_t *length)
{
    uint64_t end = sizeof head->header + head->header.section_count * sizeof *head->sections;
    unsigned char *bytes = NULL, *moved;
    bool done = true;
    for (uint32_t i = 0; done && i < head->header.section_count; i++) {
        struct hcct_file_section *section = &head->sections[i], from = *section;
        struct hcct_file_section *of_rows = section_of(rows, section->kind);
        if (of_rows) {
            *of_rows = from;
            section->bytes = section->checksum = section->flags = 0;
        }
        section->offset = (end + 7) / 8 * 8;
        moved = realloc(bytes, section->offset + section->bytes);
        if (!moved) {
            done = false;
            break;
        }
        bytes = moved;
        memset(bytes + end, 0, section->offset - end);
        end = section->offset + section->bytes;
        done = !section->bytes || (!fseeko(in, (off_t)from.offset, SEEK_SET) &&
                                   fread(bytes + section->offset, section->bytes, 1, in) == 1);
    }
    if (!done) {
        free(bytes);
        return NULL;
    }
    head->header.file_bytes = *length = end;
    hcct_section_seal(bytes, &head->header, head->sections);
    return bytes;
}

static bool open_without_rows(struct hcct_profile *profile, FILE *in, uint64_t length,
                              struct hcct_rows_file *rows)
{
    struct hcct_error ignored;
    struct head head;
    size_t bytes, unpacked;
    if (!read_head(in, length, &head, &ignored))
        return false;
    unsigned char *rest = read_without_rows(in, &head, rows, &bytes), *plain = NULL;
    bool done = rest && hcct_section_unpacked_bytes(rest, bytes, &unpacked, &ignored);
    if (done && unpacked) {
        done = plain = malloc(unpacked);
        if (done)
            hcct_section_unpack(plain, unpacked, rest);
        free(rest);
    } else {
        plain = rest;
        unpacked = bytes;
    }
    rows->file = fcntl(fileno(in), F_DUPFD_CLOEXEC, 0);
    done =
        done && rows->file >= 0 && hcct_reader_read(profile, plain, unpacked, (size_t)length, rows, &ignored);
    if (done)
        profile->unpacked = plain;
    else
        free(plain);
    return done;
}

bool hcct_profile_open_large(struct hcct_profile *profile, FILE *in)
{
    struct hcct_rows_file *rows = calloc(1, sizeof *rows);
    uint64_t length;
    bool done = rows && is_large(in, &length);
    if (rows)
        rows->file = -1;
    done = done && open_without_rows(profile, in, length, rows);
    if (!done)
        hcct_rows_file_free(rows);
    rewind(in);
    return done;
}

/* --- all of a file -------------------------------------------------------------------------------- */

/* A file of `unpacked` bytes, when it is unpacked. */
static bool open_packed(struct hcct_profile *profile, const void *bytes, size_t length, size_t unpacked,
                        struct hcct_error *error)
{
    void *plain = malloc(unpacked);
    if (!plain)
        return hcct_error_out_of_memory(error);
    hcct_section_unpack(plain, unpacked, bytes);
    if (!hcct_reader_read(profile, plain, unpacked, length, NULL, error)) {
        free(plain);
        return false;
    }
    profile->unpacked = plain;
    return true;
}

bool hcct_profile_open(struct hcct_profile *profile, const void *bytes, size_t length,
                       struct hcct_error *error)
{
    size_t unpacked;
    *profile = (struct hcct_profile){ 0 };
    return hcct_section_unpacked_bytes(bytes, length, &unpacked, error) &&
           (unpacked ? open_packed(profile, bytes, length, unpacked, error)
                     : hcct_reader_read(profile, bytes, length, length, NULL, error));
}
