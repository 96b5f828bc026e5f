# true_or_unknown.sh HCCT-DECODE SOURCE PROGRAM: runs PROGRAM in mode=cct and in mode=hcct. Each context of its profile, without what is
# above `run`, is one that a `TRUE: PATH COUNT` line of SOURCE names, with no more calls, or begins with [unknown] and ends as one of those
# does; each function has all of its calls; and the profile tells how many calls are under [unknown]. With $ROOT, the paths begin there that hold it.
set -e
decode=$1 source=$2 program=$3
for mode in cct hcct; do
    profile=$program.$mode.bin
    rm -f "$profile"
    HCCT_OPTIONS=mode=$mode:output=$profile$HCCT_TEST_OPTIONS "$program"
    "$decode" --format=folded --all --no-demangle "$profile" | sed -n 's/^\(main;\|thread;\)*//; /^main [0-9]*$/d; /^thread [0-9]*$/d; p' >"$program.folded"
    lost=$("$decode" --format=json --all "$profile" | sed -n 's/.*"stale": \([0-9]*\).*/\1/p')
    sed -n 's/^.* TRUE: //p' "$source" | sed "s/^.*;\(${ROOT:-none}\)/\1/" | awk -v lost="$lost" '
        function last(path) { sub(/.*;/, "", path); return path }
        function fail(what) { print what; wrong = 1 }
        NR == FNR { true[$1] = $2; calls[last($1)] += $2; next }
        { calls[last($1)] -= $2 }
        sub(/^\[unknown\];/, "", $1) {
            unknown += $2
            for (path in true)
                if (substr(";" path, length(path) - length($1) + 1) == ";" $1)
                    next
            fail("no path ends in " $1)
            next
        }
        !($1 in true) || $2 > true[$1] { fail("not true: " $0) }
        END {
            for (name in calls)
                if (calls[name])
                    fail(calls[name] " calls of " name " too few")
            if (unknown != lost + 0)
                fail(unknown + 0 " calls under [unknown], but it tells " lost)
            exit wrong
        }' - "$program.folded" || { cat "$program.folded"; exit 1; }
done
