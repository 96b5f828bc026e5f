/* The format `html`: one page with everything in it, for any browser, without a network. The page is
 * viewer/page.html, with the style, the profile as JSON and the scripts in the places of @STYLE@, @DATA@ and
 * @SCRIPT@.
 *
 * The viewer is our own 700 lines and no library from elsewhere: libraries for flame graphs make an element
 * of each box, and with 50,000 of them one zoom takes seconds (bench/viewer.py); ours draws on a canvas what
 * can be seen. And a build needs neither a network nor the licences of others. The files are part of the
 * program (.incbin), so that it works wherever it is moved. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/report/formats/html.h"
#include "decoder/text/escape.h"

/* The assembler finds files as the preprocessor does. */
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

void hcct_html_facts(FILE *out, const struct hcct_report *report)
{
    struct hcct_facts facts;
    hcct_facts_make(&facts, report);
    for (int i = 0; i < HCCT_FACT_COUNT; i++) {
        fprintf(out, "%s\"%s\": ", i ? ", " : "{", facts.items[i].key);
        hcct_json_string_in_html(out, facts.items[i].text);
    }
    putc('}', out);
}

void hcct_html_metric(FILE *out, const struct hcct_summary *summary)
{
    fprintf(out, ",\n\"metric\": \"%s\", \"unit\": \"%s\"", hcct_metric_titles[summary->metric],
            summary->unit);
}

static void print_head(const struct hcct_html *page)
{
    const struct hcct_report *report = page->report;
    const struct hcct_summary *it = report->summary;
    FILE *out = page->out;
    fputs("\"facts\": ", out);
    hcct_html_facts(out, report);
    hcct_html_metric(out, it);
    fprintf(out,
            ",\n\"calls\": %" PRIu64 ", \"contexts\": %" PRIu64 ", \"hot_contexts\": %" PRIu64
            ", \"phi\": %.17g, \"epsilon\": %.17g, \"lost\": %s,\n",
            it->calls, it->context_count, report->hot_contexts, report->phi, it->epsilon,
            hcct_summary_is_sound(it) ? "false" : "true");
}

static void print_frames(const struct hcct_html *page)
{
    FILE *out = page->out;
    fputs("\"frames\": [", out);
    for (uint32_t i = 0; i < page->frames.count; i++) {
        const struct hcct_tree_node *node = &page->report->tree->nodes[page->frames.node[i]];
        const struct hcct_tree_frame *frame = &page->report->frames->frames[node->frame];
        char name[HCCT_NODE_NAME_BYTES];
        fputs(i ? ",\n[" : "\n[", out);
        hcct_json_string_in_html(out, hcct_node_name(page->report, node, name));
        fputs(", ", out);
        hcct_json_string_in_html(out, frame->linkage);
        fputs(", ", out);
        hcct_json_string_in_html(out, frame->file);
        fprintf(out, ", %u, \"%s\"]", frame->line, hcct_kind_names[frame->kind]);
    }
    fputs("\n],\n", out);
}

static void print_sites(struct hcct_html *page)
{
    FILE *out = page->out;
    const struct hcct_report *report = page->report;
    bool columns = report->by < HCCT_BY_LINE;
    fputs("\"sites\": [", out);
    for (uint32_t i = 0; i < report->tree->node_count && !ferror(out); i++) {
        const struct hcct_tree_node *node = &report->tree->nodes[i];
        const struct hcct_tree_site *site = hcct_node_site(report, node);
        if (!site || page->site_number[node->site] != HCCT_FRAMES_NONE)
            continue;
        fputs(page->site_count ? ",\n[" : "\n[", out);
        hcct_json_string_in_html(out, site->file);
        fprintf(out, ", %u, %u, %u]", site->line, columns ? site->column : 0, site->ordinal);
        page->site_number[node->site] = page->site_count++;
    }
    fputs("\n]", out);
}

static void print_parent(const struct hcct_html *page, uint32_t node)
{
    uint32_t parent = page->report->tree->nodes[node].parent;
    fprintf(page->out, "%lld", parent == HCCT_NODE_NONE ? -1LL : (long long)page->line_of[parent]);
}

static void print_frame(const struct hcct_html *page, uint32_t node)
{
    fprintf(page->out, "%u", page->frames.number[node]);
}

static void print_site(const struct hcct_html *page, uint32_t node)
{
    const struct hcct_tree_node *it = &page->report->tree->nodes[node];
    fprintf(page->out, "%lld",
            hcct_node_site(page->report, it) ? (long long)page->site_number[it->site] : -1LL);
}

static void print_count(const struct hcct_html *page, uint32_t node)
{
    const struct hcct_tree_node *it = &page->report->tree->nodes[node];
    if (it->flags & HCCT_NODE_COUNTED)
        fprintf(page->out, "%" PRIu64, it->count);
    else
        fputs("-1", page->out);
}

static void print_error(const struct hcct_html *page, uint32_t node)
{
    fprintf(page->out, "%" PRIu64, hcct_node_error(&page->report->tree->nodes[node]));
}

static void print_hot(const struct hcct_html *page, uint32_t node)
{
    fputc(page->report->tree->nodes[node].flags & HCCT_NODE_HOT ? '1' : '0', page->out);
}

/* Columns of the nodes' table. */
static void print_columns(const struct hcct_html *page, const struct hcct_html_column *columns)
{
    for (; columns->key; columns++) {
        fprintf(page->out, ",\n\"%s\": [", columns->key);
        for (uint32_t i = 0; i < page->report->tree->node_count && !ferror(page->out); i++) {
            fputs(i % 32 ? "," : i ? ",\n" : "\n", page->out);
            columns->print(page, page->layout.order[i]);
        }
        fputc(']', page->out);
    }
}

/* --- the page ------------------------------------------------------------------------------------- */

/* Up to the mark, which stands in the page once; what is behind it is returned. */
static const char *print_page_up_to(FILE *out, const char *page, const char *mark)
{
    const char *at = strstr(page, mark);
    fwrite(page, 1, (size_t)(at - page), out);
    return at + strlen(mark);
}

static void print_all(struct hcct_html *page, void (*head)(const struct hcct_html *page),
                      const struct hcct_html_column *columns)
{
    static const struct hcct_html_column tree[] = {
        { "parent", print_parent }, { "frame", print_frame }, { "site", print_site }, { NULL, NULL }
    };
    FILE *out = page->out;
    const char *rest = print_page_up_to(out, hcct_viewer_page, "@STYLE@");
    fputs(hcct_viewer_style, out);
    rest = print_page_up_to(out, rest, "@DATA@");
    putc('{', out);
    head(page);
    print_frames(page);
    print_sites(page);
    print_columns(page, tree);
    print_columns(page, columns);
    putc('}', out);
    rest = print_page_up_to(out, rest, "@SCRIPT@");
    fputs(hcct_viewer_model, out);
    fputs(hcct_viewer_flame, out);
    fputs(hcct_viewer_tree, out);
    fputs(hcct_viewer_script, out);
    fputs(rest, out);
}

bool hcct_html_page(FILE *out, const struct hcct_report *report, const void *subject,
                    void (*head)(const struct hcct_html *page), const struct hcct_html_column *columns)
{
    struct hcct_html page = { .out = out, .report = report, .subject = subject };
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

bool hcct_html_print(FILE *out, const struct hcct_report *report)
{
    static const struct hcct_html_column columns[] = {
        { "count", print_count }, { "error", print_error }, { "hot", print_hot }, { NULL, NULL }
    };
    return hcct_html_page(out, report, NULL, print_head, columns);
}
