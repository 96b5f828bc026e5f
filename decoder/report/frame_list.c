/* Frames numbered in the order in which the nodes use them first, see frame_list.h. */
#include "decoder/report/frame_list.h"

#include <stdlib.h>

bool hcct_frame_list_open(struct hcct_frame_list *list, const struct hcct_report *report)
{
    const struct hcct_tree *tree = report->tree;
    const struct hcct_frames *frames = report->frames;
    uint32_t *known = malloc(((size_t)frames->frame_count + 1) * sizeof *known);
    *list = (struct hcct_frame_list){ 0 };
    list->number = malloc(((size_t)tree->node_count + 1) * sizeof *list->number);
    list->node = malloc(((size_t)tree->node_count + 1) * sizeof *list->node);
    bool done = known && list->number && list->node;
    for (uint32_t i = 0; done && i < frames->frame_count; i++)
        known[i] = HCCT_FRAMES_NONE;
    for (uint32_t i = 0; done && i < tree->node_count; i++) {
        uint32_t frame = tree->nodes[i].frame;
        if (known[frame] == HCCT_FRAMES_NONE || frames->frames[frame].kind == HCCT_FRAME_REPEAT) {
            known[frame] = list->count;
            list->node[list->count++] = i;
        }
        list->number[i] = known[frame];
    }
    free(known);
    return done;
}

void hcct_frame_list_close(struct hcct_frame_list *list)
{
    free(list->number);
    free(list->node);
}
