/* The table of output formats, see formats.h. */
#include "decoder/report/formats/formats.h"

#include <string.h>

const struct hcct_report_format *const hcct_formats[] = {
#define HCCT_FORMAT(name) &hcct_format_##name,
#include "decoder/report/formats/formats.def"
#undef HCCT_FORMAT
    NULL,
};

const struct hcct_report_format *hcct_formats_find(const char *name)
{
    for (const struct hcct_report_format *const *at = hcct_formats; *at; at++)
        if (!strcmp((*at)->name, name) || ((*at)->other_name && !strcmp((*at)->other_name, name)))
            return *at;
    return NULL;
}

const char *const *hcct_formats_names(void)
{
    static const char *names[sizeof hcct_formats / sizeof hcct_formats[0]];
    for (size_t i = 0; hcct_formats[i]; i++)
        names[i] = hcct_formats[i]->name;
    return names;
}

enum { HELP_INDENT = 21, HELP_WIDTH = 104 };

/* "tree (default), source, ...; for viewers: html, ...": a new audience begins with its name. */
void hcct_formats_help(FILE *out)
{
    static const char *const audiences[] = {
        [HCCT_REPORT_FOR_VIEWERS] = "for viewers: ", [HCCT_REPORT_FOR_CLANG] = "for clang: "
    };
    enum hcct_report_audience audience = HCCT_REPORT_FOR_ALL;
    size_t column = HELP_INDENT;
    fprintf(out, "%-*s", HELP_INDENT, "  --format=FORMAT");
    for (const struct hcct_report_format *const *at = hcct_formats; *at; at++) {
        const struct hcct_report_format *format = *at, *next = at[1];
        const char *heading = format->audience == audience ? "" : audiences[format->audience];
        const char *comma = !next ? "" : next->audience == format->audience ? "," : ";";
        char item[80];
        int length = snprintf(item, sizeof item, "%s%s%s%s", heading, format->name,
                              at == hcct_formats ? " (default)" : "", comma);
        audience = format->audience;
        bool fits = column + 1 + (size_t)length <= HELP_WIDTH;
        if (at != hcct_formats)
            fprintf(out, "%s%*s", fits ? " " : "\n", fits ? 0 : HELP_INDENT, "");
        fputs(item, out);
        column = (fits ? column + 1 : HELP_INDENT) + (size_t)length;
    }
    putc('\n', out);
}
