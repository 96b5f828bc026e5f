/* See columns.h. */
#include "runtime/output/columns.h"

#include <stdio.h>

#include "format/names.h"
#include "runtime/base/memory.h"
#include "runtime/base/sort.h"
#include "runtime/core/meter.h"
#include "runtime/core/settings.h"
#include "runtime/count/count.h"
#include "runtime/output/rows.h"
#include "runtime/output/settings.h"

enum { COLUMN_LIMIT = 64 };

static size_t places[HCCT_SORT_DIGITS]; /* scratch memory of hcct_sort, held by hcct_hold */

bool hcct_columns_open(struct hcct_image *image)
{
    image->columns = hcct_memory_map(COLUMN_LIMIT * sizeof *image->columns);
    return image->columns;
}

void hcct_columns_close(struct hcct_image *image)
{
    size_t rows = (size_t)image->entry_count + image->pin_count + 1;
    hcct_memory_unmap(image->numbers, rows * sizeof *image->numbers);
    hcct_memory_unmap(image->columns, COLUMN_LIMIT * sizeof *image->columns);
}

const struct hcct_meter_columns *hcct_columns_of_meter(void)
{
    return hcct_meter->file && hcct_meter->file->columns ? hcct_meter->file->columns() : NULL;
}

/* --- cells ------------------------------------------------------------------------------------------ */

static struct hcct_file_column *begin_column(struct hcct_image *image, const char *name, const char *part,
                                             const char *unit)
{
    struct hcct_file_column *column = &image->columns[image->column_count++];
    *column = (struct hcct_file_column){ .name = hcct_strings_add(&image->strings, name),
                                         .part = part ? hcct_strings_add(&image->strings, part) : 0,
                                         .unit = hcct_strings_add(&image->strings, unit),
                                         .first = image->cell_count };
    return column;
}

static void write_cell(struct hcct_image *image, const struct hcct_file_cell *cell)
{
    struct hcct_file_cell *out = hcct_section_append(&image->out, sizeof *out);
    if (out)
        *out = *cell;
    image->cell_count++;
    image->columns[image->column_count - 1].count++;
}

/* Of counts with that floor. As long as nothing was evicted, it is 0, and they are exact, in mode=hcct
 * too. */
static enum hcct_file_guarantee guarantee(uint64_t floor)
{
    return hcct_meter_is_sampled() ? HCCT_GUARANTEE_PROBABILISTIC
           : floor                 ? HCCT_GUARANTEE_DETERMINISTIC
                                   : HCCT_GUARANTEE_EXACT;
}

static const char *metric_name(void)
{
    return hcct_core_settings.metric == HCCT_METRIC_HEAP ? hcct_heap_value_names[HCCT_HEAP_ALLOCATED]
                                                         : hcct_metric_names[hcct_core_settings.metric];
}

static const char *unit(void)
{
    uint32_t metric = (uint32_t)hcct_core_settings.metric;
    return hcct_metric_has_unit(metric)  ? hcct_output_settings.unit
           : hcct_metric_is_time(metric) ? "ns"
                                         : "calls";
}

static uint32_t mark_of(const struct hcct_entry *entry)
{
    const struct hcct_meter_columns *meter = hcct_columns_of_meter();
    if (meter && meter->mark)
        return meter->mark(meter->number(entry->key));
    bool has_trials = hcct_meter_is_sampled() && hcct_meter->file->observed;
    return has_trials ? hcct_meter->file->trials(entry->key, entry->count) : 0;
}

static void write_counts(struct hcct_image *image)
{
    const struct hcct_meter_columns *meter = hcct_columns_of_meter();
    struct hcct_file_column *column = begin_column(image, metric_name(), NULL, unit());
    column->guarantee = (uint16_t)guarantee(image->sum.floor);
    column->total = hcct_count_calls();
    column->floor = image->sum.floor;
    column->period = meter && meter->period ? meter->period() : 0;
    for (struct hcct_rows_walk walk = { .row = 0 }; hcct_rows_next(image, &walk);) {
        if (walk.now.place == HCCT_ROWS_PIN)
            continue;
        struct hcct_entry entry = hcct_rows_entry(image, &walk);
        uint64_t error = entry.error < entry.count ? entry.error : entry.count;
        if (!entry.node)
            image->dropped_chain += entry.count - error;
        if (entry.count)
            write_cell(image, &(struct hcct_file_cell){ .context = walk.context,
                                                        .mark = mark_of(&entry),
                                                        .count = entry.count,
                                                        .error = error });
    }
}

/* --- phases ----------------------------------------------------------------------------------------- */

static uint64_t key_of_cell(const void *cell, const void *context)
{
    (void)context;
    return ((const struct hcct_file_cell *)cell)->context;
}

static void write_phase(struct hcct_image *image, const struct hcct_phase *phase)
{
    uint64_t calls = hcct_phases_calls(phase), floor = hcct_phases_floor(phase);
    struct hcct_entry entry;
    size_t count = 0;
    if (!calls)
        return;
    for (size_t i = 0; hcct_phases_next(phase, &i, &entry); i++)
        count += entry.count > floor;
    size_t bytes = (count + 1) * sizeof(struct hcct_file_cell);
    struct hcct_file_cell *cells = hcct_memory_map(bytes);
    image->out.failed |= !cells;
    if (!cells)
        return;
    count = 0;
    for (size_t i = 0; hcct_phases_next(phase, &i, &entry); i++)
        if (entry.count > floor)
            cells[count++] =
                (struct hcct_file_cell){ .context = hcct_sum_index(&image->sum, entry.key),
                                         .count = entry.count,
                                         .error = entry.error < entry.count ? entry.error : entry.count };
    hcct_sort(cells, count, sizeof *cells, key_of_cell, places);
    struct hcct_file_column *column =
        begin_column(image, metric_name(), *phase->name ? phase->name : HCCT_PHASE_NONE_NAME, unit());
    column->guarantee = (uint16_t)guarantee(floor);
    column->total = calls;
    column->floor = floor;
    for (size_t i = 0; i < count; i++)
        write_cell(image, &cells[i]);
    hcct_memory_unmap(cells, bytes);
}

static void write_phases(struct hcct_image *image)
{
    const struct hcct_phase *phase;
    for (uint32_t i = 0; hcct_phases_are_told_apart() && (phase = hcct_phases_at(i)); i++)
        write_phase(image, phase);
}

/* --- the meter's columns ---------------------------------------------------------------------------- */

static void find_numbers(struct hcct_image *image, const struct hcct_meter_columns *meter)
{
    size_t count = 0;
    image->numbers =
        hcct_memory_map(((size_t)image->entry_count + image->pin_count + 1) * sizeof *image->numbers);
    for (struct hcct_rows_walk walk = { .row = 0 }; image->numbers && hcct_rows_next(image, &walk);)
        image->numbers[count++] = meter->number(walk.now.word);
}

static void write_meter_column(struct hcct_image *image, const struct hcct_meter_columns *meter,
                               uint32_t number)
{
    struct hcct_meter_column of = meter->begin(number);
    char part[12];
    uint64_t sum = 0;
    size_t row = 0;
    if (!of.name || image->column_count == COLUMN_LIMIT - 1)
        return;
    snprintf(part, sizeof part, "%u", of.part);
    struct hcct_file_column *column = begin_column(image, of.name, of.part ? part : NULL, of.unit);
    column->add = (uint16_t)of.add;
    column->guarantee = of.is_estimate ? HCCT_GUARANTEE_PROBABILISTIC : HCCT_GUARANTEE_EXACT;
    column->period = of.is_estimate && meter->period ? meter->period() : 0;
    for (struct hcct_rows_walk walk = { .row = 0 }; of.has_cells && hcct_rows_next(image, &walk); row++) {
        struct hcct_file_cell cell = { .context = walk.context };
        uint32_t own = image->numbers ? image->numbers[row] : meter->number(walk.now.word);
        cell.count =
            walk.now.place == HCCT_ROWS_PIN ? 0 : meter->value(number, walk.now.word, own, &cell.mark);
        if (!cell.count)
            continue;
        sum += cell.count;
        write_cell(image, &cell);
    }
    column->total = of.total;
    column->missing = of.total > sum ? of.total - sum : 0;
}

static void write_meter_columns(struct hcct_image *image)
{
    const struct hcct_meter_columns *meter = hcct_columns_of_meter();
    uint32_t count = meter ? meter->count() : 0;
    if (meter)
        find_numbers(image, meter);
    for (uint32_t i = 0; i < count; i++)
        write_meter_column(image, meter, i);
}

static void write_pins(struct hcct_image *image)
{
    if (!image->pinned)
        return;
    struct hcct_file_column *column = begin_column(image, HCCT_COLUMN_PINNED, NULL, "contexts");
    column->add = HCCT_ADD_OR;
    for (struct hcct_rows_walk walk = { .row = 0 }; hcct_rows_next(image, &walk);)
        if (walk.now.place == HCCT_ROWS_PIN)
            write_cell(image, &(struct hcct_file_cell){ .context = walk.context, .count = 1 });
}

/* --- all -------------------------------------------------------------------------------------------- */

void hcct_columns_write(struct hcct_image *image, bool is_whole)
{
    hcct_section_open_packed(&image->out, HCCT_FILE_CELLS, sizeof(struct hcct_file_cell));
    write_counts(image);
    if (is_whole) {
        write_phases(image);
        write_meter_columns(image);
        write_pins(image);
    }
    hcct_section_close(&image->out);
    hcct_section_open_packed(&image->out, HCCT_FILE_COLUMNS, sizeof *image->columns);
    for (uint32_t i = 0; i < image->column_count; i++) {
        struct hcct_file_column *out = hcct_section_append(&image->out, sizeof *out);
        if (out)
            *out = image->columns[i];
    }
    hcct_section_close(&image->out);
}
