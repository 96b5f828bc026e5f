/* No damaged profile gets through, packed or not, and a packed one is the same profile. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "decoder/store/open.h"
#include "format/error.h"
#include "format/section_reader.h"
#include "format/section_writer.h"
#include "made_profiles.h"

/* The same profile, packed, in memory of at least `*length` and 8 bytes. */
static unsigned char *pack(const unsigned char *file, size_t *length)
{
    struct hcct_section_table table;
    struct hcct_section_writer writer;
    struct hcct_error error;
    uint32_t count = 0;
    CHECK(hcct_section_table_read(&table, file, *length, &error));
    for (uint32_t kind = 0; kind < HCCT_FILE_KIND_COUNT; kind++)
        count += table.of_kind[kind].element_bytes != 0;
    unsigned char *bytes = malloc(2 * *length + HCCT_SECTION_WINDOW_BYTES);
    hcct_section_writer_start(&writer, (char *)bytes, 2 * *length + HCCT_SECTION_WINDOW_BYTES, -1, count);
    writer.packs = true;
    for (uint32_t kind = 0; kind < HCCT_FILE_KIND_COUNT; kind++) {
        const struct hcct_file_section *section = &table.of_kind[kind];
        if (!section->element_bytes)
            continue;
        (section->element_bytes % 8 || section->element_bytes > 4 * HCCT_PACKED_WORDS
             ? hcct_section_open
             : hcct_section_open_packed)(&writer, kind, section->element_bytes);
        hcct_section_append_all(&writer, file + section->offset, section->bytes);
        hcct_section_close(&writer);
    }
    CHECK(hcct_section_writer_finish(&writer));
    *length = writer.size;
    return bytes;
}

static void test_packed(void)
{
    size_t length, packed_length, unpacked, again_length;
    unsigned char *file = profile_of_program(&length, 1);
    struct hcct_error error;
    packed_length = length;
    unsigned char *packed = pack(file, &packed_length);
    CHECK(packed_length < length);
    CHECK(hcct_section_unpacked_bytes(file, length, &unpacked, &error) && unpacked == 0);
    CHECK(hcct_section_unpacked_bytes(packed, packed_length, &unpacked, &error) && unpacked == length);
    unsigned char *plain = malloc(unpacked);
    hcct_section_unpack(plain, unpacked, packed);
    again_length = length;
    unsigned char *again = pack(plain, &again_length);
    CHECK(again_length == packed_length && memcmp(again, packed, packed_length) == 0);
    free(again);
    free(plain);
    free(packed);
    free(file);
}

static void check_damage(const unsigned char *file, size_t length)
{
    unsigned char *copy = malloc(length + 8);
    struct hcct_profile profile;
    struct hcct_error error;
    for (size_t cut = 0; cut < length; cut++) {
        unsigned char *part = malloc(cut + 1); /* its own block, for the address sanitizer */
        memcpy(part, file, cut);
        CHECK(!hcct_profile_open(&profile, part, cut, &error));
        free(part);
    }
    for (size_t bit = 0; bit < 8 * length; bit++) {
        memcpy(copy, file, length);
        copy[bit / 8] ^= (unsigned char)(1 << bit % 8);
        CHECK(!hcct_profile_open(&profile, copy, length, &error));
    }
    memcpy(copy, file, length);
    copy[length] = 0;
    CHECK(!hcct_profile_open(&profile, copy, length + 1, &error));
    CHECK(hcct_profile_open(&profile, copy, length, &error));
    hcct_profile_close(&profile);
    free(copy);
}

static void test_damage(void)
{
    size_t length;
    unsigned char *file = profile_of_program(&length, 1);
    check_damage(file, length);
    unsigned char *packed = pack(file, &length);
    check_damage(packed, length);
    free(packed);
    free(file);
}

int main(void)
{
    test_damage();
    test_packed();
    CHECK_DONE();
}
