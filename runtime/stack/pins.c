/* See pins.h. A hash table by word, with open addressing and a fixed size. Nothing is removed.
 *
 * Invariants
 *   1. a pin has a reference to its node, so the chain is kept;
 *   2. the node of a pin is written before its word, so pins can be found without a lock;
 *   3. in mode=hcct pins leave half of the nodes to the entries. */
#include "runtime/stack/pins.h"

#include <stdatomic.h>
#include <stddef.h>

#include "runtime/base/key_hash.h"
#include "runtime/base/memory.h"
#include "runtime/core/block.h"
#include "runtime/stack/prefix.h"

enum { PIN_LIMIT = 1 << 14, PIN_SLOTS = 2 * PIN_LIMIT };
#define PIN_BYTES (PIN_SLOTS * sizeof(struct hcct_pin))

/* [PIN_SLOTS], or NULL. Both are changed under the table lock only. */
static struct hcct_pin *_Atomic pins;
static size_t pin_count;

/* For code under the table lock. */
static struct hcct_pin *locked_table(void)
{
    return atomic_load_explicit(&pins, memory_order_relaxed);
}

/* `word`'s place in the table: its pin, or a free one. The load pairs with the store in hcct_pins_add. */
static struct hcct_pin *place_of(struct hcct_pin *table, uint64_t word)
{
    size_t at = hcct_key_hash(word) & (PIN_SLOTS - 1);
    for (uint64_t found;
         (found = atomic_load_explicit(&table[at].word, memory_order_acquire)) && found != word;)
        at = (at + 1) & (PIN_SLOTS - 1);
    return &table[at];
}

bool hcct_pins_has(uint64_t word)
{
    /* pairs with the store in make_table */
    struct hcct_pin *table = atomic_load_explicit(&pins, memory_order_acquire);
    return table && atomic_load_explicit(&place_of(table, word)->word, memory_order_relaxed) == word;
}

static hcct_node intern(const struct hcct_frame *frame)
{
    struct hcct_block *block = hcct_block_self();
    if (!block || !hcct_prefix_has_room())
        return 0;
    return hcct_prefix_intern(frame, &block->stack);
}

static void make_table(void)
{
    struct hcct_pin *table = hcct_memory_map(PIN_BYTES);
    atomic_store_explicit(&pins, table, memory_order_release);
}

bool hcct_pins_add(struct hcct_here here)
{
    if (!locked_table())
        make_table();
    struct hcct_pin *table = locked_table();
    if (!table || pin_count == PIN_LIMIT)
        return hcct_pins_has(here.word);
    struct hcct_pin *place = place_of(table, here.word);
    if (atomic_load_explicit(&place->word, memory_order_relaxed))
        return true;
    place->node = intern(here.frame);
    if (!place->node)
        return false;
    atomic_store_explicit(&place->word, here.word, memory_order_release);
    pin_count++;
    return true;
}

const struct hcct_pin *hcct_pins_next(const struct hcct_pin *last)
{
    const struct hcct_pin *table = locked_table();
    if (!table)
        return NULL;
    for (const struct hcct_pin *at = last ? last + 1 : table; at < table + PIN_SLOTS; at++)
        if (atomic_load_explicit(&at->word, memory_order_relaxed))
            return at;
    return NULL;
}

void hcct_pins_forget(void)
{
    struct hcct_pin *table = locked_table();
    hcct_memory_unmap(table, table ? PIN_BYTES : 0);
    atomic_store_explicit(&pins, NULL, memory_order_relaxed);
    pin_count = 0;
}
