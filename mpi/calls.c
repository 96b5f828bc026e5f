/* MPI's functions that may wait give samples of metric=time a name: [MPI_Allreduce], in whatever library the
 * processor is meanwhile. Their arguments are handles, integers and addresses. Each takes a register or eight
 * bytes of stack, whatever the MPI library is (handles.h), so they are passed on as numbers.
 * Cost: two calls that store a pointer. */
#include <stdint.h>

#include "hcct/ranks.h"

#define PUBLIC __attribute__((visibility("default"), weak, used, retain))

/* The name of what was called before: an MPI function may call a function of the program, and that one MPI. */
static const char *begin(const char *name)
{
    return __hcct_api_ranks_name ? __hcct_api_ranks_name(name) : 0;
}

static int end(int result, const char *before)
{
    if (__hcct_api_ranks_name)
        __hcct_api_ranks_name(before);
    return result;
}

#define WRAP(name, parameters, arguments)                                                                    \
    int P##name parameters;                                                                                  \
    PUBLIC int name parameters;                                                                              \
    int name parameters                                                                                      \
    {                                                                                                        \
        const char *before = begin(#name);                                                                   \
        return end(P##name arguments, before);                                                               \
    }

typedef uintptr_t word;

#define WRAP_1(name) WRAP(name, (word a), (a))
#define WRAP_2(name) WRAP(name, (word a, word b), (a, b))
#define WRAP_3(name) WRAP(name, (word a, word b, word c), (a, b, c))
#define WRAP_4(name) WRAP(name, (word a, word b, word c, word d), (a, b, c, d))
#define WRAP_5(name) WRAP(name, (word a, word b, word c, word d, word e), (a, b, c, d, e))
#define WRAP_6(name) WRAP(name, (word a, word b, word c, word d, word e, word f), (a, b, c, d, e, f))
#define WRAP_7(name)                                                                                         \
    WRAP(name, (word a, word b, word c, word d, word e, word f, word g), (a, b, c, d, e, f, g))
#define WRAP_8(name)                                                                                         \
    WRAP(name, (word a, word b, word c, word d, word e, word f, word g, word h), (a, b, c, d, e, f, g, h))
#define WRAP_9(name)                                                                                         \
    WRAP(name, (word a, word b, word c, word d, word e, word f, word g, word h, word i),                     \
         (a, b, c, d, e, f, g, h, i))
#define WRAP_12(name)                                                                                        \
    WRAP(name,                                                                                               \
         (word a, word b, word c, word d, word e, word f, word g, word h, word i, word j, word k, word l),   \
         (a, b, c, d, e, f, g, h, i, j, k, l))

WRAP_1(MPI_Barrier)
WRAP_2(MPI_Wait)
WRAP_3(MPI_Waitall)
WRAP_4(MPI_Waitany)
WRAP_4(MPI_Probe)
WRAP_5(MPI_Waitsome)
WRAP_5(MPI_Bcast)
WRAP_6(MPI_Send)
WRAP_6(MPI_Ssend)
WRAP_6(MPI_Rsend)
WRAP_6(MPI_Bsend)
WRAP_6(MPI_Allreduce)
WRAP_6(MPI_Reduce_scatter)
WRAP_6(MPI_Scan)
WRAP_6(MPI_Exscan)
WRAP_7(MPI_Recv)
WRAP_7(MPI_Reduce)
WRAP_7(MPI_Allgather)
WRAP_7(MPI_Alltoall)
WRAP_8(MPI_Gather)
WRAP_8(MPI_Scatter)
WRAP_8(MPI_Allgatherv)
WRAP_9(MPI_Gatherv)
WRAP_9(MPI_Scatterv)
WRAP_9(MPI_Alltoallv)
WRAP_9(MPI_Alltoallw)
WRAP_12(MPI_Sendrecv)
