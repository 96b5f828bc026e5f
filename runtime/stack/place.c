/* See place.h. */
#include "runtime/stack/place.h"

#include "runtime/base/confined.h"
#include "runtime/core/block.h"
#include "runtime/core/busy.h"
#include "runtime/core/hold.h"
#include "runtime/objects/discover.h"
#include "runtime/stack/stack.h"
#include "runtime/stack/walk.h"

void hcct_place_discover(void)
{
    if (hcct_confined)
        return;
    hcct_busy_enter_to_write(); /* no handler jumps out of this */
    /* an object that is loaded again replaces its copy, which a thread may be writing to a profile */
    hcct_hold();
    hcct_discover_objects();
    hcct_hold_release();
    hcct_busy_leave();
}

/* Makes the frame above `top` with recursion=fold: prefix and site. Returns its parent, or NULL. */
static const struct hcct_frame *fold(struct hcct_frame *top, uint64_t word, uint64_t site, uintptr_t sp)
{
    const struct hcct_frame *parent = hcct_walk_find(top, word, NULL, sp),
                            *same = hcct_walk_same_site(parent, site);
    uint64_t prefix = same ? same->prefix : hcct_context_push(word, site);
    parent = same ? hcct_walk_folded_parent(same) : parent;
    struct hcct_frame *frame = hcct_stack_place(top);
    if (parent >= frame) /* the stack was full, and this parent is lost */
        parent = NULL;
    *frame = (struct hcct_frame){ prefix, site, 0, 0 };
    return parent;
}

const struct hcct_frame *hcct_place_make(struct hcct_frame *top, uint64_t word, uint64_t site, uintptr_t sp)
{
    if (top == HCCT_ROOT_FRAME) /* the thread's first push. It may be the one that reads the options */
        top = hcct_stack_place(top) - 1;
    if (hcct_frame_folds())
        return fold(top, word, site, sp);
    __hcct_thread.push_mask = HCCT_PUSH_MASK_INLINE;
    *hcct_stack_place(top) = (struct hcct_frame){ hcct_context_push(word, site), site, 0, 0 };
    return NULL;
}
