/* See line_table.h. */
#include "decoder/report/line_table.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"

/* --- names ------------------------------------------------------------------------------------------- */

/* The same text for equal names. */
static const char *keep(struct hcct_line_table *table, char *name)
{
    for (uint32_t i = 0; i < table->name_count; i++)
        if (!strcmp(table->names[i], name)) {
            free(name);
            return table->names[i];
        }
    hcct_memory_grow(&table->names, &table->name_capacity, table->name_count, sizeof name);
    return table->names[table->name_count++] = name;
}

static const char *inlined_name(struct hcct_line_table *table, const struct hcct_frames *frames,
                                const struct hcct_source_line *line, enum hcct_names names)
{
    if (!line->inlined_count)
        return NULL;
    const struct hcct_source_frame *inlined = &line->inlined[0];
    const char *linkage = *inlined->linkage ? inlined->linkage : inlined->source;
    return keep(table, hcct_symbol_display(linkage, inlined->source, names, hcct_frames_ellipsis(frames)));
}

/* --- lines ------------------------------------------------------------------------------------------- */

static bool same_line(const void *array, uint32_t index, const void *key)
{
    const struct hcct_line *a = (const struct hcct_line *)array + index, *b = key;
    return a->line == b->line && a->inlined == b->inlined && a->function == b->function &&
           a->own_line == b->own_line && !strcmp(a->file, b->file) &&
           (a->own_file == b->own_file || (a->own_file && b->own_file && !strcmp(a->own_file, b->own_file)));
}

static void add(struct hcct_line_table *table, const struct hcct_line *key, uint64_t low, uint64_t error)
{
    uint64_t hash = hcct_hash_step(key->line, (uintptr_t)key->function);
    hash = hcct_hash_text(hash, key->file, strlen(key->file));
    uint32_t found = hcct_table_find(&table->table, (uint32_t)hash, same_line, table->lines, key);
    if (found == HCCT_TABLE_NONE) {
        hcct_memory_grow(&table->lines, &table->capacity, table->count, sizeof *key);
        hcct_memory_add(&table->table, (uint32_t)hash, table->count);
        found = table->count++;
        table->lines[found] = *key;
    }
    struct hcct_line *line = &table->lines[found];
    line->count = hcct_sum(line->count, low);
    line->error = hcct_sum(line->error, error);
}

static int compare(const void *left, const void *right)
{
    const struct hcct_line *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    int by = strcmp(a->file, b->file);
    by = by ? by : hcct_tree_order(a->line, b->line);
    by = by ? by : strcmp(a->function->name, b->function->name);
    by = by ? by : strcmp(a->inlined ? a->inlined : "", b->inlined ? b->inlined : "");
    by = by ? by : strcmp(a->own_file ? a->own_file : "", b->own_file ? b->own_file : "");
    return by ? by : hcct_tree_order(a->own_line, b->own_line);
}

/* The function that the spot is in: a library's has been called there. */
static uint32_t function_of(const struct hcct_tree *tree, const struct hcct_frames *frames, uint32_t node)
{
    const struct hcct_tree_node *nodes = tree->nodes;
    bool is_library =
        frames->frames[nodes[node].frame].kind == HCCT_FRAME_EXTERNAL && nodes[node].parent != HCCT_NODE_NONE;
    return nodes[is_library ? nodes[node].parent : node].frame;
}

static char *make_label(const struct hcct_line *line)
{
    struct hcct_text text = { 0 };
    if (line->line)
        hcct_text_print(&text, "%s:%u  ", hcct_text_base_name(line->file), line->line);
    else
        hcct_text_add_string(&text, "(no line)  ");
    if (line->inlined)
        hcct_text_print(&text, "%s, inlined in ", line->inlined);
    hcct_text_add_string(&text, line->function->name);
    if (line->own_line)
        hcct_text_print(&text, " at %s:%u", hcct_text_base_name(line->own_file), line->own_line);
    return text.bytes;
}

/* The line of a place, without function and counts. */
static struct hcct_line line_of(struct hcct_line_table *table, const struct hcct_frames *frames,
                                const struct hcct_source_line *place, enum hcct_names names)
{
    struct hcct_line line = { .file = place->file,
                              .line = place->line,
                              .inlined = inlined_name(table, frames, place, names) };
    if (place->inlined_count) {
        const struct hcct_source_frame *outermost = &place->inlined[place->inlined_count - 1];
        line.own_file = outermost->call_file;
        line.own_line = outermost->call_line;
    }
    return line;
}

/* Of a node's own count, what no spot has. */
static uint64_t without_spots(const struct hcct_tree *tree, uint32_t node)
{
    uint64_t left = hcct_tree_low(&tree->nodes[node]);
    for (uint32_t i = hcct_tree_first_spot(tree, node); i < tree->spot_count && tree->spots[i].node == node;
         i++) {
        uint64_t low = hcct_claim_low(tree->spots[i].count, tree->spots[i].error);
        left -= low < left ? low : left;
    }
    return left;
}

/* The line that called the library, in whose code the context ends; nothing, if it is not known. */
static struct hcct_line line_of_call(const struct hcct_tree *tree, struct hcct_frames *frames, uint32_t node,
                                     enum hcct_names names)
{
    const struct hcct_tree_node *nodes = tree->nodes;
    uint32_t at = node, caller = nodes[node].parent;
    while (caller != HCCT_NODE_NONE && frames->frames[nodes[caller].frame].kind == HCCT_FRAME_EXTERNAL) {
        at = caller;
        caller = nodes[at].parent;
    }
    if (caller == HCCT_NODE_NONE || nodes[at].site == HCCT_FRAMES_NONE || !frames->sites[nodes[at].site].line)
        return (struct hcct_line){ .line = 0 };
    const struct hcct_tree_site *site = &frames->sites[nodes[at].site];
    struct hcct_line line = { .file = site->file, .line = site->line };
    while (frames->frames[nodes[caller].frame].kind == HCCT_FRAME_INLINED &&
           nodes[caller].parent != HCCT_NODE_NONE) {
        hcct_frames_name(frames, nodes[caller].frame, names);
        line.inlined = line.inlined ? line.inlined : frames->frames[nodes[caller].frame].name;
        if (nodes[caller].site != HCCT_FRAMES_NONE) {
            line.own_file = frames->sites[nodes[caller].site].file;
            line.own_line = frames->sites[nodes[caller].site].line;
        }
        caller = nodes[caller].parent;
    }
    hcct_frames_name(frames, nodes[caller].frame, names);
    line.function = &frames->frames[nodes[caller].frame];
    return line;
}

static void add_calls(struct hcct_line_table *table, const struct hcct_tree *tree, struct hcct_frames *frames,
                      enum hcct_names names)
{
    for (uint32_t i = 0; i < tree->node_count; i++) {
        bool is_library = frames->frames[tree->nodes[i].frame].kind == HCCT_FRAME_EXTERNAL;
        uint64_t count = is_library ? without_spots(tree, i) : 0;
        struct hcct_line line =
            count ? line_of_call(tree, frames, i, names) : (struct hcct_line){ .line = 0 };
        if (!line.line)
            continue;
        line.inlined = line.inlined ? keep(table, hcct_memory_print("%s", line.inlined)) : NULL;
        add(table, &line, count, tree->spot_count ? 0 : tree->nodes[i].error);
    }
}

void hcct_line_table_open(struct hcct_line_table *table, const struct hcct_tree *tree,
                          struct hcct_frames *frames, enum hcct_names names, bool by_caller)
{
    *table = (struct hcct_line_table){ .lines = NULL };
    hcct_place_lines_open(&table->places, tree, frames);
    struct hcct_line *known = hcct_memory_zeros(frames->place_count, sizeof *known); /* by place */
    for (uint32_t i = 0; i < tree->spot_count; i++) {
        const struct hcct_tree_spot *spot = &tree->spots[i];
        struct hcct_line *line = &known[spot->place];
        uint32_t function = function_of(tree, frames, spot->node);
        if (!line->file)
            *line = line_of(table, frames, &table->places.lines[spot->place], names);
        hcct_frames_name(frames, function, names);
        line->function = &frames->frames[function];
        add(table, line, hcct_claim_low(spot->count, spot->error), spot->error);
    }
    free(known);
    if (by_caller)
        add_calls(table, tree, frames, names);
    if (table->count)
        qsort(table->lines, table->count, sizeof *table->lines, compare);
    for (uint32_t i = 0; i < table->count; i++)
        table->lines[i].label = make_label(&table->lines[i]);
}

void hcct_line_table_close(struct hcct_line_table *table)
{
    for (uint32_t i = 0; i < table->count; i++)
        free(table->lines[i].label);
    for (uint32_t i = 0; i < table->name_count; i++)
        free(table->names[i]);
    free(table->names);
    free(table->lines);
    hcct_table_free(&table->table);
    hcct_place_lines_close(&table->places);
    *table = (struct hcct_line_table){ .lines = NULL };
}
