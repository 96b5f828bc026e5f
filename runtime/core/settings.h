/* What all layers know of the run. Other settings are each layer's own (stack/settings.h and so on).
 * start/options.c reads all of them from HCCT_OPTIONS, once, before any thread exists. */
#ifndef HCCT_RUNTIME_CORE_SETTINGS_H
#define HCCT_RUNTIME_CORE_SETTINGS_H

enum hcct_threads {
#define HCCT_THREADS(symbol, name, help) HCCT_THREADS_##symbol,
#include "format/names.def"
};

struct hcct_core_settings {
    int mode;    /* enum hcct_file_mode */
    int metric;  /* enum hcct_file_metric */
    int threads; /* enum hcct_threads */
};
extern __attribute__((visibility("hidden"))) struct hcct_core_settings hcct_core_settings;

#endif
