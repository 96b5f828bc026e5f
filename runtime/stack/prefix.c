/* See prefix.h. Nodes are an array in reserved memory. A hash table has their indices by h: linear probing
 * with backward shift deletion, at most half full. It may be three quarters full if memory is short.
 *
 * An entry of the table is a node's index with TAG_BITS of the hash of h above it. A search reads a node only
 * if these agree, because in a large program each node that is read is a miss in the cache. */
#include "runtime/stack/prefix.h"

#include "encoding/context.h"
#include "runtime/base/key_hash.h"
#include "runtime/base/memory.h"
#include "runtime/core/block.h"
#include "runtime/core/settings.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/settings.h"
#include "runtime/stack/walk.h"

/* The least limit, in whole pages. */
#define NODES_LEAST 4096
/* The most nodes. In mode=hcct: as many as half of `memory` has room for, and at least NODES_HCCT, which are
 * 10 MB. In mode=cct: as many as a machine with 16 GB can have, so memory is the limit. */
#define NODES_HCCT (1u << 18)
#define NODE_BYTES 100
#define NODES_CCT (1u << 28)
#define TAG_BITS 4
#define TAG_SHIFT (32 - TAG_BITS)
_Static_assert(NODES_CCT <= 1u << TAG_SHIFT, "a node and its tag fit into an entry");

static struct hcct_prefix *nodes;
/* From node_open on nodes are addresses only. */
static uint32_t node_limit, node_end, node_open, free_list;
static uint32_t *table;
static size_t table_size, used;

/* As many of `limit` nodes as an eighth of the address space has room for, in whole pages. */
static uint32_t limit_by_share(uint32_t limit)
{
    const uint32_t share = (uint32_t)(hcct_memory_share((size_t)limit * sizeof *nodes, 8) / sizeof *nodes);
    return share < NODES_LEAST ? NODES_LEAST : share / NODES_LEAST * NODES_LEAST;
}

void hcct_prefix_shrink(void)
{
    uint32_t limit = limit_by_share(node_limit);
    if (!nodes)
        return;
    while (limit < node_open)
        limit += NODES_LEAST;
    if (limit >= node_limit)
        return;
    hcct_memory_release(nodes + limit, (size_t)(node_limit - limit) * sizeof *nodes);
    node_limit = limit;
}

/* Opens NODES_HCCT nodes at first, then doubles what is open, up to node_limit. */
static bool open_more(void)
{
    uint32_t count = node_open ? node_open : NODES_HCCT;
    count = count < node_limit - node_open ? count : node_limit - node_open;
    if (!count || !hcct_memory_open(nodes + node_open, count * sizeof *nodes))
        return false;
    node_open += count;
    return true;
}

int hcct_prefix_start(void)
{
    const uint32_t fit = (uint32_t)(hcct_stack_settings.memory / NODE_BYTES);
    node_limit = hcct_core_settings.mode == HCCT_MODE_CCT ? NODES_CCT : fit > NODES_HCCT ? fit : NODES_HCCT;
    node_limit = limit_by_share(node_limit);
    const uint32_t wanted = node_limit;
    while (!(nodes = hcct_memory_set_aside((size_t)node_limit * sizeof *nodes)) && node_limit > 4096)
        node_limit /= 2;
    /* address space is short (ulimit -v): leave some for context stacks and tables */
    if (nodes && node_limit < wanted) {
        hcct_memory_release(nodes, (size_t)node_limit * sizeof *nodes);
        node_limit /= 2;
        nodes = hcct_memory_set_aside((size_t)node_limit * sizeof *nodes);
    }
    free_list = node_open = 0;
    used = 0;
    table_size = 4096;
    table = hcct_memory_map(table_size * sizeof *table);
    if (!nodes || !table || !open_more())
        return 0;
    nodes[HCCT_NODE_ROOT] = (struct hcct_prefix){ .references = 1, .kind = HCCT_PREFIX_ROOT };
    node_end = HCCT_NODE_ROOT + 1;
    return 1;
}

void hcct_prefix_stop(void)
{
    hcct_memory_release(nodes, (size_t)node_limit * sizeof *nodes);
    hcct_memory_unmap(table, table_size * sizeof *table);
    nodes = NULL;
    table = NULL;
    free_list = 0;
    used = 0;
}

int hcct_prefix_has_room(void)
{
    return node_end && used < node_limit / 2;
}

uint32_t hcct_prefix_limit(void)
{
    return node_end;
}

const struct hcct_prefix *hcct_prefix_at(hcct_node node)
{
    return &nodes[node];
}

size_t hcct_prefix_bytes(void)
{
    return (size_t)node_end * sizeof *nodes;
}

/* --- the table --------------------------------------------------------------------------------- */

static uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash >> (64 - TAG_BITS)) << TAG_SHIFT;
}

/* 0 for a free place. */
static hcct_node node_of(uint32_t entry)
{
    return entry & ((1u << TAG_SHIFT) - 1);
}

static size_t home(hcct_node node)
{
    return hcct_key_hash(nodes[node].h) & (table_size - 1);
}

/* The place of a node in the table, or a free place for it. Two chains have the same h with a probability of
 * 2^-64 (encoding/context.h). */
static size_t place(uint64_t h, uint32_t kind)
{
    uint64_t hash = hcct_key_hash(h);
    uint32_t tag = tag_of(hash);
    size_t at = hash & (table_size - 1);
    for (uint32_t entry; (entry = table[at]) != 0; at = (at + 1) & (table_size - 1)) {
        const struct hcct_prefix *node = &nodes[node_of(entry)];
        if ((entry ^ tag) >> TAG_SHIFT == 0 && node->h == h && node->kind == kind)
            break;
    }
    return at;
}

static hcct_node find(uint64_t h, uint32_t kind)
{
    return node_of(table[place(h, kind)]);
}

/* Enters a node whose h and kind are not in the table. */
static void enter(hcct_node node)
{
    uint64_t hash = hcct_key_hash(nodes[node].h);
    size_t at = hash & (table_size - 1);
    while (table[at])
        at = (at + 1) & (table_size - 1);
    table[at] = tag_of(hash) | node;
}

static void grow_table(void)
{
    /* calls since memory was short, and the number of them at which to ask for memory again */
    static uint64_t refused, refused_next;
    if (refused < refused_next) {
        refused++;
        return;
    }
    uint32_t *old = table;
    size_t old_size = table_size;
    uint32_t *larger = hcct_memory_map(2 * old_size * sizeof *larger);
    refused_next = larger ? 0 : 2 * ++refused;
    if (!larger)
        return;
    refused = 0;
    table = larger;
    table_size *= 2;
    for (hcct_node node = HCCT_NODE_ROOT + 1; node < node_end; node++)
        if (nodes[node].references)
            enter(node);
    hcct_memory_unmap(old, old_size * sizeof *old);
}

static void remove_from_table(hcct_node node)
{
    size_t hole = place(nodes[node].h, nodes[node].kind), mask = table_size - 1;
    for (size_t at = (hole + 1) & mask; table[at]; at = (at + 1) & mask)
        if (((at - home(node_of(table[at]))) & mask) >= ((at - hole) & mask)) {
            table[hole] = table[at];
            hole = at;
        }
    table[hole] = 0;
}

/* Makes a node with one reference. Takes over the caller's reference to its parent. 0 if there is no room. */
static hcct_node make(struct hcct_prefix content)
{
    if (2 * (used + 1) > table_size)
        grow_table();
    if ((!free_list && node_end == node_open && !open_more()) || used + 1 > table_size / 4 * 3)
        return 0;
    hcct_node node = free_list ? free_list : node_end++;
    if (node == free_list)
        free_list = nodes[node].next_free;
    nodes[node] = content;
    nodes[node].references = 1;
    enter(node);
    used++;
    return node;
}

/* --- references -------------------------------------------------------------------------------- */

void hcct_prefix_retain(hcct_node node)
{
    if (node)
        nodes[node].references++;
}

void hcct_prefix_release(hcct_node node)
{
    if (hcct_core_settings.mode == HCCT_MODE_CCT)
        return;
    while (node > HCCT_NODE_ROOT && --nodes[node].references == 0) {
        hcct_node parent = nodes[node].parent;
        remove_from_table(node);
        used--;
        nodes[node].next_free = free_list;
        free_list = node;
        node = parent;
    }
}

/* --- interning --------------------------------------------------------------------------------- */

static hcct_node find_root(uint64_t h, uint64_t site, uint32_t kind)
{
    hcct_node node = find(h, kind);
    hcct_prefix_retain(node);
    return node ? node : make((struct hcct_prefix){ .h = h, .word = h, .site = site, .kind = kind });
}

hcct_node hcct_prefix_find(const struct hcct_frame *frame)
{
    if (hcct_frame_signal(frame))
        return find_root(frame->prefix, frame->tail, HCCT_PREFIX_SIGNAL);
    if (hcct_frame_thread(frame))
        return find_root(frame->prefix, hcct_frame_thread(frame), HCCT_PREFIX_THREAD);
    hcct_node node = hcct_frame_is_root(frame) ? HCCT_NODE_ROOT : find(frame->prefix, HCCT_PREFIX_PUSH);
    if (node && node != HCCT_NODE_ROOT && nodes[node].site != frame->site)
        return 0; /* two chains have the same hash */
    hcct_prefix_retain(node);
    return node;
}

hcct_node hcct_prefix_unknown(uint64_t h)
{
    hcct_node node = find(h, HCCT_PREFIX_UNKNOWN);
    if (node) {
        hcct_prefix_retain(node);
        return node;
    }
    return make((struct hcct_prefix){ .h = h, .word = h, .kind = HCCT_PREFIX_UNKNOWN });
}

/* Makes the node of a frame's prefix. Takes over the caller's reference to `parent`. 0 if memory is short. */
static hcct_node make_push(hcct_node parent, const struct hcct_frame *frame)
{
    hcct_node node = make((struct hcct_prefix){
        .h = frame->prefix,
        .word = hcct_context_pusher(frame->prefix, frame->site),
        .site = frame->site,
        .parent = parent,
        .kind = HCCT_PREFIX_PUSH,
    });
    if (!node)
        hcct_prefix_release(parent);
    return node;
}

hcct_node hcct_prefix_intern(const struct hcct_frame *frame, const struct hcct_stack_memory *stack)
{
    const struct hcct_frame **pending = stack->pending;
    size_t count = 0;
    hcct_node node = 0;
    while (frame && !(node = hcct_prefix_find(frame)) && count < stack->count) {
        pending[count++] = frame;
        frame = hcct_walk_parent(frame);
    }
    if (!node) /* no frame explains the word of the oldest pusher */
        node = hcct_prefix_unknown(
            count ? hcct_context_pusher(pending[count - 1]->prefix, pending[count - 1]->site) : 0);
    while (node && count)
        node = make_push(node, pending[--count]);
    return node;
}

hcct_node hcct_prefix_extend(hcct_node node, const struct hcct_frame *frames, size_t count)
{
    while (node && count)
        node = make_push(node, &frames[--count]);
    return node;
}

hcct_node hcct_prefix_below(hcct_node parent, uint64_t word, uint64_t site, enum hcct_prefix_kind kind)
{
    uint64_t h = hcct_context_leaf(word, site);
    hcct_node node = find(h, kind);
    hcct_prefix_retain(node);
    if (!node)
        node =
            make((struct hcct_prefix){ .h = h, .word = word, .site = site, .parent = parent, .kind = kind });
    else
        hcct_prefix_release(parent);
    return node;
}
