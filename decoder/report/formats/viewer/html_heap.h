/* What the page has of a heap profile:
 *
 *     "value": the name of the value that is shown first
 *     "sampled": all values are estimates from samples; "period": theirs, 0 where these differ
 *     "values": [{"name", "title", "unit", "total": of all contexts, "rest": what any context may have beside
 *               its number}, ...]; behind the values of the heap those of the curve's detailed points
 *     "curve": [[bytes allocated, live, the most since the point before, seconds, the name of the value that
 *               is of this point, or ""], ...]
 *     "value NAME": a column of the table of nodes for each of the values. */
#ifndef HCCT_DECODER_REPORT_FORMATS_VIEWER_HTML_HEAP_H
#define HCCT_DECODER_REPORT_FORMATS_VIEWER_HTML_HEAP_H

#include "decoder/report/formats/viewer/html.h"

void hcct_html_heap_head(struct hcct_json *json, const struct hcct_report *report);
/* So many columns, and one of NULL. */
void hcct_html_heap_columns(struct hcct_html_column *columns, uint32_t count);

#endif
