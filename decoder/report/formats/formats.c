/* The table of output formats, see formats.h. */
#include "decoder/report/formats/formats.h"

#include <string.h>

const struct hcct_report_format *const hcct_formats[] = {
#define HCCT_FORMAT(name) &hcct_format_##name,
#include "decoder/report/formats/formats.def"
    NULL,
};

const struct hcct_report_format *hcct_formats_find(const char *name)
{
#define HCCT_FORMAT_ALIAS(alias, format)                                                                     \
    if (!strcmp(name, alias))                                                                                \
        return &hcct_format_##format;
#include "decoder/report/formats/formats.def"
    for (const struct hcct_report_format *const *at = hcct_formats; *at; at++)
        if (!strcmp((*at)->name, name))
            return *at;
    return NULL;
}

const char *hcct_formats_needs(const struct hcct_report_format *format)
{
#define HCCT_FORMAT_NEEDS(name, libraries)                                                                   \
    if (format == &hcct_format_##name)                                                                       \
        return libraries;
#include "decoder/report/formats/formats.def"
    return "";
}

const char *const *hcct_formats_names(void)
{
    static const char *names[sizeof hcct_formats / sizeof hcct_formats[0]];
    for (size_t i = 0; hcct_formats[i]; i++)
        names[i] = hcct_formats[i]->name;
    return names;
}

enum { HELP_INDENT = 21, HELP_WIDTH = 104 };

/* "tree (default), source, ...; for viewers: html, ..." */
void hcct_formats_help(FILE *out)
{
    static const struct {
        const char *group;
        const struct hcct_report_format *format;
    } rows[] = {
#define HCCT_FORMAT(name) { NULL, &hcct_format_##name },
#define HCCT_FORMAT_GROUP(text) { text, NULL },
#include "decoder/report/formats/formats.def"
        { NULL, NULL },
    };
    size_t column = HELP_INDENT;
    const char *group = NULL;
    fprintf(out, "%-*s", HELP_INDENT, "  --format=FORMAT");
    for (size_t i = 0; rows[i].group || rows[i].format; i++) {
        if (rows[i].group) {
            group = rows[i].group;
            continue;
        }
        char item[80];
        int length = snprintf(item, sizeof item, "%s%s%s%s%s", group ? group : "", group ? ": " : "",
                              rows[i].format->name, i ? "" : " (default)",
                              rows[i + 1].group    ? ";"
                              : rows[i + 1].format ? ","
                                                   : "");
        group = NULL;
        bool fits = column + 1 + (size_t)length <= HELP_WIDTH;
        if (i)
            fprintf(out, "%s%*s", fits ? " " : "\n", fits ? 0 : HELP_INDENT, "");
        fputs(item, out);
        column = (fits ? column + 1 : HELP_INDENT) + (size_t)length;
    }
    putc('\n', out);
}
