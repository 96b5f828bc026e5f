/* See live.h. */
#define _GNU_SOURCE
#include "runtime/output/live.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/file.h"
#include "runtime/base/memory.h"
#include "runtime/base/raised.h"
#include "runtime/core/hold.h"
#include "runtime/core/notice.h"
#include "runtime/core/options.h"
#include "runtime/core/paths.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/objects/registry.h"
#include "runtime/output/image.h"
#include "runtime/output/place.h"
#include "runtime/output/writer.h"
#include "runtime/stack/pins.h"
#include "runtime/stack/prefix.h"

/* NULL: there is no file. While it is mapped, no other file can get its inode number, and pass for ours. */
static struct hcct_live_header *_Atomic header;
/* The program may close this descriptor and use its number: has_file checks it before each use. */
static int file = -1;
static struct hcct_file_identity ours;
static uint64_t file_bytes;
static char path[PATH_MAX];
static bool gave_up;
static const char *trouble = "no space"; /* why the file could not grow */
bool hcct_live_was_on;

/* What is mapped, by the pieces' index in the header: HCCT_LIVE_PIECES, made with the file. A forked child
 * cannot take that from the header, where the parent goes on writing. */
static struct mapped {
    void *memory;
    size_t bytes;
    enum hcct_live_kind kind;
} *mapped;
static uint32_t mapped_count;

static size_t whole_pages(size_t bytes)
{
    return (bytes + HCCT_LIVE_PAGE - 1) / HCCT_LIVE_PAGE * HCCT_LIVE_PAGE;
}

bool hcct_live_is_on(void)
{
    return atomic_load_explicit(&header, memory_order_acquire) != NULL;
}

/* --- the file ------------------------------------------------------------------------------------ */

/* Whether `file` is our file. If the program closed it, this opens it again by its name, unless that names
 * another file by now. */
static bool has_file(void)
{
    if (hcct_file_is(file, &ours))
        return true;
    int again = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (again >= 0 && !hcct_file_is(again, &ours)) {
        close(again);
        again = -1;
    }
    file = again < 0 ? -1 : hcct_file_move_up(again);
    return file >= 0;
}

/* Pages of the file, or NULL. Checks the file again after mapping, since another thread of the program may
 * have closed `file` in between. */
static void *map_file(size_t bytes, uint64_t offset)
{
    void *pages = has_file()
                      ? hcct_pages_map(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)offset)
                      : MAP_FAILED;
    if (pages == MAP_FAILED)
        return NULL;
    if (hcct_file_is(file, &ours))
        return pages;
    hcct_pages_unmap(pages, bytes);
    return NULL;
}

/* Gives the space of these pages of the file back to the file system. Nobody may touch them any more. */
static void punch(void *pages, size_t bytes)
{
    hcct_pages_advise(pages, bytes, MADV_REMOVE);
}

/* Replaces pages of the file by a copy in memory. */
static void take_back(void *memory, size_t bytes)
{
    void *copy = hcct_pages_map(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return;
    void *pages = hcct_pages_move(memory, 0, bytes, MREMAP_MAYMOVE, NULL); /* the same pages once more */
    memcpy(copy, memory, bytes);
    bool taken = hcct_pages_move(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, memory) == memory;
    if (!taken)
        hcct_pages_unmap(copy, bytes);
    if (pages == MAP_FAILED)
        return;
    if (taken)
        punch(pages, bytes);
    hcct_pages_unmap(pages, bytes);
}

/* Counting goes on in memory. Blocks that other threads may be counting in stay in the file, whose space they
 * take to the end. */
static void give_up(const char *reason)
{
    const struct hcct_block *self = hcct_block_current();
    for (uint32_t piece = 0; header && piece < mapped_count; piece++) {
        void *memory = mapped[piece].memory;
        const struct hcct_block *worker =
            mapped[piece].kind == HCCT_LIVE_WORKER ? hcct_block_of_live_part(memory) : NULL;
        bool counts = worker && worker != self && worker->in_use;
        if (memory && !counts)
            take_back(memory, mapped[piece].bytes);
    }
    if (header) {
        take_back(&hcct_tables, sizeof hcct_tables);
        punch(header, HCCT_LIVE_HEADER_BYTES);
    }
    gave_up = true;
    HCCT_SAY(1, "continuous=1: ", reason, " for '", path, "': the profile is written at the end only");
    hcct_live_end();
}

/* Extends the file. Returns the offset of the new bytes, or 0 if there is no space. */
static uint64_t extend(size_t bytes)
{
    struct rlimit limit;
    struct hcct_raised raised;
    uint64_t offset = file_bytes, end = offset + bytes;
    int error = ENOSPC;
    hcct_raised_hold(&raised);
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || end <= limit.rlim_cur)
        do
            error = has_file() ? posix_fallocate(file, (off_t)offset, (off_t)bytes) : EBADF;
        while (error == EINTR);
    hcct_raised_drop(&raised);
    trouble = error == EBADF ? "no way to open the file again" : "no space";
    if (error)
        return 0;
    file_bytes = end;
    return offset;
}

/* A free place in the table of pieces; HCCT_LIVE_PIECES if there is none. */
static uint32_t free_piece(void)
{
    uint32_t piece = 0;
    while (piece < header->piece_count && (header->kinds[piece] || mapped[piece].memory))
        piece++;
    return piece;
}

static void set_piece(uint32_t piece, uint64_t offset, size_t bytes, void *memory, enum hcct_live_kind kind)
{
    header->pieces[piece] = (struct hcct_live_piece){ offset, bytes, (uintptr_t)memory };
    mapped[piece] = (struct mapped){ memory, bytes, kind };
    if (piece >= mapped_count)
        mapped_count = piece + 1;
    atomic_signal_fence(memory_order_seq_cst);
    header->kinds[piece] = (uint8_t)kind;
    if (piece >= header->piece_count)
        __atomic_store_n(&header->piece_count, piece + 1, __ATOMIC_RELEASE);
}

/* Replaces memory by pages of the file, and copies its content there if `keep`. */
static bool map_over(void *memory, size_t bytes, uint64_t offset, bool keep)
{
    void *pages = map_file(bytes, offset);
    if (!pages)
        return false;
    if (keep)
        memcpy(pages, memory, bytes);
    if (hcct_pages_move(pages, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, memory) == memory)
        return true;
    hcct_pages_unmap(pages, bytes);
    return false;
}

/* The same, as a new piece. Gives up where it fails. */
static void back(void *memory, size_t bytes, enum hcct_live_kind kind, bool keep)
{
    int saved = errno;
    bytes = whole_pages(bytes);
    uint32_t piece = free_piece();
    uint64_t offset = piece < HCCT_LIVE_PIECES ? extend(bytes) : 0;
    if (!offset || !map_over(memory, bytes, offset, keep))
        give_up(piece < HCCT_LIVE_PIECES ? trouble : "too many threads");
    else
        set_piece(piece, offset, bytes, memory, kind);
    errno = saved;
}

void hcct_live_back(void *memory, size_t bytes, enum hcct_live_kind kind)
{
    if (hcct_live_is_on())
        back(memory, bytes, kind, false);
}

void hcct_live_back_with_content(void *memory, size_t bytes, enum hcct_live_kind kind)
{
    if (hcct_live_is_on())
        back(memory, bytes, kind, true);
}

static void free_room(uint32_t piece, void *pages)
{
    header->kinds[piece] = HCCT_LIVE_FREE;
    atomic_signal_fence(memory_order_seq_cst);
    if (pages)
        punch(pages, whole_pages(header->pieces[piece].bytes));
}

static uint32_t find_mapped(const void *memory)
{
    uint32_t piece = memory ? 0 : mapped_count;
    while (piece < mapped_count && mapped[piece].memory != memory)
        piece++;
    return piece;
}

void hcct_live_drop(void *memory)
{
    int saved = errno;
    uint32_t piece = find_mapped(memory);
    if (piece < mapped_count) {
        mapped[piece] = (struct mapped){ NULL, 0, HCCT_LIVE_FREE };
        if (hcct_live_is_on())
            free_room(piece, memory);
    }
    errno = saved;
}

void hcct_live_publish_exact(const void *slots)
{
    uint32_t piece = find_mapped(slots);
    if (hcct_live_is_on() && piece < mapped_count)
        __atomic_store_n(&header->exact_piece, piece + 1, __ATOMIC_RELEASE);
}

/* --- objects ------------------------------------------------------------------------------------ */

static struct hcct_image image; /* held by hcct_hold */
static void *objects;           /* the mapped pages of the static piece */
static size_t objects_bytes;

/* Writes the new piece, then its number in the header, and only then frees the old piece: so a kill leaves
 * one of them. */
static bool write_objects(void)
{
    uint32_t piece = free_piece(), old = header->static_piece;
    size_t bytes = whole_pages(image.out.size);
    uint64_t offset = piece < HCCT_LIVE_PIECES ? extend(bytes) : 0;
    void *pages = offset ? map_file(bytes, offset) : NULL;
    if (!pages)
        return false;
    memcpy(pages, image.out.bytes, image.out.size);
    set_piece(piece, offset, image.out.size, NULL, HCCT_LIVE_STATIC);
    __atomic_store_n(&header->static_piece, piece + 1, __ATOMIC_RELEASE);
    if (old) {
        free_room(old - 1, objects);
        hcct_pages_unmap(objects, objects_bytes);
    }
    objects = pages;
    objects_bytes = bytes;
    return true;
}

void hcct_live_publish_objects(void)
{
    if (!hcct_live_is_on())
        return;
    int saved = errno;
    hcct_busy_enter();
    hcct_hold();
    hcct_registry_lose_unloaded();
    bool good = hcct_image_make_static(&image);
    hcct_tables_lock();
    if (hcct_live_is_on() && (!good || !write_objects()))
        give_up(trouble);
    hcct_tables_unlock();
    hcct_image_close(&image);
    hcct_hold_release();
    hcct_busy_leave();
    errno = saved;
}

/* --- beginning and end --------------------------------------------------------------------------- */

static struct hcct_live_header *make_header(void)
{
    file_bytes = 0;
    errno = ENOSPC;
    uint64_t end = extend(HCCT_LIVE_HEADER_BYTES + HCCT_LIVE_PAGE) == 0 ? file_bytes : 0;
    struct hcct_live_header *made = end ? map_file(HCCT_LIVE_HEADER_BYTES, 0) : NULL;
    if (!made)
        return NULL;
    memcpy(made->magic, HCCT_LIVE_MAGIC, sizeof made->magic);
    made->version = HCCT_LIVE_VERSION;
    made->header_bytes = HCCT_LIVE_HEADER_BYTES;
    made->process = (uint32_t)hcct_process_id();
    return made;
}

/* Moves all tables into the file, at the start and in a forked child. */
static void back_all(void)
{
    if (!map_over(&hcct_tables, sizeof hcct_tables, HCCT_LIVE_HEADER_BYTES, true)) {
        give_up(trouble);
        return;
    }
    if (hcct_tables.summary)
        back(hcct_tables.summary, hcct_tables.bytes, HCCT_LIVE_SUMMARY, true);
    for (struct hcct_block *worker = hcct_block_first(); worker && hcct_live_is_on(); worker = worker->next)
        back(hcct_block_live_part(worker), sizeof(struct hcct_live_worker), HCCT_LIVE_WORKER, true);
    if (hcct_live_is_on())
        hcct_prefix_back();
    if (hcct_live_is_on())
        hcct_pins_back();
}

static bool open_draft(char *draft, int child)
{
    char build[20];
    snprintf(build, sizeof build, "%016llx", (unsigned long long)image.build);
    if (!hcct_options_output_path(path, sizeof path, build, child) || !hcct_place_may_replace(path))
        return false;
    file = hcct_writer_open_draft(path, draft, O_RDWR);
    if (file < 0)
        return false;
    ours = hcct_file_identify(file);
    file = hcct_file_move_up(file);
    return true;
}

/* The file gets its name only when it can be read. */
static void start(int child)
{
    static char draft[PATH_MAX];
    if (!mapped)
        mapped = hcct_memory_reserve(HCCT_LIVE_PIECES * sizeof *mapped);
    bool made = mapped && hcct_image_make_static(&image);
    if (!made || !open_draft(draft, child)) {
        give_up(made ? "cannot make a file" : "no memory");
        return;
    }
    struct hcct_live_header *new_header = make_header();
    header = new_header;
    hcct_live_was_on = true;
    if (!header) {
        give_up(trouble);
        unlink(draft);
        return;
    }
    back_all();
    if (hcct_live_is_on() && !write_objects())
        give_up(trouble);
    if (hcct_live_is_on() && hcct_place_put(draft, path, true) != 0)
        give_up("no permission");
    if (!hcct_live_is_on())
        unlink(draft);
}

void hcct_live_start(int child)
{
    int saved = errno;
    if (!hcct_options.continuous || gave_up || !hcct_registry_object_count() || !hcct_tables.running)
        return;
    if (getauxval(AT_PAGESZ) == HCCT_LIVE_PAGE)
        start(child);
    else
        HCCT_SAY(1, "continuous=1 needs pages of 4096 bytes: the profile is written at the end only");
    hcct_image_close(&image);
    errno = saved;
}

static void forget_file(void)
{
    struct hcct_live_header *old = header;
    if (hcct_file_is(file, &ours))
        close(file);
    file = -1;
    ours.known = false;
    header = NULL;
    hcct_place_forget_live();
    if (objects)
        hcct_pages_unmap(objects, objects_bytes);
    objects = NULL;
    if (old)
        hcct_pages_unmap(old, HCCT_LIVE_HEADER_BYTES);
}

void hcct_live_end(void)
{
    int saved = errno;
    if (hcct_file_is_at(path, &ours)) /* else a profile stands there by now */
        unlink(path);
    forget_file();
    errno = saved;
}

static bool leave(void *memory, size_t bytes)
{
    return hcct_pages_map(memory, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                          0) == memory;
}

void hcct_live_leave_parent(void)
{
    if (!hcct_live_was_on)
        return;
    int saved = errno;
    bool good = leave(&hcct_tables, sizeof hcct_tables);
    for (uint32_t piece = 0; piece < mapped_count && good; piece++) {
        struct mapped *at = &mapped[piece];
        if (at->kind == HCCT_LIVE_WORKER)
            good = leave(at->memory, at->bytes);
        else if (at->kind == HCCT_LIVE_SUMMARY || at->kind == HCCT_LIVE_EXACT)
            hcct_memory_unmap(at->memory, at->bytes);
    }
    memset(mapped, 0, mapped_count * sizeof mapped[0]);
    mapped_count = 0;
    forget_file();
    hcct_prefix_stop();
    if (good)
        hcct_count_start();
    errno = saved;
}
