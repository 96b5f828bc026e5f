/* See waiting.h. */
#define _GNU_SOURCE
#include "runtime/meter/wall/waiting.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "encoding/context.h"
#include "runtime/base/machine.h"
#include "runtime/base/memory.h"
#include "runtime/core/busy.h"
#include "runtime/objects/numbering.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/prefix.h"

/* --- memory ---------------------------------------------------------------------------------------- */

static pid_t reader; /* whose memory is everybody's, also when the first thread has left */

static bool read_memory(const void *from, void *to, size_t bytes)
{
    struct iovec here = { to, bytes }, there = { (void *)(uintptr_t)from, bytes };
    return process_vm_readv(reader, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

enum { PAGE_FRAMES = HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame) };

/* The page of frames that was read last. */
static struct hcct_frame page[PAGE_FRAMES];
static uintptr_t page_at;

static const struct hcct_frame *read_frame(uintptr_t at)
{
    uintptr_t start = at / sizeof page * sizeof page;
    if (start != page_at && !read_memory((const void *)start, page, sizeof page))
        return NULL;
    page_at = start;
    return &page[(at - start) / sizeof page[0]];
}

/* --- chains ---------------------------------------------------------------------------------------- */

enum { CHAIN_LIMIT = 1 << 16 };

/* The frames of a chain that have no node yet, newest first. */
static struct hcct_frame *chain;
static size_t chain_length;

static bool is_intact(const struct hcct_frame *frame)
{
    uintptr_t address = 0;
    return (!HCCT_CALL_BYTES ||
            read_memory((const void *)HCCT_TAIL_SP(frame->tail), &address, sizeof address)) &&
           hcct_frame_hash_of_return(address) == frame->tail >> 48 << 48;
}

/* As hcct_walk_newest, in another thread's memory: the place of the newest frame that is live for
 * uninstrumented code at `sp`. 0: not known. */
static uintptr_t find_newest(uintptr_t top, uintptr_t sp)
{
    for (const struct hcct_frame *frame; (frame = read_frame(top)); top -= sizeof *frame) {
        if (hcct_frame_is_tail(frame)
                ? frame->tail & HCCT_TAIL_OPEN && HCCT_TAIL_SP(frame->tail) > sp && is_intact(frame)
                : frame->sp > sp)
            return hcct_frame_is_barrier(frame) || hcct_frame_is_overflow(frame) ? 0 : top;
    }
    return 0;
}

/* Fills `chain` with the frames of the chain that begins with the frame at `place`, down to the first that
 * has a node. Returns that node, with a reference for the caller; 0 if there is none. Dead frames are
 * passed over: their words do not fit. */
static hcct_node read_chain(uintptr_t place)
{
    const uintptr_t newest = place;
    uint64_t word = 0;
    chain_length = 0;
    for (const struct hcct_frame *frame; (frame = read_frame(place)); place -= sizeof *frame) {
        if (hcct_frame_is_overflow(frame))
            return 0;
        if (hcct_frame_is_barrier(frame))
            continue;
        bool root = hcct_frame_is_root(frame),
             made = place == newest || hcct_numbering_is_id(hcct_context_id(word, frame->prefix));
        hcct_node node = made || (root && word == frame->prefix) ? hcct_prefix_find(frame) : 0;
        if (node || root || chain_length == CHAIN_LIMIT)
            return node;
        if (!made)
            continue;
        chain[chain_length++] = *frame;
        word = hcct_context_pusher(frame->prefix, frame->site);
    }
    return 0;
}

/* Whether the thread is in the profiler. Thread-local variables of one object have fixed distances. */
static bool is_busy(const struct hcct_thread *words)
{
    const char *at = (const char *)words + ((const char *)&hcct_busy.depth - (const char *)&__hcct_thread);
    __typeof__(hcct_busy.depth) busy;
    return !read_memory(at, (void *)&busy, sizeof busy) || busy;
}

hcct_node hcct_waiting_find(const struct hcct_thread *thread, uintptr_t sp, uint64_t *prefix)
{
    struct hcct_thread words;
    const struct hcct_frame *frame;
    page_at = 0;
    if (is_busy(thread) || !read_memory(thread, &words, sizeof words))
        return 0;
    uintptr_t place = find_newest((uintptr_t)words.top, sp);
    if (!place || !(frame = read_frame(place)))
        return 0;
    *prefix = frame->prefix;
    hcct_node node = read_chain(place);
    return node ? hcct_prefix_extend(node, chain, chain_length) : 0;
}

bool hcct_waiting_start(pid_t self)
{
    uint64_t probe;
    reader = self;
    if (!chain)
        chain = hcct_memory_reserve(CHAIN_LIMIT * sizeof *chain);
    return chain && read_memory(&probe, &probe, sizeof probe);
}
