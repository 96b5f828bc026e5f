/* The lines of samples, for the page. */
#ifndef HCCT_DECODER_REPORT_FORMATS_VIEWER_HTML_LINES_H
#define HCCT_DECODER_REPORT_FORMATS_VIEWER_HTML_LINES_H

#include "decoder/report/formats/viewer/html.h"

/* Members "line_files": [path, ...] and "lines": [[node, file, line, what runs there, count], ...], of a
 * library's function with the node that called it. What runs there is a function that is inlined, or the
 * library's; else it is "". Nothing where there are no samples. */
void hcct_html_lines(struct hcct_html *page);

#endif
