/* Reads the records that the pass wrote (hcct/abi.h). */
#ifndef HCCT_RUNTIME_OBJECTS_RECORD_H
#define HCCT_RUNTIME_OBJECTS_RECORD_H

#include <stdint.h>

#include "hcct/abi.h"

static inline struct hcct_state *hcct_record_state(const struct hcct_function *function)
{
    return (struct hcct_state *)(uintptr_t)hcct_rel_get(&function->state);
}

static inline const struct hcct_site *hcct_record_sites(const struct hcct_function *function)
{
    return hcct_rel_get(&function->sites);
}

#endif
