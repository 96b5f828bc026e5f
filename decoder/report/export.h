/* What the formats for viewers have in common: facts about the profile to be told in each of them, and the
 * tree as a drawing needs it.
 *
 * All of them show the contexts that `tree` shows: the selected ones and their ancestors, each with its own
 * count, a cycle deeper than --max-depth as one frame [xN]. */
#ifndef HCCT_DECODER_REPORT_EXPORT_H
#define HCCT_DECODER_REPORT_EXPORT_H

#include "decoder/report/report.h"
#include "decoder/text/json_writer.h"
#include "decoder/text/text.h"

extern const char *const hcct_mode_names[];      /* by enum hcct_file_mode */
extern const char *const hcct_estimate_names[];  /* by enum hcct_file_estimate */
extern const char *const hcct_algorithm_names[]; /* by enum hcct_file_algorithm */
extern const char *const hcct_guarantee_names[]; /* by enum hcct_file_guarantee */
extern const char *const hcct_metric_names[];    /* by enum hcct_file_metric */
extern const char *const hcct_metric_titles[];   /* the same, in headings */
extern const char *const hcct_kind_names[];      /* by enum hcct_frame_kind */
/* As the options call it. */
const char *hcct_recursion_name(const struct hcct_summary *summary);

/* --- facts ---------------------------------------------------------------------------------------- */

struct hcct_fact {
    const char *key;
    const char *text; /* the program's path: any bytes; otherwise plain ASCII */
};

#define HCCT_FACT_COUNT 15

struct hcct_facts {
    struct hcct_fact items[HCCT_FACT_COUNT];
    char texts[HCCT_FACT_COUNT][160];
};

/* Program, build, N, phi, epsilon, algorithm, what was dropped: for a comment or the metadata of every
 * format. */
void hcct_facts_make(struct hcct_facts *facts, const struct hcct_report *report);
/* As an object, a member for each fact. */
void hcct_facts_write(struct hcct_json *json, const char *key, const struct hcct_facts *facts);

/* --- the tree, laid out --------------------------------------------------------------------------- */

struct hcct_layout {
    struct hcct_tree_children
        children;        /* siblings hottest first: by inclusive count, then by name and site */
    uint64_t *inclusive; /* per node: its own count and those below it */
    uint32_t *order;     /* all nodes, depth first */
    uint32_t *depth;     /* per node: 0 for a root */
    uint64_t total;      /* of the roots' inclusive counts */
    uint32_t deepest;    /* levels of the tree; 0 if it is empty */
};

/* False when memory is out; to be closed in any case. */
bool hcct_layout_open(struct hcct_layout *layout, const struct hcct_report *report);
void hcct_layout_close(struct hcct_layout *layout);

/* --- the frames of a tree, numbered ---------------------------------------------------------------- */

/* Each frame that the tree uses, a frame [xN] once for each node. */
struct hcct_frame_list {
    uint32_t *number; /* per node: of its frame */
    uint32_t *node;   /* per number: the first node with that frame */
    uint32_t count;
};

/* False when memory is out; to be closed in any case. */
bool hcct_frame_list_open(struct hcct_frame_list *list, const struct hcct_report *report);
void hcct_frame_list_close(struct hcct_frame_list *list);

/* --- a node's texts ------------------------------------------------------------------------------- */

#define HCCT_NODE_NAME_BYTES 16 /* for what is no frame's name: [xN] */

/* As it is shown; in `buffer` if need be. */
const char *hcct_node_name(const struct hcct_report *report, const struct hcct_tree_node *node,
                           char buffer[HCCT_NODE_NAME_BYTES]);

/* Where the node was called, or inlined; NULL if it has no such place. */
const struct hcct_tree_site *hcct_node_site(const struct hcct_report *report,
                                            const struct hcct_tree_node *node);

#define HCCT_COUNT_BYTES 32

/* A count as people read it: a time in seconds, else as it is. */
const char *hcct_count_text(const struct hcct_summary *summary, uint64_t count,
                            char buffer[HCCT_COUNT_BYTES]);
/* The heading of a column of such counts: "calls", "bytes", "secs". */
const char *hcct_count_title(const struct hcct_summary *summary);

#define HCCT_AMOUNT_BYTES 64

/* With its unit: "2 calls", "1 call", "3 bytes", "0.120 s". */
const char *hcct_amount_text(const struct hcct_summary *summary, uint64_t count,
                             char buffer[HCCT_AMOUNT_BYTES]);

#define HCCT_SHARE_BYTES 32

/* "12.50%", or "<0.01%", of all calls. */
const char *hcct_share_text(const struct hcct_report *report, uint64_t count, char buffer[HCCT_SHARE_BYTES]);

/* "sort.c:24:13", or "#3", the third call of its function; empty where nothing is known. */
bool hcct_site_text(const struct hcct_report *report, const struct hcct_tree_site *site,
                    struct hcct_text *text);

/* Its own count, 0 where the node is not monitored. */
static inline uint64_t hcct_node_count(const struct hcct_tree_node *node)
{
    return node->flags & HCCT_NODE_COUNTED ? node->count : 0;
}

static inline uint64_t hcct_node_error(const struct hcct_tree_node *node)
{
    return node->flags & HCCT_NODE_COUNTED ? node->error : 0;
}

#endif
