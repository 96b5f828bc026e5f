/* See words.h. */
#include "pass/emit/words.h"

#include <stdlib.h>

#include <llvm-c/Comdat.h>

#include "pass/unit/bridge.h"

void hcct_words_put(struct hcct_words *out, uint32_t value)
{
    out->words[out->count++] = LLVMConstInt(out->unit->i32, value, false);
}

void hcct_words_put_long(struct hcct_words *out, uint64_t value)
{
    hcct_words_put(out, (uint32_t)value);
    hcct_words_put(out, (uint32_t)(value >> 32));
}

void hcct_words_put_distance(struct hcct_words *out, LLVMValueRef to)
{
    struct hcct_unit *unit = out->unit;
    if (!to) {
        hcct_words_put(out, 0);
        return;
    }
    LLVMValueRef offset = LLVMConstInt(unit->i64, 4 * (uint64_t)out->count, false);
    LLVMValueRef here = LLVMConstInBoundsGEP2(unit->i8, out->global, &offset, 1);
    LLVMValueRef distance =
        LLVMConstSub(LLVMConstPtrToInt(to, unit->i64), LLVMConstPtrToInt(here, unit->i64));
    out->words[out->count++] = LLVMConstTrunc(distance, unit->i32);
}

void hcct_words_finish(struct hcct_words *out)
{
    LLVMSetInitializer(out->global, LLVMConstArray(out->unit->i32, out->words, out->count));
    LLVMSetGlobalConstant(out->global, true);
}

LLVMValueRef hcct_words_global(struct hcct_unit *unit, LLVMTypeRef type, const char *name)
{
    LLVMValueRef global = LLVMAddGlobal(unit->module, type, name);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, 8);
    return global;
}

LLVMValueRef hcct_words_array(struct hcct_unit *unit, size_t bytes, const char *name)
{
    LLVMValueRef global = hcct_words_global(unit, LLVMArrayType(unit->i32, (unsigned)(bytes / 4)), name);
    LLVMSetAlignment(global, 4);
    return global;
}

void hcct_words_keep(struct hcct_unit *unit, LLVMValueRef global)
{
    if (!(unit->kept_count & (unit->kept_count + 1))) {
        LLVMValueRef *grown = realloc(unit->kept, (2 * unit->kept_count + 2) * sizeof *grown);
        if (!grown) {
            hcct_bridge_append_used(unit->module, &global, 1, false);
            return;
        }
        unit->kept = grown;
    }
    unit->kept[unit->kept_count++] = global;
}

void hcct_words_keep_all(struct hcct_unit *unit)
{
    hcct_bridge_append_used(unit->module, unit->kept, unit->kept_count, false);
    free(unit->kept);
    unit->kept = NULL;
    unit->kept_count = 0;
}

void hcct_words_tie(struct hcct_unit *unit, LLVMValueRef global, LLVMValueRef function, const char *section)
{
    LLVMComdatRef comdat = LLVMGetComdat(function);
    LLVMSetSection(global, section);
    if (comdat)
        LLVMSetComdat(global, comdat);
    hcct_bridge_associate(global, function);
    hcct_words_keep(unit, global);
}
