/* See window.h. */
#include "decoder/external/window.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/external/temporary.h"
#include "format/section_writer.h"

/* What a file says of its size stands in so many bytes. */
enum { HEAD_BYTES = 1 << 19 };

/* The file has its blocks before it is mapped: a full disk is an error here, and no signal later. */
void *hcct_window_zeros(size_t length)
{
    int file = hcct_temporary_open();
    if (file < 0)
        return NULL;
    int reason = posix_fallocate(file, 0, (off_t)length);
    void *bytes = reason ? MAP_FAILED : mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (!reason && bytes == MAP_FAILED)
        reason = errno;
    close(file);
    errno = reason;
    return bytes == MAP_FAILED ? NULL : bytes;
}

bool hcct_window_open(struct hcct_window *window, size_t length, uint64_t limit_bytes)
{
    size_t blocks = length / HCCT_WINDOW_BLOCK_BYTES + 1;
    uint64_t limit = limit_bytes / HCCT_WINDOW_BLOCK_BYTES;
    *window = (struct hcct_window){ .length = length };
    window->limit = limit < 2 ? 2 : limit > UINT32_MAX ? UINT32_MAX : (uint32_t)limit;
    if (blocks <= window->limit) {
        window->bytes = calloc(length ? length : 1, 1);
        return window->bytes;
    }
    window->used = calloc(blocks / 64 + 1, sizeof *window->used);
    window->bytes = window->used ? hcct_window_zeros(length) : NULL;
    if (!window->bytes) {
        int reason = errno;
        free(window->used);
        *window = (struct hcct_window){ 0 };
        errno = reason;
    }
    return window->bytes;
}

void hcct_window_touch(struct hcct_window *window, size_t block)
{
    if (window->used_count == window->limit) {
        madvise(window->bytes, window->length, MADV_DONTNEED);
        memset(window->used, 0, (window->length / HCCT_WINDOW_BLOCK_BYTES / 64 + 1) * sizeof *window->used);
        window->used_count = 0;
    }
    window->used[block / 64] |= UINT64_C(1) << block % 64;
    window->used_count++;
}

void hcct_window_close(struct hcct_window *window)
{
    if (window->used)
        munmap(window->bytes, window->length);
    else
        free(window->bytes);
    free(window->used);
    *window = (struct hcct_window){ 0 };
}

/* --- whole files ----------------------------------------------------------------------------------- */

void *hcct_window_map(int file, size_t *length)
{
    struct stat info;
    if (fstat(file, &info))
        return NULL;
    *length = (size_t)info.st_size;
    if (!*length) {
        errno = ENODATA;
        return NULL;
    }
    void *bytes = mmap(NULL, *length, PROT_READ, MAP_SHARED, file, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

/* Less than `room` at the end, or where reading fails. */
static size_t fill(FILE *from, char *bytes, size_t room)
{
    size_t got = 0;
    for (;;) {
        got += fread(bytes + got, 1, room - got, from);
        if (got == room || feof(from) || errno != EINTR)
            return got;
        clearerr(from);
    }
}

static bool copy(FILE *from, int to, hcct_wanted_bytes *wanted, bool *is_readable)
{
    char *bytes = malloc(HEAD_BYTES);
    size_t got = bytes ? fill(from, bytes, HEAD_BYTES) : 0;
    uint64_t left = wanted(bytes, got);
    bool done = bytes;
    while (done && got) {
        done = hcct_section_put(to, bytes, got);
        left = left > got ? left - got : 0;
        got = done && left ? fill(from, bytes, left < HEAD_BYTES ? (size_t)left : HEAD_BYTES) : 0;
    }
    free(bytes);
    *is_readable = !ferror(from);
    return done && *is_readable;
}

void *hcct_window_copy(FILE *file, hcct_wanted_bytes *wanted, size_t *length, bool *is_readable)
{
    *is_readable = true;
    int to = hcct_temporary_open();
    void *bytes = to >= 0 && copy(file, to, wanted, is_readable) ? hcct_window_map(to, length) : NULL;
    int reason = errno;
    if (to >= 0)
        close(to);
    errno = reason;
    return bytes;
}

void hcct_window_unmap(void *bytes, size_t length)
{
    munmap(bytes, length);
}

void hcct_window_pass(const void *from, const void *to)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = ((uintptr_t)from + page - 1) / page * page,
              end = (uintptr_t)to / page * page;
    int reason = errno;
    if (start < end)
        madvise((void *)start, end - start, MADV_DONTNEED);
    errno = reason;
}
