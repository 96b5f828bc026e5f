# instructions.sh OPTIONS PROGRAM LIMIT: what a call takes in PROGRAM, which makes as many as its argument says, by callgrind; no more than LIMIT.
set -e
collected() {
    HCCT_OPTIONS=$1:output=$2.bin valgrind --tool=callgrind --callgrind-out-file=/dev/null "$2" "$3" 2>&1 | sed -n 's/.*Collected *: *//p'
}
few=$(collected "$1" "$2" 10000)
many=$(collected "$1" "$2" 110000)
each=$(((many - few + 50000) / 100000))
echo "$1: $each instructions a call"
test "$each" -le "$3"
