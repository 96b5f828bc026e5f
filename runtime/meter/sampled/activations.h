/* edges=all-new of sample=calls and timer: which activations on a path are new since the last sample (Arnold
 * and Sweeney, IBM RC 21789, 2000, section 3).
 *
 * An activation is one call of a function, from its entry to its return. The paper marks each frame that a
 * sample has seen. Here one number for each stack does: how many activations, from the outermost one on,
 * were there at the last sample. An entry whose caller is the n-th activation tells that all beyond the n-th
 * have ended, by a return, a jump or an exception. So the number becomes the least of itself and n. Nothing
 * is seen of stack pointers, so alloca and frames without a fixed size do not matter; two activations of one
 * function on a stack have different paths, so recursion does not either.
 *
 * Invariants
 *   1. every counted entry is noted, also between samples;
 *   2. the thread's own stack, each fiber and each level of handlers have a number of their own. An entry
 *      from outside, such as the first one of a stack, sets it to 0;
 *   3. slots hold no counts, but depths: the number of instrumented functions on the path of their key. So
 *      recursion is kept: a folded path gets shorter where a cycle closes, while no activation ends.
 * Not seen: activations that begin where nothing is counted (hcct_stop, counting=off), and those whose
 * callers are lost, count as old. The caller in a tail call lasts as long as its callee. */
#ifndef HCCT_RUNTIME_METER_SAMPLED_ACTIVATIONS_H
#define HCCT_RUNTIME_METER_SAMPLED_ACTIVATIONS_H

#include "runtime/core/block.h"
#include "runtime/stack/here.h"

/* The bytes of the meter's state that this needs. */
enum { HCCT_ACTIVATIONS_BYTES = sizeof(uint64_t) };

/* Notes the entry of the function of `state`, with `word`, by code with a stack pointer of at least `sp`.
 * Keeps errno. */
void hcct_activations_note(struct hcct_block *block, uint64_t word, const struct hcct_state *state,
                           uintptr_t sp);
/* `here` is a sample, and its entry was noted. Returns the number of its callers, from the nearest one on,
 * that are new since the last sample. While busy, not under the table lock. */
uint64_t hcct_activations_sample(struct hcct_block *block, struct hcct_here here);

#endif
