#include "decoder/store/pack.h"

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

/* Those that every file has come first, and of these the rows: prefixes, contexts and cells. */
enum { SECTION_LIMIT = 15, NEEDED = 10, ROWS = 3 };

/* The sections that the file has; returns their number. */
static uint32_t list_sections(const struct hcct_profile *profile, struct section sections[SECTION_LIMIT])
{
    const struct section all[] = {
        { HCCT_FILE_PREFIXES, sizeof *profile->rows.prefixes, profile->rows.prefix_count,
          profile->rows.prefixes },
        { HCCT_FILE_CONTEXTS, sizeof *profile->rows.contexts, profile->rows.context_count,
          profile->rows.contexts },
        { HCCT_FILE_CELLS, sizeof *profile->rows.cells, profile->rows.cell_count, profile->rows.cells },
        { HCCT_FILE_COLUMNS, sizeof *profile->rows.columns, profile->rows.column_count,
          profile->rows.columns },
        { HCCT_FILE_FUNCTIONS, sizeof *profile->code.functions, profile->code.function_count,
          profile->code.functions },
        { HCCT_FILE_SITES, sizeof *profile->code.sites, profile->code.site_count, profile->code.sites },
        { HCCT_FILE_INLINED, sizeof *profile->code.inlined, profile->code.inlined_count,
          profile->code.inlined },
        { HCCT_FILE_OBJECTS, sizeof *profile->code.objects, profile->code.object_count,
          profile->code.objects },
        { HCCT_FILE_RUN, sizeof *profile->run, 1, profile->run },
        { HCCT_FILE_STRINGS, 1, profile->string_bytes, profile->strings },
        { HCCT_FILE_NOTES, sizeof *profile->notes, profile->note_count, profile->notes },
        { HCCT_FILE_NAMES, sizeof *profile->code.names, profile->code.name_count, profile->code.names },
        { HCCT_FILE_THREADS, sizeof *profile->threads, profile->thread_count, profile->threads },
        { HCCT_FILE_CURVE, sizeof *profile->curve, profile->curve_count, profile->curve },
        { HCCT_FILE_ESTIMATE, sizeof *profile->estimate, profile->estimate != NULL, profile->estimate },
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
        bool may_pack = sections[i].element_bytes % sizeof(uint64_t) == 0 &&
                        sections[i].element_bytes <= HCCT_PACKED_WORDS * sizeof(uint32_t);
        (may_pack ? hcct_section_open_packed : hcct_section_open)(out, sections[i].kind,
                                                                  sections[i].element_bytes);
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
    for (uint32_t i = 0; i < count; i++) /* packed, it may become longer by the tags */
        sizes[i].bytes = (uint64_t)sections[i].count * (sections[i].element_bytes + HCCT_PACKED_WORDS);
    size_t room = hcct_section_file_bytes(sizes, count) + HCCT_PACKED_BYTES * count;
    char *bytes = malloc(room);
    if (!bytes)
        return NULL;
    hcct_section_writer_start(&out, bytes, room, -1, count);
    out.packs = hcct_section_should_pack(profile->rows.context_count, profile->run->metric);
    write_sections(&out, sections, count);
    *length = out.size;
    return (unsigned char *)bytes;
}

bool hcct_profile_pack_into(struct hcct_profile *profile, int file, hcct_pack_rows *write_rows, void *context)
{
    struct section sections[SECTION_LIMIT];
    struct hcct_section_writer out;
    char window[HCCT_SECTION_WINDOW_BYTES] = "";
    uint32_t count = list_sections(profile, sections), first = write_rows ? ROWS : 0;
    errno = 0;
    hcct_section_writer_start(&out, window, sizeof window, file, count);
    out.packs = write_rows || hcct_section_should_pack(profile->rows.context_count, profile->run->metric);
    bool done = !write_rows || write_rows(context, &out, profile);
    list_sections(profile, sections);
    if (done && write_sections(&out, sections + first, count - first))
        return true;
    errno = out.error ? out.error : errno ? errno : ENOMEM;
    return false;
}
