/* Finds out which line of a function in one build is which line in the other, and which functions the other
 * build does not have (only these may have been renamed).
 *
 * The calls of each function are aligned by what they call, in the order of lines (longest common
 * subsequence). If a profile has a call, it has all calls of the same caller and callee, made or not. So two
 * such calls stay apart even where only one of them was made or monitored.
 *
 * Functions are known by linkage name here. Nothing is said of a function without one. An inlined function
 * has lines of its own, and its inlining is a call like any other, so that it does not matter what was
 * inlined. */
#include <stdlib.h>
#include <string.h>

#include "decoder/compare/diff_lines.h"
#include "decoder/names/symbol.h"
#include "decoder/text/memory.h"

struct call {
    uint64_t caller, callee; /* hashes of names; callee 0: a call through a pointer */
    uint32_t line;
    uint32_t offset; /* from the caller's first line */
    uint32_t place;  /* from 1; a call that is in both builds has the same in both */
};

struct calls {
    struct call *array;
    uint32_t count, capacity;
};

static uint64_t key_of(const char *name)
{
    return *name ? hcct_hash_text(1, name, hcct_symbol_stem(name)) | 1 : 0;
}

/* --- the calls in a profile ------------------------------------------------------------------------- */

static void add_call(struct calls *calls, const struct call *call)
{
    hcct_memory_grow(&calls->array, &calls->capacity, calls->count, sizeof *call);
    calls->array[calls->count++] = *call;
}

static const char *inlined_name(const struct hcct_profile *profile, const struct hcct_file_inlined *inlined)
{
    const char *linkage = hcct_profile_string(profile, inlined->linkage_name);
    return *linkage ? linkage : hcct_profile_string(profile, inlined->source_name);
}

/* Adds the call at `site`, and the calls that were inlined around it. */
static void add_site(struct calls *calls, const struct hcct_profile *profile,
                     const struct hcct_file_site *site)
{
    const struct hcct_file_function *function = &profile->code.functions[site->caller];
    uint64_t callee = key_of(hcct_profile_string(profile, site->callee_name));
    uint32_t line = site->line;
    for (uint32_t at = site->inlined;; at = profile->code.inlined[at].outer) {
        bool inlined = at != HCCT_FILE_NONE;
        const char *caller = inlined ? inlined_name(profile, &profile->code.inlined[at])
                                     : hcct_profile_string(profile, function->linkage_name);
        uint32_t first = inlined ? profile->code.inlined[at].line : function->line;
        struct call call = { key_of(caller), callee, line, line - first, 0 };
        if (line && call.caller)
            add_call(calls, &call);
        if (!inlined)
            return;
        callee = call.caller;
        line = profile->code.inlined[at].call_line;
    }
}

static int compare_calls(const void *left, const void *right)
{
    const struct call *a = left, *b = right;
    int by = hcct_tree_order(a->caller, b->caller);
    by = by ? by : hcct_tree_order(a->line, b->line);
    return by ? by : hcct_tree_order(a->callee, b->callee);
}

static void gather_calls(struct calls *calls, const struct hcct_profile *profile)
{
    for (uint32_t i = 0; i < profile->code.site_count; i++)
        add_site(calls, profile, &profile->code.sites[i]);
    uint32_t kept = 0;
    if (calls->count > 1)
        qsort(calls->array, calls->count, sizeof *calls->array, compare_calls);
    for (uint32_t i = 0; i < calls->count; i++)
        if (!kept || compare_calls(&calls->array[kept - 1], &calls->array[i]))
            calls->array[kept++] = calls->array[i];
    calls->count = kept;
}

/* --- the alignment of one function's ----------------------------------------------------------------- */

static uint32_t end_of_caller(const struct calls *calls, uint32_t at)
{
    uint32_t end = at;
    while (end < calls->count && calls->array[end].caller == calls->array[at].caller)
        end++;
    return end;
}

/* What matching two calls is worth: callees must be equal; the same line is a little better. */
static uint32_t value(const struct call *a, const struct call *b)
{
    return a->callee != b->callee ? 0 : a->offset == b->offset ? 3 : 2;
}

static void align(struct call *a, uint32_t rows, struct call *b, uint32_t columns, uint32_t *place)
{
    size_t width = (size_t)columns + 1;
    if ((uint64_t)rows * columns > HCCT_DIFF_ALIGN_LIMIT)
        return;
    uint32_t *best = hcct_memory_zeros((rows + 1) * width, sizeof *best);
    for (uint32_t i = rows; i--;)
        for (uint32_t j = columns; j--;) {
            uint32_t down = best[(i + 1) * width + j], right = best[i * width + j + 1],
                     with = value(&a[i], &b[j]);
            uint32_t most = down > right ? down : right;
            with = with ? with + best[(i + 1) * width + j + 1] : 0;
            best[i * width + j] = with > most ? with : most;
        }
    for (uint32_t i = 0, j = 0; i < rows && j < columns;) {
        uint32_t with = value(&a[i], &b[j]), here = best[i * width + j];
        if (with && here == with + best[(i + 1) * width + j + 1])
            a[i++].place = b[j++].place = ++*place;
        else if (here == best[(i + 1) * width + j])
            i++;
        else
            j++;
    }
    free(best);
}

/* Gives every call a place, and calls that are the same in both builds the same place. */
static void align_calls(struct calls calls[2])
{
    uint32_t at[2] = { 0, 0 }, place = 0;
    while (at[0] < calls[0].count && at[1] < calls[1].count) {
        struct call *a = &calls[0].array[at[0]], *b = &calls[1].array[at[1]];
        uint32_t ends[2] = { end_of_caller(&calls[0], at[0]), end_of_caller(&calls[1], at[1]) };
        int by = hcct_tree_order(a->caller, b->caller);
        if (!by)
            align(a, ends[0] - at[0], b, ends[1] - at[1], &place);
        if (!by)
            for (int which = 0; which < 2; which++)
                for (uint32_t i = at[which]; i < ends[which]; i++)
                    if (!calls[which].array[i].place)
                        calls[which].array[i].place = ++place;
        at[0] = by <= 0 ? ends[0] : at[0];
        at[1] = by >= 0 ? ends[1] : at[1];
    }
}

/* --- places of nodes ------------------------------------------------------------------------------- */

static uint32_t find_place(const struct calls *calls, uint64_t caller, uint32_t line, uint64_t callee)
{
    struct call key = { .caller = caller, .callee = callee, .line = line };
    const struct call *found = NULL;
    if (calls->count)
        found = bsearch(&key, calls->array, calls->count, sizeof key, compare_calls);
    return found ? found->place : 0;
}

static void fill_places(struct hcct_diff_side *side, const struct calls *calls)
{
    const struct hcct_tree_node *nodes = side->tree.nodes;
    const struct hcct_frames *frames = &side->merge.frames;
    for (uint32_t i = 0; i < side->tree.node_count; i++) {
        side->place[i] = 0;
        if (nodes[i].site == HCCT_FRAMES_NONE || nodes[i].parent == HCCT_NODE_NONE)
            continue;
        uint64_t caller = key_of(frames->frames[nodes[nodes[i].parent].frame].linkage);
        uint64_t callee = key_of(frames->frames[nodes[i].frame].linkage);
        uint32_t line = frames->sites[nodes[i].site].line;
        side->place[i] = find_place(calls, caller, line, callee);
        if (!side->place[i])
            side->place[i] = find_place(calls, caller, line, 0);
    }
}

/* --- functions that are gone ------------------------------------------------------------------------- */

static int compare_keys(const void *left, const void *right)
{
    return hcct_tree_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

/* Marks the frames of `side` whose functions are not in the program of `other`, inlined or not. */
static void mark_gone(struct hcct_diff_side *side, const struct hcct_profile *other)
{
    const struct hcct_frames *frames = &side->merge.frames;
    size_t key_count = (size_t)other->code.function_count + other->code.inlined_count;
    uint64_t *keys = hcct_memory_array(key_count, sizeof *keys);
    side->gone = hcct_memory_zeros(frames->frame_count, sizeof *side->gone);
    for (uint32_t i = 0; i < other->code.function_count; i++)
        keys[i] = key_of(hcct_profile_string(other, other->code.functions[i].linkage_name));
    for (uint32_t i = 0; i < other->code.inlined_count; i++)
        keys[other->code.function_count + i] = key_of(inlined_name(other, &other->code.inlined[i]));
    qsort(keys, key_count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < frames->frame_count; i++) {
        uint64_t key = key_of(frames->frames[i].linkage);
        bool known = other->code.name_count &&
                     hcct_layout_names_have(other->code.names, other->code.name_count,
                                            hcct_layout_name_hash(frames->frames[i].linkage));
        side->gone[i] = !known && !bsearch(&key, keys, key_count, sizeof key, compare_keys);
    }
    free(keys);
}

void hcct_diff_place_sides(struct hcct_diff_side side[2], const struct hcct_profile *a,
                           const struct hcct_profile *b)
{
    struct calls calls[2] = { { 0 }, { 0 } };
    gather_calls(&calls[0], a);
    gather_calls(&calls[1], b);
    align_calls(calls);
    mark_gone(&side[0], b);
    mark_gone(&side[1], a);
    for (int which = 0; which < 2; which++) {
        side[which].place = hcct_memory_array(side[which].tree.node_count, sizeof *side[which].place);
        fill_places(&side[which], &calls[which]);
        free(calls[which].array);
    }
}
