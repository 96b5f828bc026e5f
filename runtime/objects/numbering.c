/* See numbering.h.
 * Atomics: bases and deltas are plain words of the ABI, so builtins. Instrumented code and stack/place.h load
 * them. */
#include "runtime/objects/numbering.h"

#include "encoding/graph.h"
#include "encoding/index.h"
#include "encoding/number.h"
#include "runtime/base/memory.h"
#include "runtime/core/block.h"
#include "runtime/core/meter.h"
#include "runtime/objects/bodies.h"
#include "runtime/objects/callees.h"
#include "runtime/objects/record.h"

_Atomic uint64_t hcct_numbering_id_count;
_Atomic uint32_t hcct_numbering_place_count;
bool hcct_numbering_notes;

/* --- bodies ------------------------------------------------------------------------------------ */

/* Adds an object's enterable functions to bodies.h. */
static void add_bodies(const struct hcct_object *object)
{
    size_t count = 0;
    for (const struct hcct_function *f = object->start; f < object->stop; f++)
        count += (f->flags & HCCT_FUNCTION_ENTERABLE) != 0;
    hcct_bodies_expect(count);
    for (const struct hcct_function *f = object->start; f < object->stop; f++)
        if (f->flags & HCCT_FUNCTION_ENTERABLE)
            hcct_bodies_add(f);
}

static void complete_bodies(void)
{
    if (!atomic_load_explicit(&hcct_bodies_wait, memory_order_relaxed))
        return;
    add_bodies(hcct_registry_object(0));
    atomic_store_explicit(&hcct_bodies_wait, false, memory_order_release);
}

void hcct_numbering_find_body(const void *address)
{
    enum { FEW = 8 }; /* A look at all records takes a seventh of what the table takes, and no memory. */
    static unsigned asked;
    if (!atomic_load_explicit(&hcct_bodies_wait, memory_order_relaxed))
        return;
    if (++asked > FEW) {
        complete_bodies();
        return;
    }
    const struct hcct_object *object = hcct_registry_object(0);
    for (const struct hcct_function *f = object->start; f < object->stop; f++)
        if (hcct_rel_get(&f->body) == address && f->flags & HCCT_FUNCTION_ENTERABLE)
            hcct_bodies_add(f);
}

/* --- numbering --------------------------------------------------------------------------------- */

static bool is_fixed(const struct hcct_function *function)
{
    return function->flags & HCCT_FUNCTION_FIXED;
}

/* The call graph of the objects from `first_object` on, while they are numbered. */
struct draft {
    const struct hcct_function_numbers *functions;
    size_t first_object, object_count;
    uint32_t first_function, function_count, edge_count;
    uint8_t *enterable;
    struct hcct_edge *edges;
    /* of all sites, in order: the number, and IS_EDGE where the draft numbers the call. NULL: no call is an
     * edge, and nothing is computed */
    uint32_t *callees;
    struct hcct_numbering numbering;
    void *scratch;
    char *memory;
    size_t bytes;
};

#define IS_EDGE (UINT32_C(1) << 31)

#define FOR_EACH_FUNCTION(draft, object, f)                                                                  \
    for (size_t object = (draft)->first_object; object < (draft)->object_count; object++)                    \
        for (const struct hcct_function *f = hcct_registry_object(object)->start;                            \
             f < hcct_registry_object(object)->stop; f++)

/* The offset of a part of `bytes` in memory that is to be allocated at once. */
static size_t take(size_t *offset, size_t bytes)
{
    size_t at = *offset;
    *offset = (at + bytes + 63) & ~(size_t)63;
    return at;
}

static bool allocate(struct draft *draft)
{
    size_t n = draft->function_count, e = draft->edge_count, bytes = 0;
    size_t enterable = take(&bytes, n), edges = take(&bytes, e * sizeof *draft->edges);
    size_t callees = take(&bytes, e * sizeof *draft->callees);
    size_t place = take(&bytes, n * sizeof *draft->numbering.place);
    size_t base = take(&bytes, n * 8), contexts = take(&bytes, n * 8), delta = take(&bytes, e * 8);
    size_t scratch = take(&bytes, hcct_number_scratch_bytes((uint32_t)n, (uint32_t)e));
    char *memory = hcct_memory_map_now(bytes);
    if (!memory)
        return false;
    draft->memory = memory;
    draft->bytes = bytes;
    draft->enterable = (uint8_t *)(memory + enterable);
    draft->edges = (struct hcct_edge *)(memory + edges);
    draft->callees = (uint32_t *)(memory + callees);
    draft->numbering.place = (uint32_t *)(memory + place);
    draft->numbering.base = (uint64_t *)(memory + base);
    draft->numbering.contexts = (uint64_t *)(memory + contexts);
    draft->numbering.delta = (int64_t *)(memory + delta);
    draft->scratch = memory + scratch;
    return true;
}

/* Whether the draft decides how calls from `caller` to `callee` are numbered. */
static bool is_edge(const struct draft *draft, const struct hcct_function *caller, struct hcct_callee callee)
{
    return callee.record && callee.number >= draft->first_function && !is_fixed(caller) &&
           !is_fixed(callee.record);
}

/* Adds the edges of the object's function with that number. Returns how many sites are before the next
 * function's. */
static uint32_t collect_edges(struct draft *draft, size_t object, const struct hcct_function *f,
                              uint32_t function, uint32_t first_site)
{
    const struct hcct_site *sites = hcct_record_sites(f);
    const struct hcct_object *own = hcct_registry_object(object);
    const uint32_t first = draft->functions->first[object];
    uint32_t *callees = draft->callees + first_site, count = f->site_count, edge = draft->edge_count;
    const bool runs = !hcct_callees_replacement(f);
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_callee callee = { hcct_callees_own(own, &sites[i]), 0 };
        if (callee.record)
            callee.number = first + (uint32_t)(callee.record - own->start);
        else
            callee = hcct_callees_of(draft->functions, object, &sites[i]);
        uint32_t flags = sites[i].flags;
        /* Where another function runs in place of the callee, it may have to push: DELTA_LOST. */
        bool is_prenumbered =
            flags & HCCT_SITE_PRENUMBERED && callee.record == hcct_rel_get(&sites[i].callee);
        bool is_numbered = runs && is_edge(draft, f, callee);
        callees[i] = callee.number | (is_numbered ? IS_EDGE : 0);
        if (!is_numbered)
            continue;
        draft->edges[edge++] = (struct hcct_edge){
            .caller = function,
            .callee = callee.number - draft->first_function,
            .weight = is_prenumbered ? HCCT_WEIGHT_PRENUMBERED : hcct_record_weight(&sites[i]),
            .pushes = (flags & (HCCT_SITE_PUSHES | HCCT_SITE_FRAMED)) != 0,
        };
    }
    draft->edge_count = edge;
    return first_site + count;
}

/* Fills the draft. Functions with fixed ids are in the graph without an edge. The ids that the graph gives
 * them are not used. */
static void collect(struct draft *draft)
{
    uint32_t function = 0, site = 0;
    draft->edge_count = 0;
    FOR_EACH_FUNCTION(draft, object, f)
    {
        draft->enterable[function] = (f->flags & HCCT_FUNCTION_ENTERABLE) != 0;
        site = collect_edges(draft, object, f, function++, site);
    }
}

/* Whether the callee only gives memory back. */
static bool only_releases(const struct hcct_site *site)
{
    const char *name = hcct_record_callee_name(site);
    return name &&
           (strcmp(name, "free") == 0 || strncmp(name, "_Zdl", 4) == 0 || strncmp(name, "_Zda", 4) == 0);
}

static uint32_t library_of(const struct hcct_site *site)
{
    return site->flags >> HCCT_SITE_LIBRARY_SHIFT & HCCT_LIBRARY_MASK;
}

/* The delta of a call of a library function that calls nothing back. */
static int64_t library_delta(const struct hcct_site *site)
{
    if (hcct_meter->calls.library == HCCT_LIBRARY_CALLS_PUSH)
        return HCCT_DELTA_OPEN;
    if (hcct_meter->calls.library == HCCT_LIBRARY_CALLS_PASS || library_of(site) == HCCT_LIBRARY_WAIT ||
        only_releases(site))
        return HCCT_DELTA_NONE;
    return site->flags & HCCT_SITE_NOTES && hcct_numbering_notes ? HCCT_DELTA_NOTED : HCCT_DELTA_OPEN;
}

/* The delta of a site that is no edge of the draft. Usually the callee has a base, and the call pushes.
 *
 * Without an instrumented callee, the site calls a library function, or a stand-in that is not needed. If the
 * program has own functions of that kind, they may call back, so the call pushes. Otherwise it need not. Own
 * functions that dlopen brings later change nothing for earlier objects: these look up symbols in the objects
 * of the start first, and all of those are found before the first delta is written. */
static int64_t outside_delta(const struct hcct_site *site, uint32_t callee, const struct draft *draft)
{
    uint32_t library = library_of(site);
    if (callee == HCCT_NO_INDEX && hcct_record_is_external(site))
        return HCCT_DELTA_NONE;
    if (callee == HCCT_NO_INDEX)
        return library && !(library & draft->functions->own) ? library_delta(site) : HCCT_DELTA_OPEN;
    const struct hcct_function *function = hcct_callees_function(draft->functions, callee);
    bool drafted = callee >= draft->first_function && !is_fixed(function) && draft->numbering.base;
    uint64_t base =
        drafted ? draft->numbering.base[callee - draft->first_function] : hcct_record_state(function)->base;
    return HCCT_DELTA_SIGN | (int64_t)base;
}

/* The link wrote that calls of library functions need no push, and the meter wants one. */
static void open_library_calls(const struct hcct_function *f)
{
    struct hcct_state *state = hcct_record_state(f);
    for (uint32_t i = 0; i < f->delta_count; i++) {
        const struct hcct_site *site = &hcct_record_sites(f)[i];
        if (state->delta[i] == HCCT_DELTA_NONE && !hcct_record_is_external(site))
            __atomic_store_n(&state->delta[i], library_delta(site), __ATOMIC_RELEASE);
    }
}

enum hcct_numbered hcct_numbering_adopt(uint64_t id_count)
{
    const struct hcct_object *object = hcct_registry_object(0);
    bool opens = hcct_meter->calls.library != HCCT_LIBRARY_CALLS_PASS;
    for (const struct hcct_function *f = object->start; opens && f < object->stop; f++)
        open_library_calls(f);
    atomic_store_explicit(&hcct_numbering_id_count, id_count, memory_order_relaxed);
    atomic_store_explicit(&hcct_numbering_place_count, (uint32_t)(object->stop - object->start),
                          memory_order_relaxed);
    atomic_store_explicit(&hcct_bodies_wait, true, memory_order_release);
    return HCCT_NUMBERED;
}

/* The delta of a prenumbered call that cannot be numbered, as another function runs in place of the callee.
 * Nothing tests it. The sum of a word and a small multiple of it is no path's word, so calls below get lost,
 * and are not taken for others. */
#define DELTA_LOST ((int64_t)UINT64_C(0x9e3779b97f4a7c10))

/* *number and *edge are the first site and edge of the object's function in the draft. They are moved past
 * the function. */
static void publish_deltas(const struct draft *draft, size_t object, const struct hcct_function *f,
                           uint32_t *number, uint32_t *edge)
{
    const struct hcct_site *sites = hcct_record_sites(f);
    struct hcct_state *state = hcct_record_state(f);
    const uint32_t *callees = draft->callees ? draft->callees + *number : NULL;
    const uint32_t count = f->site_count, delta_count = f->delta_count;
    const int64_t *drafted_delta = draft->numbering.delta + *edge;
    const bool fixed = is_fixed(f);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t callee = callees ? callees[i] : hcct_callees_of(draft->functions, object, &sites[i]).number;
        bool drafted = callees && callee != HCCT_NO_INDEX && callee & IS_EDGE;
        if (!drafted && i >= delta_count)
            continue;
        int64_t delta = drafted ? *drafted_delta++ : outside_delta(&sites[i], callee, draft);
        bool is_made = delta != HCCT_DELTA_NONE; /* which is tested in any case */
        if (delta < 0 && is_made && sites[i].flags & HCCT_SITE_PRENUMBERED)
            delta = DELTA_LOST;
        bool final = fixed && (sites[i].flags & HCCT_SITE_KIND_MASK) == HCCT_SITE_LOCAL;
        if (i < delta_count && (!final || delta == HCCT_DELTA_NONE))
            __atomic_store_n(&state->delta[i], delta, __ATOMIC_RELEASE);
    }
    *number += count;
    *edge = (uint32_t)(drafted_delta - draft->numbering.delta);
}

/* Code may read the base of a function in whose place another one runs, which is entered then. */
static void publish_replaced(const struct draft *draft)
{
    FOR_EACH_FUNCTION(draft, object, f)
    {
        const struct hcct_state *runs = hcct_callees_replacement(f);
        if (!runs)
            continue;
        hcct_record_state(f)->contexts = 0;
        hcct_record_state(f)->names = runs->names;
        __atomic_store_n(&hcct_record_state(f)->base, runs->base, __ATOMIC_RELEASE);
    }
}

static void publish(struct draft *draft)
{
    uint32_t function = 0, number = 0, edge = 0;
    FOR_EACH_FUNCTION(draft, object, f)
    {
        if (!is_fixed(f))
            hcct_record_state(f)->contexts = draft->numbering.contexts[function];
        uint32_t own = draft->numbering.place ? draft->numbering.place[function] : function,
                 place = draft->first_function + own; /* all are fixed: in any order */
        hcct_record_state(f)->names = place < HCCT_FUNCTION_PLACES ? place : HCCT_FUNCTION_PLACES - 1;
        publish_deltas(draft, object, f, &number, &edge);
        function++;
    }
    atomic_store_explicit(&hcct_numbering_place_count, draft->first_function + draft->function_count,
                          memory_order_relaxed);
    /* Bases last: once a base is known, the number of ids, of places and the deltas are written. */
    function = 0;
    FOR_EACH_FUNCTION(draft, object, f)
    {
        if (!is_fixed(f))
            __atomic_store_n(&hcct_record_state(f)->base, draft->numbering.base[function], __ATOMIC_RELEASE);
        function++;
    }
    publish_replaced(draft);
}

/* The numbers that the link wrote do not hold, and there are no others. */
static void withdraw(const struct draft *draft)
{
    FOR_EACH_FUNCTION(draft, object, f)
    {
        struct hcct_state *state = hcct_record_state(f);
        if (is_fixed(f))
            continue;
        state->base = state->contexts = 0;
        for (uint32_t i = 0; i < f->delta_count; i++)
            state->delta[i] = 0;
    }
}

/* Functions that the linker numbered (whole programs) keep their ids. False if another object has the same
 * ids, because two parts of the process were each linked as a whole program. */
static bool adopt_fixed(const struct draft *draft, uint32_t *fixed_count)
{
    uint64_t first = UINT64_MAX, end = 0, sum = 0;
    *fixed_count = 0;
    FOR_EACH_FUNCTION(draft, object, f)
    {
        const struct hcct_state *state = hcct_record_state(f);
        if (!is_fixed(f))
            continue;
        first = state->base < first ? state->base : first;
        end = state->base + state->contexts > end ? state->base + state->contexts : end;
        sum += state->contexts;
        ++*fixed_count;
    }
    if (*fixed_count && (first < HCCT_ID_FIRST + hcct_numbering_id_count || sum > end - first))
        return false;
    if (*fixed_count)
        atomic_store_explicit(&hcct_numbering_id_count, end - HCCT_ID_FIRST, memory_order_relaxed);
    return true;
}

/* How many ids there are to be: the fewer, the less often a frame explains a word that was not made from it,
 * which it does with a probability of ids / 2^64 / HCCT_ID_UNIT. What pushes for that are the coldest calls
 * (number.h). If prenumbered calls do not fit, there are 2^STEP times as many. */
#define USUAL_IDS (UINT64_C(1) << 44)
enum { STEP = 8 };

static bool number_draft(struct draft *draft)
{
    collect(draft);
    uint64_t first_id = HCCT_ID_FIRST + hcct_numbering_id_count;
    uint64_t most = (HCCT_ID_MAX - first_id) / 4 * 3; /* a quarter is left for later objects */
    struct hcct_graph graph = {
        draft->function_count, draft->edge_count, draft->enterable, draft->edges, first_id, 0,
    };
    for (uint64_t ids = USUAL_IDS;; ids <<= STEP) {
        bool is_last = ids > most >> STEP;
        graph.id_limit = first_id + (is_last ? most : ids);
        if (hcct_number(&graph, &draft->numbering, draft->scratch))
            break;
        if (is_last)
            return false;
    }
    atomic_store_explicit(&hcct_numbering_id_count, draft->numbering.end_id - HCCT_ID_FIRST,
                          memory_order_relaxed);
    return true;
}

enum hcct_numbered hcct_numbering_begin(size_t first_object, size_t count)
{
    static struct hcct_function_numbers functions; /* large */
    hcct_callees_count(&functions, count);
    struct draft draft = { .functions = &functions,
                           .first_object = first_object,
                           .object_count = count,
                           .first_function = functions.first[first_object] };
    uint32_t fixed_count;
    complete_bodies();
    for (size_t i = first_object; i < count; i++)
        add_bodies(hcct_registry_object(i));
    FOR_EACH_FUNCTION(&draft, object, f)
    {
        draft.function_count++;
        draft.edge_count += f->site_count;
    }
    if (!adopt_fixed(&draft, &fixed_count))
        return HCCT_NUMBERED_TWICE;
    bool numbered = fixed_count == draft.function_count || (allocate(&draft) && number_draft(&draft));
    if (numbered)
        publish(&draft);
    else
        withdraw(&draft);
    if (draft.memory)
        hcct_memory_unmap(draft.memory, draft.bytes);
    return numbered ? HCCT_NUMBERED : HCCT_NUMBERED_NOT;
}

/* --- numbering again ---------------------------------------------------------------------------- */

void hcct_numbering_enter(size_t index)
{
    complete_bodies();
    add_bodies(hcct_registry_object(index));
}

/* Whether the numbered calls of the object's function `f` lead to the functions that they led to. */
static bool calls_fit(const struct hcct_function_numbers *functions, size_t object,
                      const struct hcct_function *f, const struct hcct_state *old)
{
    const struct hcct_site *sites = hcct_record_sites(f);
    for (uint32_t i = 0; i < f->delta_count; i++) {
        if (old->delta[i] <= 0 || hcct_callees_own(hcct_registry_object(object), &sites[i]))
            continue;
        uint32_t callee = hcct_callees_of(functions, object, &sites[i]).number;
        if (callee == HCCT_NO_INDEX)
            return false;
        const struct hcct_state *now = hcct_record_state(hcct_callees_function(functions, callee));
        if (old->base + (uint64_t)old->delta[i] - now->base >= now->contexts) /* ids of another function */
            return false;
    }
    return true;
}

bool hcct_numbering_fits(size_t index, size_t count)
{
    const struct hcct_object *object = hcct_registry_object(index);
    static struct hcct_function_numbers functions; /* large */
    hcct_callees_count(&functions, count);
    for (const struct hcct_function *f = object->start; f < object->stop; f++)
        if (!calls_fit(&functions, index, f, hcct_record_state(&object->before[f - object->start])))
            return false;
    return true;
}

/* All but the bases. */
static void repeat_calls(const struct draft *draft, size_t object)
{
    const struct hcct_object *again = hcct_registry_object(object);
    for (const struct hcct_function *f = again->start; f < again->stop; f++) {
        const struct hcct_site *sites = hcct_record_sites(f);
        const struct hcct_state *old = hcct_record_state(&again->before[f - again->start]);
        struct hcct_state *state = hcct_record_state(f);
        state->contexts = old->contexts;
        state->names = old->names;
        for (uint32_t i = 0; i < f->delta_count; i++) {
            int64_t delta = old->delta[i];
            if (delta <= 0)
                delta = outside_delta(&sites[i], hcct_callees_of(draft->functions, object, &sites[i]).number,
                                      draft);
            __atomic_store_n(&state->delta[i], delta, __ATOMIC_RELEASE);
        }
    }
}

void hcct_numbering_repeat(size_t count)
{
    static struct hcct_function_numbers functions; /* large */
    hcct_callees_count(&functions, count);
    struct draft draft = { .functions = &functions };
    for (size_t i = 0; i < count; i++)
        if (hcct_registry_object(i)->before)
            repeat_calls(&draft, i);
    for (size_t i = 0; i < count; i++) {
        const struct hcct_object *again = hcct_registry_object(i);
        for (const struct hcct_function *f = again->start; again->before && f < again->stop; f++)
            __atomic_store_n(&hcct_record_state(f)->base,
                             hcct_record_state(&again->before[f - again->start])->base, __ATOMIC_RELEASE);
    }
}
