/* The table of output formats: formats.def as C. Nothing else lists them: the parser of --format, --help and
 * the completions come from here. */
#ifndef HCCT_DECODER_REPORT_FORMATS_FORMATS_H
#define HCCT_DECODER_REPORT_FORMATS_FORMATS_H

#include "decoder/report/report.h"

#define HCCT_FORMAT(name) extern const struct hcct_report_format hcct_format_##name;
#include "decoder/report/formats/formats.def"

extern const struct hcct_report_format *const hcct_formats[]; /* ends with NULL */

/* What hcct-decode does without options. */
#define HCCT_REPORT_DEFAULTS { .format = &hcct_format_tree, .inlines = true, .phi = -1, .max_depth = 256 }

/* The format of that name, or NULL. */
const struct hcct_report_format *hcct_formats_find(const char *name);

/* What a format is not built in for lack of. */
const char *hcct_formats_needs(const struct hcct_report_format *format);

/* The names of all, which end with NULL, in the order of --help. */
const char *const *hcct_formats_names(void);

/* Prints the option --format as --help has it. The first format is the default. */
void hcct_formats_help(FILE *out);

#endif
