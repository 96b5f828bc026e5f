/* Globals that are made of 32-bit words, put one after the other. 64-bit fields are two words, low half
 * first. */
#ifndef HCCT_PASS_EMIT_WORDS_H
#define HCCT_PASS_EMIT_WORDS_H

#include "pass/unit/unit.h"

/* What is put into a global so far. `words` is as long as the global. */
struct hcct_words {
    struct hcct_unit *unit;
    LLVMValueRef global;
    LLVMValueRef *words;
    unsigned count;
};

void hcct_words_put(struct hcct_words *out, uint32_t value);
void hcct_words_put_long(struct hcct_words *out, uint64_t value);
/* The distance to `to` from this very field; 0 for NULL. */
void hcct_words_put_distance(struct hcct_words *out, LLVMValueRef to);
/* The global has these words, and is constant. */
void hcct_words_finish(struct hcct_words *out);

/* A private global, so that it is in no table of symbols. */
LLVMValueRef hcct_words_global(struct hcct_unit *unit, LLVMTypeRef type, const char *name);
/* The same, of so many bytes of words. */
LLVMValueRef hcct_words_array(struct hcct_unit *unit, size_t bytes, const char *name);
/* Puts the global into a section and into the function's comdat. The linker drops both or none. */
void hcct_words_tie(struct hcct_unit *unit, LLVMValueRef global, LLVMValueRef function, const char *section);
/* Keeps the global through the optimizer, from hcct_words_keep_all on: LLVM makes the list of what is kept
 * anew each time. */
void hcct_words_keep(struct hcct_unit *unit, LLVMValueRef global);
void hcct_words_keep_all(struct hcct_unit *unit);

#endif
