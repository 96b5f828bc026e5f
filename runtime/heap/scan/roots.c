/* See roots.h.
 *
 * Objects are found by their mappings, not by dl_iterate_phdr: another thread may hold the dynamic linker's
 * lock, and wait for ours. Data of an object is a private writable mapping of a file, and the mapping without
 * a name that follows one (.bss), up to where program headers say that the object ends: a thread's stack may
 * follow. The program may have made a part of the data read-only since: program headers tell which mappings
 * are of the data. They tell it of the executable's, too, which may lie in the mapping of the brk heap, where
 * the two touch. */
#define _GNU_SOURCE
#include "runtime/heap/scan/roots.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/base/machine.h"
#include "runtime/base/say.h"

enum { THREAD_BYTES = 4096 /* the C library's data of a thread */ };

/* --- text ---------------------------------------------------------------------------------------- */

/* The hexadecimal number at *at, which is moved behind it. */
static uintptr_t read_number(const char **at, const char *end)
{
    uintptr_t number = 0;
    for (; *at < end; ++*at) {
        char c = **at;
        unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;
        if (digit > 15)
            break;
        number = number << 4 | digit;
    }
    return number;
}

static size_t read_file(const char *path, char *buffer, size_t bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, buffer, bytes);
    if (file >= 0)
        close(file);
    return length > 0 ? (size_t)length : 0;
}

size_t hcct_heap_roots_registers(int thread, uintptr_t registers[HCCT_HEAP_REGISTERS])
{
    char path[HCCT_SAY_THREAD_PATH_BYTES], text[256];
    size_t count = 0;
    const char *at = text,
               *end = text + read_file(hcct_say_thread_path(thread, "syscall", path), text, sizeof text);
    for (; at < end && count < HCCT_HEAP_REGISTERS; at++)
        if (*at == 'x') { /* the number of the system call, in front, is decimal */
            at++;
            registers[count++] = read_number(&at, end);
        }
    return count;
}

/* --- mappings ------------------------------------------------------------------------------------ */

struct mapping {
    uintptr_t start, end;
    bool is_readable; /* and private */
    bool is_writable; /* too */
    bool is_of_file;
    uintptr_t offset;  /* in the file */
    uint64_t file;     /* a hash of its device and number */
    const char *label; /* "heap]" for [heap]; ends at the end of the line */
};

/* A line such as "7f00-7f01 rw-p 0000 fe:00 1234    /usr/lib/libc.so.6". */
static struct mapping read_mapping(const char *line, const char *end)
{
    struct mapping mapping = { 0 };
    mapping.start = read_number(&line, end);
    line++;
    mapping.end = read_number(&line, end);
    if (end - line < 6)
        return mapping;
    mapping.is_readable = line[1] == 'r' && line[4] == 'p';
    mapping.is_writable = mapping.is_readable && line[2] == 'w';
    line += 6;
    mapping.offset = read_number(&line, end);
    const char *name = end;
    for (const char *at = line; at < end; at++)
        if (*at == '/' || *at == '[') {
            name = at;
            break;
        }
    mapping.is_of_file = name < end && *name == '/';
    mapping.label = name < end && *name == '[' ? name + 1 : "";
    for (; line < name; line++)
        mapping.file = mapping.file * 31 + (unsigned char)*line;
    return mapping;
}

static bool is_within(uintptr_t address, const struct mapping *mapping)
{
    return address >= mapping->start && address < mapping->end;
}

static bool is_labelled(const struct mapping *mapping, const char *label)
{
    return strncmp(mapping->label, label, strlen(label)) == 0;
}

/* --- what of a mapping is a root ------------------------------------------------------------------ */

static void visit(const struct hcct_heap_roots *roots, const struct mapping *mapping, uintptr_t start,
                  uintptr_t end, bool is_allocators)
{
    start = start > mapping->start ? start : mapping->start;
    end = end < mapping->end ? end : mapping->end;
    if (start < end)
        roots->visit(start, end, is_allocators);
}

/* The brk heap. It may have the executable's data, and in a static program the first thread's storage. */
static void visit_brk(const struct hcct_heap_roots *roots, const struct mapping *mapping)
{
    const ElfW(Phdr) *segments = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    size_t count = getauxval(AT_PHNUM), storage_bytes = 0;
    uintptr_t base = 0;
    for (size_t i = 0; i < count; i++)
        if (segments[i].p_type == PT_PHDR)
            base = (uintptr_t)segments - segments[i].p_vaddr;
    for (size_t i = 0; i < count; i++) {
        uintptr_t start = base + segments[i].p_vaddr;
        if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_W)
            visit(roots, mapping, start, start + segments[i].p_memsz, true);
        if (segments[i].p_type == PT_TLS)
            storage_bytes = segments[i].p_memsz + segments[i].p_align;
    }
    for (size_t i = 0; i < roots->thread_count; i++) {
        uintptr_t words = roots->threads[i].words;
        if (is_within(words, mapping))
            visit(roots, mapping, words - storage_bytes, words + storage_bytes + THREAD_BYTES, false);
    }
}

/* Behind the storage of the thread that lies below that of this one in the mapping: in front of it there is
 * nothing of this one's. The C library puts the storage of a thread at the upper end of its stack. */
static uintptr_t lowest_of(const struct hcct_heap_roots *roots, const struct mapping *mapping,
                           const struct hcct_heap_thread *thread)
{
    uintptr_t lowest = mapping->start;
    for (size_t i = 0; i < roots->thread_count; i++) {
        uintptr_t words = roots->threads[i].words;
        if (words < thread->words && words > lowest)
            lowest = words;
    }
    return lowest;
}

/* A mapping with stacks or with thread-local storage, from `start` on: from the lowest stack pointer on. That
 * of a thread may not be known, or be on another stack: then from the lowest place that may be this
 * thread's. */
static void visit_stack(const struct hcct_heap_roots *roots, const struct mapping *mapping, uintptr_t start)
{
    uintptr_t from = mapping->end;
    for (size_t i = 0; i < roots->thread_count; i++) {
        const struct hcct_heap_thread *thread = &roots->threads[i];
        uintptr_t lowest = mapping->end;
        if (is_within(thread->stack, mapping))
            lowest = thread->stack;
        else if (is_within(thread->words, mapping))
            lowest = lowest_of(roots, mapping, thread);
        from = lowest < from ? lowest : from;
    }
    if (from == mapping->end && is_labelled(mapping, "stack]"))
        from = mapping->start;
    visit(roots, mapping, from > start ? from : start, mapping->end, false);
}

struct state {
    uintptr_t file_end; /* of the last mapping that was an object's */
    bool was_allocators;
    uint64_t allocator; /* the allocator's file, once its code was met */
    /* of the last object, as its program headers tell; if they do not, the addresses are 0. The end of an
     * object whose headers are in no mapping is UINTPTR_MAX: not known. */
    uint64_t file;
    uintptr_t data_start, data_end, object_end;
};

/* With the mapping begins another object, or another file: where its data is. */
static void find_data(const struct hcct_heap_roots *roots, const struct mapping *mapping, struct state *state)
{
    enum { BYTES = 4096 };
    bool has_headers = mapping->offset == 0;
    const char *file = has_headers ? roots->read(mapping->start, BYTES) : NULL;
    const ElfW(Ehdr) *header = (const void *)file;
    state->file = mapping->file;
    state->data_start = state->data_end = 0;
    state->object_end = has_headers ? 0 : UINTPTR_MAX;
    if (!file || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_phoff % sizeof(void *) ||
        header->e_phoff > BYTES || header->e_phnum > (BYTES - header->e_phoff) / sizeof(ElfW(Phdr)))
        return;
    const ElfW(Phdr) *segment = (const void *)(file + header->e_phoff), *end = segment + header->e_phnum;
    while (segment < end && segment->p_type != PT_LOAD)
        segment++;
    if (segment == end)
        return;
    uintptr_t base = mapping->start - (segment->p_vaddr - segment->p_offset);
    for (; segment < end; segment++) {
        uintptr_t from = base + segment->p_vaddr;
        if (segment->p_type != PT_LOAD)
            continue;
        state->object_end = from + segment->p_memsz;
        if (!(segment->p_flags & PF_W))
            continue;
        state->data_start = state->data_start ? state->data_start : from;
        state->data_end = state->object_end;
    }
}

static void take(const struct hcct_heap_roots *roots, const struct mapping *mapping, struct state *state)
{
    bool follows = !mapping->is_of_file && !*mapping->label && mapping->start == state->file_end &&
                   mapping->start < state->object_end;
    bool is_of_object = mapping->is_of_file || follows;
    if (is_within(roots->allocator, mapping))
        state->allocator = mapping->file;
    bool is_allocators = mapping->is_of_file ? mapping->file == state->allocator : state->was_allocators;
    if (is_of_object) {
        state->file_end = mapping->end;
        state->was_allocators = is_allocators;
    }
    if (!mapping->is_readable)
        return;
    /* of a small object, several mappings have the file's first page */
    bool is_known = mapping->file == state->file && mapping->start < state->object_end;
    if (mapping->is_of_file && (mapping->offset == 0 ? !is_known : mapping->file != state->file))
        find_data(roots, mapping, state);
    if (is_labelled(mapping, "heap]"))
        visit_brk(roots, mapping);
    else if (is_of_object && mapping->is_writable)
        visit(roots, mapping, 0, follows ? state->object_end : UINTPTR_MAX, is_allocators);
    else if (is_of_object)
        visit(roots, mapping, state->data_start, state->data_end, is_allocators);
    if (mapping->is_writable && !mapping->is_of_file && !is_labelled(mapping, "heap]"))
        visit_stack(roots, mapping, follows ? state->object_end : mapping->start);
}

/* False if the file tells no mappings. */
static bool visit_all(const struct hcct_heap_roots *roots, const char *path)
{
    struct state state = { 0 };
    size_t held = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    for (ssize_t got; (got = read(file, roots->buffer + held, roots->buffer_bytes - held)) > 0;) {
        char *line = roots->buffer, *end = roots->buffer + held + got, *next;
        while ((next = memchr(line, '\n', (size_t)(end - line)))) {
            *next = 0; /* a label ends there */
            struct mapping mapping = read_mapping(line, next);
            take(roots, &mapping, &state);
            line = next + 1;
        }
        held = (size_t)(end - line);
        memmove(roots->buffer, line, held);
    }
    close(file);
    return state.file_end != 0;
}

/* The process's own file comes first, as emulators know that only. */
bool hcct_heap_roots_visit(const struct hcct_heap_roots *roots)
{
    char path[HCCT_SAY_THREAD_PATH_BYTES];
    return visit_all(roots, "/proc/self/maps") ||
           visit_all(roots, hcct_say_thread_path(roots->own_thread, "maps", path));
}
