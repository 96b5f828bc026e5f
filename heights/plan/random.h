/* The paper's random search for larger frames (Mytkowicz, Coughlin, Diwan, section 5.1.1), see plan.h. */
#ifndef HCCT_HEIGHTS_PLAN_RANDOM_H
#define HCCT_HEIGHTS_PLAN_RANDOM_H

#include "heights/plan/evaluate.h"

/* False when memory is out. */
bool hcct_plan_search_randomly(struct hcct_plan_state *state);

#endif
