/* Filters, see filter.h. A loop over the nodes, parents before children, finds what holds for the path to
 * each node; one the other way finds the nodes that lead to a count that stays. Only these get a node of the
 * new tree that stands for them. */
#include "decoder/query/filter.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/query/pattern.h"
#include "decoder/text/memory.h"

enum path_flag {
    PATH_IGNORED = 1,
    PATH_IN_FOCUS = 2,
    PATH_BELOW_ROOT = 4,
    PATH_IN_FOLD = 8, /* the last frame of the path is in a run that is folded */
    PATH_NEEDED = 16, /* a count stays at its end, or below */
};

enum { IGNORE, FOCUS, ROOT, HIDE, FOLD, PATTERN_COUNT };

struct filter {
    const struct hcct_tree *from;
    struct hcct_frames *frames;
    struct hcct_tree *to;
    bool *match[PATTERN_COUNT]; /* per frame; NULL: no such pattern */
    uint32_t frame_count;       /* without those of folds */
    bool *asked_for; /* per frame: of the function that the query names, which is not folded; NULL: none */
    uint32_t *map;   /* per node: its node in `to`; HCCT_NODE_NONE: none */
    uint8_t *path;   /* per node: enum path_flag */
};

static bool is_given(const char *pattern)
{
    return pattern && *pattern;
}

static bool is_of_rust_library(const struct hcct_frames *frames, uint32_t frame)
{
    const struct hcct_tree_frame *it = &frames->frames[frame];
    bool is_code =
        it->kind == HCCT_FRAME_FUNCTION || it->kind == HCCT_FRAME_INLINED || it->kind == HCCT_FRAME_EXTERNAL;
    return is_code && hcct_symbol_is_of_rust_library(it->linkage);
}

/* The default folds Rust's libraries, too. No pattern does it, as C++ programs may have namespaces of these
 * names. */
static bool *match(int pattern, const char *text, const struct hcct_frames *frames)
{
    bool *matches = hcct_pattern_match(text, frames);
    if (pattern == FOLD && !strcmp(text, HCCT_QUERY_FOLD_DEFAULT))
        for (uint32_t i = 0; i < frames->frame_count; i++)
            matches[i] |= is_of_rust_library(frames, i);
    return matches;
}

bool hcct_filter_is_needed(const struct hcct_query *query)
{
    return is_given(query->ignore) || is_given(query->focus) || is_given(query->root) ||
           is_given(query->hide) || is_given(query->fold);
}

bool hcct_filter_has_effect(const struct hcct_query *query, const struct hcct_frames *frames)
{
    struct hcct_query others = *query;
    others.fold = NULL;
    bool has = hcct_filter_is_needed(&others);
    if (has || !is_given(query->fold))
        return has;
    bool *folded = match(FOLD, query->fold, frames);
    for (uint32_t i = 0; i < frames->frame_count; i++)
        has |= folded[i];
    free(folded);
    return has;
}

static void open_filter(struct filter *filter, const struct hcct_query *query)
{
    const char *const patterns[PATTERN_COUNT] = { query->ignore, query->focus, query->root, query->hide,
                                                  query->fold };
    filter->frame_count = filter->frames->frame_count;
    filter->map = hcct_memory_array(filter->from->node_count, sizeof *filter->map);
    filter->path = hcct_memory_zeros(filter->from->node_count, sizeof *filter->path);
    for (int i = 0; i < PATTERN_COUNT; i++)
        if (is_given(patterns[i]))
            filter->match[i] = match(i, patterns[i], filter->frames);
    if (query->function && filter->match[FOLD])
        filter->asked_for = hcct_pattern_function(query->function, filter->frames);
}

static void close_filter(struct filter *filter)
{
    for (int i = 0; i < PATTERN_COUNT; i++)
        free(filter->match[i]);
    free(filter->asked_for);
    free(filter->map);
    free(filter->path);
}

static bool matches(const struct filter *filter, int pattern, uint32_t frame)
{
    return filter->match[pattern] && filter->match[pattern][frame];
}

/* The frame of a run that begins with that function: [std] for std::vector<…>::push_back. */
static uint32_t fold_frame(struct filter *filter, uint32_t frame)
{
    char *scope = is_of_rust_library(filter->frames, frame)
                      ? hcct_memory_got(strdup("std"))
                      : hcct_frames_text(filter->frames, frame, HCCT_NAMES_SHORT);
    char *end = strstr(scope, "::");
    if (end)
        *end = 0;
    hcct_frames_own(filter->frames, scope);
    struct hcct_tree_frame folded = { .linkage = scope, .source = "", .file = "", .kind = HCCT_FRAME_FOLDED };
    return hcct_frames_frame(filter->frames, &folded);
}

static bool is_folded(const struct filter *filter, uint32_t frame)
{
    return matches(filter, FOLD, frame) && !(filter->asked_for && filter->asked_for[frame]);
}

/* The node of `to` for a frame that stays, below `above`. A frame behind a folded run, and one that begins a
 * path, has no call site. */
static uint32_t add_node(struct filter *filter, const struct hcct_tree_node *node, uint32_t above,
                         bool behind_fold, bool *in_fold)
{
    uint32_t frame = node->frame,
             site = above == HCCT_NODE_NONE || behind_fold ? HCCT_FRAMES_NONE : node->site;
    *in_fold = is_folded(filter, frame);
    if (*in_fold && behind_fold)
        return above;
    return hcct_tree_child(filter->to, above, *in_fold ? fold_frame(filter, frame) : frame, site);
}

static void find_path(struct filter *filter, uint32_t index)
{
    const struct hcct_tree_node *node = &filter->from->nodes[index];
    uint8_t path = node->parent == HCCT_NODE_NONE ? 0 : filter->path[node->parent];
    if (matches(filter, IGNORE, node->frame))
        path |= PATH_IGNORED;
    if (matches(filter, FOCUS, node->frame))
        path |= PATH_IN_FOCUS;
    if (matches(filter, ROOT, node->frame))
        path |= PATH_BELOW_ROOT;
    filter->path[index] = path;
}

/* Whether the counts of the node stay. */
static bool stays(const struct filter *filter, uint32_t index)
{
    uint8_t path = filter->path[index];
    return !(path & PATH_IGNORED) && (!filter->match[ROOT] || path & PATH_BELOW_ROOT) &&
           (!filter->match[FOCUS] || path & PATH_IN_FOCUS);
}

static void find_paths(struct filter *filter)
{
    const struct hcct_tree *from = filter->from;
    for (uint32_t i = 0; i < from->node_count; i++)
        find_path(filter, i);
    for (uint32_t i = from->node_count; i--;) {
        const struct hcct_tree_node *node = &from->nodes[i];
        if (node->flags & HCCT_NODE_COUNTED && stays(filter, i))
            filter->path[i] |= PATH_NEEDED;
        if (filter->path[i] & PATH_NEEDED && node->parent != HCCT_NODE_NONE)
            filter->path[node->parent] |= PATH_NEEDED;
    }
}

static void filter_node(struct filter *filter, uint32_t index)
{
    const struct hcct_tree_node *node = &filter->from->nodes[index];
    bool is_root = node->parent == HCCT_NODE_NONE;
    uint8_t before = is_root ? 0 : filter->path[node->parent], path = filter->path[index];
    uint32_t above = is_root ? HCCT_NODE_NONE : filter->map[node->parent];
    bool behind_fold = before & PATH_IN_FOLD;
    filter->map[index] = HCCT_NODE_NONE;
    if (!(path & PATH_NEEDED) || (filter->match[ROOT] && !(path & PATH_BELOW_ROOT)))
        return;
    if (path & PATH_BELOW_ROOT && !(before & PATH_BELOW_ROOT)) {
        above = HCCT_NODE_NONE;
        behind_fold = false;
    }
    bool in_fold = behind_fold;
    if (matches(filter, HIDE, node->frame))
        filter->map[index] = above;
    else
        filter->map[index] = add_node(filter, node, above, behind_fold, &in_fold);
    filter->path[index] |= in_fold ? PATH_IN_FOLD : 0;
    if (filter->map[index] != HCCT_NODE_NONE && stays(filter, index))
        hcct_tree_take(filter->to, filter->map[index], filter->from, index);
}

/* What functions have beside their contexts: of a folded one it is the fold's. Other filters choose contexts,
 * of which nobody knows a function's share. */
static void move_evicted(struct filter *filter)
{
    bool chooses = false;
    for (int i = 0; i < PATTERN_COUNT; i++)
        chooses |= i != FOLD && filter->match[i];
    if (chooses)
        hcct_frames_drop_evicted(filter->frames);
    for (uint32_t i = 0; i < filter->frame_count; i++) {
        uint64_t evicted = filter->frames->frames[i].evicted;
        if (!evicted || !is_folded(filter, i))
            continue;
        uint32_t fold = fold_frame(filter, i);
        filter->frames->frames[i].evicted = 0;
        filter->frames->frames[fold].evicted += evicted;
    }
}

void hcct_filter_apply(const struct hcct_tree *from, struct hcct_frames *frames,
                       const struct hcct_query *query, struct hcct_tree *to)
{
    to->value_count = from->value_count;
    struct filter filter = { .from = from, .frames = frames, .to = to };
    open_filter(&filter, query);
    find_paths(&filter);
    for (uint32_t i = 0; i < from->node_count; i++)
        filter_node(&filter, i);
    move_evicted(&filter);
    close_filter(&filter);
    hcct_tree_finish(to);
}
