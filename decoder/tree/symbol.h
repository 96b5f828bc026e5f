/* Names as a reader wants them: demangled, without the suffixes that optimizers add. */
#ifndef HCCT_DECODER_TREE_SYMBOL_H
#define HCCT_DECODER_TREE_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>

/* The length of a linkage name without .llvm.N, .constprop.N, .part.N, .isra.N, .cold, .__uniq.N and the
 * like. */
size_t hcct_symbol_stem(const char *linkage);

/* True where a suffix tells that the function was local in its source (.llvm.N, .__uniq.N, .lto_priv.N). */
bool hcct_symbol_was_local(const char *linkage);

/* The name to show, from malloc; NULL when memory is out. `source` may be empty. */
char *hcct_symbol_display(const char *linkage, const char *source, bool demangle);

#endif
