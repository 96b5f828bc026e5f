/* Whether memory can be read, asked of the kernel: nothing is read that a broken stack or table points to.
 * Async-signal-safe; keeps errno. Include it behind a definition of _GNU_SOURCE. */
#ifndef HCCT_RUNTIME_BASE_READABLE_H
#define HCCT_RUNTIME_BASE_READABLE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HCCT_READABLE_PAGE = 4096 };

/* Whether the kernel can read eight bytes there. It looks at the set of signals before it finds that there is
 * no such way to use it. */
static inline bool hcct_readable_word(uintptr_t address)
{
    enum { NO_WAY = -1, SET_BYTES = 8 };
    int saved = errno;
    bool readable = syscall(SYS_rt_sigprocmask, NO_WAY, address, NULL, SET_BYTES) != 0 && errno == EINVAL;
    errno = saved;
    return readable;
}

/* Whether so many bytes can be read: a system call for each page. */
static inline bool hcct_readable(const void *address, size_t bytes)
{
    const uintptr_t word = ~(uintptr_t)7, in_page = HCCT_READABLE_PAGE - 1;
    uintptr_t start = (uintptr_t)address, end = start + bytes;
    if (end < start)
        return false;
    for (uintptr_t at = start & word; at < end; at = (at | in_page) + 1)
        if (!hcct_readable_word(at))
            return false;
    return true;
}

#endif
