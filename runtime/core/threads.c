/* See threads.h. */
#define _GNU_SOURCE
#include "runtime/core/threads.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/machine.h"
#include "runtime/base/memory.h"
#include "runtime/base/say.h"
#include "runtime/core/block.h"

static struct hcct_file_thread *known; /* by number; NULL: no memory */
static _Atomic uint32_t last_number;
static char inherited[16]; /* the name that a thread has unless it is given another one */

/* As /proc tells it, without the end of the line, filled up with zeros. By system calls that every profile
 * needs: a sandbox may end the program for others (boundary/sandbox.c). And not through the C library, where
 * sanitizers put functions that fail at the end of a thread. */
static bool read_name(pid_t thread, char name[16])
{
    char path[HCCT_SAY_THREAD_PATH_BYTES];
    hcct_say_thread_path(thread, "comm", path);
    long file = hcct_machine_system_call(
        SYS_openat, (const long[]){ AT_FDCWD, (intptr_t)path, O_RDONLY | O_CLOEXEC, 0, 0, 0 });
    if (file < 0)
        return false;
    long length = hcct_machine_system_call(SYS_read, (const long[]){ file, (intptr_t)name, 15, 0, 0, 0 });
    hcct_machine_system_call(SYS_close, (const long[]){ file, 0, 0, 0, 0, 0 });
    for (long i = 0; i < 16; i++)
        if (i >= length || name[i] == '\n') {
            length = i; /* what is behind it, too */
            name[i] = 0;
        }
    return length > 0;
}

void hcct_threads_start(void)
{
    if (!hcct_threads_are_split())
        return;
    known = hcct_memory_reserve(HCCT_THREADS_KNOWN * sizeof *known);
    read_name(getpid(), inherited);
    hcct_block_is_needed = true;
}

uint32_t hcct_threads_add(void)
{
    return hcct_threads_are_split() ? atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1
                                    : 0;
}

static struct hcct_file_thread *element(uint32_t number)
{
    return known && number && number < HCCT_THREADS_KNOWN ? &known[number] : NULL;
}

void hcct_threads_begin(uint32_t number, uint64_t base)
{
    struct hcct_file_thread *thread = element(number);
    if (thread && !__atomic_load_n(&thread->first, __ATOMIC_RELAXED))
        __atomic_store_n(&thread->first, base, __ATOMIC_RELAXED);
}

static void set_name(struct hcct_file_thread *thread, const char name[16])
{
    bool is_own = false;
    for (int i = 0; i < 16; i++)
        is_own = is_own || name[i] != inherited[i];
    for (int i = 0; i < 16; i++)
        thread->name[i] = is_own ? name[i] : 0;
}

void hcct_threads_read_name(const struct hcct_block *block)
{
    char name[16];
    struct hcct_file_thread *thread = element(block->number);
    if (thread && read_name(block->thread, name))
        set_name(thread, name);
}

void hcct_threads_read_names(void)
{
    if (!hcct_threads_are_split())
        return;
    for (const struct hcct_block *block = hcct_block_first(); block; block = block->next)
        if (block->in_use && !block->outer)
            hcct_threads_read_name(block);
}

struct hcct_file_thread hcct_threads_known(uint32_t number)
{
    const struct hcct_file_thread *thread = element(number);
    struct hcct_file_thread told = { 0 };
    if (!thread)
        return told;
    memcpy(told.name, thread->name, sizeof told.name);
    told.first = __atomic_load_n(&thread->first, __ATOMIC_RELAXED);
    told.key = told.first || *told.name ? hcct_layout_thread_key(&told) : 0;
    return told;
}
