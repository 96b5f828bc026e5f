/* What libhcct_mpi (mpi/ranks.c) asks of the runtime. Not installed: the two belong together. All are weak:
 * a program without instrumented code has no runtime. */
#ifndef HCCT_RANKS_H
#define HCCT_RANKS_H

#include <stddef.h>

/* libhcct_mpi is part of the executable. */
extern const char __hcct_mpi_is_linked __attribute__((weak));

/* This process is that rank of several (-1: of none): a file that it writes alone gets ".rank3", unless the
 * pattern has %p. is_spawned: others may be the same rank, so all its files get ".PID" instead. */
void __hcct_api_ranks_begin(int rank, int is_spawned) __attribute__((weak));
/* Whether the profiles of all ranks become one file (HCCT_OPTIONS=ranks=merge, the default). All processes
 * with the same options get the same answer. */
int __hcct_api_ranks_are_merged(void) __attribute__((weak));
/* The profile of what was counted so far, until __hcct_api_ranks_end; NULL: there is none. */
const void *__hcct_api_ranks_take(size_t *length) __attribute__((weak));
/* Writes a profile to the output file: that of all ranks if `of_all` is not 0, else of this one and some
 * others. Returns 1; 0 after a warning. */
int __hcct_api_ranks_write(const void *bytes, size_t length, int of_all) __attribute__((weak));
/* Frees what was taken. kept: it is in some file, and this process writes none at its end. */
void __hcct_api_ranks_end(int kept) __attribute__((weak));

/* Writes a warning: "hcct: ", then both texts. */
void __hcct_api_ranks_complain(const char *who, const char *what) __attribute__((weak));

/* Samples of code that is not instrumented get this name (a constant), until another one is told; NULL: that
 * of the object. Returns the name so far. Of the calling thread. */
const char *__hcct_api_ranks_name(const char *name) __attribute__((weak));

#endif
