/* The subcommands of hcct-lab. Each is given its own words: argv[0] is its name. */
#ifndef HCCT_LAB_COMMANDS_COMMANDS_H
#define HCCT_LAB_COMMANDS_COMMANDS_H

#include "decoder/commands/command.h"

enum hcct_command_status hcct_lab_metrics(int argc, char **argv);
enum hcct_command_status hcct_lab_replay(int argc, char **argv);
enum hcct_command_status hcct_lab_shape(int argc, char **argv);

#endif
