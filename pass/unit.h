/* What the files of the pass share while one module is instrumented: the module, its types, the runtime's
 * symbols and the call sites found. */
#ifndef HCCT_PASS_UNIT_H
#define HCCT_PASS_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "hcct/abi.h"
#include "pass/bridge.h"

/* A call that gets code around it. */
struct hcct_call {
    LLVMValueRef instruction;
    LLVMValueRef callee; /* global value, or NULL: indirect */
    uint64_t id;
    enum hcct_site_kind kind;
    uint32_t ordinal; /* from 1, in code order */
    uint8_t weight;
    uint32_t library; /* enum hcct_library */
    bool cold;        /* seldom passed, or in a function that is to be small: its code is to be short */
    bool pushes;      /* needs no delta */
    bool settled;     /* its delta is positive in every program: needs no test */
    int64_t delta;    /* of a call between functions with fixed ids, else 0 */
    bool tail;
    bool guess;     /* of what the call through a pointer of the same ordinal leads to: guess.c */
    bool recursive; /* pushes, straight to this very function */
};

/* A function being instrumented. */
struct hcct_target {
    LLVMValueRef function;
    LLVMValueRef state;      /* global: struct hcct_state */
    LLVMValueRef record;     /* global: struct hcct_function; its initializer comes last */
    LLVMValueRef sites;      /* global: struct hcct_site[call_count] */
    LLVMValueRef word;       /* the function's own word, once emitted */
    LLVMValueRef saved;      /* in a restoring build: what `current` was at the entry */
    LLVMValueRef clock;      /* clock.c: its struct hcct_clock */
    struct hcct_call *calls; /* those with a delta first */
    uint32_t call_count;
    uint32_t delta_count;
    uint32_t settings; /* enum hcct_setting */
    bool restores;     /* restoring build */
    bool small;        /* cold, or to be small (-Os, -Oz): the runtime does what it can */
    bool uncounted;    /* in which calls are not counted */
    bool measured;     /* its time is */
    /* not measured, and may be where a jump or an exception arrives: in a measuring build */
    bool holds_clock;
    bool passed; /* the word comes as the last parameter, not in the thread's word */
    bool enterable;
    bool address_taken;      /* as far as this module shows */
    bool in_assembly;        /* named there */
    uint64_t base, contexts; /* in a unit with fixed ids */
};

struct hcct_unit {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    struct hcct_analyses *analyses;
    LLVMTypeRef i8, i32, i64, ptr, none;
    LLVMValueRef thread; /* __hcct_thread */
    unsigned nosanitize_kind, prof_kind;
    bool shadow; /* test build */
    /* to the code generator an address is a constant, which no position-independent link takes */
    bool absolute;
    uint32_t guide_asked, guide_found; /* sites */
    /* In a link: */
    bool linking; /* the whole program, or a part of it, as the compile steps marked it */
    bool fixed;   /* it numbers its functions here, for good: nothing else in the process does so */
    bool mixed;   /* linking, and compile steps have instrumented other functions of it */
    struct hcct_target *targets;
    size_t target_count;
    struct hcct_target **by_function; /* sorted by the address of the function */
    LLVMValueRef *kept; /* record.c: what hcct_record_keep_all is to keep through the optimizer */
    size_t kept_count;
};

/* True for a function that never calls back into the program, so that a call to it needs no context
 * (harmless.c). */
bool hcct_callee_is_harmless(const char *name, size_t length);

/* library.c: what a library function leads back to, if the program has it (enum hcct_library); 0: it is not
 * listed. What the module has of that. */
uint32_t hcct_library_leads_to(const char *name, size_t length);
uint32_t hcct_library_own(LLVMModuleRef module);

/* The user's filter (filter.c): whether `function` of source `file` is to be left alone. Loads its files
 * once; false and one message in *error if one cannot be read. */
bool hcct_filter_load(const char **error);
bool hcct_filter_excludes(const char *function, const char *file);

/* The functions whose time is to be measured: HCCT_CLOCK, 1 for all or a file of such globs. Loaded with the
 * filter. */
bool hcct_filter_measures(const char *function, const char *file);

/* guide.c: a profile that tells the weights of sites (HCCT_GUIDE). Loads it once; what is wrong with it, or
 * NULL. */
const char *hcct_guide_load(void);
/* The weight of a site that has this one by static frequency; that itself if there is no guide. */
uint8_t hcct_guided_weight(struct hcct_unit *unit, uint64_t site, uint8_t weight);
/* Warns if the guide has fewer than half of the module's sites. */
void hcct_guide_report(const struct hcct_unit *unit);

/* settings.c: whether the environment variable is set, and not to 0; what a function is to be instrumented
 * with in a compile step; that of all targets, given to them; the notes that tell the runtime. */
bool hcct_setting(const char *name);
uint32_t hcct_settings_here(struct hcct_unit *unit, LLVMValueRef function);
void hcct_settings_give(struct hcct_unit *unit);
void hcct_settings_note(struct hcct_unit *unit);

/* mark.c: functions that the compile step leaves to the link, and what they were called there. */
bool hcct_mark_function(struct hcct_unit *unit, LLVMValueRef function, uint32_t settings);
bool hcct_mark_is_on(LLVMValueRef function);
bool hcct_mark_is_in(LLVMModuleRef module);
void hcct_mark_remove_all(LLVMModuleRef module);
uint32_t hcct_mark_settings(LLVMValueRef function);
/* The source file that `function` is of; the module's where it is not marked. */
const char *hcct_mark_source(LLVMModuleRef module, LLVMValueRef function, size_t *length);
/* The name in that source, which may be longer than `*length`; and whether it is a local one there. */
const char *hcct_mark_name(LLVMValueRef global, size_t *length);
bool hcct_mark_is_local(LLVMValueRef function);
bool hcct_mark_is_local_linkage(LLVMValueRef global);
/* Makes a link fail in which hcct_mark_satisfy does not run, and does that. Whether it changed anything. */
void hcct_mark_refer(struct hcct_unit *unit);
bool hcct_mark_satisfy(LLVMModuleRef module);

/* assembly.c: finds the targets that the module's assembly names. */
void hcct_assembly_find(struct hcct_unit *unit);
/* Whether an `asm` calls something. */
bool hcct_assembly_calls(LLVMModuleRef module, LLVMValueRef assembly);
/* Has the compiler keep nothing over an `asm` that calls but where a call leaves it; when all other code is
 * there. */
void hcct_assembly_fence(struct hcct_unit *unit, LLVMValueRef function);

/* hooks.c: whether other instrumentation calls the function, in front of ours; has the module's hooks, which
 * are not instrumented, leave the thread's word as it was. */
bool hcct_hook_is(LLVMValueRef function);
void hcct_hooks_keep_words(struct hcct_unit *unit);

/* settle.c: marks the calls whose delta is positive in whatever program the module becomes part of; or, in a
 * unit with fixed ids, numbers it for good, and leaves it without fixed ids if that fails. */
void hcct_settle_calls(struct hcct_unit *unit);

#define HCCT_TYPES_MOST 64
/* types.c: in a compile step, notes what virtual calls are of; behind it and hcct_types_resolve, finds up to
 * HCCT_TYPES_MOST functions that `call` may lead to, NULL where one is gone: false if that is not known.
 * `nodes` is to be freed. */
struct hcct_types {
    LLVMValueRef *nodes;
    unsigned count;
};
void hcct_types_note(struct hcct_unit *unit);
void hcct_types_open(struct hcct_types *types, LLVMModuleRef module);
bool hcct_types_callees(const struct hcct_types *types, LLVMValueRef call, LLVMValueRef *functions,
                        unsigned *count);

/* guess.c: adds calls that guess what calls through pointers lead to, and takes those out that were not
 * numbered. */
void hcct_guess_callees(struct hcct_unit *unit);
void hcct_guess_drop(struct hcct_unit *unit);
/* Whether it guesses what `call` leads to. */
bool hcct_guess_is_for(const struct hcct_call *guess, const struct hcct_call *call);

/* emit.c: code in functions. entry.c and calls.c: parts of it, in that order. */
void hcct_emit_function(struct hcct_unit *unit, struct hcct_target *target);
void hcct_emit_entry(struct hcct_unit *unit, struct hcct_target *target);
void hcct_emit_calls(struct hcct_unit *unit, struct hcct_target *target);

/* Whether there can be a copy of the call on another way through the function. */
/* Whether a call that has a delta pushes a frame whatever its delta says, unless that is HCCT_DELTA_NONE
 * (HCCT_SITE_FRAMED). */
bool hcct_call_is_framed(const struct hcct_call *call);
bool hcct_call_can_be_repeated(const struct hcct_call *call);

/* current.c, restoring builds only: at the entry, the builder's place; at the ends and where jumps arrive,
 * when everything else is there. Before the calls are changed, tail calls that need not stay so are kept from
 * it. */
LLVMValueRef hcct_current_load(struct hcct_unit *unit);
void hcct_current_enter(struct hcct_unit *unit, struct hcct_target *target);
void hcct_current_hold_tails(struct hcct_target *target);
void hcct_current_leave(struct hcct_unit *unit, struct hcct_target *target);
/* The call in front of the return `leave` that leaves nothing to be done behind it; else the return. */
LLVMValueRef hcct_current_last_act(LLVMValueRef leave);

/* clock.c, for targets that are measured or hold the clock: in front of `first`, where the entry's code ends;
 * at the ends and where jumps arrive, likewise. */
bool hcct_clock_has_arrivals(LLVMValueRef function);
void hcct_clock_enter(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef first);
void hcct_clock_leave(struct hcct_unit *unit, struct hcct_target *target);

/* shadow.c, test builds only: an exact shadow stack beside the encoding, for the calls found in `target`.
 * Goes first. */
void hcct_shadow_function(struct hcct_unit *unit, struct hcct_target *target);

/* record.c: the data that describes them. */
void hcct_record_declare(struct hcct_unit *unit, struct hcct_target *target);
void hcct_record_define(struct hcct_unit *unit, struct hcct_target *target);
void hcct_record_keep_all(struct hcct_unit *unit);
void hcct_record_note(struct hcct_unit *unit, uint32_t settings);
/* Has the linker bring in the runtime of this ABI. */
void hcct_record_refer(struct hcct_unit *unit);
/* The address of the delta of the target's call number `index`. */
LLVMValueRef hcct_record_delta(struct hcct_unit *unit, struct hcct_target *target, uint32_t index);
uint64_t hcct_record_site_id(struct hcct_unit *unit, LLVMValueRef function, uint32_t ordinal);
/* A pointer to text, one global per text and module. */
LLVMValueRef hcct_record_string(struct hcct_unit *unit, const char *text, size_t length);

/* returns.c: before the calls of the function are looked at. */
void hcct_copy_returns(struct hcct_unit *unit, LLVMValueRef function);

/* The source file that `function` is of, by its debug info; the module's without. */
const char *hcct_unit_source(struct hcct_unit *unit, LLVMValueRef function);
/* Has `thread`, and the module. */
void hcct_unit_declare_thread(struct hcct_unit *unit);
/* No linker can make a call to it lead to another function. */
bool hcct_is_fixed_function(LLVMValueRef function);
/* The target that `function` is, or NULL. */
struct hcct_target *hcct_unit_target(struct hcct_unit *unit, LLVMValueRef function);

#endif
