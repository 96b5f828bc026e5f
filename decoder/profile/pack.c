#include "decoder/profile/pack.h"

#include <stdlib.h>

#include "format/section_writer.h"

unsigned char *hcct_profile_pack(const struct hcct_profile *profile, size_t *length)
{
    const struct {
        enum hcct_file_kind kind;
        uint32_t element_bytes, count;
        const void *elements;
    } all[] = {
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
        { HCCT_FILE_MEMBERS, sizeof *profile->members, profile->member_count, profile->members },
        { HCCT_FILE_PHASES, sizeof *profile->phases, profile->phase_count, profile->phases },
        { HCCT_FILE_CURVE, sizeof *profile->curve, profile->curve_count, profile->curve },
        { HCCT_FILE_BURSTS, sizeof *profile->bursts, profile->bursts != NULL, profile->bursts },
        { HCCT_FILE_TIMES, sizeof *profile->times, profile->times != NULL, profile->times },
    };
    enum { ALL = sizeof all / sizeof all[0], NEEDED = 8 };
    struct hcct_file_section sections[ALL];
    uint32_t count = 0;
    for (uint32_t i = 0; i < ALL; i++)
        if (i < NEEDED || all[i].count)
            sections[count++].bytes = (uint64_t)all[i].count * all[i].element_bytes;
    *length = hcct_section_file_bytes(sections, count);
    char *bytes = malloc(*length);
    if (!bytes)
        return NULL;
    struct hcct_section_writer out;
    hcct_section_writer_start(&out, bytes, *length, -1, count);
    for (uint32_t i = 0; i < ALL; i++)
        if (i < NEEDED || all[i].count) {
            hcct_section_open(&out, all[i].kind, all[i].element_bytes);
            hcct_section_append_all(&out, all[i].elements, (size_t)all[i].count * all[i].element_bytes);
            hcct_section_close(&out);
        }
    hcct_section_writer_finish(&out);
    return (unsigned char *)bytes;
}
