/* The format `html`: one page with everything in it, for any browser, without a network. In viewer/page.html
 * the style, the profile as JSON and the scripts replace @STYLE@, @DATA@ and @SCRIPT@. That JSON has columns;
 * --format=json has an object for each node, which is eight times as long. What is filtered here is what
 * hcct-decode filters (test/viewers/html-query.test).
 *
 * The viewer is 2000 lines of our own. Libraries for flame graphs make a page element for each box, and with
 * 50,000 boxes a zoom takes seconds (bench/viewer.py); ours draws what can be seen on a canvas. It also
 * spares builds the network, and others' licences. The files are part of the program (.incbin), so that it
 * works wherever it is installed. */
#include "decoder/report/formats/viewer/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/amount.h"
#include "decoder/claim/words.h"
#include "decoder/query/query.h"
#include "decoder/report/facts.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/formats/viewer/html_heap.h"
#include "decoder/report/formats/viewer/html_lines.h"
#include "decoder/report/formats/viewer/html_source.h"
#include "decoder/report/frame_list.h"
#include "decoder/report/layout.h"
#include "decoder/report/node.h"
#include "decoder/report/shown_names.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
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
EMBED(filter, "filter.js");
EMBED(functions, "functions.js");
EMBED(colour, "colour.js");
EMBED(flame, "flame.js");
EMBED(outline, "outline.js");
EMBED(views, "views.js");
EMBED(curve, "curve.js");
EMBED(address, "address.js");
EMBED(source, "source.js");
EMBED(chosen, "chosen.js");
EMBED(verdict, "verdict.js");
EMBED(script, "page.js");

/* Each uses those in front of it. */
static const char *const scripts[] = { hcct_viewer_model,  hcct_viewer_filter, hcct_viewer_functions,
                                       hcct_viewer_colour, hcct_viewer_flame,  hcct_viewer_outline,
                                       hcct_viewer_views,  hcct_viewer_curve,  hcct_viewer_address,
                                       hcct_viewer_source, hcct_viewer_chosen, hcct_viewer_verdict,
                                       hcct_viewer_script };

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
    hcct_json_text(json, "metric", summary->ground.title);
    hcct_json_text(json, "unit", summary->ground.unit);
    hcct_json_unsigned(json, "decimals", (uint64_t)hcct_amount_decimals(&summary->ground));
    hcct_json_bool(json, "by_caller", summary->ground.noun->by_caller);
}

void hcct_html_runs(struct hcct_json *json, const struct hcct_summary *summary)
{
    bool several = summary->profile_count > 1;
    hcct_json_break(json);
    hcct_json_array(json, "runs", HCCT_JSON_WORDS);
    hcct_json_unsigned(json, NULL, summary->profile_count);
    hcct_json_unsigned(json, NULL, summary->start / 1000000000);
    hcct_json_unsigned(json, NULL, several ? summary->end / 1000000000 : 0);
    hcct_json_end(json);
}

/* Whom the column "spread" tells of. */
static void write_spread_of(struct hcct_json *json, const struct hcct_report *report)
{
    bool of_threads = report->options && report->options->spread == HCCT_SPREAD_THREADS;
    if (!report->spread)
        return;
    hcct_json_break(json);
    hcct_json_text(json, "spread_of", of_threads ? "threads" : "profiles");
}

static void write_head(struct hcct_html *page)
{
    const struct hcct_report *report = page->report;
    const struct hcct_summary *it = report->summary;
    struct hcct_json *json = &page->json;
    hcct_html_facts(json, report);
    hcct_html_metric(json, it);
    hcct_json_break(json);
    hcct_json_unsigned(json, "calls", it->ground.total);
    hcct_json_unsigned(json, "unassigned", report->unassigned);
    hcct_json_unsigned(json, "contexts", it->context_count);
    hcct_json_unsigned(json, "hot_contexts", report->hot_contexts);
    hcct_json_printf(json, "phi", "%.17g", report->phi);
    hcct_json_printf(json, "epsilon", "%.17g", it->ground.epsilon);
    hcct_json_text(json, "sure", hcct_sure_names[it->ground.sure]);
    hcct_json_unsigned(json, "missing", it->ground.missing);
    hcct_json_unsigned(json, "floor", it->ground.floor);
    hcct_json_unsigned(json, "since", it->ground.since);
    hcct_json_bool(json, "lost", !hcct_summary_is_sound(it));
    write_spread_of(json, report);
    hcct_html_runs(json, it);
    hcct_json_text(json, "command", it->command);
    if (report->tree->value_count)
        hcct_html_heap_head(json, report);
    hcct_json_array(json, "phases", HCCT_JSON_WORDS);
    for (uint32_t i = 0; i < it->phase_count; i++) {
        hcct_json_array(json, NULL, HCCT_JSON_WORDS);
        hcct_json_text(json, NULL, it->phases[i].name);
        hcct_json_unsigned(json, NULL, it->phases[i].calls);
        hcct_json_end(json);
    }
    hcct_json_end(json);
}

/* What the page folds at first: what the user said, else the libraries of C++ compilers; and which names the
 * frames have. */
static void write_query(struct hcct_html *page)
{
    const struct hcct_report_options *options = page->report->options;
    hcct_json_text(&page->json, "names",
                   page->names == HCCT_NAMES_FULL      ? "full"
                   : page->names == HCCT_NAMES_LINKAGE ? "linkage"
                                                       : "short");
    const char *fold = options ? options->query.fold : NULL;
    hcct_json_text(&page->json, "fold", fold ? fold : HCCT_QUERY_FOLD_DEFAULT);
    hcct_json_bool(&page->json, "folds_libraries", !fold);
}

/* The number of the library that a frame is of, in the order in which the frames name them. */
static uint32_t library_of(const struct hcct_html *page, const struct hcct_tree_frame *frame)
{
    for (uint32_t i = 0; frame->object && i < page->library_count; i++)
        if (!strcmp(page->libraries[i], frame->object))
            return i;
    return HCCT_FRAMES_NONE;
}

static const struct hcct_tree_node *node_of(const struct hcct_html *page, uint32_t number)
{
    return &page->report->tree->nodes[page->frames.node[number]];
}

static const struct hcct_tree_frame *frame_of(const struct hcct_html *page, uint32_t number)
{
    return &page->report->frames->frames[node_of(page, number)->frame];
}

static void find_libraries(struct hcct_html *page)
{
    uint32_t capacity = 0;
    for (uint32_t i = 0; i < page->frames.count; i++) {
        const struct hcct_tree_frame *frame = frame_of(page, i);
        if (!frame->object || library_of(page, frame) != HCCT_FRAMES_NONE)
            continue;
        hcct_memory_grow(&page->libraries, &capacity, page->library_count, sizeof *page->libraries);
        page->libraries[page->library_count++] = frame->object;
    }
}

static void write_libraries(struct hcct_html *page)
{
    struct hcct_json *json = &page->json;
    hcct_json_break(json);
    hcct_json_array(json, "libraries", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < page->library_count; i++)
        hcct_json_text(json, NULL, page->libraries[i]);
    hcct_json_end(json);
}

/* A form of a frame's name, or "" where it is the one that is shown. */
static void write_form(struct hcct_html *page, uint32_t frame, const char *shown, enum hcct_names names)
{
    char *text = hcct_frames_text(page->report->frames, frame, names);
    hcct_json_text(&page->json, NULL, strcmp(text, shown) ? text : "");
    free(text);
}

static void write_frame_forms(struct hcct_html *page, const struct hcct_tree_node *node, const char *shown)
{
    const struct hcct_tree_frame *frame = &page->report->frames->frames[node->frame];
    bool is_function = frame->kind == HCCT_FRAME_FUNCTION || frame->kind == HCCT_FRAME_INLINED;
    size_t stem = is_function ? hcct_symbol_stem(frame->linkage) : 0;
    if (frame->kind == HCCT_FRAME_REPEAT) {
        hcct_json_text(&page->json, NULL, "");
        hcct_json_text(&page->json, NULL, "");
    } else {
        write_form(page, node->frame, shown, HCCT_NAMES_SHORT);
        write_form(page, node->frame, shown, HCCT_NAMES_FULL);
    }
    hcct_json_index(&page->json, NULL, library_of(page, frame));
    hcct_json_unsigned(&page->json, NULL, is_function && frame->linkage[stem] ? stem : 0);
}

static void write_frames(struct hcct_html *page)
{
    struct hcct_json *json = &page->json;
    hcct_json_break(json);
    hcct_json_array(json, "frames", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < page->frames.count && !ferror(json->out); i++) {
        const struct hcct_tree_node *node = node_of(page, i);
        const struct hcct_tree_frame *frame = frame_of(page, i);
        char buffer[HCCT_TREE_TEXT_BYTES];
        const char *name = hcct_node_name(page->report, node, buffer);
        hcct_json_array(json, NULL, HCCT_JSON_WORDS);
        hcct_json_text(json, NULL, name);
        hcct_json_text(json, NULL, frame->linkage);
        hcct_json_text(json, NULL, frame->file);
        hcct_json_unsigned(json, NULL, frame->line);
        hcct_json_text(json, NULL, hcct_kind_names[frame->kind]);
        write_frame_forms(page, node, name);
        hcct_json_end(json);
    }
    hcct_json_end(json);
}

/* The calls of functions that no context has. They stand in the tree below [other], too. */
static void write_evicted(struct hcct_html *page)
{
    hcct_json_break(&page->json);
    hcct_json_array(&page->json, "evicted", HCCT_JSON_WORDS);
    for (uint32_t i = 0; i < page->frames.count; i++) {
        if (!frame_of(page, i)->evicted)
            continue;
        hcct_json_array(&page->json, NULL, HCCT_JSON_WORDS);
        hcct_json_unsigned(&page->json, NULL, i);
        hcct_json_unsigned(&page->json, NULL, frame_of(page, i)->evicted);
        hcct_json_end(&page->json);
    }
    hcct_json_end(&page->json);
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

/* What the single profiles have: bounds of the least and of the largest count, how many have the context and
 * how many lack it, and where these are. 0: not known. */
static void write_spread(struct hcct_html *page, uint32_t node)
{
    struct hcct_spread it;
    struct hcct_json *json = &page->json;
    if (!hcct_node_spread(page->report, &page->report->tree->nodes[node], &it)) {
        hcct_json_unsigned(json, NULL, 0);
        return;
    }
    const uint64_t values[] = {
        it.least_low, it.least_high, it.most_low, it.most_high, it.present, it.absent
    };
    hcct_json_array(json, NULL, HCCT_JSON_DENSE);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        hcct_json_unsigned(json, NULL, values[i]);
    hcct_json_text(json, NULL, it.least_at);
    hcct_json_text(json, NULL, it.most_at);
    hcct_json_end(json);
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
        page->value = columns->value;
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

/* The object that the scripts show. */
static void print_data(struct hcct_html *page, const struct hcct_html_content *content)
{
    static const struct hcct_html_column tree[] = { { "parent", write_parent, 0 },
                                                    { "frame", write_frame, 0 },
                                                    { "site", write_site, 0 },
                                                    { NULL, NULL, 0 } };
    hcct_json_object(&page->json, NULL, HCCT_JSON_WORDS);
    content->head(page);
    write_query(page);
    write_libraries(page);
    write_frames(page);
    write_evicted(page);
    write_sites(page);
    if (page->report->options)
        hcct_html_source(page);
    hcct_html_lines(page);
    write_columns(page, tree);
    write_columns(page, content->columns);
    hcct_json_end(&page->json);
}

static void print_all(struct hcct_html *page, const struct hcct_html_content *content)
{
    FILE *out = page->json.out;
    const char *rest = print_page_up_to(out, hcct_viewer_page, "@STYLE@");
    fputs(hcct_viewer_style, out);
    rest = print_page_up_to(out, rest, "@DATA@");
    print_data(page, content);
    rest = print_page_up_to(out, rest, "@PHASES@");
    for (uint32_t i = 0; i < content->part_count; i++) {
        if (!content->parts[i].text)
            continue;
        fprintf(out, "<script type=\"application/json\" id=\"data-%u\">\n", i);
        fwrite(content->parts[i].text, 1, content->parts[i].length, out);
        fputs("</script>\n", out);
    }
    rest = print_page_up_to(out, rest, "@SCRIPT@");
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
        fputs(scripts[i], out);
    fputs(rest, out);
}

typedef void print_what(struct hcct_html *page, const struct hcct_html_content *content);

static void print_by(print_what *what, FILE *out, const struct hcct_report *report,
                     const struct hcct_html_content *content)
{
    struct hcct_html page = { .json = { .out = out, .text = HCCT_TEXT_HTML },
                              .report = report,
                              .subject = content->subject,
                              .names = content->names };
    size_t node_count = report->tree->node_count, site_count = report->frames->site_count;
    page.line_of = hcct_memory_array(node_count, sizeof *page.line_of);
    page.site_number = hcct_memory_array(site_count, sizeof *page.site_number);
    hcct_layout_open(&page.layout, report);
    hcct_frame_list_open(&page.frames, report);
    hcct_place_lines_open(&page.places, report->tree, report->frames);
    for (uint32_t i = 0; i < node_count; i++)
        page.line_of[page.layout.order[i]] = i;
    for (size_t i = 0; i < site_count; i++)
        page.site_number[i] = HCCT_FRAMES_NONE;
    find_libraries(&page);
    what(&page, content);
    hcct_layout_close(&page.layout);
    hcct_frame_list_close(&page.frames);
    hcct_place_lines_close(&page.places);
    free(page.line_of);
    free(page.site_number);
    free(page.libraries);
}

void hcct_html_page(FILE *out, const struct hcct_report *report, const struct hcct_html_content *content)
{
    print_by(print_all, out, report, content);
}

void hcct_html_object(FILE *out, const struct hcct_report *report, const struct hcct_html_content *content)
{
    print_by(print_data, out, report, content);
}

static const struct hcct_html_column counts[] = {
    { "count", write_count, 0 }, { "error", write_error, 0 }, { "hot", write_hot, 0 }, { NULL, NULL, 0 }
};
static const struct hcct_html_column counts_and_spread[] = { { "count", write_count, 0 },
                                                             { "error", write_error, 0 },
                                                             { "hot", write_hot, 0 },
                                                             { "spread", write_spread, 0 },
                                                             { NULL, NULL, 0 } };

static const struct hcct_html_column *columns_of(const struct hcct_report *report)
{
    return report->spread ? counts_and_spread : counts;
}

static enum hcct_names names_of(const struct hcct_report *report)
{
    return report->options ? hcct_names_of(report->options) : HCCT_NAMES_SHORT;
}

static void print(FILE *out, const struct hcct_report *report)
{
    struct hcct_html_column values[HCCT_TREE_VALUES + 3] = { { "error", write_error, 0 } };
    const struct hcct_report_part *phases = report->options ? report->options->phases : NULL;
    struct hcct_html_content content = { .head = write_head,
                                         .columns = columns_of(report),
                                         .names = names_of(report),
                                         .parts = phases,
                                         .part_count = phases ? report->summary->phase_count : 0 };
    if (report->spread)
        values[1] = (struct hcct_html_column){ "spread", write_spread, 0 };
    hcct_html_heap_columns(values + 1 + (report->spread != NULL), report->tree->value_count);
    if (report->tree->value_count)
        content.columns = values;
    hcct_html_page(out, report, &content);
}

static void print_part(FILE *out, const struct hcct_report *report)
{
    const struct hcct_html_content content = { .head = write_head,
                                               .columns = columns_of(report),
                                               .names = names_of(report) };
    hcct_html_object(out, report, &content);
}

const struct hcct_report_format hcct_format_html = {
    .name = "html",
    .print = print,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_SHORT,
    .shape = HCCT_SHAPE_SUMMED,
    .medium = HCCT_MEDIUM_PAGE,
    .values = HCCT_VALUES_FIRST,
};

const struct hcct_report_format hcct_html_part = {
    .name = "html",
    .print = print_part,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_SHORT,
    .shape = HCCT_SHAPE_SUMMED,
};
