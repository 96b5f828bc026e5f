/* See live.h. */
#define _GNU_SOURCE
#include "runtime/live.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/count.h"
#include "runtime/image.h"
#include "runtime/memory.h"
#include "runtime/options.h"
#include "runtime/prefix.h"
#include "runtime/registry.h"
#include "runtime/writer.h"

static struct hcct_live_header *header; /* NULL: there is no file */
static int file = -1;
static uint64_t file_bytes;
static char path[PATH_MAX];
static bool gave_up;
bool hcct_live_was_on;

/* What is mapped, by index of the header's pieces: the parent goes on writing in the file's own. */
static struct mapped {
    void *memory;
    size_t bytes;
    enum hcct_live_kind kind;
} mapped[HCCT_LIVE_PIECES];
static uint32_t mapped_count;

static size_t whole_pages(size_t bytes)
{
    return (bytes + HCCT_LIVE_PAGE - 1) / HCCT_LIVE_PAGE * HCCT_LIVE_PAGE;
}

bool hcct_live_is_on(void)
{
    return __atomic_load_n(&header, __ATOMIC_ACQUIRE) != NULL;
}

/* The room goes back to the file system; what is mapped from it is not to be touched any more. */
static void punch(uint64_t offset, uint64_t bytes)
{
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

/* Puts a copy in the place of the file's pages. */
static void take_back(void *memory, size_t bytes, uint64_t offset)
{
    void *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return;
    memcpy(copy, memory, bytes);
    if (mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, memory) == memory)
        punch(offset, bytes);
    else
        munmap(copy, bytes);
}

/* Counting goes on in memory. Only what other threads may be counting in stays where it is: the file system gets that room
 * back at the end. */
static void give_up(const char *reason)
{
    const struct hcct_worker *self = hcct_worker_current();
    for (uint32_t piece = 0; header && piece < mapped_count; piece++) {
        void *memory = mapped[piece].memory;
        const struct hcct_worker *worker = mapped[piece].kind == HCCT_LIVE_WORKER ? hcct_worker_of_live_part(memory) : NULL;
        bool counts = worker && worker != self && worker->in_use;
        if (memory && !counts)
            take_back(memory, mapped[piece].bytes, header->pieces[piece].offset);
    }
    if (header) {
        take_back(&hcct_tables, sizeof hcct_tables, HCCT_LIVE_HEADER_BYTES);
        punch(0, HCCT_LIVE_HEADER_BYTES);
    }
    gave_up = true;
    HCCT_SAY(1, "continuous=1: ", reason, " for '", path, "': the profile is written at the end only");
    hcct_live_end();
}

/* Room at the end of the file; 0 if there is none. */
static uint64_t extend(size_t bytes)
{
    struct rlimit limit;
    uint64_t offset = file_bytes, end = offset + bytes;
    int error = ENOSPC;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || end <= limit.rlim_cur)
        while ((error = posix_fallocate(file, (off_t)offset, (off_t)bytes)) == EINTR)
            ;
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

static bool write_at(const void *bytes, size_t size, uint64_t offset)
{
    for (const char *from = bytes; size;) {
        ssize_t written = pwrite(file, from, size, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        from += written;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return true;
}

static bool map_over(void *memory, size_t bytes, uint64_t offset)
{
    return mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)offset) == memory;
}

/* With what stands in memory, if `keep`. */
static void back(void *memory, size_t bytes, enum hcct_live_kind kind, bool keep)
{
    int saved = errno;
    bytes = whole_pages(bytes);
    uint32_t piece = free_piece();
    uint64_t offset = piece < HCCT_LIVE_PIECES ? extend(bytes) : 0;
    if (!offset || (keep && !write_at(memory, bytes, offset)) || !map_over(memory, bytes, offset))
        give_up(piece < HCCT_LIVE_PIECES ? "no space" : "too many threads");
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

static void free_room(uint32_t piece)
{
    struct hcct_live_piece old = header->pieces[piece];
    header->kinds[piece] = HCCT_LIVE_FREE;
    atomic_signal_fence(memory_order_seq_cst);
    punch(old.offset, old.bytes);
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
            free_room(piece);
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

static struct hcct_image image; /* held by hcct_profile_hold */

/* The new ones first, then the place where they are found, then the old ones go. */
static bool write_objects(void)
{
    uint32_t piece = free_piece(), old = header->static_piece;
    uint64_t offset = piece < HCCT_LIVE_PIECES ? extend(whole_pages(image.size)) : 0;
    if (!offset || !write_at(image.bytes, image.size, offset))
        return false;
    set_piece(piece, offset, image.size, NULL, HCCT_LIVE_STATIC);
    __atomic_store_n(&header->static_piece, piece + 1, __ATOMIC_RELEASE);
    if (old)
        free_room(old - 1);
    return true;
}

void hcct_live_publish_objects(void)
{
    if (!hcct_live_is_on())
        return;
    int saved = errno;
    hcct_busy_enter();
    hcct_profile_hold();
    hcct_registry_lose_unloaded();
    bool good = hcct_image_make_static(&image);
    hcct_table_lock();
    if (hcct_live_is_on() && (!good || !write_objects()))
        give_up("no space");
    hcct_table_unlock();
    hcct_image_close(&image);
    hcct_profile_release();
    hcct_busy_leave();
    errno = saved;
}

/* --- beginning and end --------------------------------------------------------------------------- */

static struct hcct_live_header *make_header(void)
{
    file_bytes = 0;
    errno = ENOSPC;
    uint64_t end = extend(HCCT_LIVE_HEADER_BYTES + HCCT_LIVE_PAGE) == 0 ? file_bytes : 0;
    if (!end)
        return NULL;
    struct hcct_live_header *made =
        mmap(NULL, HCCT_LIVE_HEADER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (made == MAP_FAILED)
        return NULL;
    memcpy(made->magic, HCCT_LIVE_MAGIC, sizeof made->magic);
    made->version = HCCT_LIVE_VERSION;
    made->header_bytes = HCCT_LIVE_HEADER_BYTES;
    return made;
}

/* The tables that there are, at start or in a child. */
static void back_all(void)
{
    if (!write_at(&hcct_tables, sizeof hcct_tables, HCCT_LIVE_HEADER_BYTES) ||
        !map_over(&hcct_tables, sizeof hcct_tables, HCCT_LIVE_HEADER_BYTES)) {
        give_up("no space");
        return;
    }
    if (hcct_tables.summary)
        back(hcct_tables.summary, hcct_tables.bytes, HCCT_LIVE_SUMMARY, true);
    for (struct hcct_worker *worker = hcct_worker_first(); worker && hcct_live_is_on(); worker = worker->next)
        back(hcct_worker_live_part(worker), sizeof(struct hcct_live_worker), HCCT_LIVE_WORKER, true);
    if (hcct_live_is_on())
        hcct_prefix_back();
}

static bool open_draft(char *draft, int child)
{
    char build[20];
    snprintf(build, sizeof build, "%016llx", (unsigned long long)image.build);
    if (!hcct_options_output_path(path, sizeof path - sizeof ".tmp", build, child))
        return false;
    strcpy(stpcpy(draft, path), ".tmp");
    if (hcct_writer_is_special(path))
        return false;
    unlink(draft);
    file = open(draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return file >= 0;
}

/* The file gets its name when it can be read. */
static void start(int child)
{
    static char draft[PATH_MAX];
    bool made = hcct_image_make_static(&image);
    if (!made || !open_draft(draft, child)) {
        give_up(made ? "cannot make a file" : "no memory");
        return;
    }
    struct hcct_live_header *new_header = make_header();
    header = new_header;
    hcct_live_was_on = true;
    if (!header) {
        give_up("no space");
        unlink(draft);
        return;
    }
    back_all();
    if (hcct_live_is_on() && !write_objects())
        give_up("no space");
    if (hcct_live_is_on() && rename(draft, path) != 0)
        give_up("no permission");
    if (!hcct_live_is_on())
        unlink(draft);
}

void hcct_live_start(int child)
{
    int saved = errno;
    if (!hcct_options.continuous || gave_up || !hcct_registry_object_count() || !hcct_tables.running)
        return;
    if (sysconf(_SC_PAGESIZE) == HCCT_LIVE_PAGE)
        start(child);
    else
        HCCT_SAY(1, "continuous=1 needs pages of 4096 bytes: the profile is written at the end only");
    hcct_image_close(&image);
    errno = saved;
}

/* Whether the path still names the file: a profile may stand there by now. */
static bool is_ours(void)
{
    struct stat ours, there;
    return file >= 0 && fstat(file, &ours) == 0 && lstat(path, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

static void forget_file(void)
{
    if (file >= 0)
        close(file);
    file = -1;
    if (header)
        munmap(header, HCCT_LIVE_HEADER_BYTES);
    __atomic_store_n(&header, NULL, __ATOMIC_RELEASE);
}

void hcct_live_end(void)
{
    int saved = errno;
    if (is_ours())
        unlink(path);
    forget_file();
    errno = saved;
}

static bool leave(void *memory, size_t bytes)
{
    return mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
           memory;
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
