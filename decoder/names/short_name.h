/* Short forms of demangled C++ names, for people.
 *
 *     std::vector<int, std::allocator<int> > ns::Class<int>::method<char>(int, char) const
 *
 * is `ns::Class<…>::method<…>` in short, `ns::Class<…>::method<…>(int, char)` with parameters, and
 * `ns::Class<int>::method<char>` with template arguments. A name that is not C++ stays as it is. */
#ifndef HCCT_DECODER_NAMES_SHORT_NAME_H
#define HCCT_DECODER_NAMES_SHORT_NAME_H

#include "decoder/names/symbol.h"

/* From malloc. `names` is HCCT_NAMES_SHORT, PARAMETERS or ARGUMENTS. The parameters or arguments that stay
 * are short themselves: their own template arguments are left out. `ellipsis` stands for what is left out:
 * "…" or "...". */
char *hcct_short_name(const char *demangled, enum hcct_names names, const char *ellipsis);

/* The end of what the bracket at `at` opens. Brackets of other kinds nest. */
const char *hcct_short_name_skip(const char *at);

#endif
