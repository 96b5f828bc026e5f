# pooled.sh FOLDER OPTIONS PROGRAM HCCT-DECODE: runs PROGRAM until time_shares.py finds the shares of all runs together right, forty times at most.
#
# One run is enough where a processor has nothing else to do. On a busy one the kernel's timers of CPU time tell of many intervals at once, 40 of 10 ms were
# seen, and one run has few samples. With a load of 8 the standard deviation of the worst share was 3.7 points in one run, so 0.6 of forty: a right profile
# is off by 3 points once in a million times.
rm -rf "$1" && mkdir -p "$1" || exit 1
for run in $(seq 40); do
    HCCT_OPTIONS="$2:output=$1/$run.bin" "$3" >> "$1/book" || exit 1
    $4 --all --format=json -o "$1/json" "$1"/*.bin || exit 1
    python3 "$(dirname "$0")/time_shares.py" "$1/json" "$1/book" && exit 0
done
exit 1
