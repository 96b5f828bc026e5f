/* See pins.h: an open hash table by word, of fixed size, in which nothing is ever removed.
 *
 * Invariants
 *   1. a pin holds a reference to its node, so that the chain of its pushes stays;
 *   2. a pin's node is written before its word, which alone makes it one: so a pin is found without a lock;
 *   3. in mode=hcct pins leave half of the nodes to what is counted. */
#include "runtime/stack/pins.h"

#include <stddef.h>

#include "runtime/base/backing.h"
#include "runtime/base/key_hash.h"
#include "runtime/base/memory.h"
#include "runtime/core/block.h"
#include "runtime/stack/prefix.h"

enum { PIN_LIMIT = 1 << 14, PIN_SLOTS = 2 * PIN_LIMIT };
#define PIN_BYTES (PIN_SLOTS * sizeof *pins)

_Static_assert(sizeof(struct hcct_pin) == sizeof(struct hcct_live_pin) &&
                   offsetof(struct hcct_pin, node) == offsetof(struct hcct_live_pin, node),
               "the layout of format/live.h");

static struct hcct_pin *pins; /* [PIN_SLOTS] */
static size_t pin_count;      /* under the table lock, and so is what follows a change of it */

/* The pin of `word`, or the free one where it would go. */
static struct hcct_pin *pin_of(struct hcct_pin *table, uint64_t word)
{
    size_t at = hcct_key_hash(word) & (PIN_SLOTS - 1);
    for (uint64_t found; (found = __atomic_load_n(&table[at].word, __ATOMIC_ACQUIRE)) && found != word;)
        at = (at + 1) & (PIN_SLOTS - 1);
    return &table[at];
}

bool hcct_pins_has(uint64_t word)
{
    struct hcct_pin *table = __atomic_load_n(&pins, __ATOMIC_ACQUIRE);
    return table && pin_of(table, word)->word == word;
}

static hcct_node intern(const struct hcct_frame *frame)
{
    struct hcct_block *worker = hcct_block_self();
    if (!worker || !hcct_prefix_has_room())
        return 0;
    return hcct_prefix_intern(frame, worker->pending, hcct_block_pending_room(worker));
}

static void make_table(void)
{
    struct hcct_pin *table = hcct_memory_map(PIN_BYTES);
    if (table)
        hcct_live_back(table, PIN_BYTES, HCCT_LIVE_PINS);
    __atomic_store_n(&pins, table, __ATOMIC_RELEASE);
}

bool hcct_pins_add(struct hcct_here here)
{
    if (!pins)
        make_table();
    if (!pins || pin_count == PIN_LIMIT)
        return hcct_pins_has(here.word);
    struct hcct_pin *place = pin_of(pins, here.word);
    if (place->word)
        return true;
    place->node = intern(here.frame);
    if (!place->node)
        return false;
    __atomic_store_n(&place->word, here.word, __ATOMIC_RELEASE);
    pin_count++;
    return true;
}

const struct hcct_pin *hcct_pins_next(const struct hcct_pin *last)
{
    const struct hcct_pin *end = pins + PIN_SLOTS;
    for (const struct hcct_pin *at = last ? last + 1 : pins; pins && at < end; at++)
        if (at->word)
            return at;
    return NULL;
}

void hcct_pins_back(void)
{
    if (pins)
        hcct_live_back_with_content(pins, PIN_BYTES, HCCT_LIVE_PINS);
}

void hcct_pins_forget(void)
{
    hcct_memory_unmap(pins, pins ? PIN_BYTES : 0);
    pins = NULL;
    pin_count = 0;
}
