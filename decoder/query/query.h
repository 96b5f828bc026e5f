/* What a user asks of a profile: which contexts, seen from which side. The commands and the page use the same
 * words.
 *
 * Filters act on the path of each context, in this order:
 *   ignore   contexts through a function that matches are left out;
 *   focus    only contexts through a function that matches stay;
 *   root     paths begin with the outermost function that matches, other contexts are left out;
 *   hide     functions that match vanish from paths, and their counts go to their callers;
 *   fold     a run of adjacent functions that match becomes one frame, named by the first one's scope: [std].
 * A pattern is a POSIX extended regular expression. It is searched for in the short name of a function; with
 * a `<`, a `\(` or a blank in it, also in the full name; with `_Z` in it, also in the linkage name. So `less`
 * does not find all maps, which have std::less in their full names. What is left out stands as [other], see
 * other.h. */
#ifndef HCCT_DECODER_QUERY_QUERY_H
#define HCCT_DECODER_QUERY_QUERY_H

#include <stdint.h>

enum hcct_view {
    HCCT_VIEW_TREE,
    HCCT_VIEW_CALLERS, /* bottom-up: a function, its callers below it */
    HCCT_VIEW_FLAT,    /* a table of functions */
    HCCT_VIEW_PEEK,    /* a function, its callers and what it calls */
};

struct hcct_query {
    enum hcct_view view;
    const char *function;                            /* of callers and peek; NULL: all */
    const char *focus, *ignore, *hide, *root, *fold; /* patterns; NULL or "": none */
    uint32_t depth;                                  /* levels of the tree; 0: no limit */
};

/* The libraries of C++ compilers. What people look at folds them if nothing else is said. */
#define HCCT_QUERY_FOLD_DEFAULT "^(std|__gnu_cxx|__cxxabiv1)::"

#endif
