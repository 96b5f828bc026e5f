/* The environment, which the C library may not know yet. */
#ifndef HCCT_RUNTIME_BASE_ENVIRONMENT_H
#define HCCT_RUNTIME_BASE_ENVIRONMENT_H

/* The value of a variable in `environment` (NULL: none), or NULL. */
const char *hcct_environment_find(char **environment, const char *name);

#endif
