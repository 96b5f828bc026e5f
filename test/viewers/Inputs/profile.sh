# profile.sh HCCT-CC OUTPUT: compiles program.c, runs it in mode=cct, and leaves the profile as OUTPUT.
set -e
"$1" -O2 -g "$(cd "$(dirname "$0")" && pwd)/program.c" -o "$2.program"
HCCT_OPTIONS=mode=cct:output=$2 "$2.program"
