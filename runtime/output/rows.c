/* See rows.h. Sorting needs memory. Where that is short, all is written as the tables have it, in no order,
 * and a pin is a context of its own: readers sort it. */
#include "runtime/output/rows.h"

#include <stdio.h>
#include <string.h>

#include "encoding/context.h"
#include "format/names.h"
#include "runtime/base/memory.h"
#include "runtime/base/real.h"
#include "runtime/base/sort.h"
#include "runtime/core/meter.h"
#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/core/threads.h"
#include "runtime/count/count.h"
#include "runtime/count/functions.h"
#include "runtime/output/records.h"
#include "runtime/output/settings.h"
#include "runtime/stack/pins.h"
#include "runtime/stack/prefix.h"

enum { COLUMN_LIMIT = 64 };
#define PIN UINT32_MAX /* a row's place, if it is no entry */

static size_t places[HCCT_SORT_DIGITS]; /* scratch memory of hcct_sort, held by hcct_hold */

bool hcct_rows_open(struct hcct_image *image, uint32_t node_limit)
{
    image->columns = hcct_memory_map(COLUMN_LIMIT * sizeof *image->columns);
    image->node_bytes = ((size_t)node_limit + 1) * sizeof(hcct_node);
    image->prefix_index = hcct_memory_map(image->node_bytes);
    image->nodes = hcct_memory_map(image->node_bytes);
    image->pending = image->keeps_all ? NULL : hcct_memory_map(image->node_bytes);
    bool has_all = image->prefix_index && image->nodes && (image->pending || image->keeps_all);
    if (!has_all && image->keeps_all) { /* as the tables have them */
        hcct_memory_unmap(image->prefix_index, image->node_bytes);
        hcct_memory_unmap(image->nodes, image->node_bytes);
        image->prefix_index = image->nodes = NULL;
    }
    return image->columns && (has_all || image->keeps_all);
}

void hcct_rows_close(struct hcct_image *image)
{
    size_t rows = (size_t)image->entry_count + image->pin_count + 1;
    hcct_memory_unmap(image->prefix_index, image->node_bytes);
    hcct_memory_unmap(image->nodes, image->node_bytes);
    hcct_memory_unmap(image->pending, image->node_bytes);
    hcct_memory_unmap(image->rows, rows * sizeof *image->rows);
    hcct_memory_unmap(image->numbers, rows * sizeof *image->numbers);
    hcct_memory_unmap(image->columns, COLUMN_LIMIT * sizeof *image->columns);
}

/* --- entries ---------------------------------------------------------------------------------------- */

const struct hcct_meter_columns *hcct_rows_of_meter(void)
{
    return hcct_meter->file && hcct_meter->file->columns ? hcct_meter->file->columns() : NULL;
}

/* Entries at or below the floor are left out: of what is missing the file says that it has at most the
 * floor. With mode=cct and metric=heap an entry of 0 bytes may have blocks. */
static bool is_written(const struct hcct_image *image, const struct hcct_entry *entry)
{
    bool has_values = hcct_core_settings.metric == HCCT_METRIC_HEAP && !hcct_tables.summary;
    return entry->count > image->sum.floor || has_values;
}

/* The first entry of the file at *place or behind it, as hcct_sum_next finds those of the sum. */
static bool next_entry(const struct hcct_image *image, size_t *place, struct hcct_entry *entry)
{
    while (hcct_sum_next(&image->sum, place, entry)) {
        if (is_written(image, entry))
            return true;
        ++*place;
    }
    return false;
}

/* --- what contexts need ----------------------------------------------------------------------------- */

/* The path of the context `word`, whose pushes are `node`, and a push of it, or 0. */
static void need(struct hcct_image *image, uint64_t word, hcct_node node, uint64_t site)
{
    hcct_subset_need(&image->subset, hcct_context_id(word, hcct_prefix_at(node)->h), site);
}

/* What a node stands for. */
static void need_node(struct hcct_image *image, const struct hcct_prefix *node)
{
    if (node->kind == HCCT_PREFIX_THREAD)
        hcct_subset_need(&image->subset, hcct_threads_known((uint32_t)node->site).first, 0);
    else if (node->parent && node->kind == HCCT_PREFIX_PUSH)
        need(image, node->word, node->parent, node->site);
    else if (node->parent && (node->kind == HCCT_PREFIX_LEAF || node->kind == HCCT_PREFIX_PLACE))
        need(image, node->word, node->parent, 0);
}

/* The node and its ancestors get an index, unless they have one: ancestors first. */
static void add_node(struct hcct_image *image, hcct_node node)
{
    uint32_t count = 0;
    if (image->keeps_all)
        return;
    for (hcct_node at = node; at && !image->prefix_index[at]; at = hcct_prefix_at(at)->parent)
        image->pending[count++] = at;
    while (count) {
        hcct_node next = image->pending[--count];
        need_node(image, hcct_prefix_at(next));
        image->nodes[image->prefix_count++] = next;
        image->prefix_index[next] = image->prefix_count;
    }
}

static void add_context(struct hcct_image *image, uint64_t word, hcct_node node)
{
    if (node)
        need(image, word, node, 0);
    add_node(image, node);
}

static void add_all_nodes(struct hcct_image *image)
{
    for (hcct_node node = HCCT_NODE_ROOT; node < hcct_prefix_limit(); node++) {
        need_node(image, hcct_prefix_at(node));
        if (image->nodes) {
            image->nodes[image->prefix_count] = node;
            image->prefix_index[node] = image->prefix_count + 1;
        }
        image->prefix_count++;
    }
}

void hcct_rows_choose(struct hcct_image *image)
{
    struct hcct_entry entry;
    if (image->keeps_all)
        add_all_nodes(image);
    add_node(image, HCCT_NODE_ROOT);
    bool may_lack = !image->has_all && image->sum.floor && hcct_functions_are_known();
    if (may_lack)
        hcct_records_count_calls(image);
    for (size_t i = 0; next_entry(image, &i, &entry); i++) {
        add_context(image, entry.key, entry.node);
        image->entry_count++;
        if (may_lack && entry.node)
            hcct_records_take_calls(image, hcct_context_id(entry.key, hcct_prefix_at(entry.node)->h),
                                    entry.count - entry.error);
    }
    for (const struct hcct_pin *pin = NULL; image->pinned && (pin = hcct_pins_next(pin));) {
        add_context(image, pin->word, pin->node);
        image->pin_count++;
    }
}

/* --- prefixes --------------------------------------------------------------------------------------- */

static hcct_node node_at(const struct hcct_image *image, uint32_t index)
{
    return image->nodes ? image->nodes[index] : HCCT_NODE_ROOT + index;
}

/* The file's index of a node. */
static uint32_t index_of(const struct hcct_image *image, hcct_node node)
{
    if (!node)
        return HCCT_FILE_NONE;
    return image->prefix_index ? image->prefix_index[node] - 1 : node - HCCT_NODE_ROOT;
}

bool hcct_rows_have_node(const struct hcct_image *image, hcct_node node)
{
    return image->keeps_all || image->prefix_index[node];
}

static struct hcct_file_prefix prefix_at(const void *image, uint32_t index)
{
    const struct hcct_prefix *from = hcct_prefix_at(node_at(image, index));
    return (struct hcct_file_prefix){
        .word = from->word, .site = from->site, .parent = index_of(image, from->parent), .kind = from->kind
    };
}

static void sort_prefixes(struct hcct_image *image)
{
    const struct hcct_canonical_list list = { image->prefix_count, image, prefix_at };
    size_t count = image->prefix_count, bytes = (4 * count + 2) * sizeof(uint32_t);
    uint32_t *order = image->nodes ? hcct_memory_map(bytes) : NULL, *rank = order + count;
    if (!order)
        return;
    hcct_canonical_prefixes(&list, order, rank, rank + count);
    for (size_t i = 0; i < count; i++) /* from now on `order` has the nodes */
        order[i] = image->nodes[order[i]];
    for (size_t i = 0; i < count; i++)
        image->prefix_index[image->nodes[i]] = rank[i] + 1;
    memcpy(image->nodes, order, count * sizeof *order);
    hcct_memory_unmap(order, bytes);
}

static void write_prefixes(struct hcct_image *image)
{
    hcct_section_open_packed(&image->out, HCCT_FILE_PREFIXES, sizeof(struct hcct_file_prefix));
    for (uint32_t i = 0; i < image->prefix_count; i++) {
        struct hcct_file_prefix prefix = prefix_at(image, i), *out;
        if (prefix.kind == HCCT_PREFIX_THREAD)
            prefix.word = hcct_threads_known((uint32_t)prefix.site).key;
        if ((out = hcct_section_append(&image->out, sizeof prefix)))
            *out = prefix;
    }
    hcct_section_close(&image->out);
}

/* --- rows ------------------------------------------------------------------------------------------- */

static void fill_rows(const struct hcct_image *image, struct hcct_canonical_row *rows)
{
    struct hcct_entry entry;
    size_t count = 0;
    for (size_t i = 0; next_entry(image, &i, &entry); i++)
        rows[count++] = (struct hcct_canonical_row){ entry.key, index_of(image, entry.node), (uint32_t)i };
    for (const struct hcct_pin *pin = NULL; image->pinned && (pin = hcct_pins_next(pin));)
        rows[count++] = (struct hcct_canonical_row){ pin->word, index_of(image, pin->node), PIN };
}

static void sort_rows(struct hcct_image *image)
{
    size_t count = (size_t)image->entry_count + image->pin_count;
    image->rows = image->nodes ? hcct_memory_map((count + 1) * sizeof *image->rows) : NULL;
    if (!image->rows)
        return;
    fill_rows(image, image->rows);
    hcct_canonical_sort(image->rows, count);
}

/* A walk over the contexts of the file. Of a context that is pinned and has an entry, two rows are one. */
struct walk {
    size_t row, place;
    const struct hcct_pin *pin;
    bool has_begun;
    struct hcct_canonical_row now;
    uint32_t context; /* the index of `now` */
    bool is_new;      /* the first row of its context */
};

static bool next_row(const struct hcct_image *image, struct walk *walk)
{
    struct hcct_entry entry;
    if (image->rows) {
        if (walk->row == (size_t)image->entry_count + image->pin_count)
            return false;
        walk->now = image->rows[walk->row++];
        return true;
    }
    if (!walk->pin && next_entry(image, &walk->place, &entry)) {
        walk->now =
            (struct hcct_canonical_row){ entry.key, index_of(image, entry.node), (uint32_t)walk->place++ };
        return true;
    }
    walk->pin = image->pinned ? hcct_pins_next(walk->pin) : NULL;
    if (walk->pin)
        walk->now = (struct hcct_canonical_row){ walk->pin->word, index_of(image, walk->pin->node), PIN };
    return walk->pin;
}

static bool walk_on(const struct hcct_image *image, struct walk *walk)
{
    struct hcct_canonical_row before = walk->now;
    if (!next_row(image, walk))
        return false;
    walk->is_new = !walk->has_begun || !image->rows || walk->now.word != before.word ||
                   walk->now.prefix != before.prefix;
    walk->context += walk->has_begun && walk->is_new;
    walk->has_begun = true;
    return true;
}

/* The entry of a row that is one. */
static struct hcct_entry entry_of(const struct hcct_image *image, const struct walk *walk)
{
    struct hcct_entry entry = { .key = walk->now.word };
    size_t place = walk->now.place;
    hcct_sum_next(&image->sum, &place, &entry);
    return entry;
}

static void write_contexts(struct hcct_image *image)
{
    struct walk walk = { .row = 0 };
    hcct_section_open_packed(&image->out, HCCT_FILE_CONTEXTS, sizeof(struct hcct_file_context));
    while (walk_on(image, &walk)) {
        struct hcct_file_context *out = walk.is_new ? hcct_section_append(&image->out, sizeof *out) : NULL;
        if (out)
            *out = (struct hcct_file_context){ .word = walk.now.word, .prefix = walk.now.prefix };
        if (walk.now.place != PIN)
            hcct_sum_number(&image->sum, walk.now.place, walk.context);
        image->context_count = walk.context + 1;
    }
    hcct_section_close(&image->out);
}

/* --- columns ---------------------------------------------------------------------------------------- */

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
    const struct hcct_meter_columns *meter = hcct_rows_of_meter();
    if (meter && meter->mark)
        return meter->mark(meter->number(entry->key));
    bool has_trials = hcct_meter_is_sampled() && hcct_meter->file->observed;
    return has_trials ? hcct_meter->file->trials(entry->key, entry->count) : 0;
}

static void write_counts(struct hcct_image *image)
{
    const struct hcct_meter_columns *meter = hcct_rows_of_meter();
    struct hcct_file_column *column = begin_column(image, metric_name(), NULL, unit());
    column->guarantee = (uint16_t)guarantee(image->sum.floor);
    column->total = hcct_count_calls();
    column->floor = image->sum.floor;
    column->period = meter && meter->period ? meter->period() : 0;
    for (struct walk walk = { .row = 0 }; walk_on(image, &walk);) {
        if (walk.now.place == PIN)
            continue;
        struct hcct_entry entry = entry_of(image, &walk);
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
    for (struct walk walk = { .row = 0 }; image->numbers && walk_on(image, &walk);)
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
    for (struct walk walk = { .row = 0 }; of.has_cells && walk_on(image, &walk); row++) {
        struct hcct_file_cell cell = { .context = walk.context };
        uint32_t own = image->numbers ? image->numbers[row] : meter->number(walk.now.word);
        cell.count = walk.now.place == PIN ? 0 : meter->value(number, walk.now.word, own, &cell.mark);
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
    const struct hcct_meter_columns *meter = hcct_rows_of_meter();
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
    for (struct walk walk = { .row = 0 }; walk_on(image, &walk);)
        if (walk.now.place == PIN)
            write_cell(image, &(struct hcct_file_cell){ .context = walk.context, .count = 1 });
}

/* --- all -------------------------------------------------------------------------------------------- */

void hcct_rows_write(struct hcct_image *image, bool is_whole)
{
    sort_prefixes(image);
    sort_rows(image);
    write_prefixes(image);
    write_contexts(image);
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
