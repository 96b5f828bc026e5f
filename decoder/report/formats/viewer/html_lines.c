/* See html_lines.h. */
#include "decoder/report/formats/viewer/html_lines.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/names/symbol.h"
#include "decoder/report/node.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"

/* Writes the files that have lines. Returns the number of each place's. */
static uint32_t *write_files(struct hcct_html *page)
{
    struct hcct_json *json = &page->json;
    uint32_t place_count = page->report->frames->place_count, count = 0, capacity = 0;
    uint32_t *number = hcct_memory_array(place_count, sizeof *number);
    const char **files = NULL;
    hcct_json_break(json);
    hcct_json_array(json, "line_files", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < place_count; i++) {
        const char *file = page->places.lines[i].file;
        for (number[i] = 0; number[i] < count && strcmp(files[number[i]], file) != 0;)
            number[i]++;
        if (number[i] < count)
            continue;
        hcct_memory_grow(&files, &capacity, count, sizeof *files);
        files[count++] = file;
        hcct_json_text(json, NULL, file);
    }
    hcct_json_end(json);
    free(files);
    return number;
}

/* "swap at sort.c:12": what is inlined there, and where its function has it in its own code. */
static void write_inlined(struct hcct_html *page, const struct hcct_source_line *place)
{
    const struct hcct_source_frame *inlined = place->inlined,
                                   *outermost = &place->inlined[place->inlined_count - 1];
    char *name = hcct_symbol_display(*inlined->linkage ? inlined->linkage : inlined->source, inlined->source,
                                     HCCT_NAMES_SHORT, hcct_frames_ellipsis(page->report->frames));
    struct hcct_text text = { 0 };
    hcct_text_add_string(&text, name);
    if (outermost->call_line)
        hcct_text_print(&text, " at %s:%u", hcct_text_base_name(outermost->call_file), outermost->call_line);
    hcct_json_text(&page->json, NULL, text.bytes);
    free(text.bytes);
    free(name);
}

static void write_spot(struct hcct_html *page, const struct hcct_tree_spot *spot, uint32_t file)
{
    const struct hcct_report *report = page->report;
    const struct hcct_tree_node *node = &report->tree->nodes[spot->node];
    const struct hcct_source_line *place = &page->places.lines[spot->place];
    struct hcct_json *json = &page->json;
    bool is_library =
        report->frames->frames[node->frame].kind == HCCT_FRAME_EXTERNAL && node->parent != HCCT_NODE_NONE;
    char buffer[HCCT_TREE_TEXT_BYTES];
    hcct_json_array(json, NULL, HCCT_JSON_DENSE);
    hcct_json_unsigned(json, NULL, page->line_of[is_library ? node->parent : spot->node]);
    hcct_json_unsigned(json, NULL, file);
    hcct_json_unsigned(json, NULL, place->line);
    if (is_library) {
        hcct_json_text(json, NULL, hcct_node_name(report, node, buffer));
    } else if (place->inlined_count) {
        write_inlined(page, place);
    } else {
        hcct_json_text(json, NULL, "");
    }
    hcct_json_unsigned(json, NULL, hcct_claim_low(spot->count, spot->error));
    hcct_json_end(json);
}

void hcct_html_lines(struct hcct_html *page)
{
    const struct hcct_tree *tree = page->report->tree;
    if (!tree->spot_count)
        return;
    uint32_t *file = write_files(page);
    hcct_json_break(&page->json);
    hcct_json_array(&page->json, "lines", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < tree->spot_count && !ferror(page->json.out); i++)
        if (page->places.lines[tree->spots[i].place].line)
            write_spot(page, &tree->spots[i], file[tree->spots[i].place]);
    hcct_json_end(&page->json);
    free(file);
}
