/* Adds up bounded files of one build before they are decoded, as hcct-merge does: of these a sum keeps no
 * more contexts than the file with the most counters may. So hcct-decode shows the same contexts and bounds
 * of several files as of their merge. Exact files lose nothing when they are added, and wait for merge.h. */
#ifndef HCCT_DECODER_COMMANDS_ADD_UP_H
#define HCCT_DECODER_COMMANDS_ADD_UP_H

#include "decoder/commands/command.h"

/* Puts the sum in the place of a build's first file, closes the others, and sets *count to the number of
 * files that are left, in front. False after a complaint. */
bool hcct_command_add_up(struct hcct_command_file *files, uint32_t *count);

#endif
