# lldb.sh LLDB SCRIPT PROGRAM CASE: what hcct-context tells when PROGRAM crashes, of all threads, which its core file tells, too. Without lldb's own
# lines and the margin. The core file is gdb's.
set -e
trap 'rm -f "$3.core"' EXIT
context="hcct-context --all ${LIMIT:-}"
"$1" --no-lldbinit --batch -o "command script import $2" -o 'process handle -s false -p true -n false SIGUSR1' -o run \
    -k "$context" -k 'version' -k quit -- "$3" "$4" </dev/null >"$3.live" 2>&1
gdb -nx -batch -ex 'handle SIGUSR1 nostop noprint pass' -ex run -ex "generate-core-file $3.core" --args "$3" "$4" </dev/null >/dev/null 2>&1
"$1" --no-lldbinit --batch -o "command script import $2" -o "$context" -o version "$3" -c "$3.core" </dev/null >"$3.dead" 2>&1
for file in live dead; do
    sed -n '/^(lldb) hcct-context/,/^(lldb) version/{/^(lldb)/d;/^$/d;s/^error: //;s/^ *//;s/  / /;p}' "$3.$file" >"$3.$file.told"
done
sort "$3.live.told" >"$3.live.sorted" # threads come in another order
sort "$3.dead.told" | diff "$3.live.sorted" - >&2
cat "$3.live.told"
grep -q '^context 0x\|^context,' "$3.live.told"
