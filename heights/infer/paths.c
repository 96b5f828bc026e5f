#include "heights/infer/paths.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/tree/contexts.h"

const char *const hcct_path_loss_names[HCCT_PATH_LOSS_COUNT] = { "found",   "outside", "no-function",
                                                                 "no-call", "no-size", "too-many" };

/* --- paths ----------------------------------------------------------------------------------------- */

struct key {
    uint32_t parent, function, frame;
};

static bool same_path(const void *array, uint32_t index, const void *wanted)
{
    const struct hcct_stack_path *path = (const struct hcct_stack_path *)array + index;
    const struct key *key = wanted;
    return path->parent == key->parent && path->function == key->function &&
           (key->function != HCCT_STACK_NONE || path->frame == key->frame);
}

static uint32_t hash_of(const struct key *key)
{
    uint64_t hash = hcct_hash_step(hcct_hash_step(0, key->parent), key->function);
    return (uint32_t)(key->function == HCCT_STACK_NONE ? hcct_hash_step(hash, key->frame) : hash);
}

/* The path, added if new; HCCT_TABLE_NONE when memory is out. */
static uint32_t child(struct hcct_stack_paths *paths, const struct key *key)
{
    uint32_t hash = hash_of(key);
    uint32_t found = hcct_table_find(&paths->table, hash, same_path, paths->paths, key);
    if (found != HCCT_TABLE_NONE)
        return found;
    if (!hcct_vector_grow(&paths->paths, &paths->capacity, paths->count, sizeof *paths->paths) ||
        !hcct_table_add(&paths->table, hash, paths->count))
        return HCCT_TABLE_NONE;
    paths->paths[paths->count] =
        (struct hcct_stack_path){ .parent = key->parent, .function = key->function, .frame = key->frame };
    return paths->count++;
}

bool hcct_paths_open(struct hcct_stack_paths *paths, const struct hcct_stack_binary *binary)
{
    *paths = (struct hcct_stack_paths){ .binary = binary };
    if (!hcct_vector_grow(&paths->paths, &paths->capacity, 0, sizeof *paths->paths))
        return false;
    paths->paths[paths->count++] = (struct hcct_stack_path){ .function = HCCT_STACK_NONE };
    paths->sources = calloc((size_t)binary->function_count + 1, sizeof *paths->sources);
    return paths->sources;
}

void hcct_paths_close(struct hcct_stack_paths *paths)
{
    for (uint32_t i = 0; paths->sources && i < paths->binary->function_count; i++) {
        free(paths->sources[i].linkage);
        free(paths->sources[i].source);
        free(paths->sources[i].file);
    }
    free(paths->sources);
    free(paths->paths);
    free(paths->heights);
    free(paths->origins);
    free(paths->cids);
    hcct_table_free(&paths->table);
}

/* --- a profile's ----------------------------------------------------------------------------------- */

struct reading {
    struct hcct_stack_paths *paths;
    const struct hcct_profile *profile;
    struct hcct_frames frames;
    struct hcct_tree tree;
    uint32_t *path; /* by node of the tree */
    uint64_t *calls;
    int which;
};

/* Decodes the profile into a tree by call sites, with the calls of each node. */
static bool decode(struct reading *reading)
{
    struct hcct_contexts contexts;
    const struct hcct_profile *profile = reading->profile;
    uint32_t count = hcct_profile_main(profile)->count;
    uint32_t *nodes = malloc(((size_t)count + 1) * sizeof *nodes);
    if (!nodes)
        return false;
    hcct_contexts_open(&contexts, profile, &reading->frames, &reading->tree);
    for (uint32_t i = 0; i < count; i++) {
        const struct hcct_file_context *context = &profile->rows.contexts[profile->rows.cells[i].context];
        nodes[i] = context->prefix == HCCT_FILE_NONE
                       ? HCCT_NODE_NONE
                       : hcct_contexts_node(&contexts, context->word, context->prefix);
    }
    hcct_contexts_close(&contexts);
    reading->calls = calloc((size_t)reading->tree.node_count + 1, sizeof *reading->calls);
    bool done = reading->calls;
    for (uint32_t i = 0; done && i < count; i++)
        if (nodes[i] != HCCT_NODE_NONE)
            reading->calls[nodes[i]] += profile->rows.cells[i].count;
    free(nodes);
    return done;
}

static bool keep_source(struct hcct_stack_source *to, const struct hcct_tree_frame *frame)
{
    if (to->linkage)
        return true;
    *to = (struct hcct_stack_source){ strdup(frame->linkage), strdup(frame->source), strdup(frame->file),
                                      frame->line };
    return to->linkage && to->source && to->file;
}

static bool add_node(struct reading *reading, uint32_t index)
{
    struct hcct_stack_paths *paths = reading->paths;
    const struct hcct_tree_node *node = &reading->tree.nodes[index];
    const struct hcct_tree_frame *frame = &reading->frames.frames[node->frame];
    uint32_t parent = node->parent == HCCT_NODE_NONE ? 0 : reading->path[node->parent];
    if (frame->kind == HCCT_FRAME_INLINED) { /* in its caller's frame */
        reading->path[index] = parent;
        return true;
    }
    bool is_function = frame->kind == HCCT_FRAME_FUNCTION;
    struct key key = { .parent = parent, .function = HCCT_STACK_NONE, .frame = node->frame };
    if (is_function)
        key.function = hcct_stack_function_named(paths->binary, frame->linkage, frame->file);
    uint32_t at = child(paths, &key);
    if (at == HCCT_TABLE_NONE ||
        (key.function != HCCT_STACK_NONE && !keep_source(&paths->sources[key.function], frame)))
        return false;
    struct hcct_stack_path *path = &paths->paths[at];
    path->in |= (uint8_t)(1u << reading->which);
    path->calls[reading->which] += reading->calls[index];
    path->loss = !is_function                      ? HCCT_PATH_OUTSIDE
                 : key.function == HCCT_STACK_NONE ? HCCT_PATH_NO_FUNCTION
                                                   : HCCT_PATH_FOUND;
    reading->path[index] = at;
    return true;
}

/* A path on its way to another place. */
struct placed {
    struct hcct_stack_path path;
    uint32_t from, depth;
};

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->path.parent != y->path.parent)
        return x->path.parent < y->path.parent ? -1 : 1;
    if (x->path.function != y->path.function)
        return x->path.function < y->path.function ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from); /* lost paths: last, as they came */
}

/* Sorts those of one length, whose parents have their places. */
static void place(struct placed *placed, uint32_t count, uint32_t *place_of)
{
    for (uint32_t i = 0; i < count; i++)
        placed[i].path.parent = place_of[placed[i].path.parent];
    qsort(placed, count, sizeof *placed, by_place);
}

/* Orders the paths by their lengths, parents and functions. A profile's own order depends on where the
 * sources lie, as ids of call sites do, and a plan would then be another one in each folder. */
static bool order(struct hcct_stack_paths *paths)
{
    struct placed *placed = calloc(paths->count, sizeof *placed);
    uint32_t *place_of = calloc(paths->count, sizeof *place_of),
             *depth_of = calloc(paths->count, sizeof *depth_of);
    bool done = placed && place_of && depth_of;
    for (uint32_t i = 1; done && i < paths->count; i++) {
        depth_of[i] = depth_of[paths->paths[i].parent] + 1;
        placed[i] = (struct placed){ paths->paths[i], i, depth_of[i] };
    }
    hcct_table_free(&paths->table);
    paths->table = (struct hcct_table){ 0 };
    if (done)
        qsort(placed, paths->count, sizeof *placed, by_place); /* by depth, at first */
    for (uint32_t first = 1, end; done && first < paths->count; first = end) {
        for (end = first; end < paths->count && placed[end].depth == placed[first].depth; end++)
            ;
        place(&placed[first], end - first, place_of);
        for (uint32_t i = first; done && i < end; i++) {
            const struct hcct_stack_path *path = &placed[i].path;
            const struct key key = { path->parent, path->function, path->frame };
            place_of[placed[i].from] = i;
            paths->paths[i] = *path;
            done = hcct_table_add(&paths->table, hash_of(&key), i);
        }
    }
    free(placed);
    free(place_of);
    free(depth_of);
    return done;
}

bool hcct_paths_add(struct hcct_stack_paths *paths, const struct hcct_profile *profile, int which)
{
    struct reading reading = { .paths = paths, .profile = profile, .which = which };
    bool done = decode(&reading);
    reading.path = done ? calloc((size_t)reading.tree.node_count + 1, sizeof *reading.path) : NULL;
    done = done && reading.path;
    for (uint32_t i = 0; done && i < reading.tree.node_count; i++)
        done = add_node(&reading, i);
    hcct_tree_free(&reading.tree);
    hcct_frames_free(&reading.frames);
    free(reading.calls);
    free(reading.path);
    return done && order(paths);
}

/* --- heights --------------------------------------------------------------------------------------- */

/* The heights of one path while they are found. */
struct heights {
    int64_t values[HCCT_PATH_HEIGHTS];
    struct hcct_stack_origin origins[HCCT_PATH_HEIGHTS];
    uint32_t count;
    bool met_call, met_unknown, too_many;
};

/* Heights that are equal for any plan are one: a plan's bytes are of who calls whom, and of tail calls that
 * become calls. */
static void add_height(struct heights *heights, int64_t height, struct hcct_stack_origin origin)
{
    for (uint32_t i = 0; i < heights->count; i++)
        if (heights->values[i] == height && heights->origins[i].way == origin.way)
            return;
    if (heights->count == HCCT_PATH_HEIGHTS) {
        heights->too_many = true;
        return;
    }
    heights->values[heights->count] = height;
    heights->origins[heights->count++] = origin;
}

static bool may_lead_to(const struct hcct_stack_call *call, uint32_t function, bool by_pointer)
{
    bool is_named = call->kind == HCCT_STACK_DIRECT || call->kind == HCCT_STACK_JUMP;
    return is_named ? call->callee == function : by_pointer && call->kind != HCCT_STACK_EXTERNAL;
}

/* Adds the heights that calls give at a height of the parent. A profile does not tell what was called
 * through a pointer, as guesses are called by name: so every such call of the caller may be it. */
static void add_calls(const struct hcct_stack_paths *paths, const struct hcct_stack_path *path, uint32_t from,
                      struct heights *heights)
{
    const struct hcct_stack_binary *binary = paths->binary;
    uint32_t caller = paths->paths[path->parent].function;
    bool by_pointer = binary->functions[path->function].is_address_taken;
    for (uint32_t i = 0; i < binary->functions[caller].call_count; i++) {
        const struct hcct_stack_call *call = &binary->calls[binary->functions[caller].first_call + i];
        if (!may_lead_to(call, path->function, by_pointer))
            continue;
        heights->met_call = true;
        heights->met_unknown |= call->height == HCCT_HEIGHT_UNKNOWN;
        bool is_framed = call->kind != HCCT_STACK_JUMP && call->kind != HCCT_STACK_INDIRECT_JUMP;
        uint64_t way = paths->origins[from].way +
                       hcct_hash_step(hcct_hash_step(hcct_hash_step(is_framed, caller), path->function), 0);
        if (call->height != HCCT_HEIGHT_UNKNOWN)
            add_height(heights, paths->heights[from] + call->height,
                       (struct hcct_stack_origin){ from, call->height, way, is_framed });
    }
}

static enum hcct_path_loss measure(const struct hcct_stack_paths *paths, const struct hcct_stack_path *path,
                                   struct heights *heights)
{
    const struct hcct_stack_path *parent = &paths->paths[path->parent];
    if (path->loss)
        return path->loss;
    if (!path->parent) {
        add_height(heights, 0, (struct hcct_stack_origin){ .height = HCCT_STACK_NONE });
        return HCCT_PATH_FOUND;
    }
    if (parent->loss)
        return parent->loss;
    for (uint32_t i = 0; i < parent->count; i++)
        add_calls(paths, path, parent->first + i, heights);
    return !heights->met_call     ? HCCT_PATH_NO_CALL
           : heights->met_unknown ? HCCT_PATH_NO_SIZE
           : heights->too_many    ? HCCT_PATH_TOO_MANY
                                  : HCCT_PATH_FOUND;
}

static bool keep_heights(struct hcct_stack_paths *paths, struct hcct_stack_path *path,
                         const struct heights *heights)
{
    path->first = paths->height_count;
    path->count = path->loss ? 0 : heights->count;
    for (uint32_t i = 0; i < path->count; i++) {
        if (!hcct_vector_grow(&paths->heights, &paths->height_capacity, paths->height_count,
                              sizeof *paths->heights) ||
            !hcct_vector_grow(&paths->origins, &paths->origin_capacity, paths->height_count,
                              sizeof *paths->origins))
            return false;
        paths->origins[paths->height_count] = heights->origins[i];
        paths->heights[paths->height_count++] = heights->values[i];
    }
    return true;
}

static int by_cid(const void *a, const void *b)
{
    const struct hcct_stack_cid *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->height != y->height)
        return x->height < y->height ? -1 : 1;
    return (x->path > y->path) - (x->path < y->path);
}

bool hcct_paths_measure(struct hcct_stack_paths *paths)
{
    paths->height_count = 0;
    paths->paths[0].loss = HCCT_PATH_OUTSIDE;
    for (uint32_t i = 1; i < paths->count; i++) {
        struct heights heights = { .count = 0 };
        struct hcct_stack_path *path = &paths->paths[i];
        path->loss = (uint8_t)measure(paths, path, &heights);
        if (!keep_heights(paths, path, &heights))
            return false;
    }
    free(paths->cids);
    paths->cids = malloc(((size_t)paths->height_count + 1) * sizeof *paths->cids);
    if (!paths->cids)
        return false;
    for (uint32_t i = 1; i < paths->count; i++)
        for (uint32_t k = 0; k < paths->paths[i].count; k++) {
            uint32_t at = paths->paths[i].first + k;
            paths->cids[at] = (struct hcct_stack_cid){ paths->heights[at], paths->paths[i].function, i };
        }
    qsort(paths->cids, paths->height_count, sizeof *paths->cids, by_cid);
    paths->cid_count = 0;
    for (uint32_t i = 0; i < paths->height_count; i++)
        if (!i || by_cid(&paths->cids[i], &paths->cids[paths->cid_count - 1]))
            paths->cids[paths->cid_count++] = paths->cids[i];
    return true;
}

/* The first CID that is not less. */
static uint32_t first_from(const struct hcct_stack_paths *paths, const struct hcct_stack_cid *least)
{
    uint32_t low = 0, high = paths->cid_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_cid(&paths->cids[middle], least) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void hcct_paths_of(const struct hcct_stack_paths *paths, uint32_t function, uint32_t *from, uint32_t *to)
{
    *from = first_from(paths, &(struct hcct_stack_cid){ INT64_MIN, function, 0 });
    *to = first_from(paths, &(struct hcct_stack_cid){ INT64_MIN, function + 1, 0 });
}

void hcct_paths_find(const struct hcct_stack_paths *paths, uint32_t function, int64_t height, uint32_t *from,
                     uint32_t *to)
{
    *from = first_from(paths, &(struct hcct_stack_cid){ height, function, 0 });
    *to = first_from(paths, &(struct hcct_stack_cid){ height + 1, function, 0 });
}
