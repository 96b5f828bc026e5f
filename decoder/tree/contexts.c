/* Decoding of contexts, see contexts.h. From below: frames and sites of the profile's elements; steps down
 * the tree; where a push's callee hangs (it is "attached"); contexts.
 *
 * A chain of prefixes is collected from a context up to one that is attached, then attached from the top
 * down. So no function calls itself, however long a hostile chain is. */
#include "decoder/tree/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/names/symbol.h"
#include "decoder/store/rows.h"
#include "decoder/store/sum.h"
#include "decoder/store/table.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"
#include "encoding/context.h"

#define NOT_YET (UINT32_MAX - 1) /* not known yet: neither an index nor HCCT_NODE_NONE */

static uint32_t *filled(uint32_t count)
{
    uint32_t *values = hcct_memory_array(count, sizeof *values);
    for (uint32_t i = 0; i < count; i++)
        values[i] = NOT_YET;
    return values;
}

/* Whether only names and lines tell what is in the code of that function. */
static bool is_loose(const struct hcct_contexts *contexts, uint32_t function)
{
    const struct hcct_objects *objects = contexts->frames->objects;
    const struct hcct_profile *records = contexts->profile;
    return objects && !hcct_objects_are_same(objects, records, records->code.functions[function].object);
}

static uint64_t *leaf_sites_of(const struct hcct_profile *profile)
{
    uint64_t *sites = hcct_memory_array(profile->code.object_count, sizeof *sites);
    for (uint32_t i = 0; i < profile->code.object_count; i++)
        sites[i] = hcct_layout_leaf_site(hcct_profile_string(profile, profile->code.objects[i].path));
    return sites;
}

void hcct_contexts_open(struct hcct_contexts *contexts, const struct hcct_profile *profile,
                        struct hcct_frames *frames, struct hcct_tree *tree)
{
    /* Of several builds: paths were folded before, and every call is a push now. */
    bool folds = profile->folded && !hcct_profile_is_of_several(profile);
    *contexts = (struct hcct_contexts){ .profile = profile, .frames = frames, .tree = tree };
    contexts->function_frame = filled(contexts->profile->code.function_count);
    contexts->site_site = filled(contexts->profile->code.site_count);
    contexts->callee_frame = filled(contexts->profile->code.site_count);
    contexts->attach_node = filled(profile->rows.prefix_count);
    contexts->attach_site = filled(profile->rows.prefix_count);
    contexts->leaf_sites = leaf_sites_of(profile);
    contexts->folded = folds ? filled(profile->rows.prefix_count) : NULL;
    if (!hcct_threads_add(&contexts->threads, profile->threads, profile->thread_count))
        hcct_memory_end();
}

void hcct_contexts_close(struct hcct_contexts *contexts)
{
    free(contexts->function_frame);
    free(contexts->site_site);
    free(contexts->callee_frame);
    free(contexts->attach_node);
    free(contexts->attach_site);
    free(contexts->leaf_sites);
    free(contexts->folded);
    free(contexts->known);
    hcct_threads_free(&contexts->threads);
    hcct_table_free(&contexts->known_table);
    free(contexts->path);
    free(contexts->chain);
    free(contexts->inlined);
    *contexts = (struct hcct_contexts){ 0 };
}

/* --- elements of the profile as frames and sites ------------------------------------------------- */

/* A function also counts as local if an optimizer made it global, which the suffix of its name tells. */
static uint32_t frame_intern(struct hcct_contexts *contexts, struct hcct_tree_frame *frame)
{
    frame->local |= hcct_symbol_was_local(frame->linkage);
    return hcct_frames_frame(contexts->frames, frame);
}

/* A function that is not instrumented has one frame, though several objects and modules count its calls. */
uint32_t hcct_contexts_function(struct hcct_contexts *contexts, uint32_t index)
{
    const struct hcct_profile *profile = contexts->profile;
    uint32_t *known = &contexts->function_frame[index];
    if (*known != NOT_YET)
        return *known;
    const struct hcct_file_function *function = &profile->code.functions[index];
    bool external = function->flags & HCCT_FUNCTION_EXTERNAL;
    const struct hcct_file_object *object = function->object < profile->code.object_count && !external
                                                ? &profile->code.objects[function->object]
                                                : NULL;
    struct hcct_tree_frame frame = {
        .linkage = hcct_profile_string(profile, function->linkage_name),
        .source = hcct_profile_string(profile, function->source_name),
        .file = hcct_profile_string(profile, function->file),
        .object = object ? hcct_profile_string(profile, object->path) : NULL,
        .object_build_id = object ? hcct_profile_string(profile, object->build_id) : NULL,
        .line = function->line,
        .number = external ? 0 : function->base,
        .kind = HCCT_FRAME_FUNCTION,
        .local = function->flags & HCCT_FUNCTION_LOCAL,
        .loose = !external && is_loose(contexts, index),
    };
    return *known = frame_intern(contexts, &frame);
}

void hcct_contexts_add_evicted(struct hcct_contexts *contexts)
{
    const struct hcct_profile_code *code = &contexts->profile->code;
    for (uint32_t i = 0; i < code->function_count; i++) {
        if (!code->functions[i].evicted)
            continue;
        uint32_t frame = hcct_contexts_function(contexts, i);
        struct hcct_tree_frame *function = &contexts->frames->frames[frame];
        function->evicted = hcct_sum(function->evicted, code->functions[i].evicted);
    }
}

static uint32_t frame_of_inlined(struct hcct_contexts *contexts, const struct hcct_file_inlined *inlined,
                                 bool loose)
{
    struct hcct_tree_frame frame = {
        .linkage = hcct_profile_string(contexts->profile, inlined->linkage_name),
        .source = hcct_profile_string(contexts->profile, inlined->source_name),
        .file = hcct_profile_string(contexts->profile, inlined->file),
        .line = inlined->line,
        .kind = HCCT_FRAME_INLINED,
        .loose = loose,
    };
    if (!*frame.linkage)
        frame.linkage = frame.source;
    return frame_intern(contexts, &frame);
}

static uint32_t frame_of_callee(struct hcct_contexts *contexts, uint32_t index)
{
    uint32_t *known = &contexts->callee_frame[index];
    struct hcct_tree_frame frame = {
        .linkage = hcct_profile_string(contexts->profile, contexts->profile->code.sites[index].callee_name),
        .source = "",
        .file = "",
        .kind = HCCT_FRAME_EXTERNAL,
    };
    return *known != NOT_YET ? *known : (*known = hcct_frames_frame(contexts->frames, &frame));
}

static uint32_t site_of_call(struct hcct_contexts *contexts, uint32_t index)
{
    uint32_t *known = &contexts->site_site[index];
    if (*known != NOT_YET)
        return *known;
    const struct hcct_file_site *call = &contexts->profile->code.sites[index];
    bool loose = is_loose(contexts, call->caller), by_line = loose && call->line;
    struct hcct_tree_site site = {
        .file = hcct_profile_string(contexts->profile, call->file),
        .id = by_line ? 0 : call->id,
        .line = call->line,
        .column = by_line ? 0 : call->column,
        .ordinal = call->ordinal,
        .discriminator = by_line ? 0 : call->discriminator,
        .loose = loose,
    };
    return *known = hcct_frames_site(contexts->frames, &site);
}

static uint32_t site_of_inlining(struct hcct_contexts *contexts, const struct hcct_file_inlined *inlined,
                                 uint64_t id, bool loose)
{
    bool by_line = loose && inlined->call_line;
    struct hcct_tree_site site = {
        .file = hcct_profile_string(contexts->profile, inlined->call_file),
        .id = by_line ? 0 : id,
        .line = inlined->call_line,
        .column = by_line ? 0 : inlined->call_column,
        .discriminator = by_line ? 0 : inlined->call_discriminator,
        .inlines = true,
        .loose = loose,
    };
    return hcct_frames_site(contexts->frames, &site);
}

/* --- steps down the tree -------------------------------------------------------------------------- */

/* Goes down from the function that holds the site, through the frames inlined around the site, outermost
 * first. */
static uint32_t descend_inlined(struct hcct_contexts *contexts, uint32_t node,
                                const struct hcct_file_site *call)
{
    const struct hcct_file_inlined *all = contexts->profile->code.inlined;
    uint32_t depth = 0;
    bool loose = call->inlined != HCCT_FILE_NONE && is_loose(contexts, call->caller);
    for (uint32_t at = call->inlined; at != HCCT_FILE_NONE; at = all[at].outer) {
        hcct_memory_grow(&contexts->inlined, &contexts->inlined_capacity, depth, sizeof at);
        contexts->inlined[depth++] = at;
    }
    while (depth--) {
        const struct hcct_file_inlined *inlined = &all[contexts->inlined[depth]];
        node = hcct_tree_child(contexts->tree, node, frame_of_inlined(contexts, inlined, loose),
                               site_of_inlining(contexts, inlined, call->id, loose));
    }
    return node;
}

/* Attaches the push at `site` of the context `node`. The function that it entered hangs below the frames that
 * are inlined there, and below the function that was called, if that one is not instrumented. */
static void attach_push(struct hcct_contexts *contexts, uint32_t prefix, uint32_t node, uint32_t site)
{
    const struct hcct_file_site *call = &contexts->profile->code.sites[site];
    uint32_t entered_by = site_of_call(contexts, site);
    node = descend_inlined(contexts, node, call);
    bool external = (call->flags & HCCT_SITE_KIND_MASK) != HCCT_SITE_INDIRECT &&
                    call->callee == HCCT_FILE_NONE &&
                    *hcct_profile_string(contexts->profile, call->callee_name);
    if (external) {
        node = hcct_tree_child(contexts->tree, node, frame_of_callee(contexts, site), entered_by);
        entered_by = HCCT_FRAMES_NONE;
    }
    contexts->attach_node[prefix] = node;
    contexts->attach_site[prefix] = entered_by;
}

/* Attaches a prefix to a frame below `node` that has no call site. */
static void attach_frame(struct hcct_contexts *contexts, uint32_t prefix, uint32_t node,
                         const struct hcct_tree_frame *frame)
{
    contexts->attach_node[prefix] =
        hcct_tree_child(contexts->tree, node, hcct_frames_frame(contexts->frames, frame), HCCT_FRAMES_NONE);
    contexts->attach_site[prefix] = HCCT_FRAMES_NONE;
}

/* Attaches a prefix with which a path begins: [unknown] or [signal N]. */
static void attach_bracket(struct hcct_contexts *contexts, uint32_t prefix, enum hcct_frame_kind kind,
                           uint64_t number)
{
    struct hcct_tree_frame frame = {
        .linkage = "", .source = "", .file = "", .kind = (uint8_t)kind, .number = number
    };
    attach_frame(contexts, prefix, HCCT_NODE_NONE, &frame);
}

static void attach_lost(struct hcct_contexts *contexts, uint32_t prefix)
{
    contexts->lost_count++;
    attach_bracket(contexts, prefix, HCCT_FRAME_UNKNOWN, 0);
}

/* A thread has the name that the program gave it, or that of the function it began with. Number 1 is the one
 * that runs main. */
static void attach_thread(struct hcct_contexts *contexts, uint32_t index)
{
    const struct hcct_profile *profile = contexts->profile;
    const struct hcct_file_prefix *prefix = &profile->rows.prefixes[index];
    struct hcct_tree_frame frame = { .linkage = prefix->site == 1 ? "main" : "",
                                     .source = "",
                                     .file = "",
                                     .kind = HCCT_FRAME_THREAD,
                                     .number = prefix->site };
    const struct hcct_file_thread *known = hcct_threads_find(&contexts->threads, prefix->word);
    uint32_t function = known ? hcct_index_function(&profile->numbering.index, known->first) : HCCT_NO_INDEX;
    if (prefix->site == 1)
        frame.start = "main";
    else if (function != HCCT_NO_INDEX)
        frame.start =
            hcct_profile_string(contexts->profile, contexts->profile->code.functions[function].linkage_name);
    if (known && known->name[0]) {
        char *name = hcct_memory_got(strndup(known->name, sizeof known->name));
        hcct_frames_own(contexts->frames, name);
        frame.linkage = frame.source = name;
    } else if (frame.start) {
        frame.linkage = frame.start;
    }
    attach_frame(contexts, index, HCCT_NODE_NONE, &frame);
}

/* --- contexts ------------------------------------------------------------------------------------- */

static uint32_t hash_context(uint64_t word, uint32_t prefix)
{
    return (uint32_t)hcct_hash_step(hcct_hash_step(word, prefix), word >> 32);
}

static bool same_context(const void *array, uint32_t index, const void *key)
{
    const struct hcct_context *a = &((const struct hcct_context *)array)[index], *b = key;
    return a->word == b->word && a->prefix == b->prefix;
}

static uint32_t known_node(const struct hcct_contexts *contexts, uint64_t word, uint32_t prefix)
{
    struct hcct_context key = { word, prefix, 0 };
    uint32_t found = hcct_table_find(&contexts->known_table, hash_context(word, prefix), same_context,
                                     contexts->known, &key);
    return found == HCCT_TABLE_NONE ? HCCT_NODE_NONE : contexts->known[found].node;
}

static void remember(struct hcct_contexts *contexts, uint64_t word, uint32_t prefix, uint32_t node)
{
    hcct_memory_grow(&contexts->known, &contexts->known_capacity, contexts->known_count,
                     sizeof *contexts->known);
    hcct_memory_add(&contexts->known_table, hash_context(word, prefix), contexts->known_count);
    contexts->known[contexts->known_count++] = (struct hcct_context){ word, prefix, node };
}

/* Decodes a context whose prefix is attached: back over the encoded edges to a known context, or to the
 * function that the push entered, then forward again. What it passes is known from then on. The context
 * itself is not, as most have no callees. */
static uint32_t decode(struct hcct_contexts *contexts, uint64_t word, uint32_t prefix)
{
    const struct hcct_index *index = &contexts->profile->numbering.index;
    uint64_t hash = hcct_rows_prefix_hash(&contexts->profile->rows, prefix), id = hcct_context_id(word, hash);
    uint32_t function = hcct_index_function(index, id), steps = 0, node;
    if (function == HCCT_NO_INDEX)
        return HCCT_NODE_NONE;
    while ((node = known_node(contexts, id + hash, prefix)) == HCCT_NODE_NONE) {
        uint64_t caller_id;
        uint32_t edge = hcct_index_parent(index, function, id, &caller_id);
        if (edge == HCCT_NO_INDEX) {
            node = hcct_tree_child(contexts->tree, contexts->attach_node[prefix],
                                   hcct_contexts_function(contexts, function), contexts->attach_site[prefix]);
            if (steps)
                remember(contexts, id + hash, prefix, node);
            break;
        }
        hcct_memory_grow(&contexts->path, &contexts->path_capacity, steps, sizeof edge);
        contexts->path[steps++] = edge;
        id = caller_id;
        function = contexts->profile->code.sites[edge].caller;
    }
    while (steps-- && !contexts->tree->is_over) {
        const struct hcct_file_site *call = &contexts->profile->code.sites[contexts->path[steps]];
        uint32_t site = site_of_call(contexts, contexts->path[steps]);
        id += (uint64_t)call->delta;
        node = descend_inlined(contexts, node, call);
        node = hcct_tree_child(contexts->tree, node, hcct_contexts_function(contexts, call->callee), site);
        if (steps)
            remember(contexts, id + hash, prefix, node);
    }
    return node;
}

/* The same for any word. One that equals the hash of its prefix belongs to the code that the push called and
 * that is not instrumented. */
static uint32_t decode_any(struct hcct_contexts *contexts, uint64_t word, uint32_t prefix)
{
    bool is_pushed = word == hcct_rows_prefix_hash(&contexts->profile->rows, prefix) &&
                     contexts->attach_node[prefix] != HCCT_NODE_NONE;
    return is_pushed ? contexts->attach_node[prefix] : decode(contexts, word, prefix);
}

/* The name of the function or object that a leaf stands for; "unknown" if the profile has none such. */
static const char *leaf_name(const struct hcct_contexts *contexts, uint64_t site)
{
    const struct hcct_profile *profile = contexts->profile;
    for (uint32_t i = 0; i < profile->code.object_count; i++)
        if (contexts->leaf_sites[i] == site)
            return hcct_text_base_name(hcct_profile_string(profile, profile->code.objects[i].path));
    return "unknown";
}

/* Attaches a leaf: below its context, or as a root where nothing instrumented ran. */
static void attach_leaf(struct hcct_contexts *contexts, uint32_t index)
{
    const struct hcct_file_prefix *prefix = &contexts->profile->rows.prefixes[index];
    struct hcct_tree_frame frame = {
        .linkage = leaf_name(contexts, prefix->site), .source = "", .file = "", .kind = HCCT_FRAME_EXTERNAL
    };
    bool is_root = !prefix->word && !prefix->parent;
    uint32_t node = is_root ? HCCT_NODE_NONE : decode_any(contexts, prefix->word, prefix->parent);
    if (is_root || node != HCCT_NODE_NONE)
        attach_frame(contexts, index, node, &frame);
    else
        attach_lost(contexts, index);
}

/* Attaches a place to its context. */
static void attach_place(struct hcct_contexts *contexts, uint32_t index)
{
    const struct hcct_file_prefix *prefix = &contexts->profile->rows.prefixes[index];
    uint32_t node = decode_any(contexts, prefix->word, prefix->parent);
    contexts->attach_node[index] = node;
    contexts->attach_site[index] = HCCT_FRAMES_NONE;
    if (node == HCCT_NODE_NONE)
        attach_lost(contexts, index);
}

/* Where recursion is folded: if the path already has a push of the same site, attaches this one to the same
 * place. Else returns false. The parent is attached. */
static bool attach_again(struct hcct_contexts *contexts, uint32_t index)
{
    const struct hcct_file_prefix *prefixes = contexts->profile->rows.prefixes;
    uint32_t at = contexts->folded[prefixes[index].parent];
    while (prefixes[at].kind == HCCT_PREFIX_PUSH && prefixes[at].site != prefixes[index].site)
        at = contexts->folded[prefixes[at].parent];
    if (prefixes[at].kind != HCCT_PREFIX_PUSH)
        return false;
    contexts->folded[index] = at;
    contexts->attach_node[index] = contexts->attach_node[at];
    contexts->attach_site[index] = contexts->attach_site[at];
    return true;
}

/* Attaches the prefix of a push, whose parent is attached. */
static void attach_call(struct hcct_contexts *contexts, uint32_t index)
{
    const struct hcct_profile *profile = contexts->profile;
    const struct hcct_file_prefix *prefix = &profile->rows.prefixes[index];
    uint32_t node = decode(contexts, prefix->word, prefix->parent), site = HCCT_NO_INDEX;
    if (node != HCCT_NODE_NONE) {
        uint64_t id = hcct_context_id(prefix->word, hcct_rows_prefix_hash(&profile->rows, prefix->parent));
        site = hcct_profile_site(profile, hcct_index_function(&profile->numbering.index, id), prefix->site);
    }
    if (site != HCCT_NO_INDEX)
        attach_push(contexts, index, node, site);
    else
        attach_lost(contexts, index);
}

/* Attaches a prefix whose parent is attached. */
static void attach(struct hcct_contexts *contexts, uint32_t index)
{
    const struct hcct_file_prefix *prefix = &contexts->profile->rows.prefixes[index];
    if (contexts->folded && prefix->kind == HCCT_PREFIX_PUSH && attach_again(contexts, index))
        return;
    if (contexts->folded)
        contexts->folded[index] = index;
    switch (prefix->kind) {
    case HCCT_PREFIX_ROOT:
        contexts->attach_node[index] = HCCT_NODE_NONE;
        contexts->attach_site[index] = HCCT_FRAMES_NONE;
        break;
    case HCCT_PREFIX_UNKNOWN:
        attach_bracket(contexts, index, HCCT_FRAME_UNKNOWN, 0);
        break;
    case HCCT_PREFIX_SIGNAL:
        attach_bracket(contexts, index, HCCT_FRAME_SIGNAL, prefix->site);
        break;
    case HCCT_PREFIX_THREAD:
        attach_thread(contexts, index);
        break;
    case HCCT_PREFIX_LEAF:
        attach_leaf(contexts, index);
        break;
    case HCCT_PREFIX_PLACE:
        attach_place(contexts, index);
        break;
    default:
        attach_call(contexts, index);
    }
}

uint32_t hcct_contexts_node(struct hcct_contexts *contexts, uint64_t word, uint32_t prefix)
{
    uint32_t depth = 0;
    for (uint32_t at = prefix; contexts->attach_node[at] == NOT_YET;
         at = contexts->profile->rows.prefixes[at].parent) {
        hcct_memory_grow(&contexts->chain, &contexts->chain_capacity, depth, sizeof at);
        contexts->chain[depth++] = at;
        if (!hcct_layout_is_below(contexts->profile->rows.prefixes[at].kind))
            break;
    }
    while (depth-- && !contexts->tree->is_over)
        attach(contexts, contexts->chain[depth]);
    uint32_t node = contexts->tree->is_over ? HCCT_NODE_NONE : decode_any(contexts, word, prefix);
    /* Inlined frames have no counts: what a call through a pointer there led to is its function's. */
    while (node != HCCT_NODE_NONE && contexts->tree->nodes[node].parent != HCCT_NODE_NONE &&
           contexts->frames->frames[contexts->tree->nodes[node].frame].kind == HCCT_FRAME_INLINED)
        node = contexts->tree->nodes[node].parent;
    return node;
}

/* --- places ------------------------------------------------------------------------------------------- */

/* The object that has the place; NULL: none has, or more than one may. Leaves are named after others, which
 * have no build id. */
static const struct hcct_file_object *object_of_place(const struct hcct_contexts *contexts, uint64_t site)
{
    const struct hcct_profile *profile = contexts->profile;
    const struct hcct_file_object *found = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < profile->code.object_count; i++) {
        const struct hcct_file_object *object = &profile->code.objects[i];
        bool has_id = *hcct_profile_string(profile, object->build_id);
        if (hcct_layout_place_site(contexts->leaf_sites[i], hcct_layout_place_address(site)) != site)
            continue;
        count += has_id;
        found = has_id || !found ? object : found;
    }
    return count <= 1 ? found : NULL;
}

uint32_t hcct_contexts_place(struct hcct_contexts *contexts, uint32_t index)
{
    const struct hcct_profile *profile = contexts->profile;
    const struct hcct_file_prefix *prefix = &profile->rows.prefixes[index];
    if (prefix->kind == HCCT_PREFIX_LEAF)
        prefix = &profile->rows.prefixes[prefix->parent];
    if (prefix->kind != HCCT_PREFIX_PLACE)
        return HCCT_FRAMES_NONE;
    struct hcct_tree_place place = { .site = prefix->site };
    const struct hcct_file_object *object = object_of_place(contexts, prefix->site);
    if (object) {
        place.object = hcct_profile_string(profile, object->path);
        place.object_build_id = hcct_profile_string(profile, object->build_id);
    }
    return hcct_frames_place(contexts->frames, &place);
}
