# link-modes.sh COMPILER OBJECT: links and runs an executable of each kind with each linker that is installed.
# No linker warns.
for linker in bfd gold lld mold; do
    command -v ld.$linker >/dev/null || continue
    for mode in -pie -no-pie -static; do
        if ! { "$1" -fuse-ld=$linker -Wl,--fatal-warnings $mode "$2" -o a && ./a; }; then
            echo "failed with $linker $mode"
            exit 1
        fi
    done
done
