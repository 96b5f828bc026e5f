/* The peer: probabilistic calling context (M. D. Bond, K. S. McKinley, "Probabilistic Calling Context",
 * OOPSLA 2007, section 3): a value V for each context, V' = 3 V + site, 32 bits by default. A value cannot
 * be turned back into a path, and two contexts may have one value.
 *
 * Code that was compiled with HCCT_SHADOW=alone (or =1, then it has a profile beside it) calls the hooks
 * (pass/emit/shadow.c), so call sites are hcct's. Linked with -flto and HCCT_LTO=compile the hooks are in
 * line, as a compiler for this would emit them. Each entry is a query, as in the paper's residual testing:
 * V and the function, as a query knows where it stands, are counted in a slot, or else in a table. With
 * PCC_COUNTS=0 nobody asks, and values are kept alone. With PCC_STATISTICS=FILE the number of different
 * values goes there at exit, and what each function adds to 3 V, so that others can compute the values:
 * test/bench/pcc.test. One thread only. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "hcct/abi.h"

#ifndef PCC_BITS
#define PCC_BITS 32
#endif
#ifndef PCC_COUNTS
#define PCC_COUNTS 1
#endif
#if PCC_BITS == 16
typedef uint16_t value;
#elif PCC_BITS == 32
typedef uint32_t value;
#else
typedef uint64_t value;
#endif

struct slot {
    value key;
    uint64_t count;
};

enum { SLOTS = 1 << 14 };

static struct slot slots[SLOTS];
static struct slot *table; /* open addressing, at most half full; key 0: free */
static uint64_t size, used;
static value current = 1;

/* The functions of the executable: the linker's. */
extern const struct hcct_function __start_hcct_functions[], __stop_hcct_functions[];

static inline value of_function(const struct hcct_function *function)
{
    return (value)((uintptr_t)function >> 4) * (value)0x9E3779B1u;
}

static uint64_t hash(uint64_t key)
{
    key = (key ^ key >> 32) * 0xE9846AF9B1A615D3u;
    return key ^ key >> 32;
}

static struct slot *probe(struct slot *in, uint64_t length, value key)
{
    uint64_t at = hash(key) & (length - 1);
    while (in[at].key && in[at].key != key)
        at = (at + 1) & (length - 1);
    return &in[at];
}

static void grow(void)
{
    uint64_t larger = size ? 2 * size : 1 << 16;
    struct slot *moved = calloc(larger, sizeof *moved);
    if (!moved)
        abort();
    for (uint64_t i = 0; i < size; i++)
        if (table[i].key)
            *probe(moved, larger, table[i].key) = table[i];
    free(table);
    table = moved;
    size = larger;
}

static void add(value key, uint64_t count)
{
    if (2 * used >= size)
        grow();
    struct slot *slot = probe(table, size, key);
    used += !slot->key;
    slot->key = key;
    slot->count += count;
}

static void dump(void)
{
    const char *name = getenv("PCC_STATISTICS");
    FILE *file = name ? fopen(name, "w") : NULL;
    for (unsigned i = 0; i < SLOTS; i++)
        if (slots[i].key)
            add(slots[i].key, slots[i].count);
    if (!file)
        return;
    fprintf(file, "{\"values\": %llu, \"functions\": {", (unsigned long long)used);
    for (const struct hcct_function *f = __start_hcct_functions; f < __stop_hcct_functions; f++)
        fprintf(file, "%s\"%s\": %llu", f > __start_hcct_functions ? ", " : "",
                (const char *)hcct_rel_get(&f->linkage_name), (unsigned long long)of_function(f));
    fputs("}}\n", file);
    fclose(file);
}

/* The slot goes to the key that comes: most misses are of contexts in turns. */
static __attribute__((noinline, cold)) void miss(struct slot *slot, value key)
{
    if (slot->key)
        add(slot->key, slot->count);
    *slot = (struct slot){ key, 1 };
}

uint64_t hcct_shadow_enter(const struct hcct_function *function)
{
    value own = current, key = (value)(3 * own + of_function(function));
    if (!PCC_COUNTS)
        return own;
    struct slot *slot = &slots[(uint32_t)((uint32_t)key * 0x9E3779B9u) >> 18];
    key += !key; /* 0 is a free slot */
    if (slot->key == key)
        slot->count++;
    else
        miss(slot, key);
    return own;
}

void hcct_shadow_call(uint64_t own, uint64_t site)
{
    current = (value)(3 * own + (site >> (64 - PCC_BITS)));
}

void hcct_shadow_tail(uint64_t own, uint64_t site)
{
    hcct_shadow_call(own, site);
}

void hcct_shadow_return(uint64_t own)
{
    (void)own;
}

/* A callback is called again with what its first call found. */
void hcct_shadow_leave(uint64_t own)
{
    current = (value)own;
}

/* As early as the runtime's, so that it runs as late. */
static void start(void)
{
    atexit(dump);
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = start;
