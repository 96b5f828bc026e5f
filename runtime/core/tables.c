/* See tables.h. */
#include "runtime/core/tables.h"

#include "runtime/base/lock.h"
#include "runtime/core/notice.h"
#include "runtime/core/parts.h"

struct hcct_tables hcct_tables;
atomic_int hcct_tables_lock_word;
_Thread_local volatile bool hcct_tables_held;

void hcct_tables_lock(void)
{
    hcct_notice();
    if (__builtin_expect(!hcct_lock_try(&hcct_tables_lock_word), 0))
        hcct_lock_wait(&hcct_tables_lock_word);
    hcct_tables_held = true;
}

bool hcct_tables_try_lock(void)
{
    hcct_notice();
    return hcct_tables_try_lock_usual();
}

void hcct_tables_unlock(void)
{
    if (hcct_parts_held != HCCT_PARTS_NONE)
        hcct_parts_let_go();
    hcct_tables_unlock_usual();
}

void hcct_tables_keep_for_fork(void)
{
    hcct_tables_held = false;
    hcct_lock_keep_for_fork(&hcct_tables_lock_word);
}

void hcct_tables_end_fork(void)
{
    hcct_lock_end_fork(&hcct_tables_lock_word);
}

bool hcct_tables_begin_child(void)
{
    hcct_tables_held = false;
    return hcct_lock_begin_child(&hcct_tables_lock_word);
}
