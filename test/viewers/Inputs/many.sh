# many.sh HCCT-CC OUTPUT: compiles many.c, runs it with a small summary, and leaves the profile as OUTPUT.
set -e
"$1" -O2 "$(dirname "$0")/many.c" -o "$2.program"
HCCT_OPTIONS=memory=0:phi=0.05:epsilon=0.02:output=$2 "$2.program"
