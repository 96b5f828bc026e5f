/* See profiles.h. */
#include "decoder/commands/run/profiles.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "decoder/commands/command.h"
#include "decoder/commands/run/process.h"
#include "decoder/store/profile.h"
#include "decoder/text/memory.h"

bool hcct_run_profile_read(struct hcct_run_profile *profile, const char *wanted)
{
    struct hcct_command_file file = { .name = profile->path };
    const struct hcct_profile *read = &file.profile;
    bool done = hcct_command_try(&file);
    if (done) {
        profile->build_id = read->run->build_id;
        profile->calls = hcct_profile_main(read)->total;
        profile->program = hcct_memory_print("%s", hcct_profile_string(read, read->run->program));
        profile->executable = hcct_memory_print("%s", hcct_profile_executable(read));
        profile->is_wanted = wanted && hcct_profile_is_of(read, wanted);
    }
    hcct_command_close(&file);
    return done;
}

static int compare_processes(const void *left, const void *right)
{
    const struct hcct_run_profile *a = left, *b = right;
    return a->process < b->process ? -1 : a->process > b->process;
}

static bool is_older(const char *path, const struct timespec *since)
{
    struct stat info;
    return stat(path, &info) || info.st_mtim.tv_sec < since->tv_sec ||
           (info.st_mtim.tv_sec == since->tv_sec && info.st_mtim.tv_nsec < since->tv_nsec);
}

struct hcct_run_profiles hcct_run_profiles_list(const char *folder, const char *wanted,
                                                const struct timespec *since)
{
    struct hcct_run_profiles found = { NULL, 0 };
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));) {
        char *end;
        struct hcct_run_profile one = { .process = (pid_t)strtol(entry->d_name, &end, 10) };
        if (end == entry->d_name || strcmp(end, ".bin"))
            continue;
        one.path = hcct_memory_print("%s/%s", folder, entry->d_name);
        if (is_older(one.path, since) || !hcct_run_profile_read(&one, wanted)) {
            free(one.path);
            continue;
        }
        found.items = hcct_memory_got(realloc(found.items, (found.count + 1) * sizeof *found.items));
        found.items[found.count++] = one;
    }
    if (open)
        closedir(open);
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, compare_processes);
    return found;
}

const struct hcct_run_profile *hcct_run_profiles_main(const struct hcct_run_profiles *profiles,
                                                      const char *wanted, pid_t process)
{
    const struct hcct_run_profile *best = NULL;
    for (size_t i = 0; i < profiles->count; i++) {
        const struct hcct_run_profile *one = &profiles->items[i];
        bool fits = wanted ? one->is_wanted : one->process == process;
        if (fits && (!best || one->calls > best->calls))
            best = one;
    }
    return best;
}

void hcct_run_profiles_free(struct hcct_run_profiles *profiles)
{
    for (size_t i = 0; i < profiles->count; i++) {
        free(profiles->items[i].path);
        free(profiles->items[i].program);
        free(profiles->items[i].executable);
    }
    free(profiles->items);
}
