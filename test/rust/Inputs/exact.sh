# exact.sh SOUND.PY HCCT-DECODE PROGRAM [ARGUMENT...]: runs PROGRAM, which prints its books, and holds its profile against them.
sound=$1 decode=$2 program=$3
shift 3
rm -f ids.bin
HCCT_OPTIONS=mode=cct $program "$@" >books 2>errors
status=$?
"$decode" --all --format=json >json && python3 "$sound" json books || exit 99
exit $status
