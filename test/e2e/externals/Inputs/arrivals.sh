# arrivals.sh HCCT-CC HCCT-DECODE OBJECT.o... [NAME.o] [-lLIBRARY]...: links the objects with a counter in front of each function that they call and do not define,
# runs the program with $ARGUMENTS, and compares the counters with what the profile says of these functions.
set -e
cc=$1 decode=$2
shift 2
folder=$(dirname "$0")
python3 "$folder/arrivals.py" counters "$@" >counters.S
echo "fun:*" >none.filter
$cc --hcct-filter=none.filter -x c -O1 -c "$folder/arrivals.c" -o counters.o
# In the instrumented objects only, as the runtime calls some of these functions itself.
for object; do
    case $object in library.o | -*) ;; *) objcopy --redefine-syms=counters.names "$object" "counted-$object" ;; esac
done
$cc -w $(for object; do case $object in library.o | -*) echo "$object" ;; *) echo "counted-$object" ;; esac; done) counters.S counters.o -o counted
for mode in cct hcct; do
    rm -f arrivals.txt
    HCCT_OPTIONS=mode=$mode:output=counted.bin ./counted $ARGUMENTS >/dev/null
    "$decode" --all --format=json counted.bin >counted.json
    python3 "$folder/arrivals.py" compare counted.json arrivals.txt
done
