/* See inputs.h. */
#include "decoder/commands/fleet/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "decoder/commands/command.h"
#include "decoder/text/memory.h"
#include "format/input.h"

enum { DEPTH_LIMIT = 64 };

/* --- folders -------------------------------------------------------------------------------------- */

static bool is_draft(const char *name)
{
    const char *at = strstr(name, ".tmp");
    return at && (!at[4] || (at[4] == '.' && !at[5 + strspn(at + 5, "0123456789")]));
}

static int is_candidate(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && !is_draft(entry->d_name);
}

/* By bytes, so that the order is the same everywhere. */
static int compare_names(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

static bool is_left_out(const struct hcct_inputs *inputs, const struct stat *at)
{
    struct stat other;
    return inputs->leaves_out && !stat(inputs->leaves_out, &other) && at->st_dev == other.st_dev &&
           at->st_ino == other.st_ino;
}

static bool visit_folder(const struct hcct_inputs *inputs, const char *folder, int depth);

static bool visit_below(const struct hcct_inputs *inputs, const char *folder, const char *name, int depth)
{
    char *path = hcct_memory_print("%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    struct stat at;
    bool done = true;
    bool is_there = !lstat(path, &at);
    bool is_link = is_there && S_ISLNK(at.st_mode);
    if (is_link)
        is_there = !stat(path, &at) && !S_ISDIR(at.st_mode);
    if (is_there && !is_left_out(inputs, &at)) {
        if (S_ISDIR(at.st_mode))
            done = visit_folder(inputs, path, depth + 1);
        else if (S_ISREG(at.st_mode))
            done = inputs->visit(inputs->context, path);
    }
    free(path);
    return done;
}

static bool visit_folder(const struct hcct_inputs *inputs, const char *folder, int depth)
{
    struct dirent **names;
    int count = depth < DEPTH_LIMIT ? scandir(folder, &names, is_candidate, compare_names) : -1;
    if (count < 0)
        return hcct_command_complain(folder,
                                     depth < DEPTH_LIMIT ? strerror(errno) : "folders are nested too deeply");
    bool done = true;
    for (int i = 0; i < count; i++) {
        done = done && visit_below(inputs, folder, names[i]->d_name, depth);
        free(names[i]);
    }
    free(names);
    return done;
}

/* --- patterns ------------------------------------------------------------------------------------- */

static bool visit_existing(const struct hcct_inputs *inputs, const char *name)
{
    struct stat at;
    bool is_folder = strcmp(name, "-") != 0 && !stat(name, &at) && S_ISDIR(at.st_mode);
    return is_folder ? visit_folder(inputs, name, 0) : inputs->visit(inputs->context, name);
}

/* What matches is visited like what a shell would have put there. */
static bool visit_pattern(const struct hcct_inputs *inputs, const char *pattern)
{
    glob_t found = { 0 };
    struct stat at;
    int status = glob(pattern, GLOB_ERR, NULL, &found);
    bool done = status == 0;
    if (status == GLOB_NOMATCH)
        hcct_command_complain(pattern, "no file matches");
    else if (status)
        hcct_command_complain(pattern, status == GLOB_NOSPACE ? "out of memory" : strerror(errno));
    for (size_t i = 0; done && i < found.gl_pathc; i++)
        if (stat(found.gl_pathv[i], &at) || !is_left_out(inputs, &at))
            done = visit_existing(inputs, found.gl_pathv[i]);
    if (!status)
        globfree(&found);
    return done;
}

bool hcct_inputs_each(const struct hcct_inputs *inputs, const char *name)
{
    struct stat at;
    bool is_pattern = strpbrk(name, "*?[") && lstat(name, &at);
    return is_pattern ? visit_pattern(inputs, name) : visit_existing(inputs, name);
}
