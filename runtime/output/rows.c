/* See rows.h. Sorting needs memory. Where that is short, all is written as the tables have it, in no order,
 * and a pin is a context of its own: readers sort it. */
#include "runtime/output/rows.h"

#include <string.h>

#include "encoding/context.h"
#include "runtime/base/memory.h"
#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/core/threads.h"
#include "runtime/count/functions.h"
#include "runtime/output/records.h"
#include "runtime/stack/pins.h"
#include "runtime/stack/prefix.h"

bool hcct_rows_open(struct hcct_image *image, uint32_t node_limit)
{
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
    return has_all || image->keeps_all;
}

void hcct_rows_close(struct hcct_image *image)
{
    size_t rows = (size_t)image->entry_count + image->pin_count + 1;
    hcct_memory_unmap(image->prefix_index, image->node_bytes);
    hcct_memory_unmap(image->nodes, image->node_bytes);
    hcct_memory_unmap(image->pending, image->node_bytes);
    hcct_memory_unmap(image->rows, rows * sizeof *image->rows);
}

/* --- entries ---------------------------------------------------------------------------------------- */

/* Entries at or below the floor are left out: of what is missing the file says that it has at most the
 * floor. With metric=heap an entry of 0 bytes may have blocks. */
static bool is_written(const struct hcct_image *image, const struct hcct_entry *entry)
{
    bool has_values = hcct_core_settings.metric == HCCT_METRIC_HEAP && !image->sum.floor;
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

bool hcct_rows_next_unsorted(const struct hcct_image *image, struct hcct_rows_walk *walk)
{
    struct hcct_entry entry;
    struct hcct_canonical_row *now = &walk->now;
    walk->context += walk->has_begun;
    walk->has_begun = walk->is_new = true;
    if (!walk->pin && next_entry(image, &walk->place, &entry)) {
        *now = (struct hcct_canonical_row){ entry.key, index_of(image, entry.node), (uint32_t)walk->place++ };
        return true;
    }
    walk->pin = image->pinned ? hcct_pins_next(walk->pin) : NULL;
    if (walk->pin)
        *now =
            (struct hcct_canonical_row){ walk->pin->word, index_of(image, walk->pin->node), HCCT_ROWS_PIN };
    return walk->pin;
}

/* A group is the rows of one prefix; those without one are the last group. */
static uint32_t group_of(const struct hcct_image *image, const struct hcct_canonical_row *row)
{
    return row->prefix == HCCT_FILE_NONE ? image->prefix_count : row->prefix;
}

/* Fills `rows` by group, as a counting sort does. Within a group they have the order of the tables. `ends`,
 * which is zero at first, gets where each group ends. */
static void fill_rows(struct hcct_image *image, uint32_t *ends)
{
    uint32_t sum = 0;
    for (struct hcct_rows_walk walk = { .row = 0 }; hcct_rows_next_unsorted(image, &walk);)
        ends[group_of(image, &walk.now)]++;
    for (uint32_t group = 0; group <= image->prefix_count; group++) { /* where it begins */
        uint32_t count = ends[group];
        ends[group] = sum;
        sum += count;
    }
    for (struct hcct_rows_walk walk = { .row = 0 }; hcct_rows_next_unsorted(image, &walk);)
        image->rows[ends[group_of(image, &walk.now)]++] = walk.now;
}

static void sort_rows(struct hcct_image *image)
{
    size_t bytes = ((size_t)image->prefix_count + 1) * sizeof(uint32_t);
    image->row_count = (size_t)image->entry_count + image->pin_count;
    uint32_t *ends = image->nodes ? hcct_memory_map(bytes) : NULL, begin = 0;
    image->rows = ends ? hcct_memory_map((image->row_count + 1) * sizeof *image->rows) : NULL;
    if (image->rows)
        fill_rows(image, ends);
    for (uint32_t group = 0; image->rows && group <= image->prefix_count; begin = ends[group++])
        if (ends[group] - begin > 1)
            hcct_canonical_sort(image->rows + begin, ends[group] - begin);
    hcct_memory_unmap(ends, bytes);
}

struct hcct_entry hcct_rows_entry(const struct hcct_image *image, const struct hcct_rows_walk *walk)
{
    struct hcct_entry entry = { .key = walk->now.word };
    size_t place = walk->now.place;
    hcct_sum_next(&image->sum, &place, &entry);
    return entry;
}

static void write_contexts(struct hcct_image *image)
{
    struct hcct_rows_walk walk = { .row = 0 };
    hcct_section_open_packed(&image->out, HCCT_FILE_CONTEXTS, sizeof(struct hcct_file_context));
    while (hcct_rows_next(image, &walk)) {
        struct hcct_file_context *out = walk.is_new ? hcct_section_append(&image->out, sizeof *out) : NULL;
        if (out)
            *out = (struct hcct_file_context){ .word = walk.now.word, .prefix = walk.now.prefix };
        if (walk.now.place != HCCT_ROWS_PIN)
            hcct_sum_number(&image->sum, walk.now.place, walk.context);
    }
    hcct_section_close(&image->out);
}

void hcct_rows_write(struct hcct_image *image)
{
    sort_prefixes(image);
    sort_rows(image);
    write_prefixes(image);
    write_contexts(image);
}
