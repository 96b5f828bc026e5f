/* Reads and checks a profile. The order of the checks is the order of trust: the size, the header's
 * checksum, the section table, the sections' checksums, then every element; nothing is read before the
 * test that makes reading it safe. */
#include "decoder/profile/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/profile/elements.h"
#include "decoder/profile/recover.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file's integers are read in place");

#define SECTION_LIMIT 256

static const struct {
    const char *name;
    uint32_t element_bytes;
} section_of_kind[] = {
    [HCCT_FILE_RUN] = { "run", sizeof(struct hcct_file_run) },
    [HCCT_FILE_STRINGS] = { "strings", 1 },
    [HCCT_FILE_FUNCTIONS] = { "functions", sizeof(struct hcct_file_function) },
    [HCCT_FILE_SITES] = { "sites", sizeof(struct hcct_file_site) },
    [HCCT_FILE_INLINED] = { "inlined frames", sizeof(struct hcct_file_inlined) },
    [HCCT_FILE_PREFIXES] = { "prefixes", sizeof(struct hcct_file_prefix) },
    [HCCT_FILE_ENTRIES] = { "entries", sizeof(struct hcct_file_entry) },
    [HCCT_FILE_OBJECTS] = { "objects", sizeof(struct hcct_file_object) },
    [HCCT_FILE_PINS] = { "pins", sizeof(struct hcct_file_pin) },
    [HCCT_FILE_BURSTS] = { "bursts", sizeof(struct hcct_file_bursts) },
};
#define KIND_COUNT (sizeof section_of_kind / sizeof section_of_kind[0])

bool hcct_decode_fail(struct hcct_decode_error *error, enum hcct_decode_code code, uint64_t offset,
                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->code = code;
    error->offset = offset;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

static bool corrupt(struct hcct_decode_error *error, uint64_t offset, const char *what)
{
    return hcct_decode_fail(error, HCCT_DECODE_CORRUPT, offset, "%s", what);
}

static bool check_header(const unsigned char *bytes, size_t length, struct hcct_file_header *header,
                         struct hcct_decode_error *error)
{
    size_t magic_bytes = length < sizeof header->magic ? length : sizeof header->magic;
    if (length == 0)
        return hcct_decode_fail(error, HCCT_DECODE_TRUNCATED, 0, "the file is empty");
    if (memcmp(bytes, HCCT_FILE_MAGIC, magic_bytes))
        return hcct_decode_fail(error, HCCT_DECODE_FOREIGN, 0, "not a profile of hcct");
    if (length < sizeof *header)
        return hcct_decode_fail(error, HCCT_DECODE_TRUNCATED, length, "truncated within the header");
    memcpy(header, bytes, sizeof *header);
    if (header->version != HCCT_FILE_VERSION)
        return hcct_decode_fail(error, HCCT_DECODE_VERSION, offsetof(struct hcct_file_header, version),
                                "format version %u, this program reads version %u", header->version,
                                HCCT_FILE_VERSION);
    if (header->header_bytes != sizeof *header)
        return corrupt(error, offsetof(struct hcct_file_header, header_bytes), "wrong size of the header");
    if (header->section_count > SECTION_LIMIT)
        return corrupt(error, offsetof(struct hcct_file_header, section_count), "too many sections");
    size_t table_bytes = header->section_count * sizeof(struct hcct_file_section);
    if (length - sizeof *header < table_bytes)
        return hcct_decode_fail(error, HCCT_DECODE_TRUNCATED, length, "truncated within the section table");
    struct hcct_file_header zeroed = *header;
    zeroed.checksum = 0;
    uint32_t checksum =
        hcct_checksum(hcct_checksum(0, &zeroed, sizeof zeroed), bytes + sizeof zeroed, table_bytes);
    if (checksum != header->checksum)
        return corrupt(error, offsetof(struct hcct_file_header, checksum),
                       "the header's checksum does not match");
    if (length < header->file_bytes)
        return hcct_decode_fail(error, HCCT_DECODE_TRUNCATED, length, "truncated: %zu of %llu bytes", length,
                                (unsigned long long)header->file_bytes);
    if (length > header->file_bytes)
        return corrupt(error, header->file_bytes, "bytes after the end");
    return true;
}

/* Takes one section in: its place is given by what stands before it, so sections cannot overlap. */
static bool check_section(const unsigned char *bytes, size_t length, const struct hcct_file_section *section,
                          uint64_t *end, uint64_t at, struct hcct_decode_error *error)
{
    const char *name = section->kind < KIND_COUNT ? section_of_kind[section->kind].name : NULL;
    name = name ? name : "unknown";
    uint64_t start = (*end + 7) / 8 * 8;
    if (section->flags || section->element_bytes == 0 || section->bytes % section->element_bytes)
        return hcct_decode_fail(error, HCCT_DECODE_CORRUPT, at, "malformed table entry of section %s", name);
    if (section->offset != start || start > length || section->bytes > length - start)
        return hcct_decode_fail(error, HCCT_DECODE_CORRUPT, at, "section %s is not where it belongs", name);
    for (uint64_t gap = *end; gap < start; gap++)
        if (bytes[gap])
            return hcct_decode_fail(error, HCCT_DECODE_CORRUPT, gap, "the gap before section %s is not zero",
                                    name);
    if (hcct_checksum(0, bytes + start, section->bytes) != section->checksum)
        return hcct_decode_fail(error, HCCT_DECODE_CORRUPT, start,
                                "the checksum of section %s does not match", name);
    *end = start + section->bytes;
    return true;
}

/* Points *table at the section of each known kind. */
static bool check_sections(const unsigned char *bytes, size_t length, uint32_t section_count,
                           struct hcct_file_section table[KIND_COUNT], struct hcct_decode_error *error)
{
    uint32_t kinds[SECTION_LIMIT];
    uint64_t end = sizeof(struct hcct_file_header) + section_count * sizeof(struct hcct_file_section);
    for (uint32_t i = 0; i < section_count; i++) {
        struct hcct_file_section section;
        uint64_t at = sizeof(struct hcct_file_header) + i * sizeof section;
        memcpy(&section, bytes + at, sizeof section);
        for (uint32_t j = 0; j < i; j++)
            if (kinds[j] == section.kind)
                return corrupt(error, at, "two sections of one kind");
        kinds[i] = section.kind;
        if (!check_section(bytes, length, &section, &end, at, error))
            return false;
        if (section.kind < KIND_COUNT && section_of_kind[section.kind].name) {
            if (section.element_bytes != section_of_kind[section.kind].element_bytes ||
                section.bytes / section.element_bytes >= HCCT_FILE_NONE)
                return corrupt(error, at, "wrong size of a section's elements");
            table[section.kind] = section;
        }
    }
    if (end != length)
        return corrupt(error, end, "bytes after the last section");
    for (uint32_t kind = HCCT_FILE_RUN; kind < KIND_COUNT; kind++)
        if (!table[kind].element_bytes && kind != HCCT_FILE_PINS && kind != HCCT_FILE_BURSTS)
            return hcct_decode_fail(error, HCCT_DECODE_CORRUPT, sizeof(struct hcct_file_header),
                                    "the section %s is missing", section_of_kind[kind].name);
    return true;
}

static void point_at_sections(struct hcct_profile *profile, const struct hcct_file_section *table)
{
#define SECTION(field, count, kind)                                                                          \
    (profile->field = (const void *)(profile->bytes + table[kind].offset),                                   \
     profile->count = (uint32_t)(table[kind].bytes / table[kind].element_bytes))
    SECTION(strings, string_bytes, HCCT_FILE_STRINGS);
    SECTION(functions, function_count, HCCT_FILE_FUNCTIONS);
    SECTION(sites, site_count, HCCT_FILE_SITES);
    SECTION(inlined, inlined_count, HCCT_FILE_INLINED);
    SECTION(prefixes, prefix_count, HCCT_FILE_PREFIXES);
    SECTION(entries, entry_count, HCCT_FILE_ENTRIES);
    SECTION(objects, object_count, HCCT_FILE_OBJECTS);
    if (table[HCCT_FILE_PINS].element_bytes)
        SECTION(pins, pin_count, HCCT_FILE_PINS);
    if (table[HCCT_FILE_BURSTS].element_bytes)
        profile->bursts = (const void *)(profile->bytes + table[HCCT_FILE_BURSTS].offset);
#undef SECTION
    profile->run = (const void *)(profile->bytes + table[HCCT_FILE_RUN].offset);
}

static int compare_site_ids(const void *left, const void *right, void *context)
{
    const struct hcct_file_site *sites = context;
    const struct hcct_file_site *a = &sites[*(const uint32_t *)left], *b = &sites[*(const uint32_t *)right];
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a < b ? -1 : a > b;
}

static bool build_site_order(struct hcct_profile *profile, struct hcct_decode_error *error)
{
    const struct hcct_file_site *sites = profile->sites;
    uint32_t *order = profile->site_order;
    for (uint32_t i = 0; i < profile->site_count; i++)
        order[i] = i;
    if (profile->site_count)
        qsort_r(order, profile->site_count, sizeof *order, compare_site_ids, (void *)sites);
    for (uint32_t i = 1; i < profile->site_count; i++) /* guesses come before the push of their site */
        if (sites[order[i]].caller == sites[order[i - 1]].caller &&
            sites[order[i]].id == sites[order[i - 1]].id && sites[order[i - 1]].delta <= 0)
            return corrupt(error, hcct_elements_offset(profile, &sites[order[i]]),
                           "two sites of a function with one id");
    uint32_t site = 0;
    for (uint32_t function = 0; function < profile->function_count; function++) {
        while (site < profile->site_count && sites[order[site]].caller < function)
            site++;
        profile->first_site[function] = site;
    }
    profile->first_site[profile->function_count] = profile->site_count;
    return true;
}

/* One block for the index, the arrays that it points into, and the order of the sites. */
static bool build_index(struct hcct_profile *profile, struct hcct_decode_error *error)
{
    size_t functions = profile->function_count, sites = profile->site_count;
    size_t index_bytes = (hcct_index_bytes(profile->function_count, profile->site_count) + 7) / 8 * 8;
    uint64_t *memory =
        malloc(index_bytes + (2 * functions + sites + 1) * 8 + (3 * sites + functions + 1) * 4);
    if (!memory)
        return hcct_decode_out_of_memory(error);
    profile->memory = memory;
    uint64_t *base = memory + index_bytes / 8, *contexts = base + functions;
    int64_t *delta = (int64_t *)(contexts + functions);
    uint32_t *caller = (uint32_t *)(delta + sites), *callee = caller + sites;
    profile->site_order = callee + sites;
    profile->first_site = profile->site_order + sites;
    for (size_t i = 0; i < functions; i++) {
        base[i] = profile->functions[i].base;
        contexts[i] = profile->functions[i].contexts;
    }
    for (size_t i = 0; i < sites; i++) {
        delta[i] = profile->sites[i].delta;
        caller[i] = profile->sites[i].caller;
        callee[i] = profile->sites[i].callee;
    }
    if (!hcct_index_build(&profile->index, profile->function_count, base, contexts, profile->site_count,
                          caller, callee, delta, memory))
        return corrupt(error, hcct_elements_offset(profile, profile->functions),
                       "the numbering of the contexts is not consistent");
    return build_site_order(profile, error);
}

static bool open_profile(struct hcct_profile *profile, const void *bytes, size_t length,
                         struct hcct_decode_error *error)
{
    struct hcct_file_header header;
    struct hcct_file_section table[KIND_COUNT] = { 0 };
    memset(profile, 0, sizeof *profile);
    if ((uintptr_t)bytes % 8)
        return corrupt(error, 0, "the buffer is not aligned");
    if (!check_header(bytes, length, &header, error) ||
        !check_sections(bytes, length, header.section_count, table, error))
        return false;
    profile->bytes = bytes;
    profile->length = length;
    if (table[HCCT_FILE_RUN].bytes != sizeof(struct hcct_file_run))
        return corrupt(error, table[HCCT_FILE_RUN].offset, "not exactly one run");
    if (table[HCCT_FILE_BURSTS].element_bytes &&
        table[HCCT_FILE_BURSTS].bytes != sizeof(struct hcct_file_bursts))
        return corrupt(error, table[HCCT_FILE_BURSTS].offset, "not exactly one record of bursts");
    point_at_sections(profile, table);
    profile->folded = profile->run->recursion == HCCT_RECURSION_FOLDED;
    if (!hcct_elements_check(profile, error))
        return false;
    if (!build_index(profile, error)) {
        hcct_profile_close(profile);
        return false;
    }
    return true;
}

bool hcct_profile_open(struct hcct_profile *profile, const void *bytes, size_t length,
                       struct hcct_decode_error *error)
{
    void *recovered;
    size_t recovered_length;
    if ((uintptr_t)bytes % 8 || !hcct_recover_is_live(bytes, length))
        return open_profile(profile, bytes, length, error);
    memset(profile, 0, sizeof *profile);
    if (!hcct_recover(bytes, length, open_profile, &recovered, &recovered_length, error))
        return false;
    if (!open_profile(profile, recovered, recovered_length, error)) {
        free(recovered);
        return false;
    }
    profile->is_live = true;
    profile->recovered = recovered;
    return true;
}

void hcct_profile_close(struct hcct_profile *profile)
{
    free(profile->memory);
    free(profile->recovered);
    profile->memory = NULL;
    profile->recovered = NULL;
}

void hcct_profiles_fold(struct hcct_profile *profiles, uint32_t count, bool asked)
{
    for (uint32_t i = 0; i < count; i++)
        asked |= profiles[i].folded;
    for (uint32_t i = 0; i < count; i++)
        profiles[i].folded = asked;
}

uint32_t hcct_profile_site(const struct hcct_profile *profile, uint32_t function, uint64_t id)
{
    uint32_t low = profile->first_site[function], high = profile->first_site[function + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint64_t found = profile->sites[profile->site_order[middle]].id;
        if (found <= id)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low > profile->first_site[function] && profile->sites[profile->site_order[low - 1]].id == id;
    return found ? profile->site_order[low - 1] : HCCT_NO_INDEX;
}
