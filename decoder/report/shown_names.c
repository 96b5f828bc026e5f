/* Names, see shown_names.h. */
#include "decoder/report/shown_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/names/apart.h"
#include "decoder/report/report.h"
#include "decoder/text/memory.h"

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
    bool any_meet;
};

/* In a tree frames meet where two paths would be one text. */
static void meet_in_tree(struct namer *namer)
{
    const struct hcct_tree *tree = namer->tree;
    struct hcct_tree texts = { 0 };
    uint32_t *map = hcct_memory_array(tree->node_count, sizeof *map);
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        uint32_t parent = node->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE : map[node->parent],
                 before = texts.node_count, name = namer->by_name[node->frame];
        map[i] = hcct_tree_child(&texts, parent, name, HCCT_FRAMES_NONE);
        if (map[i] == before)
            texts.nodes[before].count = node->frame;
        else if (texts.nodes[map[i]].count != node->frame)
            namer->meet[name] = true;
    }
    hcct_tree_free(&texts);
    free(map);
}

/* Marks the used frames that meet one of the same name. */
static void find_meetings(struct namer *namer)
{
    uint32_t count = namer->frames->frame_count;
    bool any_namesake = false;
    memset(namer->meet, 0, count * sizeof *namer->meet);
    namer->any_meet = false;
    hcct_frames_group_by_name(namer->frames, namer->by_name);
    for (uint32_t i = 0; i < count; i++) {
        bool is_namesake = namer->used[i] && namer->by_name[i] != i;
        any_namesake |= is_namesake;
        if (is_namesake && !namer->tree)
            namer->meet[namer->by_name[i]] = true;
    }
    if (any_namesake && namer->tree)
        meet_in_tree(namer);
    for (uint32_t i = count; i--;) { /* by_name[i] is at most i */
        namer->meet[i] = namer->used[i] && namer->meet[namer->by_name[i]];
        namer->any_meet |= namer->meet[i];
    }
}

#define LONG_NAME 80 /* bytes; of a longer one only what tells it apart is shown, behind the short name */

/* Frame `it->index` gets the name `it->name`, or if that is long its short name and the pieces. */
static void set_name(struct hcct_frames *frames, const struct hcct_apart *it)
{
    char *shortest =
        strlen(it->name) <= LONG_NAME ? NULL : hcct_frames_text(frames, it->index, HCCT_NAMES_SHORT);
    free(frames->frames[it->index].name);
    frames->frames[it->index].name = shortest ? hcct_memory_print("%s [%s]", shortest, it->pieces.bytes)
                                              : hcct_memory_got(strdup(it->name));
    free(shortest);
}

/* Gives frames of one name their longer names, if these differ. */
static void lengthen_namesakes(struct hcct_frames *frames, struct hcct_apart *names, size_t count)
{
    bool differ = false;
    for (size_t i = 1; i < count; i++)
        differ |= strcmp(names[0].name, names[i].name);
    if (!differ)
        return;
    hcct_names_tell_apart(names, count, hcct_frames_ellipsis(frames));
    for (size_t i = 0; i < count; i++) {
        set_name(frames, &names[i]);
        free(names[i].pieces.bytes);
    }
}

/* Gives frames that meet their longer names, if these differ. */
static void lengthen(struct namer *namer, enum hcct_names names)
{
    struct hcct_frames *frames = namer->frames;
    uint32_t frame_count = frames->frame_count;
    /* frames that meet, from 1: the first one of each name, and the next one of the same name */
    uint32_t *heads = hcct_memory_zeros(frame_count, sizeof *heads);
    uint32_t *next = hcct_memory_zeros(frame_count, sizeof *next);
    struct hcct_apart *list = hcct_memory_zeros(frame_count, sizeof *list);
    for (uint32_t i = frame_count; i--;)
        if (namer->meet[i]) {
            next[i] = heads[namer->by_name[i]];
            heads[namer->by_name[i]] = i + 1;
        }
    for (uint32_t i = 0; i < frame_count; i++) {
        size_t count = 0;
        for (uint32_t of = heads[i]; of; of = next[of - 1])
            list[count++] =
                (struct hcct_apart){ .name = hcct_frames_text(frames, of - 1, names), .index = of - 1 };
        lengthen_namesakes(frames, list, count);
        while (count)
            free((char *)list[--count].name);
    }
    free(heads);
    free(next);
    free(list);
}

static void name_frames(struct namer *namer, const struct hcct_report_options *options)
{
    struct hcct_frames *frames = namer->frames;
    enum hcct_names names = hcct_names_of(options);
    for (uint32_t i = 0; i < frames->frame_count; i++)
        if (namer->used[i])
            hcct_frames_name(frames, i, names);
    if (options->format->shape == HCCT_SHAPE_DATA)
        return;
    static const enum hcct_names longer[] = { HCCT_NAMES_PARAMETERS, HCCT_NAMES_ARGUMENTS, HCCT_NAMES_FULL };
    find_meetings(namer);
    for (size_t i = 0; namer->any_meet && names == HCCT_NAMES_SHORT && i < 3; i++) {
        lengthen(namer, longer[i]);
        find_meetings(namer);
    }
    /* Programs look linkage names up elsewhere: only those that meet get the file. */
    hcct_frames_tell_apart(frames, names == HCCT_NAMES_LINKAGE ? namer->meet : namer->used, namer->by_name);
}

static struct namer open_namer(struct hcct_frames *frames, const struct hcct_tree *tree)
{
    uint32_t count = frames->frame_count;
    return (struct namer){ .frames = frames,
                           .tree = tree,
                           .used = hcct_memory_zeros(count, sizeof(bool)),
                           .meet = hcct_memory_zeros(count, sizeof(bool)),
                           .by_name = hcct_memory_array(count, sizeof(uint32_t)) };
}

static void finish(struct namer *namer, const struct hcct_report_options *options)
{
    name_frames(namer, options);
    free(namer->used);
    free(namer->meet);
    free(namer->by_name);
}

void hcct_names_make(struct hcct_frames *frames, const struct hcct_tree *tree,
                     const struct hcct_report_options *options)
{
    struct namer namer = open_namer(frames, tree);
    for (uint32_t i = 0; i < tree->node_count; i++)
        namer.used[tree->nodes[i].frame] = true;
    for (uint32_t i = 0; i < frames->frame_count; i++)
        namer.used[i] |= frames->frames[i].evicted != 0; /* the verdict names them, too */
    finish(&namer, options);
}

void hcct_names_make_list(struct hcct_frames *frames, const uint32_t *list, uint32_t count,
                          const struct hcct_report_options *options)
{
    struct namer namer = open_namer(frames, NULL);
    for (uint32_t i = 0; i < count; i++)
        namer.used[list[i]] = true;
    finish(&namer, options);
}
