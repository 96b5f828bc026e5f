/* The columns of a profile (format/layout.h): the counts, then those of phases, of the meter, and of pins.
 * Each has a cell for the contexts that have some of it. */
#ifndef HCCT_RUNTIME_OUTPUT_COLUMNS_H
#define HCCT_RUNTIME_OUTPUT_COLUMNS_H

#include "runtime/core/meter.h"
#include "runtime/output/image.h"

/* False if memory is short. */
bool hcct_columns_open(struct hcct_image *image);
/* Writes cells and columns, after the rows. With `is_whole` false there is only the column of the counts. */
void hcct_columns_write(struct hcct_image *image, bool is_whole);
void hcct_columns_close(struct hcct_image *image);
/* Those of the run's meter, or NULL. */
const struct hcct_meter_columns *hcct_columns_of_meter(void);

#endif
