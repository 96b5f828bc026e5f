/* See environment.h. */
#include "runtime/base/environment.h"

#include <string.h>

const char *hcct_environment_find(char **environment, const char *name)
{
    size_t length = strlen(name);
    for (; environment && *environment; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}
