# terminate.sh HCCT-RUN PROGRAM OUTPUT: sends SIGTERM to hcct-run once the program is ready; its exit status.
rm -f "$3"
"$1" --format=folded "$2" wait > "$3" &
until test -s "$3"; do
    sleep 0.05
done
kill -TERM $!
wait $!
