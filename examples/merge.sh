#!/bin/sh
# merge.sh FOLDER OUT [JOBS [FILES]]: merges all profiles below FOLDER as map and reduce. Map: JOBS processes (default: as many as there are
# processors) merge FILES profiles each (default: 1000) into parts. Reduce: one process merges the parts. Sums of sums keep the bounds, so the
# result is that of one merge.
#
# On other hosts, which see the same folders, a launcher of MPI or Slurm starts the processes of the map. Each takes its share of the profiles:
#     LAUNCH='mpirun -n 8 --host host1:4,host2:4' merge.sh FOLDER OUT
# So does GNU parallel in the place of xargs:
#     find ... -print0 | sort -z | parallel -0 -N "$files" --sshlogin host1,host2 hcct-merge -o "$parts/{#}.bin" {}
set -eu
folder=$1 out=$2 jobs=${3:-$(nproc)} files=${4:-1000}
parts=$(mktemp -d "$out.parts.XXXXXX")
trap 'rm -rf "$parts"' EXIT
list() { find "$folder" -type f -name '*.bin' -print0 | sort -z; }
# $0 FILES PARTS: merges the share of this rank
share='
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:-0}}} size=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SLURM_NTASKS:-1}}}
sed -z -n "$((rank + 1))~${size}p" "$2/list" | xargs -0 -r -n "$1" sh -c '\''hcct-merge -o "$0.$$.bin" "$@"'\'' "$2/$rank"'
if [ "${LAUNCH:-}" ]; then
    list >"$parts/list"
    $LAUNCH sh -c "$share" share "$files" "$parts"
    rm "$parts/list"
else
    list | xargs -0 -P "$jobs" -n "$files" sh -c 'hcct-merge -o "$0/$$.bin" "$@"' "$parts"
fi
hcct-merge -o "$out" "$parts"
