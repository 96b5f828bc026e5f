/* Names, see shown_names.h. */
#include "decoder/report/shown_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/names/apart.h"
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
    bool any_meet;
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
    bool any_namesake = false;
    memset(namer->meet, 0, count * sizeof *namer->meet);
    namer->any_meet = false;
    if (!hcct_frames_group_by_name(namer->frames, namer->by_name))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        bool is_namesake = namer->used[i] && namer->by_name[i] != i;
        any_namesake |= is_namesake;
        if (is_namesake && !namer->tree)
            namer->meet[namer->by_name[i]] = true;
    }
    if (any_namesake && namer->tree && !meet_in_tree(namer))
        return false;
    for (uint32_t i = count; i--;) { /* by_name[i] is at most i */
        namer->meet[i] = namer->used[i] && namer->meet[namer->by_name[i]];
        namer->any_meet |= namer->meet[i];
    }
    return true;
}

#define LONG_NAME 80 /* bytes; of a longer one only what tells it apart is shown, behind the short name */

/* Frame `it->index` gets the name `it->name`, or if that is long its short name and the pieces. */
static bool set_name(struct hcct_frames *frames, const struct hcct_apart *it)
{
    char *name = NULL;
    if (strlen(it->name) <= LONG_NAME) {
        name = strdup(it->name);
    } else {
        char *shortest = hcct_frames_text(frames, it->index, HCCT_NAMES_SHORT);
        if (shortest && asprintf(&name, "%s [%s]", shortest, it->pieces.bytes) < 0)
            name = NULL;
        free(shortest);
    }
    if (!name)
        return false;
    free(frames->frames[it->index].name);
    frames->frames[it->index].name = name;
    return true;
}

/* Gives frames of one name their longer names, if these differ. */
static bool lengthen_namesakes(struct hcct_frames *frames, struct hcct_apart *names, size_t count)
{
    bool differ = false;
    for (size_t i = 1; i < count; i++)
        differ |= strcmp(names[0].name, names[i].name);
    if (!differ)
        return true;
    bool done = hcct_names_tell_apart(names, count, hcct_frames_ellipsis(frames));
    for (size_t i = 0; done && i < count; i++)
        done = set_name(frames, &names[i]);
    for (size_t i = 0; i < count; i++)
        free(names[i].pieces.bytes);
    return done;
}

/* Gives frames that meet their longer names, if these differ. */
static bool lengthen(struct namer *namer, enum hcct_names names)
{
    struct hcct_frames *frames = namer->frames;
    uint32_t frame_count = frames->frame_count;
    /* frames that meet, from 1: the first one of each name, and the next one of the same name */
    uint32_t *heads = calloc((size_t)frame_count + 1, sizeof *heads);
    uint32_t *next = calloc((size_t)frame_count + 1, sizeof *next);
    struct hcct_apart *list = calloc((size_t)frame_count + 1, sizeof *list);
    bool done = heads && next && list;
    for (uint32_t i = frame_count; done && i--;)
        if (namer->meet[i]) {
            next[i] = heads[namer->by_name[i]];
            heads[namer->by_name[i]] = i + 1;
        }
    for (uint32_t i = 0; done && i < frame_count; i++) {
        size_t count = 0;
        for (uint32_t of = heads[i]; done && of; of = next[of - 1]) {
            char *name = hcct_frames_text(frames, of - 1, names);
            list[count++] = (struct hcct_apart){ .name = name, .index = of - 1 };
            done = name;
        }
        done = done && lengthen_namesakes(frames, list, count);
        while (count)
            free((char *)list[--count].name);
    }
    free(heads);
    free(next);
    free(list);
    return done;
}

static bool name_frames(struct namer *namer, const struct hcct_report_options *options)
{
    struct hcct_frames *frames = namer->frames;
    enum hcct_names names = hcct_names_of(options);
    bool done = true;
    for (uint32_t i = 0; done && i < frames->frame_count; i++)
        done = !namer->used[i] || hcct_frames_name(frames, i, names);
    if (!done || options->format->shape == HCCT_SHAPE_DATA)
        return done;
    static const enum hcct_names longer[] = { HCCT_NAMES_PARAMETERS, HCCT_NAMES_ARGUMENTS, HCCT_NAMES_FULL };
    done = find_meetings(namer);
    for (size_t i = 0; done && namer->any_meet && names == HCCT_NAMES_SHORT && i < 3; i++)
        done = lengthen(namer, longer[i]) && find_meetings(namer);
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
