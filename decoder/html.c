/* The format `html`: one page with everything in it, for any browser, without a network. The page is viewer/page.html, with the
 * style, the profile as JSON and the scripts in the places of @STYLE@, @DATA@ and @SCRIPT@.
 *
 * The viewer is our own 600 lines and no library from elsewhere: libraries for flame graphs draw an element for each box and
 * stutter at some ten thousand, ours draws on a canvas what can be seen; and a build needs neither a network nor the
 * licences of others. The files are part of the program (.incbin), so that it works wherever it is moved. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/escape.h"
#include "decoder/export.h"

/* The assembler finds files as the preprocessor does. */
#define EMBED(name, file)                                                                                    \
    __asm__(".pushsection .rodata\n.globl hcct_viewer_" #name "\n.hidden hcct_viewer_" #name                 \
            "\nhcct_viewer_" #name ":\n.incbin \"decoder/viewer/" file "\"\n.byte 0\n.popsection");          \
    extern const char hcct_viewer_##name[] __attribute__((visibility("hidden")))

EMBED(page, "page.html");
EMBED(style, "style.css");
EMBED(model, "model.js");
EMBED(flame, "flame.js");
EMBED(tree, "tree.js");
EMBED(script, "page.js");

struct printer {
    FILE *out;
    const struct hcct_report *report;
    struct hcct_layout layout;
    struct hcct_frame_list frames;
    uint32_t *line_of;     /* per node: its place in the order of the page */
    uint32_t *site_number; /* per site; NONE: not used */
    uint32_t site_count;
};

/* --- the profile ---------------------------------------------------------------------------------- */

static void print_facts(FILE *out, const struct hcct_report *report)
{
    const struct hcct_summary *it = report->summary;
    struct hcct_facts facts;
    hcct_facts_make(&facts, report);
    fputs("{\"facts\": {", out);
    for (int i = 0; i < HCCT_FACT_COUNT; i++) {
        fprintf(out, "%s\"%s\": ", i ? ", " : "", facts.items[i].key);
        hcct_json_string_in_html(out, facts.items[i].text);
    }
    bool lost = it->dropped_memory || it->dropped_chain || it->dropped_interrupted || it->undecodable ||
                it->unaccounted || it->stale || it->overflowed || it->lost_count;
    fprintf(out,
            "},\n\"unit\": \"%s\", \"calls\": %" PRIu64 ", \"contexts\": %" PRIu64
            ", \"hot_contexts\": %" PRIu64 ", \"phi\": %.17g, \"epsilon\": %.17g, \"lost\": %s,\n",
            it->unit, it->calls, it->context_count, report->hot_contexts, report->phi, it->epsilon,
            lost ? "true" : "false");
}

static void print_frames(const struct printer *printer)
{
    FILE *out = printer->out;
    fputs("\"frames\": [", out);
    for (uint32_t i = 0; i < printer->frames.count; i++) {
        const struct hcct_tree_node *node = &printer->report->tree->nodes[printer->frames.node[i]];
        const struct hcct_tree_frame *frame = &printer->report->frames->frames[node->frame];
        char name[HCCT_NODE_NAME_BYTES];
        fputs(i ? ",\n[" : "\n[", out);
        hcct_json_string_in_html(out, hcct_node_name(printer->report, node, name));
        fputs(", ", out);
        hcct_json_string_in_html(out, frame->linkage);
        fputs(", ", out);
        hcct_json_string_in_html(out, frame->file);
        fprintf(out, ", %u, \"%s\"]", frame->line, hcct_kind_names[frame->kind]);
    }
    fputs("\n],\n", out);
}

static void print_sites(struct printer *printer)
{
    FILE *out = printer->out;
    const struct hcct_report *report = printer->report;
    bool columns = report->by < HCCT_BY_LINE;
    fputs("\"sites\": [", out);
    for (uint32_t i = 0; i < report->tree->node_count && !ferror(out); i++) {
        const struct hcct_tree_node *node = &report->tree->nodes[i];
        const struct hcct_tree_site *site = hcct_node_site(report, node);
        if (!site || printer->site_number[node->site] != HCCT_FRAMES_NONE)
            continue;
        fputs(printer->site_count ? ",\n[" : "\n[", out);
        hcct_json_string_in_html(out, site->file);
        fprintf(out, ", %u, %u, %u]", site->line, columns ? site->column : 0, site->ordinal);
        printer->site_number[node->site] = printer->site_count++;
    }
    fputs("\n],\n", out);
}

/* A column of the nodes' table. */
static void print_column(const struct printer *printer, const char *key,
                         void (*print)(const struct printer *printer, const struct hcct_tree_node *node,
                                       uint32_t index))
{
    fprintf(printer->out, "\"%s\": [", key);
    for (uint32_t i = 0; i < printer->report->tree->node_count && !ferror(printer->out); i++) {
        uint32_t node = printer->layout.order[i];
        fputs(i % 32 ? "," : i ? ",\n" : "\n", printer->out);
        print(printer, &printer->report->tree->nodes[node], node);
    }
    fputc(']', printer->out);
}

static void print_parent(const struct printer *printer, const struct hcct_tree_node *node, uint32_t index)
{
    (void)index;
    fprintf(printer->out, "%lld",
            node->parent == HCCT_NODE_NONE ? -1LL : (long long)printer->line_of[node->parent]);
}

static void print_frame(const struct printer *printer, const struct hcct_tree_node *node, uint32_t index)
{
    (void)node;
    fprintf(printer->out, "%u", printer->frames.number[index]);
}

static void print_site(const struct printer *printer, const struct hcct_tree_node *node, uint32_t index)
{
    (void)index;
    fprintf(printer->out, "%lld",
            hcct_node_site(printer->report, node) ? (long long)printer->site_number[node->site] : -1LL);
}

static void print_count(const struct printer *printer, const struct hcct_tree_node *node, uint32_t index)
{
    (void)index;
    if (node->flags & HCCT_NODE_COUNTED)
        fprintf(printer->out, "%" PRIu64, node->count);
    else
        fputs("-1", printer->out);
}

static void print_error(const struct printer *printer, const struct hcct_tree_node *node, uint32_t index)
{
    (void)index;
    fprintf(printer->out, "%" PRIu64, hcct_node_error(node));
}

static void print_hot(const struct printer *printer, const struct hcct_tree_node *node, uint32_t index)
{
    (void)index;
    fputc(node->flags & HCCT_NODE_HOT ? '1' : '0', printer->out);
}

static void print_data(struct printer *printer)
{
    static const char between[] = ",\n";
    print_facts(printer->out, printer->report);
    print_frames(printer);
    print_sites(printer);
    print_column(printer, "parent", print_parent);
    fputs(between, printer->out);
    print_column(printer, "frame", print_frame);
    fputs(between, printer->out);
    print_column(printer, "site", print_site);
    fputs(between, printer->out);
    print_column(printer, "count", print_count);
    fputs(between, printer->out);
    print_column(printer, "error", print_error);
    fputs(between, printer->out);
    print_column(printer, "hot", print_hot);
    fputc('}', printer->out);
}

/* --- the page ------------------------------------------------------------------------------------- */

/* Up to the mark, which stands in the page once; what is behind it is returned. */
static const char *print_page_up_to(FILE *out, const char *page, const char *mark)
{
    const char *at = strstr(page, mark);
    fwrite(page, 1, (size_t)(at - page), out);
    return at + strlen(mark);
}

static void print_page(struct printer *printer)
{
    FILE *out = printer->out;
    const char *page = print_page_up_to(out, hcct_viewer_page, "@STYLE@");
    fputs(hcct_viewer_style, out);
    page = print_page_up_to(out, page, "@DATA@");
    print_data(printer);
    page = print_page_up_to(out, page, "@SCRIPT@");
    fputs(hcct_viewer_model, out);
    fputs(hcct_viewer_flame, out);
    fputs(hcct_viewer_tree, out);
    fputs(hcct_viewer_script, out);
    fputs(page, out);
}

bool hcct_html_print(FILE *out, const struct hcct_report *report)
{
    struct printer printer = { .out = out, .report = report };
    size_t node_count = report->tree->node_count, site_count = report->frames->site_count;
    printer.line_of = malloc((node_count + 1) * sizeof *printer.line_of);
    printer.site_number = malloc((site_count + 1) * sizeof *printer.site_number);
    bool done = hcct_layout_open(&printer.layout, report) && hcct_frame_list_open(&printer.frames, report) &&
                printer.line_of && printer.site_number;
    if (done) {
        for (uint32_t i = 0; i < node_count; i++)
            printer.line_of[printer.layout.order[i]] = i;
        for (size_t i = 0; i < site_count; i++)
            printer.site_number[i] = HCCT_FRAMES_NONE;
        print_page(&printer);
    }
    hcct_layout_close(&printer.layout);
    hcct_frame_list_close(&printer.frames);
    free(printer.line_of);
    free(printer.site_number);
    return done;
}
