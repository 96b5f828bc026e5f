/* See leaf.h. */
#define _GNU_SOURCE
#include "runtime/objects/leaf.h"

#include <link.h>
#include <string.h>

#include "format/layout.h"
#include "runtime/base/find_object.h"
#include "runtime/base/say.h"
#include "runtime/objects/registry.h"

enum { LEAF_LIMIT = 256, PATH_BYTES = 1 << 14 };

/* Under the table lock. leaves[0] stands for unknown objects, and for those beyond the limits. */
static struct hcct_leaf leaves[LEAF_LIMIT];
static size_t leaf_count, path_bytes;
static char paths[PATH_BYTES];

static bool takes_all_builds;

void hcct_leaf_take_all_builds(void)
{
    takes_all_builds = true;
}

static bool has_contexts(uintptr_t start, uintptr_t end)
{
    uintptr_t own = (uintptr_t)&leaf_count;
    bool any = own >= start && own < end; /* libhcct_rt.so: its time goes to the context that it works for */
    for (size_t i = 0; i < hcct_registry_object_count() && !any; i++) {
        const struct hcct_object *object = hcct_registry_object(i);
        any = object->loaded && (object->restores || takes_all_builds) && object->image < end &&
              object->image_end > start;
    }
    return any;
}

static void add_leaf(uintptr_t start, uintptr_t end, const char *path)
{
    size_t length = strlen(path) + 1;
    if (leaf_count == LEAF_LIMIT || length > PATH_BYTES - path_bytes)
        return;
    struct hcct_leaf *leaf = &leaves[leaf_count++];
    *leaf =
        (struct hcct_leaf){ .start = start, .path = paths + path_bytes, .site = hcct_layout_leaf_site(path) };
    leaf->has_contexts = has_contexts(start, end);
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
            if (leaves[i].start == start && strcmp(leaves[i].path, path) == 0)
                return &leaves[i];
        add_leaf(start, end, path);
    }
    return &leaves[0];
}

_Thread_local const char *hcct_leaf_name;

struct hcct_leaf *hcct_leaf_named(void)
{
    uintptr_t name = (uintptr_t)hcct_leaf_name;
    for (size_t i = 1; i < leaf_count; i++)
        if (leaves[i].start == name)
            return &leaves[i];
    size_t before = leaf_count;
    add_leaf(name, name, hcct_leaf_name); /* no object begins at a constant of its own */
    if (leaf_count == before)
        return &leaves[0];
    leaves[before].has_contexts = false; /* as the object has that the constant is in */
    return &leaves[before];
}

uint64_t hcct_leaf_waiting_site(void)
{
    static struct hcct_leaf *waiting;
    if (!leaf_count)
        add_leaf(0, 0, "unknown");
    if (!waiting) {
        add_leaf(1, 1, "waiting"); /* no object begins there */
        waiting = &leaves[leaf_count - 1];
        waiting->is_used = true;
    }
    return waiting->site;
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
    return NULL;
}
