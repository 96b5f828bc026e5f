/* Frames numbered in the order in which the nodes use them first, see frame_list.h. */
#include "decoder/report/frame_list.h"

#include <stdlib.h>

#include "decoder/text/memory.h"

void hcct_frame_list_open(struct hcct_frame_list *list, const struct hcct_report *report)
{
    const struct hcct_tree *tree = report->tree;
    const struct hcct_frames *frames = report->frames;
    uint32_t *known = hcct_memory_array(frames->frame_count, sizeof *known);
    *list = (struct hcct_frame_list){ 0 };
    list->number = hcct_memory_array(tree->node_count, sizeof *list->number);
    list->node = hcct_memory_array(tree->node_count, sizeof *list->node);
    for (uint32_t i = 0; i < frames->frame_count; i++)
        known[i] = HCCT_FRAMES_NONE;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        uint32_t frame = tree->nodes[i].frame;
        if (!(tree->nodes[i].flags & HCCT_NODE_KEPT))
            continue;
        if (known[frame] == HCCT_FRAMES_NONE || frames->frames[frame].kind == HCCT_FRAME_REPEAT) {
            known[frame] = list->count;
            list->node[list->count++] = i;
        }
        list->number[i] = known[frame];
    }
    free(known);
}

void hcct_frame_list_close(struct hcct_frame_list *list)
{
    free(list->number);
    free(list->node);
}
