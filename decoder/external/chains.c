/* See chains.h. */
#include "decoder/external/chains.h"

#include <string.h>

/* Words of `prefixes`; of `ordered`, the order comes before the hash. */
enum { HASH, ORDER = 2, PARENT, WORD = 5, SITE, KIND, WORDS };
enum { ORDERED_ORDER, ORDERED_HASH };

void hcct_chains_open(struct hcct_chains *chains, struct hcct_spill *spill)
{
    *chains = (struct hcct_chains){ .spill = spill };
    hcct_sorter_open(&chains->prefixes, spill, WORDS, ORDER + 1);
}

/* Two lanes that mix differently: each step is a bijection of the lane. */
static void mix(struct hcct_chain *chain, uint64_t value)
{
    uint64_t a = (chain->hash[0] ^ value) * UINT64_C(0x9e3779b97f4a7c15),
             b = (chain->hash[1] + value) * UINT64_C(0xd6e8feb86659fd93);
    chain->hash[0] = a ^ a >> 32;
    chain->hash[1] = b ^ b >> 29;
}

bool hcct_chains_add(struct hcct_chains *chains, const struct hcct_file_prefix *prefix,
                     const struct hcct_chain *parent, uint64_t order, struct hcct_chain *chain)
{
    static const struct hcct_chain none = { { 0, 0 } };
    if (!parent)
        parent = &none;
    *chain = *parent;
    mix(chain, prefix->kind + UINT64_C(1));
    mix(chain, prefix->word);
    mix(chain, prefix->site);
    mix(chain, UINT64_C(0x632be59bd9b4e019)); /* the last value reaches all bits */
    const uint64_t record[WORDS] = { chain->hash[0],  chain->hash[1], order,        parent->hash[0],
                                     parent->hash[1], prefix->word,   prefix->site, prefix->kind };
    return hcct_sorter_add(&chains->prefixes, record);
}

/* --- numbering ------------------------------------------------------------------------------------- */

static bool has_parent(uint64_t kind)
{
    return kind == HCCT_PREFIX_PUSH || kind == HCCT_PREFIX_LEAF;
}

/* Of all that have the same hash, the first one goes to `ordered`. */
static bool make_ordered(struct hcct_chains *chains)
{
    struct hcct_sorted sorted;
    uint64_t last[WORDS];
    bool any = false, done = hcct_sorted_open(&sorted, &chains->prefixes);
    for (const uint64_t *record; done && (record = hcct_sorted_next(&sorted)); any = true) {
        if (any && !memcmp(last, record, ORDER * sizeof *last)) {
            chains->has_met |= memcmp(last + PARENT, record + PARENT, (WORDS - PARENT) * sizeof *last) != 0;
            continue;
        }
        memcpy(last, record, sizeof last);
        uint64_t ordered[WORDS];
        memcpy(ordered, record, sizeof ordered);
        ordered[ORDERED_ORDER] = record[ORDER];
        memcpy(ordered + ORDERED_HASH, record + HASH, 2 * sizeof *record);
        done = hcct_sorter_add(&chains->ordered, ordered);
    }
    hcct_sorted_close(&sorted);
    return done && !chains->has_met && !chains->spill->reason;
}

/* Fills `numbers`, and `wanted`: the parent's hash, and the number of the child. */
static bool give_numbers(struct hcct_chains *chains, struct hcct_sorter *wanted)
{
    struct hcct_sorted sorted;
    uint64_t number = 0;
    bool done = hcct_sorted_open(&sorted, &chains->ordered);
    for (const uint64_t *record; done && (record = hcct_sorted_next(&sorted)); number++) {
        const uint64_t own[] = { record[ORDERED_HASH], record[ORDERED_HASH + 1], number };
        const uint64_t parent[] = { record[PARENT], record[PARENT + 1], number };
        done = number < HCCT_FILE_NONE && hcct_sorter_add(&chains->numbers, own) &&
               (!has_parent(record[KIND]) || hcct_sorter_add(wanted, parent));
    }
    hcct_sorted_close(&sorted);
    chains->count = (uint32_t)number;
    return done && !chains->spill->reason;
}

/* Finds the number of each parent in `numbers`: both are in the order of the hash. */
static bool find_parents(struct hcct_chains *chains, struct hcct_sorter *wanted)
{
    struct hcct_sorted numbers, children;
    bool done = hcct_sorted_open(&numbers, &chains->numbers);
    done = hcct_sorted_open(&children, wanted) && done;
    const uint64_t *number = done ? hcct_sorted_next(&numbers) : NULL;
    for (const uint64_t *child; done && (child = hcct_sorted_next(&children));) {
        while (number && memcmp(number, child, 2 * sizeof *child) != 0)
            number = hcct_sorted_next(&numbers);
        const uint64_t found[] = { child[2], number ? number[2] : 0 };
        done = number && hcct_sorter_add(&chains->parents, found);
    }
    hcct_sorted_close(&numbers);
    hcct_sorted_close(&children);
    return done && !chains->spill->reason;
}

bool hcct_chains_number(struct hcct_chains *chains)
{
    struct hcct_sorter wanted;
    hcct_sorter_open(&chains->ordered, chains->spill, WORDS, 1);
    hcct_sorter_open(&chains->numbers, chains->spill, 3, 3);
    hcct_sorter_open(&chains->parents, chains->spill, 2, 1);
    hcct_sorter_open(&wanted, chains->spill, 3, 3);
    bool done = make_ordered(chains) && give_numbers(chains, &wanted) && find_parents(chains, &wanted);
    hcct_sorter_close(&wanted);
    return done;
}

/* --- reading --------------------------------------------------------------------------------------- */

bool hcct_chains_read(struct hcct_chains *chains)
{
    bool done = hcct_sorted_open(&chains->reading, &chains->ordered);
    done = hcct_sorted_open(&chains->reading_parents, &chains->parents) && done;
    chains->parent = done ? hcct_sorted_next(&chains->reading_parents) : NULL;
    chains->next = 0;
    return done;
}

const void *hcct_chains_next(void *context)
{
    struct hcct_chains *chains = context;
    const uint64_t *record = hcct_sorted_next(&chains->reading);
    if (!record)
        return NULL;
    chains->prefix = (struct hcct_file_prefix){
        .word = record[WORD], .site = record[SITE], .parent = HCCT_FILE_NONE, .kind = (uint32_t)record[KIND]
    };
    if (chains->parent && chains->parent[0] == chains->next) {
        chains->prefix.parent = (uint32_t)chains->parent[1];
        chains->parent = hcct_sorted_next(&chains->reading_parents);
    }
    chains->next++;
    return &chains->prefix;
}

void hcct_chains_forget_numbers(struct hcct_chains *chains)
{
    hcct_sorted_close(&chains->reading);
    hcct_sorted_close(&chains->reading_parents);
    hcct_sorter_close(&chains->ordered);
    hcct_sorter_close(&chains->numbers);
    hcct_sorter_close(&chains->parents);
}

void hcct_chains_close(struct hcct_chains *chains)
{
    hcct_chains_forget_numbers(chains);
    hcct_sorter_close(&chains->prefixes);
}
