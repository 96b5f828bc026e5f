/* Writes inferred paths as a profile, see infer_pack.h. Functions have one id each, HCCT_ID_FIRST and their
 * index in the binary, so that files of one binary can be added up. */
#include "heights/infer/infer_pack.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/pack.h"
#include "decoder/store/rows.h"
#include "decoder/text/text.h"
#include "encoding/context.h"
#include "format/names.h"
#include "hcct/abi.h"

struct packing {
    const struct hcct_inferred *inferred;
    const struct hcct_stack_paths *paths;
    uint64_t scale; /* of a sample */
    struct hcct_text strings;
    struct hcct_file_function *functions;
    struct hcct_file_site *sites;
    struct hcct_file_prefix *prefixes;
    struct hcct_file_context *contexts;
    struct hcct_file_cell *cells; /* of each context */
    struct hcct_file_run run;
    struct hcct_file_column counts;
    uint32_t function_count, site_count, prefix_count, context_count;
    bool *used;       /* by path: it has samples, or one below it has */
    bool *shown;      /* by function */
    uint32_t *number; /* by function: its index in the file */
    uint32_t *prefix; /* by path: the prefix of what it was called by */
    uint64_t *word;   /* by path */
    bool failed;
};

static uint32_t add_string(struct packing *packing, const char *text)
{
    size_t at = packing->strings.length;
    hcct_text_add(&packing->strings, text, strlen(text) + 1);
    packing->failed |= at > UINT32_MAX / 2;
    return (uint32_t)at;
}

static const char *linkage_of(const struct packing *packing, uint32_t function)
{
    const char *known = packing->paths->sources[function].linkage;
    return known ? known : packing->paths->binary->functions[function].name;
}

static uint64_t base_of(uint32_t function)
{
    return HCCT_ID_FIRST + (uint64_t)function;
}

/* --- what is used ---------------------------------------------------------------------------------- */

static void mark_used(struct packing *packing)
{
    const struct hcct_stack_paths *paths = packing->paths;
    for (uint32_t i = paths->count; i-- > 1;) {
        packing->used[i] |= packing->inferred->high[i] != 0;
        if (!packing->used[i])
            continue;
        packing->used[paths->paths[i].parent] = true;
        packing->shown[paths->paths[i].function] = true;
    }
    packing->used[0] = false;
    for (uint32_t i = 0; i < paths->binary->function_count; i++)
        packing->shown[i] |= packing->inferred->alone[i] != 0;
}

/* Those that are used; the last one stands for code of no function. */
static void add_functions(struct packing *packing)
{
    const struct hcct_stack_binary *binary = packing->paths->binary;
    for (uint32_t i = 0; i < binary->function_count; i++) {
        const struct hcct_stack_source *source = &packing->paths->sources[i];
        if (!packing->shown[i])
            continue;
        packing->number[i] = packing->function_count;
        packing->functions[packing->function_count++] = (struct hcct_file_function){
            .base = base_of(i),
            .contexts = 1,
            .linkage_name = add_string(packing, linkage_of(packing, i)),
            .source_name = source->source ? add_string(packing, source->source) : 0,
            .file = source->file ? add_string(packing, source->file) : 0,
            .line = source->line,
            .object = HCCT_FILE_NONE,
        };
    }
    packing->functions[packing->function_count++] =
        (struct hcct_file_function){ .base = base_of(binary->function_count),
                                     .contexts = 1,
                                     .linkage_name = add_string(packing, "[no function]"),
                                     .object = HCCT_FILE_NONE };
}

/* --- calls ----------------------------------------------------------------------------------------- */

static uint64_t site_id(const struct packing *packing, uint32_t caller, uint32_t callee)
{
    const char *names[2] = { linkage_of(packing, caller), linkage_of(packing, callee) };
    return hcct_hash_text(hcct_hash_text(1, names[0], strlen(names[0])), names[1], strlen(names[1])) | 1;
}

static int by_caller(const void *a, const void *b)
{
    const struct hcct_file_site *x = a, *y = b;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* A site for each pair of caller and callee. */
static void add_sites(struct packing *packing)
{
    const struct hcct_stack_paths *paths = packing->paths;
    uint32_t count = 0;
    for (uint32_t i = 1; i < paths->count; i++) {
        uint32_t parent = paths->paths[i].parent;
        if (!packing->used[i] || !parent)
            continue;
        uint32_t caller = paths->paths[parent].function;
        packing->sites[count++] =
            (struct hcct_file_site){ .id = site_id(packing, caller, paths->paths[i].function),
                                     .delta = HCCT_DELTA_OPEN,
                                     .caller = packing->number[caller],
                                     .callee = HCCT_FILE_NONE,
                                     .inlined = HCCT_FILE_NONE,
                                     .flags = HCCT_SITE_INDIRECT | HCCT_SITE_PUSHES };
    }
    qsort(packing->sites, count, sizeof *packing->sites, by_caller);
    for (uint32_t i = 0; i < count; i++)
        if (!i || by_caller(&packing->sites[i], &packing->sites[packing->site_count - 1]))
            packing->sites[packing->site_count++] = packing->sites[i];
}

/* --- contexts -------------------------------------------------------------------------------------- */

static uint32_t add_prefix(struct packing *packing, uint64_t word, uint64_t site, uint32_t parent,
                           enum hcct_prefix_kind kind)
{
    packing->prefixes[packing->prefix_count] =
        (struct hcct_file_prefix){ .word = word, .site = site, .parent = parent, .kind = kind };
    return packing->prefix_count++;
}

static void add_context(struct packing *packing, uint64_t word, uint32_t prefix, uint64_t high, uint64_t sure)
{
    packing->contexts[packing->context_count] = (struct hcct_file_context){ .word = word, .prefix = prefix };
    packing->cells[packing->context_count] =
        (struct hcct_file_cell){ .context = packing->context_count,
                                 .count = high * packing->scale,
                                 .error = (high - sure) * packing->scale };
    packing->context_count++;
}

static void add_paths(struct packing *packing)
{
    const struct hcct_stack_paths *paths = packing->paths;
    add_prefix(packing, 0, 0, HCCT_FILE_NONE, HCCT_PREFIX_ROOT);
    for (uint32_t i = 1; i < paths->count; i++) {
        uint32_t parent = paths->paths[i].parent, function = paths->paths[i].function;
        uint64_t hash = 0;
        if (!packing->used[i])
            continue;
        if (parent) {
            uint64_t site = site_id(packing, paths->paths[parent].function, function);
            packing->prefix[i] =
                add_prefix(packing, packing->word[parent], site, packing->prefix[parent], HCCT_PREFIX_PUSH);
            hash = hcct_context_push(packing->word[parent], site);
        }
        packing->word[i] = hcct_context_word(hash, base_of(function));
        if (packing->inferred->high[i])
            add_context(packing, packing->word[i], packing->prefix[i], packing->inferred->high[i],
                        packing->inferred->sure[i]);
    }
}

/* Samples of which only the function is known: under [unknown]. */
static void add_alone(struct packing *packing)
{
    const uint64_t hash = UINT64_C(0x756e6b6e6f776e21); /* of no path, in all likelihood */
    uint32_t prefix = add_prefix(packing, hash, 0, HCCT_FILE_NONE, HCCT_PREFIX_UNKNOWN);
    uint32_t count = packing->paths->binary->function_count;
    for (uint32_t i = 0; i < count; i++)
        if (packing->inferred->alone[i])
            add_context(packing, hcct_context_word(hash, base_of(i)), prefix, packing->inferred->alone[i],
                        packing->inferred->alone[i]);
    if (packing->inferred->elsewhere)
        add_context(packing, hcct_context_word(hash, base_of(count)), prefix, packing->inferred->elsewhere,
                    packing->inferred->elsewhere);
}

/* --- the file -------------------------------------------------------------------------------------- */

static uint64_t binary_hash(const struct hcct_stack_binary *binary)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < binary->function_count; i++)
        hash =
            hcct_hash_step(hcct_hash_text(hash, binary->functions[i].name, strlen(binary->functions[i].name)),
                           binary->functions[i].start);
    return hash;
}

static void fill_run(struct packing *packing, const struct hcct_stack_samples *samples)
{
    const struct hcct_inferred *inferred = packing->inferred;
    packing->scale = samples->interval_ns ? samples->interval_ns : 1;
    packing->run = (struct hcct_file_run){
        .mode = HCCT_MODE_CCT,
        .scheme = HCCT_SCHEME_HEIGHTS,
        .algorithm = HCCT_ALGORITHM_EXACT,
        .metric = samples->interval_ns ? HCCT_METRIC_TIME : HCCT_METRIC_WEIGHT,
        .phi = 1e-4,
        .profiles = 1,
        .program = add_string(packing, samples->program),
        .build_id = binary_hash(packing->paths->binary),
    };
    packing->counts = (struct hcct_file_column){
        .name = add_string(packing, hcct_metric_names[packing->run.metric]),
        .unit = add_string(packing, samples->interval_ns ? "ns" : "samples"),
        .guarantee = HCCT_GUARANTEE_PROBABILISTIC,
        .total = inferred->taken * packing->scale,
    };
}

static bool allocate(struct packing *packing)
{
    size_t paths = (size_t)packing->paths->count + 2,
           functions = (size_t)packing->paths->binary->function_count + 2;
    packing->functions = calloc(functions, sizeof *packing->functions);
    packing->sites = calloc(paths, sizeof *packing->sites);
    packing->prefixes = calloc(paths, sizeof *packing->prefixes);
    packing->contexts = calloc(paths + functions, sizeof *packing->contexts);
    packing->cells = calloc(paths + functions, sizeof *packing->cells);
    packing->used = calloc(paths, sizeof *packing->used);
    packing->shown = calloc(functions, sizeof *packing->shown);
    packing->number = calloc(functions, sizeof *packing->number);
    packing->prefix = calloc(paths, sizeof *packing->prefix);
    packing->word = calloc(paths, sizeof *packing->word);
    hcct_text_add(&packing->strings, "", 1);
    return packing->functions && packing->sites && packing->prefixes && packing->contexts && packing->cells &&
           packing->used && packing->shown && packing->number && packing->prefix && packing->word;
}

static void release(struct packing *packing)
{
    void *const memory[] = { packing->strings.bytes, packing->functions, packing->sites, packing->prefixes,
                             packing->contexts,      packing->cells,     packing->used,  packing->shown,
                             packing->number,        packing->prefix,    packing->word };
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
}

unsigned char *hcct_infer_pack(const struct hcct_inferred *inferred, const struct hcct_stack_paths *paths,
                               const struct hcct_stack_samples *samples, size_t *length)
{
    struct packing packing = { .inferred = inferred, .paths = paths };
    unsigned char *bytes = NULL;
    if (allocate(&packing)) {
        fill_run(&packing, samples);
        mark_used(&packing);
        add_functions(&packing);
        add_sites(&packing);
        add_paths(&packing);
        add_alone(&packing);
        packing.counts.count = packing.context_count;
        struct hcct_profile profile = {
            .run = &packing.run,
            .strings = packing.strings.bytes,
            .code.functions = packing.functions,
            .code.sites = packing.sites,
            .rows.prefixes = packing.prefixes,
            .rows.contexts = packing.contexts,
            .rows.columns = &packing.counts,
            .rows.cells = packing.cells,
            .string_bytes = (uint32_t)packing.strings.length,
            .code.function_count = packing.function_count,
            .code.site_count = packing.site_count,
            .rows.prefix_count = packing.prefix_count,
            .rows.context_count = packing.context_count,
            .rows.column_count = 1,
            .rows.cell_count = packing.context_count,
        };
        bytes = packing.failed ? NULL : hcct_profile_pack_sorted(&profile, length);
    }
    release(&packing);
    return bytes;
}
