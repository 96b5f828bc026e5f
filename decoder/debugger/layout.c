/* Writes hcct_layout.py: what hcct_context.py has to know of the structures that it reads in another process.
 * Run when hcct is built. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "hcct/abi.h"
#include "hcct/locations.h"
#include "runtime/stack/frame.h"

struct constant {
    const char *name;
    uint64_t value;
    bool is_signed;
};

#define VALUE(name, value) { name, (uint64_t)(value), false }
#define SIGNED(name, value) { name, (uint64_t)(value), true }
#define OFFSET(type, field, name) VALUE(name, offsetof(struct type, field))

static const struct constant constants[] = {
    VALUE("ABI", HCCT_ABI_VERSION),
    SIGNED("DELTA_OPEN", HCCT_DELTA_OPEN),
    SIGNED("DELTA_NONE", HCCT_DELTA_NONE),
    SIGNED("DELTA_NOTED", HCCT_DELTA_NOTED),
    VALUE("SITE_KIND_MASK", HCCT_SITE_KIND_MASK),
    VALUE("SITE_LOCAL", HCCT_SITE_LOCAL),
    VALUE("SITE_SYMBOL", HCCT_SITE_SYMBOL),
    VALUE("SITE_INDIRECT", HCCT_SITE_INDIRECT),
    VALUE("SITE_PUSHES", HCCT_SITE_PUSHES),

    VALUE("NOTE_TYPE", HCCT_NOTE_TYPE),
    VALUE("NOTE_BYTES", sizeof(struct hcct_note)),
    OFFSET(hcct_note, name_bytes, "NOTE_NAME_BYTES_AT"),
    OFFSET(hcct_note, type, "NOTE_TYPE_AT"),
    OFFSET(hcct_note, name, "NOTE_NAME_AT"),
    OFFSET(hcct_note, start, "NOTE_START_AT"),
    OFFSET(hcct_note, stop, "NOTE_STOP_AT"),
    OFFSET(hcct_note, abi, "NOTE_ABI_AT"),

    VALUE("FUNCTION_BYTES", sizeof(struct hcct_function)),
    OFFSET(hcct_function, state, "FUNCTION_STATE_AT"),
    OFFSET(hcct_function, sites, "FUNCTION_SITES_AT"),
    OFFSET(hcct_function, site_count, "FUNCTION_SITE_COUNT_AT"),
    OFFSET(hcct_function, delta_count, "FUNCTION_DELTA_COUNT_AT"),
    OFFSET(hcct_function, file, "FUNCTION_FILE_AT"),
    OFFSET(hcct_function, linkage_name, "FUNCTION_LINKAGE_NAME_AT"),
    OFFSET(hcct_state, base, "STATE_BASE_AT"),
    OFFSET(hcct_state, contexts, "STATE_CONTEXTS_AT"),
    OFFSET(hcct_state, delta, "STATE_DELTA_AT"),

    VALUE("SITE_BYTES", sizeof(struct hcct_site)),
    OFFSET(hcct_site, id, "SITE_ID_AT"),
    OFFSET(hcct_site, callee, "SITE_CALLEE_AT"),
    OFFSET(hcct_site, flags, "SITE_FLAGS_AT"),
    OFFSET(hcct_symbol, name, "SYMBOL_NAME_AT"),
    VALUE("SCOPE_BYTES", sizeof(struct hcct_scope)),
    OFFSET(hcct_scope, file, "SCOPE_FILE_AT"),
    OFFSET(hcct_scope, inlined, "SCOPE_INLINED_AT"),
    VALUE("SCOPE_OWN", HCCT_SCOPE_OWN),
    VALUE("SCOPE_TABLE", HCCT_SCOPE_TABLE),
    VALUE("LOCATION_HAS_STEP", HCCT_LOCATION_HAS_STEP),
    VALUE("LOCATION_HAS_DISCRIMINATOR", HCCT_LOCATION_HAS_DISCRIMINATOR),
    VALUE("LOCATION_SCOPE_SHIFT", HCCT_LOCATION_SCOPE_SHIFT),
    OFFSET(hcct_subprogram, linkage_name, "SUBPROGRAM_LINKAGE_NAME_AT"),
    OFFSET(hcct_subprogram, source_name, "SUBPROGRAM_SOURCE_NAME_AT"),
    OFFSET(hcct_subprogram, file, "SUBPROGRAM_FILE_AT"),
    OFFSET(hcct_inlined, subprogram, "INLINED_SUBPROGRAM_AT"),
    OFFSET(hcct_inlined, call_file, "INLINED_CALL_FILE_AT"),
    OFFSET(hcct_inlined, call_line, "INLINED_CALL_LINE_AT"),
    OFFSET(hcct_inlined, call_column, "INLINED_CALL_COLUMN_AT"),
    OFFSET(hcct_inlined, outer, "INLINED_OUTER_AT"),

    OFFSET(hcct_thread, top, "THREAD_TOP_AT"),
    OFFSET(hcct_thread, push_mask, "THREAD_PUSH_MASK_AT"),
    VALUE("FRAME_BYTES", sizeof(struct hcct_frame)),
    OFFSET(hcct_frame, prefix, "FRAME_PREFIX_AT"),
    OFFSET(hcct_frame, site, "FRAME_SITE_AT"),
    OFFSET(hcct_frame, sp, "FRAME_SP_AT"),
    OFFSET(hcct_frame, tail, "FRAME_TAIL_AT"),
    VALUE("ROOT_SP", UINTPTR_MAX),
    VALUE("BARRIER_TAIL", HCCT_FRAME_BARRIER),
    VALUE("STACK_FRAMES", HCCT_STACK_FRAMES),
    VALUE("TAIL_SP_MASK", HCCT_TAIL_SP(UINT64_MAX)),
    VALUE("TAIL_OPEN", HCCT_TAIL_OPEN),
    VALUE("RETURN_HASH_FACTOR", HCCT_RETURN_HASH_FACTOR),
};

int main(void)
{
    puts("\"\"\"The layout of hcct's structures, made from include/hcct/abi.h, include/hcct/locations.h and "
         "runtime/stack/frame.h.\"\"\"");
    printf("THREAD_SYMBOL = \"%s\"\n", HCCT_THREAD_SYMBOL);
    printf("NOTE_NAME = b\"%s\\0\"\n", HCCT_NOTE_NAME);
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        const struct constant *constant = &constants[i];
        if (constant->is_signed)
            printf("%s = %" PRId64 "\n", constant->name, (int64_t)constant->value);
        else
            printf("%s = %#" PRIx64 "\n", constant->name, constant->value);
    }
    return 0;
}
