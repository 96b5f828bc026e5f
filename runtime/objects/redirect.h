/* Leads calls of functions to others: in every loaded object, the places that the dynamic linker filled in
 * with a function's address are filled in anew. Nothing happens in a process that does not ask for it.
 *
 * What cannot be seen: calls inside one object (an allocator's of itself, a program's of its own malloc), and
 * addresses that the program looked up before, or gets from dlsym. */
#ifndef HCCT_RUNTIME_OBJECTS_REDIRECT_H
#define HCCT_RUNTIME_OBJECTS_REDIRECT_H

#include <stdbool.h>
#include <stddef.h>

struct hcct_redirection {
    const char *name;
    void *to;
    void **real; /* gets the address of the function of that name */
    /* Whether the allocator's own calls of this function stay what they are: if the allocator is a library;
     * if it is the executable. The allocator is the object that has the first function of the list. */
    bool stays_in_library, stays_in_executable;
    bool is_of_executable; /* calls of other objects stay what they are */
};

enum hcct_redirected {
    HCCT_REDIRECTED,
    HCCT_REDIRECTED_STATIC, /* there is no dynamic linker */
    /* the executable has the first of the functions itself, so that its calls cannot be seen */
    HCCT_REDIRECTED_OWN
};

/* Once, at start. With `finds_own` the executable's own function is as good as any. A function that the
 * process does not have is left out, and its `real` is NULL. */
enum hcct_redirected hcct_redirect_start(const struct hcct_redirection *redirections, size_t count,
                                         bool finds_own);
/* Does the same in objects that were loaded since. Not under the table lock. Keeps errno. */
void hcct_redirect_look(void);
/* From now on objects may be loaded that look for functions in their own dependencies first
 * (RTLD_DEEPBIND). */
void hcct_redirect_deep(void);
/* Whether one object has the functions of these names that the process uses. */
bool hcct_redirect_same_object(const char *a, const char *b);

#endif
