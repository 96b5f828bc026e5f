/* Lines of source for the page, see html_source.h. A place is a line that a hot context names, or one of
 * samples; the hottest places are chosen, then put in the order of files and lines, where places that
 * overlap become one range. */
#include "decoder/report/formats/viewer/html_source.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/report/node.h"
#include "decoder/report/source_file.h"
#include "decoder/text/memory.h"

/* Pages are to stay small enough for mail: 1 MB at the most, with lines of 35 letters on average, which is
 * more than most code has. Longer lines are cut, and where lines are very long the last files go without. */
#define PLACE_LIMIT 2000
#define BYTES_LIMIT (1 << 20)
#define LINE_BYTES_LIMIT 300

/* source.js shows that many lines around a place. */
enum { CALL_BEFORE = 4, CALL_AFTER = 4, DEFINITION_BEFORE = 2, DEFINITION_AFTER = 12, LINE_AROUND = 4 };

struct place {
    const char *file;
    uint32_t first, last; /* lines */
    uint64_t weight;      /* what is counted there and below */
};

struct collector {
    struct place *places;
    uint32_t count, capacity;
};

static void add_place(struct collector *collector, const char *file, uint32_t line, uint32_t before,
                      uint32_t after, uint64_t weight)
{
    if (!line || !*file)
        return;
    hcct_memory_grow(&collector->places, &collector->capacity, collector->count, sizeof *collector->places);
    collector->places[collector->count++] = (struct place){ .file = file,
                                                            .first = line > before ? line - before : 1,
                                                            .last = line + after < line ? line : line + after,
                                                            .weight = weight };
}

static void add_node(struct collector *collector, const struct hcct_html *page, uint32_t node)
{
    const struct hcct_tree_node *it = &page->report->tree->nodes[node];
    const struct hcct_tree_frame *frame = &page->report->frames->frames[it->frame];
    const struct hcct_tree_site *site = hcct_node_site(page->report, it);
    uint64_t weight = page->layout.inclusive[node];
    if (site)
        add_place(collector, site->file, site->line, CALL_BEFORE, CALL_AFTER, weight);
    add_place(collector, frame->file, frame->line, DEFINITION_BEFORE, DEFINITION_AFTER, weight);
}

/* The places of hot contexts, and of their callers. */
static void collect(struct collector *collector, const struct hcct_html *page)
{
    const struct hcct_tree *tree = page->report->tree;
    bool *wanted = hcct_memory_zeros(tree->node_count, sizeof *wanted);
    for (uint32_t i = tree->node_count; i--;) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        wanted[i] |= node->flags & HCCT_NODE_HOT;
        if (wanted[i] && node->parent != HCCT_NODE_NONE)
            wanted[node->parent] = true;
        if (wanted[i])
            add_node(collector, page, i);
    }
    free(wanted);
    for (uint32_t i = 0; i < tree->spot_count; i++) {
        const struct hcct_source_line *place = &page->places.lines[tree->spots[i].place];
        add_place(collector, place->file, place->line, LINE_AROUND, LINE_AROUND, tree->spots[i].count);
    }
}

static int compare_place(const struct place *a, const struct place *b)
{
    int by = strcmp(a->file, b->file);
    return by                    ? by
           : a->first < b->first ? -1
           : a->first > b->first ? 1
           : a->last < b->last   ? -1
                                 : a->last > b->last;
}

static int by_place(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    int by = compare_place(a, b);
    return by ? by : a->weight > b->weight ? -1 : a->weight < b->weight;
}

static int by_weight(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    return a->weight != b->weight ? (a->weight > b->weight ? -1 : 1) : compare_place(a, b);
}

/* Leaves the hottest places, each once. */
static void choose(struct collector *collector)
{
    uint32_t left = 0;
    qsort(collector->places, collector->count, sizeof *collector->places, by_place);
    for (uint32_t i = 0; i < collector->count; i++)
        if (!left || compare_place(&collector->places[left - 1], &collector->places[i]))
            collector->places[left++] = collector->places[i];
    qsort(collector->places, left, sizeof *collector->places, by_weight);
    collector->count = left < PLACE_LIMIT ? left : PLACE_LIMIT;
    qsort(collector->places, collector->count, sizeof *collector->places, by_place);
}

/* --- writing ---------------------------------------------------------------------------------------- */

/* Copies what there is room for, with spaces for tabs. Returns the bytes written. */
static size_t copy_line(char text[LINE_BYTES_LIMIT + 1], const char *line, size_t length)
{
    enum { TAB = 8 };
    size_t used = 0;
    for (size_t i = 0; i < length && used < LINE_BYTES_LIMIT; i++) {
        text[used++] = line[i] == '\t' ? ' ' : line[i];
        while (line[i] == '\t' && used % TAB && used < LINE_BYTES_LIMIT)
            text[used++] = ' ';
    }
    text[used] = 0;
    return used;
}

/* Writes the lines of a range. Returns their bytes. */
static size_t write_lines(struct hcct_json *json, const struct hcct_source_file *file, uint32_t first,
                          uint32_t last)
{
    size_t length, bytes = 0;
    char text[LINE_BYTES_LIMIT + 1];
    const char *at;
    for (uint32_t line = first; line <= last && (at = hcct_source_file_line(file, line, &length)); line++) {
        bytes += copy_line(text, at, length);
        hcct_json_text(json, NULL, text);
    }
    return bytes;
}

static void write_ranges(struct hcct_json *json, const struct collector *collector)
{
    struct hcct_source_file file = { .path = NULL };
    size_t bytes = 0, ignored;
    for (uint32_t i = 0; i < collector->count && bytes < BYTES_LIMIT && !ferror(json->out);) {
        struct place range = collector->places[i++];
        while (i < collector->count && !strcmp(collector->places[i].file, range.file) &&
               collector->places[i].first <= range.last + 1) {
            if (collector->places[i].last > range.last)
                range.last = collector->places[i].last;
            i++;
        }
        hcct_source_file_read(&file, range.file);
        if (!hcct_source_file_line(&file, range.first, &ignored))
            continue;
        hcct_json_array(json, NULL, HCCT_JSON_WORDS);
        hcct_json_text(json, NULL, range.file);
        hcct_json_unsigned(json, NULL, range.first);
        hcct_json_array(json, NULL, HCCT_JSON_DENSE);
        bytes += write_lines(json, &file, range.first, range.last);
        hcct_json_end(json);
        hcct_json_end(json);
    }
    hcct_source_file_close(&file);
}

void hcct_html_source(struct hcct_html *page)
{
    struct collector collector = { .places = NULL };
    collect(&collector, page);
    if (collector.count)
        choose(&collector);
    hcct_json_break(&page->json);
    hcct_json_array(&page->json, "sources", HCCT_JSON_LINES);
    write_ranges(&page->json, &collector);
    hcct_json_end(&page->json);
    free(collector.places);
}
