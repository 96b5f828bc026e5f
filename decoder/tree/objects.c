/* See objects.h. */
#include "decoder/tree/objects.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/text/memory.h"

static uint32_t hash_path(const char *path)
{
    return (uint32_t)hcct_hash_text(0, path, strlen(path));
}

static bool same_path(const void *all, uint32_t index, const void *path)
{
    return !strcmp(((const struct hcct_object_builds *)all)[index].path, path);
}

static struct hcct_object_builds *find(const struct hcct_objects *objects, const char *path)
{
    uint32_t found = hcct_table_find(&objects->table, hash_path(path), same_path, objects->all, path);
    return found == HCCT_TABLE_NONE ? NULL : &objects->all[found];
}

static void add(struct hcct_objects *objects, const char *path, const char *build_id)
{
    struct hcct_object_builds *known = find(objects, path);
    if (known)
        known->differ |= strcmp(known->build_id, build_id) != 0;
    if (known)
        return;
    hcct_memory_grow(&objects->all, &objects->capacity, objects->count, sizeof *known);
    objects->all[objects->count] =
        (struct hcct_object_builds){ hcct_memory_got(strdup(path)), hcct_memory_got(strdup(build_id)),
                                     !*build_id };
    hcct_memory_add(&objects->table, hash_path(path), objects->count++);
}

void hcct_objects_add(struct hcct_objects *objects, const struct hcct_profile *profile)
{
    for (uint32_t i = 0; i < profile->code.object_count; i++)
        add(objects, hcct_profile_string(profile, profile->code.objects[i].path),
            hcct_profile_string(profile, profile->code.objects[i].build_id));
}

bool hcct_objects_are_same(const struct hcct_objects *objects, const struct hcct_profile *profile,
                           uint32_t index)
{
    const struct hcct_object_builds *known =
        index < profile->code.object_count
            ? find(objects, hcct_profile_string(profile, profile->code.objects[index].path))
            : NULL;
    return known && !known->differ;
}

void hcct_objects_free(struct hcct_objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        free(objects->all[i].path);
        free(objects->all[i].build_id);
    }
    free(objects->all);
    hcct_table_free(&objects->table);
    *objects = (struct hcct_objects){ 0 };
}
