/* See handles.h. */
#include "mpi/handles.h"

#include <string.h>

/* Open MPI's predefined objects. In a program with another library there are none. */
extern char ompi_mpi_comm_world[] __attribute__((weak, visibility("default")));
extern char ompi_mpi_comm_null[] __attribute__((weak, visibility("default")));
extern char ompi_mpi_byte[] __attribute__((weak, visibility("default")));
extern char ompi_mpi_errors_return[] __attribute__((weak, visibility("default")));

static const struct hcct_mpi_handles mpich = { .world = 0x44000000,
                                               .no_comm = 0x04000000,
                                               .byte = 0x4c00010d,
                                               .errors_return = 0x54000001,
                                               .ignore = (void *)1 };

bool hcct_mpi_handles_find(struct hcct_mpi_handles *handles)
{
    enum { VERSION_BYTES = 8192 + 1 }; /* MPI_MAX_LIBRARY_VERSION_STRING: 256 and 8192 */
    static char version[VERSION_BYTES];
    static const char *const known[] = { "MPICH", "MVAPICH", "Intel(R) MPI", "CRAY MPICH" };
    int length = 0;
    if (ompi_mpi_comm_world && ompi_mpi_comm_null && ompi_mpi_byte && ompi_mpi_errors_return) {
        *handles = (struct hcct_mpi_handles){ .world = (uintptr_t)ompi_mpi_comm_world,
                                              .no_comm = (uintptr_t)ompi_mpi_comm_null,
                                              .byte = (uintptr_t)ompi_mpi_byte,
                                              .errors_return = (uintptr_t)ompi_mpi_errors_return };
        return true;
    }
    *handles = mpich;
    if (PMPI_Get_library_version(version, &length))
        return false;
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(version, known[i]))
            return true;
    return false;
}
