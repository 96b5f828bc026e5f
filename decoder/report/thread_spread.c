/* See thread_spread.h. Nodes are sorted by their root, so that each thread is a row of them. Then group by
 * group, and in a group thread by thread, the rows go into the new tree. */
#include "decoder/report/thread_spread.h"

#include <stdlib.h>
#include <string.h>

struct thread {
    const char *start; /* the function that it began with */
    uint32_t root;
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
};

static const struct hcct_tree_frame *frame_of(const struct joiner *joiner, uint32_t node)
{
    return &joiner->frames->frames[joiner->from->nodes[node].frame];
}

/* Sorts the nodes by root, each root's in the order of their indices. */
static bool sort_nodes(struct joiner *joiner)
{
    size_t room = (size_t)joiner->from->node_count + 2;
    joiner->root = malloc(room * sizeof *joiner->root);
    joiner->map = malloc(room * sizeof *joiner->map);
    joiner->first = calloc(room + 1, sizeof *joiner->first);
    joiner->row = malloc(room * sizeof *joiner->row);
    joiner->threads = malloc(room * sizeof *joiner->threads);
    if (!joiner->root || !joiner->map || !joiner->first || !joiner->row || !joiner->threads)
        return false;
    for (uint32_t i = 0; i < joiner->from->node_count; i++) {
        uint32_t parent = joiner->from->nodes[i].parent;
        joiner->root[i] = parent == HCCT_NODE_NONE ? i : joiner->root[parent];
        joiner->first[joiner->root[i] + 2]++;
    }
    for (size_t i = 1; i <= room; i++)
        joiner->first[i] += joiner->first[i - 1];
    for (uint32_t i = 0; i < joiner->from->node_count; i++)
        joiner->row[joiner->first[joiner->root[i] + 1]++] = i;
    return true;
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

/* Copies a thread below the root `frame`; with `is_one`, as one of several. */
static bool copy_thread(struct joiner *joiner, uint32_t root, uint32_t frame, bool is_one)
{
    struct hcct_thread_spread *it = joiner->it;
    for (uint32_t i = joiner->first[root]; i < joiner->first[root + 1]; i++) {
        uint32_t from = joiner->row[i], parent = joiner->from->nodes[from].parent;
        const struct hcct_tree_node *node = &joiner->from->nodes[from];
        const struct hcct_file_entry entry = { .count = node->count, .error = node->error };
        uint32_t to = from == root ? hcct_tree_child(&it->tree, HCCT_NODE_NONE, frame, HCCT_FRAMES_NONE)
                                   : hcct_tree_child(&it->tree, joiner->map[parent], node->frame, node->site);
        joiner->map[from] = to;
        if (to == HCCT_NODE_NONE ||
            (is_one && node->flags & HCCT_NODE_COUNTED && !hcct_spread_add(&it->spread, to, &entry, 0)))
            return false;
        hcct_tree_add(&it->tree.nodes[to], node);
        it->tree.nodes[to].spread = 0;
    }
    return true;
}

/* Joins count threads of one function, of which there are several. */
static bool join(struct joiner *joiner, const struct thread *threads, uint32_t count, uint32_t frame)
{
    struct hcct_thread_spread *it = joiner->it;
    uint32_t first = it->tree.node_count;
    hcct_spread_restart(&it->spread);
    for (uint32_t i = 0; i < count; i++) {
        char *name =
            hcct_frames_text(joiner->frames, joiner->from->nodes[threads[i].root].frame, HCCT_NAMES_SHORT);
        if (!name || !hcct_frames_own(joiner->frames, name))
            return false;
        struct hcct_spread_source source = { .name = name, .floor = joiner->floor };
        if (!hcct_spread_next(&it->spread, &source) || !copy_thread(joiner, threads[i].root, frame, true) ||
            !hcct_spread_end(&it->spread))
            return false;
    }
    it->values = realloc(it->values, ((size_t)it->tree.node_count + 1) * sizeof *it->values);
    for (uint32_t i = first; it->values && i < it->tree.node_count; i++) {
        it->values[i] = hcct_spread_value(&it->spread, i);
        it->tree.nodes[i].spread = i + 1;
    }
    return it->values;
}

static bool join_all(struct joiner *joiner, struct hcct_error *error)
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
        uint32_t frame =
            count > 1 ? hcct_frames_frame(joiner->frames, &all) : joiner->from->nodes[threads[i].root].frame;
        if (frame == HCCT_FRAMES_NONE || !(count > 1 ? join(joiner, threads + i, count, frame)
                                                     : copy_thread(joiner, threads[i].root, frame, false)))
            return hcct_error_out_of_memory(error);
    }
    return true;
}

bool hcct_thread_spread_open(struct hcct_thread_spread *it, const struct hcct_tree *from,
                             struct hcct_frames *frames, uint64_t floor, struct hcct_error *error)
{
    struct joiner joiner = { .it = it, .from = from, .frames = frames, .floor = floor };
    *it = (struct hcct_thread_spread){ .spread = { .keeps_names = true, .has_no_strips = true } };
    bool done = sort_nodes(&joiner);
    if (done)
        find_threads(&joiner);
    done = done ? join_all(&joiner, error) : hcct_error_out_of_memory(error);
    free(joiner.root);
    free(joiner.map);
    free(joiner.first);
    free(joiner.row);
    free(joiner.threads);
    return done;
}

void hcct_thread_spread_close(struct hcct_thread_spread *it)
{
    hcct_tree_free(&it->tree);
    free(it->values);
    hcct_spread_free(&it->spread);
}
