/* The sums that hcct-merge makes: one, or one for each host, command or build, in a folder; with `force` of
 * several builds (tree/builds.h).
 * Memory: that of a sum for each group and build, at most HCCT_GROUPS_LIMIT groups of as many builds. */
#ifndef HCCT_DECODER_COMMANDS_MERGE_GROUPS_H
#define HCCT_DECODER_COMMANDS_MERGE_GROUPS_H

#include <sys/types.h>

#include "decoder/commands/command.h"
#include "decoder/tree/builds.h"

#define HCCT_GROUPS_LIMIT 1000

enum hcct_groups_by { HCCT_GROUPS_ONE, HCCT_GROUPS_HOST, HCCT_GROUPS_COMMAND, HCCT_GROUPS_BUILD };

struct hcct_group {
    char *name; /* of its file */
    struct hcct_builds sum;
    mode_t mode; /* of a new file: what all profiles in it grant, before the umask */
};

struct hcct_groups {
    const char *output; /* a file; or the folder of the groups' files */
    enum hcct_groups_by by;
    bool force;
    bool tells_mismatch,
        mismatches;             /* a profile that does not fit is complained about; else this tells of it */
    struct hcct_group **groups; /* a sum stays where it is */
    uint32_t count, capacity;
};

/* Makes the folder of groups, if it is missing. False after a complaint. */
bool hcct_groups_open(const struct hcct_groups *groups);
/* Adds a profile to its group. False after a complaint; but if the profile does not fit to the others,
 * `mismatches` is set, and there is a complaint only with `tells_mismatch`. */
bool hcct_groups_add(struct hcct_groups *groups, const struct hcct_command_file *file);
/* Writes all sums. False after a complaint. */
bool hcct_groups_write(struct hcct_groups *groups);
/* Forgets what was added. */
void hcct_groups_clear(struct hcct_groups *groups);
void hcct_groups_close(struct hcct_groups *groups);

#endif
