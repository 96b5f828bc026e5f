/* Which frame a word was made from (runtime/stack/walk.h), where two frames explain it: frames that this test
 * builds, on a stack that it made. */
#include "runtime/stack/walk.h"

#include "runtime/stack/frame.h"
#include "runtime/stack/settings.h"
#include "test/unit/check.h"

struct hcct_stack_settings hcct_stack_settings;
_Thread_local struct hcct_thread __hcct_thread;
_Atomic uint64_t hcct_numbering_id_count;

enum { ROOT, PLAIN, TAIL, COUNT };

static uint64_t stack[64]; /* what calls put there */
static struct hcct_frame frames[COUNT];
static struct hcct_state state;
static uint64_t word;

/* A root, a plain push whose call put its return address at `entry`, and a tail push by a function that
 * entered at `tail_entry`. Both explain the word of a function with 2^56 ids. */
static void build(const uint64_t *entry, const uint64_t *tail_entry)
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
                                        .sp = 0,
                                        .tail = tail_sp | hcct_frame_return_hash(tail_sp) };
}

static const struct hcct_frame *find(void)
{
    return hcct_walk_find(&frames[TAIL], word, &state, (uintptr_t)&stack[1]);
}

int main(void)
{
    for (size_t i = 0; i < sizeof stack / sizeof stack[0]; i++)
        stack[i] = (i + 1) * UINT64_C(0x10001);

    /* Somewhere below the call: either may be right. */
    build(&stack[40], &stack[20]);
    CHECK(!find());
    /* Of one prefix: both are. */
    frames[PLAIN].prefix = frames[TAIL].prefix;
    CHECK(find() == &frames[TAIL]);
    /* The older one does not explain the word; nor does the newer one. */
    frames[PLAIN].prefix = word + HCCT_ID_UNIT;
    CHECK(find() == &frames[TAIL]);
    build(&stack[40], &stack[20]);
    frames[TAIL].prefix = word + HCCT_ID_UNIT;
    CHECK(find() == &frames[PLAIN]);

    /* The tail call is one of the very function that was called: nothing is made from the call any more. */
    build(&stack[20], &stack[20]);
    CHECK(find() == &frames[TAIL]);
    /* Its return address was overwritten: it has ended. */
    build(&stack[20], &stack[20]);
    frames[TAIL].tail ^= UINT64_C(1) << 63;
    CHECK((find() == &frames[PLAIN]) == !!hcct_frame_return_hash((uintptr_t)&stack[20]));
    CHECK_DONE();
}
