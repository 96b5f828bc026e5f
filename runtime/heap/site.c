/* See site.h. */
#include "runtime/heap/site.h"

#include "runtime/base/memory.h"
#include "runtime/base/real.h"
#include "runtime/core/block.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/count/settings.h"
#include "runtime/heap/allocators.h"
#include "runtime/heap/section.h"
#include "runtime/heap/tables/blocks.h"
#include "runtime/heap/tables/log.h"
#include "runtime/objects/leaf.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/prefix.h"
#include "runtime/stack/walk.h"

bool hcct_heap_any_inner;
/* How many blocks or mappings are out of the tables while the allocator or the system changes them. They have
 * numbers of contexts, so no context may get another number. An era ends when all is forgotten. */
static uint32_t in_flight, era;
/* How many contexts were to be kept and found no room, since contexts were dropped last. */
static uint32_t waiting;

/* --- where ---------------------------------------------------------------------------------------- */

struct site {
    uint64_t key;
    const struct hcct_frame *frame; /* NULL: not known */
    struct hcct_leaf *leaf;         /* of code that no instrumented code called; else NULL */
    bool is_function;               /* the function's own context, and not that of its call */
};

/* The context of the call that left instrumented code. */
static __attribute__((noinline)) struct site find_site(const void *caller)
{
    const struct hcct_frame *frame =
        hcct_walk_newest(__hcct_thread.top, (uintptr_t)__builtin_frame_address(0));
    if (!frame)
        return (struct site){ .key = HCCT_WORD_TAIL };
    if (!hcct_frame_is_root(frame) || hcct_frame_signal(frame))
        return (struct site){ .key = frame->prefix, .frame = frame };
    struct hcct_leaf *leaf = hcct_leaf_at((uintptr_t)caller);
    return (struct site){ .key = hcct_context_leaf(frame->prefix, leaf->site), .frame = frame, .leaf = leaf };
}

static hcct_node intern(const struct site *site, struct hcct_block *block)
{
    if (!site->frame)
        return hcct_prefix_unknown(site->key);
    hcct_node node = hcct_prefix_intern(site->frame, &block->stack);
    if (!node || !site->leaf)
        return node;
    site->leaf->is_used = true;
    return hcct_prefix_leaf(node, site->frame->prefix, site->leaf->site);
}

/* --- contexts that are not kept ------------------------------------------------------------------ */

/* Whether no context has to leave for another one. */
static bool has_room(void)
{
    const struct hcct_summary *summary = hcct_tables.summary;
    return !summary || (!hcct_space_saving_floor(summary) && !hcct_space_saving_is_full(summary));
}

static void tell(uint32_t number)
{
    struct hcct_heap_context *context = hcct_heap_context_at(number);
    uint64_t bytes = context->allocated_bytes - context->told_bytes;
    /* One that has only blocks of no bytes is told, too, where that makes an entry. */
    if (!number || context->is_inner || (!bytes && (context->allocated_bytes || !has_room())))
        return;
    hcct_prefix_retain(context->node);
    hcct_count_add(hcct_heap_context_key(number), bytes, context->node);
    context->told_bytes = context->allocated_bytes;
}

void hcct_heap_tell_all(void)
{
    for (uint32_t i = 1; hcct_heap_section.is_on && i < hcct_heap_contexts_count(); i++)
        tell(i);
}

/* Drops the contexts that the summary does not monitor. */
static void drop_cold(void)
{
    uint32_t count = hcct_heap_contexts_count();
    hcct_heap_tell_all();
    bool *stays = hcct_memory_map(count * sizeof *stays);
    uint32_t *to = hcct_memory_map(count * sizeof *to);
    for (uint32_t i = 0; stays && i < hcct_space_saving_size(hcct_tables.summary); i++)
        stays[hcct_heap_contexts_find(hcct_space_saving_entry(hcct_tables.summary, i).key)] = true;
    if (stays && to) {
        hcct_heap_contexts_keep(stays, to);
        hcct_heap_blocks_move(to);
        hcct_heap_logs_move(to);
    }
    hcct_memory_unmap(stays, count * sizeof *stays);
    hcct_memory_unmap(to, count * sizeof *to);
}

/* What is known of a context that found no room. */
enum cold {
    COLD,
    WARM, /* it is certain that it has more bytes than any context that the summary lacks */
    HOT,  /* the decoder may show it as hot */
};

/* There is no room for a new context. Its bytes go to the summary at once, at *place. */
static enum cold add_cold(const struct site *site, uint64_t bytes, uint32_t *place)
{
    struct hcct_summary *summary = hcct_tables.summary;
    *place = hcct_count_add(site->key, bytes, 0);
    if (*place == HCCT_NO_PLACE)
        return COLD;
    struct hcct_entry entry = hcct_space_saving_entry(summary, *place);
    if (entry.count >= hcct_real_times(hcct_count_settings.phi, hcct_space_saving_total(summary)))
        return HOT;
    return entry.count - entry.error > hcct_space_saving_floor(summary) ? WARM : COLD;
}

/* Gives the summary's entry a chain, if it has none. */
static void give_chain(uint32_t place, hcct_node node)
{
    if (!node || hcct_space_saving_entry(hcct_tables.summary, place).node)
        return;
    hcct_prefix_retain(node);
    hcct_space_saving_set_node(hcct_tables.summary, place, node);
}

/* Makes room for a context that allocates so many bytes, if it is hot, or if enough were warm. Each time
 * costs a walk over all contexts, and a fifth of them go or more; but none, where memory is so short that the
 * table has no more room than the summary: then hot ones wait, too. Returns its chain; 0: it is not kept. */
static hcct_node replace_cold(const struct site *site, struct hcct_block *block, uint64_t bytes)
{
    static bool none_goes;
    uint32_t place;
    enum cold cold = add_cold(site, bytes, &place);
    bool waits = (cold == WARM || none_goes) && ++waiting < hcct_count_settings.contexts / 4;
    bool stays_out = cold == COLD || waits || in_flight;
    /* the summary has a hot one in any case */
    if (stays_out && (cold != HOT || hcct_space_saving_entry(hcct_tables.summary, place).node))
        return 0;
    hcct_node node = block ? intern(site, block) : 0;
    give_chain(place, node);
    if (stays_out) {
        hcct_prefix_release(node);
        return 0;
    }
    waiting = 0;
    drop_cold();
    none_goes = hcct_heap_contexts_are_full();
    return node;
}

/* A context that is not kept allocates so many bytes. Returns its number, if it is kept from now on;
 * otherwise 0: the block is context 0's. */
static uint32_t add_context(const struct site *site, struct hcct_block *block, uint64_t bytes)
{
    bool is_full = hcct_tables.summary && hcct_heap_contexts_are_full();
    hcct_node node = is_full ? replace_cold(site, block, bytes) : block ? intern(site, block) : 0;
    uint32_t context = node ? hcct_heap_contexts_add(site->key, node) : 0;
    if (!context && !is_full)
        hcct_heap_drop(bytes, &hcct_tables.dropped_memory);
    if (context && is_full)
        hcct_heap_context_at(context)->told_bytes = bytes;
    return context;
}

/* Whether what is allocated there is part of what a function of the program gives out. While busy. */
static bool is_inner_site(const struct site *site)
{
    hcct_busy_enter();
    bool is = site->frame && !site->leaf &&
              hcct_heap_is_inner((struct hcct_here){ site->key, site->frame }, site->is_function);
    hcct_busy_leave();
    return is;
}

/* As add_context, for a context whose blocks do not count. */
static uint32_t add_inner(const struct site *site, struct hcct_block *block)
{
    bool is_full = hcct_tables.summary && hcct_heap_contexts_are_full();
    hcct_node node = block && !is_full ? intern(site, block) : 0;
    uint32_t context = node ? hcct_heap_contexts_add(site->key, node) : 0;
    hcct_heap_any_inner = true;
    if (!context)
        return HCCT_HEAP_NOT_COUNTED;
    hcct_heap_context_at(context)->is_inner = true;
    return context;
}

/* As add_context, for a context that was not found. The thread may need its struct hcct_block first, which is
 * made without the table lock. Another thread may add the context meanwhile. */
static __attribute__((noinline)) uint32_t meet(const struct site *site, uint64_t bytes)
{
    hcct_heap_section_leave();
    struct hcct_block *block = hcct_block_self();
    bool is_inner = is_inner_site(site);
    hcct_heap_section_enter();
    uint32_t context = hcct_heap_contexts_find(site->key);
    if (!hcct_tables.running || context)
        return context;
    if (is_inner)
        return add_inner(site, block);
    return add_context(site, block, bytes);
}

static struct site site_of(struct hcct_here here)
{
    return here.word ? (struct site){ .key = here.word, .frame = here.frame, .is_function = true }
                     : (struct site){ .key = HCCT_WORD_TAIL };
}

uint32_t hcct_heap_find_context(const void *caller, struct hcct_here here, uint64_t all)
{
    struct site site = caller ? find_site(caller) : site_of(here);
    uint32_t context = hcct_heap_contexts_find(site.key);
    return context || !hcct_tables.running ? context : meet(&site, all);
}

/* --- eras ----------------------------------------------------------------------------------------- */

uint32_t hcct_heap_hold_contexts(void)
{
    in_flight++;
    return era;
}

bool hcct_heap_let_contexts_go(uint32_t of)
{
    in_flight -= of == era;
    return of == era;
}

void hcct_heap_end_era(void)
{
    in_flight = 0;
    era++;
}
