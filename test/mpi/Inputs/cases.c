/* cases WHAT: what MPI programs do, with counts that are known. Rank r calls what it is about r + 1 times.
 * phases: a phase of two names; heap: blocks of 100 bytes that stay; threads: MPI_THREAD_MULTIPLE, three threads that work and send to
 * themselves; nap: rank 1 sleeps; spawn: two processes more, which work as many times as their rank in their own MPI_COMM_WORLD, and 10. */
#include <hcct/hcct.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int done;
static void *volatile block;

__attribute__((noinline)) static void work(void)
{
    done++;
}

static void work_often(int times)
{
    for (int i = 0; i < times; i++)
        work();
}

static void phases(int rank)
{
    hcct_phase("set up");
    work_often(2);
    hcct_phase("solve");
    work_often(rank + 1);
}

__attribute__((noinline)) static void keep(void)
{
    block = malloc(100);
}

static void heap(int rank)
{
    for (int i = 0; i <= rank; i++)
        keep();
}

static void *thread(void *argument)
{
    int rank, number = 0, tag = *(int *)argument;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i <= rank; i++) {
        MPI_Irecv(&number, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, &request);
        MPI_Send(&tag, 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        work_often(number == tag);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t all[3];
    int tags[3] = { 1, 2, 3 };
    for (int i = 0; i < 3; i++)
        pthread_create(&all[i], NULL, thread, &tags[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(all[i], NULL);
}

__attribute__((noinline)) static void nap(void)
{
    usleep(500000);
}

static void spawn(char *program, MPI_Comm *children)
{
    char *arguments[] = { "spawned", NULL };
    MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, provided;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(what, "phases"))
        phases(rank);
    else if (!strcmp(what, "heap"))
        heap(rank);
    else if (!strcmp(what, "threads") && provided == MPI_THREAD_MULTIPLE)
        threads();
    else if (!strcmp(what, "nap") && rank == 1)
        nap();
    else if (!strcmp(what, "spawn"))
        spawn(argv[0], &other);
    else if (!strcmp(what, "spawned"))
        MPI_Comm_get_parent(&other);
    work_often(!strcmp(what, "spawned") ? rank + 10 : 0);
    if (other != MPI_COMM_NULL)
        MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
