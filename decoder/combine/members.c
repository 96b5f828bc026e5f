/* See members.h. */
#include "decoder/combine/members.h"

#include <stdlib.h>
#include <string.h>

uint64_t hcct_members_number(hcct_members_read *read, void *file)
{
    enum { SECTIONS = 64 };
    struct hcct_file_header header;
    struct hcct_file_section sections[SECTIONS];
    unsigned char content[sizeof(struct hcct_file_run) + sizeof(struct hcct_file_times)];
    if (!read(file, 0, &header, sizeof header) ||
        memcmp(header.magic, HCCT_FILE_MAGIC, sizeof header.magic) || header.section_count > SECTIONS ||
        !read(file, sizeof header, sections, header.section_count * sizeof *sections))
        return 0;
    uint64_t hash = hcct_hash_text(0, (const char *)&header, sizeof header);
    hash = hcct_hash_text(hash, (const char *)sections, header.section_count * sizeof *sections);
    for (uint32_t i = 0; i < header.section_count; i++) {
        const struct hcct_file_section *section = &sections[i];
        if ((section->kind != HCCT_FILE_RUN && section->kind != HCCT_FILE_TIMES) ||
            section->bytes > sizeof content)
            continue;
        if (!read(file, section->offset, content, section->bytes))
            return 0;
        hash = hcct_hash_text(hash, (const char *)content, section->bytes);
    }
    return hash | 1;
}

static bool read_bytes(void *file, uint64_t offset, void *bytes, size_t length)
{
    const struct hcct_profile *profile = file;
    bool is_there = offset <= profile->length && length <= profile->length - offset;
    if (is_there)
        memcpy(bytes, profile->file + offset, length);
    return is_there;
}

static uint64_t number_of(const struct hcct_profile *profile)
{
    return hcct_members_number(read_bytes, (void *)profile);
}

static bool same_number(const void *numbers, uint32_t index, const void *number)
{
    return ((const uint64_t *)numbers)[index] == *(const uint64_t *)number;
}

bool hcct_members_have(const struct hcct_members *members, uint64_t number)
{
    return hcct_table_find(&members->table, (uint32_t)(number >> 32), same_number, members->numbers,
                           &number) != HCCT_TABLE_NONE;
}

bool hcct_members_add(struct hcct_members *members, uint64_t number)
{
    if (!hcct_vector_grow(&members->numbers, &members->capacity, members->count, sizeof number) ||
        !hcct_table_add(&members->table, (uint32_t)(number >> 32), members->count))
        return false;
    members->numbers[members->count++] = number;
    return true;
}

bool hcct_members_meet(const struct hcct_members *members, const struct hcct_profile *profile)
{
    for (uint32_t i = 0; i < profile->member_count; i++)
        if (hcct_members_have(members, profile->members[i]))
            return true;
    return !profile->member_count && hcct_members_have(members, number_of(profile));
}

bool hcct_members_add_all(struct hcct_members *members, const struct hcct_profile *profile)
{
    bool done = profile->member_count || hcct_members_add(members, number_of(profile));
    for (uint32_t i = 0; done && i < profile->member_count; i++)
        done = hcct_members_add(members, profile->members[i]);
    return done;
}

void hcct_members_free(struct hcct_members *members)
{
    free(members->numbers);
    hcct_table_free(&members->table);
    *members = (struct hcct_members){ 0 };
}
