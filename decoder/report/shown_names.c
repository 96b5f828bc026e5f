/* Names, see shown_names.h. */
#include "decoder/report/shown_names.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/report/report.h"

enum hcct_names hcct_names_of(const struct hcct_report_options *options)
{
    return options->names_given ? options->names : options->format->names;
}

struct namer {
    struct hcct_frames *frames;
    const struct hcct_tree *tree; /* NULL: all used frames stand in one table */
    bool *used;                   /* per frame */
    bool *meet;                   /* per frame: one of its name stands beside it */
    uint32_t *by_name;            /* per frame: the first one of its name */
};

/* In a tree frames meet where two paths would be one text. */
static bool meet_in_tree(struct namer *namer)
{
    const struct hcct_tree *tree = namer->tree;
    struct hcct_tree texts = { 0 };
    uint32_t *map = malloc(((size_t)tree->node_count + 1) * sizeof *map);
    bool done = map;
    for (uint32_t i = 0; done && i < tree->node_count; i++) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        uint32_t parent = node->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE : map[node->parent],
                 before = texts.node_count, name = namer->by_name[node->frame];
        map[i] = hcct_tree_child(&texts, parent, name, HCCT_FRAMES_NONE);
        done = map[i] != HCCT_NODE_NONE;
        if (done && map[i] == before)
            texts.nodes[before].count = node->frame;
        else if (done && texts.nodes[map[i]].count != node->frame)
            namer->meet[name] = true;
    }
    hcct_tree_free(&texts);
    free(map);
    return done;
}

/* Marks the used frames that meet one of the same name. */
static bool find_meetings(struct namer *namer)
{
    uint32_t count = namer->frames->frame_count;
    memset(namer->meet, 0, count * sizeof *namer->meet);
    if (!hcct_frames_group_by_name(namer->frames, namer->by_name) || (namer->tree && !meet_in_tree(namer)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!namer->tree && namer->used[i] && namer->by_name[i] != i)
            namer->meet[namer->by_name[i]] = true;
    for (uint32_t i = count; i--;) /* by_name[i] is at most i */
        namer->meet[i] = namer->used[i] && namer->meet[namer->by_name[i]];
    return true;
}

/* Gives frames that meet their longer names, if these differ. */
static bool lengthen(struct namer *namer, enum hcct_names names)
{
    struct hcct_frames *frames = namer->frames;
    char **texts = calloc((size_t)frames->frame_count + 1, sizeof *texts);
    bool *differ = calloc((size_t)frames->frame_count + 1, sizeof *differ); /* by name */
    bool done = texts && differ;
    for (uint32_t i = 0; done && i < frames->frame_count; i++) {
        uint32_t first = namer->by_name[i];
        if (!namer->meet[i])
            continue;
        done = (texts[i] = hcct_frames_text(frames, i, names));
        if (done && !texts[first])
            done = (texts[first] = strdup(texts[i]));
        differ[first] |= done && strcmp(texts[first], texts[i]);
    }
    for (uint32_t i = 0; done && i < frames->frame_count; i++)
        if (namer->meet[i] && differ[namer->by_name[i]]) {
            char *shorter = frames->frames[i].name;
            frames->frames[i].name = texts[i];
            texts[i] = shorter;
        }
    for (uint32_t i = 0; texts && i < frames->frame_count; i++)
        free(texts[i]);
    free(texts);
    free(differ);
    return done;
}

static bool name_frames(struct namer *namer, const struct hcct_report_options *options)
{
    struct hcct_frames *frames = namer->frames;
    enum hcct_names names = hcct_names_of(options);
    bool done = true;
    for (uint32_t i = 0; done && i < frames->frame_count; i++)
        done = !namer->used[i] || hcct_frames_name(frames, i, names);
    if (!done || options->format->is_for_programs)
        return done;
    if (names == HCCT_NAMES_SHORT)
        done = find_meetings(namer) && lengthen(namer, HCCT_NAMES_PARAMETERS) && find_meetings(namer) &&
               lengthen(namer, HCCT_NAMES_ARGUMENTS) && find_meetings(namer) &&
               lengthen(namer, HCCT_NAMES_FULL);
    done = done && find_meetings(namer);
    /* Programs look linkage names up elsewhere: only those that meet get the file. */
    return done && hcct_frames_tell_apart(frames, names == HCCT_NAMES_LINKAGE ? namer->meet : namer->used,
                                          namer->by_name);
}

static bool open_namer(struct namer *namer)
{
    size_t room = (size_t)namer->frames->frame_count + 1;
    namer->used = calloc(room, sizeof *namer->used);
    namer->meet = calloc(room, sizeof *namer->meet);
    namer->by_name = malloc(room * sizeof *namer->by_name);
    return namer->used && namer->meet && namer->by_name;
}

static bool finish(struct namer *namer, bool done)
{
    free(namer->used);
    free(namer->meet);
    free(namer->by_name);
    return done;
}

bool hcct_names_make(struct hcct_frames *frames, const struct hcct_tree *tree,
                     const struct hcct_report_options *options)
{
    struct namer namer = { .frames = frames, .tree = tree };
    if (!open_namer(&namer))
        return finish(&namer, false);
    for (uint32_t i = 0; i < tree->node_count; i++)
        namer.used[tree->nodes[i].frame] = true;
    return finish(&namer, name_frames(&namer, options));
}

bool hcct_names_make_list(struct hcct_frames *frames, const uint32_t *list, uint32_t count,
                          const struct hcct_report_options *options)
{
    struct namer namer = { .frames = frames };
    if (!open_namer(&namer))
        return finish(&namer, false);
    for (uint32_t i = 0; i < count; i++)
        namer.used[list[i]] = true;
    return finish(&namer, name_frames(&namer, options));
}
