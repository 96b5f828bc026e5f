/* The number of a prefix node (stack/prefix.h); 0: none. Tables keep one beside each key. */
#ifndef HCCT_RUNTIME_BASE_NODE_H
#define HCCT_RUNTIME_BASE_NODE_H

#include <stdint.h>

typedef uint32_t hcct_node;

/* Drops one reference to the node. Under the table lock.
 * seam: made by stack/prefix.c. */
void hcct_prefix_release(hcct_node node);

#endif
