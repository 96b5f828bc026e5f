/* The page for a browser, of one profile (html.c) or of the difference of two (compare/diff_html.c):
 * page.html with its style and scripts, and one JSON object that the scripts show:
 *
 *     what `head` writes: members about the profile; "phases": [[name, calls], ...], each of which has such
 *               an object of its own, of the element data-0, data-1, ...; of a difference of heaps
 *               diff.values in their place (compare/diff_html.c)
 *     "runs": [how many, when the first one began, when the last one ended (one run: 0)], in seconds since
 *               1970; 0: not known. "command": with its arguments, "": several
 *     "fold": the pattern of frames that are folded at first; "folds_libraries": nobody asked for that one
 *     "libraries": [path, ...] "frames": [[name, linkage name, file, line, kind, short name, full name,
 *     library, stem], ...]; names "" that
 *               are the shown one; library -1: none; stem: the length of the linkage name without what
 *               optimizers add, 0: all of it
 *     "evicted": [[frame, calls], ...], see html.c; a difference has these calls in its columns
 *     "sites": [[file, line, column, ordinal], ...]
 *     "sources": see html_source.h; not in a difference
 *     "line_files", "lines": see html_lines.h
 *     of a sum, or of threads, "spread_of", and in `columns` "spread" (html.c)
 *     "parent", "frame", "site": columns of the table of nodes, which stand depth first; -1: none
 *     the columns of `columns`. */
#ifndef HCCT_DECODER_REPORT_FORMATS_VIEWER_HTML_H
#define HCCT_DECODER_REPORT_FORMATS_VIEWER_HTML_H

#include "decoder/report/frame_list.h"
#include "decoder/report/layout.h"
#include "decoder/report/place_lines.h"
#include "decoder/report/report.h"
#include "decoder/text/json_writer.h"

struct hcct_html {
    struct hcct_json json;
    const struct hcct_report *report; /* its tree, frames and `by` are used */
    const void *subject;              /* what head and columns are about */
    enum hcct_names names;            /* that the frames have */
    struct hcct_layout layout;
    struct hcct_frame_list frames;
    uint32_t *line_of;     /* per node: its line in the table of nodes */
    uint32_t *site_number; /* per site: its index in "sites"; HCCT_FRAMES_NONE: not used */
    uint32_t site_count;
    const char **libraries; /* the objects that frames are of */
    uint32_t library_count;
    struct hcct_place_lines places;
    int value; /* of the column that is written */
};

struct hcct_html_column {
    const char *key;
    void (*write)(struct hcct_html *page, uint32_t node); /* an element of an array */
    int value; /* for `write`: of which value, if there are several */
};

/* What is in a page beside the tree of its report. */
struct hcct_html_content {
    const void *subject; /* what head and columns are about */
    void (*head)(struct hcct_html *page);
    const struct hcct_html_column *columns; /* ends with a key that is NULL */
    enum hcct_names names;                  /* that the frames have */
    const struct hcct_report_part *parts;   /* of the elements data-0, data-1, ... */
    uint32_t part_count;                    /* a part without text has no element */
};

void hcct_html_page(FILE *out, const struct hcct_report *report, const struct hcct_html_content *content);
/* The object alone, as hcct_report_part has it. */
void hcct_html_object(FILE *out, const struct hcct_report *report, const struct hcct_html_content *content);

/* As the format `html`, but only the object: of a phase (struct hcct_report_options). In no list of
 * formats. */
extern const struct hcct_report_format hcct_html_part;

/* Members: "facts" about a profile; "runs"; "metric" and "unit", what is counted in it, and "decimals"
 * (amount.h), which is not 0 for times. */
void hcct_html_facts(struct hcct_json *json, const struct hcct_report *report);
/* A count in a column; -1 where there is none. */
void hcct_html_count(struct hcct_json *json, bool is_counted, uint64_t count);
void hcct_html_runs(struct hcct_json *json, const struct hcct_summary *summary);
void hcct_html_metric(struct hcct_json *json, const struct hcct_summary *summary);

#endif
