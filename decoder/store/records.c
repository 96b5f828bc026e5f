#include "decoder/store/records.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/reader.h"
#include "decoder/store/run.h"
#include "decoder/store/sum.h"

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
    uint32_t low = 0, high = fixed->code.function_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fixed->code.functions[middle].base < base)
            low = middle + 1;
        else
            high = middle;
    }
    return low < fixed->code.function_count && fixed->code.functions[low].base == base ? low : HCCT_FILE_NONE;
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
    if (fixed->code.site_count && caller != HCCT_FILE_NONE)
        found = bsearch(&key, fixed->code.sites, fixed->code.site_count, sizeof key, compare_sites);
    return found ? (uint32_t)(found - fixed->code.sites) : HCCT_FILE_NONE;
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
    const char *path = hcct_profile_string(from, from->code.objects[index].path),
               *build_id = hcct_profile_string(from, from->code.objects[index].build_id);
    for (uint32_t i = 0; i < fixed->code.object_count; i++)
        if (!strcmp(hcct_profile_string(fixed, fixed->code.objects[i].path), path) &&
            !strcmp(hcct_profile_string(fixed, fixed->code.objects[i].build_id), build_id))
            return i;
    return HCCT_FILE_NONE;
}

static bool take_function(struct addition *add, struct hcct_file_function *to, uint32_t index)
{
    *to = add->from->code.functions[index];
    to->evicted = 0;
    if (to->object != HCCT_FILE_NONE)
        to->object = find_object(add->records, add->from, to->object);
    return take_string(add, &to->linkage_name) && take_string(add, &to->source_name) &&
           take_string(add, &to->file);
}

/* Merges two lists in order of base. */
static bool add_functions(struct addition *add)
{
    struct hcct_profile *fixed = &add->records->fixed;
    uint32_t old = fixed->code.function_count, all = old + add->new_functions, from = 0, own = 0;
    struct hcct_file_function *functions = malloc(((size_t)all + 1) * sizeof *functions);
    bool done = functions;
    for (uint32_t i = 0; done && i < all; i++) {
        while (from < add->from->code.function_count && add->functions[from] != HCCT_FILE_NONE)
            from++;
        bool is_new = own == old || (from < add->from->code.function_count &&
                                     add->from->code.functions[from].base < fixed->code.functions[own].base);
        if (is_new) {
            done = take_function(add, &functions[i], from++);
            continue;
        }
        functions[i] = fixed->code.functions[own];
        add->own[own++] = i;
    }
    if (!done) {
        free(functions);
        return false;
    }
    free((void *)fixed->code.functions);
    fixed->code.functions = functions;
    fixed->code.function_count = all;
    for (uint32_t i = 0; i < add->from->code.function_count; i++)
        add->functions[i] = find_function(fixed, add->from->code.functions[i].base);
    return true;
}

static bool add_inlined(struct addition *add)
{
    struct hcct_profile *fixed = &add->records->fixed;
    struct hcct_file_inlined *inlined =
        grown(fixed->code.inlined, fixed->code.inlined_count, add->new_inlined, sizeof *inlined);
    if (!inlined)
        return false;
    fixed->code.inlined = inlined;
    for (uint32_t i = 0; i < add->from->code.inlined_count; i++) {
        struct hcct_file_inlined frame = add->from->code.inlined[i];
        if (!add->inlined[i])
            continue;
        if (!take_string(add, &frame.linkage_name) || !take_string(add, &frame.source_name) ||
            !take_string(add, &frame.file) || !take_string(add, &frame.call_file))
            return false;
        if (frame.outer != HCCT_FILE_NONE) /* it comes before */
            frame.outer = add->inlined[frame.outer];
        add->inlined[i] = fixed->code.inlined_count;
        inlined[fixed->code.inlined_count++] = frame;
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
    struct hcct_file_site *sites =
        grown(fixed->code.sites, fixed->code.site_count, add->new_sites, sizeof *sites);
    if (!sites)
        return false;
    fixed->code.sites = sites;
    for (uint32_t i = 0; i < fixed->code.site_count; i++) {
        sites[i].caller = add->own[sites[i].caller];
        sites[i].callee = moved(add->own, sites[i].callee);
    }
    for (uint32_t i = 0; i < add->from->code.site_count; i++) {
        struct hcct_file_site site = add->from->code.sites[i];
        if (add->sites[i] != HCCT_FILE_NONE)
            continue;
        site.caller = add->functions[site.caller];
        site.callee = moved(add->functions, site.callee);
        site.inlined = moved(add->inlined, site.inlined);
        if (!take_string(add, &site.callee_name) || !take_string(add, &site.file))
            return false;
        sites[fixed->code.site_count++] = site;
    }
    if (fixed->code.site_count)
        qsort(sites, fixed->code.site_count, sizeof *sites, compare_sites);
    return true;
}

/* Whether the line of a known site is told, for the first time. */
static bool knows_better(const struct addition *add, uint32_t site)
{
    uint32_t known = add->sites[site];
    return known != HCCT_FILE_NONE && !add->records->fixed.code.sites[known].line &&
           add->from->code.sites[site].line;
}

/* Some of the files of a program may have been compiled without -g for one profile only. Comes before the
 * order of `fixed` changes. */
static bool take_lines(struct addition *add)
{
    struct hcct_profile *fixed = &add->records->fixed;
    bool done = true;
    for (uint32_t i = 0; done && i < add->from->code.function_count; i++) {
        uint32_t known = add->functions[i];
        const struct hcct_file_function *from = &add->from->code.functions[i];
        struct hcct_file_function *to = (struct hcct_file_function *)&fixed->code.functions[known];
        if (known == HCCT_FILE_NONE || to->line || !from->line)
            continue;
        to->line = from->line;
        to->file = from->file;
        to->source_name = from->source_name;
        done = take_string(add, &to->file) && take_string(add, &to->source_name);
    }
    for (uint32_t i = 0; done && i < add->from->code.site_count; i++) {
        const struct hcct_file_site *from = &add->from->code.sites[i];
        struct hcct_file_site *to = (struct hcct_file_site *)&fixed->code.sites[add->sites[i]];
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
    for (uint32_t i = 0; i < from->code.function_count; i++)
        add->functions[i] = find_function(fixed, from->code.functions[i].base);
    for (uint32_t i = 0; i < from->code.site_count; i++)
        add->sites[i] = find_site(fixed, add->functions[from->code.sites[i].caller], &from->code.sites[i]);
    for (uint32_t i = 0; i < from->code.function_count; i++) {
        uint32_t known = add->functions[i];
        add->new_functions += known == HCCT_FILE_NONE;
        if (known != HCCT_FILE_NONE &&
            fixed->code.functions[known].contexts != from->code.functions[i].contexts)
            return false;
        add->better +=
            known != HCCT_FILE_NONE && !fixed->code.functions[known].line && from->code.functions[i].line;
    }
    for (uint32_t i = 0; i < from->code.site_count; i++) {
        bool is_new = add->sites[i] == HCCT_FILE_NONE, is_better = knows_better(add, i);
        uint32_t at = is_new || is_better ? from->code.sites[i].inlined : HCCT_FILE_NONE;
        add->new_sites += is_new;
        add->better += is_better;
        for (; at != HCCT_FILE_NONE && !add->inlined[at]; at = from->code.inlined[at].outer) {
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
    for (uint32_t i = 0; i < from->code.object_count; i++) {
        if (find_object(records, from, i) != HCCT_FILE_NONE)
            continue;
        struct hcct_file_object *objects =
            grown(fixed->code.objects, fixed->code.object_count, 1, sizeof *objects);
        if (!objects)
            return false;
        fixed->code.objects = objects;
        objects += fixed->code.object_count;
        if (!add_string(records, hcct_profile_string(from, from->code.objects[i].path), &objects->path) ||
            !add_string(records, hcct_profile_string(from, from->code.objects[i].build_id),
                        &objects->build_id))
            return false;
        fixed->code.object_count++;
    }
    return true;
}

/* The names of all functions are needed as long as some function may be missing. */
static bool add_names(struct hcct_profile *fixed, const struct hcct_profile *from, bool is_first)
{
    if (!from->code.name_count) {
        free((void *)fixed->code.names);
        fixed->code.names = NULL;
        fixed->code.name_count = 0;
    }
    if (!is_first || !from->code.name_count)
        return true;
    uint64_t *names = malloc(from->code.name_count * sizeof *names);
    if (names)
        memcpy(names, from->code.names, from->code.name_count * sizeof *names);
    fixed->code.names = names;
    fixed->code.name_count = names ? from->code.name_count : 0;
    return names;
}

/* The first profile: an empty string. The other arrays are empty, but never NULL. */
static bool begin(struct hcct_records *records, const struct hcct_profile *from)
{
    struct hcct_profile *fixed = &records->fixed;
    char *strings = malloc(1);
    fixed->strings = strings;
    fixed->code.functions = malloc(sizeof *fixed->code.functions);
    fixed->code.sites = malloc(sizeof *fixed->code.sites);
    fixed->code.inlined = malloc(sizeof *fixed->code.inlined);
    fixed->code.objects = malloc(sizeof *fixed->code.objects);
    if (!strings || !fixed->code.functions || !fixed->code.sites || !fixed->code.inlined ||
        !fixed->code.objects)
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
    size_t functions = profile->code.function_count, sites = profile->code.site_count,
           inlined = profile->code.inlined_count, own = records->fixed.code.function_count;
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

void hcct_records_add_evicted(struct hcct_records *records, const struct hcct_profile *profile)
{
    struct hcct_file_function *functions = (struct hcct_file_function *)records->fixed.code.functions;
    for (uint32_t i = 0; i < profile->code.function_count && !records->lacks_evicted; i++) {
        uint64_t evicted = profile->code.functions[i].evicted;
        uint32_t known =
            evicted ? find_function(&records->fixed, profile->code.functions[i].base) : HCCT_FILE_NONE;
        if (known != HCCT_FILE_NONE)
            functions[known].evicted = hcct_sum(functions[known].evicted, evicted);
    }
}

/* NULL: nobody has that id, or functions tell nothing. */
static struct hcct_file_function *function_of(const struct hcct_records *records, uint64_t id)
{
    struct hcct_file_function *functions = (struct hcct_file_function *)records->fixed.code.functions;
    uint32_t low = 0, count = records->lacks_evicted ? 0 : records->fixed.code.function_count;
    while (count) {
        uint32_t half = count / 2;
        bool before = functions[low + half].base <= id;
        low += before ? half + 1 : 0;
        count = before ? count - half - 1 : half;
    }
    return low && id - functions[low - 1].base < functions[low - 1].contexts ? &functions[low - 1] : NULL;
}

void hcct_records_give_calls(struct hcct_records *records, uint64_t id, uint64_t calls)
{
    struct hcct_file_function *function = function_of(records, id);
    if (function)
        function->evicted = hcct_sum(function->evicted, calls);
}

void hcct_records_take_calls(struct hcct_records *records, uint64_t id, uint64_t calls)
{
    struct hcct_file_function *function = function_of(records, id);
    if (function)
        function->evicted -= calls < function->evicted ? calls : function->evicted;
}

void hcct_records_drop_evicted(struct hcct_records *records)
{
    struct hcct_file_function *functions = (struct hcct_file_function *)records->fixed.code.functions;
    records->lacks_evicted = true;
    for (uint32_t i = 0; i < records->fixed.code.function_count; i++)
        functions[i].evicted = 0;
}

void hcct_records_free(struct hcct_records *records)
{
    free((void *)records->fixed.strings);
    free((void *)records->fixed.code.functions);
    free((void *)records->fixed.code.sites);
    free((void *)records->fixed.code.inlined);
    free((void *)records->fixed.code.objects);
    free((void *)records->fixed.code.names);
    hcct_table_free(&records->string_table);
    *records = (struct hcct_records){ 0 };
}
