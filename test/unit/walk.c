/* Which frame a word was made from (runtime/stack/walk.h), where two frames explain it: frames that this test
 * builds, on a stack that it made, and paths as the test says. */
#include "runtime/stack/walk.h"

#include "runtime/objects/origins.h"
#include "runtime/stack/frame.h"
#include "test/unit/check.h"

struct hcct_options hcct_options;
_Thread_local struct hcct_thread __hcct_thread;
_Atomic uint64_t hcct_numbering_id_count;

/* What the paths are: of ids below `middle`, the newer frame's, and of the others. */
static uint64_t first_of_newer, first_of_older, paths_of_newer;
static const uint64_t middle = UINT64_C(1) << 40;

uint64_t hcct_origins_first(uint64_t id, uint64_t site)
{
    (void)site;
    return id < middle ? first_of_newer : first_of_older;
}

bool hcct_origins_is_main(uint64_t base)
{
    return base == HCCT_ID_UNIT;
}

uint64_t hcct_origins_paths(uint64_t id)
{
    return id < middle ? paths_of_newer : UINT64_MAX;
}

enum { ROOT, PLAIN, TAIL, COUNT };

static uint64_t stack[64]; /* what calls put there */
static struct hcct_frame frames[COUNT];
static struct hcct_state state;
static uint64_t word;

/* A root, a plain push whose call put its return address at `entry`, and a tail push by a function that
 * entered at `tail_entry`. Both explain the word of a function with 2^56 ids. */
static void build(const uint64_t *entry, const uint64_t *tail_entry, uint64_t callee)
{
    uintptr_t tail_sp = (uintptr_t)tail_entry & ~(uintptr_t)7;
    state = (struct hcct_state){ .base = HCCT_ID_UNIT, .contexts = UINT64_C(1) << 56 };
    word = UINT64_C(1) << 60;
    frames[ROOT] = (struct hcct_frame){ .sp = UINTPTR_MAX };
    frames[PLAIN] = (struct hcct_frame){ .prefix = word - (UINT64_C(1) << 50),
                                         .site = 1,
                                         .sp = (uintptr_t)entry + HCCT_CALL_BYTES };
    frames[TAIL] = (struct hcct_frame){ .prefix = word - (UINT64_C(1) << 30),
                                        .site = 3,
                                        .sp = hcct_frame_callee_hash(callee),
                                        .tail = tail_sp | hcct_frame_return_hash(tail_sp) };
    first_of_newer = callee ? callee : 7 * HCCT_ID_UNIT;
    first_of_older = 9 * HCCT_ID_UNIT;
    paths_of_newer = UINT64_MAX;
}

static const struct hcct_frame *find(void)
{
    return hcct_walk_find(&frames[TAIL], word, &state, (uintptr_t)&stack[1]);
}

int main(void)
{
    const uint64_t callee = 5 * HCCT_ID_UNIT;
    for (size_t i = 0; i < sizeof stack / sizeof stack[0]; i++)
        stack[i] = (i + 1) * UINT64_C(0x10001);

    /* Somewhere below the call: either may be right. */
    build(&stack[40], &stack[20], callee);
    CHECK(!find());
    /* Few paths lead from the tail call's callee: it is no chance. */
    paths_of_newer = 1 << 16;
    CHECK(find() == &frames[TAIL]);
    paths_of_newer++;
    CHECK(!find());
    /* The path does not begin with its callee: it is a chance. */
    first_of_newer = 6 * HCCT_ID_UNIT;
    CHECK(find() == &frames[PLAIN]);
    /* Nor is there a path of the other one. */
    build(&stack[40], &stack[20], callee);
    first_of_older = HCCT_ORIGIN_NONE;
    CHECK(find() == &frames[TAIL]);
    /* No push leads to main. */
    first_of_older = HCCT_ID_UNIT;
    CHECK(find() == &frames[TAIL]);

    /* The tail call is one of the very function that was called: nothing is made from the call any more. */
    build(&stack[20], &stack[20], callee);
    CHECK(find() == &frames[TAIL]);
    build(&stack[20], &stack[20], 0); /* its callee is not known */
    CHECK(find() == &frames[TAIL]);
    first_of_newer = HCCT_ORIGIN_NONE; /* but that is no path */
    CHECK(find() == &frames[PLAIN]);
    /* Its return address was overwritten: it has ended. */
    build(&stack[20], &stack[20], callee);
    frames[TAIL].tail ^= UINT64_C(1) << 63;
    CHECK((find() == &frames[PLAIN]) == !!hcct_frame_return_hash((uintptr_t)&stack[20]));
    CHECK_DONE();
}
