# ends.sh HCCT-DECODE PROGRAM: every way to end, its status and its profile in both modes.
decode=$1 program=$2 failed=0
try() { # WAY STATUS
    rm -f "$program.bin"
    HCCT_OPTIONS=mode=$mode:output=$program.bin "$program" "$1" 2>"$program.stderr"
    status=$?
    profile=$("$decode" --format=folded --all "$program.bin" | tr '\n' ' ')
    if [ $status != "$2" ] || [ "$profile" != "main 1 main;end 1 main;end;leaf 1 " ] || grep -q hcct "$program.stderr"; then
        echo "$1, $mode: status $status, expected $2; profile: $profile"; cat "$program.stderr"
        failed=1
    fi
}
ulimit -c 0
for mode in cct hcct; do
    try _exit 3
    try quick_exit 3
    try abort 134
    try abort-handled 134
    try once 143
    try vfork 3
    try 15 143
    try 1 129
    try 2 130
done
exit $failed
