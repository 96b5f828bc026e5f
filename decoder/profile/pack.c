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

enum { SECTION_LIMIT = 20, NEEDED = 8 }; /* those that every file has come first */

/* NULL: the elements are in an array. */
static const struct hcct_pack_source *find_source(enum hcct_file_kind kind,
                                                  const struct hcct_pack_source *sources, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (sources[i].kind == kind)
            return &sources[i];
    return NULL;
}

/* The sections that the file has; returns their number. */
static uint32_t list_sections(const struct hcct_profile *profile, const struct hcct_pack_source *sources,
                              uint32_t source_count, struct section sections[SECTION_LIMIT])
{
    struct section all[] = {
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
        { HCCT_FILE_MEMBERS, sizeof *profile->members, profile->member_count, profile->members },
        { HCCT_FILE_PHASES, sizeof *profile->phases, profile->phase_count, profile->phases },
        { HCCT_FILE_CURVE, sizeof *profile->curve, profile->curve_count, profile->curve },
        { HCCT_FILE_BURSTS, sizeof *profile->bursts, profile->bursts != NULL, profile->bursts },
        { HCCT_FILE_TIMES, sizeof *profile->times, profile->times != NULL, profile->times },
    };
    static_assert(sizeof all / sizeof all[0] == SECTION_LIMIT, "room for all");
    uint32_t count = 0;
    for (uint32_t i = 0; i < SECTION_LIMIT; i++) {
        const struct hcct_pack_source *source = find_source(all[i].kind, sources, source_count);
        if (source)
            all[i].count = source->count;
        if (i < NEEDED || all[i].count)
            sections[count++] = all[i];
    }
    return count;
}

/* False, and errno tells why, if there are fewer elements than there should be. */
static bool append_source(struct hcct_section_writer *out, const struct section *section,
                          const struct hcct_pack_source *source)
{
    for (uint32_t i = 0; i < section->count && !out->failed; i++) {
        const void *element = source->next(source->context);
        void *at = element ? hcct_section_append(out, section->element_bytes) : NULL;
        if (!element)
            return false;
        if (at)
            memcpy(at, element, section->element_bytes);
    }
    return true;
}

static bool write_sections(struct hcct_section_writer *out, const struct section *sections, uint32_t count,
                           const struct hcct_pack_source *sources, uint32_t source_count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct hcct_pack_source *source = find_source(sections[i].kind, sources, source_count);
        hcct_section_open(out, sections[i].kind, sections[i].element_bytes);
        if (!source)
            hcct_section_append_all(out, sections[i].elements,
                                    (size_t)sections[i].count * sections[i].element_bytes);
        else if (!append_source(out, &sections[i], source))
            return false;
        hcct_section_close(out);
    }
    return hcct_section_writer_finish(out);
}

unsigned char *hcct_profile_pack(const struct hcct_profile *profile, size_t *length)
{
    struct section sections[SECTION_LIMIT];
    struct hcct_file_section sizes[SECTION_LIMIT];
    struct hcct_section_writer out;
    uint32_t count = list_sections(profile, NULL, 0, sections);
    for (uint32_t i = 0; i < count; i++)
        sizes[i].bytes = (uint64_t)sections[i].count * sections[i].element_bytes;
    *length = hcct_section_file_bytes(sizes, count);
    char *bytes = malloc(*length);
    if (!bytes)
        return NULL;
    hcct_section_writer_start(&out, bytes, *length, -1, count);
    write_sections(&out, sections, count, NULL, 0);
    return (unsigned char *)bytes;
}

bool hcct_profile_pack_into(const struct hcct_profile *profile, int file)
{
    return hcct_profile_pack_sources(profile, NULL, 0, file);
}

bool hcct_profile_pack_sources(const struct hcct_profile *profile, const struct hcct_pack_source *sources,
                               uint32_t source_count, int file)
{
    struct section sections[SECTION_LIMIT];
    struct hcct_section_writer out;
    char window[HCCT_SECTION_WINDOW_BYTES] = "";
    uint32_t count = list_sections(profile, sources, source_count, sections);
    errno = 0;
    hcct_section_writer_start(&out, window, sizeof window, file, count);
    if (write_sections(&out, sections, count, sources, source_count))
        return true;
    errno = out.error ? out.error : errno ? errno : ENOMEM;
    return false;
}
