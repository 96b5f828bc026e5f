/* See pool_merging.h. */
#include "decoder/store/pool_merging.h"

/* Room for an element of `bytes` behind the `count` that are there: in the file, or in the array that
 * `elements` points to. */
static void *append(struct hcct_merging *it, void *elements, uint32_t *room, uint32_t *count, size_t bytes)
{
    if (*count == HCCT_FILE_NONE - 1)
        return NULL;
    if (it->file) {
        ++*count;
        return hcct_section_append(it->file, bytes);
    }
    if (!hcct_vector_grow(elements, room, *count, bytes))
        return NULL;
    return *(char **)elements + bytes * (*count)++;
}

struct hcct_file_prefix *hcct_merging_prefix(struct hcct_merging *it)
{
    return append(it, &it->to.prefixes, &it->room[0], &it->to.prefix_count, sizeof *it->to.prefixes);
}

struct hcct_file_context *hcct_merging_context(struct hcct_merging *it)
{
    return append(it, &it->to.contexts, &it->room[1], &it->to.context_count, sizeof *it->to.contexts);
}

struct hcct_file_cell *hcct_merging_cell(struct hcct_merging *it)
{
    return append(it, &it->to.cells, &it->room[2], &it->to.cell_count, sizeof *it->to.cells);
}
