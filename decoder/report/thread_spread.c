/* See thread_spread.h. Nodes are sorted by their root, so that each thread is a row of them. Then group by
 * group, and in a group thread by thread, the rows go into the new tree. */
#include "decoder/report/thread_spread.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/sum.h"
#include "decoder/text/memory.h"

struct thread {
    const char *start; /* the function that it began with */
    uint32_t root;
};

/* What the threads of a group have of a node of the new tree, one after the other. */
struct own {
    uint64_t count, error; /* of the current one */
    uint32_t last;         /* the number of the last one that has it, from 1 */
    uint32_t lacks;        /* that of the first one that lacks it; 0: none did */
};

struct joiner {
    struct hcct_thread_spread *it;
    const struct hcct_tree *from;
    struct hcct_frames *frames;
    uint64_t floor;
    uint32_t *root, *map; /* by node of `from`: its root, its node of the new tree */
    uint32_t *first;      /* by root: the begin of its row in `row`; by root + 1: the end */
    uint32_t *row;        /* nodes, by root */
    struct thread *threads;
    uint32_t thread_count;
    struct own *own; /* by node of the new tree */
    uint32_t count;  /* of `own` and it->values */
    uint32_t own_room, values_room;
};

static const struct hcct_tree_frame *frame_of(const struct joiner *joiner, uint32_t node)
{
    return &joiner->frames->frames[joiner->from->nodes[node].frame];
}

/* Sorts the nodes by root, each root's in the order of their indices. */
static void sort_nodes(struct joiner *joiner)
{
    size_t room = (size_t)joiner->from->node_count + 2;
    joiner->root = hcct_memory_array(room, sizeof *joiner->root);
    joiner->map = hcct_memory_array(room, sizeof *joiner->map);
    joiner->first = hcct_memory_zeros(room + 1, sizeof *joiner->first);
    joiner->row = hcct_memory_array(room, sizeof *joiner->row);
    joiner->threads = hcct_memory_array(room, sizeof *joiner->threads);
    for (uint32_t i = 0; i < joiner->from->node_count; i++) {
        uint32_t parent = joiner->from->nodes[i].parent;
        joiner->root[i] = parent == HCCT_NODE_NONE ? i : joiner->root[parent];
        joiner->first[joiner->root[i] + 2]++;
    }
    for (size_t i = 1; i <= room; i++)
        joiner->first[i] += joiner->first[i - 1];
    for (uint32_t i = 0; i < joiner->from->node_count; i++)
        joiner->row[joiner->first[joiner->root[i] + 1]++] = i;
}

/* Handlers and callers that are lost belong to no thread: each root is a group of its own. */
static void find_threads(struct joiner *joiner)
{
    for (uint32_t i = 0; i < joiner->from->node_count; i++) {
        const struct hcct_tree_frame *frame = frame_of(joiner, i);
        if (joiner->root[i] != i)
            continue;
        joiner->threads[joiner->thread_count++] = (struct thread){
            .start = frame->kind != HCCT_FRAME_THREAD ? NULL
                     : frame->start                   ? frame->start
                                                      : frame->linkage,
            .root = i,
        };
    }
}

/* Threads of one function become neighbours, those of smaller numbers first. */
static int compare_threads(const void *left, const void *right, void *context)
{
    const struct joiner *joiner = context;
    const struct thread *a = left, *b = right;
    if (!a->start || !b->start)
        return a->start ? -1 : b->start ? 1 : hcct_tree_order(a->root, b->root);
    int order = strcmp(a->start, b->start);
    return order ? order
                 : hcct_tree_order(frame_of(joiner, a->root)->number, frame_of(joiner, b->root)->number);
}

/* --- how they differ --------------------------------------------------------------------------------- */

static void make_room(struct joiner *joiner, uint32_t node)
{
    struct hcct_thread_spread *it = joiner->it;
    for (; joiner->count <= node; joiner->count++) {
        hcct_memory_grow(&joiner->own, &joiner->own_room, joiner->count, sizeof *joiner->own);
        hcct_memory_grow(&it->values, &joiner->values_room, joiner->count, sizeof *it->values);
        joiner->own[joiner->count] = (struct own){ 0 };
        it->values[joiner->count] = (struct hcct_spread){ 0 };
    }
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Thread `number` has had the node's count. Of equal ones the first is named. */
static void settle(struct hcct_spread *to, struct own *own, const char *name)
{
    uint64_t low = own->count - own->error, high = own->count;
    if (!to->present || high < to->least_high)
        to->least_at = name;
    if (!to->present || high > to->most_high)
        to->most_at = name;
    to->least_low = to->present ? smaller(to->least_low, low) : low;
    to->least_high = to->present ? smaller(to->least_high, high) : high;
    to->most_low = larger(to->most_low, low);
    to->most_high = larger(to->most_high, high);
    to->present++;
    own->count = own->error = 0;
}

/* Threads that lack a node had up to the floor of it. */
static void settle_lacking(const struct joiner *joiner, uint32_t node, const char *const *names,
                           uint32_t count)
{
    struct hcct_spread *to = &joiner->it->values[node];
    struct own *own = &joiner->own[node];
    to->absent = count - to->present;
    if (!to->absent)
        return;
    to->least_at = names[(own->lacks ? own->lacks : own->last + 1) - 1];
    to->least_low = 0;
    to->least_high = smaller(to->least_high, joiner->floor);
    to->most_high = larger(to->most_high, joiner->floor);
}

/* Copies a thread below the root `frame`; as number `number` of several, or as the only one (0). */
static void copy_thread(struct joiner *joiner, uint32_t root, uint32_t frame, uint32_t number)
{
    struct hcct_thread_spread *it = joiner->it;
    for (uint32_t i = joiner->first[root]; i < joiner->first[root + 1]; i++) {
        uint32_t from = joiner->row[i], parent = joiner->from->nodes[from].parent;
        const struct hcct_tree_node *node = &joiner->from->nodes[from];
        uint32_t to = from == root ? hcct_tree_child(&it->tree, HCCT_NODE_NONE, frame, HCCT_FRAMES_NONE)
                                   : hcct_tree_child(&it->tree, joiner->map[parent], node->frame, node->site);
        joiner->map[from] = to;
        make_room(joiner, to);
        hcct_tree_add(&it->tree.nodes[to], node);
        it->tree.nodes[to].spread = 0;
        if (!number || !(node->flags & HCCT_NODE_COUNTED))
            continue;
        struct own *own = &joiner->own[to];
        if (!own->lacks && own->last + 1 < number)
            own->lacks = own->last + 1;
        own->last = number;
        own->count = hcct_sum(own->count, node->count);
        own->error = hcct_sum(own->error, node->error);
    }
}

/* Joins count threads of one function, of which there are several. */
static void join(struct joiner *joiner, const struct thread *threads, uint32_t count, uint32_t frame)
{
    struct hcct_thread_spread *it = joiner->it;
    uint32_t first = it->tree.node_count;
    const char **names = hcct_memory_array(count, sizeof *names);
    for (uint32_t i = 0; i < count; i++) {
        char *name =
            hcct_frames_text(joiner->frames, joiner->from->nodes[threads[i].root].frame, HCCT_NAMES_SHORT);
        names[i] = name;
        hcct_frames_own(joiner->frames, name);
        copy_thread(joiner, threads[i].root, frame, i + 1);
        for (uint32_t k = joiner->first[threads[i].root]; k < joiner->first[threads[i].root + 1]; k++) {
            uint32_t to = joiner->map[joiner->row[k]];
            if (joiner->own[to].last == i + 1 && it->tree.nodes[to].spread != i + 1) {
                settle(&it->values[to], &joiner->own[to], name);
                it->tree.nodes[to].spread = i + 1; /* until all have been copied */
            }
        }
    }
    for (uint32_t i = first; i < it->tree.node_count; i++) {
        settle_lacking(joiner, i, names, count);
        it->tree.nodes[i].spread = it->values[i].present ? i + 1 : 0;
    }
    free(names);
}

static void join_all(struct joiner *joiner)
{
    struct thread *threads = joiner->threads;
    qsort_r(threads, joiner->thread_count, sizeof *threads, compare_threads, joiner);
    for (uint32_t i = 0, count; i < joiner->thread_count; i += count) {
        for (count = 1; threads[i].start && i + count < joiner->thread_count && threads[i + count].start &&
                        !strcmp(threads[i].start, threads[i + count].start);)
            count++;
        struct hcct_tree_frame all = { .linkage = threads[i].start ? threads[i].start : "",
                                       .source = "",
                                       .file = "",
                                       .kind = HCCT_FRAME_THREAD };
        if (count > 1)
            join(joiner, threads + i, count, hcct_frames_frame(joiner->frames, &all));
        else
            copy_thread(joiner, threads[i].root, joiner->from->nodes[threads[i].root].frame, 0);
    }
}

void hcct_thread_spread_open(struct hcct_thread_spread *it, const struct hcct_tree *from,
                             struct hcct_frames *frames, uint64_t floor)
{
    struct joiner joiner = { .it = it, .from = from, .frames = frames, .floor = floor };
    *it = (struct hcct_thread_spread){ .values = NULL };
    sort_nodes(&joiner);
    find_threads(&joiner);
    join_all(&joiner);
    free(joiner.root);
    free(joiner.map);
    free(joiner.first);
    free(joiner.row);
    free(joiner.threads);
    free(joiner.own);
}

void hcct_thread_spread_close(struct hcct_thread_spread *it)
{
    hcct_tree_free(&it->tree);
    free(it->values);
}
