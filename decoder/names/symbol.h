/* Symbol names as a reader wants them: demangled, and without the suffixes that optimizers add. */
#ifndef HCCT_DECODER_NAMES_SYMBOL_H
#define HCCT_DECODER_NAMES_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>

/* How much of a function's name is shown. */
enum hcct_names {
    HCCT_NAMES_SHORT,      /* ns::Class<…>::method */
    HCCT_NAMES_PARAMETERS, /* ns::Class<…>::method(int) */
    HCCT_NAMES_ARGUMENTS,  /* ns::Class<std::vector<…>>::method */
    HCCT_NAMES_FULL,       /* demangled */
    HCCT_NAMES_LINKAGE,
};

/* The length of a linkage name without suffixes such as .llvm.N, .constprop.N, .part.N, .cold, .__uniq.N. */
size_t hcct_symbol_stem(const char *linkage);

/* Whether a suffix (.llvm.N, .__uniq.N, .lto_priv.N) tells that the function was local in its source. */
bool hcct_symbol_was_local(const char *linkage);

/* Whether rustc made it. */
bool hcct_symbol_is_rust(const char *linkage);

/* Whether it is a function of Rust's own libraries (std, core, alloc, ...), or an instance of one. */
bool hcct_symbol_is_of_rust_library(const char *linkage);

/* The name to show, from malloc. Where the linkage name cannot be demangled, it is `source` behind the scope
 * that the linkage name begins with, unless `source` is empty. `ellipsis` stands for template arguments in
 * short names. */
char *hcct_symbol_display(const char *linkage, const char *source, enum hcct_names names,
                          const char *ellipsis);

#endif
