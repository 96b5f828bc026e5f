/* See numbers.h. The runtime's own numbering (runtime/objects/numbering.c) runs over an image of the file. So
 * the file gets what the runtime would write at start; stand_ins.c has what that code needs of the rest of the
 * runtime.
 *
 * Invariants
 *   1. the file's mark (struct hcct_linked) is written last: a file that is half written is numbered at start;
 *   2. a file whose callees only the loader knows (an IFUNC, a symbol that is looked up) stays without. */
#include "numbers.h"
#include "elf_file.h"
#include "toolchain.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hcct/linked.h"
#include "hcct/locations.h"
#include "runtime/objects/notes.h"
#include "runtime/objects/numbering.h"
#include "runtime/objects/record.h"
#include "runtime/output/build.h"
#include "runtime/output/names.h"

enum { INLINED_LIMIT = 1 << 16 }; /* frames around a call */

/* --- reading ------------------------------------------------------------------------------------ */

/* Finds the records. */
static bool read_notes(const struct hcct_elf *elf, struct hcct_object *object)
{
    *object = (struct hcct_object){ .early = true, .loaded = true };
    for (size_t i = 0; i < hcct_elf_header(elf)->e_phnum; i++) {
        const Elf64_Phdr *segment = hcct_elf_segment(elf, i);
        const char *notes = hcct_elf_at(elf, segment->p_vaddr, segment->p_memsz);
        if (segment->p_type == PT_NOTE && notes && (uintptr_t)notes % 4 == 0)
            hcct_notes_read(object, notes, segment->p_memsz);
    }
    ptrdiff_t bytes = (const char *)object->stop - (const char *)object->start;
    return object->start && bytes > 0 && bytes % (ptrdiff_t)sizeof *object->start == 0 &&
           hcct_elf_has(elf, object->start, (uint64_t)bytes);
}

/* Whether `symbol` is in the image, and its address known. */
static bool is_known(const struct hcct_elf *elf, const struct hcct_symbol *symbol)
{
    return hcct_elf_has(elf, symbol, sizeof *symbol) && (uintptr_t)symbol->address != HCCT_ELF_UNKNOWN;
}

static bool is_text(const struct hcct_elf *elf, const char *text)
{
    return !text || (hcct_elf_has(elf, text, 1) && memchr(text, 0, hcct_elf_bytes_from(elf, text)));
}

/* Frames lead outwards, and end. */
static bool is_sound_inlined(const struct hcct_elf *elf, const struct hcct_inlined *inlined)
{
    for (unsigned depth = 0; inlined; inlined = hcct_rel_get(&inlined->outer))
        if (depth++ == INLINED_LIMIT || !hcct_elf_has(elf, inlined, sizeof *inlined) ||
            !hcct_elf_has(elf, hcct_locations_subprogram(inlined), sizeof(struct hcct_subprogram)) ||
            !is_text(elf, hcct_locations_name(inlined)))
            return false;
    return true;
}

static bool is_sound_site(const struct hcct_elf *elf, const struct hcct_site *site)
{
    const void *callee = hcct_rel_get(&site->callee);
    if (!callee)
        return true;
    switch (site->flags & HCCT_SITE_KIND_MASK) {
    case HCCT_SITE_LOCAL:
        return hcct_elf_has(elf, callee, sizeof(struct hcct_function));
    case HCCT_SITE_SYMBOL:
        return is_known(elf, callee);
    default:
        return true;
    }
}

/* Of locations, nothing is read here but the inlined frames around calls. */
static bool has_sound_scopes(const struct hcct_elf *elf, const struct hcct_function *function)
{
    const struct hcct_site *sites = hcct_record_sites(function);
    if (!hcct_elf_has(elf, sites + function->site_count, HCCT_LOCATIONS_NUMBER_MAX))
        return false;
    uint32_t count = hcct_locations_of(function).scope_count;
    if (!hcct_elf_has(elf, (const struct hcct_scope *)sites - count, count * sizeof(struct hcct_scope)))
        return false;
    for (uint32_t i = HCCT_SCOPE_TABLE; i < HCCT_SCOPE_TABLE + count; i++)
        if (!is_sound_inlined(elf, hcct_locations_inlined(function, i)))
            return false;
    return true;
}

/* Whether all that the numbering reads of a function is in the image, and its state in the file. */
static bool is_sound(const struct hcct_elf *elf, const struct hcct_function *function)
{
    const struct hcct_state *state = hcct_record_state(function);
    const struct hcct_site *sites = hcct_record_sites(function);
    uint64_t state_bytes = sizeof *state + 8 * (uint64_t)function->delta_count;
    if (!state || !hcct_elf_has(elf, state, state_bytes) || function->delta_count > function->site_count ||
        (function->site_count && !hcct_elf_has(elf, sites, function->site_count * sizeof *sites)))
        return false;
    if (!is_text(elf, hcct_rel_get(&function->linkage_name)))
        return false;
    if (function->flags & HCCT_FUNCTION_EXTERNAL && !is_known(elf, hcct_rel_get(&function->body)))
        return false;
    for (uint32_t i = 0; i < function->site_count; i++)
        if (!is_sound_site(elf, &sites[i]))
            return false;
    return !function->site_count || has_sound_scopes(elf, function);
}

static int compare_bases(const void *a, const void *b)
{
    uint64_t first = ((const struct hcct_image_function *)a)->base;
    uint64_t second = ((const struct hcct_image_function *)b)->base;
    return (first > second) - (first < second);
}

/* Puts the filter of names into the states. Returns how many words it has. */
static uint64_t add_names(const struct hcct_object *object, const struct hcct_image_function *functions,
                          uint32_t count)
{
    uint64_t words = hcct_names_words(count);
    uint64_t *filter = 2 * words <= count ? calloc(words, sizeof *filter) : NULL;
    if (!filter)
        return 0;
    hcct_names_fill(functions, count, filter, words);
    for (uint64_t i = 0; i < 2 * words; i++)
        hcct_record_state(&object->start[i])->names = (uint32_t)(filter[i / 2] >> 32 * (i % 2));
    free(filter);
    return words;
}

/* Computes what the profile tells of the whole build. */
static void describe_build(const struct hcct_object *object, struct hcct_linked *linked)
{
    size_t count = (size_t)(object->stop - object->start);
    struct hcct_image_function *functions =
        count <= UINT32_MAX >> HCCT_FUNCTION_PLACE_SHIFT ? calloc(count, sizeof *functions) : NULL;
    if (!functions)
        return;
    for (size_t i = 0; i < count; i++) {
        functions[i].record = &object->start[i];
        functions[i].base = hcct_record_state(&object->start[i])->base;
    }
    qsort(functions, count, sizeof *functions, compare_bases);
    for (size_t i = 0; i < count; i++)
        ((struct hcct_function *)(uintptr_t)functions[i].record)->flags |= (uint32_t)i
                                                                           << HCCT_FUNCTION_PLACE_SHIFT;
    linked->build = hcct_build_hash(functions, (uint32_t)count);
    linked->name_words = add_names(object, functions, (uint32_t)count);
    free(functions);
}

/* --- writing ------------------------------------------------------------------------------------ */

static bool write_states(const struct hcct_elf *elf, const struct hcct_object *object)
{
    const char *start = NULL, *end = NULL; /* of states that lie one behind the other */
    for (const struct hcct_function *f = object->start; f < object->stop; f++) {
        const char *state = (const char *)hcct_record_state(f);
        if (state != end && start && !hcct_elf_write(elf, start, (uint64_t)(end - start)))
            return false;
        start = state == end ? start : state;
        end = state + sizeof(struct hcct_state) + 8 * (size_t)f->delta_count;
    }
    return hcct_elf_write(elf, start, (uint64_t)(end - start));
}

static bool number(const struct hcct_elf *elf, struct hcct_linked *linked)
{
    struct hcct_object *object = &hcct_registry_objects[0];
    if (linked->abi != HCCT_ABI_VERSION || !read_notes(elf, object))
        return false;
    for (const struct hcct_function *f = object->start; f < object->stop; f++)
        if (!is_sound(elf, f))
            return false;
    if (hcct_numbering_begin(0, 1) != HCCT_NUMBERED)
        return false;
    *linked = (struct hcct_linked){
        .magic = HCCT_LINKED_NUMBERED,
        .abi = HCCT_ABI_VERSION,
        .function_count = (uint32_t)(object->stop - object->start),
        .records = (const char *)object->start - (const char *)linked,
        .id_count = hcct_numbering_id_count,
    };
    describe_build(object, linked);
    linked->check = hcct_linked_check(object->start, object->stop, object->own, linked);
    if (!write_states(elf, object) ||
        !hcct_elf_write(elf, object->start,
                        (uint64_t)((const char *)object->stop - (const char *)object->start)))
        return false;
    return hcct_elf_write(elf, linked, sizeof *linked);
}

bool hcct_numbers_write(const char *path)
{
    struct hcct_elf elf;
    bool good = hcct_elf_open(&elf, path);
    struct hcct_linked *linked =
        good ? hcct_elf_section(&elf, HCCT_LINKED_SECTION, sizeof(struct hcct_linked)) : NULL;
    good = linked && number(&elf, linked);
    hcct_elf_close(&elf);
    return good;
}

/* --- links -------------------------------------------------------------------------------------- */

bool hcct_numbers_are_wanted(void)
{
    const char *when = getenv("HCCT_NUMBERS");
    if (when && *when && strcmp(when, "link") != 0 && strcmp(when, "start") != 0)
        hcct_wrapper_fail("HCCT_NUMBERS is 'link' or 'start', not '%s'", when);
    return !when || strcmp(when, "start") != 0;
}

static void end_by(int signal_number)
{
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

int hcct_numbers_link(const struct hcct_arguments *run, const char *output)
{
    int status = 0;
    signal(SIGCHLD, SIG_DFL); /* if it were ignored, there would be no exit status */
    pid_t parent = getpid(), child = fork();
    if (child <= 0) { /* the child; or there can be none: then this process is the linker, and that is all */
        if (child == 0 && (prctl(PR_SET_PDEATHSIG, SIGTERM) || getppid() != parent))
            _exit(127);
        execv(run->items[0], run->items);
        hcct_wrapper_fail("cannot run %s: %s", run->items[0], strerror(errno));
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 1;
    if (WIFSIGNALED(status))
        end_by(WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        (void)hcct_numbers_write(output);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
