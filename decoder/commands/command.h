/* What the commands share: messages, files in and out, values of options. Exit statuses: 0 done, 1 a file or
 * the output is bad, 2 usage. */
#ifndef HCCT_DECODER_COMMANDS_COMMAND_H
#define HCCT_DECODER_COMMANDS_COMMAND_H

#include <getopt.h>
#include <stdio.h>

#include "decoder/store/open.h"
#include "decoder/store/profile.h"
#include "format/error.h"

enum hcct_command_status {
    HCCT_COMMAND_DONE = 0,
    HCCT_COMMAND_BAD = 1,
    HCCT_COMMAND_USAGE = 2,
    HCCT_COMMAND_LEAKED = 23
};

/* The command's name, which stands in front of every message. Each main file defines it. */
extern const char hcct_command_name[];

/* Prints a line on stderr: the command, `subject`, and what is wrong with it. Returns false. */
bool hcct_command_complain(const char *subject, const char *what);
bool hcct_command_complain_about(const char *subject, const struct hcct_error *error);

/* A profile in a file; the name - means standard input. */
struct hcct_command_file {
    const char *name;
    bool leaves_rows; /* set it if it is only added up: of a large profile, rows stay in the file */
    void *bytes;
    size_t length;
    bool lacks_memory; /* it could not be read for that */
    struct hcct_profile profile;
};

/* Reads the bytes of a file, as many as `wanted` asks for; it may be no profile. False after a complaint.
 * Close it in any case. */
bool hcct_command_read(struct hcct_command_file *file, hcct_wanted_bytes *wanted);
/* Reads and checks a profile. False after a complaint; it may be closed even then. */
bool hcct_command_open(struct hcct_command_file *file);
/* As hcct_command_open, but without a complaint, and "-" is a file of that name. */
bool hcct_command_try(struct hcct_command_file *file);
void hcct_command_close(struct hcct_command_file *file);

/* Read the value of an option: the index of one of `words`, which end with NULL and of which empty ones are
 * none; a share from 0 to 1; a count. False after a complaint. */
bool hcct_command_word(const char *option, const char *text, const char *const *words, int *value);
bool hcct_command_number(const char *text, double *value); /* without a complaint */
bool hcct_command_share(const char *option, const char *text, double *value);
bool hcct_command_count(const char *option, const char *text, uint64_t *value);
/* Complains that `text` is no value of that option, whose name is without dashes; `allowed` or `words`
 * tell which values are, and the nearest word is suggested. Return false. */
bool hcct_command_refuse(const char *option, const char *text);
bool hcct_command_refuse_but(const char *option, const char *text, const char *allowed);
bool hcct_command_refuse_word(const char *option, const char *text, const char *const *words);

/* The files, sorted by their content, so that what is made of them does not depend on the order in which they
 * are named; from malloc. */
char **hcct_command_sorted(char *const *names, uint32_t count);

/* The value of --output where standard output is the default: NULL for "-", which is that. */
const char *hcct_command_output(const char *name);
/* Whether a result of that name would go through a link to somewhere else: no command writes there. */
bool hcct_command_is_link(const char *name);
/* Whether writing `output` leaves `input` as it is. False after a complaint: both are the same file. NULL or
 * "-" stand for standard output and input. */
bool hcct_command_leaves(const char *output, const char *input);
/* Opens what --output names; NULL or "-": standard output. A file that has a content keeps it until
 * hcct_command_finish: what is written goes to a temporary file before. NULL after a complaint. */
FILE *hcct_command_create(const char *name);
/* Closes it where there is no result, and leaves the file as it was: a part must not look whole. */
void hcct_command_discard(FILE *out);
/* Flushes and closes `out`, which hcct_command_create made. If writing failed, complains, and leaves the file
 * as it was; but if copying the temporary file into it fails halfway, the file is empty. That a reader has
 * gone away is no failure. */
enum hcct_command_status hcct_command_finish(FILE *out, const char *name);
/* What messages call an output. */
const char *hcct_command_output_name(const char *name);
/* --help and --version: print `usage`, or the versions of hcct, of the file format and of the ABI. */
enum hcct_command_status hcct_command_help(const char *usage);
enum hcct_command_status hcct_command_version(void);
/* The next option, as getopt_long. For one that is unknown, or lacks its value, a complaint names the nearest
 * one that is known, and the value is '?'. */
int hcct_command_option(int argc, char **argv, const char *letters, const struct option *options, int *index);
/* "Try ... --help", to follow a complaint about the usage. */
enum hcct_command_status hcct_command_usage(void);

#endif
