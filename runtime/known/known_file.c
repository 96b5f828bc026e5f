/* See known_file.h. The file is copied, not mapped.
 *
 * Paths are decoded from their ends. The key of each prefix is kept, so a context costs one step for each
 * call since its last push. */
#include "runtime/known/known_file.h"

#include <errno.h>

#include "encoding/context.h"
#include "encoding/parts.h"
#include "encoding/path_key.h"
#include "runtime/base/file.h"
#include "runtime/base/memory.h"
#include "runtime/base/say.h"
#include "runtime/output/image.h"
#include "runtime/stack/settings.h"

struct known_file {
    struct hcct_parts parts;
    struct hcct_index index;
    struct hcct_path_key *prefix_keys; /* power 0: the path of the prefix is not known */
};

/* --- paths ------------------------------------------------------------------------------------------ */

/* Adds the call sites of the acyclic path of `id`. Returns its last function, or HCCT_NO_INDEX. */
static uint32_t add_acyclic(const struct known_file *file, uint64_t id, struct hcct_path_key *key)
{
    uint32_t last = hcct_index_function(&file->index, id), function = last;
    for (uint32_t steps = 0; function != HCCT_NO_INDEX && steps <= file->parts.function_count; steps++) {
        uint32_t edge = hcct_index_parent(&file->index, function, id, &id);
        if (edge == HCCT_NO_INDEX)
            return last;
        hcct_path_key_add(key, file->parts.sites[edge].id);
        function = file->index.caller[edge];
    }
    return HCCT_NO_INDEX;
}

static struct hcct_path_key key_of_prefix(const struct known_file *file, uint32_t index)
{
    const struct hcct_file_prefix *prefix = &file->parts.prefixes[index];
    struct hcct_path_key key = HCCT_PATH_KEY_EMPTY, unknown = { 0, 0 };
    if (prefix->kind == HCCT_PREFIX_ROOT || prefix->kind == HCCT_PREFIX_THREAD)
        return key;
    if (prefix->kind == HCCT_PREFIX_SIGNAL) {
        hcct_path_key_add_signal(&key, prefix->site);
        return key;
    }
    if (prefix->kind != HCCT_PREFIX_PUSH || prefix->parent >= index ||
        !file->prefix_keys[prefix->parent].power)
        return unknown;
    uint64_t id =
        hcct_context_id(prefix->word, hcct_parts_prefix_hash(&file->parts.prefixes[prefix->parent]));
    hcct_path_key_add(&key, prefix->site);
    if (add_acyclic(file, id, &key) == HCCT_NO_INDEX)
        return unknown;
    return hcct_path_key_join(key, file->prefix_keys[prefix->parent]);
}

/* 0: the path is not known. */
static uint64_t key_of_context(const struct known_file *file, const struct hcct_file_context *context)
{
    struct hcct_path_key end = HCCT_PATH_KEY_EMPTY, key = HCCT_PATH_KEY_EMPTY;
    if (context->prefix >= file->parts.prefix_count || !file->prefix_keys[context->prefix].power)
        return 0;
    uint64_t id =
        hcct_context_id(context->word, hcct_parts_prefix_hash(&file->parts.prefixes[context->prefix]));
    uint32_t last = add_acyclic(file, id, &key);
    if (last == HCCT_NO_INDEX)
        return 0;
    const struct hcct_file_function *function = &file->parts.functions[last];
    bool local = function->flags & HCCT_FUNCTION_LOCAL;
    hcct_path_key_add_function(&end, hcct_parts_string(&file->parts, function->linkage_name),
                               local ? hcct_parts_string(&file->parts, function->file) : NULL);
    return hcct_path_key_of(
        hcct_path_key_join(end, hcct_path_key_join(key, file->prefix_keys[context->prefix])));
}

/* --- the table --------------------------------------------------------------------------------------- */

static bool add(struct hcct_exact *table, uint64_t key)
{
    hcct_node unused;
    return !key || hcct_exact_add(table, key, 0, 0, &unused);
}

static bool add_words(const struct known_file *file, struct hcct_exact *table)
{
    bool good = true;
    for (uint32_t i = 0; good && i < file->parts.context_count; i++)
        good = add(table, file->parts.contexts[i].word);
    return good;
}

static bool add_paths(struct known_file *file, struct hcct_exact *table)
{
    size_t index_bytes = hcct_parts_index_bytes(&file->parts);
    size_t bytes = index_bytes + file->parts.prefix_count * sizeof *file->prefix_keys + 8;
    char *memory = hcct_memory_map(bytes);
    bool good = memory && hcct_parts_index(&file->parts, &file->index, (uint64_t *)(void *)memory);
    file->prefix_keys = (struct hcct_path_key *)(void *)(memory + index_bytes);
    for (uint32_t i = 0; good && i < file->parts.prefix_count; i++)
        file->prefix_keys[i] = key_of_prefix(file, i);
    for (uint32_t i = 0; good && i < file->parts.context_count; i++)
        good = add(table, key_of_context(file, &file->parts.contexts[i]));
    hcct_memory_unmap(memory, bytes);
    return good;
}

/* Of the objects that are numbered now; 0 if memory is short. */
static uint64_t build_now(void)
{
    static struct hcct_image image;
    uint64_t build = hcct_image_open(&image) ? image.build : 0;
    hcct_image_close(&image);
    return build;
}

/* threads=split: words differ from thread to thread, and paths do not. */
static bool is_split(const struct known_file *file)
{
    bool split = false;
    for (uint32_t i = 0; !split && i < file->parts.prefix_count; i++)
        split = file->parts.prefixes[i].kind == HCCT_PREFIX_THREAD;
    return split;
}

static enum hcct_known_by read_bytes(const void *bytes, size_t length, struct hcct_exact *table,
                                     const char **problem)
{
    struct known_file file = { 0 };
    *problem = "no sound profile";
    if (!hcct_parts_find(&file.parts, bytes, length))
        return HCCT_KNOWN_BY_NOTHING;
    *problem = "no profile of calls";
    if (file.parts.run->metric != HCCT_METRIC_CALLS)
        return HCCT_KNOWN_BY_NOTHING;
    *problem = "of a run with another recursion=";
    if (file.parts.run->recursion != (uint16_t)hcct_stack_settings.recursion)
        return HCCT_KNOWN_BY_NOTHING;
    *problem = "not readable: memory is short, or its numbering is none";
    bool same = file.parts.run->build_id == build_now() && !is_split(&file);
    if (!(same ? add_words(&file, table) : add_paths(&file, table)))
        return HCCT_KNOWN_BY_NOTHING;
    return same ? HCCT_KNOWN_BY_WORD : HCCT_KNOWN_BY_PATH;
}

enum hcct_known_by hcct_known_file_read(const char *path, struct hcct_exact *table)
{
    int saved = errno;
    size_t length;
    const char *problem = "not readable";
    enum hcct_known_by by = HCCT_KNOWN_BY_NOTHING;
    void *bytes = hcct_file_read_profile(path, &length);
    if (bytes)
        by = read_bytes(bytes, length, table, &problem);
    if (by == HCCT_KNOWN_BY_NOTHING)
        HCCT_SAY(1, "known '", path, "' is ", problem, ", and is left out");
    hcct_memory_release(bytes, length);
    errno = saved;
    return by;
}
