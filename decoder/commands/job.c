/* See job.h. */
#include "decoder/commands/job.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/commands/command.h"
#include "decoder/text/memory.h"

/* What a profile says of its run. False, without a word, if the file is none. */
static bool read_run(const char *name, struct hcct_file_run *run)
{
    struct hcct_command_file file = { .name = name };
    bool done = hcct_command_try(&file);
    if (done)
        *run = *file.profile.run;
    hcct_command_close(&file);
    return done;
}

struct candidate {
    char *name;
    struct hcct_file_run run;
    bool is_taken;
};

struct candidates {
    struct candidate *items;
    uint32_t count, capacity;
};

static bool is_name_of_process(const char *name)
{
    static const char prefix[] = HCCT_JOB_PROFILE ".";
    const char *number = name + sizeof prefix - 1;
    return !strncmp(name, prefix, sizeof prefix - 1) && *number && !number[strspn(number, "0123456789.")];
}

/* Adds the file if it is a profile of that job. */
static void add(struct candidates *to, const char *name, const struct hcct_file_run *first)
{
    const uint64_t hour = UINT64_C(3600) * 1000000000; /* later its number may be another job's */
    struct candidate it = { .is_taken = !first };
    if (!read_run(name, &it.run) && first)
        return;
    if (first && (it.run.job != first->job || it.run.end + hour < first->end))
        return;
    it.name = hcct_memory_got(strdup(name));
    hcct_memory_grow(&to->items, &to->capacity, to->count, sizeof it);
    to->items[to->count++] = it;
}

/* Takes what ran at the same time as one that is taken. */
static void take(const struct candidates *all)
{
    for (bool again = true; again;) {
        again = false;
        uint64_t from = UINT64_MAX, to = 0;
        for (uint32_t i = 0; i < all->count; i++) {
            const struct hcct_file_run *run = &all->items[i].run;
            from = all->items[i].is_taken && run->start < from ? run->start : from;
            to = all->items[i].is_taken && run->end > to ? run->end : to;
        }
        for (uint32_t i = 1; i < all->count; i++) {
            struct candidate *it = &all->items[i];
            bool fits =
                it->run.build_id == all->items[0].run.build_id && it->run.metric == all->items[0].run.metric;
            if (!it->is_taken && fits && it->run.start <= to && it->run.end >= from)
                it->is_taken = again = true;
        }
    }
}

struct hcct_job hcct_job_find(void)
{
    struct candidates all = { .count = 0 };
    struct hcct_job job = { .count = 0 };
    add(&all, HCCT_JOB_PROFILE, NULL);
    DIR *folder = all.items[0].run.job ? opendir(".") : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_name_of_process(entry->d_name)) {
            const struct hcct_file_run first = all.items[0].run; /* the array moves */
            add(&all, entry->d_name, &first);
        }
    if (folder)
        closedir(folder);
    take(&all);
    job.names = hcct_memory_array(all.count, sizeof *job.names);
    for (uint32_t i = 0; i < all.count; i++) {
        if (all.items[i].is_taken)
            job.names[job.count++] = all.items[i].name;
        else
            free(all.items[i].name);
        job.others += !all.items[i].is_taken;
    }
    free(all.items);
    return job;
}

void hcct_job_free(struct hcct_job *job)
{
    for (uint32_t i = 0; i < job->count; i++)
        free(job->names[i]);
    free(job->names);
}
