# tries.sh COMMANDS: runs them until they succeed, five times at most. For what is right by measurement: on a machine that does much else
# a run may get its processor at the wrong moments; what is wrong is so each time.
for try in 1 2 3 4; do
    sh -c "$1" && exit 0
done
exec sh -c "$1"
