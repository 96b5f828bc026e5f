/* See merge_groups.h. */
#include "decoder/commands/fleet/merge_groups.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/commands/fleet/replace.h"
#include "decoder/commands/temporary.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"
#include "format/error.h"

/* --- names of groups ------------------------------------------------------------------------------- */

enum { NAME_BYTES = 120 };

/* A text as the name of a file, from `start` on: other bytes than letters, digits and "._-" become "_". A
 * text that does not stay as it is gets a number made of all of it, so that different texts have different
 * names. */
static void make_name(char name[NAME_BYTES + 32], const char *text, const char *start)
{
    size_t length = strlen(start), shown = length < NAME_BYTES ? length : NAME_BYTES;
    bool is_same = length == shown && length && *text != '.' && start == text;
    for (size_t i = 0; i < shown; i++) {
        char c = start[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     (c && strchr("._-", c) && (i || c != '.'));
        name[i] = plain ? c : '_';
        is_same &= plain;
    }
    name[shown] = 0;
    if (!is_same)
        snprintf(name + shown, 32, "%s%08" PRIx32, shown ? "-" : "unknown-",
                 (uint32_t)(hcct_hash_text(0, text, strlen(text)) >> 32));
}

static void name_group(char name[NAME_BYTES + 32], enum hcct_groups_by by, const struct hcct_profile *profile)
{
    const struct hcct_file_run *run = profile->run;
    const char *host = hcct_profile_string(profile, run->host),
               *command = hcct_profile_string(profile, run->command),
               *start = command + strcspn(command, " "); /* the path in front of the program is not shown */
    char text[NAME_BYTES];
    while (start > command && start[-1] != '/')
        start--;
    if (by == HCCT_GROUPS_HOST)
        make_name(name, host, host);
    else if (by == HCCT_GROUPS_COMMAND)
        make_name(name, command, start);
    else if (by == HCCT_GROUPS_BUILD) {
        const char *executable = hcct_profile_executable(profile);
        uint64_t build = *executable ? hcct_hash_text(0, executable, strlen(executable)) : run->build_id;
        snprintf(text, sizeof text, "%.90s-%016" PRIx64,
                 hcct_text_base_name(hcct_profile_string(profile, run->program)), build);
        make_name(name, text, text);
    }
}

/* --- groups ---------------------------------------------------------------------------------------- */

static struct hcct_group *add_group(struct hcct_groups *groups, const char *name)
{
    if (groups->count == HCCT_GROUPS_LIMIT) {
        hcct_command_complain(groups->output, "more than 1000 groups: merge fewer files, or by another word");
        return NULL;
    }
    struct hcct_group *group = hcct_memory_zeros(1, sizeof *group);
    hcct_memory_grow(&groups->groups, &groups->capacity, groups->count, sizeof group);
    group->name = hcct_memory_print("%s%s%s", groups->output, groups->by ? "/" : "", name);
    group->mode = 0666;
    group->sum.open_file = hcct_temporary_open;
    return groups->groups[groups->count++] = group;
}

static struct hcct_group *find_group(struct hcct_groups *groups, const struct hcct_profile *profile)
{
    char name[NAME_BYTES + 40] = "";
    name_group(name, groups->by, profile);
    if (groups->by)
        strcat(name, ".bin");
    size_t start = groups->by ? strlen(groups->output) + 1 : 0;
    for (uint32_t i = 0; i < groups->count; i++)
        if (!groups->by || !strcmp(groups->groups[i]->name + start, name))
            return groups->groups[i];
    return add_group(groups, name);
}

/* A sum is for no more people than its profiles are. The mode of a pipe tells nothing. */
static mode_t mode_of(const char *name)
{
    struct stat info;
    bool is_file =
        !(strcmp(name, "-") ? stat(name, &info) : fstat(STDIN_FILENO, &info)) && S_ISREG(info.st_mode);
    return is_file ? info.st_mode & 0666 : 0666;
}

bool hcct_groups_add(struct hcct_groups *groups, const struct hcct_command_file *file)
{
    struct hcct_error error;
    struct hcct_group *group = find_group(groups, &file->profile);
    if (!group)
        return false;
    group->sum.force = groups->force;
    group->mode &= mode_of(file->name);
    if (hcct_builds_add(&group->sum, &file->profile, &error))
        return true;
    groups->mismatches = error.code == HCCT_ERROR_MISMATCH;
    return groups->mismatches && !groups->tells_mismatch ? false
                                                         : hcct_command_complain_about(file->name, &error);
}

/* --- files ----------------------------------------------------------------------------------------- */

bool hcct_groups_open(const struct hcct_groups *groups)
{
    struct stat at;
    bool is_there = !stat(groups->output, &at);
    if (groups->by && !is_there && (errno != ENOENT || mkdir(groups->output, 0777)))
        return hcct_command_complain(groups->output, strerror(errno));
    if (groups->by && is_there && !S_ISDIR(at.st_mode))
        return hcct_command_complain(groups->output, "is no folder, which --by needs");
    return true;
}

static bool write_sum(void *context, int file)
{
    struct hcct_group *group = context;
    struct hcct_error error;
    if (!hcct_builds_write(&group->sum, file, &error)) {
        hcct_command_complain_about(hcct_command_output_name(group->name), &error);
        errno = 0;
        return false;
    }
    if (group->sum.lost_count)
        fprintf(stderr,
                "%s: %s: %" PRIu64 " pushes could not be decoded; what they called is under [unknown]\n",
                hcct_command_name, group->name, group->sum.lost_count);
    return true;
}

bool hcct_groups_write(struct hcct_groups *groups)
{
    bool done = true;
    for (uint32_t i = 0; done && i < groups->count; i++)
        done = hcct_replace(groups->groups[i]->name, groups->groups[i]->mode, write_sum, groups->groups[i]);
    return done;
}

static void free_group(struct hcct_group *group)
{
    hcct_builds_free(&group->sum);
    free(group->name);
    free(group);
}

void hcct_groups_clear(struct hcct_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++)
        free_group(groups->groups[i]);
    groups->count = 0;
}

void hcct_groups_close(struct hcct_groups *groups)
{
    hcct_groups_clear(groups);
    free(groups->groups);
    *groups = (struct hcct_groups){ 0 };
}
