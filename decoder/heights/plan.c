#include "decoder/heights/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/heights/tails.h"
#include "decoder/text/text.h"

#define NONE UINT32_MAX

/* A pair of function and height: the first path that has it, and another one. */
struct pair {
    int64_t height;
    uint32_t function, first, other;
    uint32_t generation; /* of the evaluation that made it */
};

/* What adding a height to the pairs did. */
struct change {
    uint32_t slot, path;
    enum { ADDED_PAIR, ADDED_PATH, MADE_SHARED, ADDED_NOTHING } what;
};

struct search {
    const struct hcct_stack_paths *paths;
    struct hcct_plan *plan;
    /* By height of a path (struct hcct_stack_paths): the path; the height now; its pair. */
    uint32_t *path, *pair;
    int64_t *height;
    struct pair *pairs; /* a hash table */
    uint32_t pair_mask, generation;
    uint32_t *shared; /* by path: how many of its heights have a pair that another path has, too */
    struct change *changes;
    uint32_t change_count;
    uint64_t found_count; /* paths with heights */
    uint64_t precise, highest;
    /* functions that call: first those whose frames grow for nothing; else in the order in which paths reach
     * them */
    uint32_t *reached;
    uint32_t reached_count;
    uint32_t *moved, *times; /* by height, for one function */
    int32_t *difference;     /* by function, scratch: 0 between uses */
    uint64_t random;
    bool wraps; /* each pair of caller and callee has bytes of its own: for a bound */
};

/* --- evaluating ------------------------------------------------------------------------------------ */

/* The function that calls or jumps between the height that this one comes from and this one, or NONE. */
static uint32_t predecessor_of(const struct search *search, uint32_t at)
{
    uint32_t height = search->paths->origins[at].height;
    return height == NONE ? NONE : search->paths->paths[search->path[height]].function;
}

/* The function whose frame is between the two, or NONE. */
static uint32_t caller_of(const struct search *search, uint32_t at)
{
    uint32_t function = predecessor_of(search, at);
    bool is_framed =
        function != NONE && (search->paths->origins[at].is_framed || search->plan->calls[function]);
    return is_framed ? function : NONE;
}

/* The bytes between the two, without the plan's. The frame of a tail call that becomes a call is a guess: as
 * much as the function needs elsewhere. */
static int64_t bytes_of(const struct search *search, uint32_t at, uint32_t caller)
{
    const struct hcct_stack_origin *origin = &search->paths->origins[at];
    if (search->wraps && caller != NONE)
        return (int64_t)(hcct_hash_step(caller, search->paths->paths[search->path[at]].function) >> 40);
    if (origin->is_framed || caller == NONE)
        return origin->bytes;
    return (search->paths->binary->functions[caller].most_bytes + HCCT_PLAN_STEP_BYTES - 1) /
           HCCT_PLAN_STEP_BYTES * HCCT_PLAN_STEP_BYTES;
}

static void add_shared(struct search *search, uint32_t path)
{
    search->precise -= !search->shared[path]++;
}

static void remove_shared(struct search *search, uint32_t path)
{
    search->precise += !--search->shared[path];
}

/* Adds the height to its pair, and notes how. */
static void add_pair(struct search *search, uint32_t at)
{
    uint32_t path = search->path[at], function = search->paths->paths[path].function,
             slot = (uint32_t)hcct_hash_step((uint64_t)search->height[at], function) & search->pair_mask;
    struct pair *pair = &search->pairs[slot];
    while (pair->generation == search->generation &&
           (pair->height != search->height[at] || pair->function != function)) {
        slot = (slot + 1) & search->pair_mask;
        pair = &search->pairs[slot];
    }
    struct change change = { slot, path, ADDED_NOTHING };
    if (pair->generation != search->generation) {
        *pair = (struct pair){ search->height[at], function, path, NONE, search->generation };
        change.what = ADDED_PAIR;
    } else if (pair->other != NONE) {
        change.what = ADDED_PATH;
        add_shared(search, path);
    } else if (pair->first != path) {
        change.what = MADE_SHARED;
        pair->other = path;
        add_shared(search, pair->first);
        add_shared(search, path);
    }
    search->pair[at] = slot;
    search->changes[search->change_count++] = change;
}

/* Takes the newest heights back, until `count` are left. */
static void undo(struct search *search, uint32_t count)
{
    while (search->change_count > count) {
        const struct change *change = &search->changes[--search->change_count];
        struct pair *pair = &search->pairs[change->slot];
        if (change->what == ADDED_PAIR)
            pair->generation = 0;
        if (change->what == ADDED_PATH || change->what == MADE_SHARED)
            remove_shared(search, change->path);
        if (change->what == MADE_SHARED) {
            remove_shared(search, pair->first);
            pair->other = NONE;
        }
    }
}

/* Begins with no height in any pair. */
static void clear_pairs(struct search *search)
{
    search->generation++;
    search->change_count = 0;
    search->precise = search->found_count;
    memset(search->shared, 0, search->paths->count * sizeof *search->shared);
}

/* Heights, pairs and precise paths with the plan's bytes. */
static void evaluate(struct search *search)
{
    const struct hcct_stack_paths *paths = search->paths;
    search->highest = 0;
    search->plan->evaluations++;
    clear_pairs(search);
    for (uint32_t i = 0; i < paths->height_count; i++) {
        const struct hcct_stack_origin *origin = &paths->origins[i];
        uint32_t caller = caller_of(search, i);
        search->height[i] = bytes_of(search, i, caller) +
                            (origin->height == NONE ? 0 : search->height[origin->height]) +
                            (caller == NONE ? 0 : search->plan->bytes[caller]);
        if (search->height[i] > (int64_t)search->highest)
            search->highest = (uint64_t)search->height[i];
        add_pair(search, i);
    }
}

/* --- numbers --------------------------------------------------------------------------------------- */

/* Lists the heights that have the function's frame below them in `moved`, with `times`, how often. The others
 * are added to the pairs. */
static uint32_t list_moved(struct search *search, uint32_t function)
{
    uint32_t count = 0;
    clear_pairs(search);
    for (uint32_t i = 0; i < search->paths->height_count; i++) {
        uint32_t origin = search->paths->origins[i].height;
        search->times[i] = (origin == NONE ? 0 : search->times[origin]) + (caller_of(search, i) == function);
        if (search->times[i])
            search->moved[count++] = i;
        else
            add_pair(search, i);
    }
    return count;
}

static void move(struct search *search, uint32_t count, int64_t by)
{
    search->plan->evaluations++;
    for (uint32_t i = 0; i < count; i++) {
        search->height[search->moved[i]] += by * search->times[search->moved[i]];
        add_pair(search, search->moved[i]);
    }
}

/* Gives the function the best number. False if that is the one that it has. Only the heights above its frame
 * are moved for each. */
static bool number(struct search *search, uint32_t function)
{
    uint32_t *bytes = &search->plan->bytes[function], before = *bytes, best = before;
    uint64_t most = search->precise;
    uint32_t moved = list_moved(search, function), others = search->change_count;
    for (uint32_t i = 0; i < HCCT_PLAN_NUMBERS; i++) {
        uint32_t now = i * HCCT_PLAN_STEP_BYTES;
        move(search, moved, (int64_t)now - *bytes);
        *bytes = now;
        if (search->precise > most || (search->precise == most && now < best)) {
            most = search->precise;
            best = now;
        }
        undo(search, others);
    }
    move(search, moved, (int64_t)best - *bytes);
    *bytes = best;
    return best != before;
}

static void search_numbers(struct search *search)
{
    enum { ROUNDS = 4 };
    bool changed = true;
    for (int round = 0; changed && round < ROUNDS; round++) {
        changed = false;
        for (uint32_t i = 0; i < search->reached_count && search->precise < search->plan->path_count; i++)
            changed |= number(search, search->reached[i]);
    }
}

/* --- tail calls ------------------------------------------------------------------------------------ */

/* A function whose tail calls are calls, and how many the profiles have. */
struct tail {
    uint64_t count;
    uint32_t function;
};

static int by_count(const void *a, const void *b)
{
    const struct tail *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->function > y->function) - (x->function < y->function);
}

/* Gives tail calls back where as many paths are precise with them, the most frequent ones first. */
static bool restore_tails(struct search *search)
{
    const struct hcct_stack_paths *paths = search->paths;
    uint32_t functions = paths->binary->function_count;
    struct tail *tails = calloc((size_t)functions + 1, sizeof *tails);
    if (!tails)
        return false;
    for (uint32_t i = 0; i < functions; i++)
        tails[i].function = i;
    for (uint32_t i = 0; i < paths->height_count; i++) {
        const struct hcct_stack_path *path = &paths->paths[search->path[i]];
        if (!paths->origins[i].is_framed && predecessor_of(search, i) != NONE)
            tails[predecessor_of(search, i)].count += path->calls[0] + path->calls[1];
    }
    qsort(tails, functions, sizeof *tails, by_count);
    for (uint32_t i = 0; i < functions; i++) {
        bool *calls = &search->plan->calls[tails[i].function];
        uint64_t before = search->precise;
        if (!*calls)
            continue;
        *calls = false;
        evaluate(search);
        if (search->precise < before) {
            *calls = true;
            search->precise = before;
        }
    }
    free(tails);
    evaluate(search);
    return true;
}

/* --- the paper's search ---------------------------------------------------------------------------- */

static uint64_t next_random(struct search *search)
{
    search->random ^= search->random << 13;
    search->random ^= search->random >> 7;
    search->random ^= search->random << 17;
    return search->random;
}

/* A height with a pair of several paths, and one of another path with that pair. */
static bool choose(struct search *search, uint32_t *one, uint32_t *two)
{
    const struct hcct_stack_paths *paths = search->paths;
    for (int tries = 0; tries < 10000; tries++) {
        *one = (uint32_t)(next_random(search) % paths->height_count);
        const struct pair *pair = &search->pairs[search->pair[*one]];
        if (pair->other == NONE)
            continue;
        uint32_t other = pair->first == search->path[*one] ? pair->other : pair->first;
        for (*two = paths->paths[other].first; search->pair[*two] != search->pair[*one];)
            ++*two;
        return true;
    }
    return false;
}

/* Adds `by` to the difference of each function whose frame is below the height, and lists those that are
 * new. */
static uint32_t add_frames(struct search *search, uint32_t at, int32_t by, uint32_t *list, uint32_t count)
{
    for (; at != NONE; at = search->paths->origins[at].height) {
        uint32_t caller = caller_of(search, at), i = 0;
        if (caller == NONE)
            continue;
        search->difference[caller] += by;
        while (i < count && list[i] != caller)
            i++;
        if (i == count)
            list[count++] = caller;
    }
    return count;
}

/* Makes the frames of functions in which the two differ larger, until the heights differ. Notes the bytes
 * that were before. False if no frame can do that. */
static bool separate(struct search *search, uint32_t one, uint32_t two, uint32_t *list, uint32_t *before)
{
    uint32_t count = add_frames(search, two, -1, list, add_frames(search, one, 1, list, 0));
    int64_t apart = 0, step = HCCT_PLAN_STEP_BYTES;
    for (uint32_t i = count; i--;) { /* from the first function of the paths on */
        before[i] = search->plan->bytes[list[i]];
        int32_t difference = search->difference[list[i]];
        search->difference[list[i]] = 0;
        if (!difference || apart)
            continue;
        search->plan->bytes[list[i]] += (uint32_t)step;
        apart += difference * step;
        step += HCCT_PLAN_STEP_BYTES;
    }
    list[count] = NONE;
    return apart != 0;
}

static bool search_randomly(struct search *search)
{
    enum { STUCK = 100, GIVE_UP = 2000 };
    size_t functions = search->paths->binary->function_count;
    uint32_t *list = malloc((functions + 1) * sizeof *list),
             *before = malloc((functions + 1) * sizeof *before),
             *best = malloc((functions + 1) * sizeof *best), one, two;
    uint64_t most = search->precise, now = search->precise;
    bool done = list && before && best;
    for (int failures = 0, stuck = 0;
         done && failures < GIVE_UP && most * 100 < search->plan->path_count * 97;) {
        if (!choose(search, &one, &two))
            break;
        bool apart = separate(search, one, two, list, before);
        if (apart)
            evaluate(search);
        failures++;
        if (apart && (search->precise > now || ++stuck > STUCK)) {
            now = search->precise;
            stuck = 0;
        } else {
            for (uint32_t i = 0; list[i] != NONE; i++)
                search->plan->bytes[list[i]] = before[i];
            if (apart)
                evaluate(search);
        }
        if (now > most) {
            most = now;
            failures = 0;
            memcpy(best, search->plan->bytes, functions * sizeof *best);
        }
    }
    if (done && most > search->plan->precise_before)
        memcpy(search->plan->bytes, best, functions * sizeof *best);
    free(list);
    free(before);
    free(best);
    return done;
}

/* How many paths could be told apart at best: frames of random sizes do, in all likelihood. */
static uint64_t find_best(struct search *search)
{
    size_t functions = search->paths->binary->function_count;
    for (size_t i = 0; i < functions; i++)
        search->plan->bytes[i] = (uint32_t)(next_random(search) >> 40);
    evaluate(search);
    memset(search->plan->bytes, 0, functions * sizeof *search->plan->bytes);
    return search->precise;
}

/* The bounds, and how it is without a plan. Tail calls are as the plan has them. */
static void find_bounds(struct search *search)
{
    struct hcct_plan *plan = search->plan;
    bool *calls = plan->calls, *none = calloc((size_t)search->paths->binary->function_count + 1, 1);
    plan->precise_with_calls = find_best(search);
    search->wraps = true;
    plan->precise_with_wraps = find_best(search);
    search->wraps = false;
    plan->calls = none ? none : calls;
    plan->precise_at_best = find_best(search);
    evaluate(search);
    plan->precise_before = search->precise;
    plan->highest_before = search->highest;
    plan->calls = calls;
    free(none);
}

/* --- the plan -------------------------------------------------------------------------------------- */

/* Lists the functions whose frames are between heights. */
static void list_reached(struct search *search)
{
    const struct hcct_stack_paths *paths = search->paths;
    for (int has_locals = 1; has_locals >= 0; has_locals--)
        for (uint32_t i = 0; i < paths->height_count; i++) {
            uint32_t caller = caller_of(search, i);
            if (caller == NONE || search->difference[caller] ||
                paths->binary->functions[caller].has_locals != has_locals)
                continue;
            search->difference[caller] = 1;
            search->reached[search->reached_count++] = caller;
        }
    memset(search->difference, 0, paths->binary->function_count * sizeof *search->difference);
}

static bool prepare(struct search *search)
{
    const struct hcct_stack_paths *paths = search->paths;
    size_t heights = (size_t)paths->height_count + 1, functions = (size_t)paths->binary->function_count + 1,
           slots = 64;
    while (slots < 2 * heights)
        slots *= 2;
    search->pair_mask = (uint32_t)slots - 1;
    search->path = malloc(heights * sizeof *search->path);
    search->pair = malloc(heights * sizeof *search->pair);
    search->height = malloc(heights * sizeof *search->height);
    search->pairs = calloc(slots, sizeof *search->pairs);
    search->shared = calloc((size_t)paths->count + 1, sizeof *search->shared);
    search->changes = malloc(heights * sizeof *search->changes);
    search->moved = malloc(heights * sizeof *search->moved);
    search->times = malloc(heights * sizeof *search->times);
    search->reached = malloc(functions * sizeof *search->reached);
    search->difference = calloc(functions, sizeof *search->difference);
    search->plan->bytes = calloc(functions, sizeof *search->plan->bytes);
    search->plan->calls = hcct_tails_find(paths->binary);
    if (!search->shared || !search->changes || !search->moved || !search->times || !search->path ||
        !search->pair || !search->height || !search->pairs || !search->reached || !search->difference ||
        !search->plan->bytes || !search->plan->calls)
        return false;
    for (uint32_t i = 1; i < paths->count; i++)
        search->found_count += paths->paths[i].count != 0;
    for (uint32_t i = 1; i < paths->count; i++)
        for (uint32_t k = 0; k < paths->paths[i].count; k++)
            search->path[paths->paths[i].first + k] = i;
    return true;
}

/* Numbers, then tail calls back, then numbers for what is left. */
static bool search_all(struct search *search, const struct hcct_plan_wish *wish)
{
    if (wish->method == HCCT_PLAN_RANDOM || wish->keeps_tails)
        memset(search->plan->calls, 0, search->paths->binary->function_count);
    list_reached(search);
    evaluate(search);
    if (wish->method == HCCT_PLAN_RANDOM)
        return search_randomly(search);
    search_numbers(search);
    if (wish->keeps_tails)
        return true;
    bool done = restore_tails(search);
    search_numbers(search);
    return done;
}

bool hcct_plan_search(struct hcct_plan *plan, const struct hcct_stack_paths *paths,
                      const struct hcct_plan_wish *wish)
{
    struct search search = { .paths = paths, .plan = plan, .random = UINT64_C(0x9e3779b97f4a7c15) };
    *plan = (struct hcct_plan){ .bytes = NULL };
    bool done = prepare(&search);
    for (uint32_t i = 1; i < paths->count; i++)
        plan->path_count += paths->paths[i].function != HCCT_STACK_NONE;
    if (done) {
        find_bounds(&search);
        done = search_all(&search, wish);
        evaluate(&search);
        plan->precise_after = search.precise;
        plan->highest_after = search.highest;
    }
    void *const memory[] = { search.path,       search.pair,   search.height,  search.pairs, search.reached,
                             search.difference, search.shared, search.changes, search.moved, search.times };
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
    return done;
}

void hcct_plan_free(struct hcct_plan *plan)
{
    free(plan->bytes);
    free(plan->calls);
}

void hcct_plan_print(const struct hcct_plan *plan, const struct hcct_stack_paths *paths, FILE *out)
{
    uint32_t functions = 0, tails = 0;
    for (uint32_t i = 0; i < paths->binary->function_count; i++) {
        functions += plan->bytes[i] != 0;
        tails += plan->calls[i];
    }
    fprintf(out,
            "# hcct-heights plan: of %" PRIu64 " call paths %" PRIu64 " are precise without it, %" PRIu64
            " with it; no frames tell more than %" PRIu64 ",\n# without tail calls %" PRIu64
            ", with wrapped calls %" PRIu64 ". The highest stack has %" PRIu64 " and %" PRIu64
            " bytes;\n# %" PRIu32 " frames are larger, %" PRIu32
            " functions lose their tail calls. BYTES FUNCTION [FILE], calls FUNCTION [FILE]\n",
            plan->path_count, plan->precise_before, plan->precise_after, plan->precise_at_best,
            plan->precise_with_calls, plan->precise_with_wraps, plan->highest_before, plan->highest_after,
            functions, tails);
    for (uint32_t i = 0; i < paths->binary->function_count; i++) {
        const struct hcct_stack_source *source = &paths->sources[i];
        if (plan->bytes[i] && source->linkage)
            fprintf(out, "%" PRIu32 " %s %s\n", plan->bytes[i], source->linkage,
                    hcct_text_base_name(source->file));
        if (plan->calls[i] && source->linkage)
            fprintf(out, "calls %s %s\n", source->linkage, hcct_text_base_name(source->file));
    }
}
