/* Looking a context up, see lookup.h. A word alone does not say which prefix it was made from.
 *
 * The contexts of the profile name theirs. For any other word each prefix of the profile is tried. A prefix
 * fits if word - h(prefix) is an id whose path begins at a function that the push of the prefix can lead to.
 * If several prefixes fit, there is no answer. Cost: O(contexts + prefixes * length of a path). */
#include "decoder/report/lookup.h"

#include <inttypes.h>
#include <stdlib.h>

#include "decoder/store/rows.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/tree/contexts.h"
#include "encoding/context.h"
#include "format/error.h"

/* --- which prefix --------------------------------------------------------------------------------- */

/* The function that the path of an id begins with, or HCCT_NO_INDEX. A path begins with the first id of a
 * function. With any other, the profile lacks a call of the path, as none of its contexts has it. */
static uint32_t first_function(const struct hcct_index *index, uint64_t id)
{
    uint32_t function = hcct_index_function(index, id);
    for (uint32_t edge;
         function != HCCT_NO_INDEX && (edge = hcct_index_parent(index, function, id, &id)) != HCCT_NO_INDEX;)
        function = index->caller[edge];
    return function != HCCT_NO_INDEX && id == index->base[function] ? function : HCCT_NO_INDEX;
}

/* The site of a prefix's push; NULL where it is not known. */
static const struct hcct_file_site *push_of(const struct hcct_profile *profile, uint32_t prefix)
{
    const struct hcct_file_prefix *push = &profile->rows.prefixes[prefix];
    uint64_t id = hcct_context_id(push->word, hcct_rows_prefix_hash(&profile->rows, push->parent));
    uint32_t function = hcct_index_function(&profile->numbering.index, id);
    uint32_t site =
        function == HCCT_NO_INDEX ? HCCT_NO_INDEX : hcct_profile_site(profile, function, push->site);
    return site == HCCT_NO_INDEX ? NULL : &profile->code.sites[site];
}

static bool fits(const struct hcct_profile *profile, uint64_t word, uint32_t prefix)
{
    uint32_t kind = profile->rows.prefixes[prefix].kind;
    uint64_t id = hcct_context_id(word, hcct_rows_prefix_hash(&profile->rows, prefix));
    if (!id)
        return kind != HCCT_PREFIX_ROOT;
    uint32_t first = first_function(&profile->numbering.index, id);
    const struct hcct_file_site *site = kind == HCCT_PREFIX_PUSH ? push_of(profile, prefix) : NULL;
    if (first == HCCT_NO_INDEX || (kind == HCCT_PREFIX_PUSH && !site))
        return false;
    return site && site->callee != HCCT_FILE_NONE
               ? site->callee == first
               : profile->code.functions[first].flags & HCCT_FUNCTION_ENTERABLE;
}

/* The prefix that a context names; HCCT_FILE_NONE if none does. */
static uint32_t find_told(const struct hcct_profile *profile, uint64_t word)
{
    for (uint32_t i = 0; i < profile->rows.context_count; i++)
        if (profile->rows.contexts[i].word == word && profile->rows.contexts[i].prefix != HCCT_FILE_NONE)
            return profile->rows.contexts[i].prefix;
    return HCCT_FILE_NONE;
}

static bool find(const struct hcct_profile *profile, uint64_t word, uint32_t *prefix,
                 struct hcct_error *error)
{
    uint32_t found = 0;
    *prefix = find_told(profile, word);
    if (*prefix != HCCT_FILE_NONE)
        return true;
    for (uint32_t i = 0; i < profile->rows.prefix_count; i++)
        if (fits(profile, word, i)) {
            *prefix = i;
            found++;
        }
    return found == 1 || hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                                        found ? "0x%016" PRIx64 " may be any of several contexts"
                                              : "0x%016" PRIx64 " is no context that this profile kept",
                                        word);
}

/* --- the path ------------------------------------------------------------------------------------- */

static void print_path(FILE *out, struct hcct_frames *frames, const struct hcct_tree *tree, uint32_t node,
                       enum hcct_names names, bool inlines)
{
    uint32_t *path = hcct_memory_array(tree->node_count, sizeof *path), depth = 0;
    for (; node != HCCT_NODE_NONE; node = tree->nodes[node].parent)
        path[depth++] = tree->nodes[node].frame;
    for (uint32_t i = depth; i-- > 0;) {
        if (!inlines && frames->frames[path[i]].kind == HCCT_FRAME_INLINED)
            continue;
        fputs(i + 1 < depth ? ";" : "", out);
        hcct_escape_print(out, HCCT_TEXT_FOLDED, hcct_frames_name(frames, path[i], names));
    }
    fputc('\n', out);
    free(path);
}

bool hcct_lookup_print(FILE *out, const struct hcct_profile *profile, uint64_t word, enum hcct_names names,
                       bool inlines, struct hcct_error *error)
{
    struct hcct_frames frames = { 0 };
    struct hcct_tree tree = { 0 };
    struct hcct_contexts contexts;
    uint32_t prefix;
    hcct_tree_limit(&tree, profile->length, 0);
    if (!find(profile, word, &prefix, error))
        return false;
    hcct_contexts_open(&contexts, profile, &frames, &tree);
    uint32_t node = hcct_contexts_node(&contexts, word, prefix);
    hcct_contexts_close(&contexts);
    bool done = hcct_tree_fits(&tree, error);
    if (done && node == HCCT_NODE_NONE)
        done = hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                              "0x%016" PRIx64 " is not decodable", word);
    if (done)
        print_path(out, &frames, &tree, node, names, inlines);
    hcct_frames_free(&frames);
    hcct_tree_free(&tree);
    return done;
}
