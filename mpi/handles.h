/* MPI as libhcct_mpi calls it. MPI libraries differ in what their handles are: Open MPI's are addresses of
 * its objects, MPICH's (and those of Intel MPI, MVAPICH2 and Cray MPICH, which keep its ABI) are numbers. Both
 * fit into a register, and functions take them alike. So one binary serves both, without any mpi.h: which
 * library the program has is found out when it runs. */
#ifndef HCCT_MPI_HANDLES_H
#define HCCT_MPI_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

typedef uintptr_t hcct_mpi_handle;

/* A status is never read: `ignore` is MPI_STATUS_IGNORE. */
struct hcct_mpi_handles {
    hcct_mpi_handle world, no_comm, byte, errors_return;
    void *ignore;
};

/* False: the library is of no known kind, and nothing may be called. */
bool hcct_mpi_handles_find(struct hcct_mpi_handles *handles);

int PMPI_Init(int *argc, char ***argv);
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int PMPI_Finalize(void);
int PMPI_Abort(hcct_mpi_handle comm, int code);
int PMPI_Get_library_version(char *version, int *length);
int PMPI_Comm_rank(hcct_mpi_handle comm, int *rank);
int PMPI_Comm_size(hcct_mpi_handle comm, int *size);
/* These may write 4 bytes of a handle only. */
int PMPI_Comm_get_parent(hcct_mpi_handle *parent);
int PMPI_Comm_idup(hcct_mpi_handle comm, hcct_mpi_handle *copy, hcct_mpi_handle *request);
int PMPI_Test(hcct_mpi_handle *request, int *done, void *status);
double PMPI_Wtime(void);
int PMPI_Comm_free(hcct_mpi_handle *comm);
int PMPI_Comm_set_errhandler(hcct_mpi_handle comm, hcct_mpi_handle handler);
int PMPI_Send(const void *bytes, int count, hcct_mpi_handle type, int rank, int tag, hcct_mpi_handle comm);
int PMPI_Recv(void *bytes, int count, hcct_mpi_handle type, int rank, int tag, hcct_mpi_handle comm,
              void *status);

#endif
