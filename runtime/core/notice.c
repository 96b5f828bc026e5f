/* See notice.h. */
#define _GNU_SOURCE
#include "runtime/core/notice.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "hcct/abi.h"
#include "runtime/base/confined.h"
#include "runtime/base/memory.h"

static const uint32_t not_started = 0, not_wiped = 1;
const volatile uint32_t *hcct_process_mark = &not_started;
static uint32_t *mark; /* NULL if the kernel cannot wipe it: then only fork() is noticed */
static pid_t own_pid;  /* getpid() differs in a vfork child, which runs in this memory */

volatile bool hcct_process_shares_memory;
bool hcct_process_id_is_forbidden;

pid_t hcct_process_id(void)
{
    return hcct_process_shares_memory && !hcct_process_id_is_forbidden && !hcct_confined ? getpid() : own_pid;
}

bool hcct_process_is_own(void)
{
    if (hcct_confined || (hcct_process_shares_memory && hcct_process_id_is_forbidden))
        return false;
    return hcct_process_id() == own_pid;
}

void hcct_notice_start(void)
{
    own_pid = getpid();
    uint32_t *page = hcct_memory_map(HCCT_STACK_PAGE_BYTES);
    hcct_process_mark = &not_wiped;
    if (!page || !hcct_memory_wipe_on_fork(page, HCCT_STACK_PAGE_BYTES))
        return;
    *page = 1;
    hcct_process_mark = mark = page;
}

bool hcct_notice_is_new_child(void)
{
    return mark ? !*mark : own_pid != getpid();
}

/* A child usually has one thread when it comes here, and then both ids are the same. */
void hcct_notice_take_id(void)
{
    own_pid = hcct_process_id_is_forbidden ? (pid_t)syscall(SYS_gettid) : getpid();
    hcct_process_shares_memory = false;
}

void hcct_notice_end_child(void)
{
    if (mark)
        *mark = 1;
}

void hcct_notice_check_mark(void)
{
    if (!mark || !*mark)
        return;
    hcct_process_mark = &not_wiped;
    mark = NULL;
}
