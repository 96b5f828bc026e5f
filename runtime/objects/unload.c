/* See unload.h. */
#define _GNU_SOURCE
#include "runtime/objects/unload.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/uio.h>

#include "runtime/base/confined.h"
#include "runtime/base/memory.h"
#include "runtime/core/busy.h"
#include "runtime/core/hold.h"
#include "runtime/core/notice.h"
#include "runtime/objects/notes.h"
#include "runtime/objects/registry.h"

/* Copies the segments that may have records. Code is left out, if it has segments of its own. */
static int copy_image(struct dl_phdr_info *info, size_t size, void *object_to_copy)
{
    (void)size;
    struct hcct_object here = hcct_notes_object(info), *object = object_to_copy;
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
    if (object->copy)
        hcct_registry_move(object, object->copy - (char *)object->image);
    else
        hcct_registry_lose(object);
}

void __hcct_unload(const struct hcct_function *start)
{
    if (hcct_confined)
        return;
    int saved = errno;
    hcct_busy_enter_to_write();
    hcct_hold();
    hcct_registry_lock();
    for (size_t i = 0; i < hcct_registry_object_count(); i++)
        if (hcct_registry_objects[i].loaded && !hcct_registry_objects[i].early &&
            hcct_registry_objects[i].start == start)
            unload(&hcct_registry_objects[i]);
    hcct_registry_unlock();
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

void hcct_unload_unseen(void)
{
    int saved = errno;
    hcct_busy_enter_to_write();
    if (hcct_registry_lock_within(1000)) {
        for (size_t i = 0; i < hcct_registry_object_count(); i++)
            if (hcct_registry_objects[i].loaded && !hcct_registry_objects[i].early &&
                !is_there(&hcct_registry_objects[i]))
                hcct_registry_lose(&hcct_registry_objects[i]);
        hcct_registry_unlock();
    }
    hcct_busy_leave();
    errno = saved;
}
