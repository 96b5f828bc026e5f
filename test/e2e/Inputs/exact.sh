# exact.sh HCCT-DECODE SOURCE PROGRAM [ARGUMENT...]: runs PROGRAM in mode=cct and in mode=hcct and holds each folded
# profile against the CHECK lines of SOURCE (or those that $CHECKS names), to the last line; nothing may have been dropped
# or misplaced.
set -e
decode=$1 source=$2 program=$3
shift 3
for mode in cct hcct; do
    profile=$program.$mode.bin
    rm -f "$profile"
    HCCT_OPTIONS=mode=$mode:output=$profile "$program" "$@"
    "$decode" --format=folded --all --no-demangle "$profile" |
        FileCheck --check-prefixes="${CHECKS:-CHECK}" --match-full-lines --implicit-check-not='{{.}}' "$source"
    "$decode" --format=json --all "$profile" | grep -E '^"(dropped|misplaced)"' >"$program.lost"
    if grep -q '[1-9]' "$program.lost"; then
        cat "$program.lost"
        exit 1
    fi
done
