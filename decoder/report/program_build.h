/* What an executable's build has for the profiler: the settings that its objects carry in their notes
 * (struct hcct_note of abi.h), and which build it is. */
#ifndef HCCT_DECODER_REPORT_PROGRAM_BUILD_H
#define HCCT_DECODER_REPORT_PROGRAM_BUILD_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct hcct_program_build {
    bool is_known;        /* an executable of this machine's kind was found, which is no script */
    bool is_instrumented; /* some object of it has a note */
    uint32_t settings;    /* enum hcct_setting: what some object of it has */
    char build_id[65];    /* hexadecimal, as the runtime writes it; empty: it has none */
    struct timespec time; /* when the file was changed last */
};

/* Of the file that execvp(3) would run for that name, or of a shared object. What it loads is not looked
 * at. */
struct hcct_program_build hcct_program_build_read(const char *program);

#endif
