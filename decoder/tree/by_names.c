/* The translation, see by_names.h. All contexts are decoded into one tree, whose frames and sites are those
 * of several builds. Then each node gets its place in the new encoding, parents before children. */
#include "decoder/tree/by_names.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/tree/contexts.h"
#include "encoding/context.h"

/* A node in the new encoding. */
struct place {
    uint64_t word; /* of the context (word, prefix); `open`: the hash of the prefix */
    uint32_t prefix;
    bool open; /* what is called from here has the same prefix */
    /* inlined: the function whose code it is in, its record, and a number made of the frames up to there */
    uint32_t holder, inlined;
    uint64_t chain;
    bool needed; /* inlined: a context, or a leaf below, is there */
};

struct translation {
    struct hcct_by_names *to;
    const struct hcct_profile *from;
    struct hcct_frames frames;
    struct hcct_tree tree;
    struct hcct_contexts contexts;
    uint32_t *context_node; /* HCCT_NODE_NONE: not known */
    struct place *places;   /* by node */
    uint64_t *thread_key;   /* by node */
    struct hcct_file_function *functions;
    struct hcct_file_site *sites;
    struct hcct_file_inlined *inlined;
    struct hcct_file_prefix *prefixes;
    struct hcct_file_thread *threads;
    struct hcct_file_context *contexts_out;
    struct hcct_file_column *columns;
    uint32_t function_count, site_count, inlined_count, prefix_count;
    bool keeps_ids; /* the original has this encoding: the ids of its sites are what they become */
};

/* --- nodes of contexts ------------------------------------------------------------------------------ */

static void find_nodes(struct translation *it)
{
    const struct hcct_profile *from = it->from;
    it->context_node = hcct_memory_array(from->rows.context_count, sizeof *it->context_node);
    for (uint32_t i = 0; i < from->rows.context_count && !it->tree.is_over; i++) {
        const struct hcct_file_context *context = &from->rows.contexts[i];
        it->context_node[i] = context->prefix == HCCT_FILE_NONE
                                  ? HCCT_NODE_NONE
                                  : hcct_contexts_node(&it->contexts, context->word, context->prefix);
    }
    it->to->lost_count = it->contexts.lost_count;
}

/* --- functions and threads ------------------------------------------------------------------------- */

/* Where a string of the profile is; 0 of one that is none of it. */
static uint32_t string_of(const struct translation *it, const char *text)
{
    uintptr_t at = (uintptr_t)text, start = (uintptr_t)it->from->strings;
    return at >= start && at < start + it->from->string_bytes ? (uint32_t)(at - start) : 0;
}

static uint64_t base_of(const struct translation *it, uint32_t frame)
{
    return HCCT_ID_FIRST +
           hcct_frames_frame_key(&it->frames, &it->frames.frames[frame]) % (HCCT_ID_MAX - HCCT_ID_FIRST - 1);
}

static uint32_t object_of(const struct translation *it, const struct hcct_tree_frame *frame)
{
    for (uint32_t i = 0; frame->object && i < it->from->code.object_count; i++)
        if (hcct_profile_string(it->from, it->from->code.objects[i].path) == frame->object)
            return i;
    return HCCT_FILE_NONE;
}

static int by_base(const void *left, const void *right)
{
    const struct hcct_file_function *a = left, *b = right;
    return hcct_tree_order(a->base, b->base);
}

static void add_functions(struct translation *it)
{
    it->functions = hcct_memory_array(it->frames.frame_count, sizeof *it->functions);
    uint32_t count = 0;
    for (uint32_t i = 0; i < it->frames.frame_count; i++) {
        const struct hcct_tree_frame *frame = &it->frames.frames[i];
        if (frame->kind == HCCT_FRAME_FUNCTION)
            it->functions[count++] = (struct hcct_file_function){
                .base = base_of(it, i),
                .contexts = 1,
                .linkage_name = string_of(it, frame->linkage),
                .source_name = string_of(it, frame->source),
                .file = string_of(it, frame->file),
                .line = frame->line,
                .flags = (frame->local ? HCCT_FUNCTION_LOCAL : 0u) |
                         (frame->number ? 0u : HCCT_FUNCTION_EXTERNAL), /* only calls of it are counted */
                .object = object_of(it, frame),
                .evicted = frame->evicted,
            };
    }
    qsort(it->functions, count, sizeof *it->functions, by_base);
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_file_function *last = &it->functions[it->function_count - 1];
        if (i && !by_base(&it->functions[i], last))
            last->evicted = hcct_sum(last->evicted, it->functions[i].evicted);
        else
            it->functions[it->function_count++] = it->functions[i];
    }
}

static uint32_t function_of(const struct translation *it, uint32_t frame)
{
    struct hcct_file_function key = { .base = base_of(it, frame) };
    const struct hcct_file_function *found =
        bsearch(&key, it->functions, it->function_count, sizeof key, by_base);
    return (uint32_t)(found - it->functions);
}

/* Comes before add_functions, because a thread's first function may be on no path. */
static void add_threads(struct translation *it)
{
    const struct hcct_threads *known = &it->contexts.threads;
    it->threads = hcct_memory_zeros(known->count, sizeof *it->threads);
    it->thread_key = hcct_memory_zeros(it->tree.node_count, sizeof *it->thread_key);
    for (uint32_t i = 0; i < known->count; i++) {
        uint32_t function = hcct_index_function(&it->from->numbering.index, known->threads[i].first);
        it->threads[i] = known->threads[i];
        it->threads[i].first =
            function == HCCT_NO_INDEX ? 0 : base_of(it, hcct_contexts_function(&it->contexts, function));
        it->threads[i].key = hcct_layout_thread_key(&it->threads[i]);
    }
    for (uint32_t i = 0; i < it->from->rows.prefix_count; i++) {
        const struct hcct_file_prefix *prefix = &it->from->rows.prefixes[i];
        const struct hcct_file_thread *thread =
            prefix->kind == HCCT_PREFIX_THREAD ? hcct_threads_find(known, prefix->word) : NULL;
        if (thread && it->contexts.attach_node[i] < it->tree.node_count)
            it->thread_key[it->contexts.attach_node[i]] = it->threads[thread - known->threads].key;
    }
}

/* --- places ---------------------------------------------------------------------------------------- */

static uint32_t add_prefix(struct translation *it, uint64_t word, uint64_t site, uint32_t parent,
                           enum hcct_prefix_kind kind)
{
    it->prefixes[it->prefix_count] =
        (struct hcct_file_prefix){ .word = word, .site = site, .parent = parent, .kind = kind };
    return it->prefix_count++;
}

/* The number of a call in the code of `caller`, which may be inlined there; of `callee` if that is not
 * instrumented, else NULL. */
static uint64_t site_id(const struct translation *it, uint32_t caller, const struct hcct_tree_site *site,
                        const struct hcct_tree_frame *callee)
{
    uint64_t chain = it->places[caller].chain, key = callee ? hcct_frames_frame_key(&it->frames, callee) : 0;
    bool is_exact = it->frames.objects && site && !site->loose;
    const struct hcct_tree_site *inlining =
        site ? NULL : &it->frames.sites[it->tree.nodes[caller].site]; /* of the frame that calls */
    if (it->keeps_ids && it->frames.objects && inlining && !inlining->loose)
        return inlining->id | 1;
    bool has_id = is_exact || (site && !site->line && (!chain || it->keeps_ids));
    if (has_id)
        return (callee && !it->keeps_ids ? hcct_hash_step(site->id, key) : site->id) | 1;
    chain = hcct_hash_step(chain, site ? hcct_frames_site_key(&it->frames, site) : 0);
    return hcct_hash_step(chain, key) | 1;
}

/* The place of what is called from the code at node `caller`: a push there. */
static void push(struct translation *it, uint32_t node, uint32_t caller, uint32_t site_index,
                 const struct hcct_tree_frame *callee)
{
    struct place *place = &it->places[node];
    bool is_inlined = it->places[caller].inlined != HCCT_FILE_NONE;
    uint32_t holder = is_inlined ? it->places[caller].holder : caller;
    const struct place *from = &it->places[holder];
    const struct hcct_tree_site *site = site_index == HCCT_FRAMES_NONE ? NULL : &it->frames.sites[site_index];
    struct hcct_file_site *record = &it->sites[it->site_count++];
    *record = (struct hcct_file_site){
        .id = site_id(it, caller, site, callee),
        .delta = HCCT_DELTA_OPEN,
        .caller = function_of(it, it->tree.nodes[holder].frame),
        .callee = HCCT_FILE_NONE,
        .callee_name = callee ? string_of(it, callee->linkage) : 0,
        .inlined = it->places[caller].inlined,
        .flags = HCCT_SITE_PUSHES | (callee ? HCCT_SITE_EXTERNAL : HCCT_SITE_INDIRECT),
    };
    if (site) {
        record->file = string_of(it, site->file);
        record->line = site->line;
        record->column = site->column;
        record->ordinal = site->ordinal;
        record->discriminator = site->discriminator;
    }
    place->prefix = add_prefix(it, from->word, record->id, from->prefix, HCCT_PREFIX_PUSH);
    place->word = hcct_context_push(from->word, record->id);
    place->open = true;
}

static void place_function(struct translation *it, uint32_t node)
{
    const struct hcct_tree_node *tree_node = &it->tree.nodes[node];
    struct place *place = &it->places[node];
    uint32_t parent = tree_node->parent;
    if (parent != HCCT_NODE_NONE && it->places[parent].open && it->places[parent].inlined == HCCT_FILE_NONE) {
        place->word = it->places[parent].word;
        place->prefix = it->places[parent].prefix;
    } else if (parent != HCCT_NODE_NONE) {
        push(it, node, parent, tree_node->site, NULL);
    }
    place->word = hcct_context_word(place->word, base_of(it, tree_node->frame));
    place->open = false;
}

static void place_inlined(struct translation *it, uint32_t node)
{
    const struct hcct_tree_node *tree_node = &it->tree.nodes[node];
    const struct hcct_tree_frame *frame = &it->frames.frames[tree_node->frame];
    const struct hcct_tree_site *site = &it->frames.sites[tree_node->site];
    const struct place *outer = &it->places[tree_node->parent];
    struct place *place = &it->places[node];
    it->inlined[it->inlined_count] =
        (struct hcct_file_inlined){ .linkage_name = string_of(it, frame->linkage),
                                    .source_name = string_of(it, frame->source),
                                    .file = string_of(it, frame->file),
                                    .line = frame->line,
                                    .call_file = string_of(it, site->file),
                                    .call_line = site->line,
                                    .call_column = (uint16_t)site->column,
                                    .call_discriminator = (uint16_t)site->discriminator,
                                    .outer = outer->inlined };
    place->inlined = it->inlined_count++;
    place->holder = outer->inlined == HCCT_FILE_NONE ? tree_node->parent : outer->holder;
    place->chain = hcct_hash_step(hcct_hash_step(outer->chain + 1, hcct_frames_frame_key(&it->frames, frame)),
                                  hcct_frames_site_key(&it->frames, site));
    if (place->needed) /* as uninstrumented code that was called here through a pointer */
        push(it, node, node, HCCT_FRAMES_NONE, NULL);
}

static void place_leaf(struct translation *it, uint32_t node, const struct hcct_tree_frame *frame)
{
    uint32_t parent = it->tree.nodes[node].parent;
    struct place *place = &it->places[node];
    uint64_t site = hcct_layout_leaf_site(frame->linkage),
             word = parent == HCCT_NODE_NONE ? 0 : it->places[parent].word;
    place->prefix = add_prefix(it, word, site, parent == HCCT_NODE_NONE ? 0 : it->places[parent].prefix,
                               HCCT_PREFIX_LEAF);
    place->word = hcct_context_leaf(word, site);
    place->open = true;
}

/* [unknown], [signal N], [thread N]. */
static void place_root(struct translation *it, uint32_t node, const struct hcct_tree_frame *frame)
{
    struct place *place = &it->places[node];
    place->open = true;
    if (frame->kind == HCCT_FRAME_THREAD) {
        place->prefix =
            add_prefix(it, it->thread_key[node], frame->number, HCCT_FILE_NONE, HCCT_PREFIX_THREAD);
        place->word = hcct_context_thread(frame->number);
        return;
    }
    bool signal = frame->kind == HCCT_FRAME_SIGNAL;
    place->word = hcct_frames_frame_key(&it->frames, frame);
    place->prefix = add_prefix(it, place->word, signal ? frame->number : 0, HCCT_FILE_NONE,
                               signal ? HCCT_PREFIX_SIGNAL : HCCT_PREFIX_UNKNOWN);
}

static void place_node(struct translation *it, uint32_t node)
{
    const struct hcct_tree_node *tree_node = &it->tree.nodes[node];
    const struct hcct_tree_frame *frame = &it->frames.frames[tree_node->frame];
    it->places[node].inlined = HCCT_FILE_NONE;
    if (frame->kind == HCCT_FRAME_FUNCTION)
        place_function(it, node);
    else if (frame->kind == HCCT_FRAME_INLINED)
        place_inlined(it, node);
    else if (frame->kind != HCCT_FRAME_EXTERNAL)
        place_root(it, node, frame);
    else if (tree_node->site == HCCT_FRAMES_NONE)
        place_leaf(it, node, frame);
    else
        push(it, node, tree_node->parent, tree_node->site, frame);
}

static void mark_needed(struct translation *it)
{
    for (uint32_t i = 0; i < it->from->rows.context_count; i++)
        if (it->context_node[i] != HCCT_NODE_NONE)
            it->places[it->context_node[i]].needed = true;
    for (uint32_t i = 0; i < it->tree.node_count; i++)
        if (it->tree.nodes[i].site == HCCT_FRAMES_NONE && it->tree.nodes[i].parent != HCCT_NODE_NONE)
            it->places[it->tree.nodes[i].parent].needed = true;
}

static int by_caller(const void *left, const void *right)
{
    const struct hcct_file_site *a = left, *b = right;
    return a->caller != b->caller ? hcct_tree_order(a->caller, b->caller) : hcct_tree_order(a->id, b->id);
}

static void place_nodes(struct translation *it)
{
    size_t nodes = it->tree.node_count;
    it->places = hcct_memory_zeros(nodes, sizeof *it->places);
    it->sites = hcct_memory_array(nodes, sizeof *it->sites);
    it->inlined = hcct_memory_array(nodes, sizeof *it->inlined);
    it->prefixes = hcct_memory_array(nodes + 1, sizeof *it->prefixes);
    add_prefix(it, 0, 0, HCCT_FILE_NONE, HCCT_PREFIX_ROOT);
    mark_needed(it);
    for (uint32_t i = 0; i < it->tree.node_count; i++)
        place_node(it, i);
    uint32_t count = it->site_count;
    it->site_count = 0;
    qsort(it->sites, count, sizeof *it->sites, by_caller);
    for (uint32_t i = 0; i < count; i++)
        if (!i || by_caller(&it->sites[i], &it->sites[it->site_count - 1]))
            it->sites[it->site_count++] = it->sites[i];
}

/* --- contexts -------------------------------------------------------------------------------------- */

static void add_contexts(struct translation *it)
{
    const struct hcct_profile *from = it->from;
    it->contexts_out = hcct_memory_array(from->rows.context_count, sizeof *it->contexts_out);
    for (uint32_t i = 0; i < from->rows.context_count; i++) {
        struct hcct_file_context *context = &it->contexts_out[i];
        uint32_t node = it->context_node[i];
        *context = from->rows.contexts[i];
        if (node == HCCT_NODE_NONE) { /* its word means something in its build only */
            context->word = hcct_hash_step(from->run->build_id, context->word);
            context->prefix = context->prefix == HCCT_FILE_NONE ? HCCT_FILE_NONE : 0; /* still undecodable */
            continue;
        }
        context->word = it->places[node].word;
        context->prefix = it->places[node].prefix;
    }
}

/* What has no node may be any context. */
static void raise_floor(const struct translation *it, struct hcct_file_column *column)
{
    const struct hcct_file_cell *cells = hcct_profile_cells(it->from, column);
    for (uint32_t k = 0; k < column->count; k++)
        if (it->context_node[cells[k].context] == HCCT_NODE_NONE && cells[k].count > column->floor)
            column->floor = cells[k].count;
}

static void add_columns(struct translation *it)
{
    const struct hcct_profile *from = it->from;
    it->columns = hcct_memory_array(from->rows.column_count, sizeof *it->columns);
    for (uint32_t i = 0; i < from->rows.column_count; i++) {
        it->columns[i] = from->rows.columns[i];
        if (!i || hcct_profile_is_phase(from, &from->rows.columns[i]))
            raise_floor(it, &it->columns[i]);
    }
}

/* --- the whole ------------------------------------------------------------------------------------- */

static void fill(struct hcct_by_names *to, const struct translation *it)
{
    struct hcct_profile *profile = &to->profile;
    to->run.build_id = it->frames.objects ? HCCT_FILE_BUILD_BY_OBJECTS : HCCT_FILE_BUILD_BY_NAMES;
    to->run.recursion = it->from->folded ? HCCT_RECURSION_FOLDED : it->from->run->recursion;
    *profile = *it->from;
    profile->run = &to->run;
    profile->code.functions = it->functions;
    profile->code.function_count = it->function_count;
    profile->code.sites = it->sites;
    profile->code.site_count = it->site_count;
    profile->code.inlined = it->inlined;
    profile->code.inlined_count = it->inlined_count;
    profile->rows.prefixes = it->prefixes;
    profile->rows.prefix_count = it->prefix_count;
    profile->rows.contexts = it->contexts_out;
    profile->rows.columns = it->columns;
    profile->threads = it->threads;
    profile->thread_count = it->contexts.threads.count;
    profile->code.name_count = 0; /* other builds have other functions */
    profile->numbering.index = (struct hcct_index){ 0 };
}

bool hcct_by_names_open(struct hcct_by_names *to, const struct hcct_profile *original,
                        const struct hcct_objects *objects, struct hcct_error *error)
{
    struct translation it = { .to = to,
                              .from = original,
                              .frames = { .loose = !objects, .objects = objects },
                              .keeps_ids = hcct_profile_is_of_several(original) };
    *to = (struct hcct_by_names){ .run = *original->run };
    hcct_tree_limit(&it.tree, original->length, 0);
    hcct_contexts_open(&it.contexts, original, &it.frames, &it.tree);
    find_nodes(&it);
    bool done = hcct_tree_fits(&it.tree, error);
    if (done) {
        add_threads(&it);
        hcct_contexts_add_evicted(&it.contexts);
        add_functions(&it);
        place_nodes(&it);
        add_contexts(&it);
        add_columns(&it);
        fill(to, &it);
    }
    free(it.context_node);
    free(it.places);
    free(it.thread_key);
    hcct_contexts_close(&it.contexts);
    hcct_tree_free(&it.tree);
    hcct_frames_free(&it.frames);
    return done;
}

void hcct_by_names_close(struct hcct_by_names *it)
{
    free((void *)it->profile.code.functions);
    free((void *)it->profile.code.sites);
    free((void *)it->profile.code.inlined);
    free(it->profile.rows.prefixes);
    free((void *)it->profile.threads);
    free(it->profile.rows.contexts);
    free(it->profile.rows.columns);
    *it = (struct hcct_by_names){ .lost_count = 0 };
}
