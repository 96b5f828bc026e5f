/* See objects.h. */
#include "decoder/tree/objects.h"

#include <stdlib.h>
#include <string.h>

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

static bool add(struct hcct_objects *objects, const char *path, const char *build_id)
{
    struct hcct_object_builds *known = find(objects, path);
    if (known)
        known->differ |= strcmp(known->build_id, build_id) != 0;
    if (known)
        return true;
    if (!hcct_vector_grow(&objects->all, &objects->capacity, objects->count, sizeof *known))
        return false;
    known = &objects->all[objects->count];
    *known = (struct hcct_object_builds){ strdup(path), strdup(build_id), !*build_id };
    return hcct_table_add(&objects->table, hash_path(path), objects->count++) && known->path &&
           known->build_id;
}

bool hcct_objects_add(struct hcct_objects *objects, const struct hcct_profile *profile)
{
    bool done = true;
    for (uint32_t i = 0; done && i < profile->code.object_count; i++)
        done = add(objects, hcct_profile_string(profile, profile->code.objects[i].path),
                   hcct_profile_string(profile, profile->code.objects[i].build_id));
    return done;
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
