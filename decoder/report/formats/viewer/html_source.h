/* The member "sources" of the page (html.h): lines around the calls and definitions of hot contexts and their
 * callers, those of the hottest first, as far as 1 MB goes. Files that cannot be read are left out. */
#ifndef HCCT_DECODER_REPORT_FORMATS_VIEWER_HTML_SOURCE_H
#define HCCT_DECODER_REPORT_FORMATS_VIEWER_HTML_SOURCE_H

#include "decoder/report/formats/viewer/html.h"

void hcct_html_source(struct hcct_html *page);

#endif
