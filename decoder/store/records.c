#include "decoder/store/records.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/reader.h"
#include "decoder/store/run.h"

/* --- strings -------------------------------------------------------------------------------------- */

static bool same_string(const void *strings, uint32_t offset, const void *text)
{
    return !strcmp((const char *)strings + offset, text);
}

static bool reserve_string(struct hcct_records *records, size_t bytes)
{
    struct hcct_profile *fixed = &records->fixed;
    uint64_t needed = (uint64_t)fixed->string_bytes + bytes, capacity = records->string_capacity;
    if (needed >= HCCT_FILE_NONE)
        return false;
    if (needed <= capacity)
        return true;
    capacity = 2 * needed < HCCT_FILE_NONE ? 2 * needed : HCCT_FILE_NONE;
    char *strings = realloc((void *)fixed->strings, capacity);
    if (!strings)
        return false;
    fixed->strings = strings;
    records->string_capacity = (uint32_t)capacity;
    return true;
}

static bool add_string(struct hcct_records *records, const char *text, uint32_t *offset)
{
    struct hcct_profile *fixed = &records->fixed;
    size_t length = strlen(text);
    *offset = 0;
    if (!length)
        return true;
    uint32_t hash = (uint32_t)hcct_hash_text(0, text, length);
    *offset = hcct_table_find(&records->string_table, hash, same_string, fixed->strings, text);
    if (*offset != HCCT_TABLE_NONE)
        return true;
    *offset = fixed->string_bytes;
    if (!reserve_string(records, length + 1) || !hcct_table_add(&records->string_table, hash, *offset))
        return false;
    memcpy((char *)fixed->strings + *offset, text, length + 1);
    fixed->string_bytes += (uint32_t)length + 1;
    return true;
}

uint32_t hcct_records_string(struct hcct_records *records, const char *text)
{
    uint32_t offset;
    return add_string(records, text, &offset) ? offset : 0;
}

/* --- finding --------------------------------------------------------------------------------------- */

static uint32_t find_function(const struct hcct_profile *fixed, uint64_t base)
{
    uint32_t low = 0, high = fixed->function_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fixed->functions[middle].base < base)
            low = middle + 1;
        else
            high = middle;
    }
    return low < fixed->function_count && fixed->functions[low].base == base ? low : HCCT_FILE_NONE;
}

/* The numbered callees of a call through a pointer come before the push for all others, which has the same
 * id. */
static int compare_sites(const void *left, const void *right)
{
    const struct hcct_file_site *a = left, *b = right;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    if ((a->delta > 0) != (b->delta > 0))
        return a->delta > 0 ? -1 : 1;
    return a->delta < b->delta ? -1 : a->delta > b->delta;
}

static uint32_t find_site(const struct hcct_profile *fixed, uint32_t caller,
                          const struct hcct_file_site *site)
{
    struct hcct_file_site key = { .id = site->id, .delta = site->delta, .caller = caller };
    const struct hcct_file_site *found = NULL;
    if (fixed->site_count && caller != HCCT_FILE_NONE)
        found = bsearch(&key, fixed->sites, fixed->site_count, sizeof key, compare_sites);
    return found ? (uint32_t)(found - fixed->sites) : HCCT_FILE_NONE;
}

void hcct_records_map(const struct hcct_profile *fixed, const struct hcct_profile *profile,
                      uint32_t *functions, uint32_t *sites)
{
    for (uint32_t i = 0; i < profile->function_count; i++)
        functions[i] = find_function(fixed, profile->functions[i].base);
    for (uint32_t i = 0; i < profile->site_count; i++)
        sites[i] = find_site(fixed, functions[profile->sites[i].caller], &profile->sites[i]);
}

/* --- adding ---------------------------------------------------------------------------------------- */

/* What is added of a profile. */
struct addition {
    struct hcct_records *records;
    const struct hcct_profile *from;
    uint32_t *functions, *sites; /* by index in `from`: the index in `fixed` */
    uint32_t *own;               /* by index in `fixed` as it was: the index of a function now */
    uint32_t *inlined;           /* by index in `from`: 1 is to be added; then the index in `fixed` */
    uint32_t new_functions, new_sites, new_inlined;
    uint32_t better; /* known ones of which it tells the line, and `fixed` does not */
};

static bool take_string(struct addition *add, uint32_t *offset)
{
    return add_string(add->records, hcct_profile_string(add->from, *offset), offset);
}

/* `elements` with room for `more`; NULL when memory is out. */
static void *grown(const void *elements, uint32_t count, uint32_t more, size_t bytes)
{
    return more < HCCT_FILE_NONE - count ? realloc((void *)elements, ((size_t)count + more + 1) * bytes)
                                         : NULL;
}

/* Objects are few: at most one for each library. */
static uint32_t find_object(const struct hcct_records *records, const struct hcct_profile *from,
                            uint32_t index)
{
    const struct hcct_profile *fixed = &records->fixed;
    const char *path = hcct_profile_string(from, from->objects[index].path),
               *build_id = hcct_profile_string(from, from->objects[index].build_id);
    for (uint32_t i = 0; i < fixed->object_count; i++)
        if (!strcmp(hcct_profile_string(fixed, fixed->objects[i].path), path) &&
            !strcmp(hcct_profile_string(fixed, fixed->objects[i].build_id), build_id))
            return i;
    return HCCT_FILE_NONE;
}

static bool take_function(struct addition *add, struct hcct_file_function *to, uint32_t index)
{
    *to = add->from->functions[index];
    if (to->object != HCCT_FILE_NONE)
        to->object = find_object(add->records, add->from, to->object);
    return take_string(add, &to->linkage_name) && take_string(add, &to->source_name) &&
           take_string(add, &to->file);
}

/* Merges two lists in order of base. */
static bool add_functions(struct addition *add)
{
    struct hcct_profile *fixed = &add->records->fixed;
    uint32_t old = fixed->function_count, all = old + add->new_functions, from = 0, own = 0;
    struct hcct_file_function *functions = malloc(((size_t)all + 1) * sizeof *functions);
    bool done = functions;
    for (uint32_t i = 0; done && i < all; i++) {
        while (from < add->from->function_count && add->functions[from] != HCCT_FILE_NONE)
            from++;
        bool is_new = own == old || (from < add->from->function_count &&
                                     add->from->functions[from].base < fixed->functions[own].base);
        if (is_new) {
            done = take_function(add, &functions[i], from++);
            continue;
        }
        functions[i] = fixed->functions[own];
        add->own[own++] = i;
    }
    if (!done) {
        free(functions);
        return false;
    }
    free((void *)fixed->functions);
    fixed->functions = functions;
    fixed->function_count = all;
    for (uint32_t i = 0; i < add->from->function_count; i++)
        add->functions[i] = find_function(fixed, add->from->functions[i].base);
    return true;
}

static bool add_inlined(struct addition *add)
{
    struct hcct_profile *fixed = &add->records->fixed;
    struct hcct_file_inlined *inlined =
        grown(fixed->inlined, fixed->inlined_count, add->new_inlined, sizeof *inlined);
    if (!inlined)
        return false;
    fixed->inlined = inlined;
    for (uint32_t i = 0; i < add->from->inlined_count; i++) {
        struct hcct_file_inlined frame = add->from->inlined[i];
        if (!add->inlined[i])
            continue;
        if (!take_string(add, &frame.linkage_name) || !take_string(add, &frame.source_name) ||
            !take_string(add, &frame.file) || !take_string(add, &frame.call_file))
            return false;
        if (frame.outer != HCCT_FILE_NONE) /* it comes before */
            frame.outer = add->inlined[frame.outer];
        add->inlined[i] = fixed->inlined_count;
        inlined[fixed->inlined_count++] = frame;
    }
    return true;
}

static uint32_t moved(const uint32_t *indices, uint32_t index)
{
    return index == HCCT_FILE_NONE ? index : indices[index];
}

static bool add_sites(struct addition *add)
{
    struct hcct_profile *fixed = &add->records->fixed;
    struct hcct_file_site *sites = grown(fixed->sites, fixed->site_count, add->new_sites, sizeof *sites);
    if (!sites)
        return false;
    fixed->sites = sites;
    for (uint32_t i = 0; i < fixed->site_count; i++) {
        sites[i].caller = add->own[sites[i].caller];
        sites[i].callee = moved(add->own, sites[i].callee);
    }
    for (uint32_t i = 0; i < add->from->site_count; i++) {
        struct hcct_file_site site = add->from->sites[i];
        if (add->sites[i] != HCCT_FILE_NONE)
            continue;
        site.caller = add->functions[site.caller];
        site.callee = moved(add->functions, site.callee);
        site.inlined = moved(add->inlined, site.inlined);
        if (!take_string(add, &site.callee_name) || !take_string(add, &site.file))
            return false;
        sites[fixed->site_count++] = site;
    }
    if (fixed->site_count)
        qsort(sites, fixed->site_count, sizeof *sites, compare_sites);
    return true;
}

/* Whether the line of a known site is told, for the first time. */
static bool knows_better(const struct addition *add, uint32_t site)
{
    uint32_t known = add->sites[site];
    return known != HCCT_FILE_NONE && !add->records->fixed.sites[known].line && add->from->sites[site].line;
}

/* Some of the files of a program may have been compiled without -g for one profile only. Comes before the
 * order of `fixed` changes. */
static bool take_lines(struct addition *add)
{
    struct hcct_profile *fixed = &add->records->fixed;
    bool done = true;
    for (uint32_t i = 0; done && i < add->from->function_count; i++) {
        uint32_t known = add->functions[i];
        const struct hcct_file_function *from = &add->from->functions[i];
        struct hcct_file_function *to = (struct hcct_file_function *)&fixed->functions[known];
        if (known == HCCT_FILE_NONE || to->line || !from->line)
            continue;
        to->line = from->line;
        to->file = from->file;
        to->source_name = from->source_name;
        done = take_string(add, &to->file) && take_string(add, &to->source_name);
    }
    for (uint32_t i = 0; done && i < add->from->site_count; i++) {
        const struct hcct_file_site *from = &add->from->sites[i];
        struct hcct_file_site *to = (struct hcct_file_site *)&fixed->sites[add->sites[i]];
        if (!knows_better(add, i))
            continue;
        to->file = from->file;
        to->line = from->line;
        to->column = from->column;
        to->discriminator = from->discriminator;
        to->inlined = moved(add->inlined, from->inlined);
        done = take_string(add, &to->file);
    }
    return done;
}

/* Finds out what is new. False if it does not fit to the build. */
static bool look(struct addition *add)
{
    const struct hcct_profile *fixed = &add->records->fixed, *from = add->from;
    hcct_records_map(fixed, from, add->functions, add->sites);
    for (uint32_t i = 0; i < from->function_count; i++) {
        uint32_t known = add->functions[i];
        add->new_functions += known == HCCT_FILE_NONE;
        if (known != HCCT_FILE_NONE && fixed->functions[known].contexts != from->functions[i].contexts)
            return false;
        add->better += known != HCCT_FILE_NONE && !fixed->functions[known].line && from->functions[i].line;
    }
    for (uint32_t i = 0; i < from->site_count; i++) {
        bool is_new = add->sites[i] == HCCT_FILE_NONE, is_better = knows_better(add, i);
        uint32_t at = is_new || is_better ? from->sites[i].inlined : HCCT_FILE_NONE;
        add->new_sites += is_new;
        add->better += is_better;
        for (; at != HCCT_FILE_NONE && !add->inlined[at]; at = from->inlined[at].outer) {
            add->inlined[at] = 1;
            add->new_inlined++;
        }
    }
    return true;
}

/* Of runs that loaded different libraries all are needed: leaves are named after them. */
static bool add_objects(struct hcct_records *records, const struct hcct_profile *from)
{
    struct hcct_profile *fixed = &records->fixed;
    for (uint32_t i = 0; i < from->object_count; i++) {
        if (find_object(records, from, i) != HCCT_FILE_NONE)
            continue;
        struct hcct_file_object *objects = grown(fixed->objects, fixed->object_count, 1, sizeof *objects);
        if (!objects)
            return false;
        fixed->objects = objects;
        objects += fixed->object_count;
        if (!add_string(records, hcct_profile_string(from, from->objects[i].path), &objects->path) ||
            !add_string(records, hcct_profile_string(from, from->objects[i].build_id), &objects->build_id))
            return false;
        fixed->object_count++;
    }
    return true;
}

/* The names of all functions are needed as long as some function may be missing. */
static bool add_names(struct hcct_profile *fixed, const struct hcct_profile *from, bool is_first)
{
    if (!from->name_count) {
        free((void *)fixed->names);
        fixed->names = NULL;
        fixed->name_count = 0;
    }
    if (!is_first || !from->name_count)
        return true;
    uint64_t *names = malloc(from->name_count * sizeof *names);
    if (names)
        memcpy(names, from->names, from->name_count * sizeof *names);
    fixed->names = names;
    fixed->name_count = names ? from->name_count : 0;
    return names;
}

/* The first profile: an empty string. The other arrays are empty, but never NULL. */
static bool begin(struct hcct_records *records, const struct hcct_profile *from)
{
    struct hcct_profile *fixed = &records->fixed;
    char *strings = malloc(1);
    fixed->strings = strings;
    fixed->functions = malloc(sizeof *fixed->functions);
    fixed->sites = malloc(sizeof *fixed->sites);
    fixed->inlined = malloc(sizeof *fixed->inlined);
    fixed->objects = malloc(sizeof *fixed->objects);
    if (!strings || !fixed->functions || !fixed->sites || !fixed->inlined || !fixed->objects)
        return false;
    *strings = 0;
    records->build_id = from->run->build_id;
    fixed->string_bytes = records->string_capacity = 1;
    return true;
}

static bool add_all(struct addition *add, struct hcct_error *error)
{
    bool fits = look(add);
    if (fits && !add->new_functions && !add->new_sites && !add->better)
        return true;
    bool done = fits && add_inlined(add) && take_lines(add) && add_functions(add) && add_sites(add);
    if (!fits || (done && !hcct_reader_is_numbering(&add->records->fixed)))
        return hcct_run_refuse_build("--force adds such files up by function and line", error);
    return done || hcct_error_out_of_memory(error);
}

bool hcct_records_add(struct hcct_records *records, const struct hcct_profile *profile,
                      struct hcct_error *error)
{
    bool is_first = !records->fixed.strings;
    if (is_first && !begin(records, profile))
        return hcct_error_out_of_memory(error);
    if (!add_objects(records, profile) || !add_names(&records->fixed, profile, is_first))
        return hcct_error_out_of_memory(error);
    size_t functions = profile->function_count, sites = profile->site_count, inlined = profile->inlined_count,
           own = records->fixed.function_count;
    uint32_t *memory = calloc(functions + sites + inlined + own + 1, sizeof *memory);
    struct addition add = { .records = records,
                            .from = profile,
                            .functions = memory,
                            .sites = memory + functions,
                            .inlined = memory + functions + sites,
                            .own = memory + functions + sites + inlined };
    bool done = memory ? add_all(&add, error) : hcct_error_out_of_memory(error);
    free(memory);
    return done;
}

void hcct_records_free(struct hcct_records *records)
{
    free((void *)records->fixed.strings);
    free((void *)records->fixed.functions);
    free((void *)records->fixed.sites);
    free((void *)records->fixed.inlined);
    free((void *)records->fixed.objects);
    free((void *)records->fixed.names);
    hcct_table_free(&records->string_table);
    *records = (struct hcct_records){ 0 };
}
