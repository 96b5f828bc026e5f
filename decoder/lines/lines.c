/* See lines.h. Compilers need not write .debug_aranges, and clang does not: so the ranges of all compilation
 * units are read once and sorted. */
#include "decoder/lines/lines.h"

#include <stddef.h>

#ifdef HCCT_HAS_LIBDW
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "decoder/text/memory.h"

/* A part of the code of a compilation unit. Addresses are those in the file. */
struct range {
    Dwarf_Addr start, end;
    Dwarf_Off unit; /* of its DIE */
};

struct object {
    const char *path, *build_id; /* the profile's */
    const char *why;             /* what is missing; NULL: nothing */
    Dwfl *session;
    Dwarf *debug; /* NULL: there is none */
    struct range *ranges;
    uint32_t range_count, range_capacity;
};

struct hcct_lines {
    struct object *objects;
    struct hcct_source_frame **inlined; /* of all lines that were found */
    uint32_t count, capacity, inlined_count, inlined_capacity;
};

struct hcct_lines *hcct_lines_open(void)
{
    return hcct_memory_zeros(1, sizeof(struct hcct_lines));
}

/* --- an object --------------------------------------------------------------------------------------- */

/* As the runtime writes it into the profile. */
static bool has_build_id(Dwfl_Module *module, const char *wanted)
{
    const unsigned char *bits;
    GElf_Addr at;
    char text[65] = "";
    int length = dwfl_module_build_id(module, &bits, &at);
    for (size_t i = 0; (int)i < length && 2 * i + 2 < sizeof text; i++)
        snprintf(text + 2 * i, 3, "%02x", bits[i]);
    return !strcmp(text, wanted);
}

static int by_start(const void *left, const void *right)
{
    const struct range *a = left, *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

static void add_unit(struct object *object, Dwarf_Die *unit)
{
    Dwarf_Addr base, start, end;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(unit, next, &base, &start, &end)) > 0;) {
        hcct_memory_grow(&object->ranges, &object->range_capacity, object->range_count,
                         sizeof *object->ranges);
        object->ranges[object->range_count++] = (struct range){ start, end, dwarf_dieoffset(unit) };
    }
}

static void read_ranges(struct object *object)
{
    Dwarf_Off next;
    size_t header;
    for (Dwarf_Off unit = 0; dwarf_nextcu(object->debug, unit, &next, &header, NULL, NULL, NULL) == 0;
         unit = next) {
        Dwarf_Die die;
        if (dwarf_offdie(object->debug, unit + header, &die))
            add_unit(object, &die);
    }
    if (object->range_count)
        qsort(object->ranges, object->range_count, sizeof *object->ranges, by_start);
}

/* The path is the profile's, and not trusted: a regular file, and no compressed one, which libdwfl would
 * unpack whatever its size. -1: it is none. */
static int open_file(const char *path)
{
    struct stat info;
    char magic[SELFMAG];
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file >= 0 && !fstat(file, &info) && S_ISREG(info.st_mode) &&
        pread(file, magic, sizeof magic, 0) == sizeof magic && !memcmp(magic, ELFMAG, sizeof magic))
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* Returns what is missing, or NULL. */
static const char *open_object(struct object *object)
{
    static const Dwfl_Callbacks callbacks = { .find_debuginfo = dwfl_standard_find_debuginfo,
                                              .section_address = dwfl_offline_section_address };
    if (!*object->build_id)
        return "was linked without a build id (-Wl,--build-id)";
    int file = open_file(object->path);
    if (file < 0)
        return "is not there any more";
    object->session = dwfl_begin(&callbacks);
    Dwfl_Module *module =
        object->session ? dwfl_report_offline(object->session, object->path, object->path, file) : NULL;
    if (!module) {
        close(file);
        return "cannot be read";
    }
    dwfl_report_end(object->session, NULL, NULL);
    if (!has_build_id(module, object->build_id))
        return "is of another build now";
    Dwarf_Addr unused;
    object->debug = dwfl_module_getdwarf(module, &unused);
    if (!object->debug)
        return "has no debug information (-gline-tables-only)";
    read_ranges(object);
    return NULL;
}

static struct object *find_object(struct hcct_lines *lines, const char *path, const char *build_id)
{
    for (uint32_t i = 0; i < lines->count; i++)
        if (!strcmp(lines->objects[i].path, path) && !strcmp(lines->objects[i].build_id, build_id))
            return &lines->objects[i];
    hcct_memory_grow(&lines->objects, &lines->capacity, lines->count, sizeof *lines->objects);
    struct object *object = &lines->objects[lines->count++];
    *object = (struct object){ .path = path, .build_id = build_id };
    object->why = open_object(object);
    return object;
}

void hcct_lines_close(struct hcct_lines *lines)
{
    for (uint32_t i = 0; lines && i < lines->count; i++) {
        free(lines->objects[i].ranges);
        if (lines->objects[i].session)
            dwfl_end(lines->objects[i].session);
    }
    for (uint32_t i = 0; lines && i < lines->inlined_count; i++)
        free(lines->inlined[i]);
    if (lines) {
        free(lines->inlined);
        free(lines->objects);
    }
    free(lines);
}

/* --- a place ------------------------------------------------------------------------------------------ */

static bool find_unit(const struct object *object, Dwarf_Addr address, Dwarf_Die *unit)
{
    uint32_t low = 0, high = object->range_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (object->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < object->ranges[low - 1].end &&
           dwarf_offdie(object->debug, object->ranges[low - 1].unit, unit);
}

static const char *text_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute value;
    const char *text = dwarf_formstring(dwarf_attr_integrate(die, attribute, &value));
    return text ? text : "";
}

static uint32_t number_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute value;
    Dwarf_Word number = 0;
    return dwarf_formudata(dwarf_attr(die, attribute, &value), &number) == 0 ? (uint32_t)number : 0;
}

static const char *call_file_of(Dwarf_Die *unit, Dwarf_Die *inlined)
{
    Dwarf_Files *files;
    size_t count;
    uint32_t number = number_of(inlined, DW_AT_call_file);
    const char *file = dwarf_getsrcfiles(unit, &files, &count) == 0 && number < count
                           ? dwarf_filesrc(files, number, NULL, NULL)
                           : NULL;
    return file ? file : "";
}

/* The scopes at the address, up to the function that is not inlined. dwarf_getscopes knows the innermost
 * one, but goes on where the inlined function was written, not where it was inlined. */
static void find_inlined(struct hcct_lines *lines, Dwarf_Die *unit, Dwarf_Addr address,
                         struct hcct_source_line *line)
{
    Dwarf_Die *innermost = NULL, *scopes = NULL;
    int count = dwarf_getscopes(unit, address, &innermost) > 0 ? dwarf_getscopes_die(innermost, &scopes) : 0;
    free(innermost);
    struct hcct_source_frame *inlined = NULL;
    for (int i = 0; i < count && dwarf_tag(&scopes[i]) != DW_TAG_subprogram; i++) {
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
            continue;
        if (!inlined)
            inlined = hcct_memory_zeros((size_t)count, sizeof *inlined);
        uint32_t own = line->inlined_count++;
        inlined[own] = (struct hcct_source_frame){ .linkage = text_of(&scopes[i], DW_AT_linkage_name),
                                                   .source = text_of(&scopes[i], DW_AT_name),
                                                   .file = own ? inlined[own - 1].call_file : line->file,
                                                   .call_file = call_file_of(unit, &scopes[i]),
                                                   .call_line = number_of(&scopes[i], DW_AT_call_line) };
    }
    free(scopes);
    if (!inlined)
        return;
    hcct_memory_grow(&lines->inlined, &lines->inlined_capacity, lines->inlined_count, sizeof inlined);
    lines->inlined[lines->inlined_count++] = inlined;
    line->inlined = inlined;
}

bool hcct_lines_find(struct hcct_lines *lines, const char *path, const char *build_id, uint64_t address,
                     struct hcct_source_line *line, const char **why)
{
    struct object *object = find_object(lines, path, build_id);
    Dwarf_Die unit;
    *line = (struct hcct_source_line){ .file = "" };
    *why = object->why;
    if (object->debug && find_unit(object, address, &unit)) {
        Dwarf_Line *at = dwarf_getsrc_die(&unit, address);
        int number = 0;
        const char *file = at ? dwarf_linesrc(at, NULL, NULL) : NULL;
        if (at && file && dwarf_lineno(at, &number) == 0 && number > 0) {
            line->file = file;
            line->line = (uint32_t)number;
        }
        find_inlined(lines, &unit, address, line);
        return true;
    }
    if (!*why)
        *why = "has code without debug information";
    return false;
}

#else

struct hcct_lines *hcct_lines_open(void)
{
    return NULL;
}

void hcct_lines_close(struct hcct_lines *lines)
{
    (void)lines;
}

bool hcct_lines_find(struct hcct_lines *lines, const char *path, const char *build_id, uint64_t address,
                     struct hcct_source_line *line, const char **why)
{
    (void)lines, (void)path, (void)build_id, (void)address;
    *line = (struct hcct_source_line){ .file = "" };
    *why = "cannot be read: hcct-decode was built without libdw (elfutils)";
    return false;
}
#endif
