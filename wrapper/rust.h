/* cargo-hcct and hcct-rustc: Rust programs, instrumented. */
#ifndef HCCT_WRAPPER_RUST_H
#define HCCT_WRAPPER_RUST_H

#include <stdbool.h>

/* Is this process to be one of the two? */
bool hcct_rust_named(const char *name);
int hcct_rust_main(int argc, char **argv);

#endif
