/* What libhcct_mpi asks for (hcct/ranks.h): ranks of an MPI program that leave one profile.
 * Threads: MPI_Init and MPI_Finalize are called by one thread. Others may count meanwhile. */
#include "hcct/ranks.h"

#include "runtime/base/confined.h"
#include "runtime/base/say.h"
#include "runtime/boundary/process.h"
#include "runtime/boundary/write.h"
#include "runtime/core/notice.h"
#include "runtime/objects/leaf.h"
#include "runtime/objects/registry.h"
#include "runtime/output/settings.h"
#include "runtime/output/writer.h"
#include "runtime/start/settings.h"

#define API __attribute__((visibility("default"), used))

const char hcct_ranks_present = 1;

static bool written; /* this rank's last file is a profile with what it gave */

API void __hcct_api_ranks_begin(int rank, int is_spawned)
{
    hcct_output_settings.rank = rank >= 0 ? rank + 1 : 0;
    hcct_output_settings.is_spawned = is_spawned;
}

API int __hcct_api_ranks_are_merged(void)
{
    return hcct_start_settings.ranks == HCCT_RANKS_MERGED;
}

API const void *__hcct_api_ranks_take(size_t *length)
{
    *length = 0;
    hcct_notice();
    if (!hcct_process_is_own() || !hcct_registry_object_count())
        return NULL;
    return hcct_writer_take(length);
}

API const char *__hcct_api_ranks_name(const char *name)
{
    const char *before = hcct_leaf_name;
    hcct_leaf_name = name;
    return before;
}

API int __hcct_api_ranks_write(const void *bytes, size_t length, int of_all)
{
    int rank = hcct_output_settings.rank;
    if (of_all)
        hcct_output_settings.rank = 0;
    written = hcct_writer_write_ready(bytes, length);
    hcct_output_settings.rank = rank;
    if (of_all && written)
        hcct_writer_take_back_snapshot(true);
    return written;
}

API void __hcct_api_ranks_complain(const char *who, const char *what)
{
    HCCT_SAY(1, who, what);
}

API void __hcct_api_ranks_end(int kept)
{
    hcct_writer_release();
    if (!kept)
        return;
    hcct_write_hand_over();
    if (!written)
        hcct_writer_take_back_snapshot(false);
}
