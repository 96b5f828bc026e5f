/* Functions that are not instrumented and call back. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <setjmp.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void callback(void);

/* Calls one function. */
void call(callback *only);
/* Calls two functions, with equal stack pointers. */
void call_both(callback *first, callback *second);
/* The second with a lower stack pointer than the first, and the other way round. */
void call_second_deeper(callback *first, callback *second);
void call_first_deeper(callback *first, callback *second);
/* Calls a list of functions, up to NULL, by one call instruction. */
void call_each(callback *const *list);
/* Calls `leaves`, which may jump back to `call_catching_target`, then `after`. */
extern jmp_buf call_catching_target;
void call_catching(callback *leaves, callback *after);
/* `after` with a lower stack pointer than anything that `leaves` called. */
void call_catching_deeper(callback *leaves, callback *after);

#ifdef __cplusplus
}
#endif
#endif
