#define _GNU_SOURCE
#include "runtime/core/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "runtime/base/memory.h"
#include "runtime/core/block.h"

static struct hcct_file_thread *known; /* by number; NULL: no memory */
static _Atomic uint32_t last_number;
static char inherited[16]; /* the name that a thread has unless it is given another one */

void hcct_threads_start(void)
{
    if (!hcct_threads_are_split())
        return;
    known = hcct_memory_reserve(HCCT_THREADS_KNOWN * sizeof *known);
    prctl(PR_GET_NAME, inherited);
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
    memset(thread->name, 0, sizeof thread->name);
    if (strncmp(name, inherited, sizeof inherited) != 0)
        strncpy(thread->name, name, sizeof thread->name - 1);
}

void hcct_threads_end(uint32_t number)
{
    char name[16] = "";
    struct hcct_file_thread *thread = element(number);
    if (thread && !prctl(PR_GET_NAME, name))
        set_name(thread, name);
}

static void append_number(char *text, unsigned number)
{
    char digits[12];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    text += strlen(text);
    while (count)
        *text++ = digits[--count];
    *text = 0;
}

/* As /proc tells it, without the end of the line. */
static bool read_name(pid_t thread, char name[16])
{
    char path[64] = "/proc/self/task/";
    append_number(path, (unsigned)thread);
    int saved = errno, file = open(strcat(path, "/comm"), O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, name, 15);
    if (file >= 0)
        close(file);
    errno = saved;
    name[length > 0 ? length : 0] = 0;
    name[strcspn(name, "\n")] = 0;
    return length > 0;
}

void hcct_threads_read_names(void)
{
    if (!hcct_threads_are_split())
        return;
    for (const struct hcct_block *block = hcct_block_first(); block; block = block->next) {
        char name[16];
        struct hcct_file_thread *thread = element(block->number);
        if (thread && block->in_use && !block->outer && read_name(block->thread, name))
            set_name(thread, name);
    }
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
