/* See path.h. A path is found from its end towards its root. A step within an acyclic path goes from an id to
 * the caller's id, by the one delta that leads there. From the start of that path, a frame of the context
 * stack leads to the pusher. The text is written in the same order, from the end of the buffer. So no depth
 * needs memory, and a short buffer lacks the names of the oldest callers.
 *
 * Invariants
 *   1. text.length counts every byte, also those that did not fit;
 *   2. steps are written and read while the registry is held. Their pointers are valid until the registry
 *      moves records.
 * Cost: a step looks at all deltas of the program, unless it is in the cache `steps`.
 * Atomics: deltas are plain words of the ABI, so builtins. They pair with the stores of
 * objects/numbering.c. */
#include "runtime/stack/path.h"

#include <string.h>

#include "encoding/context.h"
#include "encoding/path_key.h"
#include "hcct/locations.h"
#include "runtime/core/block.h"
#include "runtime/objects/record.h"
#include "runtime/objects/registry.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/walk.h"

/* --- writing from the end -------------------------------------------------------------------------- */

struct text {
    char *buffer;
    size_t size;
    size_t length;
};

static void put_before(struct text *text, const char *part)
{
    for (size_t i = strlen(part); i-- > 0; text->length++)
        if (text->length + 1 < text->size)
            text->buffer[text->size - 2 - text->length] = part[i];
}

static void put_frame(struct text *text, const char *open, const char *name, const char *close)
{
    if (text->length)
        put_before(text, ";");
    put_before(text, close);
    put_before(text, name ? name : "?");
    put_before(text, open);
}

static void put_signal(struct text *text, int number)
{
    char digits[] = { (char)('0' + number / 10), (char)('0' + number % 10), 0 };
    put_frame(text, "[signal ", number < 10 ? digits + 1 : digits, "]");
}

/* Moves the text to the front of its buffer. Returns its whole length. */
static size_t finish(struct text *text)
{
    if (!text->size)
        return text->length;
    size_t kept = text->length < text->size ? text->length : text->size - 1;
    memmove(text->buffer, text->buffer + text->size - 1 - kept, kept);
    text->buffer[kept] = 0;
    for (size_t i = 0; kept < text->length && i < 3 && i < kept; i++)
        text->buffer[i] = '.';
    return text->length;
}

/* --- from an id to the caller's id ----------------------------------------------------------------- */

struct step {
    uint64_t id;
    const struct hcct_function *function; /* the one that has the id; NULL: none */
    const struct hcct_site *site;         /* the last call of the acyclic path; NULL: it has no call */
    uint64_t caller;                      /* the id before that call */
};

enum { STEPS = 1024 };

static struct step steps[STEPS];
static uint32_t moves_seen;

/* The site of `function` whose call leads to `id`, or NULL. *caller: the id before the call. */
static const struct hcct_site *site_to(const struct hcct_function *function, uint64_t id, uint64_t *caller)
{
    const struct hcct_state *state = hcct_record_state(function);
    for (uint32_t i = 0; i < function->delta_count; i++) {
        int64_t delta = __atomic_load_n(&state->delta[i], __ATOMIC_RELAXED);
        if (delta <= 0 || id - (uint64_t)delta - state->base >= state->contexts)
            continue;
        *caller = id - (uint64_t)delta;
        return hcct_record_sites(function) + i;
    }
    return NULL;
}

static struct step find_step(uint64_t id)
{
    struct step step = { .id = id };
    for (size_t o = 0; o < hcct_registry_object_count(); o++) {
        const struct hcct_object *object = hcct_registry_object(o);
        for (const struct hcct_function *f = object->start; f < object->stop; f++) {
            const struct hcct_state *state = hcct_record_state(f);
            if (!state->base || state->base > id) /* a numbered call leads to a larger id */
                continue;
            if (hcct_context_is_id(id, state->base, state->contexts))
                step.function = f;
            else if (!step.site)
                step.site = site_to(f, id, &step.caller);
        }
    }
    return step;
}

static const struct step *step_of(uint64_t id)
{
    struct step *step = &steps[id % STEPS];
    if (moves_seen != hcct_registry_move_count()) {
        memset(steps, 0, sizeof steps);
        moves_seen = hcct_registry_move_count();
    }
    if (step->id != id || !step->function)
        *step = find_step(id);
    return step;
}

/* --- the path ------------------------------------------------------------------------------------- */

static void put_inlined(struct text *text, const struct hcct_function *caller, const struct hcct_site *site)
{
    uint32_t scope = hcct_locations_at(caller, (uint32_t)(site - hcct_record_sites(caller))).scope;
    for (const struct hcct_inlined *frame = hcct_locations_inlined(caller, scope); frame;
         frame = hcct_rel_get(&frame->outer))
        put_frame(text, "", hcct_locations_name(frame), "");
}

/* Writes the acyclic path of `id`. False if it is no id. */
static bool put_acyclic(struct text *text, uint64_t id)
{
    for (const struct hcct_site *site = NULL;;) { /* of the call that was written last */
        const struct step *step = step_of(id);
        if (!step->function)
            return false;
        if (site)
            put_inlined(text, step->function, site);
        put_frame(text, "", hcct_rel_get(&step->function->linkage_name), "");
        if (!step->site)
            return true;
        site = step->site;
        id = step->caller;
    }
}

/* Writes the callee of the push at `site`, if it is uninstrumented and has a name, and the functions that the
 * site was inlined from. */
static void put_push(struct text *text, const struct hcct_function *pusher, const struct hcct_site *site)
{
    ptrdiff_t index = site - (const struct hcct_site *)hcct_rel_get(&pusher->sites);
    uint32_t kind = site->flags & HCCT_SITE_KIND_MASK;
    int64_t delta =
        index < (ptrdiff_t)pusher->delta_count ? hcct_record_state(pusher)->delta[index] : HCCT_DELTA_OPEN;
    const char *name = hcct_record_callee_name(site);
    bool outside = hcct_delta_is_outside(delta);
    bool recursive = kind == HCCT_SITE_LOCAL && site->flags & HCCT_SITE_PUSHES;
    if (outside && !recursive && kind != HCCT_SITE_INDIRECT && name && *name)
        put_frame(text, "[", name, "]");
    put_inlined(text, pusher, site);
}

static const struct hcct_site *site_of(const struct hcct_function *function, uint64_t id)
{
    const struct hcct_site *sites = hcct_record_sites(function);
    for (uint32_t i = function->site_count; i-- > 0;) /* from the end: guesses have its id and come first */
        if (sites[i].id == id)
            return &sites[i];
    return NULL;
}

static void put_path(struct text *text, struct hcct_here here)
{
    while (here.frame) {
        uint64_t id = hcct_context_id(here.word, here.frame->prefix);
        if (id && !put_acyclic(text, id))
            break;
        if (hcct_frame_is_root(here.frame)) {
            if (hcct_frame_signal(here.frame))
                put_signal(text, hcct_frame_signal(here.frame));
            return;
        }
        const struct hcct_frame *parent = hcct_walk_parent(here.frame);
        uint64_t word = hcct_context_pusher(here.frame->prefix, here.frame->site);
        const struct hcct_function *pusher =
            parent ? step_of(hcct_context_id(word, parent->prefix))->function : NULL;
        const struct hcct_site *site = pusher ? site_of(pusher, here.frame->site) : NULL;
        if (!site)
            break;
        put_push(text, pusher, site);
        here = (struct hcct_here){ word, parent };
    }
    put_frame(text, "[", "unknown", "]");
}

size_t hcct_path_describe(struct hcct_here here, bool whole, char *buffer, size_t size)
{
    struct text text = { buffer, size, 0 };
    hcct_busy_enter();
    if ((here.word || !whole) && hcct_registry_hold()) {
        if (!whole)
            put_frame(&text, "", "...", "");
        put_path(&text, here);
        hcct_registry_let_go();
    }
    hcct_busy_leave();
    return finish(&text);
}

bool hcct_path_caller(struct hcct_here *here)
{
    const struct step *step = step_of(hcct_context_id(here->word, here->frame->prefix));
    if (!step->function)
        return false;
    if (step->site) {
        here->word = hcct_context_word(here->frame->prefix, step->caller);
        return true;
    }
    const struct hcct_frame *parent = hcct_frame_is_root(here->frame) ? NULL : hcct_walk_parent(here->frame);
    if (!parent)
        return false;
    *here = (struct hcct_here){ hcct_context_pusher(here->frame->prefix, here->frame->site), parent };
    return true;
}

/* --- its functions --------------------------------------------------------------------------------- */

/* Whether a function of the acyclic path of `id` has the flags. */
static bool acyclic_has(uint64_t id, uint32_t flags, bool with_last)
{
    for (bool counts = with_last;; counts = true) {
        const struct step *step = step_of(id);
        if (step->function && counts && step->function->flags & flags)
            return true;
        if (!step->function || !step->site)
            return false;
        id = step->caller;
    }
}

bool hcct_path_has(struct hcct_here here, uint32_t flags, bool with_last)
{
    while (here.frame) {
        uint64_t id = hcct_context_id(here.word, here.frame->prefix);
        if (id && acyclic_has(id, flags, with_last))
            return true;
        if (hcct_frame_is_root(here.frame))
            return false;
        with_last |= id != 0;
        here = (struct hcct_here){ hcct_context_pusher(here.frame->prefix, here.frame->site),
                                   hcct_walk_parent(here.frame) };
    }
    return false;
}

/* --- its key --------------------------------------------------------------------------------------- */

/* Adds the call sites of the acyclic path of `id`. Returns its last function; NULL if it is no id. */
static const struct hcct_function *add_acyclic(struct hcct_path_key *key, uint64_t id)
{
    const struct step *step = step_of(id);
    const struct hcct_function *last = step->function;
    for (; step->function && step->site; step = step_of(step->caller))
        hcct_path_key_add(key, step->site->id);
    return step->function ? last : NULL;
}

uint64_t hcct_path_key(struct hcct_here here)
{
    struct hcct_path_key end = HCCT_PATH_KEY_EMPTY, key = HCCT_PATH_KEY_EMPTY;
    for (const struct hcct_function *first = NULL; here.frame;) {
        const struct hcct_function *last = add_acyclic(&key, hcct_context_id(here.word, here.frame->prefix));
        if (!last)
            return 0;
        if (!first)
            hcct_path_key_add_function(&end, hcct_rel_get(&last->linkage_name),
                                       last->flags & HCCT_FUNCTION_LOCAL ? hcct_rel_get(&last->file) : NULL);
        first = last;
        if (hcct_frame_is_root(here.frame)) {
            if (hcct_frame_signal(here.frame))
                hcct_path_key_add_signal(&key, (uint64_t)hcct_frame_signal(here.frame));
            return hcct_path_key_of(hcct_path_key_join(end, key));
        }
        hcct_path_key_add(&key, here.frame->site);
        here = (struct hcct_here){ hcct_context_pusher(here.frame->prefix, here.frame->site),
                                   hcct_walk_parent(here.frame) };
    }
    return 0;
}
