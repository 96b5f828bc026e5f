/* See folder.h. */
#include "decoder/commands/run/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/commands/run/process.h"
#include "decoder/commands/temporary.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"

/* The folder that is kept. The program's processes could not tell that they may not write there. */
static bool make_kept(struct hcct_run_folder *folder)
{
    struct stat status;
    bool done = (!mkdir(folder->kept, 0777) || errno == EEXIST) && !stat(folder->kept, &status);
    if (done && !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        done = false;
    }
    done = done && !access(folder->kept, W_OK | X_OK) && realpath(folder->kept, folder->path);
    return done || hcct_run_fail(0, folder->kept, strerror(errno));
}

bool hcct_run_folder_make(struct hcct_run_folder *folder)
{
    if (folder->kept)
        return make_kept(folder);
    snprintf(folder->path, sizeof folder->path, "%s/hcct-run.XXXXXX", hcct_temporary_folder());
    if (*folder->path != '/')
        return hcct_run_fail(0, folder->path, "TMPDIR is no absolute path");
    return mkdtemp(folder->path) || hcct_run_fail(0, folder->path, strerror(errno));
}

/* The option whose quotes have no end; NULL: there is none. Quotes count where the runtime sees them: at the
 * start of a value (next_option in runtime/start/options.c). What follows would be a part of this value. */
static const char *find_open_quote(const char *options)
{
    const char *option = options;
    bool is_value = false, is_empty = true;
    char quote = 0;
    for (const char *at = options; *at; at++) {
        if (quote && *at == quote) {
            quote = 0;
        } else if (!quote && *at == ':') {
            option = at + 1;
            is_value = false;
        } else if (!quote && !is_value) {
            is_value = is_empty = *at == '=';
        } else if (!quote && is_empty && (*at == '\'' || *at == '"')) {
            quote = *at;
        } else {
            is_empty = false;
        }
    }
    return quote ? option : NULL;
}

bool hcct_run_folder_set_options(const struct hcct_run_folder *folder, const char *keys)
{
    const char *before = getenv("HCCT_OPTIONS");
    struct hcct_text pattern = { 0 };
    const char *open = before ? find_open_quote(before) : NULL;
    if (open)
        return hcct_run_fail(0, open, "these quotes in HCCT_OPTIONS have no end: add it, or leave them out");
    if (strchr(folder->path, '\''))
        return hcct_run_fail(0, folder->path, "a folder with a quote in its name cannot be used");
    for (const char *at = folder->path; *at; at++)
        hcct_text_add(&pattern, *at == '%' ? "%%" : at, *at == '%' ? 2 : 1);
    char *value = hcct_memory_print("%s%s:output='%s/%%p.bin'", before ? before : "", keys, pattern.bytes);
    bool done = !setenv("HCCT_OPTIONS", *value == ':' ? value + 1 : value, 1);
    free(value);
    free(pattern.bytes);
    return done;
}

void hcct_run_folder_remove(const struct hcct_run_folder *folder, struct hcct_run_profiles *profiles)
{
    for (size_t i = 0; i < profiles->count && !folder->kept; i++)
        unlink(profiles->items[i].path);
    hcct_run_profiles_free(profiles);
    if (!folder->kept)
        rmdir(folder->path);
}
