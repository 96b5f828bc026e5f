/* The format `folded`: "main;f;g COUNT", a line for each path, in the order of the bytes of the path.
 * Programs that draw flame graphs read it.
 *
 * Equal texts are one line: the tree is first merged by name, then walked in the order of the texts
 * (walk.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/report/formats/formats.h"
#include "decoder/report/report.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"
#include "decoder/tree/other.h"
#include "decoder/tree/view.h"
#include "decoder/tree/walk.h"

/* The name with everything escaped that has a meaning in the format. */
static char *escape(const char *name)
{
    struct hcct_text text = { 0 };
    hcct_escape_add(&text, HCCT_TEXT_FOLDED, name);
    return text.bytes;
}

/* Makes a tree with a node for each text of a path. Its count is the sum of the selected ones. */
static void merge_lines(const struct hcct_report *report, struct hcct_tree *lines)
{
    const struct hcct_tree *tree = report->tree;
    uint32_t *group = hcct_memory_array(report->frames->frame_count, sizeof *group);
    uint32_t *map = hcct_memory_array(tree->node_count, sizeof *map);
    hcct_frames_group_by_name(report->frames, group);
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        bool repeat = report->frames->frames[node->frame].kind == HCCT_FRAME_REPEAT;
        map[i] = hcct_tree_child(lines, node->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE : map[node->parent],
                                 group[node->frame], repeat ? node->site : HCCT_FRAMES_NONE);
        if (node->flags & HCCT_NODE_SELECTED)
            hcct_tree_add(&lines->nodes[map[i]], node);
    }
    free(group);
    free(map);
}

/* Keeps the N hottest lines. What the others have goes to the [other] of what is left. */
static void keep_top(const struct hcct_report *report, struct hcct_tree *lines, const char *const *texts)
{
    const uint32_t passing = HCCT_NODE_SELECTED | HCCT_NODE_KEPT;
    for (uint32_t i = 0; i < lines->node_count; i++)
        if (report->frames->frames[lines->nodes[i].frame].kind == HCCT_FRAME_OTHER)
            lines->nodes[i].flags &= ~passing;
    hcct_view_top(lines, report->frames, texts, report->options->top_count);
    for (uint32_t i = 0; i < lines->node_count; i++)
        lines->nodes[i].flags &= ~(uint32_t)HCCT_NODE_KEPT;
    hcct_view_keep(lines);
    hcct_other_add(lines, report->frames, (struct hcct_other_totals){ 0 }, HCCT_OTHER_BELOW_SELECTED);
}

struct printer {
    FILE *out;
    const struct hcct_frames *frames;
    const struct hcct_tree *lines;
    const char *const *texts;
    struct hcct_text path; /* of the node whose children are walked, a ';' behind each frame */
};

static void print_step(struct printer *printer, enum hcct_walk_step step, uint32_t node)
{
    const struct hcct_tree_node *line = &printer->lines->nodes[node];
    char buffer[HCCT_TREE_TEXT_BYTES];
    const char *text = hcct_tree_text(printer->frames, line, printer->texts, buffer);
    switch (step) {
    case HCCT_WALK_ENTER:
        hcct_text_add_string(&printer->path, text);
        hcct_text_add_string(&printer->path, ";");
        break;
    case HCCT_WALK_LEAVE:
        printer->path.length -= strlen(text) + 1;
        break;
    default:
        if (!(line->flags & HCCT_NODE_SELECTED))
            break;
        if (printer->path.length)
            fwrite(printer->path.bytes, 1, printer->path.length, printer->out);
        fprintf(printer->out, "%s %" PRIu64 "\n", text, hcct_tree_low(line));
    }
}

static void print_lines(FILE *out, const struct hcct_report *report, const struct hcct_tree *lines,
                        const char *const *texts)
{
    struct printer printer = { .out = out, .frames = report->frames, .lines = lines, .texts = texts };
    struct hcct_walk walk;
    uint32_t node;
    hcct_walk_open(&walk, lines, report->frames, texts);
    for (enum hcct_walk_step step; (step = hcct_walk_next(&walk, &node)) != HCCT_WALK_END && !ferror(out);)
        print_step(&printer, step, node);
    free(printer.path.bytes);
    hcct_walk_close(&walk);
}

static void print(FILE *out, const struct hcct_report *report)
{
    uint32_t frame_count = report->frames->frame_count;
    char **texts = hcct_memory_zeros(frame_count, sizeof *texts);
    struct hcct_tree lines = { 0 };
    for (uint32_t i = 0; i < frame_count; i++)
        if (report->frames->frames[i].name)
            texts[i] = escape(report->frames->frames[i].name);
    merge_lines(report, &lines);
    if (report->options->top_count)
        keep_top(report, &lines, (const char *const *)texts);
    print_lines(out, report, &lines, (const char *const *)texts);
    for (uint32_t i = 0; i < frame_count; i++)
        free(texts[i]);
    free(texts);
    hcct_tree_free(&lines);
}

const struct hcct_report_format hcct_format_folded = {
    .name = "folded",
    .print = print,
    .by = HCCT_BY_FUNCTION,
    .names = HCCT_NAMES_FULL,
    .shape = HCCT_SHAPE_PATHS,
    .medium = HCCT_MEDIUM_LINES,
};
