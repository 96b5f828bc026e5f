/* How the entry points that instrumented code calls leave rare cases to other functions, and save no register
 * for them. */
#ifndef HCCT_RUNTIME_BASE_GO_ON_H
#define HCCT_RUNTIME_BASE_GO_ON_H

#include "hcct/abi.h"

/* A tail call of a function with the same parameters. Pass the caller's own arguments, unchanged. A
 * preserve_most function restores every register that it has used before it jumps. These include argument
 * registers, so a changed argument would be lost. The gain: the usual path of the caller saves no registers
 * for its rare path. */
#define HCCT_GO_ON(call) __attribute__((musttail)) return call

/* The argument for an HCCT_FREE parameter. It has no value: whatever is in the register is passed on. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wuninitialized"
static inline __attribute__((always_inline)) struct hcct_free hcct_nothing(void)
{
    struct hcct_free nothing;
    return nothing;
}
#pragma clang diagnostic pop
#define HCCT_NOTHING_3 hcct_nothing(), hcct_nothing(), hcct_nothing()
#define HCCT_NOTHING_4 HCCT_NOTHING_3, hcct_nothing()

#endif
