# Runs the program under LeakSanitizer and under hcct-run --leaks, once for each pattern on standard input, which leaves out what matches. Both tell the
# same number of bytes and blocks, and have the same exit status.
#
# usage: same_as_lsan.sh HCCT-RUN HCCT-PROGRAM LSAN-PROGRAM
export LSAN_OPTIONS=suppressions=lsan.txt:fast_unwind_on_malloc=0
: > lsan.txt
if ! "$3" 0 x 2>&1 | grep -q 'detected memory leaks'; then
    echo "skipped: LeakSanitizer cannot look at threads here"
    exit 0
fi
while read -r pattern; do
    printf '# a comment\n\n  leak:%s \n' "$pattern" > lsan.txt
    "$3" 5 x > lsan.out 2>&1; lsan=$?
    "$1" --leaks "--ignore=$(printf %s "$pattern" | sed 's/[*]/.*/g')" "$2" 5 x > hcct.out 2> hcct.err; hcct=$?
    wanted=$(sed -n 's/^SUMMARY: LeakSanitizer: \([0-9]*\) byte(s) leaked in \([0-9]*\) .*/\1 \2/p' lsan.out)
    found=$(sed -n 's/^leaked: \([0-9]*\) bytes* in \([0-9]*\) block.*/\1 \2/p' hcct.out)
    if [ "$wanted $lsan" != "$found $hcct" ] || grep -qv '^hcct-run: the profile is ids.bin' hcct.err; then
        echo "leak:$pattern: LeakSanitizer $wanted, status $lsan; hcct-run $found, status $hcct"
        cat hcct.out hcct.err
        exit 1
    fi
    echo "$pattern: ${found:-nothing}"
done
