/* What a report shows of a node, see node.h. */
#include "decoder/report/node.h"

#include <stdio.h>

const struct hcct_tree_site *hcct_node_site(const struct hcct_report *report,
                                            const struct hcct_tree_node *node)
{
    bool none =
        node->site == HCCT_FRAMES_NONE || report->frames->frames[node->frame].kind == HCCT_FRAME_REPEAT;
    return none ? NULL : &report->frames->sites[node->site];
}

bool hcct_node_site_text(const struct hcct_report *report, const struct hcct_tree_site *site,
                         struct hcct_text *text)
{
    char number[32] = "";
    text->length = 0;
    if (site && site->line) {
        const char *file = hcct_text_base_name(site->file);
        bool column = site->column && report->by < HCCT_BY_LINE;
        snprintf(number, sizeof number, column ? ":%u:%u" : ":%u", site->line, site->column);
        if (!hcct_text_add_string(text, file))
            return false;
    } else if (site && site->ordinal) {
        snprintf(number, sizeof number, "#%u", site->ordinal);
    }
    return hcct_text_add_string(text, number) && hcct_text_end(text);
}

bool hcct_node_spread(const struct hcct_report *report, const struct hcct_tree_node *node,
                      struct hcct_spread *value)
{
    if (!report->spread || !node->spread)
        return false;
    *value = report->spread[node->spread - 1];
    return !hcct_spread_is_blurred(value);
}
