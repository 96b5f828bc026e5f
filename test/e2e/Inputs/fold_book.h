/* Books that a program of a test keeps of its contexts with folded recursion, by the definition in docs/contexts.md and
 * without any id: each call hands its context down. `site` is a number that the call has in the source if it pushes (it
 * closes a cycle, goes through a pointer or leaves instrumented code), else 0. At the end the books are printed as hcct-decode
 * --format=folded --all prints a profile. */
#ifndef FOLD_BOOK_H
#define FOLD_BOOK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOOK_LIMIT = 4096 };

static struct book_context {
    int parent, site;
    const char *function;
    unsigned long count;
} book[BOOK_LIMIT];
static int book_count;

static __attribute__((no_profile_instrument_function)) int book_context_of(int parent, int site,
                                                                           const char *function)
{
    for (int at = parent; site && at >= 0; at = book[at].parent)
        if (book[at].site == site) {
            parent = book[at].parent;
            break;
        }
    for (int at = 0; at < book_count; at++)
        if (book[at].parent == parent && book[at].site == site && !strcmp(book[at].function, function))
            return at;
    if (book_count == BOOK_LIMIT)
        abort();
    book[book_count] = (struct book_context){ parent, site, function, 0 };
    return book_count++;
}

/* For the callee, which counts itself. */
#define AT(context, site, function) book_context_of(context, site, #function)
#define COUNT(context) (book[context].count++)

static __attribute__((no_profile_instrument_function)) char *book_path(char *text, int context)
{
    char *end = book[context].parent < 0 ? text : book_path(text, book[context].parent);
    return end + sprintf(end, "%s%s", end == text ? "" : ";", book[context].function);
}

static __attribute__((no_profile_instrument_function)) int book_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Equal paths by other sites are one line. */
static __attribute__((no_profile_instrument_function)) void book_print(void)
{
    static char *paths[BOOK_LIMIT], path[65536];
    int lines = 0;
    for (int i = 0; i < book_count; i++)
        if (book[i].count) {
            book_path(path, i);
            paths[lines++] = strdup(path);
        }
    qsort(paths, (size_t)lines, sizeof *paths, book_compare);
    for (int i = 0; i < lines; i++) {
        unsigned long count = 0;
        if (i && !strcmp(paths[i - 1], paths[i]))
            continue;
        for (int j = 0; j < book_count; j++) {
            book_path(path, j);
            count += strcmp(path, paths[i]) ? 0 : book[j].count;
        }
        printf("%s %lu\n", paths[i], count);
    }
}

#endif
