/* The module that is being instrumented (the unit), its functions (targets) and their call sites (calls). */
#ifndef HCCT_PASS_UNIT_UNIT_H
#define HCCT_PASS_UNIT_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "hcct/abi.h"

/* A call that gets code around it. */
struct hcct_call {
    LLVMValueRef instruction;
    LLVMValueRef callee; /* global value, or NULL: indirect */
    uint64_t id;
    enum hcct_site_kind kind;
    uint32_t ordinal; /* from 1, in code order */
    uint8_t weight;
    uint32_t library; /* enum hcct_library */
    bool cold;        /* its code is to be short: it seldom runs, or its function is to be small */
    bool pushes;      /* needs no delta */
    bool prenumbered; /* its delta is positive in every program: needs no test (number/prenumber.h) */
    int64_t delta;    /* of a call between functions with fixed ids, else 0 */
    bool tail;
    /* a guess of what the call of the same ordinal, through a pointer, leads to (number/guess.h) */
    bool guess;
    bool recursive; /* calls its own function by name, and pushes */
    bool external;  /* calls a stand-in: skipped if the delta says so */
    bool leaves;    /* its activation ends behind it, and the frame that it pushes may stay (emit/emit.c) */
};

/* A function being instrumented. */
struct hcct_target {
    LLVMValueRef function;
    /* the function that this one stands for: its calls are counted here (prepare/externals.c); else NULL */
    LLVMValueRef external;
    LLVMValueRef state;      /* global: struct hcct_state */
    LLVMValueRef record;     /* global: struct hcct_function; its initializer comes last */
    LLVMValueRef sites;      /* in a global: struct hcct_site[call_count] */
    LLVMValueRef word;       /* the function's own word, once emitted */
    LLVMValueRef clock;      /* clock.c: its struct hcct_clock */
    LLVMValueRef depth;      /* shadow.c: what hcct_shadow_enter returned */
    struct hcct_call *calls; /* those with a delta first */
    uint32_t call_count;
    uint32_t delta_count;
    uint32_t settings; /* enum hcct_setting */
    bool unoptimized;  /* -O0 */
    /* cold, or to be small (-Os, -Oz): the runtime does what it can. Unoptimized: all but numbered calls */
    bool small;
    bool once;     /* runs once in a process: code that initializes objects before main */
    bool measured; /* its time is */
    /* not measured, but a jump or an exception may arrive here, in a measuring build */
    bool holds_clock;
    bool has_room; /* its frame has room for a stack: build.h, hcct_build_lends */
    bool passed;   /* the word comes as the last parameter, not in the thread's word */
    bool enterable;
    bool address_taken;      /* as far as this module shows */
    bool in_assembly;        /* named there */
    uint64_t base, contexts; /* in a unit with fixed ids */
};

struct hcct_unit {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    struct hcct_analyses *analyses; /* opaque (bridge.h) */
    LLVMTypeRef i8, i32, i64, ptr, none;
    LLVMValueRef thread; /* __hcct_thread */
    unsigned nosanitize_kind, prof_kind;
    bool shadow;       /* test build */
    bool shadow_alone; /* without the encoding: for peers that use its hooks (bench/peers) */
    /* the code generator may use addresses as constants, which no position-independent link takes */
    bool absolute;
    /* In a link: */
    bool linking; /* the whole program, or a part of it, as the compile steps marked it */
    bool fixed;   /* its functions have final ids, given here; no other module of the process has such */
    bool mixed;   /* a link, and compile steps have instrumented other functions of the module */
    struct hcct_target *targets;
    size_t target_count;
    struct hcct_target **by_function; /* sorted by the address of the function */
    LLVMValueRef *kept;               /* for hcct_words_keep_all */
    size_t kept_count;
};

/* Fills in LLVM's types and so on of unit->module. To be closed, whatever follows. */
void hcct_unit_open(struct hcct_unit *unit);
void hcct_unit_close(struct hcct_unit *unit);
/* Makes by_function of the targets; sorts it again when functions of targets were replaced. */
bool hcct_unit_index_targets(struct hcct_unit *unit);
void hcct_unit_sort_targets(struct hcct_unit *unit);
/* The target that `function` is, or NULL. */
struct hcct_target *hcct_unit_target(struct hcct_unit *unit, LLVMValueRef function);
/* The source file that `function` is of, by its debug info; the module's without. */
const char *hcct_unit_source(struct hcct_unit *unit, LLVMValueRef function);
/* Sets unit->thread, which it declares in the module. */
void hcct_unit_declare_thread(struct hcct_unit *unit);

#endif
