/* Whether a file that is linked needs the plugin in the link. */
#ifndef HCCT_WRAPPER_BITCODE_H
#define HCCT_WRAPPER_BITCODE_H

#include <stdbool.h>

/* True for an object that is LLVM bitcode, and for an archive with bitcode that was left to the link. A thin
 * archive only names its members, so it is not looked into. */
bool hcct_bitcode_is_in(const char *path);

#endif
