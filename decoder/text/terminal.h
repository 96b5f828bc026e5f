/* What a terminal needs beside plain text: its width, texts cut to it, and a pager in front of long output,
 * as git has one. */
#ifndef HCCT_DECODER_TEXT_TERMINAL_H
#define HCCT_DECODER_TEXT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "decoder/text/text.h"

/* The number of columns of the terminal `out`, taken as at least 40 and at most 10000; 0 if it is no terminal
 * or has no width. The variable COLUMNS overrules what the terminal says. */
unsigned hcct_terminal_width(FILE *out);

/* The columns that UTF-8 text takes: one for each character. */
size_t hcct_terminal_columns(const char *text);

/* Appends text with visible escapes for what a terminal would obey. */
void hcct_terminal_add(struct hcct_text *to, const char *text);

/* Appends text of at most `columns` columns (1 or more). In a longer one an ellipsis replaces the middle. */
void hcct_terminal_add_cut(struct hcct_text *to, const char *text, size_t columns, bool utf8);

/* Prints text, with such escapes, cut to what `used` columns leave of a terminal's line; width 0: whole. */
void hcct_terminal_print(FILE *out, const char *text, unsigned width, size_t used, bool utf8);

/* The end of UTF-8 text that takes at most so many columns; within `text`. */
const char *hcct_terminal_end_of(const char *text, size_t columns);

/* Sends standard output through a pager, whose process is returned. 0: standard output is no terminal, or
 * there is no pager to be used. */
pid_t hcct_terminal_page(void);
/* Waits until the reader has left the pager. Standard output is closed by then. */
void hcct_terminal_wait(pid_t pager);

#endif
