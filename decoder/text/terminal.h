/* What a terminal needs beside plain text: its width, texts cut to it, and a pager in front of long output,
 * as git has one. */
#ifndef HCCT_DECODER_TEXT_TERMINAL_H
#define HCCT_DECODER_TEXT_TERMINAL_H

#include <stdio.h>
#include <sys/types.h>

#include "decoder/text/text.h"

/* The columns of the terminal that `out` is; 0 if it is none, or tells none. COLUMNS overrules it. */
unsigned hcct_terminal_width(FILE *out);

/* Columns that UTF-8 text takes, one for each character. */
size_t hcct_terminal_columns(const char *text);

/* Appends text without what a terminal would obey. False when memory is out. */
bool hcct_terminal_add(struct hcct_text *to, const char *text);

/* Appends text of at most `columns` (at least 1): of a longer one the middle gives way to an ellipsis. False
 * when memory is out. */
bool hcct_terminal_add_cut(struct hcct_text *to, const char *text, size_t columns, bool utf8);

/* Sends standard output through a pager if it is a terminal; 0 if there is none to be used. */
pid_t hcct_terminal_page(void);
/* Closes standard output and waits until the reader is done. */
void hcct_terminal_wait(pid_t pager);

#endif
