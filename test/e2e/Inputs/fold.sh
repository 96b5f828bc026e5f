# fold.sh HCCT-DECODE PROGRAM [--no-books]: runs PROGRAM with recursion=fold, in both modes, and holds each profile against the
# books that the program prints; and against what the decoder folds of a profile that keeps recursion, site by site.
# Nothing may have been dropped or misplaced.
set -e
decode=$1 program=$2
for run in cct:fold hcct:fold cct:keep; do
    profile=$program.$run.bin
    rm -f "$profile"
    HCCT_OPTIONS=mode=${run%:*}:recursion=${run#*:}:output="'$profile'" "$program" >"$program.books"
    "$decode" --format=json --all --recursion=fold "$profile" -o "$profile.json"
    if [ "$3" != --no-books ]; then
        "$decode" --format=folded --all --recursion=fold --no-demangle "$profile" >"$profile.folded"
        LC_ALL=C sort "$profile.folded" | diff "$program.books" -
    fi
done
"$decode" --format=json --all "$program.cct:fold.bin" | cmp - "$program.cct:fold.bin.json"
python3 "$(dirname "$0")/same_contexts.py" "$program.cct:fold.bin.json" "$program.cct:keep.bin.json" "$program.hcct:fold.bin.json"
