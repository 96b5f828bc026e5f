/* The names of enumerated values (format/names.def): each array is indexed by its enum, and ends with
 * NULL. */
#ifndef HCCT_FORMAT_NAMES_H
#define HCCT_FORMAT_NAMES_H

extern const char *const hcct_mode_names[];
extern const char *const hcct_algorithm_names[];
extern const char *const hcct_metric_names[];
extern const char *const hcct_metric_titles[]; /* for headings */
extern const char *const hcct_event_names[];
extern const char *const hcct_heap_value_names[];
extern const char *const hcct_heap_value_units[];
extern const char *const hcct_heap_value_titles[];
extern const char *const hcct_recursion_names[];
extern const char *const hcct_guarantee_names[];
extern const char *const hcct_estimate_names[];
extern const char *const hcct_threads_names[];
extern const char *const hcct_ranks_names[];

/* The value of that name; -1: there is none. Async-signal-safe. */
int hcct_name_find(const char *const *names, const char *text);

#endif
