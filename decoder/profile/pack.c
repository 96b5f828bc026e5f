#include "decoder/profile/pack.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/section_writer.h"

struct section {
    enum hcct_file_kind kind;
    uint32_t element_bytes, count;
    const void *elements;
};

enum { SECTION_LIMIT = 19, NEEDED = 8 }; /* those that every file has come first */

/* The sections that the file has; returns their number. */
static uint32_t list_sections(const struct hcct_profile *profile, struct section sections[SECTION_LIMIT])
{
    const struct section all[] = {
        { HCCT_FILE_PREFIXES, sizeof *profile->prefixes, profile->prefix_count, profile->prefixes },
        { HCCT_FILE_ENTRIES, sizeof *profile->entries, profile->entry_count, profile->entries },
        { HCCT_FILE_FUNCTIONS, sizeof *profile->functions, profile->function_count, profile->functions },
        { HCCT_FILE_SITES, sizeof *profile->sites, profile->site_count, profile->sites },
        { HCCT_FILE_INLINED, sizeof *profile->inlined, profile->inlined_count, profile->inlined },
        { HCCT_FILE_OBJECTS, sizeof *profile->objects, profile->object_count, profile->objects },
        { HCCT_FILE_RUN, sizeof *profile->run, 1, profile->run },
        { HCCT_FILE_STRINGS, 1, profile->string_bytes, profile->strings },
        { HCCT_FILE_PINS, sizeof *profile->pins, profile->pin_count, profile->pins },
        { HCCT_FILE_NAMES, sizeof *profile->names, profile->name_count, profile->names },
        { HCCT_FILE_THREADS, sizeof *profile->threads, profile->thread_count, profile->threads },
        { HCCT_FILE_HEAP, sizeof *profile->heap, profile->heap_count, profile->heap },
        { HCCT_FILE_HEAP_SAMPLED, sizeof *profile->sampled, profile->sampled_count, profile->sampled },
        { HCCT_FILE_SPREAD, sizeof *profile->spread, profile->spread_count, profile->spread },
        { HCCT_FILE_STRIPS, sizeof *profile->strip_words, profile->strip_word_count, profile->strip_words },
        { HCCT_FILE_PHASES, sizeof *profile->phases, profile->phase_count, profile->phases },
        { HCCT_FILE_CURVE, sizeof *profile->curve, profile->curve_count, profile->curve },
        { HCCT_FILE_BURSTS, sizeof *profile->bursts, profile->bursts != NULL, profile->bursts },
        { HCCT_FILE_TIMES, sizeof *profile->times, profile->times != NULL, profile->times },
    };
    static_assert(sizeof all / sizeof all[0] == SECTION_LIMIT, "room for all");
    uint32_t count = 0;
    for (uint32_t i = 0; i < SECTION_LIMIT; i++)
        if (i < NEEDED || all[i].count)
            sections[count++] = all[i];
    return count;
}

static bool write_sections(struct hcct_section_writer *out, const struct section *sections, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        hcct_section_open(out, sections[i].kind, sections[i].element_bytes);
        hcct_section_append_all(out, sections[i].elements,
                                (size_t)sections[i].count * sections[i].element_bytes);
        hcct_section_close(out);
    }
    return hcct_section_writer_finish(out);
}

unsigned char *hcct_profile_pack(const struct hcct_profile *profile, size_t *length)
{
    struct section sections[SECTION_LIMIT];
    struct hcct_file_section sizes[SECTION_LIMIT];
    struct hcct_section_writer out;
    uint32_t count = list_sections(profile, sections);
    for (uint32_t i = 0; i < count; i++)
        sizes[i].bytes = (uint64_t)sections[i].count * sections[i].element_bytes;
    *length = hcct_section_file_bytes(sizes, count);
    char *bytes = malloc(*length);
    if (!bytes)
        return NULL;
    hcct_section_writer_start(&out, bytes, *length, -1, count);
    write_sections(&out, sections, count);
    return (unsigned char *)bytes;
}

bool hcct_profile_pack_into(const struct hcct_profile *profile, int file)
{
    struct section sections[SECTION_LIMIT];
    struct hcct_section_writer out;
    char window[HCCT_SECTION_WINDOW_BYTES] = "";
    uint32_t count = list_sections(profile, sections);
    errno = 0;
    hcct_section_writer_start(&out, window, sizeof window, file, count);
    if (write_sections(&out, sections, count))
        return true;
    errno = out.error ? out.error : errno ? errno : ENOMEM;
    return false;
}
