/* Short forms of demangled C++ names, for people.
 *
 *     std::vector<int, std::allocator<int> > ns::Class<int>::method<char>(int, char) const
 *
 * is `ns::Class<…>::method<…>` in short, and `ns::Class<…>::method<…>(int, char)` with parameters. A name
 * that is not C++ stays as it is. */
#ifndef HCCT_DECODER_TREE_SHORT_NAME_H
#define HCCT_DECODER_TREE_SHORT_NAME_H

#include <stdbool.h>

/* From malloc; NULL when memory is out. `parameters`: those of the function stay, with template arguments
 * shortened. `ellipsis` stands for template arguments: "…" or "...". */
char *hcct_short_name(const char *demangled, bool parameters, const char *ellipsis);

#endif
