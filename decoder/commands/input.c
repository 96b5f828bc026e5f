/* See input.h. */
#include "decoder/commands/input.h"

#include <stdlib.h>

#include "decoder/commands/temporary.h"

/* A mismatch is not complained about if *mismatches is given, which is then true. */
static bool add_file(struct hcct_builds *builds, char *name, bool *mismatches)
{
    struct hcct_command_file file = { .name = name, .leaves_rows = true };
    struct hcct_error error;
    bool is_open = hcct_command_open(&file), done = is_open && hcct_builds_add(builds, &file.profile, &error);
    if (is_open && !done && mismatches && error.code == HCCT_ERROR_MISMATCH)
        *mismatches = true;
    else if (is_open && !done)
        hcct_command_complain_about(name, &error);
    hcct_command_close(&file);
    return done;
}

static bool add_files(struct hcct_builds *builds, char *const *names, uint32_t count, bool *mismatches)
{
    bool done = true;
    for (uint32_t i = 0; done && i < count; i++)
        done = add_file(builds, names[i], mismatches);
    return done;
}

static bool add_up(struct hcct_input *input, char **names, uint32_t count)
{
    struct hcct_error error;
    bool mismatches = false;
    char **sorted = hcct_command_sorted(names, count);
    bool done = add_files(&input->builds, sorted, count, &mismatches);
    free(sorted);
    if (mismatches) { /* which one that is depends on the order that the user sees */
        struct hcct_builds again = { .force = input->builds.force, .folds = input->builds.folds };
        add_files(&again, names, count, NULL);
        hcct_builds_free(&again);
    }
    return done && (hcct_builds_sum(&input->builds, &input->profile, true, &error) ||
                    hcct_command_complain_about(input->name, &error));
}

bool hcct_input_read(struct hcct_input *input, char **names, uint32_t count,
                     const struct hcct_input_wishes *wishes)
{
    *input = (struct hcct_input){ .name = count > 1 ? "the sum of the files" : names[0],
                                  .file = { .name = names[0] },
                                  .builds = { .open_file = hcct_temporary_open,
                                              .force = wishes->force,
                                              .folds = wishes->folds,
                                              .lacks_spread = !wishes->spread } };
    if (count > 1)
        return add_up(input, names, count);
    if (!hcct_command_open(&input->file))
        return false;
    input->profile = input->file.profile;
    input->file.profile = (struct hcct_profile){ 0 };
    if (!hcct_profile_is_of_several(&input->profile)) /* there every call is a push */
        input->profile.folded |= wishes->folds;
    return true;
}

void hcct_input_close(struct hcct_input *input)
{
    hcct_profile_close(&input->profile);
    hcct_command_close(&input->file);
    hcct_builds_free(&input->builds);
}
