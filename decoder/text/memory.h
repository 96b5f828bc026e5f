/* Memory of the commands: it is there, or the command ends with a message. Without memory a command has no
 * result, and a part of one must not look whole. So whoever asks here need not test the answer.
 *
 * decoder/store/ tests by itself, as libhcct_mpi has it in processes that are not ours to end. */
#ifndef HCCT_DECODER_TEXT_MEMORY_H
#define HCCT_DECODER_TEXT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "decoder/store/table.h"

/* How the command ends: its exit status, 1 if nobody sets it, and what it puts back before (the terminal, an
 * output that is not whole); NULL: nothing. */
extern int hcct_memory_status;
extern void (*hcct_memory_before_end)(void);
_Noreturn void hcct_memory_end(void);

/* Arrays from malloc, never NULL: of any content, and of zeros. */
void *hcct_memory_array(size_t count, size_t element_bytes);
void *hcct_memory_zeros(size_t count, size_t element_bytes);
/* As hcct_vector_grow and hcct_table_add (store/table.h). */
void hcct_memory_grow(void *vector, uint32_t *capacity, uint32_t count, size_t element_bytes);
void hcct_memory_add(struct hcct_table *table, uint32_t hash, uint32_t index);
/* Returns `memory`, which somebody else has made: ends if that is NULL. */
void *hcct_memory_got(void *memory);
/* As asprintf. */
char *hcct_memory_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
