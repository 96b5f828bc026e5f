/* See leaf.h. */
#define _GNU_SOURCE
#include "runtime/objects/leaf.h"

#include <link.h>
#include <string.h>

#include "format/layout.h"
#include "runtime/base/find_object.h"
#include "runtime/base/memory.h"
#include "runtime/base/say.h"
#include "runtime/objects/registry.h"

enum { LEAF_LIMIT = 256, PATH_BYTES = 1 << 14 };

/* Under the table lock. leaves[0] stands for unknown objects, and for those beyond the limits. */
static struct hcct_leaf leaves[LEAF_LIMIT];
static size_t leaf_count, path_bytes;
static char paths[PATH_BYTES];

static bool has_contexts(uintptr_t start, uintptr_t end)
{
    uintptr_t own = (uintptr_t)&leaf_count;
    bool any = own >= start && own < end; /* libhcct_rt.so: its time goes to the context that it works for */
    for (size_t i = 0; i < hcct_registry_object_count() && !any; i++) {
        const struct hcct_object *object = hcct_registry_object(i);
        any = object->loaded && object->image < end && object->image_end > start;
    }
    return any;
}

/* An object may be seen here before it is known to be instrumented. */
static void update(struct hcct_leaf *leaf)
{
    uint64_t stamp = hcct_registry_stamp();
    if (leaf->stamp != stamp)
        leaf->has_contexts = has_contexts(leaf->start, leaf->end);
    leaf->stamp = stamp;
}

static void add_leaf(uintptr_t start, uintptr_t end, const char *path)
{
    size_t length = strlen(path) + 1;
    if (leaf_count == LEAF_LIMIT || length > PATH_BYTES - path_bytes)
        return;
    struct hcct_leaf *leaf = &leaves[leaf_count++];
    *leaf = (struct hcct_leaf){
        .start = start, .end = end, .path = paths + path_bytes, .site = hcct_layout_leaf_site(path)
    };
    update(leaf);
    memcpy(paths + path_bytes, path, length);
    path_bytes += length;
}

/* The object that has the address. */
static bool find(uintptr_t pc, uintptr_t *start, uintptr_t *end, const char **path)
{
    struct dl_find_object found;
    const struct hcct_object *program = hcct_registry_is_early ? hcct_registry_object(0) : NULL;
    if (!program && !hcct_find_object(pc, &found))
        return false;
    *start = program ? program->image : (uintptr_t)found.dlfo_map_start;
    *end = program ? program->image_end : (uintptr_t)found.dlfo_map_end;
    *path = program ? NULL : found.dlfo_link_map->l_name;
    *path = *path && **path ? *path : hcct_say_program_path();
    return true;
}

bool hcct_leaf_is_loaded(uintptr_t address)
{
    struct dl_find_object found;
    return !hcct_find_object_is_possible() || hcct_find_object(address, &found);
}

/* Compares the path, too: another object may have been loaded at the address of one that was unloaded. */
struct hcct_leaf *hcct_leaf_at(uintptr_t pc)
{
    if (!leaf_count)
        add_leaf(0, 0, "unknown");
    uintptr_t start, end;
    const char *path;
    for (int tries = find(pc, &start, &end, &path) ? 0 : 2; tries < 2; tries++) {
        for (size_t i = 1; i < leaf_count; i++)
            if (leaves[i].start == start && strcmp(leaves[i].path, path) == 0) {
                update(&leaves[i]);
                return &leaves[i];
            }
        add_leaf(start, end, path);
    }
    return &leaves[0];
}

_Thread_local const char *hcct_leaf_name;

/* --- names ---------------------------------------------------------------------------------------- */

/* A hash table with open addressing, mapped for the first name. */
enum { NAMED_SLOTS = 2048, NAMED_LIMIT = 1024, NAMED_BYTES = 1 << 17, NAME_LIMIT = 1024 };
struct named {
    struct hcct_leaf leaves[NAMED_SLOTS]; /* free: no path */
    size_t count, bytes;
    char names[NAMED_BYTES + NAME_LIMIT + 1]; /* so that there is room for one that is looked up */
};
static struct named *named;

/* The decoder shows what stands behind the last '/', so a name with one is none. */
struct hcct_leaf *hcct_leaf_named(const char *name, size_t length)
{
    if (!named)
        named = hcct_memory_reserve(sizeof *named);
    if (!named || !length || length > NAME_LIMIT || memchr(name, '/', length))
        return NULL;
    char *copy = named->names + named->bytes;
    memcpy(copy, name, length);
    copy[length] = '\0';
    uint64_t site = hcct_layout_leaf_site(copy);
    struct hcct_leaf *leaf = &named->leaves[site % NAMED_SLOTS];
    while (leaf->path && strcmp(leaf->path, copy) != 0)
        leaf = leaf == &named->leaves[NAMED_SLOTS - 1] ? named->leaves : leaf + 1;
    if (leaf->path)
        return leaf;
    if (named->count == NAMED_LIMIT || named->bytes + length >= NAMED_BYTES)
        return NULL;
    named->count++;
    named->bytes += length + 1;
    *leaf = (struct hcct_leaf){ .path = copy, .site = site };
    return leaf;
}

/* --- the file ------------------------------------------------------------------------------------- */

uint64_t hcct_leaf_site(const char *name)
{
    struct hcct_leaf *leaf = hcct_leaf_named(name, strlen(name));
    if (leaf)
        leaf->is_used = true;
    return leaf ? leaf->site : 0;
}

uint64_t hcct_leaf_unknown_site(void)
{
    if (!leaf_count)
        add_leaf(0, 0, "unknown");
    leaves[0].is_used = true;
    return leaves[0].site;
}

const char *hcct_leaf_path(size_t index)
{
    for (size_t i = 0; i < leaf_count; i++)
        if (leaves[i].is_used && index-- == 0)
            return leaves[i].path;
    for (size_t i = 0; named && i < NAMED_SLOTS; i++)
        if (named->leaves[i].is_used && index-- == 0)
            return named->leaves[i].path;
    return NULL;
}
