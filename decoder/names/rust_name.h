/* Short forms of demangled Rust names, for people.
 *
 *     <alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop   <Vec<…> as Drop>::drop
 *     <calls::Table<u8>>::find::<calls::Key>                  calls::Table<…>::find<…>
 *     calls::main::{{closure}}                                calls::main::{closure} */
#ifndef HCCT_DECODER_NAMES_RUST_NAME_H
#define HCCT_DECODER_NAMES_RUST_NAME_H

#include <stdbool.h>

#include "decoder/names/symbol.h"

/* As hcct_short_name. Rust's names have no parameters. */
char *hcct_rust_short_name(const char *demangled, enum hcct_names names, const char *ellipsis);

/* Whether the name begins in one of Rust's own libraries, or with a type of theirs. */
bool hcct_rust_is_library(const char *demangled);

#endif
