/* What an executable's code tells of the stack: for each place where a function calls, how many bytes of the
 * stack its frame has there (Mytkowicz, Coughlin, Diwan, "Inferred Call Path Profiling", OOPSLA 2009,
 * section 4.1).
 *
 * The frame's bytes are CFA - SP, by the unwind tables (.eh_frame). So neither prologues nor pushed arguments
 * need a case of their own. The height of a call path is the sum of these bytes over its calls: the distance
 * from the first function's CFA to the last one's.
 *
 * Where the tables tell the CFA by the frame pointer, they say nothing of SP. Then the bytes are followed
 * through the instructions of the function, in the order of their addresses. A function that moves SP by an
 * amount that is not in its code (alloca, a frame that is aligned anew) has no fixed frame: the bytes of its
 * calls are not known.
 *
 * A call that the compiler wrapped by a plan (pass/prepare/frames.h) is read as one call, with the bytes of
 * the caller's frame and the wrapper's (wrappers.h).
 *
 * Needs libdw, libelf and capstone. Of each machine machine.h tells what its instructions do.
 * Cost: O(bytes of code). */
#ifndef HCCT_HEIGHTS_INFER_BINARY_H
#define HCCT_HEIGHTS_INFER_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HCCT_HEIGHT_UNKNOWN INT64_MIN

enum hcct_stack_call_kind {
    HCCT_STACK_DIRECT,
    HCCT_STACK_INDIRECT,
    HCCT_STACK_EXTERNAL,      /* direct, to code that is no function of the file: the linkage table */
    HCCT_STACK_JUMP,          /* a tail call: the callee takes the caller's place */
    HCCT_STACK_INDIRECT_JUMP, /* where the frame is gone: a tail call, or a jump table's */
    HCCT_STACK_KIND_COUNT
};
extern const char *const hcct_stack_kind_names[HCCT_STACK_KIND_COUNT];

#define HCCT_STACK_NONE UINT32_MAX

struct hcct_stack_call {
    uint64_t at;             /* the return address; of a jump: the address behind it */
    int64_t height;          /* CFA - SP at the call, and the wrapper's, or HCCT_HEIGHT_UNKNOWN */
    uint32_t caller, callee; /* functions; the callee may be HCCT_STACK_NONE */
    enum hcct_stack_call_kind kind;
};

struct hcct_stack_function {
    const char *name; /* one of its names */
    uint64_t start, end;
    bool is_variable;      /* its frame has no fixed size */
    bool is_address_taken; /* it may be called through a pointer */
    /* its frame has something in it besides saved registers: more of it takes no instruction more */
    bool has_locals;
    bool jumps_to_start; /* a loop, or a tail call of itself */
    int64_t most_bytes;  /* CFA - SP where its frame is largest */
    uint32_t first_call, call_count;
    /* Of a wrapper: whose call it makes, and CFA - SP there. Of other functions HCCT_STACK_NONE. */
    uint32_t wrapper_of;
    int64_t caller_bytes;
};

/* A symbol: a function may have several. */
struct hcct_stack_name {
    const char *name, *file; /* `file`: of a local symbol, as the compiler was given it; else empty */
    uint32_t function;
};

struct hcct_stack_binary {
    struct hcct_stack_function *functions; /* by address */
    struct hcct_stack_name *names;         /* by name */
    struct hcct_stack_call *calls;         /* by caller, then by address */
    uint32_t function_count, name_count, call_count;
    struct hcct_stack_file *file; /* binary.c's own */
};

/* Reads the file. NULL if that was done, else what is wrong. It is to be closed in any case. */
const char *hcct_stack_open(struct hcct_stack_binary *binary, const char *path);
void hcct_stack_close(struct hcct_stack_binary *binary);

/* The function at that address, or HCCT_STACK_NONE. */
uint32_t hcct_stack_function_at(const struct hcct_stack_binary *binary, uint64_t address);
/* The function of that name; of local ones that of this source file, if several have the name. */
uint32_t hcct_stack_function_named(const struct hcct_stack_binary *binary, const char *name,
                                   const char *source);
/* CFA - SP in front of the instruction at `address`, or HCCT_HEIGHT_UNKNOWN. */
int64_t hcct_stack_height_at(const struct hcct_stack_binary *binary, uint64_t address);

#endif
