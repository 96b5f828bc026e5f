# cross.sh COMPILER ARGUMENT...: compiles for AArch64. An executable becomes OUTPUT.elf, and OUTPUT a script that runs it under
# qemu.
set -e
compiler=$1 output=a.out
shift
"$compiler" --target=aarch64-linux-gnu --start-no-unused-arguments -fuse-ld=lld --end-no-unused-arguments "$@"
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || output=$2
    shift
done
case $(llvm-readelf -hl "$output" 2>/dev/null) in
*"Type: "*EXEC* | *INTERP*) ;;
*"(Position-Independent Executable"* | *"Type: "*DYN*) llvm-readelf -d "$output" | grep -q 'FLAGS_1.*PIE' || exit 0 ;;
*) exit 0 ;;
esac
mv "$output" "$output.elf"
# Without glib's own allocator, whose locks a fork beside other threads leaves held in qemu's child for ever.
printf '#!/bin/sh\nG_SLICE=always-malloc exec qemu-aarch64 -L /usr/aarch64-linux-gnu "%s" "$@"\n' "$(realpath "$output.elf")" >"$output"
chmod +x "$output"
