/* The number of a prefix node (stack/prefix.h); 0: none. Tables keep one beside each key. */
#ifndef HCCT_RUNTIME_BASE_NODE_H
#define HCCT_RUNTIME_BASE_NODE_H

#include <stdint.h>

typedef uint32_t hcct_node;

#endif
