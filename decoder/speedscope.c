/* The format `speedscope`: JSON by the file format schema of speedscope, a profile of open and close events. "Time" is
 * counted in calls: a frame is open for as many as were made in it and below it. Facts about the profile are the member
 * "hcct", which speedscope does not look at; its title has the most important ones. */
#include <inttypes.h>
#include <stdlib.h>

#include "decoder/escape.h"
#include "decoder/export.h"
#include "decoder/names.h"

struct printer {
    FILE *out;
    const struct hcct_report *report;
    struct hcct_layout layout;
    uint32_t *number; /* per frame; of a frame [xN] per node, behind the frames */
    uint32_t *open;   /* a stack of nodes */
    uint64_t at;
    bool any; /* an event was printed */
};

/* The place in `number`. */
static size_t slot(const struct printer *printer, uint32_t index)
{
    const struct hcct_frames *frames = printer->report->frames;
    uint32_t frame = printer->report->tree->nodes[index].frame;
    return frames->frames[frame].kind == HCCT_FRAME_REPEAT ? (size_t)frames->frame_count + index : frame;
}

static void print_frames(struct printer *printer)
{
    const struct hcct_report *report = printer->report;
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->tree->node_count && !ferror(printer->out); i++) {
        const struct hcct_tree_frame *frame = &report->frames->frames[report->tree->nodes[i].frame];
        uint32_t *number = &printer->number[slot(printer, i)];
        char name[HCCT_NODE_NAME_BYTES];
        if (*number != HCCT_FRAMES_NONE)
            continue;
        fputs(count ? ",\n{\"name\": " : "\n{\"name\": ", printer->out);
        hcct_json_string(printer->out, hcct_node_name(report, &report->tree->nodes[i], name));
        if (*frame->file) {
            fputs(", \"file\": ", printer->out);
            hcct_json_string(printer->out, frame->file);
        }
        if (frame->line)
            fprintf(printer->out, ", \"line\": %u", frame->line);
        fputc('}', printer->out);
        *number = count++;
    }
}

static void print_event(struct printer *printer, char type, uint32_t index)
{
    fprintf(printer->out, "%s{\"type\": \"%c\", \"frame\": %u, \"at\": %" PRIu64 "}",
            printer->any ? ",\n" : "\n", type, printer->number[slot(printer, index)], printer->at);
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
    hcct_json_string(out, *report->summary->program ? hcct_name_base(report->summary->program) : "calls");
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
    size_t frame_count = report->frames->frame_count, node_count = report->tree->node_count;
    printer.number = malloc((frame_count + node_count + 1) * sizeof *printer.number);
    printer.open = malloc((node_count + 1) * sizeof *printer.open);
    bool done = hcct_layout_open(&printer.layout, report) && printer.number && printer.open;
    if (done) {
        for (size_t i = 0; i < frame_count + node_count; i++)
            printer.number[i] = HCCT_FRAMES_NONE;
        print_head(out, report);
        print_frames(&printer);
        fprintf(out,
                "\n]},\n\"profiles\": [{\"type\": \"evented\", \"name\": \"%" PRIu64 " of %" PRIu64
                " calls, phi %g, epsilon %g\", \"unit\": \"none\", \"startValue\": 0, \"endValue\": %" PRIu64
                ", \"events\": [",
                printer.layout.total, report->summary->calls, report->phi, report->summary->epsilon,
                printer.layout.total);
        print_events(&printer);
        fputs("\n]}]\n}\n", out);
    }
    hcct_layout_close(&printer.layout);
    free(printer.number);
    free(printer.open);
    return done;
}
