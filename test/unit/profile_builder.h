/* Builds small profiles by hand: a program (functions and call sites, numbered by encoding/), contexts that a
 * walk through it meets, and the bytes of the file.
 *
 * Functions and sites are named by handles, in the order in which they were added; out of memory aborts. */
#ifndef HCCT_TEST_PROFILE_BUILDER_H
#define HCCT_TEST_PROFILE_BUILDER_H

#include <stddef.h>
#include <stdint.h>

#include "format/layout.h"
#include "hcct/abi.h"

#define BUILDER_NONE UINT32_MAX

struct builder_array {
    void *elements;
    uint32_t count, capacity;
};

struct builder {
    struct hcct_file_run run;
    struct hcct_file_column counts;
    uint64_t notes[HCCT_NOTE_COUNT];
    struct builder_array strings, functions, sites, inlined, prefixes, contexts, cells, objects;
    uint32_t *function_at, *site_at; /* by handle, once numbered */
};

/* Where a walk through the program stands. */
struct builder_context {
    uint64_t word;
    uint32_t prefix;
    uint32_t function; /* handle */
};

void builder_open(struct builder *builder, const char *program);
void builder_close(struct builder *builder);

uint32_t builder_string(struct builder *builder, const char *text);
uint32_t builder_function(struct builder *builder, const char *linkage, const char *source, const char *file,
                          uint32_t line, uint32_t flags);
/* A frame inlined into `outer` (or NONE: the function itself), called there at call_file:call_line. */
uint32_t builder_inlined(struct builder *builder, const char *name, const char *file, uint32_t line,
                         const char *call_file, uint32_t call_line, uint32_t outer);
/* A call of `callee`; NONE and a name: of a function that is not instrumented; NONE and none: indirect. */
uint32_t builder_site(struct builder *builder, uint32_t caller, uint32_t callee, const char *callee_name,
                      const char *file, uint32_t line, uint32_t column, uint32_t inlined);

/* After the last site: numbers the program and puts functions and sites into the order of the file. */
void builder_number(struct builder *builder);

struct builder_context builder_root(struct builder *builder, uint32_t function);
/* `kind` is HCCT_PREFIX_UNKNOWN or HCCT_PREFIX_SIGNAL. */
struct builder_context builder_bracket(struct builder *builder, uint32_t kind, uint64_t number,
                                       uint32_t function);
/* Enters `entered` by a call at `site`, numbered or pushed as the site demands. */
struct builder_context builder_call(struct builder *builder, struct builder_context from, uint32_t site,
                                    uint32_t entered);
void builder_count(struct builder *builder, struct builder_context context, uint64_t count, uint64_t error);

/* The file, from malloc. */
unsigned char *builder_write(const struct builder *builder, size_t *length);

#endif
