# compare.sh DECODE PROFILE: all values of all contexts, as model.cpp prints them: without what the C++ library allocates at start, and what threads
# need that are none of the model's.
for value in allocated blocks live live-blocks peak peak-blocks temporary resized; do
    "$1" --all --format=folded --names=linkage --value=$value "$2" | sed "s/^/$value /" || exit 1
done | grep -v -e '^[a-z-]* \[[^;]*\] ' -e ';\[pthread_create\] ' -e ' other;' | LC_ALL=C sort
