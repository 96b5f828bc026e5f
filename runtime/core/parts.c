/* See parts.h. */
#include "runtime/core/parts.h"

struct hcct_part hcct_parts[HCCT_PARTS];
_Thread_local volatile uint8_t hcct_parts_held = HCCT_PARTS_NONE;

/* A thread that forks keeps all of them: who took one away from it after a long wait need not wait for the
 * others. */
void hcct_parts_lock_all(void)
{
    bool took_away = false;
    for (unsigned part = 0; part < HCCT_PARTS; part++) {
        atomic_int *lock = &hcct_parts[part].lock;
        if (hcct_lock_try(lock) || (took_away && hcct_lock_take_away(lock)))
            continue;
        took_away |= hcct_lock_wait(lock);
    }
    hcct_parts_held = HCCT_PARTS_ALL;
}

void hcct_parts_unlock_all(void)
{
    hcct_parts_held = HCCT_PARTS_NONE;
    for (unsigned part = 0; part < HCCT_PARTS; part++)
        hcct_lock_release(&hcct_parts[part].lock);
}

bool hcct_parts_let_go(void)
{
    uint8_t held = hcct_parts_held;
    if (held == HCCT_PARTS_ALL)
        hcct_parts_unlock_all();
    else if (held != HCCT_PARTS_NONE)
        hcct_parts_unlock(held);
    return held != HCCT_PARTS_NONE;
}

void hcct_parts_keep_for_fork(void)
{
    hcct_parts_held = HCCT_PARTS_NONE;
    for (unsigned part = 0; part < HCCT_PARTS; part++)
        hcct_lock_keep_for_fork(&hcct_parts[part].lock);
}

void hcct_parts_end_fork(void)
{
    for (unsigned part = 0; part < HCCT_PARTS; part++)
        hcct_lock_end_fork(&hcct_parts[part].lock);
}

bool hcct_parts_begin_child(void)
{
    bool torn = false;
    for (unsigned part = 0; part < HCCT_PARTS; part++)
        torn |= hcct_lock_begin_child(&hcct_parts[part].lock);
    hcct_parts_held = HCCT_PARTS_NONE;
    return torn;
}
