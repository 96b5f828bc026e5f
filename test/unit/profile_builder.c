#include "profile_builder.h"
#include "encoding/graph.h"
#include "encoding/number.h"
#include "format/checksum.h"

#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static uint32_t append(struct builder_array *array, const void *elements, uint32_t count,
                       size_t element_bytes)
{
    while (array->capacity - array->count < count) {
        array->capacity = array->capacity ? array->capacity * 2 : 64;
        array->elements = must(realloc(array->elements, array->capacity * element_bytes));
    }
    memcpy((char *)array->elements + array->count * element_bytes, elements, count * element_bytes);
    array->count += count;
    return array->count - count;
}

void builder_open(struct builder *builder, const char *program)
{
    struct hcct_file_prefix root = { .parent = HCCT_FILE_NONE, .kind = HCCT_PREFIX_ROOT };
    *builder = (struct builder){ 0 };
    append(&builder->strings, "", 1, 1);
    append(&builder->prefixes, &root, 1, sizeof root);
    builder->run = (struct hcct_file_run){
        .mode = HCCT_MODE_CCT, .phi = 1e-4, .epsilon = 0, .build_id = 1, .profiles = 1
    };
    builder->counts.name = builder->counts.unit = builder_string(builder, "calls");
    builder->run.program = builder_string(builder, program);
    struct hcct_file_object object = { .path = builder->run.program };
    append(&builder->objects, &object, 1, sizeof object);
}

void builder_close(struct builder *builder)
{
    free(builder->strings.elements);
    free(builder->functions.elements);
    free(builder->sites.elements);
    free(builder->inlined.elements);
    free(builder->prefixes.elements);
    free(builder->contexts.elements);
    free(builder->cells.elements);
    free(builder->objects.elements);
    free(builder->function_at);
    free(builder->site_at);
}

uint32_t builder_string(struct builder *builder, const char *text)
{
    return *text ? append(&builder->strings, text, (uint32_t)strlen(text) + 1, 1) : 0;
}

uint32_t builder_function(struct builder *builder, const char *linkage, const char *source, const char *file,
                          uint32_t line, uint32_t flags)
{
    struct hcct_file_function function = {
        .linkage_name = builder_string(builder, linkage),
        .source_name = builder_string(builder, source),
        .file = builder_string(builder, file),
        .line = line,
        .flags = flags,
    };
    return append(&builder->functions, &function, 1, sizeof function);
}

uint32_t builder_inlined(struct builder *builder, const char *name, const char *file, uint32_t line,
                         const char *call_file, uint32_t call_line, uint32_t outer)
{
    struct hcct_file_inlined inlined = {
        .linkage_name = builder_string(builder, name),
        .source_name = builder_string(builder, name),
        .file = builder_string(builder, file),
        .line = line,
        .call_file = builder_string(builder, call_file),
        .call_line = call_line,
        .call_column = 3,
        .outer = outer,
    };
    return append(&builder->inlined, &inlined, 1, sizeof inlined);
}

uint32_t builder_site(struct builder *builder, uint32_t caller, uint32_t callee, const char *callee_name,
                      const char *file, uint32_t line, uint32_t column, uint32_t inlined)
{
    struct hcct_file_site site = {
        .caller = caller,
        .callee = callee,
        .callee_name = builder_string(builder, callee_name),
        .file = builder_string(builder, file),
        .line = line,
        .column = column,
        .inlined = inlined,
        .flags = callee != BUILDER_NONE ? HCCT_SITE_LOCAL
                 : *callee_name         ? HCCT_SITE_EXTERNAL
                                        : HCCT_SITE_INDIRECT,
        .delta = callee == BUILDER_NONE ? HCCT_DELTA_OPEN : 0,
    };
    const struct hcct_file_site *sites = builder->sites.elements;
    for (uint32_t i = 0; i < builder->sites.count; i++)
        site.ordinal += sites[i].caller == caller;
    site.ordinal++;
    site.id = (builder->sites.count * UINT64_C(0x9e3779b97f4a7c15)) | 1;
    return append(&builder->sites, &site, 1, sizeof site);
}

/* --- numbering ------------------------------------------------------------------------------------ */

static void number(struct builder *builder)
{
    uint32_t function_count = builder->functions.count, edge_count = 0;
    struct hcct_file_function *functions = builder->functions.elements;
    struct hcct_file_site *sites = builder->sites.elements;
    struct hcct_edge *edges = must(calloc(builder->sites.count + 1, sizeof *edges));
    uint8_t *enterable = must(malloc(function_count + 1));
    struct hcct_numbering numbering = {
        .base = must(calloc(function_count + 1, 8)),
        .contexts = must(calloc(function_count + 1, 8)),
        .delta = must(calloc(builder->sites.count + 1, 8)),
    };
    memset(enterable, 1, function_count);
    for (uint32_t i = 0; i < builder->sites.count; i++)
        if (sites[i].callee != BUILDER_NONE)
            edges[edge_count++] = (struct hcct_edge){ sites[i].caller, sites[i].callee, 128, false };
    struct hcct_graph graph = { function_count, edge_count, enterable, edges, HCCT_ID_FIRST, HCCT_ID_MAX };
    void *scratch = must(malloc(hcct_number_scratch_bytes(function_count, edge_count) + 8));
    if (!hcct_number(&graph, &numbering, scratch))
        abort();
    edge_count = 0;
    for (uint32_t i = 0; i < builder->sites.count; i++)
        if (sites[i].callee != BUILDER_NONE)
            sites[i].delta = numbering.delta[edge_count++];
    for (uint32_t i = 0; i < function_count; i++) {
        functions[i].base = numbering.base[i];
        functions[i].contexts = numbering.contexts[i];
    }
    free(scratch);
    free(edges);
    free(enterable);
    free(numbering.base);
    free(numbering.contexts);
    free(numbering.delta);
}

struct sort_key {
    uint64_t key;
    uint32_t handle;
};

static int compare_keys(const void *left, const void *right)
{
    const struct sort_key *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->handle < b->handle ? -1 : a->handle > b->handle;
}

/* Sorts an array by keys; the result tells where each element went. */
static uint32_t *sort_array(struct builder_array *array, size_t element_bytes, struct sort_key *keys)
{
    uint32_t *at = must(malloc((array->count + 1) * sizeof *at));
    char *sorted = must(malloc((array->count + 1) * element_bytes));
    qsort(keys, array->count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < array->count; i++) {
        at[keys[i].handle] = i;
        memcpy(sorted + i * element_bytes, (char *)array->elements + keys[i].handle * element_bytes,
               element_bytes);
    }
    free(array->elements);
    array->elements = sorted;
    array->capacity = array->count + 1;
    free(keys);
    return at;
}

void builder_number(struct builder *builder)
{
    number(builder);
    struct hcct_file_function *functions = builder->functions.elements;
    struct sort_key *keys = must(calloc(builder->functions.count + 1, sizeof *keys));
    for (uint32_t i = 0; i < builder->functions.count; i++)
        keys[i] = (struct sort_key){ functions[i].base, i };
    builder->function_at = sort_array(&builder->functions, sizeof *functions, keys);
    struct hcct_file_site *sites = builder->sites.elements;
    keys = must(calloc(builder->sites.count + 1, sizeof *keys));
    for (uint32_t i = 0; i < builder->sites.count; i++) {
        sites[i].caller = builder->function_at[sites[i].caller];
        if (sites[i].callee != BUILDER_NONE)
            sites[i].callee = builder->function_at[sites[i].callee];
        keys[i] = (struct sort_key){ sites[i].caller, i };
    }
    builder->site_at = sort_array(&builder->sites, sizeof *sites, keys);
}

/* --- contexts ------------------------------------------------------------------------------------- */

static uint64_t base_of(const struct builder *builder, uint32_t function)
{
    return ((const struct hcct_file_function *)builder->functions.elements)[builder->function_at[function]]
        .base;
}

struct builder_context builder_root(struct builder *builder, uint32_t function)
{
    return (struct builder_context){ base_of(builder, function), 0, function };
}

struct builder_context builder_bracket(struct builder *builder, uint32_t kind, uint64_t site,
                                       uint32_t function)
{
    struct hcct_file_prefix prefix = {
        .word = UINT64_C(0x123456789abcdef0) + site, .site = site, .parent = HCCT_FILE_NONE, .kind = kind
    };
    uint32_t index = append(&builder->prefixes, &prefix, 1, sizeof prefix);
    return (struct builder_context){ prefix.word + base_of(builder, function), index, function };
}

struct builder_context builder_call(struct builder *builder, struct builder_context from, uint32_t site,
                                    uint32_t entered)
{
    const struct hcct_file_site *sites = builder->sites.elements, *call = &sites[builder->site_at[site]];
    if (call->delta > 0)
        return (struct builder_context){ from.word + (uint64_t)call->delta, from.prefix, entered };
    struct hcct_file_prefix prefix = {
        .word = from.word, .site = call->id, .parent = from.prefix, .kind = HCCT_PREFIX_PUSH
    };
    uint32_t index = append(&builder->prefixes, &prefix, 1, sizeof prefix);
    return (struct builder_context){ hcct_mix(from.word, call->id) + base_of(builder, entered), index,
                                     entered };
}

void builder_count(struct builder *builder, struct builder_context context, uint64_t count, uint64_t error)
{
    struct hcct_file_context at = { .word = context.word, .prefix = context.prefix };
    struct hcct_file_cell cell = { .count = count, .error = error };
    cell.context = append(&builder->contexts, &at, 1, sizeof at);
    append(&builder->cells, &cell, 1, sizeof cell);
    builder->counts.total += count;
}

/* --- the file ------------------------------------------------------------------------------------- */

unsigned char *builder_write(const struct builder *builder, size_t *length)
{
    struct hcct_file_column column = builder->counts;
    struct hcct_file_note notes[HCCT_NOTE_COUNT];
    uint32_t note_count = 0;
    column.count = builder->cells.count;
    for (uint32_t i = 0; i < HCCT_NOTE_COUNT; i++)
        if (builder->notes[i])
            notes[note_count++] = (struct hcct_file_note){ .kind = i, .amount = builder->notes[i] };
    const struct {
        uint32_t kind;
        const void *bytes;
        size_t count, element_bytes;
    } parts[] = {
        { HCCT_FILE_RUN, &builder->run, 1, sizeof(struct hcct_file_run) },
        { HCCT_FILE_STRINGS, builder->strings.elements, builder->strings.count, 1 },
        { HCCT_FILE_OBJECTS, builder->objects.elements, builder->objects.count,
          sizeof(struct hcct_file_object) },
        { HCCT_FILE_FUNCTIONS, builder->functions.elements, builder->functions.count,
          sizeof(struct hcct_file_function) },
        { HCCT_FILE_SITES, builder->sites.elements, builder->sites.count, sizeof(struct hcct_file_site) },
        { HCCT_FILE_INLINED, builder->inlined.elements, builder->inlined.count,
          sizeof(struct hcct_file_inlined) },
        { HCCT_FILE_PREFIXES, builder->prefixes.elements, builder->prefixes.count,
          sizeof(struct hcct_file_prefix) },
        { HCCT_FILE_CONTEXTS, builder->contexts.elements, builder->contexts.count,
          sizeof(struct hcct_file_context) },
        { HCCT_FILE_COLUMNS, &column, 1, sizeof column },
        { HCCT_FILE_CELLS, builder->cells.elements, builder->cells.count, sizeof(struct hcct_file_cell) },
        { HCCT_FILE_NOTES, notes, note_count, sizeof *notes },
    };
    enum { PART_COUNT = sizeof parts / sizeof parts[0] };
    struct hcct_file_section table[PART_COUNT];
    struct hcct_file_header header = { .magic = { 'H', 'C', 'C', 'T', 'I', 'D', 'S', '\n' },
                                       .version = HCCT_FILE_VERSION,
                                       .header_bytes = sizeof header,
                                       .section_count = PART_COUNT };
    size_t end = sizeof header + sizeof table;
    for (int i = 0; i < PART_COUNT; i++) {
        size_t bytes = parts[i].count * parts[i].element_bytes;
        end = (end + 7) / 8 * 8;
        table[i] = (struct hcct_file_section){ .kind = parts[i].kind,
                                               .element_bytes = (uint32_t)parts[i].element_bytes,
                                               .offset = end,
                                               .bytes = bytes,
                                               .checksum = hcct_checksum(0, parts[i].bytes, bytes) };
        end += bytes;
    }
    header.file_bytes = *length = end;
    header.checksum = hcct_checksum(hcct_checksum(0, &header, sizeof header), table, sizeof table);
    unsigned char *file = must(calloc(1, end));
    memcpy(file, &header, sizeof header);
    memcpy(file + sizeof header, table, sizeof table);
    for (int i = 0; i < PART_COUNT; i++)
        if (table[i].bytes)
            memcpy(file + table[i].offset, parts[i].bytes, table[i].bytes);
    return file;
}
