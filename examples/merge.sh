#!/bin/sh
# merge.sh FOLDER OUT [JOBS [FILES]]: merges all profiles below FOLDER as map and reduce. Map: JOBS processes (default: as many as there are
# processors) merge FILES profiles each (default: 1000) into parts. Reduce: one process merges the parts. Sums of sums keep the bounds, so the
# result is that of one merge.
#
# With GNU parallel in the place of xargs the map runs on other hosts, which see the same folders:
#     find ... -print0 | sort -z | parallel -0 -N "$files" --sshlogin host1,host2 hcct-merge -o "$parts/{#}.bin" {}
set -eu
folder=$1 out=$2 jobs=${3:-$(nproc)} files=${4:-1000}
parts=$(mktemp -d "$out.parts.XXXXXX")
trap 'rm -rf "$parts"' EXIT
find "$folder" -type f -name '*.bin' -print0 | sort -z |
    xargs -0 -P "$jobs" -n "$files" sh -c 'hcct-merge -o "$0/$$.bin" "$@"' "$parts"
hcct-merge -o "$out" "$parts"
