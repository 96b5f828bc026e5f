#include "decoder/store/profile.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/rows_file.h"

void hcct_profile_close(struct hcct_profile *profile)
{
    free(profile->numbering.memory);
    free(profile->unpacked);
    hcct_rows_file_free(profile->rows.file);
    profile->numbering.memory = NULL;
    profile->unpacked = NULL;
    profile->rows.file = NULL;
}

uint32_t hcct_profile_site(const struct hcct_profile *profile, uint32_t function, uint64_t id)
{
    uint32_t low = profile->numbering.first_site[function],
             high = profile->numbering.first_site[function + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint64_t found = profile->code.sites[profile->numbering.site_order[middle]].id;
        if (found <= id)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low > profile->numbering.first_site[function] &&
                 profile->code.sites[profile->numbering.site_order[low - 1]].id == id;
    return found ? profile->numbering.site_order[low - 1] : HCCT_NO_INDEX;
}

const char *hcct_profile_executable(const struct hcct_profile *profile)
{
    const char *path = hcct_profile_string(profile, profile->run->program);
    if (profile->run->scheme != HCCT_SCHEME_PCCE || profile->run->build_id == HCCT_FILE_BUILD_BY_NAMES)
        return "";
    for (uint32_t i = 0; i < profile->code.object_count; i++)
        if (!strcmp(hcct_profile_string(profile, profile->code.objects[i].path), path))
            return hcct_profile_string(profile, profile->code.objects[i].build_id);
    return path;
}

bool hcct_profile_is_same_program(const struct hcct_profile *a, const struct hcct_profile *b)
{
    const char *executable = hcct_profile_executable(a);
    if (a->run->build_id == b->run->build_id && a->run->build_id != HCCT_FILE_BUILD_BY_OBJECTS)
        return true;
    return *executable && !strcmp(executable, hcct_profile_executable(b));
}

bool hcct_profile_is_of(const struct hcct_profile *profile, const char *program)
{
    const char *own = hcct_profile_string(profile, profile->run->program), *slash = strrchr(own, '/');
    if (!strchr(program, '/'))
        return !strcmp(slash ? slash + 1 : own, program);
    char *path = realpath(program, NULL); /* NULL: it is gone, or of another machine */
    bool is_of = !strcmp(own, program) || (path && !strcmp(own, path));
    free(path);
    return is_of;
}

/* --- columns --------------------------------------------------------------------------------------- */

const struct hcct_file_column *hcct_profile_column(const struct hcct_profile *profile, const char *name,
                                                   const char *part)
{
    for (uint32_t i = 0; i < profile->rows.column_count; i++)
        if (!strcmp(hcct_profile_string(profile, profile->rows.columns[i].name), name) &&
            !strcmp(hcct_profile_string(profile, profile->rows.columns[i].part), part))
            return &profile->rows.columns[i];
    return NULL;
}

bool hcct_profile_is_phase(const struct hcct_profile *profile, const struct hcct_file_column *column)
{
    return *hcct_profile_string(profile, column->part) &&
           !strcmp(hcct_profile_string(profile, column->name),
                   hcct_profile_string(profile, hcct_profile_main(profile)->name));
}

const struct hcct_file_cell *hcct_cells_find(const struct hcct_file_cell *cells, uint32_t count,
                                             uint32_t context)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cells[middle].context < context)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && cells[low].context == context ? &cells[low] : NULL;
}

uint64_t hcct_profile_note(const struct hcct_profile *profile, enum hcct_file_note_kind kind)
{
    for (uint32_t i = 0; i < profile->note_count; i++)
        if (profile->notes[i].kind == kind)
            return profile->notes[i].amount;
    return 0;
}
