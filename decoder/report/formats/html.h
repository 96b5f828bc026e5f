/* The page for a browser, of one profile (html.c) or of the difference of two (diff_html.c): page.html with
 * its style and scripts, and a JSON object that the scripts show:
 *
 *     what `head` prints: members about the profile, each with a comma behind it
 *     "frames": [[name, linkage name, file, line, kind], ...]
 *     "sites": [[file, line, column, ordinal], ...]
 *     "parent", "frame", "site": a column each of the nodes' table, depth first; -1: none
 *     and the columns of `columns`. */
#ifndef HCCT_DECODER_REPORT_FORMATS_HTML_H
#define HCCT_DECODER_REPORT_FORMATS_HTML_H

#include "decoder/report/export.h"

struct hcct_html {
    FILE *out;
    const struct hcct_report *report; /* of it the tree, its frames, and what tells contexts apart */
    const void *subject;              /* what head and columns are about */
    struct hcct_layout layout;
    struct hcct_frame_list frames;
    uint32_t *line_of;     /* per node: its place in the order of the page */
    uint32_t *site_number; /* per site; NONE: not used */
    uint32_t site_count;
};

struct hcct_html_column {
    const char *key;
    void (*print)(const struct hcct_html *page, uint32_t node);
};

/* `columns` ends with a key that is NULL. False when memory is out. */
bool hcct_html_page(FILE *out, const struct hcct_report *report, const void *subject,
                    void (*head)(const struct hcct_html *page), const struct hcct_html_column *columns);

/* A JSON object of facts about a profile. */
void hcct_html_facts(FILE *out, const struct hcct_report *report);
/* The members that tell what is counted, behind others. */
void hcct_html_metric(FILE *out, const struct hcct_summary *summary);

#endif
