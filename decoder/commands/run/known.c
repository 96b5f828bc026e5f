/* See known.h. */
#include "decoder/commands/run/known.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "decoder/commands/run/process.h"
#include "decoder/text/memory.h"

/* The value of known=, of several the last; quotes as the runtime reads them (next_option in
 * runtime/start/options.c). NULL: there is none. */
static char *read_known(const char *options)
{
    static const char key[] = "known=";
    char *known = NULL;
    for (const char *at = options, *end; at && *at; at = end + (*end == ':')) {
        const char *value = at + strcspn(at, "=:");
        value += *value == '=';
        bool is_quoted = *value == '\'' || *value == '"';
        end = is_quoted ? strchr(value + 1, *value) : NULL;
        size_t length = end ? (size_t)(end - value - 1) : strcspn(value, ":");
        end = end ? end + strcspn(end, ":") : value + length;
        if (strncmp(at, key, sizeof key - 1) != 0)
            continue;
        free(known);
        known = hcct_memory_print("%.*s", (int)length, value + is_quoted);
    }
    return known;
}

bool hcct_run_is_known(const char *name)
{
    struct stat one, other;
    char *known = read_known(getenv("HCCT_OPTIONS"));
    bool is = known && !stat(known, &one) && !stat(name, &other) && one.st_dev == other.st_dev &&
              one.st_ino == other.st_ino;
    free(known);
    return is;
}
