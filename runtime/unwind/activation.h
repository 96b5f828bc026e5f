/* Walks the program's own stack, from what a signal interrupted to the callers, by the unwind tables of the
 * code (.eh_frame: call frame information, DWARF 5, section 6.4). Code without such a table ends the walk.
 *
 * Invariants
 *   1. nothing is read but tables of loaded objects and memory that the kernel lets be read: a wrong table or
 *      a broken stack ends the walk, and never the program;
 *   2. each step leads to a higher place of the stack. There are at most HCCT_UNWIND_STEPS, so that a sample
 *      below a deep recursion takes no longer.
 * Threads: each walks its own stack, under the table lock. Async-signal-safe; keeps errno. Needs
 * base/find_object.h. */
#ifndef HCCT_RUNTIME_UNWIND_ACTIVATION_H
#define HCCT_RUNTIME_UNWIND_ACTIVATION_H

#include <stdbool.h>
#include <stdint.h>

/* DWARF's numbers of the registers; on x86-64 16 is the return address. */
enum { HCCT_UNWIND_REGISTERS = 32 };
enum { HCCT_UNWIND_STEPS = 1000 };

/* An activation of a function. */
struct hcct_activation {
    uintptr_t pc;
    uintptr_t start, end; /* of the code that the unwind table describes as one, usually a function */
    uintptr_t cfa;        /* the stack pointer of the caller in front of its call */
    bool calls;           /* it has called something: pc is where that returns to */
    bool is_oldest;       /* after a step that was not possible: there is no caller */
    uint32_t steps;       /* of the walk so far */
    uint32_t known;       /* a bit for each register with a value */
    uintptr_t registers[HCCT_UNWIND_REGISTERS];
    uintptr_t readable, readable_end; /* memory that can be read */
};

/* The newest one, from the third argument of a signal handler. False if its code has no table, and is no stub
 * of the linker's: what is on top of the stack may then be anything. */
bool hcct_activation_begin(struct hcct_activation *activation, const void *context);
/* The caller of `activation` takes its place. False if there is none, or it is not known, or too far up. */
bool hcct_activation_up(struct hcct_activation *activation);

#endif
