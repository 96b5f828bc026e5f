/* See registry.h. */
#include "runtime/objects/registry.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/lock.h"
#include "runtime/base/memory.h"
#include "runtime/objects/bodies.h"

struct hcct_object *hcct_registry_objects;
bool hcct_registry_lacks_memory;
bool hcct_registry_is_early;
static _Atomic size_t object_count; /* changed under the lock, read without it */
static uint32_t move_count;         /* under the lock */
static atomic_int lock;
static _Thread_local bool is_held; /* by the calling thread, through hcct_registry_hold */

/* --- the lock --------------------------------------------------------------------------------------- */

void hcct_registry_lock(void)
{
    if (!hcct_lock_try(&lock))
        hcct_lock_wait(&lock);
}

bool hcct_registry_lock_within(int limit_ms)
{
    while (!hcct_lock_try(&lock)) {
        if (limit_ms-- == 0)
            return false;
        syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    return true;
}

void hcct_registry_unlock(void)
{
    hcct_lock_release(&lock);
}

bool hcct_registry_hold(void)
{
    enum { TRIES = 1 << 16 };
    for (unsigned i = 0; i < TRIES; i++) {
        if (hcct_lock_try(&lock)) {
            is_held = true;
            return true;
        }
        sched_yield();
    }
    return false;
}

void hcct_registry_let_go(void)
{
    is_held = false;
    hcct_lock_release(&lock);
}

bool hcct_registry_is_held(void)
{
    return is_held;
}

void hcct_registry_before_fork(void)
{
    if (hcct_registry_lock_within(1000))
        hcct_lock_keep_for_fork(&lock);
}

void hcct_registry_after_fork(bool in_child)
{
    if (in_child)
        hcct_lock_begin_child(&lock);
    else
        hcct_lock_end_fork(&lock);
}

/* --- the objects ------------------------------------------------------------------------------------ */

size_t hcct_registry_object_count(void)
{
    /* pairs with the store in hcct_registry_set_count */
    return atomic_load_explicit(&object_count, memory_order_acquire);
}

void hcct_registry_set_count(size_t count)
{
    atomic_store_explicit(&object_count, count, memory_order_release);
}

bool hcct_registry_has_places(void)
{
    if (!hcct_registry_objects)
        hcct_registry_objects =
            hcct_memory_reserve((HCCT_OBJECT_LIMIT + HCCT_OBJECTS_FOUND) * sizeof *hcct_registry_objects);
    hcct_registry_lacks_memory = !hcct_registry_objects;
    return hcct_registry_objects;
}

uint32_t hcct_registry_move_count(void)
{
    return move_count;
}

uint64_t hcct_registry_stamp(void)
{
    return (uint64_t)__atomic_load_n(&move_count, __ATOMIC_RELAXED) << 32 | hcct_registry_object_count();
}

static void mark_unloaded(struct hcct_object *object)
{
    move_count++;
    hcct_bodies_remove(object->image, object->image_end);
    object->loaded = false;
}

void hcct_registry_move(struct hcct_object *object, ptrdiff_t by)
{
    mark_unloaded(object);
    object->start = (const struct hcct_function *)((const char *)object->start + by);
    object->stop = (const struct hcct_function *)((const char *)object->stop + by);
}

void hcct_registry_lose(struct hcct_object *object)
{
    mark_unloaded(object);
    object->stop = object->start;
}

void hcct_registry_forget(struct hcct_object *object)
{
    move_count++;
    hcct_memory_unmap(object->copy, object->image_end - object->image);
}
