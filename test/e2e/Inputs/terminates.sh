# terminates.sh HCCT-DECODE SOURCE PROGRAM: ends by std::terminate, with a handler of the program's own and without.
decode=$1 source=$2 program=$3
ulimit -c 0
try() { # WAY PREFIX BELOW
    for handler in "" handler; do
        rm -f "$program.bin"
        HCCT_OPTIONS=mode=cct:output=$program.bin "$program" "$1" $handler 2>/dev/null
        status=$?
        expected=134
        [ -z "$handler" ] || expected=7
        if [ $status != $expected ]; then
            echo "$1 $handler: status $status"
            exit 1
        fi
        # The handler's own calls apart, whose place is under what the C++ library calls it from.
        "$decode" --format=folded --all "$program.bin" >"$program.folded"
        grep -v on_terminate "$program.folded" |
            FileCheck --check-prefix="$2" --match-full-lines --implicit-check-not='{{.}}' "$source" || exit 1
        if [ -n "$handler" ] && ! grep -qxE "$3;on_terminate;leaf 1" "$program.folded"; then
            cat "$program.folded"
            exit 1
        fi
    done
}
try noexcept NOEXCEPT 'main;never_throws;__clang_call_terminate;.std::terminate...'
try rethrow RETHROW 'main;rethrows;.__cxa_rethrow.'
try uncaught UNCAUGHT 'main;uncaught;sink;thrower;.__cxa_throw.'
