/* libhcct_mpi: one profile of all ranks, by MPI's profiling interface.
 *
 * MPI_Finalize first adds up the profiles of all ranks of MPI_COMM_WORLD along a binomial tree: in step i,
 * rank r with bit i set sends what it has to rank r - 2^i and is done; the others receive and add
 * (decoder/store/pool.h). Rank 0 writes the file. So a rank holds its own sum and one profile that came,
 * and there are log2(ranks) steps. Ranks are added in their order.
 *
 * Invariants
 *   1. messages go over a duplicate of MPI_COMM_WORLD, whose errors return: none of the program's
 *      communicators, requests or error handlers is touched;
 *   2. a profile is in a file of several ranks, or its rank writes one of its own: a rank is told whether
 *      what it sent is in a file, which it is not before rank 0 has written. So whoever is killed while
 *      others are waited for writes his own. A profile of another build is not taken: who sent it writes it,
 *      with all that it has of other ranks;
 *   3. a rank without a profile takes part as well, so nobody waits for it.
 * The program's floating-point environment is as it was. Memory is the program's malloc. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decoder/store/open.h"
#include "decoder/store/pool.h"
#include "decoder/store/run.h"
#include "hcct/hcct.h"
#include "hcct/ranks.h"
#include "mpi/handles.h"

#define PUBLIC __attribute__((visibility("default"), weak, used, retain)) /* the program's own come first */

enum { TAG = 0x6863, CHUNK_BYTES = 1 << 28, NAME_BYTES = 24, LONG_SECONDS = 30 };

struct world {
    struct hcct_mpi_handles handles;
    hcct_mpi_handle comm;
    int rank, size;
};

/* What a rank has: its own profile as bytes, until another one is added. */
struct part {
    const void *own; /* the runtime's; NULL: it had none to give */
    size_t own_length;
    char own_name[NAME_BYTES];
    struct hcct_pool sum;
    bool is_sum;    /* `sum` has all */
    unsigned taken; /* the steps whose profile is in it: these ranks wait to hear that it is in a file */
};

static void complain(const char *rank, const char *what)
{
    if (__hcct_api_ranks_complain)
        __hcct_api_ranks_complain(rank, what);
}

static void name_rank(char name[NAME_BYTES], int rank)
{
    char digits[12];
    int count = 0;
    do
        digits[count++] = (char)('0' + rank % 10);
    while (rank /= 10);
    char *at = stpcpy(name, "rank ");
    while (count)
        *at++ = digits[--count];
    *at = 0;
}

/* --- messages -------------------------------------------------------------------------------------- */

static bool send_bytes(const struct world *world, const void *bytes, size_t length, int to)
{
    const char *at = bytes;
    while (length) {
        int chunk = length < CHUNK_BYTES ? (int)length : CHUNK_BYTES;
        if (PMPI_Send(at, chunk, world->handles.byte, to, TAG, world->comm))
            return false;
        at += chunk;
        length -= (size_t)chunk;
    }
    return true;
}

static bool receive_bytes(const struct world *world, void *bytes, size_t length, int from)
{
    char *at = bytes;
    while (length) {
        int chunk = length < CHUNK_BYTES ? (int)length : CHUNK_BYTES;
        if (PMPI_Recv(at, chunk, world->handles.byte, from, TAG, world->comm, world->handles.ignore))
            return false;
        at += chunk;
        length -= (size_t)chunk;
    }
    return true;
}

/* Takes what cannot be kept off the line, chunk by chunk as it was sent. */
static bool drop_bytes(const struct world *world, size_t length, int from)
{
    char *scratch = malloc(length < CHUNK_BYTES ? length : CHUNK_BYTES);
    bool done = scratch;
    while (done && length) {
        size_t chunk = length < CHUNK_BYTES ? length : CHUNK_BYTES;
        done = receive_bytes(world, scratch, chunk, from);
        length -= chunk;
    }
    free(scratch);
    return done;
}

/* --- adding ---------------------------------------------------------------------------------------- */

/* Whether the two can be added: asked first, because a sum is of no use once adding has failed. */
static bool fits(const struct hcct_pool *sum, const struct hcct_profile *profile)
{
    struct hcct_error error;
    return !sum->count || (profile->run->build_id == sum->run.build_id &&
                           hcct_run_check_metric(&sum->records.fixed, profile, &error));
}

static bool add(struct hcct_pool *sum, const void *bytes, size_t length, const char *name)
{
    struct hcct_profile profile;
    struct hcct_error error;
    if (!hcct_profile_open(&profile, bytes, length, &error))
        return false;
    profile.name = name;
    bool done = fits(sum, &profile);
    if (done && !hcct_pool_add(sum, &profile, &error)) {
        complain("out of memory", ": the profiles that a rank has added up are lost");
        hcct_pool_free(sum);
        done = false;
    }
    hcct_profile_close(&profile);
    return done;
}

/* The own profile becomes the first of the sum. */
static bool begin_sum(struct part *part)
{
    if (!part->is_sum && part->own)
        part->is_sum = add(&part->sum, part->own, part->own_length, part->own_name);
    else
        part->is_sum = true;
    return part->is_sum;
}

static bool answer(const struct world *world, int to, bool is_in_file)
{
    char byte = is_in_file;
    return send_bytes(world, &byte, sizeof byte, to);
}

/* Receives what another rank has, and adds it; tells that rank if it does not. False if MPI failed. */
static bool receive_part(const struct world *world, struct part *part, int step)
{
    uint64_t length = 0;
    int from = world->rank + step;
    char name[NAME_BYTES];
    name_rank(name, from);
    if (!receive_bytes(world, &length, sizeof length, from))
        return false;
    if (!length)
        return true;
    void *bytes = malloc(length);
    if (bytes ? !receive_bytes(world, bytes, length, from) : !drop_bytes(world, length, from)) {
        free(bytes);
        return false;
    }
    bool taken = bytes && begin_sum(part) && add(&part->sum, bytes, length, name);
    part->taken |= taken ? (unsigned)step : 0;
    free(bytes);
    return taken || answer(world, from, false);
}

/* --- the tree -------------------------------------------------------------------------------------- */

/* The bytes of all that a rank has; NULL: it has nothing. *owned is to be freed. */
static const void *bytes_of(struct part *part, size_t *length, unsigned char **owned)
{
    *owned = NULL;
    if (part->is_sum && part->sum.count)
        return *owned = hcct_pool_write(&part->sum, length);
    *length = part->own_length;
    return part->own;
}

/* Sends all that a rank has, and waits; true if it is in a file. */
static bool send_part(const struct world *world, const void *bytes, size_t size, int to)
{
    uint64_t length = bytes ? size : 0;
    char is_in_file = 0;
    return send_bytes(world, &length, sizeof length, to) &&
           (!length || (send_bytes(world, bytes, size, to) &&
                        receive_bytes(world, &is_in_file, sizeof is_in_file, to) && is_in_file));
}

static void reduce(const struct world *world, struct part *part)
{
    int bit = 1;
    bool done = true;
    for (; done && bit < world->size && !(world->rank & bit); bit <<= 1)
        if (world->rank + bit < world->size)
            done = receive_part(world, part, bit);
    size_t length;
    unsigned char *owned;
    const void *bytes = bytes_of(part, &length, &owned);
    bool is_root = world->rank == 0;
    bool kept = !is_root && done && send_part(world, bytes, length, world->rank - bit);
    if (!kept && bytes)
        kept = __hcct_api_ranks_write(bytes, length, is_root);
    for (int step = 1; step < bit; step <<= 1)
        if (part->taken & (unsigned)step)
            answer(world, world->rank + step, kept);
    __hcct_api_ranks_end(kept && part->own);
    free(owned);
}

/* Waits until all ranks have come. A rank without libhcct_mpi never comes, and nothing in MPI tells of that:
 * so whoever waits for long says so, once. */
static bool wait_for_all(const struct world *world, hcct_mpi_handle request, const char *name)
{
    static const struct timespec pause = { .tv_nsec = 1000000 };
    double begin = PMPI_Wtime(), waited = 0;
    bool has_complained = false;
    int done = 0;
    while (!PMPI_Test(&request, &done, world->handles.ignore) && !done) {
        if (waited < LONG_SECONDS / 30.0)
            sched_yield();
        else
            clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
        waited = PMPI_Wtime() - begin;
        if (waited < LONG_SECONDS || has_complained)
            continue;
        has_complained = true;
        complain(name, " waits in MPI_Finalize for ranks that have not called it. If their programs are not "
                       "linked by hcct-cc, end the job: that leaves a file of each rank. Then set "
                       "HCCT_OPTIONS=ranks=each");
    }
    return done;
}

static void add_up(const struct hcct_mpi_handles *handles)
{
    struct world world = { .handles = *handles, .comm = 0 };
    struct part part = { .own = NULL };
    hcct_mpi_handle request = 0;
    PMPI_Comm_rank(handles->world, &world.rank);
    PMPI_Comm_size(handles->world, &world.size);
    name_rank(part.own_name, world.rank);
    if (PMPI_Comm_idup(handles->world, &world.comm, &request) ||
        !wait_for_all(&world, request, part.own_name))
        return;
    PMPI_Comm_set_errhandler(world.comm, handles->errors_return);
    part.own = __hcct_api_ranks_take(&part.own_length);
    reduce(&world, &part);
    hcct_pool_free(&part.sum);
    PMPI_Comm_free(&world.comm);
}

/* --- what MPI calls -------------------------------------------------------------------------------- */

#if defined __x86_64__
static uint64_t save_floats(void)
{
    return __builtin_ia32_stmxcsr();
}
static void restore_floats(uint64_t saved)
{
    __builtin_ia32_ldmxcsr((unsigned)saved);
}
#else
static uint64_t save_floats(void)
{
    uint64_t status;
    __asm__ volatile("mrs %0, fpsr" : "=r"(status));
    return status;
}
static void restore_floats(uint64_t saved)
{
    __asm__ volatile("msr fpsr, %0" ::"r"(saved));
}
#endif

PUBLIC const char __hcct_mpi_is_linked = 1;

/* The rank is part of the name of files that a rank writes alone. The launcher has told it (api/ranks.c); MPI
 * knows better. Ranks of a spawned MPI_COMM_WORLD have the numbers of other ranks. */
static int after_init(int result)
{
    struct hcct_mpi_handles handles;
    hcct_mpi_handle parent = 0;
    int rank = 0, size = 1;
    if (result == 0 && __hcct_api_ranks_begin && hcct_mpi_handles_find(&handles) &&
        !PMPI_Comm_rank(handles.world, &rank) && !PMPI_Comm_size(handles.world, &size) &&
        !PMPI_Comm_get_parent(&parent))
        __hcct_api_ranks_begin(size > 1 ? rank : -1, parent != handles.no_comm);
    return result;
}

static void before_finalize(void)
{
    struct hcct_mpi_handles handles;
    if (!__hcct_api_ranks_are_merged || !__hcct_api_ranks_are_merged() || !hcct_mpi_handles_find(&handles))
        return;
    uint64_t floats = save_floats();
    add_up(&handles);
    restore_floats(floats);
}

PUBLIC int MPI_Init(int *argc, char ***argv);
PUBLIC int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
PUBLIC int MPI_Finalize(void);
PUBLIC int MPI_Abort(hcct_mpi_handle comm, int code);

int MPI_Init(int *argc, char ***argv)
{
    return after_init(PMPI_Init(argc, argv));
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return after_init(PMPI_Init_thread(argc, argv, required, provided));
}

int MPI_Finalize(void)
{
    before_finalize();
    return PMPI_Finalize();
}

/* Launchers end the ranks in their own way, some by SIGKILL: the one that aborts can still write. */
int MPI_Abort(hcct_mpi_handle comm, int code)
{
    if (__hcct_api_dump)
        __hcct_api_dump();
    return PMPI_Abort(comm, code);
}

/* Fortran's, as gfortran, flang and ifx name them: Open MPI's do not call C's. The last one of each pair is that
 * of the module mpi_f08, whose `error` may be absent (NULL). */
PUBLIC void mpi_init_(int *error);
PUBLIC void mpi_init_f08_(int *error);
PUBLIC void mpi_finalize_(int *error);
PUBLIC void mpi_finalize_f08_(int *error);
void pmpi_init_(int *error) __attribute__((weak));
void pmpi_init_f08_(int *error) __attribute__((weak));
void pmpir_init_f08_(int *error) __attribute__((weak)); /* MPICH's */

void mpi_init_(int *error)
{
    if (pmpi_init_)
        pmpi_init_(error);
    after_init(*error);
}

void mpi_init_f08_(int *error)
{
    int result = 0;
    if (pmpi_init_f08_)
        pmpi_init_f08_(&result);
    else if (pmpir_init_f08_)
        pmpir_init_f08_(&result);
    else
        result = PMPI_Init(NULL, NULL);
    if (error)
        *error = result;
    after_init(result);
}

void mpi_finalize_(int *error)
{
    *error = MPI_Finalize();
}

void mpi_finalize_f08_(int *error)
{
    int result = MPI_Finalize();
    if (error)
        *error = result;
}
