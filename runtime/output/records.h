/* The functions and sites of a profile: from the records of all numbered objects, in ascending order of
 * base. */
#ifndef HCCT_RUNTIME_OUTPUT_RECORDS_H
#define HCCT_RUNTIME_OUTPUT_RECORDS_H

#include "hcct/abi.h"
#include "runtime/output/image.h"

/* Fills `functions`. False if memory is short. */
bool hcct_records_gather(struct hcct_image *image);
/* If contexts may have left the tables: count_calls reads the calls of each function. take_calls takes off
 * those that a context of the file has, whose id is `id`. Those that are left stand with the function in the
 * file. */
void hcct_records_count_calls(struct hcct_image *image);
void hcct_records_take_calls(struct hcct_image *image, uint64_t id, uint64_t calls);
/* Decides which of them the file has: those that `subset` needs, and those that have such calls; or all. */
void hcct_records_choose(struct hcct_image *image);
void hcct_records_write_functions(struct hcct_image *image);
/* Also writes the inlined frames around them. */
void hcct_records_write_sites(struct hcct_image *image);
/* The names of all functions, where the file has not all of them. */
void hcct_records_write_names(struct hcct_image *image);

#endif
