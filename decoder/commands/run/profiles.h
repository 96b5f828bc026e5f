/* hcct-run: the profiles that the processes of a run left in its folder. */
#ifndef HCCT_DECODER_COMMANDS_RUN_PROFILES_H
#define HCCT_DECODER_COMMANDS_RUN_PROFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct hcct_run_profile {
    char *path, *program, *executable; /* as hcct_profile_executable */
    bool is_wanted;                    /* by --program */
    pid_t process;
    uint64_t build_id, calls;
};

struct hcct_run_profiles {
    struct hcct_run_profile *items;
    size_t count;
};

/* Reads the file at profile->path, and sets all members but `path` and `process`. `wanted`: the program of
 * --program, or NULL. False if it is no profile; then nothing is set. */
bool hcct_run_profile_read(struct hcct_run_profile *profile, const char *wanted);
/* Those in the folder that were written since `since`, by process. A folder that is kept may have older
 * ones. */
struct hcct_run_profiles hcct_run_profiles_list(const char *folder, const char *wanted,
                                                const struct timespec *since);
/* That of the process that was run or, where a program is wanted, the one with the most calls of the
 * program's. NULL: there is none. */
const struct hcct_run_profile *hcct_run_profiles_main(const struct hcct_run_profiles *profiles,
                                                      const char *wanted, pid_t process);
void hcct_run_profiles_free(struct hcct_run_profiles *profiles);

#endif
