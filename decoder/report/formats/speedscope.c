/* The format `speedscope`: JSON by the file format schema of speedscope, a profile of open and close events.
 * "Time" is counted in calls: a frame is open for as many as were made in it and below it. Facts about the
 * profile are the member "hcct", which speedscope does not look at; its title has the most important ones. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/report/export.h"
#include "decoder/text/escape.h"
#include "decoder/text/text.h"

struct printer {
    FILE *out;
    const struct hcct_report *report;
    struct hcct_layout layout;
    struct hcct_frame_list frames;
    uint32_t *open; /* a stack of nodes */
    uint64_t at;
    bool any; /* an event was printed */
};

static void print_frames(struct printer *printer)
{
    const struct hcct_report *report = printer->report;
    for (uint32_t i = 0; i < printer->frames.count && !ferror(printer->out); i++) {
        const struct hcct_tree_node *node = &report->tree->nodes[printer->frames.node[i]];
        const struct hcct_tree_frame *frame = &report->frames->frames[node->frame];
        char name[HCCT_NODE_NAME_BYTES];
        fputs(i ? ",\n{\"name\": " : "\n{\"name\": ", printer->out);
        hcct_json_string(printer->out, hcct_node_name(report, node, name));
        if (*frame->file) {
            fputs(", \"file\": ", printer->out);
            hcct_json_string(printer->out, frame->file);
        }
        if (frame->line && frame->kind != HCCT_FRAME_REPEAT)
            fprintf(printer->out, ", \"line\": %u", frame->line);
        fputc('}', printer->out);
    }
}

static void print_event(struct printer *printer, char type, uint32_t index)
{
    fprintf(printer->out, "%s{\"type\": \"%c\", \"frame\": %u, \"at\": %" PRIu64 "}",
            printer->any ? ",\n" : "\n", type, printer->frames.number[index], printer->at);
    printer->any = true;
}

static void print_events(struct printer *printer)
{
    const struct hcct_layout *layout = &printer->layout;
    const struct hcct_tree *tree = printer->report->tree;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < tree->node_count && !ferror(printer->out); i++) {
        uint32_t node = layout->order[i];
        while (depth > layout->depth[node])
            print_event(printer, 'C', printer->open[--depth]);
        print_event(printer, 'O', node);
        printer->open[depth++] = node;
        printer->at = hcct_sum(printer->at, hcct_node_count(&tree->nodes[node]));
    }
    while (depth)
        print_event(printer, 'C', printer->open[--depth]);
}

static void print_head(FILE *out, const struct hcct_report *report)
{
    struct hcct_facts facts;
    hcct_facts_make(&facts, report);
    fputs("{\n\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\": ", out);
    hcct_json_string(out, facts.items[HCCT_FACT_COUNT - 1].text);
    fputs(",\n\"name\": ", out);
    hcct_json_string(out,
                     *report->summary->program ? hcct_text_base_name(report->summary->program) : "calls");
    fputs(",\n\"hcct\": {", out);
    for (int i = 0; i < HCCT_FACT_COUNT; i++) {
        fprintf(out, "%s\"%s\": ", i ? ", " : "", facts.items[i].key);
        hcct_json_string(out, facts.items[i].text);
    }
    fputs("},\n\"shared\": {\"frames\": [", out);
}

bool hcct_speedscope_print(FILE *out, const struct hcct_report *report)
{
    struct printer printer = { .out = out, .report = report };
    const char *unit = report->summary->unit;
    printer.open = malloc(((size_t)report->tree->node_count + 1) * sizeof *printer.open);
    bool done = hcct_layout_open(&printer.layout, report) && hcct_frame_list_open(&printer.frames, report) &&
                printer.open;
    if (done) {
        print_head(out, report);
        print_frames(&printer);
        fprintf(out,
                "\n]},\n\"profiles\": [{\"type\": \"evented\", \"name\": \"%" PRIu64 " of %" PRIu64
                " %s, phi %g, epsilon %g\", \"unit\": \"%s\", \"startValue\": 0, \"endValue\": %" PRIu64
                ", \"events\": [",
                printer.layout.total, report->summary->calls, unit, report->phi, report->summary->epsilon,
                hcct_metric_is_time(report->summary->metric) ? "nanoseconds"
                : strcmp(unit, "bytes")                      ? "none"
                                                             : unit,
                printer.layout.total);
        print_events(&printer);
        fputs("\n]}]\n}\n", out);
    }
    hcct_layout_close(&printer.layout);
    hcct_frame_list_close(&printer.frames);
    free(printer.open);
    return done;
}
