# check.sh KIND HCCT-CC HCCT-DECODE SPREAD.PY RANKS...: the one profile of a job holds what its ranks write alone, rank by rank. All of it
# is exact, as is how the ranks differ.
set -e
kind=$1 cc=$2 decode=$3 spread=$4 here=$(dirname "$0")
shift 4
sh "$here/build.sh" "$kind" "$cc" "$here/bucket_sort.c" -o sort
for ranks; do
    rm -f ./*.bin* ./*.json
    HCCT_OPTIONS=mode=cct:ranks=each:output=each.bin sh "$here/run.sh" "$kind" "$ranks" ./sort 300
    HCCT_OPTIONS=mode=cct:output=all.bin sh "$here/run.sh" "$kind" "$ranks" ./sort 300
    [ "$(ls ./all.bin*)" = ./all.bin ]
    "$decode" --format=folded --all --by=site each.bin.rank* >wanted
    "$decode" --format=folded --all --by=site all.bin | cmp - wanted
    "$decode" --format=json --all all.bin -o all.json
    set --
    while [ $# -lt "$ranks" ]; do
        "$decode" --format=json --all "each.bin.rank$#" -o "each$#.json"
        set -- "$@" "rank $#=each$#.json"
    done
    python3 "$spread" exact all.json "$@"
    # in bounded space as well: the bounds hold
    HCCT_OPTIONS=memory=0:phi=0.05:epsilon=0.05:output=hot.bin sh "$here/run.sh" "$kind" "$ranks" ./sort 300
    "$decode" --format=json --all hot.bin -o hot.json
    python3 "$spread" bounds hot.json "$@"
done
