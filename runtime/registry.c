/* See registry.h. */
#define _GNU_SOURCE
#include "runtime/registry.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "encoding/encoding.h"
#include "hcct/allocation.h"
#include "runtime/bodies.h"
#include "runtime/count.h"
#include "runtime/guide.h"
#include "runtime/live.h"
#include "runtime/memory.h"
#include "runtime/options.h"
#include "runtime/thread.h"
#include "runtime/writer.h"

#define OBJECT_LIMIT 512

static struct hcct_object objects[OBJECT_LIMIT];
static size_t object_count;
uint64_t hcct_registry_id_count;
static uint32_t move_count; /* under the lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool hcct_registry_hold(void)
{
    enum { TRIES = 1 << 16 };
    for (unsigned i = 0; i < TRIES; i++) {
        if (pthread_mutex_trylock(&lock) == 0)
            return true;
        sched_yield();
    }
    return false;
}

void hcct_registry_let_go(void)
{
    pthread_mutex_unlock(&lock);
}

uint32_t hcct_registry_move_count(void)
{
    return move_count;
}

size_t hcct_registry_object_count(void)
{
    return __atomic_load_n(&object_count, __ATOMIC_ACQUIRE);
}

const struct hcct_object *hcct_registry_object(size_t index)
{
    return &objects[index];
}

/* --- finding ----------------------------------------------------------------------------------- */

static void copy_build_id(struct hcct_object *object, const unsigned char *bytes, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length && 2 * i + 2 < sizeof object->build_id; i++) {
        object->build_id[2 * i] = digits[bytes[i] >> 4];
        object->build_id[2 * i + 1] = digits[bytes[i] & 15];
    }
}

/* Whether a note of that name and type with at least that description begins at `at`. */
static bool is_note(const char *at, size_t bytes, const char *name, uint32_t type, size_t description)
{
    const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
    size_t name_bytes = strlen(name) + 1, start = sizeof *note + ((name_bytes + 3) & ~(size_t)3);
    return bytes >= start + description && note->n_namesz == name_bytes && note->n_type == type &&
           note->n_descsz >= description && bytes - start >= note->n_descsz &&
           memcmp(at + sizeof *note, name, name_bytes) == 0;
}

/* Looks at every multiple of 4: linkers disagree on the padding between notes of different alignment. */
static void read_notes(struct hcct_object *object, const char *at, size_t bytes)
{
    const size_t ours_bytes = sizeof(struct hcct_note) - offsetof(struct hcct_note, start);
    for (; bytes > sizeof(ElfW(Nhdr)); at += 4, bytes -= bytes < 4 ? bytes : 4) {
        if (is_note(at, bytes, "GNU", NT_GNU_BUILD_ID, 1))
            copy_build_id(object, (const unsigned char *)at + 16, ((const ElfW(Nhdr) *)at)->n_descsz);
        const struct hcct_note *note = (const struct hcct_note *)at;
        if (!is_note(at, bytes, HCCT_NOTE_NAME, HCCT_NOTE_TYPE, ours_bytes) || note->abi != HCCT_ABI_VERSION)
            continue;
        object->restores &= (note->settings & HCCT_SETTING_TIME) != 0;
        object->uncounted |= (note->settings & HCCT_SETTING_UNCOUNTED) != 0;
        object->clocks |= (note->settings & HCCT_SETTING_CLOCK) != 0;
        if (!object->start) {
            object->start = hcct_rel_get(&note->start);
            object->stop = hcct_rel_get(&note->stop);
        }
    }
}

/* Its records are gone: what was counted in it has no names. */
static void lose(struct hcct_object *object)
{
    move_count++;
    hcct_bodies_remove(object->image, object->image_end);
    object->loaded = false;
    object->stop = object->start;
}

/* Whether the object is in the list as it is now. One whose first base is 0 was unloaded behind our back and is here again,
 * if it ever had ids; one whose base is not, but which is in the list as unloaded, is about to be unmapped. */
static bool is_known(const struct hcct_object *object)
{
    bool has_ids = hcct_function_state(object->start)->base != 0;
    for (size_t i = 0; i < object_count; i++) {
        struct hcct_object *known = &objects[i];
        if (known->loaded && known->start == object->start && (has_ids || !known->numbered))
            return true;
        if (known->loaded && known->start == object->start)
            lose(known);
        if (has_ids && !known->loaded && known->image == object->image)
            return true;
    }
    return false;
}

/* The object's records and bounds; start is NULL if it has none. */
static struct hcct_object read_object(const struct dl_phdr_info *info)
{
    struct hcct_object object = { .image = UINTPTR_MAX, .loaded = true, .restores = true };
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_NOTE)
            read_notes(&object, (const char *)at, segment->p_memsz);
        if (segment->p_type == PT_LOAD) {
            object.image = at < object.image ? at : object.image;
            object.image_end =
                at + segment->p_memsz > object.image_end ? at + segment->p_memsz : object.image_end;
        }
    }
    return object;
}

static int visit(struct dl_phdr_info *info, size_t size, void *count)
{
    (void)size;
    size_t *found = count;
    struct hcct_object object = read_object(info);
    if (!object.start || object.start >= object.stop || is_known(&object) ||
        object_count + *found == OBJECT_LIMIT)
        return 0;
    const char *path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : hcct_program_path();
    strncpy(object.path, path, sizeof object.path - 1);
    object.first = *object.start;
#ifndef HCCT_SHARED
    object.early = object_count == 0;
#endif
    objects[object_count + (*found)++] = object;
    return 0;
}

/* --- callees ----------------------------------------------------------------------------------- */

/* Functions by number: those of objects[0] first. */
struct functions {
    size_t object_count;
    uint32_t first[OBJECT_LIMIT + 1]; /* number of each object's first function */
};

static void count_functions(struct functions *functions, size_t count)
{
    functions->object_count = count;
    functions->first[0] = 0;
    for (size_t i = 0; i < count; i++)
        functions->first[i + 1] = functions->first[i] + (uint32_t)(objects[i].stop - objects[i].start);
}

/* Makes the functions of an object known by the address of their code, where other code can call them. */
static void add_bodies(const struct hcct_object *object)
{
    size_t count = 0;
    for (const struct hcct_function *f = object->start; f < object->stop; f++)
        count += (f->flags & HCCT_FUNCTION_ENTERABLE) != 0;
    hcct_bodies_expect(count);
    for (const struct hcct_function *f = object->start; f < object->stop; f++) {
        hcct_function_state(f)->record = f;
        if (f->flags & HCCT_FUNCTION_ENTERABLE)
            hcct_bodies_add(f);
    }
}

static bool is_fixed(const struct hcct_function *function)
{
    return function->flags & HCCT_FUNCTION_FIXED;
}

static const struct hcct_function *function_at(const struct functions *functions, uint32_t number)
{
    size_t object = 0;
    while (number >= functions->first[object + 1])
        object++;
    return &objects[object].start[number - functions->first[object]];
}

static uint32_t find_record(const struct functions *functions, const struct hcct_function *record)
{
    for (size_t i = 0; i < functions->object_count; i++)
        if (record >= objects[i].start && record < objects[i].stop)
            return functions->first[i] + (uint32_t)(record - objects[i].start);
    return HCCT_NO_INDEX;
}

static uint32_t callee_of(const struct functions *functions, const struct hcct_site *site)
{
    const void *callee = hcct_rel_get(&site->callee);
    switch (site->flags & HCCT_SITE_KIND_MASK) {
    case HCCT_SITE_LOCAL:
        return find_record(functions, callee);
    case HCCT_SITE_SYMBOL: {
        const void *address = callee ? ((const struct hcct_symbol *)callee)->address : NULL;
        const struct hcct_state *state = address ? hcct_bodies_find(address) : NULL;
        return state ? find_record(functions, state->record) : HCCT_NO_INDEX;
    }
    default:
        return HCCT_NO_INDEX;
    }
}

/* --- numbering --------------------------------------------------------------------------------- */

/* The graph of the objects from `first_object` on, in memory of its own while they are numbered. */
struct draft {
    const struct functions *functions;
    size_t first_object, object_count;
    uint32_t first_function, function_count, edge_count;
    uint8_t *enterable;
    struct hcct_edge *edges;
    uint32_t *callees; /* of all sites, in order; NULL: not noted */
    struct hcct_numbering numbering;
    void *scratch;
    char *memory;
    size_t bytes;
};

#define FOR_EACH_FUNCTION(draft, f)                                                                          \
    for (size_t o_ = (draft)->first_object; o_ < (draft)->object_count; o_++)                                \
        for (const struct hcct_function *f = objects[o_].start; f < objects[o_].stop; f++)

static const struct hcct_site *sites_of(const struct hcct_function *function)
{
    return hcct_rel_get(&function->sites);
}

static size_t take(size_t *offset, size_t bytes)
{
    size_t at = *offset;
    *offset = (at + bytes + 63) & ~(size_t)63;
    return at;
}

static bool allocate(struct draft *draft)
{
    size_t n = draft->function_count, e = draft->edge_count, bytes = 0;
    size_t enterable = take(&bytes, n), edges = take(&bytes, e * sizeof *draft->edges);
    size_t callees = take(&bytes, e * sizeof *draft->callees);
    size_t base = take(&bytes, n * 8), contexts = take(&bytes, n * 8), delta = take(&bytes, e * 8);
    size_t scratch = take(&bytes, hcct_number_scratch_bytes((uint32_t)n, (uint32_t)e));
    char *memory = hcct_memory_map_now(bytes);
    if (!memory)
        return false;
    draft->memory = memory;
    draft->bytes = bytes;
    draft->enterable = (uint8_t *)(memory + enterable);
    draft->edges = (struct hcct_edge *)(memory + edges);
    draft->callees = (uint32_t *)(memory + callees);
    draft->numbering.base = (uint64_t *)(memory + base);
    draft->numbering.contexts = (uint64_t *)(memory + contexts);
    draft->numbering.delta = (int64_t *)(memory + delta);
    draft->scratch = memory + scratch;
    return true;
}

/* Whether the draft decides how calls from `caller` to `callee` are numbered. */
static bool is_edge(const struct draft *draft, const struct hcct_function *caller, uint32_t callee)
{
    return callee != HCCT_NO_INDEX && callee >= draft->first_function && !is_fixed(caller) &&
           !is_fixed(function_at(draft->functions, callee));
}

/* Functions with fixed ids are in the graph without an edge: they get ids that nobody uses. */
static void collect(struct draft *draft)
{
    uint32_t function = 0, edge = 0, number = 0;
    FOR_EACH_FUNCTION(draft, f)
    {
        draft->enterable[function] = (f->flags & HCCT_FUNCTION_ENTERABLE) != 0;
        for (uint32_t i = 0; i < f->site_count; i++) {
            const struct hcct_site *site = &sites_of(f)[i];
            uint32_t callee = draft->callees[number++] = callee_of(draft->functions, site);
            if (!is_edge(draft, f, callee))
                continue;
            draft->edges[edge++] = (struct hcct_edge){
                .caller = function,
                .callee = callee - draft->first_function,
                .weight = site->flags & HCCT_SITE_SETTLED ? HCCT_WEIGHT_SETTLED : hcct_guided_weight(site),
                .pushes = (site->flags & HCCT_SITE_PUSHES) != 0,
            };
        }
        function++;
    }
    draft->edge_count = edge;
}

/* The delta of a site to a function that is numbered already, or that the draft numbers apart from its callers, or to none. */
static int64_t outside_delta(const struct hcct_site *site, uint32_t callee, const struct draft *draft)
{
    const char *name = hcct_rel_get(&site->callee_name);
    if (callee == HCCT_NO_INDEX)
        return name && hcct_is_allocation(name, strlen(name)) ? HCCT_DELTA_NONE : HCCT_DELTA_OPEN;
    const struct hcct_function *function = function_at(draft->functions, callee);
    bool drafted = callee >= draft->first_function && !is_fixed(function) && draft->numbering.base;
    uint64_t base =
        drafted ? draft->numbering.base[callee - draft->first_function] : hcct_function_state(function)->base;
    return HCCT_DELTA_SIGN | (int64_t)base;
}

/* *number and *edge: the function's first site and edge in the draft; then those behind them. */
static void publish_deltas(const struct draft *draft, const struct hcct_function *f, uint32_t *number, uint32_t *edge)
{
    for (uint32_t i = 0; i < f->site_count; i++, ++*number) {
        const struct hcct_site *site = &sites_of(f)[i];
        uint32_t callee = draft->callees ? draft->callees[*number] : callee_of(draft->functions, site);
        int64_t delta = is_edge(draft, f, callee) ? draft->numbering.delta[(*edge)++]
                                                  : outside_delta(site, callee, draft);
        if (i < f->delta_count && !(is_fixed(f) && (site->flags & HCCT_SITE_KIND_MASK) == HCCT_SITE_LOCAL))
            __atomic_store_n(&hcct_function_state(f)->delta[i], delta, __ATOMIC_RELEASE);
    }
}

static void publish(struct draft *draft)
{
    uint32_t function = 0, number = 0, edge = 0;
    FOR_EACH_FUNCTION(draft, f)
    {
        if (!is_fixed(f))
            hcct_function_state(f)->contexts = draft->numbering.contexts[function];
        publish_deltas(draft, f, &number, &edge);
        function++;
    }
    /* Bases last: a base that is known promises that everything else is. */
    function = 0;
    FOR_EACH_FUNCTION(draft, f)
    {
        if (!is_fixed(f))
            __atomic_store_n(&hcct_function_state(f)->base, draft->numbering.base[function],
                             __ATOMIC_RELEASE);
        function++;
    }
}

/* Functions that the link numbered keep their ids. False if something else has those: two parts of the process were each
 * linked as all of it. */
static bool adopt_fixed(const struct draft *draft, uint32_t *fixed_count)
{
    uint64_t first = UINT64_MAX, end = 0, sum = 0;
    *fixed_count = 0;
    FOR_EACH_FUNCTION(draft, f)
    {
        const struct hcct_state *state = hcct_function_state(f);
        if (!is_fixed(f))
            continue;
        first = state->base < first ? state->base : first;
        end = state->base + state->contexts > end ? state->base + state->contexts : end;
        sum += state->contexts;
        ++*fixed_count;
    }
    if (*fixed_count && (first < HCCT_ID_FIRST + hcct_registry_id_count || sum > end - first))
        return false;
    if (*fixed_count)
        __atomic_store_n(&hcct_registry_id_count, end - HCCT_ID_FIRST, __ATOMIC_RELAXED);
    return true;
}

/* An object that was unloaded and is here again: its functions get the ids that they had. Calls that lead elsewhere now
 * push. */
static void number_again(struct hcct_object *again, const struct hcct_object *before,
                         const struct functions *functions)
{
    uint32_t first = functions->first[again - objects];
    size_t count = (size_t)(again->stop - again->start);
    struct draft draft = { .functions = functions,
                           .first_object = (size_t)(again - objects),
                           .first_function = first };
    for (size_t i = 0; i < count; i++) {
        const struct hcct_function *f = &again->start[i];
        const struct hcct_state *old = hcct_function_state(&before->start[i]);
        struct hcct_state *state = hcct_function_state(f);
        state->contexts = old->contexts;
        for (uint32_t s = 0; s < f->delta_count; s++) {
            uint32_t callee = callee_of(functions, &sites_of(f)[s]);
            bool inside = callee != HCCT_NO_INDEX && callee >= first && callee - first < count;
            uint64_t base = inside ? hcct_function_state(&before->start[callee - first])->base : 0;
            bool same = inside && old->delta[s] > 0 &&
                        old->base + (uint64_t)old->delta[s] - base <
                            hcct_function_state(&before->start[callee - first])->contexts;
            state->delta[s] = same     ? old->delta[s]
                              : inside ? HCCT_DELTA_SIGN | (int64_t)base
                                       : outside_delta(&sites_of(f)[s], callee, &draft);
        }
    }
    for (size_t i = 0; i < count; i++)
        __atomic_store_n(&hcct_function_state(&again->start[i])->base,
                         hcct_function_state(&before->start[i])->base, __ATOMIC_RELEASE);
}

static bool is_same_build(const struct hcct_object *a, const struct hcct_object *b)
{
    return a->build_id[0] && strcmp(a->build_id, b->build_id) == 0 &&
           a->stop - a->start == b->stop - b->start;
}

/* Objects that come again take their old places; returns how many new ones are left behind object_count. */
static size_t number_returned(size_t found)
{
    for (size_t i = object_count; i < object_count + found; i++)
        for (size_t o = 0; o < object_count; o++) {
            if (objects[o].loaded || objects[o].start == objects[o].stop ||
                !is_same_build(&objects[i], &objects[o]))
                continue;
            move_count++;
            struct hcct_object before = objects[o];
            objects[o] = objects[i];
            objects[i--] = objects[object_count + --found];
            struct functions functions;
            count_functions(&functions, object_count);
            add_bodies(&objects[o]);
            objects[o].numbered = true;
            number_again(&objects[o], &before, &functions);
            hcct_memory_unmap(before.copy, before.image_end - before.image);
            break;
        }
    return found;
}

static bool number_draft(struct draft *draft)
{
    collect(draft);
    uint64_t first_id = HCCT_ID_FIRST + hcct_registry_id_count;
    struct hcct_graph graph = {
        draft->function_count,
        draft->edge_count,
        draft->enterable,
        draft->edges,
        first_id,
        first_id + (HCCT_ID_MAX - first_id) / 4 * 3, /* some are left to what comes later */
    };
    if (!hcct_number(&graph, &draft->numbering, draft->scratch))
        return false;
    __atomic_store_n(&hcct_registry_id_count, draft->numbering.end_id - HCCT_ID_FIRST, __ATOMIC_RELAXED);
    return true;
}

static void number(size_t first_object, size_t count)
{
    struct functions functions;
    count_functions(&functions, count);
    struct draft draft = { .functions = &functions,
                           .first_object = first_object,
                           .object_count = count,
                           .first_function = functions.first[first_object] };
    uint32_t fixed_count;
    for (size_t i = first_object; i < count; i++)
        add_bodies(&objects[i]);
    FOR_EACH_FUNCTION(&draft, f)
    {
        draft.function_count++;
        draft.edge_count += f->site_count;
    }
    if (!adopt_fixed(&draft, &fixed_count)) {
        HCCT_SAY(
            1, objects[first_object].path,
            " and what it runs in were both instrumented as whole programs: nothing is counted from here on");
        hcct_count_give_up();
        for (size_t i = first_object; i < count; i++)
            lose(&objects[i]);
        return;
    }
    bool all_fixed = fixed_count == draft.function_count;
    if (all_fixed || (allocate(&draft) && number_draft(&draft))) {
        publish(&draft);
        for (size_t i = first_object; i < count; i++)
            objects[i].numbered = true;
    }
    if (draft.memory)
        hcct_memory_unmap(draft.memory, draft.bytes);
}

void hcct_registry_discover(void)
{
    int saved = errno;
    size_t found = 0;
    hcct_busy_enter();
    pthread_mutex_lock(&lock);
    dl_iterate_phdr(visit, &found);
    bool changed = found != 0;
    found = number_returned(found);
    if (found) {
        number(object_count, object_count + found);
        __atomic_store_n(&object_count, object_count + found, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    hcct_busy_leave();
    if (changed)
        hcct_live_publish_objects();
    errno = saved;
}

/* --- unloading --------------------------------------------------------------------------------- */

/* Copies what has records in it: all that is mapped, but for code where that is in segments of its own. */
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
    int saved = errno;
    hcct_busy_enter();
    hcct_profile_hold();
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < object_count; i++)
        if (objects[i].loaded && !objects[i].early && objects[i].start == start)
            unload(&objects[i]);
    pthread_mutex_unlock(&lock);
    hcct_profile_release();
    hcct_busy_leave();
    errno = saved;
}

/* Whether its first record is still where it was. The loader is not asked: another thread may be in the middle of something
 * there for ever, or have been when this process was forked, and a signal may have interrupted this one there. */
static bool is_there(const struct hcct_object *object)
{
    struct hcct_function first;
    struct iovec here = { &first, sizeof first }, there = { (void *)(uintptr_t)object->start, sizeof first };
    ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (got < 0 && errno != EFAULT) /* the system forbids it */
        return true;
    return got == sizeof first && memcmp(&first, &object->first, sizeof first) == 0;
}

static bool lock_within(int limit_ms)
{
    while (pthread_mutex_trylock(&lock) != 0) {
        if (limit_ms-- == 0)
            return false;
        syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    return true;
}

void hcct_registry_lose_unloaded(void)
{
    int saved = errno;
    hcct_busy_enter();
    if (lock_within(1000)) {
        for (size_t i = 0; i < object_count; i++)
            if (objects[i].loaded && !objects[i].early && !is_there(&objects[i]))
                lose(&objects[i]);
        pthread_mutex_unlock(&lock);
    }
    hcct_busy_leave();
    errno = saved;
}

/* --- fork --------------------------------------------------------------------------------------- */

static _Thread_local bool held_for_fork;

void hcct_registry_before_fork(void)
{
    held_for_fork = lock_within(1000);
}

void hcct_registry_after_fork(bool in_child)
{
    if (in_child)
        pthread_mutex_init(&lock, NULL);
    else if (held_for_fork)
        pthread_mutex_unlock(&lock);
    held_for_fork = false;
}
