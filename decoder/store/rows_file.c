/* See rows_file.h. */
#include "decoder/store/rows_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/store/elements.h"
#include "format/canonical.h"

static bool open_at_start(int file, const struct hcct_file_section *section, uint32_t count,
                          struct hcct_cursor *cursor)
{
    struct hcct_cursor_place start = hcct_cursor_start(section);
    return hcct_cursor_open_file(cursor, file, section, &start, count);
}

bool hcct_rows_file_prefixes(const struct hcct_rows_file *rows, struct hcct_cursor *cursor)
{
    return open_at_start(rows->file, &rows->prefixes, rows->prefix_count, cursor);
}

bool hcct_rows_file_contexts(const struct hcct_rows_file *rows, struct hcct_cursor *cursor)
{
    return open_at_start(rows->file, &rows->contexts, rows->context_count, cursor);
}

bool hcct_rows_file_cells(const struct hcct_rows_file *rows, uint32_t column, uint32_t count,
                          struct hcct_cursor *cursor)
{
    return hcct_cursor_open_file(cursor, rows->file, &rows->cells, &rows->columns[column], count);
}

/* --- reading all once ------------------------------------------------------------------------------- */

/* Of a section that was read to its end the number of elements. */
static bool close_whole(struct hcct_cursor *cursor, uint32_t *count, bool is_sound)
{
    is_sound = is_sound && !cursor->failed && cursor->next.offset == cursor->end;
    *count = cursor->index;
    hcct_cursor_close(cursor);
    return is_sound;
}

static bool scan_prefixes(struct hcct_rows_file *rows)
{
    struct hcct_cursor cursor;
    struct hcct_file_prefix last[2];
    bool is_sound = open_at_start(rows->file, &rows->prefixes, HCCT_FILE_NONE, &cursor) && cursor.element;
    for (; is_sound && cursor.element; hcct_cursor_next(&cursor)) {
        last[1] = *(const struct hcct_file_prefix *)cursor.element;
        is_sound = !hcct_elements_prefix_fault(&last[1], cursor.index) &&
                   (!cursor.index || hcct_canonical_is_before(&last[0], &last[1]));
        last[0] = last[1];
    }
    return close_whole(&cursor, &rows->prefix_count, is_sound);
}

static bool scan_contexts(struct hcct_rows_file *rows, const struct hcct_profile *profile)
{
    struct hcct_cursor cursor;
    struct hcct_file_context last = { .word = 0 };
    bool is_sound = open_at_start(rows->file, &rows->contexts, HCCT_FILE_NONE, &cursor);
    for (; is_sound && cursor.element; hcct_cursor_next(&cursor)) {
        const struct hcct_file_context *context = cursor.element;
        is_sound = !hcct_elements_context_fault(profile, context) && context->prefix != HCCT_FILE_NONE &&
                   (!cursor.index || last.prefix < context->prefix ||
                    (last.prefix == context->prefix && last.word < context->word));
        last = *context;
    }
    return close_whole(&cursor, &rows->context_count, is_sound);
}

/* The cursor is at the first cell of the column, or behind the last one. `text_left` is NULL where texts are
 * not asked for. */
static bool scan_column(struct hcct_rows_file *rows, const struct hcct_profile *profile, uint32_t column,
                        struct hcct_cursor *cursor, uint64_t *text_left)
{
    const struct hcct_file_column *of = &profile->rows.columns[column];
    bool has_marks = of->add == HCCT_ADD_LEAST || of->add == HCCT_ADD_MOST;
    rows->columns[column + 1] = rows->columns[column];
    for (uint32_t k = 0, least = 0; k < of->count; k++, hcct_cursor_next(cursor)) {
        const struct hcct_file_cell *cell = cursor->element;
        if (!cell || hcct_elements_cell_fault(profile, of, cell, least) ||
            (has_marks && text_left && !hcct_elements_take_text(profile, text_left, cell->mark)))
            return false;
        least = cell->context + 1;
        if (k + 1 == of->count)
            rows->columns[column + 1] = cursor->next;
    }
    return true;
}

static bool scan_cells(struct hcct_rows_file *rows, struct hcct_profile *profile, uint64_t *text_left)
{
    struct hcct_cursor cursor;
    struct hcct_error ignored;
    bool is_sound = open_at_start(rows->file, &rows->cells, HCCT_FILE_NONE, &cursor);
    rows->column_count = profile->rows.column_count;
    rows->columns = calloc((size_t)rows->column_count + 1, sizeof *rows->columns);
    is_sound = is_sound && rows->columns;
    if (is_sound)
        rows->columns[0] = hcct_cursor_start(&rows->cells);
    for (uint32_t i = 0; is_sound && i < rows->column_count; i++)
        is_sound = scan_column(rows, profile, i, &cursor, text_left);
    is_sound = close_whole(&cursor, &rows->cell_count, is_sound);
    profile->rows.cell_count = rows->cell_count;
    return is_sound && hcct_elements_check_places(profile, &ignored);
}

bool hcct_rows_file_scan(struct hcct_rows_file *rows, struct hcct_profile *profile, uint64_t *text_left)
{
    bool is_sound = scan_prefixes(rows);
    profile->rows.prefix_count = rows->prefix_count;
    is_sound = is_sound && scan_contexts(rows, profile);
    profile->rows.context_count = rows->context_count;
    return is_sound && scan_cells(rows, profile, text_left);
}

struct hcct_rows_file *hcct_rows_file_of(int file, const struct hcct_file_section sections[3],
                                         struct hcct_file_column *columns, uint32_t column_count)
{
    struct hcct_rows_file *rows = calloc(1, sizeof *rows);
    struct hcct_profile profile = { .rows.columns = columns,
                                    .rows.column_count = column_count,
                                    .string_bytes = UINT32_MAX };
    if (!rows) {
        close(file);
        return NULL;
    }
    rows->file = file;
    rows->prefixes = sections[0];
    rows->contexts = sections[1];
    rows->cells = sections[2];
    if (hcct_rows_file_scan(rows, &profile, NULL))
        return rows;
    hcct_rows_file_free(rows);
    return NULL;
}

/* --- ownership -------------------------------------------------------------------------------------- */

struct hcct_rows_file *hcct_rows_file_copy(const struct hcct_rows_file *rows)
{
    struct hcct_rows_file *copy = malloc(sizeof *copy);
    size_t bytes = ((size_t)rows->column_count + 1) * sizeof *copy->columns;
    if (!copy)
        return NULL;
    *copy = *rows;
    copy->file = fcntl(rows->file, F_DUPFD_CLOEXEC, 0);
    copy->columns = malloc(bytes);
    copy->strings = NULL;
    if (copy->file < 0 || !copy->columns) {
        hcct_rows_file_free(copy);
        return NULL;
    }
    memcpy(copy->columns, rows->columns, bytes);
    return copy;
}

void hcct_rows_file_free(struct hcct_rows_file *rows)
{
    if (!rows)
        return;
    if (rows->file >= 0)
        close(rows->file);
    free(rows->columns);
    free(rows->strings);
    free(rows);
}
