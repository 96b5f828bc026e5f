/* See merge_builds.h. */
#include "decoder/commands/fleet/merge_builds.h"
#include "decoder/combine/one_build/combine_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "decoder/commands/command.h"
#include "decoder/profile/open.h"
#include "decoder/tree/by_names.h"

struct builds {
    struct hcct_combine all;
    bool fold; /* recursion is folded in one of the sums */
    struct hcct_objects objects;
    bool is_one_program;
    uint64_t lost_count;
};

static bool add_translated(struct builds *builds, const struct hcct_profile *profile,
                           struct hcct_error *error)
{
    struct hcct_by_names translation;
    if (hcct_profile_is_of_several(profile) && profile->folded != builds->fold)
        return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                              "recursion is folded in some files and not in others, and a sum of several "
                              "builds cannot be folded any more");
    if (profile->run->build_id == HCCT_FILE_BUILD_BY_NAMES)
        return hcct_combine_add(&builds->all, profile, error);
    if (!hcct_by_names_open(&translation, profile, builds->is_one_program ? &builds->objects : NULL, error))
        return false;
    builds->lost_count += translation.lost_count;
    bool done = hcct_combine_add(&builds->all, &translation.profile, error);
    hcct_by_names_close(&translation);
    return done;
}

static bool add_sum(struct builds *builds, struct hcct_build_sum *sum, struct hcct_error *error)
{
    struct hcct_profile profile;
    size_t length;
    unsigned char *bytes = hcct_combine_write(&sum->combine, &length);
    if (!bytes)
        return hcct_error_out_of_memory(error);
    bool done = hcct_profile_open(&profile, bytes, length, error);
    if (done) {
        profile.name = sum->first;
        profile.folded |= builds->fold && !hcct_profile_is_of_several(&profile);
        done = add_translated(builds, &profile, error);
        hcct_profile_close(&profile);
    }
    free(bytes);
    return done;
}

bool hcct_builds_write(struct hcct_build_sum *const *sums, uint32_t count, const char *name, int file)
{
    struct builds builds = { .is_one_program = true };
    struct hcct_error error;
    bool done = true;
    for (uint32_t i = 0; done && i < count; i++) {
        const struct hcct_profile *fixed = &sums[i]->combine.records.fixed;
        builds.fold |= sums[i]->combine.run.recursion == HCCT_RECURSION_FOLDED;
        builds.is_one_program &= hcct_profile_is_same_program(&sums[0]->combine.records.fixed, fixed);
        done = hcct_objects_add(&builds.objects, fixed) || hcct_error_out_of_memory(&error);
    }
    for (uint32_t i = 0; done && i < count; i++)
        done = add_sum(&builds, sums[i], &error);
    int reason = 0;
    if (!done)
        hcct_command_complain_about(name, &error);
    else if (!(done = hcct_combine_write_into(&builds.all, file)))
        reason = errno;
    if (done && builds.lost_count)
        fprintf(stderr,
                "%s: %s: %" PRIu64 " pushes could not be decoded; what they called is under [unknown]\n",
                hcct_command_name, name, builds.lost_count);
    hcct_combine_free(&builds.all);
    hcct_objects_free(&builds.objects);
    errno = reason;
    return done;
}
