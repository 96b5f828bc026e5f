#include "decoder/commands/run/heights_run.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/commands/command.h"
#include "decoder/text/memory.h"

/* The path of `name` from the folder of this program; NULL after a complaint: there is none. */
static char *find_beside(const char *name)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    char *folder_end = strrchr(path, '/');
    if (folder_end)
        *folder_end = 0;
    char *found = hcct_memory_print("%s/%s", path, name);
    if (!access(found, R_OK))
        return found;
    hcct_command_complain(found, "is not there: it is in the package hcct-heights, for x86-64; a build of it "
                                 "needs libdw and capstone");
    free(found);
    return NULL;
}

static const char *preload_before;

bool hcct_heights_run_prepare(const char *folder)
{
    const char *before = preload_before = getenv("LD_PRELOAD") ? strdup(getenv("LD_PRELOAD")) : NULL;
    char *library = find_beside("../lib/hcct/libhcct_heights.so");
    if (!library)
        return false;
    char *list = hcct_memory_print("%s%s%s", library, before ? ":" : "", before ? before : "");
    char *output = hcct_memory_print("%s/samples", folder);
    bool done = !setenv("LD_PRELOAD", list, 1) && !setenv("HCCT_HEIGHTS_OUTPUT", output, 1);
    unlink(output);
    free(library);
    free(list);
    free(output);
    return done;
}

char **hcct_heights_run_arguments(const char *folder, const char *training)
{
    char **arguments = hcct_memory_zeros(7, sizeof *arguments);
    char *samples = hcct_memory_print("%s/samples", folder);
    unsetenv("HCCT_HEIGHTS_OUTPUT");
    if (preload_before)
        setenv("LD_PRELOAD", preload_before, 1);
    else
        unsetenv("LD_PRELOAD");
    if (!(arguments[0] = find_beside("hcct-heights")))
        return NULL;
    if (access(samples, R_OK)) {
        hcct_command_complain(samples, "was not left: is the program linked dynamically, and for x86-64?");
        return NULL;
    }
    arguments[1] = "infer";
    arguments[2] = hcct_memory_print("--output=%s/inferred.bin", folder);
    arguments[3] = "-";
    arguments[4] = (char *)training;
    arguments[5] = samples;
    return arguments;
}
