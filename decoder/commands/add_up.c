/* See add_up.h. */
#include "decoder/commands/add_up.h"

#include <stdlib.h>

#include "decoder/combine/one_build/combine.h"
#include "decoder/combine/one_build/combine_write.h"
#include "decoder/profile/open.h"

static bool is_of_build(const struct hcct_command_file *file, const struct hcct_command_file *first)
{
    return file->profile.run->build_id == first->profile.run->build_id &&
           hcct_profile_is_same_program(&first->profile, &file->profile);
}

/* Puts the sum in the place of the first file. Both have that name. */
static bool replace(struct hcct_command_file *first, struct hcct_combine *combine, struct hcct_error *error)
{
    struct hcct_command_file sum = { .name = first->name };
    sum.bytes = hcct_combine_write(combine, &sum.length);
    bool done = sum.bytes ? hcct_profile_open(&sum.profile, sum.bytes, sum.length, error)
                          : hcct_error_out_of_memory(error);
    sum.profile.name = sum.name;
    hcct_command_close(done ? first : &sum);
    if (done)
        *first = sum;
    return done;
}

/* The files are of one build. *which is the one that an error is about. */
static bool add(struct hcct_command_file *files, uint32_t count, uint32_t *which, struct hcct_error *error)
{
    struct hcct_combine combine = { 0 };
    struct hcct_profile *profiles = malloc(count * sizeof *profiles);
    for (uint32_t i = 0; profiles && i < count; i++)
        profiles[i] = files[i].profile;
    *which = 0;
    bool done = profiles ? hcct_records_add_build(&combine.records, profiles, count, profiles->run->build_id,
                                                  which, error)
                         : hcct_error_out_of_memory(error);
    for (uint32_t i = 0; done && i < count; i++) {
        *which = i;
        done = hcct_combine_add(&combine, &profiles[i], error);
    }
    done = done && replace(files, &combine, error);
    hcct_combine_free(&combine);
    free(profiles);
    return done;
}

/* Moves those of the first file's build to the front, the others in their order behind. Returns their
 * number. */
static uint32_t gather(struct hcct_command_file *files, uint32_t count, bool *bounded)
{
    uint32_t found = 0;
    *bounded = false;
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_command_file file = files[i];
        if (!is_of_build(&file, files))
            continue;
        *bounded |= file.profile.run->mode == HCCT_MODE_HCCT;
        for (uint32_t at = i; at > found; at--)
            files[at] = files[at - 1];
        files[found++] = file;
    }
    return found;
}

bool hcct_command_add_up(struct hcct_command_file *files, uint32_t *count)
{
    for (uint32_t at = 0, found; at < *count; at += found) {
        struct hcct_error error;
        bool bounded;
        uint32_t which;
        found = gather(files + at, *count - at, &bounded);
        if (!bounded || found == 1)
            continue;
        if (!add(files + at, found, &which, &error))
            return hcct_command_complain_about(files[at + which].name, &error);
        for (uint32_t i = 1; i < found; i++)
            hcct_command_close(&files[at + i]);
        for (uint32_t i = at + found; i < *count; i++) {
            files[i - found + 1] = files[i];
            files[i] = (struct hcct_command_file){ .name = "" };
        }
        *count -= found - 1;
        found = 1;
    }
    return true;
}
