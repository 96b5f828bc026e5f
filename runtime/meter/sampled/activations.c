/* See activations.h. Cost: an entry takes one look at a slot, unless its depth is not known. Then each caller
 * takes a step (stack/path.c), up to one whose depth is known. */
#include "runtime/meter/sampled/activations.h"

#include "runtime/core/meter.h"
#include "runtime/objects/registry.h"
#include "runtime/stack/fiber.h"
#include "runtime/stack/path.h"
#include "runtime/stack/walk.h"

/* The number of the stack that the thread runs on. */
static uint64_t *sampled_of(struct hcct_block *block)
{
    return hcct_fiber_self && !hcct_in_handler ? &hcct_fiber_self->sampled_activations
                                               : (uint64_t *)hcct_meter_state(block);
}

static struct hcct_slot *slot_of(struct hcct_block *block, uint64_t word)
{
    return &block->slots[hcct_slot_of(word)];
}

/* The number of instrumented functions on the path of `here`, itself included. 0: not known. While busy. */
static uint64_t depth_of(struct hcct_block *block, struct hcct_here here)
{
    struct hcct_slot *slot = slot_of(block, here.word), *at = slot;
    uint64_t depth = 1, word = here.word;
    if (slot->key == word)
        return slot->count;
    if (!here.frame || !hcct_registry_hold())
        return 0;
    while (hcct_path_caller(&here)) {
        at = slot_of(block, here.word);
        if (at->key == here.word) {
            depth += at->count;
            break;
        }
        depth++;
    }
    hcct_registry_let_go();
    *slot = (struct hcct_slot){ word, depth };
    return depth;
}

static __attribute__((noinline)) uint64_t find_depth(struct hcct_block *block, uint64_t word,
                                                     const struct hcct_state *state, uintptr_t sp)
{
    if (word <= HCCT_WORD_TAIL || hcct_busy)
        return 0;
    hcct_busy_enter();
    uint64_t depth =
        depth_of(block, (struct hcct_here){ word, hcct_walk_find(__hcct_thread.top, word, state, sp) });
    hcct_busy_leave();
    return depth;
}

void hcct_activations_note(struct hcct_block *block, uint64_t word, const struct hcct_state *state,
                           uintptr_t sp)
{
    const struct hcct_slot *slot = slot_of(block, word);
    uint64_t depth = slot->key == word ? slot->count : find_depth(block, word, state, sp);
    uint64_t *sampled = sampled_of(block);
    if (depth && *sampled >= depth)
        *sampled = depth - 1;
}

uint64_t hcct_activations_sample(struct hcct_block *block, struct hcct_here here)
{
    uint64_t depth = depth_of(block, here), *sampled = sampled_of(block), before = *sampled;
    if (depth)
        *sampled = depth;
    return depth > before ? depth - 1 - before : 0;
}
