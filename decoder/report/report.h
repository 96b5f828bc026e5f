/* Prints a merged profile in one of the formats: the way from hcct_merge to text. */
#ifndef HCCT_DECODER_REPORT_REPORT_H
#define HCCT_DECODER_REPORT_REPORT_H

#include <stdio.h>

#include "decoder/text/limit.h"
#include "decoder/tree/merge.h"

enum hcct_report_format {
    HCCT_REPORT_TREE,
    HCCT_REPORT_SOURCE,
    HCCT_REPORT_FOLDED,
    HCCT_REPORT_JSON,
    HCCT_REPORT_PPROF,
    HCCT_REPORT_SPEEDSCOPE,
    HCCT_REPORT_CALLGRIND,
    HCCT_REPORT_CALLGRIND_GRAPH,
    HCCT_REPORT_DOT,
    HCCT_REPORT_CSV,
    HCCT_REPORT_FLAMEGRAPH,
    HCCT_REPORT_HTML,
    HCCT_REPORT_LLVM_SAMPLE,
    HCCT_REPORT_FORMAT_COUNT
};

struct hcct_report_options {
    enum hcct_report_format format;
    enum hcct_frames_by by;
    bool by_given; /* otherwise the format's default */
    bool demangle;
    bool inlines;
    bool all;
    bool colour;        /* tree: escape sequences */
    bool utf8;          /* tree: box drawing characters */
    unsigned width;     /* tree: of the terminal, to fit in; 0: none */
    double phi;         /* < 0: the file's */
    uint64_t top_count; /* 0: no limit */
    uint64_t min_count;
    uint32_t max_depth; /* 0: no limit */
};

#define HCCT_REPORT_DEFAULTS { .demangle = true, .inlines = true, .phi = -1, .max_depth = 256 }

struct hcct_report;

/* One row of the table in report.c. */
struct hcct_report_row {
    const char *name;
    /* False when memory is out. NULL: not built in, for lack of a library. */
    bool (*print)(FILE *out, const struct hcct_report *report);
    enum hcct_frames_by by; /* if nothing is asked for */
    bool folds;             /* repeated cycles, as [xN] */
    /* also written where there is nothing to show, so that every reader finds it whole */
    bool is_document;
    bool is_binary;
    bool is_for_compilers; /* by site and with inlined frames, whatever the options say */
};
const struct hcct_report_row *hcct_report_row(enum hcct_report_format format);

/* False when memory is out, or where more would be printed than of profiles of that size may be (limit.h);
 * errors of the stream stay in the stream (ferror), and in errno. */
bool hcct_report_print(FILE *out, struct hcct_merge *merge, const struct hcct_report_options *options,
                       struct hcct_decode_error *error);

/* --- the formats, given what hcct_report_print prepared --------------------------------------------- */

struct hcct_report {
    const struct hcct_summary *summary;
    const struct hcct_report_options *options;
    struct hcct_frames *frames;
    struct hcct_limit *limit;     /* of what is printed */
    const struct hcct_tree *tree; /* kept nodes only, but for json and source, which fold nothing */
    enum hcct_frames_by by;
    double phi;
    uint64_t hot_count; /* the smallest hot count */
    uint64_t hot_contexts;
};

/* What the profile is, for people. */
void hcct_tree_text_heading(FILE *out, const struct hcct_report *report);
bool hcct_source_print(FILE *out, const struct hcct_report *report);
bool hcct_tree_text_print(FILE *out, const struct hcct_report *report);
bool hcct_folded_print(FILE *out, const struct hcct_report *report);
bool hcct_json_print(FILE *out, const struct hcct_report *report);
bool hcct_speedscope_print(FILE *out, const struct hcct_report *report);
bool hcct_callgrind_print(FILE *out, const struct hcct_report *report);
bool hcct_callgrind_graph_print(FILE *out, const struct hcct_report *report);
bool hcct_dot_print(FILE *out, const struct hcct_report *report);
bool hcct_csv_print(FILE *out, const struct hcct_report *report);
bool hcct_flamegraph_print(FILE *out, const struct hcct_report *report);
bool hcct_html_print(FILE *out, const struct hcct_report *report);
bool hcct_llvm_sample_print(FILE *out, const struct hcct_report *report);
bool hcct_pprof_print(FILE *out, const struct hcct_report *report); /* where HCCT_HAS_PPROF is defined */

#endif
