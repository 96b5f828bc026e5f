/* Folds recursion below a depth: where a path goes on with a cycle of functions that stands just above,
 * iterations are left out.
 *
 *     main f f f f f h   with a limit of 3 becomes   main f f [x2] f h
 *
 * [xN] stands for N iterations. The one behind it is always shown, so that counts stay at real frames. Call
 * sites do not matter for a cycle, or the walk of a deep binary tree would never fold. Contexts that become
 * one add up.
 * Cost: O(nodes). For a node below the limit that continues no cycle, up to 32 periods are compared in a
 * window of 96 frames. */
#ifndef HCCT_DECODER_TREE_CYCLES_H
#define HCCT_DECODER_TREE_CYCLES_H

#include "decoder/tree/tree.h"

/* Copies the kept nodes of `from` to `to`, which is empty; nothing can be added to the copy. depth_limit 0:
 * nothing is folded. `merge`: cycles that differ only in N become one, with the largest N; else each path
 * keeps its own. */
void hcct_cycles_shorten(const struct hcct_tree *from, struct hcct_frames *frames, uint32_t depth_limit,
                         bool merge, struct hcct_tree *to);

#endif
