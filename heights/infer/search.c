#include "heights/infer/search.h"

#include <stdlib.h>
#include <string.h>

#include "heights/infer/made.h"

/* Frames are multiples of it where they call. */
enum { STEP_BYTES = 16 };

/* A way to enter a function: by a call of `caller`, whose frame has so many steps there. */
struct edge {
    uint32_t callee, caller, steps; /* callee HCCT_STACK_NONE: through a pointer */
};

struct place {
    uint32_t function, height; /* in steps, from a thread's first function */
    uint32_t tried;            /* how many edges */
};

struct search {
    struct hcct_stack_paths *paths;
    struct edge *edges; /* by callee; those through pointers are the last */
    uint32_t *first;    /* by callee, and behind all callees: its first edge */
    uint32_t edge_count;
    uint64_t *reached; /* by function, and behind all functions of what pointers lead to: a bit a height */
    uint32_t height_count, words;
    bool *is_root, *is_pointed; /* by function: a thread may begin there; pointers may lead there */
    struct place *stack;        /* from the sample's function back */
    uint32_t depth, depth_max;
    /* the candidates, from a thread's first function on, each with the number of its functions in front */
    uint32_t *found;
    uint32_t found_length, found_capacity, found_count;
    bool failed;
};

/* --- the call graph -------------------------------------------------------------------------------- */

static int by_callee(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->callee != y->callee)
        return x->callee < y->callee ? -1 : 1;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return (x->steps > y->steps) - (x->steps < y->steps);
}

static void list_edges(struct search *search)
{
    const struct hcct_stack_binary *binary = search->paths->binary;
    uint32_t count = 0, callee = 0;
    for (uint32_t i = 0; i < binary->call_count; i++) {
        const struct hcct_stack_call *call = &binary->calls[i];
        bool named = call->kind == HCCT_STACK_DIRECT || call->kind == HCCT_STACK_JUMP;
        if (call->kind != HCCT_STACK_EXTERNAL && call->height >= 0 && call->height % STEP_BYTES == 0 &&
            call->height < HCCT_SEARCH_HEIGHT_MAX && (!named || call->callee != HCCT_STACK_NONE))
            search->edges[count++] = (struct edge){ named ? call->callee : HCCT_STACK_NONE, call->caller,
                                                    (uint32_t)(call->height / STEP_BYTES) };
    }
    if (count)
        qsort(search->edges, count, sizeof *search->edges, by_callee);
    for (uint32_t i = 0; i < count; i++)
        if (!i || by_callee(&search->edges[i], &search->edges[search->edge_count - 1]))
            search->edges[search->edge_count++] = search->edges[i];
    for (uint32_t i = 0; i < search->edge_count; i++)
        while (callee <= binary->function_count && callee <= search->edges[i].callee)
            search->first[callee++] = i;
    while (callee <= binary->function_count)
        search->first[callee++] = search->edge_count;
}

/* The program's start takes the address of main, but no call leads there a second time. */
static void find_roots(struct search *search)
{
    const struct hcct_stack_paths *paths = search->paths;
    uint32_t root = hcct_stack_function_named(paths->binary, "main", "");
    for (uint32_t i = 0; i < paths->binary->function_count; i++) {
        search->is_root[i] = i == root;
        search->is_pointed[i] = paths->binary->functions[i].is_address_taken && i != root;
    }
    for (uint32_t i = 1; i < paths->count; i++)
        if (!paths->paths[i].parent && paths->paths[i].function != HCCT_STACK_NONE)
            search->is_root[paths->paths[i].function] = true;
}

/* --- where paths can be ---------------------------------------------------------------------------- */

static uint64_t *heights_of(const struct search *search, uint32_t function)
{
    return &search->reached[(size_t)function * search->words];
}

static bool is_reached(const struct search *search, uint32_t function, uint32_t height)
{
    return heights_of(search, function)[height / 64] >> height % 64 & 1;
}

/* Adds the heights of `from`, each greater by so many steps. Returns whether one was new. */
static bool add_heights(const struct search *search, uint32_t to, uint32_t from, uint32_t steps)
{
    uint64_t *target = heights_of(search, to), *source = heights_of(search, from), changed = 0;
    uint32_t skip = steps / 64, shift = steps % 64;
    for (uint32_t i = search->words; i-- > skip;) {
        uint64_t more = source[i - skip] << shift;
        if (shift && i > skip)
            more |= source[i - skip - 1] >> (64 - shift);
        changed |= more & ~target[i];
        target[i] |= more;
    }
    return changed != 0;
}

static void reach_all(struct search *search)
{
    const struct hcct_stack_binary *binary = search->paths->binary;
    uint32_t pointers = binary->function_count;
    for (uint32_t i = 0; i < binary->function_count; i++)
        heights_of(search, i)[0] |= search->is_root[i];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < search->edge_count; i++) {
            const struct edge *edge = &search->edges[i];
            changed |= add_heights(search, edge->callee == HCCT_STACK_NONE ? pointers : edge->callee,
                                   edge->caller, edge->steps);
        }
        for (uint32_t i = 0; i < binary->function_count; i++)
            if (search->is_pointed[i])
                changed |= add_heights(search, i, pointers, 0);
    }
}

/* --- one sample's search --------------------------------------------------------------------------- */

static const struct edge *edge_of(const struct search *search, uint32_t function, uint32_t index)
{
    const struct hcct_stack_binary *binary = search->paths->binary;
    uint32_t named = search->first[function + 1] - search->first[function],
             pointers = search->first[binary->function_count];
    if (index < named)
        return &search->edges[search->first[function] + index];
    index -= named;
    bool is_there = search->is_pointed[function] && index < search->edge_count - pointers;
    return is_there ? &search->edges[pointers + index] : NULL;
}

/* Whether the search is there already: round a cycle of tail calls. */
static bool is_on_stack(const struct search *search, uint32_t function, uint32_t height)
{
    for (uint32_t i = search->depth; i-- > 0 && search->stack[i].height == height;)
        if (search->stack[i].function == function)
            return true;
    return false;
}

/* Keeps the path on the stack, unless it is kept already. */
static void keep(struct search *search)
{
    uint32_t at = search->found_length, length = search->depth + 1;
    while (!search->failed && search->found_length < at + length) {
        search->failed = !hcct_vector_grow(&search->found, &search->found_capacity, search->found_length,
                                           sizeof *search->found);
        uint32_t index = search->found_length - at;
        if (!search->failed)
            search->found[search->found_length++] =
                index ? search->stack[search->depth - index].function : search->depth;
    }
    for (uint32_t i = 0; !search->failed && i < at; i += search->found[i] + 1)
        if (search->found[i] == search->depth &&
            !memcmp(&search->found[i], &search->found[at], length * sizeof *search->found)) {
            search->found_length = at;
            return;
        }
    search->found_count++;
}

static void enter(struct search *search, uint32_t function, uint32_t height)
{
    if (search->depth == search->depth_max || !is_reached(search, function, height) ||
        is_on_stack(search, function, height))
        return;
    search->stack[search->depth++] = (struct place){ function, height, 0 };
    if (!height && search->is_root[function])
        keep(search);
}

/* Finds the candidates; none if they are too many. */
static void look(struct search *search, uint32_t function, uint32_t height)
{
    uint32_t steps = 0;
    search->depth = search->found_length = search->found_count = 0;
    enter(search, function, height);
    while (search->depth && !search->failed) {
        struct place *top = &search->stack[search->depth - 1];
        const struct edge *edge = edge_of(search, top->function, top->tried++);
        if (++steps > HCCT_SEARCH_STEPS || search->found_count > HCCT_SEARCH_CANDIDATES) {
            search->found_length = 0;
            return;
        }
        if (!edge)
            search->depth--;
        else if (edge->steps <= top->height)
            enter(search, edge->caller, top->height - edge->steps);
    }
}

static void add_found(struct search *search)
{
    const struct hcct_stack_function *functions = search->paths->binary->functions;
    for (uint32_t i = 0; i < search->found_length && !search->failed; i += search->found[i] + 1) {
        uint32_t path = 0;
        for (uint32_t k = 1; k <= search->found[i] && path != HCCT_STACK_NONE; k++)
            path = hcct_paths_child(search->paths, path, functions[search->found[i + k]].original);
        search->failed = path == HCCT_STACK_NONE;
        if (!search->failed)
            search->paths->paths[path].in |= 1u << HCCT_PATHS_SEARCHED;
    }
}

/* --- all samples ----------------------------------------------------------------------------------- */

/* The function and height of a sample that no known path has. False if it has one, or none can be told. */
static bool is_missing(const struct hcct_stack_paths *paths, const struct hcct_stack_sample *sample,
                       struct place *missing)
{
    int64_t frame;
    uint32_t from, to, function = hcct_made_sampled(paths->binary, sample->pc, &frame);
    if (frame == HCCT_HEIGHT_UNKNOWN || sample->outside)
        return false;
    int64_t height = sample->height - frame;
    hcct_paths_find(paths, function, height, &from, &to);
    *missing = (struct place){ .function = function, .height = (uint32_t)(height / STEP_BYTES) };
    return from == to && height >= 0 && height < HCCT_SEARCH_HEIGHT_MAX && height % STEP_BYTES == 0;
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (x->height > y->height) - (x->height < y->height);
}

static bool prepare(struct search *search)
{
    const struct hcct_stack_binary *binary = search->paths->binary;
    size_t functions = (size_t)binary->function_count + 1;
    search->words = search->height_count / 64 + 1;
    search->depth_max = 4 * search->height_count + 64; /* tail calls have no height */
    search->edges = malloc(((size_t)binary->call_count + 1) * sizeof *search->edges);
    search->first = malloc(functions * sizeof *search->first);
    search->reached = calloc(functions * search->words, sizeof *search->reached);
    search->is_root = calloc(functions, sizeof *search->is_root);
    search->is_pointed = calloc(functions, sizeof *search->is_pointed);
    search->stack = malloc(search->depth_max * sizeof *search->stack);
    if (!search->edges || !search->first || !search->reached || !search->is_root || !search->is_pointed ||
        !search->stack)
        return false;
    list_edges(search);
    find_roots(search);
    reach_all(search);
    return true;
}

bool hcct_search(struct hcct_stack_paths *paths, const struct hcct_stack_samples *samples)
{
    struct search search = { .paths = paths };
    struct place *missing = malloc(((size_t)samples->count + 1) * sizeof *missing);
    uint32_t count = 0;
    for (uint32_t i = 0; missing && i < samples->count; i++) {
        count += is_missing(paths, &samples->samples[i], &missing[count]);
        if (count && missing[count - 1].height >= search.height_count)
            search.height_count = missing[count - 1].height + 1;
    }
    search.failed = !missing || (count && !prepare(&search));
    if (count)
        qsort(missing, count, sizeof *missing, by_place);
    for (uint32_t i = 0; i < count && !search.failed; i++) {
        if (i && !by_place(&missing[i], &missing[i - 1]))
            continue;
        look(&search, missing[i].function, missing[i].height);
        add_found(&search);
    }
    void *const memory[] = { missing,        search.edges,      search.first, search.reached,
                             search.is_root, search.is_pointed, search.stack, search.found };
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
    return !search.failed && (!count || hcct_paths_measure(paths));
}
