/* See lines.h. Compilers need not write .debug_aranges, and clang does not: so the ranges of all
 * compilation units are read and sorted when an object is opened, and those of a unit's functions when a
 * place in it is asked for. libdw's own search for scopes goes through all of a unit for each address. */
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

/* A part of the code of a unit or a function. Addresses are those in the file. */
struct range {
    Dwarf_Addr start, end;
    Dwarf_Off of; /* of a function: its DIE; of a unit: its index */
};

struct ranges {
    struct range *ranges; /* sorted */
    uint32_t count, capacity;
};

/* A compilation unit. */
struct unit {
    Dwarf_Off die;
    bool is_read;
    struct ranges functions; /* once it is read */
};

struct object {
    const char *path, *build_id; /* the profile's */
    const char *why;             /* what is missing; NULL: nothing */
    Dwfl *session;
    Dwarf *debug; /* NULL: there is none */
    struct unit *units;
    uint32_t unit_count, unit_capacity;
    struct ranges ranges; /* of the units */
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

static void add_ranges(struct ranges *to, Dwarf_Die *die, Dwarf_Off of)
{
    Dwarf_Addr base, start, end;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(die, next, &base, &start, &end)) > 0;) {
        hcct_memory_grow(&to->ranges, &to->capacity, to->count, sizeof *to->ranges);
        to->ranges[to->count++] = (struct range){ start, end, of };
    }
}

static void sort_ranges(struct ranges *ranges)
{
    if (ranges->count)
        qsort(ranges->ranges, ranges->count, sizeof *ranges->ranges, by_start);
}

static bool find_range(const struct ranges *ranges, Dwarf_Addr address, Dwarf_Off *of)
{
    uint32_t low = 0, high = ranges->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ranges->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || address >= ranges->ranges[low - 1].end)
        return false;
    *of = ranges->ranges[low - 1].of;
    return true;
}

static void read_units(struct object *object)
{
    Dwarf_Off next;
    size_t header;
    for (Dwarf_Off at = 0; dwarf_nextcu(object->debug, at, &next, &header, NULL, NULL, NULL) == 0;
         at = next) {
        Dwarf_Die die;
        if (!dwarf_offdie(object->debug, at + header, &die))
            continue;
        hcct_memory_grow(&object->units, &object->unit_capacity, object->unit_count, sizeof *object->units);
        object->units[object->unit_count] = (struct unit){ .die = dwarf_dieoffset(&die) };
        add_ranges(&object->ranges, &die, object->unit_count++);
    }
    sort_ranges(&object->ranges);
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
    read_units(object);
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

static void close_object(struct object *object)
{
    for (uint32_t i = 0; i < object->unit_count; i++)
        free(object->units[i].functions.ranges);
    free(object->units);
    free(object->ranges.ranges);
    if (object->session)
        dwfl_end(object->session);
}

void hcct_lines_close(struct hcct_lines *lines)
{
    for (uint32_t i = 0; lines && i < lines->count; i++)
        close_object(&lines->objects[i]);
    for (uint32_t i = 0; lines && i < lines->inlined_count; i++)
        free(lines->inlined[i]);
    if (lines) {
        free(lines->inlined);
        free(lines->objects);
    }
    free(lines);
}

/* --- a place ------------------------------------------------------------------------------------------ */

/* Functions may stand inside these. */
static bool is_scope(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
           tag == DW_TAG_module;
}

/* Goes through the unit's scopes and their functions, not into these: what is inlined there comes when it
 * is asked for. */
static void read_functions(struct unit *unit, Dwarf_Die *die)
{
    Dwarf_Die *path = NULL; /* from the unit down to the DIE that is looked at */
    uint32_t depth = 0, capacity = 0;
    Dwarf_Die at;
    for (bool is_there = dwarf_child(die, &at) == 0; is_there;) {
        int tag = dwarf_tag(&at);
        if (tag == DW_TAG_subprogram)
            add_ranges(&unit->functions, &at, dwarf_dieoffset(&at));
        Dwarf_Die child;
        if (is_scope(tag) && dwarf_child(&at, &child) == 0) {
            hcct_memory_grow(&path, &capacity, depth, sizeof *path);
            path[depth++] = at;
            at = child;
            continue;
        }
        while (!(is_there = dwarf_siblingof(&at, &at) == 0) && depth)
            at = path[--depth];
    }
    free(path);
    sort_ranges(&unit->functions);
    unit->is_read = true;
}

/* Which of the DIE's children is or holds code that was inlined at the address. */
static bool find_child(Dwarf_Die *die, Dwarf_Addr address, Dwarf_Die *child)
{
    for (bool is_there = dwarf_child(die, child) == 0; is_there;
         is_there = dwarf_siblingof(child, child) == 0) {
        int tag = dwarf_tag(child);
        if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
            dwarf_haspc(child, address) > 0)
            return true;
    }
    return false;
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

/* The functions that are inlined in `function` at the address, the outermost first. */
static Dwarf_Die *collect_inlined(Dwarf_Die function, Dwarf_Addr address, uint32_t *count)
{
    Dwarf_Die *found = NULL;
    uint32_t capacity = 0;
    *count = 0;
    while (find_child(&function, address, &function)) {
        if (dwarf_tag(&function) != DW_TAG_inlined_subroutine)
            continue;
        hcct_memory_grow(&found, &capacity, *count, sizeof *found);
        found[(*count)++] = function;
    }
    return found;
}

static void find_inlined(struct hcct_lines *lines, Dwarf_Die *unit, Dwarf_Die function, Dwarf_Addr address,
                         struct hcct_source_line *line)
{
    uint32_t count;
    Dwarf_Die *dies = collect_inlined(function, address, &count);
    if (!count)
        return;
    struct hcct_source_frame *inlined = hcct_memory_array(count, sizeof *inlined);
    for (uint32_t i = 0; i < count; i++) {
        Dwarf_Die *die = &dies[count - 1 - i];
        inlined[i] = (struct hcct_source_frame){ .linkage = text_of(die, DW_AT_linkage_name),
                                                 .source = text_of(die, DW_AT_name),
                                                 .file = i ? inlined[i - 1].call_file : line->file,
                                                 .call_file = call_file_of(unit, die),
                                                 .call_line = number_of(die, DW_AT_call_line) };
    }
    free(dies);
    hcct_memory_grow(&lines->inlined, &lines->inlined_capacity, lines->inlined_count, sizeof inlined);
    lines->inlined[lines->inlined_count++] = inlined;
    line->inlined = inlined;
    line->inlined_count = count;
}

static void find_line(Dwarf_Die *unit, Dwarf_Addr address, struct hcct_source_line *line)
{
    Dwarf_Line *at = dwarf_getsrc_die(unit, address);
    int number = 0;
    const char *file = at ? dwarf_linesrc(at, NULL, NULL) : NULL;
    if (!at || !file || dwarf_lineno(at, &number) != 0 || number <= 0)
        return;
    line->file = file;
    line->line = (uint32_t)number;
}

bool hcct_lines_find(struct hcct_lines *lines, const char *path, const char *build_id, uint64_t address,
                     struct hcct_source_line *line, const char **why)
{
    struct object *object = find_object(lines, path, build_id);
    Dwarf_Off index, function;
    Dwarf_Die die, of;
    *line = (struct hcct_source_line){ .file = "" };
    *why = object->why;
    if (object->debug && find_range(&object->ranges, address, &index) &&
        dwarf_offdie(object->debug, object->units[index].die, &die)) {
        struct unit *unit = &object->units[index];
        if (!unit->is_read)
            read_functions(unit, &die);
        find_line(&die, address, line);
        if (find_range(&unit->functions, address, &function) && dwarf_offdie(object->debug, function, &of))
            find_inlined(lines, &die, of, address, line);
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
