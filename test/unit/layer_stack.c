/* The stack layer without the layers above it: pushes make frames, walks find them, pops and jumps drop them,
 * in a program that has no instrumented code, no tables and no start. */
#include "runtime/base/go_on.h"
#include "runtime/core/block.h"
#include "runtime/objects/numbering.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/push.h"
#include "runtime/stack/walk.h"
#include "test/unit/check.h"

enum { DEPTH = 40, LEFT = 10, IDS = 1000 };

static struct hcct_site sites[DEPTH + LEFT];
static uint64_t words[DEPTH + 1]; /* of the functions of the recursion, by depth */
static struct hcct_frame *frames[DEPTH];

/* A word for the function at this depth: some path below the newest push. */
static uint64_t word_at(unsigned depth)
{
    return hcct_context_word(__hcct_thread.top->prefix, HCCT_ID_FIRST + depth * 7 % IDS * HCCT_ID_UNIT);
}

/* Each word of the functions above is found at the frame that it was made from. */
static void check_frames(unsigned depth, uintptr_t sp)
{
    for (unsigned i = 0; i < depth; i++) {
        CHECK(hcct_walk_find(__hcct_thread.top, words[i + 1], NULL, sp) == frames[i]);
        if (i)
            CHECK(hcct_walk_parent(frames[i]) == frames[i - 1]);
    }
}

/* Pushes, and is left by a jump. */
static __attribute__((noinline)) void leave(unsigned count)
{
    __hcct_push_outline(HCCT_NOTHING_4, &sites[DEPTH + count - 1], word_at(count));
    if (count > 1)
        leave(count - 1);
    __asm__ volatile("" ::: "memory"); /* no tail call */
}

static __attribute__((noinline)) void recurse(unsigned depth)
{
    words[depth] = word_at(depth);
    if (depth == DEPTH) {
        check_frames(DEPTH, (uintptr_t)__builtin_frame_address(0));
        return;
    }
    __hcct_push_outline(HCCT_NOTHING_4, &sites[depth], words[depth]);
    frames[depth] = __hcct_thread.top;
    recurse(depth + 1);
    if (depth == DEPTH / 2) {
        leave(LEFT);
        CHECK(__hcct_thread.top == frames[depth] + LEFT);
        check_frames(depth, (uintptr_t)__builtin_frame_address(0));
    }
    __hcct_pop();
    CHECK(__hcct_thread.top == frames[depth] - 1);
}

int main(void)
{
    hcct_numbering_id_count = IDS * HCCT_ID_UNIT;
    for (unsigned i = 0; i < DEPTH + LEFT; i++)
        sites[i] = (struct hcct_site){ .id = i * UINT64_C(0x9e3779b97f4a7c15) << 1 | 1,
                                       .flags = HCCT_SITE_INDIRECT | HCCT_SITE_PUSHES };
    recurse(0);
    CHECK(hcct_frame_is_root(__hcct_thread.top));
    CHECK_DONE();
}
