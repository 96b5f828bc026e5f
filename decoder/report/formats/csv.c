/* The format `csv`: a row for each node of the tree, depth first, by RFC 4180; for spreadsheets, R, pandas
 * and the like. The first line is a single field with facts about the profile; the second one names the
 * columns. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/report/facts.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/formats/function_table.h"
#include "decoder/report/layout.h"
#include "decoder/report/node.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"
#include "decoder/tree/frames.h"
#include "format/names.h"

static void print_facts(FILE *out, const struct hcct_report *report)
{
    struct hcct_facts facts;
    struct hcct_text line = { 0 };
    hcct_facts_make(&facts, report);
    for (int i = 0; i < HCCT_FACT_COUNT; i++)
        hcct_text_print(&line, "%s%s: %s", i ? "; " : "# ", facts.items[i].key, facts.items[i].text);
    hcct_escape_csv(out, line.bytes);
    fputs("\r\n", out);
    free(line.bytes);
}

static void print_site(FILE *out, const struct hcct_report *report, const struct hcct_tree_site *site)
{
    putc_unlocked(',', out);
    if (site)
        hcct_escape_csv(out, site->file);
    putc_unlocked(',', out);
    if (site && site->line)
        fprintf(out, "%u", site->line);
    putc_unlocked(',', out);
    bool exact = site && report->by < HCCT_BY_LINE; /* by line a site stands for several */
    if (exact && site->column)
        fprintf(out, "%u", site->column);
    putc_unlocked(',', out);
    if ((exact && !site->inlines) || (site && !site->line)) /* without a line only the id tells sites apart */
        fprintf(out, "0x%016" PRIx64, site->id);
}

static void print_row(FILE *out, const struct hcct_report *report, const struct hcct_layout *layout,
                      uint32_t index, const uint32_t *number)
{
    const struct hcct_tree_node *node = &report->tree->nodes[index];
    const struct hcct_tree_frame *frame = &report->frames->frames[node->frame];
    bool counted = node->flags & HCCT_NODE_COUNTED;
    char name[HCCT_TREE_TEXT_BYTES];
    fprintf(out, "%u,", number[index]);
    if (node->parent != HCCT_NODE_NONE)
        fprintf(out, "%u", number[node->parent]);
    fprintf(out, ",%u,", layout->depth[index]);
    hcct_escape_csv(out, hcct_node_name(report, node, name));
    fprintf(out, ",%s,", hcct_kind_names[frame->kind]);
    if (counted)
        fprintf(out, "%" PRIu64 ",%" PRIu64, node->count, node->error);
    else
        putc_unlocked(',', out);
    fprintf(out, ",%" PRIu64 ",%d,", layout->inclusive[index], !!(node->flags & HCCT_NODE_HOT));
    hcct_escape_csv(out, frame->linkage);
    putc_unlocked(',', out);
    hcct_escape_csv(out, frame->file);
    putc_unlocked(',', out);
    if (frame->line)
        fprintf(out, "%u", frame->line);
    print_site(out, report, hcct_node_site(report, node));
    fprintf(out, ",%" PRIu64 "\r\n", layout->error[index]);
}

static void print(FILE *out, const struct hcct_report *report)
{
    uint32_t node_count = report->tree->node_count;
    struct hcct_layout layout;
    uint32_t *number = hcct_memory_array(node_count, sizeof *number);
    hcct_layout_open(&layout, report);
    print_facts(out, report);
    fprintf(out,
            "node,parent,depth,function,kind,%s,error,inclusive,hot,linkage,file,line,"
            "site_file,site_line,site_column,site_id,inclusive_error\r\n",
            report->summary->ground.metric);
    for (uint32_t i = 0; i < node_count; i++)
        number[layout.order[i]] = i + 1;
    for (uint32_t i = 0; i < node_count && !ferror(out); i++)
        print_row(out, report, &layout, layout.order[i], number);
    hcct_layout_close(&layout);
    free(number);
}

const struct hcct_report_format hcct_format_csv = {
    .name = "csv",
    .print = print,
    .print_table = hcct_function_table_print,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_FULL,
};
