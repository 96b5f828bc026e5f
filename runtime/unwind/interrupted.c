/* See interrupted.h. First the newest instrumented function f is found. Its word is that of the oldest
 * function e above the newest push, which was entered fresh, and what each numbered call from there on added:
 *
 *     word = prefix of the push + base(e) + the deltas of the sites that the return addresses belong to
 *
 * A sibling call leaves no return address. If the site's callee is not the function that runs, sibling calls
 * led from one to the other. If only one chain of them does, it is that one. Otherwise, or where it is not
 * known which function a push entered, the context gets a node [unknown], and goes on with the function that
 * runs as if it had been entered fresh. */
#define _GNU_SOURCE
#include "runtime/unwind/interrupted.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "encoding/context.h"
#include "runtime/base/find_object.h"
#include "runtime/core/busy.h"
#include "runtime/core/tables.h"
#include "runtime/objects/leaf.h"
#include "runtime/objects/record.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/prefix.h"
#include "runtime/unwind/activation.h"
#include "runtime/unwind/places.h"

/* --- sites ----------------------------------------------------------------------------------------- */

static int64_t delta_of(const struct hcct_site *site)
{
    const int64_t *delta = hcct_rel_get(&site->delta);
    return delta ? __atomic_load_n(delta, __ATOMIC_RELAXED) : 0;
}

/* The instrumented function that the site calls, or NULL. */
static const struct hcct_state *callee_of(const struct hcct_site *site)
{
    const void *body = hcct_record_callee_body(site);
    return body ? hcct_places_function((uintptr_t)body) : NULL;
}

/* The numbered call that a label at `site` stands for, if the callee was `callee`: the site itself, or the
 * guess of that callee in front of it. */
static const struct hcct_site *numbered_site(const struct hcct_site *site, const struct hcct_state *caller,
                                             const struct hcct_state *callee)
{
    const struct hcct_function *function = hcct_record_of(caller);
    const struct hcct_site *sites = hcct_record_sites(function);
    if ((site->flags & HCCT_SITE_KIND_MASK) != HCCT_SITE_INDIRECT)
        return delta_of(site) > 0 ? site : NULL;
    for (uint32_t i = 0; i < function->delta_count; i++)
        if (sites[i].id == site->id && delta_of(&sites[i]) > 0 && callee_of(&sites[i]) == callee)
            return &sites[i];
    return NULL;
}

/* --- sibling calls --------------------------------------------------------------------------------- */

enum { WAY_DEPTH = 6, WAY_STEPS = 512 };

struct ways {
    const struct hcct_state *to;
    uint32_t found, steps;
    uint64_t sum; /* of the deltas of the way that was found last */
};

/* Recursive, WAY_DEPTH deep. With WAY_STEPS steps it has not seen all ways. */
static void find_ways(struct ways *ways, const struct hcct_state *from, uint64_t sum, unsigned depth)
{
    const struct hcct_function *function = hcct_record_of(from);
    const struct hcct_site *sites = hcct_record_sites(function);
    for (uint32_t i = 0; i < function->delta_count && ways->steps < WAY_STEPS; i++) {
        int64_t delta = sites[i].flags & HCCT_SITE_TAIL ? delta_of(&sites[i]) : 0;
        const struct hcct_state *callee = delta > 0 ? callee_of(&sites[i]) : NULL;
        if (!callee)
            continue;
        ways->steps++;
        if (callee == ways->to) {
            ways->found++;
            ways->sum = sum + (uint64_t)delta;
        } else if (depth < WAY_DEPTH) {
            find_ways(ways, callee, sum + (uint64_t)delta, depth + 1);
        } else {
            ways->steps = WAY_STEPS; /* there may be a longer way */
        }
    }
}

/* What the numbered sibling calls from `from` to `to` add, if there is one way only. No call leads from a
 * function to itself, as numbered calls make no cycle. */
static bool find_siblings(const struct hcct_state *from, const struct hcct_state *to, uint64_t *sum)
{
    struct ways ways = { .to = to };
    *sum = 0;
    if (from == to)
        return true;
    if (from)
        find_ways(&ways, from, 0, 1);
    *sum = ways.sum;
    return ways.found == 1 && ways.steps < WAY_STEPS;
}

/* --- frames ---------------------------------------------------------------------------------------- */

/* The top of the context stack when the code at hand ran. */
static const struct hcct_frame *top;

/* The context stack's newest frame that is older than an activation with this CFA. A frame of a sibling call
 * that led to this activation is older, too. */
static const struct hcct_frame *frame_below(uintptr_t cfa)
{
    const struct hcct_frame *frame = top;
    while (hcct_frame_sp(frame) < cfa &&
           !(hcct_frame_is_tail(frame) && HCCT_TAIL_SP(frame->tail) + sizeof(uintptr_t) >= cfa &&
             hcct_frame_tail_is_intact(frame)))
        frame--;
    return frame;
}

/* --- the chain ------------------------------------------------------------------------------------- */

/* The parts of a context, from the newest. Between two of them callers are not known. None: no instrumented
 * code runs, and `frame` is a root. */
enum { PARTS = 16 };
struct parts {
    uint64_t ids[PARTS]; /* what each adds to the prefix below it */
    size_t count;
    const struct hcct_frame *frame; /* what the oldest part stands above */
    bool is_known; /* the frame's push called its first function: nothing is unknown between */
};

/* The context that pushed the frame of `*node`, instead of that node; the root's if it is a root. */
static uint64_t go_to_pusher(const struct hcct_frame *frame, hcct_node *node)
{
    if (hcct_frame_is_root(frame))
        return frame->prefix;
    struct hcct_prefix pushed = *hcct_prefix_at(*node);
    hcct_prefix_retain(pushed.parent);
    hcct_prefix_release(*node);
    *node = pushed.parent;
    return pushed.word;
}

/* Makes the context: the parts, oldest first, above the frame. */
static bool join(const struct parts *parts, struct hcct_block *block, uint64_t *word, hcct_node *node)
{
    const struct hcct_frame *frame = parts->frame;
    uint64_t prefix = *word = frame->prefix;
    bool is_known = parts->is_known;
    *node = hcct_prefix_intern(frame, &block->stack);
    if (*node && !is_known)
        *word = go_to_pusher(frame, node);
    for (size_t i = parts->count; *node && i-- > 0; is_known = false) {
        if (!is_known) {
            uint64_t site = hcct_leaf_unknown_site();
            prefix = hcct_context_leaf(*word, site);
            *node = hcct_prefix_leaf(*node, *word, site);
        }
        *word = hcct_context_word(prefix, parts->ids[i]);
    }
    return *node;
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* How the function of an activation was called. */
struct call {
    const struct hcct_frame *push;    /* the newest one below the activation; or a root */
    const struct hcct_frame *sibling; /* of a sibling call that led to this activation; or NULL */
    const struct hcct_state *caller;  /* what the activation returns to; NULL: no instrumented code */
    const struct hcct_site *site;     /* where it returns to; NULL: not known */
    bool is_pushed;                   /* the caller made `push` */
};

static const struct hcct_frame *push_below(uintptr_t cfa)
{
    const struct hcct_frame *frame = frame_below(cfa);
    while (hcct_frame_is_tail(frame))
        frame--;
    return frame;
}

/* The activation is of code that is not instrumented, which called instrumented code. Goes up to the
 * instrumented function that called it, and finds the newest push there or further up. A frame whose place is
 * below that function is dead: code that is not instrumented pushes none. False if the stack ends before. */
static bool find_push(struct hcct_activation *activation, struct call *call)
{
    while (!hcct_frame_is_root(call->push = push_below(activation->cfa))) {
        if (!hcct_activation_up(activation))
            return false;
        if (hcct_places_function(activation->start))
            return true;
    }
    return true;
}

/* The activation's caller takes its place. A frame in the caller that another call pushed is dead: its call
 * was left by a jump. False if it is not known which frame is the newest live one. */
static bool find_call(struct hcct_activation *activation, struct call *call)
{
    uintptr_t cfa = activation->cfa;
    *call = (struct call){ .push = push_below(cfa), .sibling = frame_below(cfa) };
    if (!hcct_frame_is_tail(call->sibling) || HCCT_TAIL_SP(call->sibling->tail) + sizeof(uintptr_t) != cfa)
        call->sibling = NULL;
    if (!hcct_activation_up(activation))
        return activation->is_oldest && hcct_frame_is_root(call->push);
    call->caller = hcct_places_function(activation->start);
    if (!call->caller)
        return find_push(activation, call);
    call->site = hcct_places_site(call->caller, activation->start, activation->pc);
    bool is_inside = !hcct_frame_is_root(call->push) && activation->cfa > hcct_frame_sp(call->push);
    call->is_pushed = is_inside && (!call->site || call->site->id == call->push->site);
    if (is_inside && !call->is_pushed)
        call->site = NULL;
    return true;
}

/* Whether the call is numbered, directly or by numbered sibling calls behind it, and what that adds. */
static bool is_numbered(const struct call *call, const struct hcct_state *state, uint64_t *sum)
{
    const struct hcct_site *site =
        call->site && !call->is_pushed ? numbered_site(call->site, call->caller, state) : NULL;
    if (!site || (call->sibling && callee_of(site) != state) || !find_siblings(callee_of(site), state, sum))
        return false;
    *sum += (uint64_t)delta_of(site);
    return true;
}

/* Whether it is known which function a push entered, or code that is not instrumented, and how that led to
 * `state`. *id is what this adds to the prefix. */
static bool is_entered(const struct call *call, const struct hcct_state *state, uint64_t *id)
{
    const struct hcct_state *callee = call->site && !call->sibling ? callee_of(call->site) : NULL;
    uint64_t siblings = 0;
    *id = state->base;
    if (call->sibling && call->sibling->sp && !hcct_frame_folds())
        return call->sibling->sp == hcct_frame_callee_hash(state->base);
    if (callee ? !find_siblings(callee, state, &siblings) : hcct_places_may_be_sibling(state))
        return false;
    *id = (callee ? callee : state)->base + siblings;
    return true;
}

/* The context of the function `state`, at an activation. */
static bool find_parts(struct hcct_activation *activation, const struct hcct_state *state,
                       struct parts *parts)
{
    for (;;) {
        struct call call;
        uint64_t id;
        if (!find_call(activation, &call))
            return false;
        if (is_numbered(&call, state, &id)) {
            parts->ids[parts->count] += id;
        } else {
            bool calls_on = call.caller && !call.is_pushed;
            bool is_known = (call.sibling || !calls_on) && is_entered(&call, state, &id);
            const struct hcct_frame *frame = is_known && call.sibling ? call.sibling : call.push;
            if (!state->base || parts->count + 1 == PARTS || hcct_frame_is_overflow(frame) ||
                hcct_frame_is_barrier(frame) || (hcct_frame_folds() && !is_known))
                return false;
            parts->ids[parts->count++] += is_known ? id : state->base;
            parts->frame = frame;
            parts->is_known = is_known;
            if (is_known || !calls_on)
                return true;
        }
        state = call.caller;
    }
}

/* Under the table lock. The stack of a handler may be small, so what is found is static. */
static struct parts parts;

static bool find(const void *context, const struct hcct_frame *newest, uintptr_t *at)
{
    static struct hcct_activation activation;
    const struct hcct_state *state;
    memset(&parts, 0, sizeof parts);
    top = newest;
    *at = 0;
    if (!hcct_activation_begin(&activation, context))
        return false;
    while (!(state = hcct_places_function(activation.start)))
        if (!hcct_activation_up(&activation)) {
            parts.frame = frame_below(activation.cfa);
            parts.is_known = true;
            return activation.is_oldest && hcct_frame_is_root(parts.frame) &&
                   !hcct_frame_is_barrier(parts.frame);
        }
    *at = activation.pc - activation.calls;
    return find_parts(&activation, state, &parts);
}

bool hcct_interrupted_find(const void *context, struct hcct_block *block, uint64_t *word, hcct_node *node,
                           uintptr_t *at)
{
    static ucontext_t own; /* under the table lock, too */
    if (!context && getcontext(&own) != 0)
        return false;
    return find(context ? context : &own, __hcct_thread.top, at) && join(&parts, block, word, node);
}

struct hcct_here hcct_interrupted_here(const struct hcct_interrupted *interrupted)
{
    struct hcct_here here = { 0 };
    uintptr_t at;
    if (hcct_busy.depth || !hcct_find_object_is_possible())
        return here;
    int saved = errno;
    hcct_busy_enter();
    if (hcct_places_refresh()) {
        hcct_tables_lock();
        if (find(interrupted->context, interrupted->top, &at) && parts.count <= 1 && parts.is_known)
            here = (struct hcct_here){ hcct_context_word(parts.frame->prefix, parts.ids[0]), parts.frame };
        hcct_tables_unlock();
    }
    hcct_busy_leave();
    errno = saved;
    return here;
}
