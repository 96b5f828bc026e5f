/* The format `html`: one page with everything in it, for any browser, without a network. In viewer/page.html
 * the style, the profile as JSON and the scripts replace @STYLE@, @DATA@ and @SCRIPT@.
 *
 * The viewer is 700 lines of our own. Libraries for flame graphs make a page element for each box, and with
 * 50,000 boxes a zoom takes seconds (bench/viewer.py); ours draws what can be seen on a canvas. It also
 * spares builds the network, and others' licences. The files are part of the program (.incbin), so that it
 * works wherever it is installed. */
#include "decoder/report/formats/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/report/amount.h"
#include "decoder/report/facts.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/frame_list.h"
#include "decoder/report/layout.h"
#include "decoder/report/node.h"
#include "decoder/text/escape.h"
#include "decoder/tree/frames.h"
#include "format/names.h"

/* The assembler searches the include path for files, as the preprocessor does. */
#define VIEWER "decoder/report/formats/viewer/"
#define EMBED(name, file)                                                                                    \
    __asm__(".pushsection .rodata\n.globl hcct_viewer_" #name "\n.hidden hcct_viewer_" #name                 \
            "\nhcct_viewer_" #name ":\n.incbin \"" VIEWER file "\"\n.byte 0\n.popsection");                  \
    extern const char hcct_viewer_##name[] __attribute__((visibility("hidden")))

EMBED(page, "page.html");
EMBED(style, "style.css");
EMBED(model, "model.js");
EMBED(flame, "flame.js");
EMBED(tree, "tree.js");
EMBED(script, "page.js");

/* --- the profile ---------------------------------------------------------------------------------- */

void hcct_html_facts(struct hcct_json *json, const struct hcct_report *report)
{
    struct hcct_facts facts;
    hcct_facts_make(&facts, report);
    hcct_facts_write(json, "facts", &facts);
}

void hcct_html_metric(struct hcct_json *json, const struct hcct_summary *summary)
{
    hcct_json_break(json);
    hcct_json_text(json, "metric", hcct_metric_titles[summary->metric]);
    hcct_json_text(json, "unit", summary->unit);
    hcct_json_unsigned(json, "decimals", (uint64_t)hcct_amount_decimals(summary));
}

static void write_head(struct hcct_html *page)
{
    const struct hcct_report *report = page->report;
    const struct hcct_summary *it = report->summary;
    struct hcct_json *json = &page->json;
    hcct_html_facts(json, report);
    hcct_html_metric(json, it);
    hcct_json_break(json);
    hcct_json_unsigned(json, "calls", it->calls);
    hcct_json_unsigned(json, "contexts", it->context_count);
    hcct_json_unsigned(json, "hot_contexts", report->hot_contexts);
    hcct_json_printf(json, "phi", "%.17g", report->phi);
    hcct_json_printf(json, "epsilon", "%.17g", it->epsilon);
    hcct_json_bool(json, "lost", !hcct_summary_is_sound(it));
}

static void write_frames(struct hcct_html *page)
{
    struct hcct_json *json = &page->json;
    hcct_json_break(json);
    hcct_json_array(json, "frames", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < page->frames.count; i++) {
        const struct hcct_tree_node *node = &page->report->tree->nodes[page->frames.node[i]];
        const struct hcct_tree_frame *frame = &page->report->frames->frames[node->frame];
        char name[HCCT_TREE_TEXT_BYTES];
        hcct_json_array(json, NULL, HCCT_JSON_WORDS);
        hcct_json_text(json, NULL, hcct_node_name(page->report, node, name));
        hcct_json_text(json, NULL, frame->linkage);
        hcct_json_text(json, NULL, frame->file);
        hcct_json_unsigned(json, NULL, frame->line);
        hcct_json_text(json, NULL, hcct_kind_names[frame->kind]);
        hcct_json_end(json);
    }
    hcct_json_end(json);
}

static void write_sites(struct hcct_html *page)
{
    struct hcct_json *json = &page->json;
    const struct hcct_report *report = page->report;
    bool columns = report->by < HCCT_BY_LINE;
    hcct_json_break(json);
    hcct_json_array(json, "sites", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < report->tree->node_count && !ferror(json->out); i++) {
        const struct hcct_tree_node *node = &report->tree->nodes[i];
        const struct hcct_tree_site *site = hcct_node_site(report, node);
        if (!site || page->site_number[node->site] != HCCT_FRAMES_NONE)
            continue;
        hcct_json_array(json, NULL, HCCT_JSON_WORDS);
        hcct_json_text(json, NULL, site->file);
        hcct_json_unsigned(json, NULL, site->line);
        hcct_json_unsigned(json, NULL, columns ? site->column : 0);
        hcct_json_unsigned(json, NULL, site->ordinal);
        hcct_json_end(json);
        page->site_number[node->site] = page->site_count++;
    }
    hcct_json_end(json);
}

static void write_parent(struct hcct_html *page, uint32_t node)
{
    uint32_t parent = page->report->tree->nodes[node].parent;
    hcct_json_index(&page->json, NULL, parent == HCCT_NODE_NONE ? parent : page->line_of[parent]);
}

static void write_frame(struct hcct_html *page, uint32_t node)
{
    hcct_json_unsigned(&page->json, NULL, page->frames.number[node]);
}

static void write_site(struct hcct_html *page, uint32_t node)
{
    const struct hcct_tree_node *it = &page->report->tree->nodes[node];
    bool has_one = hcct_node_site(page->report, it);
    hcct_json_index(&page->json, NULL, has_one ? page->site_number[it->site] : HCCT_FRAMES_NONE);
}

static void write_count(struct hcct_html *page, uint32_t node)
{
    const struct hcct_tree_node *it = &page->report->tree->nodes[node];
    hcct_html_count(&page->json, it->flags & HCCT_NODE_COUNTED, it->count);
}

static void write_error(struct hcct_html *page, uint32_t node)
{
    hcct_json_unsigned(&page->json, NULL, hcct_node_error(&page->report->tree->nodes[node]));
}

static void write_hot(struct hcct_html *page, uint32_t node)
{
    hcct_json_unsigned(&page->json, NULL, page->report->tree->nodes[node].flags & HCCT_NODE_HOT ? 1 : 0);
}

void hcct_html_count(struct hcct_json *json, bool is_counted, uint64_t count)
{
    if (is_counted)
        hcct_json_unsigned(json, NULL, count);
    else
        hcct_json_index(json, NULL, HCCT_NODE_NONE);
}

/* Columns of the nodes' table, 32 numbers a line. */
static void write_columns(struct hcct_html *page, const struct hcct_html_column *columns)
{
    for (; columns->key; columns++) {
        hcct_json_break(&page->json);
        hcct_json_array(&page->json, columns->key, HCCT_JSON_DENSE);
        for (uint32_t i = 0; i < page->report->tree->node_count && !ferror(page->json.out); i++) {
            if (i % 32 == 0)
                hcct_json_break(&page->json);
            columns->write(page, page->layout.order[i]);
        }
        hcct_json_end(&page->json);
    }
}

/* --- the page ------------------------------------------------------------------------------------- */

/* Prints the page up to the mark, which stands in it once. Returns what is behind the mark. */
static const char *print_page_up_to(FILE *out, const char *page, const char *mark)
{
    const char *at = strstr(page, mark);
    fwrite(page, 1, (size_t)(at - page), out);
    return at + strlen(mark);
}

static void print_all(struct hcct_html *page, void (*head)(struct hcct_html *page),
                      const struct hcct_html_column *columns)
{
    static const struct hcct_html_column tree[] = {
        { "parent", write_parent }, { "frame", write_frame }, { "site", write_site }, { NULL, NULL }
    };
    FILE *out = page->json.out;
    const char *rest = print_page_up_to(out, hcct_viewer_page, "@STYLE@");
    fputs(hcct_viewer_style, out);
    rest = print_page_up_to(out, rest, "@DATA@");
    hcct_json_object(&page->json, NULL, HCCT_JSON_WORDS);
    head(page);
    write_frames(page);
    write_sites(page);
    write_columns(page, tree);
    write_columns(page, columns);
    hcct_json_end(&page->json);
    rest = print_page_up_to(out, rest, "@SCRIPT@");
    fputs(hcct_viewer_model, out);
    fputs(hcct_viewer_flame, out);
    fputs(hcct_viewer_tree, out);
    fputs(hcct_viewer_script, out);
    fputs(rest, out);
}

bool hcct_html_page(FILE *out, const struct hcct_report *report, const void *subject,
                    void (*head)(struct hcct_html *page), const struct hcct_html_column *columns)
{
    struct hcct_html page = { .json = { .out = out, .text = HCCT_TEXT_HTML },
                              .report = report,
                              .subject = subject };
    size_t node_count = report->tree->node_count, site_count = report->frames->site_count;
    page.line_of = malloc((node_count + 1) * sizeof *page.line_of);
    page.site_number = malloc((site_count + 1) * sizeof *page.site_number);
    bool done = hcct_layout_open(&page.layout, report) && hcct_frame_list_open(&page.frames, report) &&
                page.line_of && page.site_number;
    if (done) {
        for (uint32_t i = 0; i < node_count; i++)
            page.line_of[page.layout.order[i]] = i;
        for (size_t i = 0; i < site_count; i++)
            page.site_number[i] = HCCT_FRAMES_NONE;
        print_all(&page, head, columns);
    }
    hcct_layout_close(&page.layout);
    hcct_frame_list_close(&page.frames);
    free(page.line_of);
    free(page.site_number);
    return done;
}

static bool print(FILE *out, const struct hcct_report *report)
{
    static const struct hcct_html_column columns[] = {
        { "count", write_count }, { "error", write_error }, { "hot", write_hot }, { NULL, NULL }
    };
    return hcct_html_page(out, report, NULL, write_head, columns);
}

const struct hcct_report_format hcct_format_html = {
    .name = "html",
    .audience = HCCT_REPORT_FOR_VIEWERS,
    .print = print,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_SHORT,
    .folds = true,
    .is_document = true,
    .sums_functions = true,
};
