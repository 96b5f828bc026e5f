/* Call graphs for the unit tests of encoding/: random ones, numbered by hcct_number. Numbers are pseudorandom
 * with a fixed seed. */
#ifndef HCCT_TEST_PROGRAM_H
#define HCCT_TEST_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "encoding/graph.h"
#include "encoding/index.h"
#include "encoding/number.h"

struct program {
    uint32_t function_count, edge_count, edge_room;
    uint8_t *enterable;
    struct hcct_edge *edges;
    /* the numbering */
    uint64_t *base, *contexts;
    int64_t *delta;
    struct hcct_numbering numbering;
    uint64_t first_id;
    /* by the definition */
    uint8_t *fresh;
    /* for the index */
    uint32_t *caller, *callee;
    void *index_memory;
    struct hcct_index index;
};

uint64_t random_bits(void);
uint32_t random_below(uint32_t bound);

/* Without edges; to be freed by free_program. */
struct program *new_program(uint32_t function_count, uint32_t edge_room);
void free_program(struct program *p);
/* Returns the edge's index. */
uint32_t add_edge(struct program *p, uint32_t caller, uint32_t callee, uint8_t weight);
/* `back_percent` of the edges go to a lower or the same number. */
struct program *random_program(uint32_t function_count, uint32_t edge_count, uint32_t back_percent,
                               uint32_t push_percent, uint32_t weights);
/* The arrays are filled with `poison` first. False: there are more contexts than ids. */
bool number_program(struct program *p, uint64_t first_id, uint64_t id_limit, int poison);

#endif
