/* See builds.h. */
#include "decoder/tree/builds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/store/reader.h"
#include "decoder/store/run.h"
#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/tree/by_names.h"

static struct hcct_pool *find_pool(const struct hcct_builds *builds, const struct hcct_profile *profile)
{
    for (uint32_t i = 0; i < builds->count; i++)
        if (builds->pools[i]->run.build_id == profile->run->build_id &&
            hcct_profile_is_same_program(&builds->pools[i]->records.fixed, profile))
            return builds->pools[i];
    return NULL;
}

static bool check(const struct hcct_builds *builds, const struct hcct_profile *profile,
                  struct hcct_error *error)
{
    const struct hcct_profile *first = &builds->pools[0]->records.fixed;
    if (!hcct_run_check_sum(first, profile, error))
        return false;
    if (!builds->force && !hcct_profile_is_same_program(first, profile))
        return hcct_run_refuse_build("--force adds such files up by function and line", error);
    return builds->count < HCCT_BUILDS_LIMIT ||
           hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE, "is of the 1001st build");
}

bool hcct_builds_add(struct hcct_builds *builds, const struct hcct_profile *profile, struct hcct_error *error)
{
    struct hcct_pool *pool = find_pool(builds, profile);
    if (!pool) {
        if (builds->count && !check(builds, profile, error))
            return false;
        hcct_memory_grow(&builds->pools, &builds->capacity, builds->count, sizeof pool);
        pool = hcct_memory_zeros(1, sizeof *pool);
        pool->open_file = builds->open_file;
        pool->lacks_spread = builds->lacks_spread;
        builds->pools[builds->count++] = pool;
    }
    builds->folds |= profile->folded;
    builds->bytes += profile->length;
    return hcct_pool_add(pool, profile, error);
}

/* --- several builds --------------------------------------------------------------------------------- */

static bool translate(struct hcct_builds *builds, struct hcct_profile *profile, bool is_one_program,
                      struct hcct_error *error)
{
    struct hcct_by_names translation;
    bool is_of_several = hcct_profile_is_of_several(profile); /* there every call is a push */
    if (is_of_several && profile->folded != builds->folds)
        return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                              "recursion is folded in some files and not in others, and a sum of several "
                              "builds cannot be folded any more");
    if (profile->run->build_id == HCCT_FILE_BUILD_BY_NAMES)
        return hcct_pool_add(&builds->all, profile, error);
    profile->folded = builds->folds;
    if (!hcct_by_names_open(&translation, profile, is_one_program ? &builds->objects : NULL, error))
        return false;
    builds->lost_count += translation.lost_count;
    bool done = hcct_pool_add(&builds->all, &translation.profile, error);
    builds->all.notes[HCCT_NOTE_LOST] = hcct_sum(builds->all.notes[HCCT_NOTE_LOST], translation.lost_count);
    hcct_by_names_close(&translation);
    return done;
}

static bool translate_all(struct hcct_builds *builds, struct hcct_error *error)
{
    const struct hcct_profile *first = &builds->pools[0]->records.fixed;
    bool is_one_program = true;
    builds->all.lacks_spread = builds->lacks_spread;
    for (uint32_t i = 0; i < builds->count; i++) {
        const struct hcct_profile *fixed = &builds->pools[i]->records.fixed;
        is_one_program &=
            fixed->run->build_id != HCCT_FILE_BUILD_BY_NAMES && hcct_profile_is_same_program(first, fixed);
        hcct_objects_add(&builds->objects, fixed);
    }
    bool done = true;
    for (uint32_t i = 0; done && i < builds->count; i++) {
        struct hcct_profile sum;
        if (!hcct_pool_sum(builds->pools[i], &sum))
            return hcct_error_out_of_memory(error);
        sum.length = builds->bytes;
        done = hcct_reader_index(&sum, error) && translate(builds, &sum, is_one_program, error);
        hcct_profile_close(&sum);
    }
    return done;
}

/* What all parts are in at the end. NULL: *error tells why. */
static struct hcct_pool *join(struct hcct_builds *builds, struct hcct_error *error)
{
    bool has_objects = builds->pools[0]->run.build_id == HCCT_FILE_BUILD_BY_OBJECTS; /* each sum its own */
    if (builds->count == 1 && !has_objects)
        return builds->pools[0];
    return translate_all(builds, error) ? &builds->all : NULL;
}

bool hcct_builds_sum(struct hcct_builds *builds, struct hcct_profile *sum, bool has_index,
                     struct hcct_error *error)
{
    struct hcct_pool *pool = join(builds, error);
    if (!pool)
        return false;
    if (!hcct_pool_sum(pool, sum))
        return hcct_error_out_of_memory(error);
    sum->length = builds->bytes;
    if (!hcct_profile_is_of_several(sum))
        sum->folded = builds->folds;
    return !has_index || hcct_reader_index(sum, error);
}

bool hcct_builds_write(struct hcct_builds *builds, int file, struct hcct_error *error)
{
    struct hcct_pool *pool = join(builds, error);
    return pool && (hcct_pool_write_into(pool, file) ||
                    hcct_error_set(error, HCCT_ERROR_MEMORY, HCCT_ERROR_NOWHERE, "%s", strerror(errno)));
}

void hcct_builds_free(struct hcct_builds *builds)
{
    for (uint32_t i = 0; i < builds->count; i++) {
        hcct_pool_free(builds->pools[i]);
        free(builds->pools[i]);
    }
    free(builds->pools);
    hcct_pool_free(&builds->all);
    hcct_objects_free(&builds->objects);
    *builds = (struct hcct_builds){ 0 };
}
