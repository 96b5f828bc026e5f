# crash.sh SOURCE PREFIX PROGRAM: what PROGRAM tells in each of its cases is what SOURCE expects under PREFIX.
set -e
for mode in cct hcct; do
    export HCCT_OPTIONS=mode=$mode:output=$3.bin
    for what in recursion callback library abort thread handler overflow ends; do
        $3 $what
    done >$3.told
    FileCheck --match-full-lines --implicit-check-not='{{.}}' --check-prefix=$2 $1 <$3.told
done
