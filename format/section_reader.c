/* See section_reader.h. The order of the checks is the order of trust: the size, the header's checksum, the
 * section table, the sections' checksums. Nothing is read before the test that makes reading it safe. */
#include "format/section_reader.h"

#include <string.h>

#include "format/checksum.h"
#include "format/packed.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file's integers are read in place");

enum { SECTION_LIMIT = 256 };

enum how_many { MANY, ONE, ONE_OR_NO_SECTION, MANY_OR_NO_SECTION };

static const struct {
    const char *name;
    uint32_t element_bytes;
    enum how_many how_many;
} kinds[HCCT_FILE_KIND_COUNT] = {
    [HCCT_FILE_RUN] = { "run", sizeof(struct hcct_file_run), ONE },
    [HCCT_FILE_STRINGS] = { "strings", 1, MANY },
    [HCCT_FILE_FUNCTIONS] = { "functions", sizeof(struct hcct_file_function), MANY },
    [HCCT_FILE_SITES] = { "sites", sizeof(struct hcct_file_site), MANY },
    [HCCT_FILE_INLINED] = { "inlined frames", sizeof(struct hcct_file_inlined), MANY },
    [HCCT_FILE_PREFIXES] = { "prefixes", sizeof(struct hcct_file_prefix), MANY },
    [HCCT_FILE_CONTEXTS] = { "contexts", sizeof(struct hcct_file_context), MANY },
    [HCCT_FILE_OBJECTS] = { "objects", sizeof(struct hcct_file_object), MANY },
    [HCCT_FILE_COLUMNS] = { "columns", sizeof(struct hcct_file_column), MANY },
    [HCCT_FILE_CELLS] = { "cells", sizeof(struct hcct_file_cell), MANY },
    [HCCT_FILE_NOTES] = { "notes", sizeof(struct hcct_file_note), MANY_OR_NO_SECTION },
    [HCCT_FILE_ESTIMATE] = { "estimate", sizeof(struct hcct_file_estimate), ONE_OR_NO_SECTION },
    [HCCT_FILE_NAMES] = { "names", sizeof(uint64_t), MANY_OR_NO_SECTION },
    [HCCT_FILE_CURVE] = { "curve", sizeof(struct hcct_file_curve), MANY_OR_NO_SECTION },
    [HCCT_FILE_THREADS] = { "threads", sizeof(struct hcct_file_thread), MANY_OR_NO_SECTION },
};

static bool is_known(uint32_t kind)
{
    return kind < HCCT_FILE_KIND_COUNT && kinds[kind].name;
}

static bool corrupt(struct hcct_error *error, uint64_t offset, const char *what)
{
    return hcct_error_set(error, HCCT_ERROR_CORRUPT, offset, "%s", what);
}

/* The header, and that all of the section table is there. */
static bool check_header(const unsigned char *bytes, size_t length, struct hcct_file_header *header,
                         struct hcct_error *error)
{
    size_t magic_bytes = length < sizeof header->magic ? length : sizeof header->magic;
    if (length == 0)
        return hcct_error_set(error, HCCT_ERROR_TRUNCATED, 0, "the file is empty");
    bool is_program = length >= 4 && !memcmp(bytes, "\177ELF", 4);
    if (memcmp(bytes, HCCT_FILE_MAGIC, magic_bytes))
        return hcct_error_set(error, HCCT_ERROR_FOREIGN, HCCT_ERROR_NOWHERE, "%s",
                              is_program ? "a program, not a profile of one: run it first, it leaves ids.bin"
                                         : "not a profile of hcct");
    if (length < sizeof *header)
        return hcct_error_set(error, HCCT_ERROR_TRUNCATED, length, "truncated within the header");
    memcpy(header, bytes, sizeof *header);
    if (header->version != HCCT_FILE_VERSION)
        return hcct_error_set(error, HCCT_ERROR_VERSION, offsetof(struct hcct_file_header, version),
                              "format version %u, this program reads version %u", header->version,
                              HCCT_FILE_VERSION);
    if (header->header_bytes != sizeof *header)
        return corrupt(error, offsetof(struct hcct_file_header, header_bytes), "wrong size of the header");
    if (header->section_count > SECTION_LIMIT)
        return corrupt(error, offsetof(struct hcct_file_header, section_count), "too many sections");
    size_t table_bytes = header->section_count * sizeof(struct hcct_file_section);
    if (length - sizeof *header < table_bytes)
        return hcct_error_set(error, HCCT_ERROR_TRUNCATED, length, "truncated within the section table");
    struct hcct_file_header zeroed = *header;
    zeroed.checksum = 0;
    uint32_t checksum =
        hcct_checksum(hcct_checksum(0, &zeroed, sizeof zeroed), bytes + sizeof zeroed, table_bytes);
    return checksum == header->checksum || corrupt(error, offsetof(struct hcct_file_header, checksum),
                                                   "the header's checksum does not match");
}

static bool is_packed(const struct hcct_file_section *section)
{
    return section->flags == HCCT_SECTION_PACKED;
}

/* Whether the size of the elements, and of all of them, can be right. */
static bool is_well_formed(const struct hcct_file_section *section)
{
    uint32_t words = section->element_bytes / (uint32_t)sizeof(uint32_t);
    if (!is_packed(section))
        return !section->flags && section->element_bytes && section->bytes % section->element_bytes == 0;
    return section->element_bytes % sizeof(uint64_t) == 0 && words && words <= HCCT_PACKED_WORDS;
}

static struct hcct_file_section section_at(const unsigned char *bytes, uint32_t index)
{
    struct hcct_file_section section;
    memcpy(&section, bytes + sizeof(struct hcct_file_header) + index * sizeof section, sizeof section);
    return section;
}

static const char *name_of(const struct hcct_file_section *section)
{
    return is_known(section->kind) ? kinds[section->kind].name : "unknown";
}

/* Sections stand one behind the other, so they cannot overlap, and end where the file does. */
static bool check_places(const unsigned char *bytes, const struct hcct_file_header *header,
                         struct hcct_error *error)
{
    uint32_t seen[SECTION_LIMIT];
    uint64_t end = sizeof *header + header->section_count * sizeof(struct hcct_file_section);
    for (uint32_t i = 0; i < header->section_count; i++) {
        struct hcct_file_section section = section_at(bytes, i);
        uint64_t at = sizeof *header + i * sizeof section, start = (end + 7) / 8 * 8;
        for (uint32_t j = 0; j < i; j++)
            if (seen[j] == section.kind)
                return corrupt(error, at, "two sections of one kind");
        seen[i] = section.kind;
        if (!is_well_formed(&section))
            return hcct_error_set(error, HCCT_ERROR_CORRUPT, at, "malformed table entry of section %s",
                                  name_of(&section));
        if (section.offset != start || start > header->file_bytes ||
            section.bytes > header->file_bytes - start)
            return hcct_error_set(error, HCCT_ERROR_CORRUPT, at, "section %s is not where it belongs",
                                  name_of(&section));
        end = start + section.bytes;
    }
    return end == header->file_bytes || corrupt(error, end, "bytes after the last section");
}

/* All that the header and the section table say. */
static bool check_head(const unsigned char *bytes, size_t length, struct hcct_file_header *header,
                       struct hcct_error *error)
{
    return check_header(bytes, length, header, error) && check_places(bytes, header, error);
}

/* The length, which the header says. */
static bool check_length(const struct hcct_file_header *header, uint64_t length, struct hcct_error *error)
{
    if (length < header->file_bytes)
        return hcct_error_set(error, HCCT_ERROR_TRUNCATED, length, "truncated: %llu of %llu bytes",
                              (unsigned long long)length, (unsigned long long)header->file_bytes);
    return length == header->file_bytes || corrupt(error, header->file_bytes, "bytes after the end");
}

uint64_t hcct_section_wanted_bytes(const void *bytes, size_t length)
{
    struct hcct_file_header header = { .section_count = 0 };
    struct hcct_error error;
    if (check_head(bytes, length, &header, &error)) /* one more, as nothing may stand behind the end */
        return header.file_bytes < UINT64_MAX ? header.file_bytes + 1 : header.file_bytes;
    return error.code == HCCT_ERROR_TRUNCATED
               ? sizeof header + header.section_count * sizeof(struct hcct_file_section)
               : length;
}

bool hcct_section_head_check(const void *bytes, size_t length, uint64_t file_length, struct hcct_error *error)
{
    struct hcct_file_header header;
    return check_head(bytes, length, &header, error) && check_length(&header, file_length, error);
}

/* The content of a section, and the gap before it. */
static bool check_content(const unsigned char *bytes, const struct hcct_file_section *section, uint64_t gap,
                          struct hcct_error *error)
{
    const char *name = name_of(section);
    for (; gap < section->offset; gap++)
        if (bytes[gap])
            return hcct_error_set(error, HCCT_ERROR_CORRUPT, gap, "the gap before section %s is not zero",
                                  name);
    if (hcct_checksum(0, bytes + section->offset, section->bytes) != section->checksum)
        return hcct_error_set(error, HCCT_ERROR_CORRUPT, section->offset,
                              "the checksum of section %s does not match", name);
    return true;
}

static bool take_section(struct hcct_section_table *table, const struct hcct_file_section *section,
                         uint64_t at, struct hcct_error *error)
{
    if (!is_known(section->kind))
        return true;
    if (section->element_bytes != kinds[section->kind].element_bytes ||
        section->bytes / section->element_bytes >= HCCT_FILE_NONE)
        return corrupt(error, at, "wrong size of a section's elements");
    bool one = kinds[section->kind].how_many == ONE || kinds[section->kind].how_many == ONE_OR_NO_SECTION;
    if (one && section->bytes != section->element_bytes)
        return hcct_error_set(error, HCCT_ERROR_CORRUPT, section->offset,
                              "not exactly one element in section %s", kinds[section->kind].name);
    table->of_kind[section->kind] = *section;
    return true;
}

static bool check_all_there(const struct hcct_section_table *table, struct hcct_error *error)
{
    for (uint32_t kind = 0; kind < HCCT_FILE_KIND_COUNT; kind++) {
        bool needed = is_known(kind) && (kinds[kind].how_many == ONE || kinds[kind].how_many == MANY);
        if (needed && !table->of_kind[kind].element_bytes)
            return hcct_error_set(error, HCCT_ERROR_CORRUPT, sizeof(struct hcct_file_header),
                                  "the section %s is missing", kinds[kind].name);
    }
    return true;
}

/* Checks all that can be checked without a look at elements. */
static bool check_file(const unsigned char *bytes, size_t length, struct hcct_file_header *header,
                       struct hcct_error *error)
{
    if ((uintptr_t)bytes % 8)
        return corrupt(error, 0, "the buffer is not aligned");
    if (!check_head(bytes, length, header, error) || !check_length(header, length, error))
        return false;
    uint64_t end = sizeof *header + header->section_count * sizeof(struct hcct_file_section);
    for (uint32_t i = 0; i < header->section_count; i++) {
        struct hcct_file_section section = section_at(bytes, i);
        if (!check_content(bytes, &section, end, error))
            return false;
        end = section.offset + section.bytes;
    }
    return true;
}

bool hcct_section_table_read(struct hcct_section_table *table, const void *bytes, size_t length,
                             struct hcct_error *error)
{
    struct hcct_file_header header;
    *table = (struct hcct_section_table){ .bytes = bytes };
    if (!check_file(bytes, length, &header, error))
        return false;
    for (uint32_t i = 0; i < header.section_count; i++) {
        struct hcct_file_section section = section_at(bytes, i);
        uint64_t at = sizeof header + i * sizeof section;
        if (is_packed(&section))
            return corrupt(error, at, "a section is packed");
        if (!take_section(table, &section, at, error))
            return false;
    }
    return check_all_there(table, error);
}

/* --- packed files ------------------------------------------------------------------------------------ */

/* The section without packing. False if its last element is not whole. */
static bool measure_section(const unsigned char *bytes, struct hcct_file_section *section)
{
    const unsigned char *at = bytes + section->offset, *end = at + section->bytes;
    uint64_t unpacked = 0;
    if (!is_packed(section))
        return true;
    for (; at && at < end; unpacked += section->element_bytes)
        at = hcct_packed_skip(at, end, section->element_bytes / sizeof(uint32_t));
    section->bytes = unpacked;
    return at != NULL;
}

/* Up to `end` may be read. Returns the bytes of the section without packing. */
static uint64_t unpack_section(unsigned char *to, const struct hcct_file_section *section,
                               const unsigned char *from, const unsigned char *end)
{
    const unsigned char *packed_end = from + section->bytes;
    uint32_t *element = (uint32_t *)(void *)to;
    const uint32_t *before = NULL;
    size_t words = section->element_bytes / sizeof *element;
    while (from < packed_end) {
        if (before)
            memcpy(element, before, section->element_bytes);
        else
            memset(element, 0, section->element_bytes);
        from = hcct_packed_get(element, words, from, end);
        before = element;
        element += words;
    }
    return (uint64_t)((unsigned char *)element - to);
}

/* False, too, if the header or the table is not sound: hcct_section_table_read says so. */
static bool has_packed(const unsigned char *bytes, size_t length)
{
    struct hcct_file_header header;
    struct hcct_error ignored;
    bool any = false;
    if (!check_head(bytes, length, &header, &ignored))
        return false;
    for (uint32_t i = 0; i < header.section_count; i++) {
        struct hcct_file_section section = section_at(bytes, i);
        any |= is_packed(&section);
    }
    return any;
}

bool hcct_section_unpacked_bytes(const void *bytes, size_t length, size_t *unpacked, struct hcct_error *error)
{
    struct hcct_file_header header;
    *unpacked = 0;
    if (!has_packed(bytes, length))
        return true;
    if (!check_file(bytes, length, &header, error))
        return false;
    uint64_t end = sizeof header + header.section_count * sizeof(struct hcct_file_section);
    for (uint32_t i = 0; i < header.section_count; i++) {
        struct hcct_file_section section = section_at(bytes, i);
        if (!measure_section(bytes, &section))
            return corrupt(error, section.offset, "an element of a packed section is not whole");
        end = (end + 7) / 8 * 8 + section.bytes;
    }
    *unpacked = end;
    return true;
}

/* The section table is there: writes the header. */
static void seal(unsigned char *bytes, struct hcct_file_header *header)
{
    header->checksum = 0;
    header->checksum = hcct_checksum(hcct_checksum(0, header, sizeof *header), bytes + sizeof *header,
                                     header->section_count * sizeof(struct hcct_file_section));
    memcpy(bytes, header, sizeof *header);
}

void hcct_section_unpack(void *to, size_t unpacked, const void *bytes)
{
    unsigned char *out = to;
    const unsigned char *from = bytes;
    struct hcct_file_header header;
    memcpy(&header, bytes, sizeof header);
    uint64_t end = sizeof header + header.section_count * sizeof(struct hcct_file_section);
    for (uint32_t i = 0; i < header.section_count; i++) {
        struct hcct_file_section section = section_at(bytes, i);
        const unsigned char *content = from + section.offset;
        bool packed = is_packed(&section);
        uint64_t start = (end + 7) / 8 * 8;
        memset(out + end, 0, start - end);
        if (packed)
            section.bytes = unpack_section(out + start, &section, content, from + header.file_bytes);
        else
            memcpy(out + start, content, section.bytes);
        section.offset = start;
        section.flags = 0;
        section.checksum = hcct_checksum(0, out + start, section.bytes);
        memcpy(out + sizeof header + i * sizeof section, &section, sizeof section);
        end = start + section.bytes;
    }
    header.file_bytes = unpacked;
    seal(out, &header);
}

void hcct_section_seal(void *bytes, struct hcct_file_header *header, const struct hcct_file_section *sections)
{
    memcpy((char *)bytes + sizeof *header, sections, header->section_count * sizeof *sections);
    seal(bytes, header);
}

const void *hcct_section_elements(const struct hcct_section_table *table, enum hcct_file_kind kind,
                                  uint32_t *count)
{
    const struct hcct_file_section *section = &table->of_kind[kind];
    *count = section->element_bytes ? (uint32_t)(section->bytes / section->element_bytes) : 0;
    return section->element_bytes ? table->bytes + section->offset : NULL;
}
