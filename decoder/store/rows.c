/* See rows.h. */
#include "decoder/store/rows.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/pack.h"
#include "decoder/store/sum.h"
#include "decoder/store/table.h"
#include "encoding/context.h"
#include "format/canonical.h"

void hcct_rows_free(struct hcct_rows *rows)
{
    hcct_rows_file_free(rows->file);
    free(rows->prefixes);
    free(rows->contexts);
    free(rows->columns);
    free(rows->cells);
    *rows = (struct hcct_rows){ 0 };
}

uint32_t hcct_rows_find(const struct hcct_rows *rows, uint32_t name, uint32_t part)
{
    for (uint32_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].name == name && rows->columns[i].part == part)
            return i;
    return HCCT_FILE_NONE;
}

/* --- sorting --------------------------------------------------------------------------------------- */

/* What is sorted, and where its elements go: indices of `from` to those of `to`. */
struct sorting {
    const struct hcct_profile *from;
    struct hcct_rows *to;
    uint32_t *prefix, *context;
};

static void *array(size_t count, size_t bytes)
{
    return malloc((count + 1) * bytes);
}

static void *copy(const void *elements, size_t count, size_t bytes)
{
    void *to = array(count, bytes);
    if (to && count)
        memcpy(to, elements, count * bytes);
    return to;
}

static bool same_prefix(const void *prefixes, uint32_t index, const void *key)
{
    const struct hcct_file_prefix *a = &((const struct hcct_file_prefix *)prefixes)[index], *b = key;
    return a->word == b->word && a->site == b->site && a->parent == b->parent && a->kind == b->kind;
}

static uint32_t hash_prefix(const struct hcct_file_prefix *it)
{
    return (
        uint32_t)(hcct_hash_step(hcct_hash_step(hcct_hash_step(it->word, it->site), it->parent), it->kind) >>
                  32);
}

/* Fills to->prefixes, each once, in the order of `from`. */
static bool intern_prefixes(struct sorting *it)
{
    struct hcct_table table = { 0 };
    bool done = true;
    for (uint32_t i = 0; done && i < it->from->rows.prefix_count; i++) {
        struct hcct_file_prefix prefix = it->from->rows.prefixes[i];
        if (prefix.parent != HCCT_FILE_NONE)
            prefix.parent = it->prefix[prefix.parent];
        uint32_t hash = hash_prefix(&prefix);
        it->prefix[i] = hcct_table_find(&table, hash, same_prefix, it->to->prefixes, &prefix);
        if (it->prefix[i] != HCCT_TABLE_NONE)
            continue;
        it->prefix[i] = it->to->prefix_count;
        it->to->prefixes[it->to->prefix_count] = prefix;
        done = hcct_table_add(&table, hash, it->to->prefix_count++);
    }
    hcct_table_free(&table);
    return done;
}

static bool sort_prefixes(struct sorting *it)
{
    struct hcct_rows *to = it->to;
    uint32_t count = to->prefix_count;
    uint32_t *memory = array(4 * (size_t)count + 2, sizeof *memory), *order = memory, *rank = memory + count;
    struct hcct_canonical_list list = hcct_canonical_array(to->prefixes, count);
    struct hcct_file_prefix *sorted = array(count, sizeof *sorted);
    bool done = memory && sorted;
    if (done)
        hcct_canonical_prefixes(&list, order, rank, rank + count);
    for (uint32_t i = 0; done && i < count; i++) {
        sorted[i] = to->prefixes[order[i]];
        if (sorted[i].parent != HCCT_FILE_NONE)
            sorted[i].parent = rank[sorted[i].parent];
    }
    for (uint32_t i = 0; done && i < it->from->rows.prefix_count; i++)
        it->prefix[i] = rank[it->prefix[i]];
    free(memory);
    if (!done) {
        free(sorted);
        return false;
    }
    free(to->prefixes);
    to->prefixes = sorted;
    return true;
}

static bool sort_contexts(struct sorting *it)
{
    struct hcct_rows *to = it->to;
    uint32_t count = it->from->rows.context_count;
    struct hcct_canonical_row *rows = array(count, sizeof *rows);
    for (uint32_t i = 0; rows && i < count; i++) {
        const struct hcct_file_context *context = &it->from->rows.contexts[i];
        uint32_t prefix = context->prefix == HCCT_FILE_NONE ? HCCT_FILE_NONE : it->prefix[context->prefix];
        rows[i] = (struct hcct_canonical_row){ context->word, prefix, i };
    }
    if (rows)
        hcct_canonical_sort(rows, count);
    for (uint32_t i = 0; rows && i < count; i++) {
        bool is_new = !i || rows[i].word != rows[i - 1].word || rows[i].prefix != rows[i - 1].prefix;
        if (is_new)
            to->contexts[to->context_count++] =
                (struct hcct_file_context){ .word = rows[i].word, .prefix = rows[i].prefix };
        it->context[rows[i].place] = to->context_count - 1;
    }
    bool done = rows;
    free(rows);
    return done;
}

static int by_context(const void *left, const void *right)
{
    const struct hcct_file_cell *a = left, *b = right;
    return a->context < b->context ? -1 : a->context > b->context;
}

/* Adds the cell of a context that became one with another. Nobody knows how sure the sum is. Which of the
 * profiles had how much of it is not known either: none had more than all together. */
static void join_cell(const struct hcct_rows *to, const struct hcct_file_column *column,
                      struct hcct_file_cell *cell, const struct hcct_file_cell *with)
{
    bool is_extreme = column->add == HCCT_ADD_LEAST || column->add == HCCT_ADD_MOST;
    cell->mark = 0;
    if (is_extreme) {
        const struct hcct_file_column *all = to->columns;
        const struct hcct_file_cell *found =
            hcct_cells_find(to->cells + all->first, all->count, cell->context);
        cell->count = cell->error = found ? found->count : 0;
        return;
    }
    cell->count = column->add == HCCT_ADD_OR ? 1 : hcct_sum(cell->count, with->count);
    cell->error = hcct_sum(cell->error, with->error);
}

static void join_cells(const struct hcct_rows *to, struct hcct_file_column *column)
{
    struct hcct_file_cell *cells = to->cells + column->first;
    uint32_t count = 0;
    for (uint32_t i = 0; i < column->count; i++)
        if (count && cells[count - 1].context == cells[i].context)
            join_cell(to, column, &cells[count - 1], &cells[i]);
        else
            cells[count++] = cells[i];
    column->count = count;
}

static void sort_cells(struct sorting *it)
{
    struct hcct_rows *to = it->to;
    for (uint32_t i = 0; i < to->column_count; i++) {
        struct hcct_file_column *column = &to->columns[i];
        const struct hcct_file_cell *from = hcct_profile_cells(it->from, column);
        column->first = to->cell_count;
        for (uint32_t k = 0; k < column->count; k++) {
            struct hcct_file_cell *cell = &to->cells[column->first + k];
            *cell = from[k];
            cell->context = it->context[from[k].context];
        }
        if (column->count)
            qsort(to->cells + column->first, column->count, sizeof *to->cells, by_context);
        join_cells(to, column);
        to->cell_count += column->count;
    }
}

static bool has_order(const struct hcct_profile *profile)
{
    bool has = true;
    for (uint32_t i = 1; has && i < profile->rows.prefix_count; i++)
        has = hcct_canonical_is_before(&profile->rows.prefixes[i - 1], &profile->rows.prefixes[i]);
    for (uint32_t i = 1; has && i < profile->rows.context_count; i++) {
        const struct hcct_file_context *last = &profile->rows.contexts[i - 1], *context = last + 1;
        has = last->prefix == context->prefix ? last->word < context->word : last->prefix < context->prefix;
    }
    return has;
}

/* They are sorted. */
static bool rows_of_file(struct hcct_rows *rows, const struct hcct_profile *profile)
{
    *rows = profile->rows;
    rows->file = hcct_rows_file_copy(profile->rows.file);
    rows->columns = copy(profile->rows.columns, profile->rows.column_count, sizeof *rows->columns);
    rows->prefixes = NULL;
    rows->contexts = NULL;
    rows->cells = NULL;
    if (rows->file && rows->columns)
        rows->file->strings = copy(profile->strings, profile->string_bytes, 1);
    bool done = rows->file && rows->file->strings;
    if (!done)
        hcct_rows_free(rows);
    return done;
}

bool hcct_rows_of(struct hcct_rows *rows, const struct hcct_profile *profile)
{
    if (profile->rows.file)
        return rows_of_file(rows, profile);
    bool is_sorted = has_order(profile);
    *rows = (struct hcct_rows){ .column_count = profile->rows.column_count };
    rows->columns = copy(profile->rows.columns, profile->rows.column_count, sizeof *rows->columns);
    if (is_sorted) {
        rows->prefix_count = profile->rows.prefix_count;
        rows->context_count = profile->rows.context_count;
        rows->cell_count = profile->rows.cell_count;
    }
    rows->prefixes = copy(profile->rows.prefixes, profile->rows.prefix_count, sizeof *rows->prefixes);
    rows->contexts = copy(profile->rows.contexts, profile->rows.context_count, sizeof *rows->contexts);
    rows->cells = copy(profile->rows.cells, profile->rows.cell_count, sizeof *rows->cells);
    struct sorting sorting = { .from = profile, .to = rows };
    bool done = rows->prefixes && rows->contexts && rows->columns && rows->cells;
    if (done && !is_sorted) {
        sorting.prefix = array(profile->rows.prefix_count, sizeof *sorting.prefix);
        sorting.context = array(profile->rows.context_count, sizeof *sorting.context);
        done = sorting.prefix && sorting.context && intern_prefixes(&sorting) && sort_prefixes(&sorting) &&
               sort_contexts(&sorting);
        if (done)
            sort_cells(&sorting);
        free(sorting.prefix);
        free(sorting.context);
    }
    if (!done)
        hcct_rows_free(rows);
    return done;
}

unsigned char *hcct_profile_pack_sorted(const struct hcct_profile *profile, size_t *length)
{
    struct hcct_profile sorted = *profile;
    struct hcct_rows rows;
    if (!hcct_rows_of(&rows, profile))
        return NULL;
    sorted.rows = rows;
    unsigned char *bytes = hcct_profile_pack(&sorted, length);
    hcct_rows_free(&rows);
    return bytes;
}

/* --- rows in a file ---------------------------------------------------------------------------------- */

bool hcct_rows_prefixes(const struct hcct_rows *rows, struct hcct_cursor *cursor)
{
    if (rows->file)
        return hcct_rows_file_prefixes(rows->file, cursor);
    hcct_cursor_open(cursor, rows->prefixes, rows->prefix_count, sizeof *rows->prefixes);
    return true;
}

bool hcct_rows_contexts(const struct hcct_rows *rows, struct hcct_cursor *cursor)
{
    if (rows->file)
        return hcct_rows_file_contexts(rows->file, cursor);
    hcct_cursor_open(cursor, rows->contexts, rows->context_count, sizeof *rows->contexts);
    return true;
}

bool hcct_rows_cells(const struct hcct_rows *rows, uint32_t column, struct hcct_cursor *cursor)
{
    const struct hcct_file_column *of = &rows->columns[column];
    if (rows->file)
        return hcct_rows_file_cells(rows->file, column, of->count, cursor);
    hcct_cursor_open(cursor, rows->cells + of->first, of->count, sizeof *rows->cells);
    return true;
}

uint32_t hcct_rows_chainless(const struct hcct_rows *rows)
{
    uint32_t first = rows->context_count;
    while (!rows->file && first && rows->contexts[first - 1].prefix == HCCT_FILE_NONE)
        first--;
    return first;
}

/* Fills an array with all that a cursor comes to. */
static bool load(void *array, struct hcct_cursor *cursor, bool is_open, uint32_t count)
{
    char *to = array;
    uint32_t got = 0;
    for (; is_open && to && cursor->element; got++, hcct_cursor_next(cursor))
        memcpy(to + (size_t)got * cursor->element_bytes, cursor->element, cursor->element_bytes);
    hcct_cursor_close(cursor);
    return got == count;
}

bool hcct_rows_load(struct hcct_rows *rows)
{
    struct hcct_rows_file *file = rows->file;
    struct hcct_cursor cursor = { .file = -1 };
    rows->prefixes = array(rows->prefix_count, sizeof *rows->prefixes);
    rows->contexts = array(rows->context_count, sizeof *rows->contexts);
    rows->cells = array(rows->cell_count, sizeof *rows->cells);
    rows->file = NULL;
    bool done = load(rows->prefixes, &cursor, hcct_rows_file_prefixes(file, &cursor), rows->prefix_count) &&
                load(rows->contexts, &cursor, hcct_rows_file_contexts(file, &cursor), rows->context_count) &&
                load(rows->cells, &cursor, hcct_rows_file_cells(file, 0, rows->cell_count, &cursor),
                     rows->cell_count);
    hcct_rows_file_free(file);
    return done;
}

/* --- columns that become one ------------------------------------------------------------------------- */

/* The cells of both columns in one list: a context that one of them lacks has that one's floor. */
static uint32_t add_lists(struct hcct_file_cell *out, const struct hcct_rows *rows,
                          const struct hcct_file_column *a, const struct hcct_file_column *b)
{
    const struct hcct_file_cell *x = rows->cells + a->first, *x_end = x + a->count,
                                *y = rows->cells + b->first, *y_end = y + b->count;
    uint32_t count = 0;
    while (x < x_end || y < y_end) {
        bool has_x = x < x_end && (y == y_end || x->context <= y->context),
             has_y = y < y_end && (x == x_end || y->context <= x->context);
        uint64_t of_x[2] = { has_x ? x->count : a->floor, has_x ? x->error : a->floor },
                 of_y[2] = { has_y ? y->count : b->floor, has_y ? y->error : b->floor };
        out[count++] = (struct hcct_file_cell){ .context = has_x ? x->context : y->context,
                                                .count = hcct_sum(of_x[0], of_y[0]),
                                                .error = hcct_sum(of_x[1], of_y[1]) };
        x += has_x;
        y += has_y;
    }
    return count;
}

static bool join_two(struct hcct_rows *rows, uint32_t first, uint32_t second)
{
    struct hcct_file_column *a = &rows->columns[first];
    const struct hcct_file_column b = rows->columns[second];
    struct hcct_file_cell *cells = malloc(((size_t)rows->cell_count + 1) * sizeof *cells);
    uint32_t count = 0;
    if (!cells)
        return false;
    for (uint32_t i = 0; i < rows->column_count; i++) {
        struct hcct_file_column *column = &rows->columns[i];
        uint32_t begin = count;
        if (i == second)
            continue;
        if (i == first)
            count += add_lists(cells + count, rows, a, &b);
        else if (column->count)
            memcpy(cells + count, rows->cells + column->first, column->count * sizeof *cells);
        count += i == first ? 0 : column->count;
        column->first = begin;
        column->count = count - begin;
    }
    a->total = hcct_sum(a->total, b.total);
    a->floor = hcct_sum(a->floor, b.floor);
    a->missing = hcct_sum(a->missing, b.missing);
    memmove(&rows->columns[second], &rows->columns[second + 1],
            (rows->column_count - second - 1) * sizeof *rows->columns);
    rows->column_count--;
    free(rows->cells);
    rows->cells = cells;
    rows->cell_count = count;
    return true;
}

bool hcct_rows_have_twins(const struct hcct_rows *rows)
{
    bool have = false;
    for (uint32_t i = 0; i < rows->column_count; i++)
        have |= hcct_rows_find(rows, rows->columns[i].name, rows->columns[i].part) < i;
    return have;
}

bool hcct_rows_join_columns(struct hcct_rows *rows)
{
    for (uint32_t i = rows->column_count; i-- > 1;) {
        uint32_t first = hcct_rows_find(rows, rows->columns[i].name, rows->columns[i].part);
        if (first < i && !join_two(rows, first, i))
            return false;
    }
    return true;
}

/* --- cutting --------------------------------------------------------------------------------------- */

static int descending(const void *left, const void *right)
{
    const struct hcct_file_cell *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->context < b->context ? -1 : a->context > b->context;
}

/* What goes was at most so much; of a column without bounds, it is known. */
static void leave_out(struct hcct_file_column *column, const struct hcct_file_cell *cell)
{
    bool has_bounds = column->guarantee != HCCT_GUARANTEE_EXACT;
    if (column->add == HCCT_ADD_SUM && !has_bounds) {
        column->missing = hcct_sum(column->missing, cell->count);
    } else if (cell->count > column->floor) {
        column->floor = cell->count;
        column->mark = 0;
    }
}

static void keep_cells(struct hcct_rows *rows, const uint32_t *number)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows->column_count; i++) {
        struct hcct_file_column *column = &rows->columns[i];
        uint32_t first = count;
        for (uint32_t k = column->first; k < column->first + column->count; k++) {
            struct hcct_file_cell cell = rows->cells[k];
            if (number[cell.context] == HCCT_FILE_NONE) {
                leave_out(column, &cell);
                continue;
            }
            cell.context = number[cell.context];
            rows->cells[count++] = cell;
        }
        column->first = first;
        column->count = count - first;
    }
    rows->cell_count = count;
}

/* Contexts get the numbers that they have among those that are kept. */
static void keep_contexts(struct hcct_rows *rows, uint32_t *number)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows->context_count; i++) {
        if (number[i] == HCCT_FILE_NONE)
            continue;
        rows->contexts[count] = rows->contexts[i];
        number[i] = count++;
    }
    rows->context_count = count;
}

static void keep_prefixes(struct hcct_rows *rows, uint32_t *number)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows->prefix_count; i++)
        number[i] = i ? HCCT_FILE_NONE : 0; /* the root stays */
    for (uint32_t i = 0; i < rows->context_count; i++)
        if (rows->contexts[i].prefix != HCCT_FILE_NONE)
            number[rows->contexts[i].prefix] = 0;
    for (uint32_t i = rows->prefix_count; i-- > 0;)
        if (number[i] != HCCT_FILE_NONE && rows->prefixes[i].parent != HCCT_FILE_NONE)
            number[rows->prefixes[i].parent] = 0;
    for (uint32_t i = 0; i < rows->prefix_count; i++) {
        if (number[i] == HCCT_FILE_NONE)
            continue;
        struct hcct_file_prefix prefix = rows->prefixes[i];
        if (prefix.parent != HCCT_FILE_NONE)
            prefix.parent = number[prefix.parent];
        rows->prefixes[count] = prefix;
        number[i] = count++;
    }
    rows->prefix_count = count;
    for (uint32_t i = 0; i < rows->context_count; i++)
        if (rows->contexts[i].prefix != HCCT_FILE_NONE)
            rows->contexts[i].prefix = number[rows->contexts[i].prefix];
}

uint64_t hcct_rows_prefix_hash(const struct hcct_rows *rows, uint32_t index)
{
    const struct hcct_file_prefix *prefix = &rows->prefixes[index];
    switch (prefix->kind) {
    case HCCT_PREFIX_ROOT:
        return 0;
    case HCCT_PREFIX_PUSH:
        return hcct_context_push(prefix->word, prefix->site);
    case HCCT_PREFIX_LEAF:
    case HCCT_PREFIX_PLACE:
        return hcct_context_leaf(prefix->word, prefix->site);
    case HCCT_PREFIX_THREAD:
        return hcct_context_thread(prefix->site);
    default:
        return prefix->word;
    }
}

/* The calls of the contexts that go. */
static void leave_to_functions(const struct hcct_rows *rows, const uint32_t *number,
                               struct hcct_records *records)
{
    const struct hcct_file_column *first = rows->columns;
    for (uint32_t i = 0; i < first->count; i++) {
        const struct hcct_file_cell *cell = &rows->cells[first->first + i];
        const struct hcct_file_context *context = &rows->contexts[cell->context];
        if (number[cell->context] == HCCT_FILE_NONE && context->prefix != HCCT_FILE_NONE)
            hcct_records_give_calls(records, context->word - hcct_rows_prefix_hash(rows, context->prefix),
                                    cell->count - cell->error);
    }
}

bool hcct_rows_cut(struct hcct_rows *rows, struct hcct_records *records, uint32_t kept_count)
{
    const char *strings = records->fixed.strings;
    const struct hcct_file_column *first = rows->columns;
    uint32_t largest = rows->context_count > rows->prefix_count ? rows->context_count : rows->prefix_count;
    struct hcct_file_cell *ranked = copy(rows->cells + first->first, first->count, sizeof *ranked);
    uint32_t *number = array(largest, sizeof *number);
    bool done = ranked && number;
    if (done && first->count)
        qsort(ranked, first->count, sizeof *ranked, descending);
    for (uint32_t i = 0; done && i < rows->context_count; i++)
        number[i] = HCCT_FILE_NONE;
    for (uint32_t i = 0; done && i < first->count && i < kept_count; i++)
        number[ranked[i].context] = 0;
    for (uint32_t i = 0; done && i < rows->column_count; i++) {
        const struct hcct_file_column *column = &rows->columns[i];
        bool is_pins = !strcmp(strings + column->name, HCCT_COLUMN_PINNED);
        for (uint32_t k = 0; is_pins && k < column->count; k++)
            number[rows->cells[column->first + k].context] = 0;
    }
    for (uint32_t i = 0; done && i < rows->column_count; i++) { /* what the metric counts gets a floor */
        struct hcct_file_column *column = &rows->columns[i];
        bool is_counted = column->name == first->name && column->guarantee == HCCT_GUARANTEE_EXACT;
        column->guarantee = is_counted ? HCCT_GUARANTEE_DETERMINISTIC : column->guarantee;
    }
    if (done) {
        leave_to_functions(rows, number, records);
        keep_contexts(rows, number);
        keep_cells(rows, number);
        keep_prefixes(rows, number);
    }
    free(ranked);
    free(number);
    return done;
}
