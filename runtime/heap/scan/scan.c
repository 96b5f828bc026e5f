/* See scan.h.
 *
 * All live blocks are copied and sorted by address. A block may lie inside another one: that of a pool inside
 * the slab that the pool got from malloc. A pointer into the inner one reaches both. What is read of a block,
 * or of a root, leaves out the blocks inside it: these are read when they are reached themselves.
 *
 * Pieces to read are collected, and read with one system call, process_vm_readv. Some sandboxes forbid that,
 * and some emulators lack it. Then the pieces go through a pipe: to write what may not be read is an error,
 * too, and no fault.
 * glibc's malloc keeps pointers to free memory that seem to lead to the last word of the block in front. So a
 * pointer in the allocator's own state does not count if it leads there. Other data of its object may have
 * such pointers to blocks: in a static program that is all data. */
#define _GNU_SOURCE
#include "runtime/heap/scan/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/base/machine.h"
#include "runtime/base/memory.h"
#include "runtime/base/sort.h"
#include "runtime/core/block.h"
#include "runtime/core/own_stack.h"
#include "runtime/heap/scan/roots.h"
#include "runtime/heap/tables/blocks.h"
#include "runtime/heap/tables/contexts.h"

#define NO_BLOCK UINT32_MAX
enum { PIECES = 64, BUFFER_BYTES = 1 << 16, TEXT_BYTES = 1 << 14, PAGE_BYTES = 4096 };

/* What a scan needs; the arrays are one mapping. */
static struct {
    struct hcct_heap_packed *blocks; /* by ascending address */
    uint32_t *outer;                 /* the block that this one lies in */
    uint32_t *waiting;               /* a stack: blocks that were reached, and not read yet */
    bool *is_reached;
    struct hcct_heap_thread *threads;
    size_t *places;      /* for hcct_sort */
    char *buffer, *text; /* what is read; /proc/self/maps */
    struct iovec *pieces;
    uint32_t count, waiting_count;
    uint32_t piece_count;
    size_t piece_bytes;
    size_t thread_count;
    int own_thread;                   /* the number of the calling one */
    uintptr_t start, end;             /* of the mapping */
    uintptr_t span;                   /* from the first block's start to the last end of one */
    uintptr_t state_start, state_end; /* of the allocator; both 0: not found */
    bool is_allocators, is_read;      /* of what is being read; something could be read */
    bool has_pipe;                    /* pieces are read through it */
    int pipe[2];
} scan;

static uintptr_t start_of(uint32_t i)
{
    return hcct_heap_packed_address(scan.blocks[i]);
}

/* A block of no bytes has one. */
static uintptr_t end_of(uint32_t i)
{
    uint64_t bytes = hcct_heap_packed_block(scan.blocks[i]).bytes;
    return start_of(i) + (bytes ? bytes : 1);
}

/* --- pointers ------------------------------------------------------------------------------------ */

/* The first block behind `address`. */
static uint32_t first_behind(uintptr_t address)
{
    uint32_t low = 0, high = scan.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (start_of(middle) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_allocators_end(uintptr_t word, uint32_t i)
{
    enum { ALIGNMENT = 16 };
    return scan.is_allocators && word % ALIGNMENT == 0 && word != start_of(i) &&
           word + sizeof(void *) >= end_of(i);
}

/* `scan` is in the program's data, and so is searched itself. For that reason it has no block's address. */
static void look_at(uintptr_t word)
{
    if (!scan.span || word - start_of(0) >= scan.span)
        return;
    uint32_t i = first_behind(word);
    for (i = i ? i - 1 : NO_BLOCK; i != NO_BLOCK; i = scan.outer[i]) {
        if (word >= end_of(i) || scan.is_reached[i] || is_allocators_end(word, i))
            continue;
        scan.is_reached[i] = true;
        scan.waiting[scan.waiting_count++] = i;
    }
}

/* --- reading ------------------------------------------------------------------------------------- */

static void look_at_buffer(size_t bytes)
{
    scan.is_read = scan.is_read || bytes;
    for (size_t at = 0; at + sizeof(uintptr_t) <= bytes; at += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, scan.buffer + at, sizeof word);
        look_at(word);
    }
}

static bool open_pipe(void)
{
    scan.has_pipe = pipe2(scan.pipe, O_CLOEXEC | O_NONBLOCK) == 0;
    return scan.has_pipe;
}

static void close_pipe(void)
{
    for (int i = 0; scan.has_pipe && i < 2; i++)
        close(scan.pipe[i]);
}

/* Reads as much as the pipe takes, which is empty before and afterwards. */
static ssize_t read_by_pipe(const struct iovec *pieces, uint32_t count)
{
    ssize_t written = writev(scan.pipe[1], pieces, (int)count), got = 0;
    while (got < written) {
        ssize_t some = read(scan.pipe[0], scan.buffer + got, (size_t)(written - got));
        if (some <= 0)
            break;
        got += some;
    }
    return got;
}

/* Returns how many bytes were read: of whole pieces, up to the first that cannot be read. The kernel takes
 * the number of any thread. That of the process is the first thread's, which may have ended. */
static size_t read_pieces(const struct iovec *pieces, uint32_t count, size_t bytes)
{
    struct iovec to = { scan.buffer, bytes };
    ssize_t got = -1;
    if (!scan.has_pipe)
        got = process_vm_readv(scan.own_thread, &to, 1, pieces, count, 0);
    if (scan.has_pipe || (got < 0 && errno != EFAULT && open_pipe()))
        got = read_by_pipe(pieces, count);
    return got > 0 ? (size_t)got & -sizeof(uintptr_t) : 0;
}

/* Of a piece that cannot be read as a whole, the pages that can. */
static void read_pages(struct iovec piece)
{
    for (uintptr_t at = (uintptr_t)piece.iov_base, end = at + piece.iov_len; at < end;) {
        uintptr_t next = (at & -(uintptr_t)PAGE_BYTES) + PAGE_BYTES;
        next = next < end ? next : end;
        struct iovec page = { (void *)at, next - at };
        look_at_buffer(read_pieces(&page, 1, page.iov_len));
        at = next;
    }
}

static void flush(void)
{
    for (uint32_t i = 0; i < scan.piece_count;) {
        size_t got = read_pieces(scan.pieces + i, scan.piece_count - i, scan.piece_bytes);
        look_at_buffer(got);
        for (; i < scan.piece_count && got >= scan.pieces[i].iov_len; i++) {
            got -= scan.pieces[i].iov_len;
            scan.piece_bytes -= scan.pieces[i].iov_len;
        }
        if (i < scan.piece_count) {
            scan.piece_bytes -= scan.pieces[i].iov_len;
            read_pages(scan.pieces[i++]);
        }
    }
    scan.piece_count = 0;
    scan.piece_bytes = 0;
}

/* Whole words only. */
static void read_later(uintptr_t start, uintptr_t end)
{
    start = (start + sizeof(void *) - 1) & -sizeof(void *);
    end &= -sizeof(void *);
    while (start < end) {
        size_t bytes = end - start, room = BUFFER_BYTES - scan.piece_bytes;
        bytes = bytes < room ? bytes : room;
        scan.pieces[scan.piece_count++] = (struct iovec){ (void *)start, bytes };
        scan.piece_bytes += bytes;
        start += bytes;
        if (scan.piece_count == PIECES || scan.piece_bytes == BUFFER_BYTES)
            flush();
    }
}

/* Reads from `start` to `end`, without the blocks inside; `i` is the first of these. */
static void read_between(uintptr_t start, uintptr_t end, uint32_t i)
{
    for (; i < scan.count && start_of(i) < end; i++) {
        read_later(start, start_of(i));
        start = end_of(i) > start ? end_of(i) : start;
    }
    read_later(start, end);
}

static void read_blocks(void)
{
    do {
        while (scan.waiting_count) {
            uint32_t i = scan.waiting[--scan.waiting_count];
            read_between(start_of(i), end_of(i), i + 1);
        }
        flush();
    } while (scan.waiting_count);
}

/* A root. A block may begin in front of it, and reach into it; our own arrays are none. */
static void read_root(uintptr_t start, uintptr_t end, bool is_allocators)
{
    if (start < scan.end && end > scan.start) {
        if (start < scan.start)
            read_root(start, scan.start, is_allocators);
        if (end > scan.end)
            read_root(scan.end, end, is_allocators);
        return;
    }
    scan.is_allocators = is_allocators;
    uint32_t i = first_behind(start), before = i ? i - 1 : NO_BLOCK;
    while (before != NO_BLOCK && end_of(before) <= start)
        before = scan.outer[before];
    read_between(start, end, before == NO_BLOCK ? i : before);
    flush();
    scan.is_allocators = false;
}

/* At most BUFFER_BYTES. */
static const void *copy(uintptr_t start, size_t bytes)
{
    struct iovec piece = { (void *)start, bytes };
    return read_pieces(&piece, 1, bytes) == bytes ? scan.buffer : NULL;
}

/* The state of glibc's malloc, and of others that come from Doug Lea's, is known by its bins. An empty bin is
 * two words that both hold the address 16 bytes in front of them. The last of glibc's 127 is always empty. In
 * front of the bins there are up to 16 words; behind them, in Doug Lea's own, the heads of 32 trees. Where
 * there are no such bins, all pointers count: it is better to miss a lost block than to call another one
 * lost. */
static void find_allocators_state(uintptr_t start, uintptr_t end)
{
    enum { WORD = sizeof(uintptr_t), BIN = 2 * WORD, BEFORE = 127 * BIN + 16 * WORD, BEHIND = 32 * WORD };
    for (uintptr_t at = start, bytes; end - at >= BIN; at += bytes - WORD) {
        bytes = end - at < BUFFER_BYTES ? end - at : BUFFER_BYTES;
        const uintptr_t *words = copy(at, bytes);
        for (size_t i = 0; words && i + 1 < bytes / WORD; i++)
            if (words[i] == at + i * WORD - BIN && words[i + 1] == words[i]) {
                scan.state_end = at + i * WORD + BIN + BEHIND;
                scan.state_start = scan.state_end - BEHIND - BEFORE;
            }
    }
}

static uintptr_t limited(uintptr_t address, uintptr_t start, uintptr_t end)
{
    return address < start ? start : address > end ? end : address;
}

static void read_data(uintptr_t start, uintptr_t end, bool is_of_allocator)
{
    if (is_of_allocator && !scan.state_end)
        find_allocators_state(start, end);
    uintptr_t from = limited(scan.state_start, start, end), to = limited(scan.state_end, start, end);
    read_root(start, from, false);
    read_root(from, to, true);
    read_root(to, end, false);
}

/* --- preparation --------------------------------------------------------------------------------- */

static size_t count_threads(void)
{
    size_t count = 1;
    for (const struct hcct_block *block = hcct_block_first(); block; block = block->next)
        count++;
    return count;
}

/* One mapping for all arrays. The largest alignments come first. */
static size_t place_arrays(char *memory, size_t count, size_t threads)
{
    char *at = memory;
#define PLACE(array, number) (scan.array = (void *)at, at += (number) * sizeof *scan.array)
    PLACE(buffer, (size_t)BUFFER_BYTES);
    PLACE(text, (size_t)TEXT_BYTES);
    PLACE(blocks, count);
    PLACE(threads, threads);
    PLACE(places, (size_t)HCCT_SORT_DIGITS);
    PLACE(pieces, (size_t)PIECES);
    PLACE(outer, count);
    PLACE(waiting, count);
    PLACE(is_reached, count);
#undef PLACE
    return (size_t)(at - memory);
}

static uint64_t key_of(const void *element, const void *unused)
{
    (void)unused;
    return hcct_heap_packed_address(*(const struct hcct_heap_packed *)element);
}

/* Out of line, so that no register has a block's address afterwards, which would be a root. */
static __attribute__((noinline)) void sort_blocks(void)
{
    hcct_heap_blocks_copy(scan.blocks);
    hcct_sort(scan.blocks, scan.count, sizeof *scan.blocks, key_of, scan.places);
    for (uint32_t i = 0; i < scan.count; i++) {
        uint32_t outer = i ? i - 1 : NO_BLOCK;
        while (outer != NO_BLOCK && end_of(outer) <= start_of(i))
            outer = scan.outer[outer];
        scan.outer[i] = outer;
        uintptr_t span = end_of(i) - start_of(0);
        scan.span = span > scan.span ? span : scan.span;
    }
}

static void find_threads(uintptr_t own_stack)
{
    scan.threads[scan.thread_count++] = (struct hcct_heap_thread){ own_stack, (uintptr_t)&__hcct_thread };
    for (const struct hcct_block *block = hcct_block_first(); block; block = block->next) {
        if (!block->in_use || block->outer || block->words == &__hcct_thread)
            continue;
        uintptr_t registers[HCCT_HEAP_REGISTERS];
        size_t known = hcct_heap_roots_registers(block->thread, registers);
        for (size_t i = 0; i < known; i++)
            look_at(registers[i]);
        uintptr_t stack = known > 1 ? registers[known - 2] - HCCT_HEAP_RED_ZONE_BYTES : 0;
        scan.threads[scan.thread_count++] = (struct hcct_heap_thread){ stack, (uintptr_t)block->words };
    }
}

/* The C library keeps the stacks of threads that ended, each with the table of its thread-local storage. In a
 * static program it gets that from malloc. */
static void read_kept_stacks(void)
{
    uintptr_t table = hcct_machine_thread_pointer() + HCCT_MACHINE_STORAGE_TABLE,
              own = (uintptr_t)&__hcct_thread;
    for (const struct hcct_block *block = hcct_block_first(); block; block = block->next)
        if (block->ended_words && !getauxval(AT_BASE)) {
            uintptr_t at = block->ended_words + (table - own);
            read_root(at, at + sizeof(void *), false);
        }
}

static void tell_lost(bool is_known)
{
    for (uint32_t i = 0; i < hcct_heap_contexts_count(); i++)
        hcct_heap_context_at(i)->lost_bytes = hcct_heap_context_at(i)->lost_blocks = 0;
    for (uint32_t i = 0; is_known && i < scan.count; i++) {
        struct hcct_heap_block block = hcct_heap_packed_block(scan.blocks[i]);
        if (scan.is_reached[i] || block.context == HCCT_HEAP_UNCOUNTED)
            continue;
        hcct_heap_context_at(block.context)->lost_bytes += block.bytes;
        hcct_heap_context_at(block.context)->lost_blocks++;
    }
}

/* Its frame has the caller's registers: on x86-64 below the frame's address, on AArch64 above. */
static __attribute__((noinline)) bool search(const void *allocator)
{
    enum { REGISTERS_BYTES = 5 * sizeof(uintptr_t) }; /* and no gap, with what was there before */
    __builtin_unwind_init();
    uintptr_t left = hcct_own_stack_left();
    find_threads(left ? left : (uintptr_t)__builtin_frame_address(0) - REGISTERS_BYTES);
    const struct hcct_heap_roots roots = {
        .threads = scan.threads,
        .thread_count = scan.thread_count,
        .own_thread = scan.own_thread,
        .allocator = (uintptr_t)allocator,
        .visit = read_data,
        .read = copy,
        .buffer = scan.text,
        .buffer_bytes = TEXT_BYTES,
    };
    read_kept_stacks();
    return hcct_heap_roots_visit(&roots);
}

bool hcct_heap_scan(const void *allocator)
{
    size_t count = hcct_heap_blocks_count(), threads = count_threads(),
           bytes = place_arrays(NULL, count, threads);
    char *memory = count < NO_BLOCK ? hcct_memory_map(bytes) : NULL;
    bool done = false;
    int saved = errno;
    if (memory) {
        memset(&scan, 0, sizeof scan);
        place_arrays(memory, count, threads);
        scan.own_thread = (int)syscall(SYS_gettid);
        scan.count = (uint32_t)count;
        scan.start = (uintptr_t)memory;
        scan.end = scan.start + bytes;
        sort_blocks();
        done = search(allocator) && scan.is_read;
        read_blocks();
        close_pipe();
    }
    tell_lost(done);
    hcct_memory_unmap(memory, bytes);
    errno = saved;
    return done;
}
