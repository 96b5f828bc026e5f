#include "decoder/commands/run/heights_run.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/commands/command.h"

/* The path of `name` from the folder of this program; NULL after a complaint: there is none. */
static char *find_beside(const char *name)
{
    char path[PATH_MAX], *found = NULL;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    char *folder_end = strrchr(path, '/');
    if (folder_end)
        *folder_end = 0;
    if (asprintf(&found, "%s/%s", path, name) < 0)
        return NULL;
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
    char *library = find_beside("../lib/hcct/libhcct_heights.so"), *list = NULL, *output = NULL;
    bool done = library && asprintf(&list, "%s%s%s", library, before ? ":" : "", before ? before : "") >= 0 &&
                asprintf(&output, "%s/samples", folder) >= 0 && !setenv("LD_PRELOAD", list, 1) &&
                !setenv("HCCT_HEIGHTS_OUTPUT", output, 1);
    unlink(output ? output : "");
    free(library);
    free(list);
    free(output);
    return done;
}

char **hcct_heights_run_arguments(const char *folder, const char *training)
{
    char **arguments = calloc(7, sizeof *arguments), *output = NULL, *samples = NULL;
    unsetenv("HCCT_HEIGHTS_OUTPUT");
    if (preload_before)
        setenv("LD_PRELOAD", preload_before, 1);
    else
        unsetenv("LD_PRELOAD");
    if (!arguments || asprintf(&output, "--output=%s/inferred.bin", folder) < 0 ||
        asprintf(&samples, "%s/samples", folder) < 0 || !(arguments[0] = find_beside("hcct-heights")))
        return NULL;
    if (access(samples, R_OK)) {
        hcct_command_complain(samples, "was not left: is the program linked dynamically, and for x86-64?");
        return NULL;
    }
    arguments[1] = "infer";
    arguments[2] = output;
    arguments[3] = "-";
    arguments[4] = (char *)training;
    arguments[5] = samples;
    return arguments;
}
