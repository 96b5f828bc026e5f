/* What a report shows of a node, see node.h. */
#include "decoder/report/node.h"

const struct hcct_tree_site *hcct_node_site(const struct hcct_report *report,
                                            const struct hcct_tree_node *node)
{
    bool none =
        node->site == HCCT_FRAMES_NONE || report->frames->frames[node->frame].kind == HCCT_FRAME_REPEAT;
    return none ? NULL : &report->frames->sites[node->site];
}

void hcct_node_site_text(const struct hcct_report *report, const struct hcct_tree_site *site,
                         struct hcct_text *text)
{
    text->length = 0;
    hcct_text_add_string(text, "");
    if (site && site->line) {
        hcct_text_print(text, "%s:%u", hcct_text_base_name(site->file), site->line);
        if (site->column && report->by < HCCT_BY_LINE)
            hcct_text_print(text, ":%u", site->column);
    } else if (site && site->ordinal) {
        hcct_text_print(text, "#%u", site->ordinal);
    }
}

bool hcct_node_spread(const struct hcct_report *report, const struct hcct_tree_node *node,
                      struct hcct_spread *value)
{
    if (!report->spread || !node->spread)
        return false;
    *value = report->spread[node->spread - 1];
    return !hcct_spread_is_blurred(value);
}
