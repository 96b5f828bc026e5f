/* See place_lines.h. */
#include "decoder/report/place_lines.h"

#include <stdlib.h>

#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"
#include "format/layout.h"

void hcct_place_lines_open(struct hcct_place_lines *places, const struct hcct_tree *tree,
                           const struct hcct_frames *frames)
{
    *places = (struct hcct_place_lines){ .lines = NULL };
    if (!tree->spot_count)
        return;
    places->source = hcct_lines_open();
    places->lines = hcct_memory_array(frames->place_count, sizeof *places->lines);
    for (uint32_t i = 0; i < frames->place_count; i++) {
        const struct hcct_tree_place *place = &frames->places[i];
        const char *why = "is not in the profile";
        places->lines[i] = (struct hcct_source_line){ .file = "" };
        if (place->object)
            hcct_lines_find(places->source, place->object, place->object_build_id,
                            hcct_layout_place_address(place->site), &places->lines[i], &why);
        if (why && !places->why) {
            places->why = why;
            places->object = place->object ? place->object : "its object";
        }
    }
}

void hcct_place_lines_print_gap(FILE *out, const struct hcct_place_lines *places, const char *before,
                                const char *behind)
{
    if (!places->why)
        return;
    fputs(before, out);
    hcct_escape_line(out, hcct_text_base_name(places->object));
    fprintf(out, " %s\n%s", places->why, behind);
}

uint32_t hcct_place_lines_keep(struct hcct_frames *frames, const struct hcct_source_frame *inlined,
                               enum hcct_names names)
{
    struct hcct_tree_frame frame = { .linkage = *inlined->linkage ? inlined->linkage : inlined->source,
                                     .source = inlined->source,
                                     .file = inlined->file,
                                     .kind = HCCT_FRAME_INLINED };
    uint32_t index = hcct_frames_keep(frames, &frame);
    hcct_frames_name(frames, index, names);
    return index;
}

void hcct_place_lines_close(struct hcct_place_lines *places)
{
    free(places->lines);
    hcct_lines_close(places->source);
    *places = (struct hcct_place_lines){ .lines = NULL };
}
