/* See merge_groups.h. */
#include "decoder/commands/fleet/merge_groups.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/combine/run.h"
#include "decoder/commands/fleet/inputs.h"
#include "decoder/commands/fleet/replace.h"
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
    struct hcct_group *group = NULL;
    char *path;
    if (groups->count == HCCT_GROUPS_LIMIT) {
        hcct_command_complain(groups->output, "more than 1000 groups: merge fewer files, or by another word");
        return NULL;
    }
    if (!hcct_vector_grow(&groups->groups, &groups->capacity, groups->count, sizeof group) ||
        asprintf(&path, "%s%s%s", groups->output, groups->by ? "/" : "", name) < 0 ||
        !(group = calloc(1, sizeof *group))) {
        hcct_command_complain(groups->output, "out of memory");
        return NULL;
    }
    group->name = path;
    group->mode = 0666;
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

/* The sum that a profile belongs to. NULL after a complaint. */
static struct hcct_build_sum *find_sum(struct hcct_groups *groups, struct hcct_group *group,
                                       const struct hcct_command_file *file)
{
    for (uint32_t i = 0; i < group->count; i++)
        if (group->sums[i]->combine.run.build_id == file->profile.run->build_id &&
            hcct_profile_is_same_program(&group->sums[i]->combine.records.fixed, &file->profile))
            return group->sums[i];
    struct hcct_build_sum *sum = NULL;
    struct hcct_error error;
    const struct hcct_profile *first = group->count ? &group->sums[0]->combine.records.fixed : &file->profile;
    if (!hcct_run_check_sum(first, &file->profile, &error) ||
        (!groups->force && !hcct_profile_is_same_program(first, &file->profile) &&
         !hcct_run_refuse_build("--force adds such files up by function and line", &error)))
        hcct_command_complain_about(file->name, &error);
    else if (group->count == HCCT_GROUPS_LIMIT)
        hcct_command_complain(file->name, "is of the 1001st build");
    else if (!hcct_vector_grow(&group->sums, &group->capacity, group->count, sizeof sum) ||
             !(sum = hcct_build_sum_new(&groups->memory, groups->leaves_spread, file->name)))
        hcct_command_complain(file->name, "out of memory");
    if (!sum)
        return NULL;
    return group->sums[group->count++] = sum;
}

static bool add_to(struct hcct_groups *groups, struct hcct_group *group, const struct hcct_command_file *file)
{
    struct hcct_error error;
    struct hcct_build_sum *sum = find_sum(groups, group, file);
    if (!sum)
        return false;
    if (!hcct_build_sum_add(sum, &groups->memory, &file->profile, &error))
        return hcct_command_complain_about(file->name, &error);
    group->added_count++;
    group->mode &= mode_of(file->name);
    return !groups->resumes || hcct_members_add_all(&group->members, &file->profile) ||
           hcct_command_complain(file->name, "out of memory");
}

bool hcct_groups_have(const struct hcct_groups *groups, uint64_t number)
{
    for (uint32_t i = 0; i < groups->count; i++)
        if (hcct_members_have(&groups->groups[i]->members, number))
            return true;
    return false;
}

/* A sum of which only a part is there cannot be taken apart. */
bool hcct_groups_add(struct hcct_groups *groups, const struct hcct_command_file *file, bool *was_there)
{
    const struct hcct_profile *profile = &file->profile;
    bool all = true;
    *was_there = false;
    for (uint32_t i = 0; groups->resumes && i < groups->count; i++)
        *was_there |= hcct_members_meet(&groups->groups[i]->members, profile);
    for (uint32_t i = 0; *was_there && i < profile->member_count; i++)
        all &= hcct_groups_have(groups, profile->members[i]);
    if (*was_there)
        return all || hcct_command_complain(file->name, "holds profiles that are there already, and others");
    struct hcct_group *group = find_group(groups, profile);
    return group && add_to(groups, group, file);
}

/* --- files ----------------------------------------------------------------------------------------- */

static bool read_group(void *context, const char *path)
{
    struct hcct_groups *groups = context;
    const char *name = groups->by ? path + strlen(groups->output) + 1 : "";
    size_t length = strlen(name);
    struct hcct_command_file file = { .name = path };
    if (groups->by && (length < 4 || strcmp(name + length - 4, ".bin") || strchr(name, '/')))
        return true;
    bool done = hcct_command_open_within(&file, hcct_merge_memory_of_file(&groups->memory));
    if (done && !file.profile.member_count)
        done =
            hcct_command_complain(path, "does not tell which profiles it holds: --resume goes on with what "
                                        "--resume began");
    struct hcct_group *group = done ? add_group(groups, name) : NULL;
    done = group && add_to(groups, group, &file);
    if (group)
        group->added_count = 0;
    hcct_command_close(&file);
    return done;
}

bool hcct_groups_open(struct hcct_groups *groups)
{
    struct stat at;
    bool is_there = !stat(groups->output, &at);
    if (groups->by && !is_there && (errno != ENOENT || mkdir(groups->output, 0777)))
        return hcct_command_complain(groups->output, strerror(errno));
    if (groups->by && is_there && !S_ISDIR(at.st_mode))
        return hcct_command_complain(groups->output, "is no folder, which --by needs");
    if (!groups->resumes || !is_there)
        return true;
    if (!groups->by)
        return read_group(groups, groups->output);
    const struct hcct_inputs files = { .visit = read_group, .context = groups };
    return hcct_inputs_each(&files, groups->output);
}

struct output {
    const struct hcct_groups *groups;
    struct hcct_group *group;
};

static bool write_sums(void *context, int file)
{
    const struct output *out = context;
    struct hcct_group *group = out->group;
    const struct hcct_members *members = out->groups->resumes ? &group->members : NULL;
    if (group->count > 1 || group->sums[0]->combine.run.build_id == HCCT_FILE_BUILD_BY_OBJECTS)
        return hcct_builds_write(group->sums, group->count, members, group->name, file);
    struct hcct_error error;
    group->sums[0]->combine.members = members;
    bool done = hcct_build_sum_write(group->sums[0], file, &error);
    if (done || errno)
        return done;
    hcct_command_complain_about(group->name, &error);
    errno = 0;
    return false;
}

static bool write_group(struct hcct_groups *groups, struct hcct_group *group)
{
    group->added_count = 0;
    return hcct_replace(group->name, group->mode, write_sums, &(struct output){ groups, group });
}

bool hcct_groups_write(struct hcct_groups *groups)
{
    bool done = true;
    for (uint32_t i = 0; done && i < groups->count; i++)
        if (groups->groups[i]->added_count)
            done = write_group(groups, groups->groups[i]);
    return done;
}

static void free_group(struct hcct_group *group)
{
    for (uint32_t i = 0; i < group->count; i++)
        hcct_build_sum_free(group->sums[i]);
    free(group->sums);
    hcct_members_free(&group->members);
    free(group->name);
    free(group);
}

void hcct_groups_close(struct hcct_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++)
        free_group(groups->groups[i]);
    free(groups->groups);
    hcct_merge_memory_close(&groups->memory);
    *groups = (struct hcct_groups){ 0 };
}
