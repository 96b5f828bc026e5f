/* See core/settings.h. */
#ifndef HCCT_RUNTIME_OUTPUT_SETTINGS_H
#define HCCT_RUNTIME_OUTPUT_SETTINGS_H

#include <stdbool.h>

struct hcct_output_settings {
    char path[1024]; /* with patterns (%p); paths.h */
    bool path_is_given;
    /* the program has rights that its caller lacks (AT_SECURE): then nothing is read or written for the
     * caller */
    bool is_secure;
    bool is_spawned; /* by MPI: the files are told apart by the process */
    int rank;        /* of this process, plus 1: its files are told apart by it; 0: it is none of several */
    char unit[32];   /* of metric=weight */
};
extern __attribute__((visibility("hidden"))) struct hcct_output_settings hcct_output_settings;

#endif
