/* A prefix node by its number (stack/prefix.h); 0: none. Tables keep one beside each key. */
#ifndef HCCT_RUNTIME_BASE_NODE_H
#define HCCT_RUNTIME_BASE_NODE_H

#include <stdint.h>

typedef uint32_t hcct_node;

/* seam: made by stack/prefix.c. A reference is given back. Under the table lock. */
void hcct_prefix_release(hcct_node node);

#endif
