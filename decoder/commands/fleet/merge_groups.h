/* The sums that hcct-merge makes: one, or one for each host, command or build, in a folder; with `force` of
 * several builds (merge_builds.h).
 *
 * With `resumes` a sum goes on where the file at its place ends, and the file has the numbers of all profiles
 * in it (combine/members.h). Memory: that of a sum for each group and build, at most HCCT_GROUPS_LIMIT
 * groups of as many builds. */
#ifndef HCCT_DECODER_COMMANDS_MERGE_GROUPS_H
#define HCCT_DECODER_COMMANDS_MERGE_GROUPS_H

#include <sys/types.h>

#include "decoder/commands/command.h"
#include "decoder/commands/fleet/merge_builds.h"

#define HCCT_GROUPS_LIMIT 1000

enum hcct_groups_by { HCCT_GROUPS_ONE, HCCT_GROUPS_HOST, HCCT_GROUPS_COMMAND, HCCT_GROUPS_BUILD };

struct hcct_group {
    char *name;                   /* of its file */
    struct hcct_build_sum **sums; /* one; with `force` one for each build */
    uint32_t count, capacity;
    struct hcct_members members;
    uint64_t added_count; /* since the file was read or written */
    mode_t mode;          /* of a new file: what all profiles in it grant, before the umask */
};

struct hcct_groups {
    const char *output; /* a file; or the folder of the groups' files */
    enum hcct_groups_by by;
    bool resumes, force, leaves_spread;
    struct hcct_merge_memory memory;
    struct hcct_group **groups; /* a sum stays where it is */
    uint32_t count, capacity;
};

/* Reads the files that are there already, if it resumes. False after a complaint. */
bool hcct_groups_open(struct hcct_groups *groups);
/* Whether a profile is in one of the sums. */
bool hcct_groups_have(const struct hcct_groups *groups, uint64_t number);
/* Adds a profile to its group, unless it resumes and the profile is there. False after a complaint. */
bool hcct_groups_add(struct hcct_groups *groups, const struct hcct_command_file *file, bool *was_there);
/* Writes all sums that grew. False after a complaint. */
bool hcct_groups_write(struct hcct_groups *groups);
void hcct_groups_close(struct hcct_groups *groups);

#endif
