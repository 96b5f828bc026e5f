# context.sh HCCT-DECODE SOURCE PROGRAM: PROGRAM prints numbers of contexts with the paths that it tells for them. They are what
# SOURCE expects, and hcct-decode tells the same paths for the numbers.
set -e
for mode in cct hcct; do
    HCCT_OPTIONS=mode=$mode:output=$3.bin$HCCT_TEST_OPTIONS $3 >$3.told
    cut -d' ' -f2- $3.told | FileCheck --match-full-lines --implicit-check-not='{{.}}' $2
    $1 --no-demangle $(sed 's/ .*//; s/^/--context=/' $3.told) $3.bin >$3.decoded
    cut -d' ' -f2- $3.told | diff - $3.decoded
done
