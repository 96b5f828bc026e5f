#include "format/names.h"

#include <string.h>

const char *const hcct_mode_names[] = {
#define HCCT_MODE(symbol, name, help) name,
#include "format/names.def"
    0
};
const char *const hcct_algorithm_names[] = {
#define HCCT_ALGORITHM(symbol, name) name,
#define HCCT_ALGORITHM_RESULT(symbol, name) name,
#include "format/names.def"
    0
};
const char *const hcct_metric_names[] = {
#define HCCT_METRIC(symbol, name, title, help) name,
#include "format/names.def"
    0
};
const char *const hcct_metric_titles[] = {
#define HCCT_METRIC(symbol, name, title, help) title,
#include "format/names.def"
    0
};
const char *const hcct_event_names[] = {
#define HCCT_EVENT(symbol, name) name,
#include "format/names.def"
    0
};
const char *const hcct_heap_value_names[] = {
#define HCCT_HEAP_VALUE(symbol, name, unit, title) name,
#include "format/names.def"
    0
};
const char *const hcct_heap_value_units[] = {
#define HCCT_HEAP_VALUE(symbol, name, unit, title) unit,
#include "format/names.def"
    0
};
const char *const hcct_heap_value_titles[] = {
#define HCCT_HEAP_VALUE(symbol, name, unit, title) title,
#include "format/names.def"
    0
};
const char *const hcct_recursion_names[] = {
#define HCCT_RECURSION(symbol, name, help) name,
#include "format/names.def"
    0
};
const char *const hcct_guarantee_names[] = {
#define HCCT_GUARANTEE(symbol, name) name,
#include "format/names.def"
    0
};
const char *const hcct_estimate_names[] = {
#define HCCT_ESTIMATE(symbol, name) name,
#include "format/names.def"
    0
};
const char *const hcct_threads_names[] = {
#define HCCT_THREADS(symbol, name, help) name,
#include "format/names.def"
    0
};
const char *const hcct_ranks_names[] = {
#define HCCT_RANKS(symbol, name, help) name,
#include "format/names.def"
    0
};

int hcct_name_find(const char *const *names, const char *text)
{
    for (int value = 0; names[value]; value++)
        if (strcmp(names[value], text) == 0)
            return value;
    return -1;
}
