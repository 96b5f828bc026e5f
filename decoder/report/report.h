/* Prints a merged profile in one of the output formats.
 *
 * hcct_report_print prepares what all formats need: the tree as the options want it, the names to show, and
 * which contexts are hot. Then the printer of the format (formats/) writes. All formats but json and source
 * get the contexts that `tree` shows: the selected ones and their ancestors, each with its own count, cycles
 * deeper than --max-depth as one frame [xN]. What is not selected stands as leaves [other]. */
#ifndef HCCT_DECODER_REPORT_REPORT_H
#define HCCT_DECODER_REPORT_REPORT_H

#include <stdio.h>

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
};

struct hcct_report;

/* Who reads a format, for --help. */
enum hcct_report_audience { HCCT_REPORT_FOR_ALL, HCCT_REPORT_FOR_VIEWERS, HCCT_REPORT_FOR_CLANG };

/* What the decoder has to know of an output format. Each is defined beside its printer, in formats/. */
struct hcct_report_format {
    const char *name;       /* as --format names it */
    const char *other_name; /* that --format takes, too; or NULL */
    enum hcct_report_audience audience;
    /* False when memory is out. NULL: not built in, for lack of the libraries `needs`. */
    bool (*print)(FILE *out, const struct hcct_report *report);
    const char *needs;
    /* Prints the views flat and peek; `tree` is by call site. NULL: the format has no tables. False: *error
     * tells why. */
    bool (*print_table)(FILE *out, struct hcct_report *report, const struct hcct_tree *tree,
                        struct hcct_error *error);
    enum hcct_frames_by by; /* what tells contexts apart where --by says nothing */
    enum hcct_names names;  /* those that are shown where --names says nothing */
    bool folds;             /* cycles deeper than --max-depth become [xN] */
    bool is_for_people;     /* goes through a pager; on a terminal in colour */
    bool is_document;       /* is written even where nothing was counted: an empty file is none of its kind */
    bool is_binary;         /* not for terminals */
    /* Prints lines of text of its own making and chooses them itself: --top counts these lines, and each path
     * tells its own N of [xN]. */
    bool is_lines;
    bool is_whole; /* gets the whole tree, in which HCCT_NODE_KEPT marks what is to be shown */
    /* Its readers sum up by function: below [other] stand the functions whose counts are in it. */
    bool sums_functions;
    /* Tells frames apart by their members: names are not made unique, and inlined frames of one place stay
     * apart. */
    bool is_for_programs;
    /* Shows all values of a profile of the heap. The tree has them (value_count), unless one was chosen. */
    bool has_values;
    bool needs_lost;     /* tells lost blocks */
    bool chooses_values; /* its reader chooses one: the tree has all, and the option says which comes first */
    bool is_for_compilers; /* always by site and with inlined frames; of one build only */
};

/* Whether the profile has what the format shows. If not, *error says what to do. hcct_report_print asks this
 * itself; a command asks before it makes the output. */
bool hcct_report_suits(const struct hcct_decoded *merge, const struct hcct_report_format *format,
                       struct hcct_error *error);

/* False when the profile does not suit, when memory is out, or when the output passes the limit for profiles
 * of that size (limit.h); *error tells which. Errors of `out` stay in the stream (ferror) and in errno. */
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
    struct hcct_limit *limit;     /* of the output; for formats that compress */
    const struct hcct_tree *tree; /* kept nodes only, unless the format is_whole */
    enum hcct_frames_by by;
    double phi;
    uint64_t unassigned; /* hcct_tree_unassigned of the whole tree */
    uint64_t hot_count;  /* the smallest hot count */
    uint64_t hot_contexts;
    /* before sites of one place, and frames that are folded, became one; 0: not known */
    uint64_t hot_by_site;
    uint64_t value_totals[HCCT_TREE_VALUES]; /* of a tree with values */
    uint64_t file_bytes;                     /* of the profiles */
    bool is_upside_down; /* the tree of --view=callers: a node stands for itself and what is below it */
};

/* Whether a context that no file kept may be hot. */
static inline bool hcct_report_may_lack_hot(const struct hcct_report *report)
{
    return report->summary->ground.floor && report->summary->ground.floor >= report->hot_count;
}

#endif
