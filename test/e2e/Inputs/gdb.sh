# gdb.sh SCRIPT PROGRAM CASE: what hcct-context tells when PROGRAM crashes, of all threads, which its core file tells, too. Without gdb's own
# lines and the margin.
set -e
trap 'rm -f "$2.core"' EXIT
gdb -nx -batch -x "$1" -ex 'handle SIGUSR1 nostop noprint pass' -ex run -ex "echo context:\n" -ex "thread apply all -q hcct-context ${LIMIT:-}" \
    -ex 'echo end\n' -ex "generate-core-file $2.core" --args "$2" "$3" </dev/null >"$2.live" 2>&1
gdb -nx -batch -x "$1" -ex "echo context:\n" -ex "thread apply all -q hcct-context ${LIMIT:-}" -ex 'echo end\n' "$2" "$2.core" \
    </dev/null >"$2.dead" 2>&1
for file in live dead; do
    sed -n '/^context:$/,/^end$/{/^context:$/d;/^end$/d;/^$/d;s/^ *//;s/  / /;p}' "$2.$file" >"$2.$file.told"
done
sort "$2.live.told" >"$2.live.sorted" # threads come in another order
sort "$2.dead.told" | diff "$2.live.sorted" - >&2
cat "$2.live.told"
grep -q '^context 0x\|^context,' "$2.live.told"
