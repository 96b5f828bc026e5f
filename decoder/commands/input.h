/* The profile that a command shows: of one file, or the sum of several. */
#ifndef HCCT_DECODER_COMMANDS_INPUT_H
#define HCCT_DECODER_COMMANDS_INPUT_H

#include "decoder/commands/command.h"
#include "decoder/tree/builds.h"

struct hcct_input {
    struct hcct_command_file file; /* the only one */
    struct hcct_builds builds;     /* of several */
    struct hcct_profile profile;
    const char *name; /* what messages call it: the file's, or that it is a sum */
};

/* What is wanted of the profile beside what is in the files. */
struct hcct_input_wishes {
    bool force;  /* several may be of different programs */
    bool folds;  /* recursion is folded, whatever they say */
    bool spread; /* several: how they differ */
};

/* Reads the files, one at a time. False after a complaint; close it in any case. */
bool hcct_input_read(struct hcct_input *input, char **names, uint32_t count,
                     const struct hcct_input_wishes *wishes);
void hcct_input_close(struct hcct_input *input);

#endif
