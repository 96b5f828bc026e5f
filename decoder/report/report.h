/* Prints a merged profile in one of the output formats.
 *
 * hcct_report_print prepares what all formats need: the tree as the options want it, the names to show, and
 * which contexts are hot. Then the printer of the format (formats/) writes. All formats but json, source and
 * leaks get the contexts that `tree` shows: the selected ones and their ancestors, each with its own count,
 * cycles deeper than --max-depth as one frame [xN]. What is not selected stands as leaves [other].
 * llvm-sample gets neither [xN] nor [other]. */
#ifndef HCCT_DECODER_REPORT_REPORT_H
#define HCCT_DECODER_REPORT_REPORT_H

#include <stdio.h>

#include "decoder/claim/claim.h"
#include "decoder/query/query.h"
#include "decoder/text/limit.h"
#include "decoder/tree/decoded.h"
#include "format/error.h"

/* What the columns of --spread compare; json and the page tell of profiles without being asked. */
enum hcct_report_spread { HCCT_SPREAD_NONE, HCCT_SPREAD_PROFILES, HCCT_SPREAD_THREADS };
/* Another report that a document holds, as text for its own script: of a phase, or of a value of a heap. */
struct hcct_report_part {
    char *text;
    size_t length;
};

struct hcct_report_options {
    const struct hcct_report_format *format;
    enum hcct_frames_by by;
    bool by_given; /* otherwise the format says what `by` is */
    enum hcct_names names;
    bool names_given; /* otherwise the format says */
    struct hcct_query query;
    bool *leaked; /* --format=leaks tells here whether something did; or NULL */
    int value;    /* enum hcct_heap_value: the first one, where a format has all */
    bool inlines;
    bool all;
    enum hcct_report_spread spread;
    /* of the summary's phases, in their order; NULL: the page has none */
    const struct hcct_report_part *phases;
    bool colour;        /* for people: escape sequences of a terminal */
    bool utf8;          /* for people: box drawing characters, ellipses */
    unsigned width;     /* for people: the columns of the terminal; 0: no terminal */
    double phi;         /* < 0: the file's */
    uint64_t top_count; /* 0: no limit */
    uint64_t min_count;
    uint32_t max_depth; /* 0: no limit */
    uint64_t cold; /* where it is more than half of all: what contexts have that are too cold to be shown */
    bool folds_unasked; /* recursion is shown folded for that reason; `cold` is what it was without */
};

struct hcct_report;

/* What a format's printer gets of the tree. */
enum hcct_report_shape {
    HCCT_SHAPE_TREE, /* what is shown, with leaves [other] for what is not; deep cycles are one frame [xN] */
    /* The same for readers that sum up by function: below [other] stand the functions whose counts are in
     * it. */
    HCCT_SHAPE_SUMMED,
    HCCT_SHAPE_PATHS,   /* a line each: --top counts these lines, and each tells its own N of [xN] */
    HCCT_SHAPE_PROGRAM, /* what is shown, by site and with inlined frames, of one build only */
    HCCT_SHAPE_MARKED,  /* the whole tree, in which HCCT_NODE_KEPT marks what is to be shown */
    HCCT_SHAPE_SITES,   /* the same; the printer makes lines of its own, and chooses them itself */
    HCCT_SHAPE_DATA,    /* the same for programs, which tell frames apart by their members */
};

enum hcct_report_medium {
    HCCT_MEDIUM_DOCUMENT, /* is written even where nothing was counted: an empty file is none of its kind */
    HCCT_MEDIUM_LINES,    /* for other tools */
    HCCT_MEDIUM_TERMINAL, /* for people: through a pager, in colour */
    HCCT_MEDIUM_BINARY,   /* a document that is not for terminals */
    HCCT_MEDIUM_PAGE,     /* a document whose reader has the views, values and phases there */
};

/* Which values of a profile of the heap a format shows. */
enum hcct_report_values {
    HCCT_VALUES_ONE,
    HCCT_VALUES_ALL,   /* unless one was chosen */
    HCCT_VALUES_FIRST, /* all; the option says which comes first */
    HCCT_VALUES_LOST,  /* the same, and what is lost: a profile has to have that */
};

/* What the decoder has to know of an output format. Each is defined beside its printer, in formats/. */
struct hcct_report_format {
    const char *name; /* as --format names it */
    /* NULL: not built in (hcct_formats_needs). */
    void (*print)(FILE *out, const struct hcct_report *report);
    /* Prints the views flat and peek; `tree` is by call site. NULL: the format has no tables. False: *error
     * tells why. */
    bool (*print_table)(FILE *out, struct hcct_report *report, const struct hcct_tree *tree,
                        struct hcct_error *error);
    enum hcct_frames_by by; /* what tells contexts apart where --by says nothing */
    enum hcct_names names;  /* those that are shown where --names says nothing */
    enum hcct_report_shape shape;
    enum hcct_report_medium medium;
    enum hcct_report_values values;
};

/* Whether the whole tree is printed, with nothing folded. */
static inline bool hcct_report_is_whole(const struct hcct_report_format *format)
{
    return format->shape >= HCCT_SHAPE_MARKED;
}

/* Whether the profile has what the format shows. If not, *error says what to do. hcct_report_print asks this
 * itself; a command asks before it makes the output. */
bool hcct_report_suits(const struct hcct_decoded *merge, const struct hcct_report_format *format,
                       struct hcct_error *error);

/* The smallest count with count >= phi * N. */
uint64_t hcct_report_hot_count(double phi, uint64_t calls);

/* Prints the report. On false *error tells why: the profile does not have what the options ask for, a limit
 * of the tree is passed, or the limit of the output for profiles of that size (limit.h). Errors of `out` stay
 * in the stream (ferror) and in errno. Afterwards the tree of `merge` may be empty. */
bool hcct_report_print(FILE *out, struct hcct_decoded *merge, const struct hcct_report_options *options,
                       struct hcct_error *error);

/* What a format's printer is given. */
struct hcct_report {
    const struct hcct_summary *summary;
    const struct hcct_report_options *options;
    /* Of the profiles that were added up, or with --spread=threads of threads. NULL: there is one profile, or
     * its sum does not tell of the others. */
    const struct hcct_spread *spread;
    struct hcct_frames *frames;
    struct hcct_limit *limit;      /* of the output; for formats that compress */
    const struct hcct_tree *tree;  /* kept nodes only, unless hcct_report_is_whole */
    const struct hcct_tree *whole; /* the same with those that are not kept; NULL: for tables */
    enum hcct_frames_by by;
    double phi;
    uint64_t unassigned; /* what no context of the whole tree has */
    uint64_t evicted;    /* the part of it that functions have */
    uint64_t hot_count;  /* the smallest hot count */
    uint64_t hot_contexts;
    /* before sites of one place, and frames that are folded, became one; 0: not known */
    uint64_t hot_by_site;
    uint64_t value_totals[HCCT_TREE_VALUES]; /* of a tree with values */
    uint64_t file_bytes;                     /* of the profiles */
    bool is_upside_down; /* the tree of --view=callers: a node stands for itself and what is below it */
};

/* The most by which a function's own sum may be too low. `errors`: of its contexts. */
static inline uint64_t hcct_report_missing_of_function(const struct hcct_report *report, uint64_t errors)
{
    return hcct_claim_missing(&report->summary->ground, errors, report->unassigned - report->evicted);
}

/* Whether a context that no file kept may be hot. */
static inline bool hcct_report_may_lack_hot(const struct hcct_report *report)
{
    return report->summary->ground.floor && report->summary->ground.floor >= report->hot_count;
}

#endif
