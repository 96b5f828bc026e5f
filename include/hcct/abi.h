/* The binary interface between the pass and the runtime: every structure that the pass lays out and
 * every symbol that instrumented code refers to. This header is its only definition.
 *
 * A calling context is one 64-bit word, w = h + id (mod 2^64): `id` numbers the acyclic call path since
 * the last push, `h` hashes the chain of pushes below it (0 at a thread's root). Instrumented code keeps w
 * in a register; the thread's word `ctx` only carries it from a call to the callee's entry.
 *
 * Invariants
 *   1. inside a function's body (after its entry) `ctx` is HCCT_WORD_NONE or HCCT_WORD_TAIL, never a word;
 *   2. `top` points to the newest frame of the context stack; frames of live calls are never moved;
 *   3. a frame of a plain push is taken off after its call returned, so what lies above the newest live
 *      frame was left by a non-local exit or by a tail call;
 *   4. a delta changes once, from 0 (not numbered yet) to its final value, and never again;
 *   5. a function that no code outside its module can call takes its word as a last parameter (`nest` in
 *      LLVM's terms), and `ctx` is not touched by calls to it;
 *   6. a function whose base is 0 runs with the word HCCT_WORD_TAIL, and what it calls without a test does
 *      too, or, behind a push in line, with a word that is nobody's: it counts as dropped.
 *
 * Threads: everything reached from `__hcct_thread` belongs to its thread; deltas and bases are written
 * under the registry's lock and read with relaxed loads.
 * Source: Sumner et al., "Precise Calling Context Encoding", ICSE 2010. */
#ifndef HCCT_ABI_H
#define HCCT_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Part of a symbol's name (HCCT_ABI_SYMBOL), so that objects of another version fail at link time. A link
 * that lacks the runtime tells that name as undefined: so it says what to do. Linkers report what is
 * undefined in the order of relocations. Instrumented code refers to the thread's words first, so their name
 * says it, too. */
#define HCCT_ABI_VERSION 15
#define HCCT_ABI_SYMBOL "__hcct_abi_15_link_with_hcct_cc_or_libhcct_a"
#define HCCT_THREAD_SYMBOL "__hcct_thread_link_with_hcct_cc_or_libhcct_a"

/* --- the context word ------------------------------------------------------------------------- */

/* Not 0, which is the key of an empty slot: a call that nobody numbered is in no slot, and needs no test of
 * its own where calls are counted. */
#define HCCT_WORD_NONE UINT64_C(1) /* nobody numbered this call: look at the context stack */
#define HCCT_WORD_TAIL UINT64_C(2) /* an indirect tail call pushed the frame on top */
/* Ids are multiples of this, the size of a slot: the low bits of a word are the offset of its slot. They
 * spread the ids of one prefix, and prefixes, which are hashes. */
#define HCCT_ID_UNIT UINT64_C(16)
#define HCCT_ID_FIRST HCCT_ID_UNIT
#define HCCT_ID_MAX (UINT64_C(1) << 62)

/* The prefix that a push at `site` (odd) makes of the pusher's word. A bijection in `word`. */
static inline uint64_t hcct_mix(uint64_t word, uint64_t site)
{
    return __builtin_bswap64(word * site);
}

/* The inverse of an odd number mod 2^64, by Newton's iteration: each step doubles the correct bits. */
static inline uint64_t hcct_odd_inverse(uint64_t odd)
{
    uint64_t inverse = odd; /* 3 bits correct */
    for (int step = 0; step < 5; step++)
        inverse *= 2 - odd * inverse;
    return inverse;
}

/* The pusher's word: hcct_unmix(hcct_mix(w, site), site) == w. */
static inline uint64_t hcct_unmix(uint64_t prefix, uint64_t site)
{
    return __builtin_bswap64(prefix) * hcct_odd_inverse(site);
}

/* --- per thread ------------------------------------------------------------------------------- */

/* One push. `sp` is the pusher's stack pointer at the call, above the callee's entry stack pointer, or, where
 * the callee may run on memory in the pusher's own frame, the end of that. It is one less if the call is one
 * in place of a sibling call (pass/emit/pushes.c). It is 0 in the frame of a tail push, which has it in
 * `tail`, so that the inline liveness test sends it to the slow path. */
struct hcct_frame {
    uint64_t prefix;
    uint64_t site;
    uintptr_t sp;
    uint64_t tail; /* of tail pushes and of the roots of signal handlers: see runtime/stack/frame.h */
};

/* The value of hcct_thread.push_mask if pushes are in line. The address of a new frame that begins a page has
 * none of these bits, so __hcct_push_outline makes that frame. */
#define HCCT_STACK_PAGE_BYTES 4096
#define HCCT_PUSH_MASK_INLINE (HCCT_STACK_PAGE_BYTES - 1)

/* A direct-mapped cache of counts in front of the table. Key 0 is an empty slot. */
struct hcct_slot {
    uint64_t key;
    uint64_t count;
};
#define HCCT_SLOTS_LOG2 14
#define HCCT_SLOTS (1u << HCCT_SLOTS_LOG2)
/* The slots of the first thread that misses too often with HCCT_SLOTS (runtime/count/grow.c). */
#define HCCT_MORE_SLOTS_LOG2 16
#define HCCT_MORE_SLOTS (1u << HCCT_MORE_SLOTS_LOG2)
/* The index of a word's slot in a table of HCCT_SLOTS. */
static inline uint32_t hcct_slot_of(uint64_t word)
{
    return (uint32_t)(word / sizeof(struct hcct_slot)) & (HCCT_SLOTS - 1);
}

/* The measured function that time goes to now: its word, and `frame`, a place on its own stack that holds
 * this structure as it was before the function began. */
struct hcct_clock {
    uint64_t word; /* 0: none */
    struct hcct_clock *frame;
};

struct hcct_thread {
    uint64_t ctx;
    struct hcct_frame *top;
    /* NULL: nothing is counted. If slot_mask is not 0, addresses go on for HCCT_MORE_SLOTS slots */
    struct hcct_slot *slots;
    uint64_t push_mask; /* a push is in line if a bit of it is set in the new frame's address; 0: none is */
    struct hcct_clock clock; /* measuring builds: pass/emit/clock.c */
    uint64_t slot_mask;      /* word & slot_mask: the slot's offset in bytes */
    /* the word that __hcct_enter_or_miss left; until it is taken, which is at once */
    uint64_t entered;
    /* while a call with HCCT_DELTA_NOTED is under way: its site, and the caller's word. NULL: none is */
    const struct hcct_site *noted_site;
    uint64_t noted_word;
};

/* --- records ---------------------------------------------------------------------------------- */

/* The distance in bytes from this field to what it points to; 0 is null. Needs no dynamic relocation. */
typedef int32_t hcct_rel;

static inline const void *hcct_rel_get(const hcct_rel *field)
{
    return *field ? (const char *)field + *field : NULL;
}

/* Written by whoever numbers the program: the runtime at start, or before that the link, into the file
 * (hcct/linked.h). Zero before, but in a module that was numbered as a whole program (HCCT_FUNCTION_FIXED):
 * there only calls out of it are 0. One per function. */
struct hcct_state {
    uint64_t base;     /* the function's first id; 0: not numbered yet */
    uint64_t contexts; /* its ids are [base, base + contexts) */
    hcct_rel record;   /* struct hcct_function */
    /* in a file that the link numbered: 32 bits of the filter of names (hcct/linked.h). In the process: the
     * function's place, by ascending bases, among all functions that were numbered with it or earlier */
    uint32_t names;
    int64_t delta[]; /* [delta_count], in the order of hcct_function's sites */
};

/* A delta: > 0 numbered (store w + delta); 0 not numbered yet; < 0 pushes. */
#define HCCT_DELTA_SIGN INT64_MIN
#define HCCT_DELTA_OPEN INT64_MIN /* a push whose callee is not known: the word stays HCCT_WORD_NONE */
/* no push: the callee, not instrumented, calls nothing back that the program has (enum hcct_library). No
 * call: the callee is HCCT_FUNCTION_EXTERNAL, and what it stands for is instrumented */
#define HCCT_DELTA_NONE INT64_C(-1)
/* as HCCT_DELTA_NONE, but the call is noted in the thread while it is under way (HCCT_SITE_NOTES) */
#define HCCT_DELTA_NOTED INT64_C(-2)
/* otherwise HCCT_DELTA_SIGN | base(callee): a push whose callee starts at that id */

/* Whether the delta names no instrumented callee, because it is not known or there is none. */
static inline int hcct_delta_is_outside(int64_t delta)
{
    return delta == HCCT_DELTA_OPEN || delta == HCCT_DELTA_NONE || delta == HCCT_DELTA_NOTED;
}

enum hcct_function_flag {
    HCCT_FUNCTION_ENTERABLE = 1, /* may be called by code that did not number the call */
    HCCT_FUNCTION_LOCAL = 2,     /* local linkage: the name alone does not tell it apart */
    HCCT_FUNCTION_FIXED = 4,     /* its state was numbered in the link, with ids from HCCT_ID_FIRST on */
    /* stands for a function that its module does not instrument, and counts the calls of it */
    HCCT_FUNCTION_EXTERNAL = 8,
    HCCT_FUNCTION_ALLOCATOR = 16, /* gives out memory: calls __hcct_heap_given */
    HCCT_FUNCTION_FLAG_MASK = 255,
    HCCT_FUNCTION_PLACE_SHIFT = 8, /* 24 bits, written by the link: hcct/linked.h */
};

/* In the section HCCT_FUNCTION_SECTION, one per instrumented function. */
struct hcct_function {
    hcct_rel body;  /* the function's code; EXTERNAL: struct hcct_symbol of the function that it stands for */
    hcct_rel state; /* struct hcct_state */
    hcct_rel sites; /* struct hcct_site[site_count]: first those whose numbering decides */
    uint32_t site_count;
    uint32_t delta_count; /* the first delta_count sites have a delta each; the others always push */
    uint32_t flags;       /* enum hcct_function_flag */
    hcct_rel linkage_name;
    hcct_rel source_name; /* null without debug info */
    hcct_rel file; /* absolute where the debug info tells the folder; the module's name without debug info */
    uint32_t line;
    /* the code that calls by the function's symbol lead to. Usually `body`, for which null may stand; another
     * one if another definition was linked in its place (-z muldefs, a weakened symbol) */
    hcct_rel symbol;
};

/* What the listed functions of the C and C++ libraries (pass/select/library.c) may call back, if the program
 * has it. In a site's flags: what its callee may call back. In a note: what the module has. */
enum hcct_library {
    HCCT_LIBRARY_ALLOCATION = 1, /* malloc, operator new and their kin */
    /* a new-handler, a terminate handler, or what stands in for the library's way to throw */
    HCCT_LIBRARY_HANDLER = 2,
    HCCT_LIBRARY_STRING = 4, /* members of std::basic_string */
    HCCT_LIBRARY_STREAM = 8, /* the functions of a stream, or of a conversion of printf */
    HCCT_LIBRARY_WAIT = 16,  /* nothing; but the thread may wait there */
    HCCT_LIBRARY_MASK = 31,
};

enum hcct_site_kind {
    /* callee: struct hcct_function in this object. The call leads to its `symbol` */
    HCCT_SITE_LOCAL = 0,
    HCCT_SITE_SYMBOL = 1,   /* callee: struct hcct_symbol, whose resolved address decides */
    HCCT_SITE_EXTERNAL = 2, /* direct, to code that is not instrumented; callee: its linkage name */
    HCCT_SITE_INDIRECT = 3, /* callee: null */
};

enum hcct_site_flag {
    HCCT_SITE_KIND_MASK = 3,
    /* no delta: instrumented as a push (EXTERNAL, INDIRECT, recursion known at compile time) */
    HCCT_SITE_PUSHES = 4,
    HCCT_SITE_TAIL = 8,         /* stays a sibling call */
    HCCT_SITE_PRENUMBERED = 16, /* LOCAL; its delta is > 0 in every program, and nothing tests it */
    /* has a delta, but its code pushes a frame unless that is HCCT_DELTA_NONE: never numbered */
    HCCT_SITE_FRAMED = 32,
    HCCT_SITE_NOTES = 64, /* its delta may be HCCT_DELTA_NOTED */
    /* 8 bits: static frequency, 128 = once per entry of the function, a step = a factor of 2, at most 254; or
     * as hcct_guide_weight */
    HCCT_SITE_WEIGHT_SHIFT = 8,
    /* SYMBOL: enum hcct_library; 0: not listed, a push where the callee is not instrumented */
    HCCT_SITE_LIBRARY_SHIFT = 16,
};

/* Aligned as hcct_rel is, so that sites have no gaps. */
typedef uint64_t hcct_site_id __attribute__((aligned(4)));

/* Around the sites of a function stands where they are in the source: hcct/locations.h. */
struct hcct_site {
    /* odd; a hash of module (local functions only), function and ordinal; unique within the function, but for
     * sites before it that guess the callee of an INDIRECT one: LOCAL, with a delta > 0, of the same ordinal
     * and location */
    hcct_site_id id;
    hcct_rel callee; /* enum hcct_site_kind */
    uint32_t flags;
    hcct_rel delta; /* in the function's state; null: always pushes */
};

/* In the section HCCT_CALL_SECTION, one per call that may be numbered and returns: which site the return
 * address behind it belongs to. */
struct hcct_call_label {
    hcct_rel code; /* at the call instruction, or before it, behind all calls that are before it */
    hcct_rel site; /* struct hcct_site */
};

/* A function that was inlined. */
struct hcct_subprogram {
    hcct_rel linkage_name; /* null: the source name */
    hcct_rel source_name;
    hcct_rel file; /* where it is defined */
    uint32_t line;
};

/* One inlined frame around a call site. */
struct hcct_inlined {
    hcct_rel subprogram; /* struct hcct_subprogram */
    hcct_rel outer;      /* the next frame outwards; null: the function itself */
    hcct_rel call_file;  /* where it was inlined; null: the file of the next frame's subprogram */
    uint32_t call_line;
    uint16_t call_column; /* the low half of a word; LLVM's columns have 16 bits */
    uint16_t call_discriminator;
};

/* An external callee, one for each linked object. */
struct hcct_symbol {
    const void *address; /* filled in by the (dynamic) linker */
    hcct_rel name;       /* linkage name */
    uint32_t unused;
};

/* --- entry points ------------------------------------------------------------------------------ */

/* Instrumented code calls these, by the preserve_most convention: all of the caller's registers but the
 * vector ones keep their values. They return nothing (the convention has no register to spare for a result),
 * keep errno, and are async-signal-safe.
 *
 * Most take their parameters in the last of the six registers that x86-64 has for parameters. A function
 * that is entered seldom has parameters of its own there, so it need not move them. HCCT_FREE_3 and
 * HCCT_FREE_4 stand for the registers in front, which are not set.
 *
 * `entry_sp` is the address of the caller's return address. On AArch64, which has that address in a
 * register, it is the word below the stack pointer at the caller's entry. So on both it is below a pusher's
 * `sp`. */
#if defined(__clang__)
#define HCCT_COLD __attribute__((preserve_most, cold, noinline, used, visibility("default")))
#define HCCT_USUAL __attribute__((preserve_most, noinline, used, visibility("default")))
extern _Thread_local
    __attribute__((visibility("default"))) struct hcct_thread __hcct_thread __asm__(HCCT_THREAD_SYMBOL);

/* A structure, as that may be passed on without a value. */
struct hcct_free {
    uintptr_t value;
};
#define HCCT_FREE(name) __attribute__((unused)) struct hcct_free name
#define HCCT_FREE_3 HCCT_FREE(free1), HCCT_FREE(free2), HCCT_FREE(free3)
#define HCCT_FREE_4 HCCT_FREE_3, HCCT_FREE(free4)

/* An entry whose word is not in its slot: counts it. */
void HCCT_COLD __hcct_miss(HCCT_FREE_4, struct hcct_state *state, uint64_t word);
/* The same, or an entry whose word is HCCT_WORD_NONE or HCCT_WORD_TAIL: finds its word. Leaves the function's
 * word in `entered` in any case. */
void HCCT_COLD __hcct_enter_or_miss(HCCT_FREE_3, struct hcct_free entry_sp, struct hcct_state *state,
                                    uint64_t word);
/* An entry of a function that is to be small: counts it, if anything counts. */
void HCCT_USUAL __hcct_count(HCCT_FREE_4, struct hcct_state *state, uint64_t word);
/* A call whose delta is not positive: pushes in any case, and leaves in ctx what the callee is to find
 * there. */
void HCCT_COLD __hcct_push(HCCT_FREE_4, const struct hcct_site *site, uint64_t word);
/* A call, whatever its delta is, in unoptimized code, where it is seldom made, or where it stands in the code
 * only once: leaves in ctx what the callee is to find there, notes the call, or pushes where that needs a
 * frame. */
void HCCT_USUAL __hcct_call(HCCT_FREE_4, const struct hcct_site *site, uint64_t word);
/* Behind that call: takes the frame off, or ends the note, if there is one. Has the delta, and not the site:
 * so the compiler keeps no register for an address that both calls would have. */
void HCCT_USUAL __hcct_called(const int64_t *delta);
/* The same two for a call of a library function that may be noted: they ask for that first. */
void HCCT_USUAL __hcct_call_noted(HCCT_FREE_4, const struct hcct_site *site, uint64_t word);
void HCCT_USUAL __hcct_called_noted(const int64_t *delta);
/* Makes the push that code in line would make: in cold code, and where push_mask demands it. */
void HCCT_COLD __hcct_push_outline(HCCT_FREE_4, const struct hcct_site *site, uint64_t word);
/* The same as __hcct_push in tail position, where nothing is taken off later. */
void HCCT_COLD __hcct_push_tail(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                                uintptr_t entry_sp);
/* A tail call through a pointer, in an activation that a sibling call seems to have entered, or of which that
 * is not known: then `entry_sp` is odd. If it stays one, leaves a word in ctx. If it is to be a plain call,
 * as the callee is not instrumented, or the activation was entered by a plain call, pushes, leaves none, and
 * a pop has to follow. */
#define HCCT_ENTRY_UNKNOWN UINT64_C(1)
void HCCT_COLD __hcct_push_tail_pointer(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                                        uintptr_t entry_sp, const void *callee);
/* A tail call that must stay one, through a pointer (`callee`), or to code that is not instrumented
 * (NULL). */
void HCCT_COLD __hcct_push_tail_open(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                                     uintptr_t entry_sp, const void *callee);
/* After a call that pushed: takes the frame off, and what the call left above it. */
void HCCT_COLD __hcct_pop(void);
/* As __hcct_pop, if the code behind the push stored another stack pointer in the frame, which is `sp`. */
void HCCT_COLD __hcct_pop_lent(uintptr_t sp);
/* In landing pads and after setjmp: takes off all frames of this activation and of what it called. */
void HCCT_COLD __hcct_arrive(uintptr_t entry_sp);
/* Before longjmp and its kin: takes off the frames of what the jump leaves, which its target may not do.
 * `environment` is a jmp_buf. */
void HCCT_COLD __hcct_jump(const void *environment);
/* From now on time goes to the function with this word. *frame gets what __hcct_thread.clock was before. */
void HCCT_USUAL __hcct_clock_enter(uint64_t word, struct hcct_clock *frame);
/* From now on time goes to what *frame says, which __hcct_clock_enter stored there. */
void HCCT_USUAL __hcct_clock_leave(const struct hcct_clock *frame);
/* The last destructor of a shared object that is instrumented, with HCCT_FUNCTION_SECTION's start, by the
 * usual convention: what it tells the decoder is copied, as its memory may go. */
void __attribute__((used, visibility("default"))) __hcct_unload(const struct hcct_function *start);
/* Not 0: the run is one of the heap, and the next two functions are to be called, by the usual convention. */
extern __attribute__((visibility("default"))) int __hcct_heap_is_on;
/* The calling function is about to return the block at `address`. `resizes` is 0, or the number that the same
 * activation passed to __hcct_heap_taken: then this block replaces the one that it took. Then NULL with bytes
 * above 0 says that resizing failed, and that the old block is still there. */
void __attribute__((used, visibility("default"))) __hcct_heap_given(const void *address, size_t bytes,
                                                                    int resizes);
/* The calling function takes the block back. If `resizes`, a number of this activation, is not 0, it is about
 * to resize the block, and __hcct_heap_given tells the result. */
void __attribute__((used, visibility("default"))) __hcct_heap_taken(const void *address, int resizes);
/* Refers to HCCT_ABI_SYMBOL. */
extern const char hcct_abi __asm__(HCCT_ABI_SYMBOL);
#endif

#define HCCT_FUNCTION_SECTION "hcct_functions" /* a C identifier: the linker makes __start_ and __stop_ */
#define HCCT_CALL_SECTION "hcct_calls"         /* as above; the linker drops a label with its function */
#define HCCT_NOTE_SECTION ".note.hcct"
#define HCCT_NOTE_NAME "hcct"
#define HCCT_NOTE_TYPE 1

/* One per module; the runtime finds them through PT_NOTE. All notes of an object tell the same bounds. */
struct hcct_note {
    uint32_t name_bytes; /* sizeof HCCT_NOTE_NAME */
    uint32_t desc_bytes;
    uint32_t type;
    char name[8];
    hcct_rel start;    /* __start_hcct_functions */
    hcct_rel stop;     /* __stop_hcct_functions */
    uint32_t abi;      /* HCCT_ABI_VERSION */
    uint32_t settings; /* enum hcct_setting */
    uint32_t own;      /* enum hcct_library: what the module has of its own */
    hcct_rel calls;    /* __start_hcct_calls */
    hcct_rel calls_stop;
};

enum hcct_setting {
    HCCT_SETTING_BEFORE_INLINING = 1,
    HCCT_SETTING_SHADOW = 2,     /* test build: carries the shadow stack beside the encoding */
    HCCT_SETTING_CLOCK = 16,     /* measuring build: some functions tell when they begin and end */
    HCCT_SETTING_EXTERNALS = 32, /* counts calls of functions that are not instrumented */
};

_Static_assert(sizeof(struct hcct_frame) == 32, "the pass emits this layout");
_Static_assert(sizeof(struct hcct_slot) == HCCT_ID_UNIT, "a word's low bits are an offset");
_Static_assert(offsetof(struct hcct_thread, top) == 8, "the pass emits this layout");
_Static_assert(offsetof(struct hcct_thread, slots) == 16, "the pass emits this layout");
_Static_assert(offsetof(struct hcct_thread, push_mask) == 24, "the pass emits this layout");
_Static_assert(offsetof(struct hcct_thread, clock) == 32, "the pass emits this layout");
_Static_assert(offsetof(struct hcct_thread, slot_mask) == 48, "the pass emits this layout");
_Static_assert(offsetof(struct hcct_thread, entered) == 56, "the pass emits this layout");
_Static_assert(offsetof(struct hcct_thread, noted_site) == 64, "the pass emits this layout");
_Static_assert(offsetof(struct hcct_thread, noted_word) == 72, "the pass emits this layout");
_Static_assert(offsetof(struct hcct_state, delta) == 24, "the pass emits this layout");
_Static_assert(sizeof(struct hcct_function) == 44, "the pass emits this layout");
_Static_assert(sizeof(struct hcct_site) == 20, "the pass emits this layout");
_Static_assert(sizeof(struct hcct_symbol) == 16, "the pass emits this layout");
_Static_assert(sizeof(struct hcct_subprogram) == 16, "the pass emits this layout");
_Static_assert(sizeof(struct hcct_inlined) == 20, "the pass emits this layout");
_Static_assert(sizeof(struct hcct_note) == 48, "the pass emits this layout");

#endif
