/* See registry.h. */
#define _GNU_SOURCE
#include "runtime/objects/registry.h"

#include <errno.h>
#include <link.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/base/lock.h"
#include "runtime/base/memory.h"
#include "runtime/base/say.h"
#include "runtime/core/block.h"
#include "runtime/core/hold.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/tables.h"
#include "runtime/objects/bodies.h"
#include "runtime/objects/linked.h"
#include "runtime/objects/notes.h"
#include "runtime/objects/numbering.h"
#include "runtime/objects/record.h"
#include "runtime/objects/redirect.h"

struct hcct_object *hcct_registry_objects;
bool hcct_registry_lacks_memory;
static _Atomic size_t object_count; /* changed under the lock, read without it */
static uint32_t move_count;         /* under the lock */
/* How many objects the loader had loaded and unloaded at the last search. Under the lock. */
static unsigned long long adds_seen, subs_seen;
static atomic_int lock;
static _Thread_local bool is_held; /* by the calling thread, through hcct_registry_hold */

static void take_lock(void)
{
    if (!hcct_lock_try(&lock))
        hcct_lock_wait(&lock);
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

uint32_t hcct_registry_move_count(void)
{
    return move_count;
}

uint64_t hcct_registry_stamp(void)
{
    return (uint64_t)__atomic_load_n(&move_count, __ATOMIC_RELAXED) << 32 | hcct_registry_object_count();
}

size_t hcct_registry_object_count(void)
{
    /* pairs with the store in hcct_registry_discover */
    return atomic_load_explicit(&object_count, memory_order_acquire);
}

/* --- finding ----------------------------------------------------------------------------------- */

/* The records are gone. The functions that were counted have no names. */
static void lose(struct hcct_object *object)
{
    move_count++;
    hcct_bodies_remove(object->image, object->image_end);
    object->loaded = false;
    object->stop = object->start;
}

/* Whether the object is in the list. Usually the list has it as loaded. Two cases differ:
 *   1. its first base is 0, but it had ids: it was unloaded unseen, and is loaded again. It is new;
 *   2. it has ids, but the list has it as unloaded: it is about to be unmapped. It is not new.
 * The loader's list usually has the objects in the same order, so the search begins behind the last one. */
static bool is_known(const struct hcct_object *object)
{
    static size_t at; /* under the lock */
    bool has_ids = hcct_record_state(object->start)->base != 0;
    for (size_t i = 0; i < object_count; i++) {
        at = at + 1 < object_count ? at + 1 : 0;
        struct hcct_object *known = &hcct_registry_objects[at];
        if (known->loaded && known->start == object->start && (has_ids || !known->numbered))
            return true;
        if (known->loaded && known->start == object->start)
            lose(known);
        if (has_ids && !known->loaded && known->image == object->image)
            return true;
    }
    return false;
}

/* The object's records and bounds. start is NULL if it has no records. */
static struct hcct_object read_object(const struct dl_phdr_info *info)
{
    struct hcct_object object = { .image = UINTPTR_MAX, .loaded = true };
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + segment->p_vaddr;
        /* ld.lld 16 makes one segment of notes that are not in one place: then ours is not where it says */
        if (segment->p_type == PT_NOTE && segment->p_memsz == segment->p_filesz)
            hcct_notes_read(&object, (const char *)at, segment->p_memsz);
        if (segment->p_type == PT_LOAD) {
            object.image = at < object.image ? at : object.image;
            object.image_end =
                at + segment->p_memsz > object.image_end ? at + segment->p_memsz : object.image_end;
        }
    }
    return object;
}

/* Whether two objects with so many functions have the same ones, with the same sites. Records tell where
 * things are by distances, which are equal as well. */
static bool have_same_records(const struct hcct_function *a, const struct hcct_function *b, size_t count)
{
    if (memcmp(a, b, count * sizeof *a) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *name = hcct_rel_get(&a[i].linkage_name), *other = hcct_rel_get(&b[i].linkage_name);
        if (name && strcmp(name, other) != 0)
            return false;
        if (a[i].site_count && memcmp(hcct_record_sites(&a[i]), hcct_record_sites(&b[i]),
                                      a[i].site_count * sizeof(struct hcct_site)) != 0)
            return false;
    }
    return true;
}

/* Usually the build id tells. Without one, the path and the records do. */
static bool is_same_build(const struct hcct_object *a, const struct hcct_object *b)
{
    if (a->stop - a->start != b->stop - b->start || strcmp(a->build_id, b->build_id) != 0)
        return false;
    return a->build_id[0] || (strcmp(a->path, b->path) == 0 &&
                              have_same_records(a->start, b->start, (size_t)(a->stop - a->start)));
}

/* Whether the object may be one that is loaded again. */
static bool may_return(const struct hcct_object *object)
{
    for (size_t i = 0; i < object_count; i++)
        if (!hcct_registry_objects[i].loaded && is_same_build(object, &hcct_registry_objects[i]))
            return true;
    return false;
}

/* If there is no memory for them, the objects are not numbered, and their calls count as dropped. */
static bool has_places(void)
{
    if (!hcct_registry_objects)
        hcct_registry_objects =
            hcct_memory_reserve((HCCT_OBJECT_LIMIT + HCCT_OBJECTS_FOUND) * sizeof *hcct_registry_objects);
    hcct_registry_lacks_memory = !hcct_registry_objects;
    return hcct_registry_objects;
}

static void add_found(const struct dl_phdr_info *info, size_t *found)
{
    struct hcct_object object = read_object(info);
    if (!object.start || object.start >= object.stop || !has_places() || is_known(&object) ||
        object_count + *found == HCCT_OBJECT_LIMIT + HCCT_OBJECTS_FOUND)
        return;
    const char *path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : hcct_say_program_path();
    strncpy(object.path, path, sizeof object.path - 1);
    object.first = *object.start;
#ifndef HCCT_SHARED
    object.early = object_count == 0;
#endif
    if (object_count == HCCT_OBJECT_LIMIT && *found && !may_return(&object))
        return; /* there is no room; one is told of */
    hcct_registry_objects[object_count + (*found)++] = object;
}

struct search {
    size_t found;
    bool has_begun;
};

/* The search ends at once if the loader's list has not changed since the last one. A function without ids
 * makes a search at each of its entries. */
static int visit(struct dl_phdr_info *info, size_t size, void *search_so_far)
{
    struct search *search = search_so_far;
    bool is_told = size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs;
    if (!search->has_begun && is_told) {
        if (info->dlpi_adds && info->dlpi_adds == adds_seen && info->dlpi_subs == subs_seen)
            return 1;
        adds_seen = info->dlpi_adds;
        subs_seen = info->dlpi_subs;
    }
    search->has_begun = true;
    add_found(info, &search->found);
    return 0;
}

bool hcct_registry_is_early;

/* A static program may have a malloc of its own, which is instrumented. The C library calls it before it can
 * tell of any object. The program's headers are in the first page of its file. */
static void visit_program(size_t *found)
{
    uintptr_t headers = getauxval(AT_PHDR), page = getauxval(AT_PAGESZ);
    struct dl_phdr_info info = { .dlpi_phdr = (const ElfW(Phdr) *)headers,
                                 .dlpi_phnum = (ElfW(Half))getauxval(AT_PHNUM) };
    for (int i = 0; headers && i < info.dlpi_phnum; i++)
        if (info.dlpi_phdr[i].p_type == PT_LOAD && info.dlpi_phdr[i].p_offset == 0)
            info.dlpi_addr = (headers & -page) - info.dlpi_phdr[i].p_vaddr;
    if (headers)
        add_found(&info, found);
    hcct_registry_is_early = *found != 0;
}

/* --- loaded again ------------------------------------------------------------------------------ */

static void exchange(struct hcct_object *a, struct hcct_object *b)
{
    struct hcct_object kept = *a;
    *a = *b;
    *b = kept;
}

/* The object `found` exchanges places with the first unloaded one, from `from` on, that may be the same. */
static void take_place(struct hcct_object *found, size_t from)
{
    for (size_t i = from; i < object_count; i++) {
        struct hcct_object *place = &hcct_registry_objects[i];
        if (place->loaded || !place->numbered || place->start == place->stop || !is_same_build(found, place))
            continue;
        exchange(place, found);
        place->before = found->start;
        return;
    }
}

/* The object at `index` may not have the ids of that place. It takes the next one that may be its own (there
 * are several if it was new several times), or is new. */
static void give_up_place(size_t index)
{
    struct hcct_object *place = &hcct_registry_objects[index];
    struct hcct_object *old = &hcct_registry_objects[object_count];
    while (old->start != place->before)
        old++;
    place->before = NULL;
    exchange(place, old);
    take_place(old, index + 1);
}

/* Whether all objects that are loaded again may have the ids of their places. Those that may not give them
 * up, after all were looked at: so objects that call each other move on together. */
static bool all_fit(size_t end)
{
    bool fits[HCCT_OBJECT_LIMIT], all = true;
    for (size_t i = 0; i < object_count; i++) {
        fits[i] = !hcct_registry_objects[i].before || hcct_numbering_fits(i, end);
        all &= fits[i];
    }
    for (size_t i = 0; i < object_count; i++)
        if (!fits[i])
            give_up_place(i);
    return all;
}

/* Moves those objects of [object_count, end) that are loaded again to their old places, by invariant 3.
 * Leaves the new ones in [object_count, result), and what was in those places in [result, end). */
static size_t take_places(size_t end)
{
    bool any = false;
    for (size_t i = object_count; i < end; i++) {
        take_place(&hcct_registry_objects[i], 0);
        any |= !hcct_registry_objects[i].loaded;
    }
    size_t room = HCCT_OBJECT_LIMIT - object_count;
    for (size_t i = 0; any && i < end; i++) {
        bool is_new = i >= object_count && hcct_registry_objects[i].loaded;
        if (hcct_registry_objects[i].before || (is_new && room))
            hcct_numbering_enter(i);
        room -= is_new && room;
    }
    while (any && !all_fit(end))
        continue;
    size_t new_end = object_count;
    for (size_t i = object_count; i < end; i++)
        if (hcct_registry_objects[i].loaded)
            exchange(&hcct_registry_objects[i], &hcct_registry_objects[new_end++]);
    return new_end;
}

/* Numbers the objects that took their old places. What was there is in [new_end, end). */
static void number_again(size_t count, size_t new_end, size_t end)
{
    hcct_numbering_repeat(count);
    for (size_t i = 0; i < count; i++) {
        struct hcct_object *object = &hcct_registry_objects[i];
        object->numbered |= object->before != NULL;
        object->before = NULL;
    }
    for (size_t i = new_end; i < end; i++) {
        move_count++;
        hcct_memory_unmap(hcct_registry_objects[i].copy,
                          hcct_registry_objects[i].image_end - hcct_registry_objects[i].image);
    }
}

/* --- numbering --------------------------------------------------------------------------------- */

/* Numbers the new objects: [object_count, count). */
static void number(size_t count)
{
    uint64_t id_count;
    bool linked = object_count == 0 && hcct_linked_fits(hcct_registry_objects, count, &id_count);
    enum hcct_numbered result =
        linked ? hcct_numbering_adopt(id_count) : hcct_numbering_begin(object_count, count);
    if (result == HCCT_NUMBERED_TWICE) {
        HCCT_SAY(
            1, hcct_registry_objects[object_count].path,
            " and what it runs in were both instrumented as whole programs: nothing is counted from here on");
        hcct_count_hooks.give_up();
    }
    for (size_t i = object_count; i < count; i++)
        if (result == HCCT_NUMBERED_TWICE)
            lose(&hcct_registry_objects[i]);
        else
            hcct_registry_objects[i].numbered = result == HCCT_NUMBERED;
}

/* How many of the new objects there is room for. */
static size_t within_limit(size_t found)
{
    static bool is_said; /* under the lock */
    if (object_count + found <= HCCT_OBJECT_LIMIT)
        return found;
    if (!is_said)
        HCCT_SAY(1, hcct_registry_objects[HCCT_OBJECT_LIMIT].path,
                 ": too many instrumented objects, so its calls are not counted, nor those of later objects");
    is_said = true;
    return HCCT_OBJECT_LIMIT - object_count;
}

void hcct_registry_discover(void)
{
    int saved = errno;
    struct search search = { 0 };
    hcct_busy_enter_to_write();
    take_lock();
    dl_iterate_phdr(visit, &search);
    if (!search.found && !object_count)
        visit_program(&search.found);
    size_t end = object_count + search.found, new_end = take_places(end);
    size_t count = object_count + within_limit(new_end - object_count);
    bool changed = count > object_count || new_end < end;
    if (count > object_count)
        number(count);
    for (size_t i = count; i < new_end; i++)
        hcct_bodies_remove(hcct_registry_objects[i].image, hcct_registry_objects[i].image_end);
    if (new_end < end)
        number_again(count, new_end, end);
    atomic_store_explicit(&object_count, count, memory_order_release);
    hcct_lock_release(&lock);
    hcct_busy_leave();
    if (changed)
        hcct_redirect_look();
    errno = saved;
}

void hcct_registry_find_body(const void *address)
{
    if (hcct_confined || !hcct_registry_hold())
        return;
    hcct_numbering_find_body(address);
    hcct_registry_let_go();
}

/* --- unloading --------------------------------------------------------------------------------- */

/* Copies the segments that may have records. Code is left out, if it has segments of its own. */
static int copy_image(struct dl_phdr_info *info, size_t size, void *object_to_copy)
{
    (void)size;
    struct hcct_object here = read_object(info), *object = object_to_copy;
    bool has_constants = false;
    if (here.start != object->start)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        has_constants |= info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags == PF_R;
    object->copy = hcct_memory_map(object->image_end - object->image);
    for (int i = 0; i < info->dlpi_phnum && object->copy; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_R &&
            !(has_constants && segment->p_flags & PF_X))
            memcpy(object->copy + (at - object->image), (const void *)at, segment->p_memsz);
    }
    return 1;
}

static void unload(struct hcct_object *object)
{
    dl_iterate_phdr(copy_image, object);
    if (!object->copy) {
        lose(object);
        return;
    }
    move_count++;
    ptrdiff_t moved = object->copy - (char *)object->image;
    hcct_bodies_remove(object->image, object->image_end);
    object->loaded = false;
    object->start = (const struct hcct_function *)((const char *)object->start + moved);
    object->stop = (const struct hcct_function *)((const char *)object->stop + moved);
}

void __hcct_unload(const struct hcct_function *start)
{
    if (hcct_confined)
        return;
    int saved = errno;
    hcct_busy_enter_to_write();
    hcct_hold();
    take_lock();
    for (size_t i = 0; i < object_count; i++)
        if (hcct_registry_objects[i].loaded && !hcct_registry_objects[i].early &&
            hcct_registry_objects[i].start == start)
            unload(&hcct_registry_objects[i]);
    hcct_lock_release(&lock);
    hcct_hold_release();
    hcct_busy_leave();
    errno = saved;
}

/* Whether the first record is still where it was. The loader is not asked, as its lock may be held for ever:
 * by another thread, by one that did not survive a fork, or by this thread, which a signal interrupted
 * there. */
static bool is_there(const struct hcct_object *object)
{
    struct hcct_function first;
    struct iovec here = { &first, sizeof first }, there = { (void *)(uintptr_t)object->start, sizeof first };
    ssize_t got = process_vm_readv(hcct_process_id(), &here, 1, &there, 1, 0);
    if (got < 0 && errno != EFAULT) /* the system forbids the call */
        return true;
    return got == sizeof first && memcmp(&first, &object->first, sizeof first) == 0;
}

static bool lock_within(int limit_ms)
{
    while (!hcct_lock_try(&lock)) {
        if (limit_ms-- == 0)
            return false;
        syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    return true;
}

void hcct_registry_lose_unloaded(void)
{
    int saved = errno;
    hcct_busy_enter_to_write();
    if (lock_within(1000)) {
        for (size_t i = 0; i < object_count; i++)
            if (hcct_registry_objects[i].loaded && !hcct_registry_objects[i].early &&
                !is_there(&hcct_registry_objects[i]))
                lose(&hcct_registry_objects[i]);
        hcct_lock_release(&lock);
    }
    hcct_busy_leave();
    errno = saved;
}

/* --- fork --------------------------------------------------------------------------------------- */

void hcct_registry_before_fork(void)
{
    if (lock_within(1000))
        hcct_lock_keep_for_fork(&lock);
}

void hcct_registry_after_fork(bool in_child)
{
    if (in_child)
        hcct_lock_begin_child(&lock);
    else
        hcct_lock_end_fork(&lock);
}
