/* The folder that a run's profiles go to, a file for each process. */
#ifndef HCCT_DECODER_COMMANDS_RUN_FOLDER_H
#define HCCT_DECODER_COMMANDS_RUN_FOLDER_H

#include <limits.h>
#include <stdbool.h>

#include "decoder/commands/run/profiles.h"

struct hcct_run_folder {
    const char *kept; /* the user's, which stays; NULL: a new one, which is removed */
    char path[PATH_MAX];
};

/* False after a message, as the next one. */
bool hcct_run_folder_make(struct hcct_run_folder *folder);
/* HCCT_OPTIONS of the program: what the environment says, then our keys (":mode=cct:phi=0.1"), then where
 * profiles go. Of equal keys the last one counts. */
bool hcct_run_folder_set_options(const struct hcct_run_folder *folder, const char *keys);
/* Removes it, with these profiles, unless it is kept, and frees the list. */
void hcct_run_folder_remove(const struct hcct_run_folder *folder, struct hcct_run_profiles *profiles);

#endif
