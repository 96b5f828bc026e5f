/* See discover.h. */
#define _GNU_SOURCE
#include "runtime/objects/discover.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/base/confined.h"
#include "runtime/base/say.h"
#include "runtime/core/busy.h"
#include "runtime/core/hooks.h"
#include "runtime/objects/bodies.h"
#include "runtime/objects/linked.h"
#include "runtime/objects/notes.h"
#include "runtime/objects/numbering.h"
#include "runtime/objects/record.h"
#include "runtime/objects/redirect.h"
#include "runtime/objects/registry.h"

/* All under the registry's lock. */

/* How many objects the loader had loaded and unloaded at the last search. */
static unsigned long long adds_seen, subs_seen;

/* The objects that are in the list. Those that a search finds stand behind them. */
static size_t listed(void)
{
    return hcct_registry_object_count();
}

/* --- finding ----------------------------------------------------------------------------------- */

/* Whether the object is in the list. Usually the list has it as loaded. Two cases differ:
 *   1. its first base is 0, but it had ids: it was unloaded unseen, and is loaded again. It is new;
 *   2. it has ids, but the list has it as unloaded: it is about to be unmapped. It is not new.
 * The loader's list usually has the objects in the same order, so the search begins behind the last one. */
static bool is_known(const struct hcct_object *object)
{
    static size_t at; /* under the lock */
    bool has_ids = hcct_record_state(object->start)->base != 0;
    for (size_t i = 0; i < listed(); i++) {
        at = at + 1 < listed() ? at + 1 : 0;
        struct hcct_object *known = &hcct_registry_objects[at];
        if (known->loaded && known->start == object->start && (has_ids || !known->numbered))
            return true;
        if (known->loaded && known->start == object->start)
            hcct_registry_lose(known);
        if (has_ids && !known->loaded && known->image == object->image)
            return true;
    }
    return false;
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
    for (size_t i = 0; i < listed(); i++)
        if (!hcct_registry_objects[i].loaded && is_same_build(object, &hcct_registry_objects[i]))
            return true;
    return false;
}

static void add_found(const struct dl_phdr_info *info, size_t *found)
{
    struct hcct_object object = hcct_notes_object(info);
    if (!object.start || object.start >= object.stop || !hcct_registry_has_places() || is_known(&object) ||
        listed() + *found == HCCT_OBJECT_LIMIT + HCCT_OBJECTS_FOUND)
        return;
    const char *path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : hcct_say_program_path();
    strncpy(object.path, path, sizeof object.path - 1);
    object.first = *object.start;
#ifndef HCCT_SHARED
    object.early = !listed();
#endif
    if (listed() == HCCT_OBJECT_LIMIT && *found && !may_return(&object))
        return; /* there is no room; one is told of */
    hcct_registry_objects[listed() + (*found)++] = object;
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
    for (size_t i = from; i < listed(); i++) {
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
    struct hcct_object *old = &hcct_registry_objects[listed()];
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
    for (size_t i = 0; i < listed(); i++) {
        fits[i] = !hcct_registry_objects[i].before || hcct_numbering_fits(i, end);
        all &= fits[i];
    }
    for (size_t i = 0; i < listed(); i++)
        if (!fits[i])
            give_up_place(i);
    return all;
}

/* Moves those objects of [listed(), end) that are loaded again to their old places, by invariant 3.
 * Leaves the new ones in [listed(), result), and what was in those places in [result, end). */
static size_t take_places(size_t end)
{
    bool any = false;
    for (size_t i = listed(); i < end; i++) {
        take_place(&hcct_registry_objects[i], 0);
        any |= !hcct_registry_objects[i].loaded;
    }
    size_t room = HCCT_OBJECT_LIMIT - listed();
    for (size_t i = 0; any && i < end; i++) {
        bool is_new = i >= listed() && hcct_registry_objects[i].loaded;
        if (hcct_registry_objects[i].before || (is_new && room))
            hcct_numbering_enter(i);
        room -= is_new && room;
    }
    while (any && !all_fit(end))
        continue;
    size_t new_end = listed();
    for (size_t i = listed(); i < end; i++)
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
    for (size_t i = new_end; i < end; i++)
        hcct_registry_forget(&hcct_registry_objects[i]);
}

/* --- numbering --------------------------------------------------------------------------------- */

/* Numbers the new objects: [listed(), count). */
static void number(size_t count)
{
    uint64_t id_count;
    bool linked = !listed() && hcct_linked_fits(hcct_registry_objects, count, &id_count);
    enum hcct_numbered result =
        linked ? hcct_numbering_adopt(id_count) : hcct_numbering_begin(listed(), count);
    if (result == HCCT_NUMBERED_TWICE) {
        HCCT_SAY(
            1, hcct_registry_objects[listed()].path,
            " and what it runs in were both instrumented as whole programs: nothing is counted from here on");
        hcct_count_hooks.give_up();
    }
    for (size_t i = listed(); i < count; i++)
        if (result == HCCT_NUMBERED_TWICE)
            hcct_registry_lose(&hcct_registry_objects[i]);
        else
            hcct_registry_objects[i].numbered = result == HCCT_NUMBERED;
}

/* How many of the new objects there is room for. */
static size_t within_limit(size_t found)
{
    static bool is_said; /* under the lock */
    if (listed() + found <= HCCT_OBJECT_LIMIT)
        return found;
    if (!is_said)
        HCCT_SAY(1, hcct_registry_objects[HCCT_OBJECT_LIMIT].path,
                 ": too many instrumented objects, so its calls are not counted, nor those of later objects");
    is_said = true;
    return HCCT_OBJECT_LIMIT - listed();
}

void hcct_discover_objects(void)
{
    int saved = errno;
    struct search search = { 0 };
    hcct_busy_enter_to_write();
    hcct_registry_lock();
    dl_iterate_phdr(visit, &search);
    if (!search.found && !listed())
        visit_program(&search.found);
    size_t end = listed() + search.found, new_end = take_places(end);
    size_t count = listed() + within_limit(new_end - listed());
    bool changed = count > listed() || new_end < end;
    if (count > listed())
        number(count);
    for (size_t i = count; i < new_end; i++)
        hcct_bodies_remove(hcct_registry_objects[i].image, hcct_registry_objects[i].image_end);
    if (new_end < end)
        number_again(count, new_end, end);
    hcct_registry_set_count(count);
    hcct_registry_unlock();
    hcct_busy_leave();
    if (changed)
        hcct_redirect_look();
    errno = saved;
}

void hcct_discover_body(const void *address)
{
    if (hcct_confined || !hcct_registry_hold())
        return;
    hcct_numbering_find_body(address);
    hcct_registry_let_go();
}
